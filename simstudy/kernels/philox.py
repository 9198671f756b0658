"""Philox4x32-10: random words with an address.

A draw is addressed, not consumed. Four 32-bit words belong to each (seed, replication, unit, draw, stream),
whatever was drawn before, by whatever thread and in whatever order: the seed is the key, the other four are
the counter. Adding a unit, a draw or a replication therefore changes no other.

32-bit words are held in 64-bit integers: the product of two of them is then one instruction, also in vector
units.

References
----------
Salmon, J. K., Moraes, M. A., Dror, R. O., Shaw, D. E. (2011). Parallel random numbers: as easy as 1, 2, 3. SC
'11. doi:10.1145/2063384.2063405 (section 3.3 and table 2: multipliers, key increments, 10 rounds).
"""

from __future__ import annotations

import math

import numpy as np

from simstudy.kernels._jit import helper

ROUNDS = 10
MULTIPLIER_0 = np.uint64(0xD2511F53)
MULTIPLIER_1 = np.uint64(0xCD9E8D57)
KEY_STEP_0 = np.uint64(0x9E3779B9)
KEY_STEP_1 = np.uint64(0xBB67AE85)
LOW_32 = np.uint64(0xFFFFFFFF)
SHIFT_32 = np.uint64(32)
SHIFT_12 = np.uint64(12)

Words = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


@helper
def philox(c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, k0: np.uint64, k1: np.uint64) -> Words:
    """Encrypt a counter with a key by ten rounds of Philox4x32; all words are below 2**32."""
    for _ in range(ROUNDS):
        product_0 = MULTIPLIER_0 * c0
        product_1 = MULTIPLIER_1 * c2
        c0 = (product_1 >> SHIFT_32) ^ c1 ^ k0
        c2 = (product_0 >> SHIFT_32) ^ c3 ^ k1
        c1 = product_1 & LOW_32
        c3 = product_0 & LOW_32
        k0 = (k0 + KEY_STEP_0) & LOW_32
        k1 = (k1 + KEY_STEP_1) & LOW_32
    return c0, c1, c2, c3


@helper
def draw_words(key: np.uint64, replication: np.uint64, unit: np.uint64, draw: np.uint64, stream: np.uint64) -> Words:
    """Return the four words of an address; all arguments are uint64, all but the key below 2**32."""
    return philox(unit, replication, draw, stream, key & LOW_32, key >> SHIFT_32)


@helper
def uniform32(word: np.uint64) -> float:
    """Map one word to (0, 1): (word + 1/2) / 2**32, which a double holds exactly."""
    return (np.float64(word) + 0.5) * 2.0**-32


@helper
def uniform53(high: np.uint64, low: np.uint64) -> float:
    """Map two words to (0, 1): odd multiples of 2**-53, from the leading 52 bits."""
    # A double holds each value, its distance to 1/2 and its complement to 1 exactly, so neither 0 nor 1 occurs and the
    # values lie symmetrically about 1/2.
    leading = ((high << SHIFT_32) | low) >> SHIFT_12
    return (np.float64(leading) + 0.5) * 2.0**-52


@helper
def threshold32(probability: float) -> np.uint64:
    """Return the t in [0, 2**32] for which ``word < t`` says the same as ``uniform32(word) < probability``."""
    # Probabilities 0 and 1 give an event that never and one that always happens; the error of others is below 2**-33.
    return np.uint64(max(math.ceil(probability * 2.0**32 - 0.5), 0))


@helper
def below_odds(word: np.uint64, odds_against: float) -> bool:
    """Tell whether ``uniform32(word)`` lies below 1 / (1 + odds_against), without a division, to within 2**-33."""
    return bool((np.float64(word) + 0.5) * (1.0 + odds_against) < 2.0**32)


def words(seed: int, replication: int, unit: int, draw: int = 0, stream: int = 0) -> tuple[int, int, int, int]:
    """Return the four random words, as Python numbers, that belong to an address."""
    # Of the seed the low 64 bits count, of the parts of the address the low 32; streams are listed in
    # :mod:`simstudy.kernels.streams`.
    mask = 0xFFFFFFFF
    address = (np.uint64(part & mask) for part in (replication, unit, draw, stream))
    w0, w1, w2, w3 = draw_words(np.uint64(seed & 0xFFFFFFFFFFFFFFFF), *address)
    return int(w0), int(w1), int(w2), int(w3)
