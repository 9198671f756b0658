"""Paired tables (n10, n01, n): every small one, and large and lopsided ones."""

import itertools

import numpy as np

TABLES = [
    (n10, n01, n) for n in (1, 2, 3, 8) for n10, n01 in itertools.product(range(n + 1), repeat=2) if n10 + n01 <= n
]

LARGE = [
    (0, 1, 100),
    (1, 0, 1000),
    (3, 11, 36),
    (99, 0, 100),
    (98, 2, 100),
    (250, 1, 252),
    (1200, 1500, 20_000),
]


def columns(tables):
    return np.array(tables).T
