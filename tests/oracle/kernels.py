"""What the slow twins of kernels draw with: they share nothing with the package.

Python's big integers for Philox, the standard library for exp and the normal quantile.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist

MASK = 0xFFFFFFFF
DATA = 0


def philox(counter: Sequence[int], key: Sequence[int]) -> tuple[int, int, int, int]:
    """Ten rounds of Philox4x32: L and R halves, permuted between rounds (Salmon et al. 2011, figure 2)."""
    left_0, right_0, left_1, right_1 = counter
    key_0, key_1 = key
    for _ in range(10):
        high_0, low_0 = divmod(0xD2511F53 * left_0, 2**32)
        high_1, low_1 = divmod(0xCD9E8D57 * left_1, 2**32)
        left_0, right_0, left_1, right_1 = high_1 ^ right_0 ^ key_0, low_1, high_0 ^ right_1 ^ key_1, low_0
        key_0, key_1 = (key_0 + 0x9E3779B9) % 2**32, (key_1 + 0xBB67AE85) % 2**32
    return left_0, right_0, left_1, right_1


def words(seed: int, replication: int, unit: int, draw: int, stream: int) -> tuple[int, int, int, int]:
    return philox((unit, replication & MASK, draw, stream), (seed & MASK, seed >> 32))


def uniform(word: int) -> float:
    return (word + 0.5) / 2**32


def fine_uniform(high: int, low: int) -> float:
    return float(Fraction(2 * ((high * 2**32 + low) // 2**12) + 1, 2**53))


def normal(u: float) -> float:
    return NormalDist().inv_cdf(u)


def logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0 else math.exp(x) / (1.0 + math.exp(x))
