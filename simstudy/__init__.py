"""simstudy."""
