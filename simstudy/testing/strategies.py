"""Hypothesis strategies for paired outcomes and proportions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import ParameterError
from simstudy.testing._hypothesis import load

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Outcomes = NDArray[np.int64]
st = load("hypothesis.strategies")


def paired_counts(
    max_cases: int = 200, min_cases: int = 1, min_discordant: int = 0
) -> SearchStrategy[tuple[int, int, int, int]]:
    """Return a strategy for the table of two systems that answered the same cases.

    Parameters
    ----------
    max_cases, min_cases : int
        Range of the number of cases.
    min_discordant : int
        Smallest number of cases that exactly one system answers right.

    Returns
    -------
    SearchStrategy of tuple of int
        (n10, n01, n11, n00): only A right, only B right, both, neither.

    Raises
    ------
    ParameterError
        If no table is that small and that discordant.
    """
    least = max(min_cases, min_discordant)
    if min_cases < 0 or min_discordant < 0 or least > max_cases:
        raise ParameterError(
            f"No table has {least} or more and at most {max_cases} cases: max_cases must be at least min_cases and "
            "min_discordant, and both at least 0."
        )
    # a table is n cut at three places; Hypothesis shrinks all counts toward the fewest cases
    return (  # type: ignore[no-any-return]
        st.integers(least, max_cases)
        .flatmap(lambda n: st.tuples(st.just(n), st.integers(min_discordant, n)))
        .flatmap(lambda nm: st.tuples(st.just(nm), st.integers(0, nm[1]), st.integers(0, nm[0] - nm[1])))
        .map(lambda drawn: (drawn[0][1] - drawn[1], drawn[1], drawn[2], drawn[0][0] - drawn[0][1] - drawn[2]))
    )


def paired_outcomes(max_cases: int = 60, min_cases: int = 1) -> SearchStrategy[tuple[Outcomes, Outcomes]]:
    """Return a strategy for the outcomes of two systems, case by case.

    Parameters
    ----------
    max_cases, min_cases : int
        Range of the number of cases.

    Returns
    -------
    SearchStrategy of tuple of array
        (right_a, right_b): int64 arrays of 0 and 1, shape (n_cases,).
    """

    def split(pairs: list[tuple[int, int]]) -> tuple[Outcomes, Outcomes]:
        table = np.array(pairs, np.int64).reshape(-1, 2)
        return table[:, 0].copy(), table[:, 1].copy()

    pair = st.tuples(st.integers(0, 1), st.integers(0, 1))
    return st.lists(pair, min_size=min_cases, max_size=max_cases).map(split)  # type: ignore[no-any-return]


def cluster_sums(
    max_clusters: int = 40, min_clusters: int = 2, max_size: int = 12
) -> SearchStrategy[tuple[Outcomes, Outcomes]]:
    """Return a strategy for cases in clusters, as sums of their differences B − A.

    Parameters
    ----------
    max_clusters, min_clusters : int
        Range of the number of clusters.
    max_size : int
        Largest number of cases in a cluster, at least 1.

    Returns
    -------
    SearchStrategy of tuple of array
        (sums, sizes): int64 arrays, shape (n_clusters,); |sum| is at most the size.
    """

    def split(pairs: list[tuple[int, int]]) -> tuple[Outcomes, Outcomes]:
        table = np.array(pairs, np.int64).reshape(-1, 2)
        return table[:, 1].copy(), table[:, 0].copy()

    cluster = st.integers(1, max_size).flatmap(lambda n: st.tuples(st.just(n), st.integers(-n, n)))
    return st.lists(cluster, min_size=min_clusters, max_size=max_clusters).map(split)  # type: ignore[no-any-return]


def proportion_counts(max_cases: int = 500, min_cases: int = 1) -> SearchStrategy[tuple[int, int]]:
    """Return a strategy for the right answers of one system.

    Parameters
    ----------
    max_cases, min_cases : int
        Range of the number of cases.

    Returns
    -------
    SearchStrategy of tuple of int
        (x, n): cases right, and cases.
    """
    sizes = st.integers(min_cases, max_cases)
    return sizes.flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))  # type: ignore[no-any-return]


def accuracies(low: float = 0.01, high: float = 0.99) -> SearchStrategy[float]:
    """Return a strategy for accuracies.

    Parameters
    ----------
    low, high : float
        Range, within [0, 1].

    Returns
    -------
    SearchStrategy of float
    """
    return st.floats(low, high)  # type: ignore[no-any-return]


def levels(low: float = 0.5, high: float = 0.999) -> SearchStrategy[float]:
    """Return a strategy for confidence levels.

    Parameters
    ----------
    low, high : float
        Range, within (0, 1).

    Returns
    -------
    SearchStrategy of float
    """
    return st.floats(low, high)  # type: ignore[no-any-return]


def cells(smallest: float = 0.0) -> SearchStrategy[tuple[float, float, float, float]]:
    """Return a strategy for the joint probabilities of two systems on one case.

    Parameters
    ----------
    smallest : float
        Smallest probability of a cell, in [0, 1/4).

    Returns
    -------
    SearchStrategy of tuple of float
        (p10, p01, p11, p00), each at least ``smallest``; they sum to one but for rounding.

    Raises
    ------
    ParameterError
        If four cells cannot be that large.
    """
    if not 0.0 <= smallest < 0.25:
        raise ParameterError(f"smallest is {smallest:g}; it must be a number in [0, 0.25).")

    def between(cuts: list[float]) -> tuple[float, float, float, float]:
        a, b, c = sorted(cuts)
        spare = 1.0 - 4.0 * smallest
        p10, p01, p11, p00 = (smallest + spare * gap for gap in (a, b - a, c - b, 1.0 - c))
        return p10, p01, p11, p00

    cut = st.floats(0.0, 1.0)
    return st.lists(cut, min_size=3, max_size=3).map(between)  # type: ignore[no-any-return]
