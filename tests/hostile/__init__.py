"""Hundreds of requests that somebody made to break things: ``python -m tests.hostile``."""
