"""Small scenarios that hold what declarations can say; each is also read from its file, as somebody's own."""
