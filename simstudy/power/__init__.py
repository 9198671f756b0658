"""power."""
