"""Slow, readable twin of the scenario proportion: answers of one system to cases of its own."""

from __future__ import annotations

from tests.oracle.kernels import DATA, uniform, words


def own_answers(seed: int, replication: int, n_cases: int, accuracy: float, draw: int) -> list[bool]:
    """Answers of one system to cases of its own, four to a call of Philox."""
    found = (words(seed, replication, case // 4, draw, DATA)[case % 4] for case in range(n_cases))
    return [uniform(word) < accuracy for word in found]
