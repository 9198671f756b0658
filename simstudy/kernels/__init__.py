"""Compiled loops, one module per scenario that simulates every unit, and the random numbers under them.

Kernels know no scenario, no parameter names in words and no labels: they fill integer arrays. They import
numpy and numba alone.
"""
