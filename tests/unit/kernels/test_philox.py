"""Philox: known answers, addresses and uniforms."""

from __future__ import annotations

import numpy as np
import pytest

from simstudy.kernels import philox, streams
from tests.oracle import kernels as slow

# kat_vectors of Random123 1.14, philox4x32 with 10 rounds: counter, key, result
KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN_ANSWERS)
def test_known_answers(counter: tuple[int, ...], key: tuple[int, ...], expected: tuple[int, ...]) -> None:
    found = philox.philox(*(np.uint64(word) for word in (*counter, *key)))
    assert tuple(int(word) for word in found) == expected
    assert slow.philox(counter, key) == expected


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN_ANSWERS)
def test_an_address_is_the_counter_and_the_seed_is_the_key(
    counter: tuple[int, ...], key: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    unit, replication, draw, stream = counter
    assert philox.words(key[0] + (key[1] << 32), replication, unit, draw, stream) == expected


def test_words_equal_the_twin() -> None:
    generator = np.random.default_rng(20240601)
    for _ in range(200):
        seed = int(generator.integers(2**64, dtype=np.uint64))
        replication, unit, draw, stream = (int(part) for part in generator.integers(2**32, size=4))
        assert philox.words(seed, replication, unit, draw, stream) == slow.words(seed, replication, unit, draw, stream)


def test_every_part_of_an_address_counts() -> None:
    base = philox.words(1, 0, 0, 0, 0)
    others = [
        philox.words(2, 0, 0, 0, 0),
        philox.words(1 + 2**32, 0, 0, 0, 0),
        philox.words(1, 1, 0, 0, 0),
        philox.words(1, 0, 1, 0, 0),
        philox.words(1, 0, 0, 1, 0),
        philox.words(1, 0, 0, 0, 1),
    ]
    assert len({base, *others}) == 7


def test_streams_are_numbered_once() -> None:
    names = [name for name in vars(streams) if name.isupper()]
    numbers = [getattr(streams, name) for name in names]
    assert len(set(numbers)) == len(numbers)
    assert all(0 <= number < 2**32 for number in numbers)
    assert streams.DATA == 0


def test_coarse_uniforms_are_centred_in_their_cells() -> None:
    assert philox.uniform32(np.uint64(0)) == 2.0**-33
    assert philox.uniform32(np.uint64(0xFFFFFFFF)) == 1.0 - 2.0**-33
    assert philox.uniform32(np.uint64(2**31)) == 0.5 + 2.0**-33


def test_fine_uniforms_never_reach_the_ends_and_are_symmetric() -> None:
    top = np.uint64(0xFFFFFFFF)
    zero = np.uint64(0)
    assert philox.uniform53(zero, zero) == 2.0**-53
    assert philox.uniform53(top, top) == 1.0 - 2.0**-53
    generator = np.random.default_rng(20240602)
    for high, low in generator.integers(2**32, size=(200, 2), dtype=np.uint64):
        u = philox.uniform53(high, low)
        assert u == slow.fine_uniform(int(high), int(low))
        assert philox.uniform53(top - high, top - low) == 1.0 - u


@pytest.mark.parametrize("probability", [0.0, 1e-12, 2.0**-33, 2.0**-32, 0.3, 0.5, 0.7, 1 - 2.0**-33, 1.0])
def test_thresholds_say_what_uniforms_say(probability: float) -> None:
    threshold = int(philox.threshold32(probability))
    for word in {0, 1, 2**32 - 1, *range(max(threshold - 2, 0), min(threshold + 3, 2**32))}:
        assert (word < threshold) == (philox.uniform32(np.uint64(word)) < probability)


def test_impossible_and_certain_events_are_exact() -> None:
    assert int(philox.threshold32(0.0)) == 0
    assert int(philox.threshold32(1.0)) == 2**32
    assert philox.below_odds(np.uint64(2**32 - 1), 0.0)
    assert not philox.below_odds(np.uint64(0), np.inf)
