"""Study files, one question each; ``python -m experiments`` answers them all."""
