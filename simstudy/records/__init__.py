"""Read people's result files, check them, and pair two systems."""
