"""The commands: each file parses, calls and prints; nothing is computed here."""
