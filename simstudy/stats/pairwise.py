"""What a judge that reads every pair in both orders says: contradictions, shares of positions, win rates.

Pass AB shows X first, pass BA shows Y first. A verdict is a letter: A, the answer shown first, B, the one shown second,
or tie. Since the answers change places, a judge that stands by its choice changes its letter: the same letter in both
passes is a contradiction.

Verdict pairs are counted in an array with a last axis of nine, in the order of `VERDICT_PAIRS`; all functions broadcast
over the axes before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, counts, finish, ratio, shown

LETTERS = ("A", "B", "tie")
WINNERS = ("X", "Y", "tie")
VERDICT_PAIRS = tuple((first, second) for first in LETTERS for second in LETTERS)
"""Letters of (pass AB, pass BA)."""


def verdict_counts(pass_ab: Sequence[str], pass_ba: Sequence[str]) -> NDArray[np.int64]:
    """Count the verdict pairs of a judge.

    Parameters
    ----------
    pass_ab, pass_ba : sequence of str
        Letters "A" (first shown), "B" (second shown) or "tie" of each pair in the two passes.

    Returns
    -------
    ndarray of int64, shape (9,)
        Pairs with each of `VERDICT_PAIRS`.

    Raises
    ------
    ParameterError
        Where the passes differ in length or hold anything else.
    """
    first, second = _numbers(pass_ab, LETTERS, "pass_ab"), _numbers(pass_ba, LETTERS, "pass_ba")
    return _tabulate(first, second)


def verdict_counts_of_winners(winners_ab: Sequence[str], winners_ba: Sequence[str]) -> NDArray[np.int64]:
    """Count the verdict pairs of a judge whose verdicts name the answers, not the positions.

    Parameters
    ----------
    winners_ab, winners_ba : sequence of str
        "X", "Y" or "tie" for each pair in the pass that shows X first and in the one that shows Y first.

    Returns
    -------
    ndarray of int64, shape (9,)
        Pairs with each of `VERDICT_PAIRS`: Y, chosen in pass BA, is the letter A there.

    Raises
    ------
    ParameterError
        Where the passes differ in length or hold anything else.
    """
    swapped = ("Y", "X", "tie")
    return _tabulate(_numbers(winners_ab, WINNERS, "winners_ab"), _numbers(winners_ba, swapped, "winners_ba"))


def _numbers(verdicts: Sequence[str], words: Sequence[str], name: str) -> NDArray[np.int64]:
    place = {word: i for i, word in enumerate(words)}
    try:
        given = list(verdicts)
    except TypeError:
        raise ParameterError(f"{name} is {shown(verdicts)}; it must be a list of {', '.join(sorted(words))}.") from None
    for verdict in given:
        if not isinstance(verdict, str) or verdict not in place:
            raise ParameterError(f"{name} holds {shown(verdict)}; it must hold {', '.join(sorted(words))} alone.")
    return np.array([place[verdict] for verdict in given], np.int64)


def _tabulate(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    if len(first) != len(second):
        raise ParameterError(
            f"The passes hold {len(first)} and {len(second)} verdicts; give both verdicts of every pair."
        )
    return np.bincount(len(LETTERS) * first + second, minlength=len(VERDICT_PAIRS)).astype(np.int64)


def verdict_table(verdicts: ArrayLike) -> FloatArray:
    """Return counts of verdict pairs (..., 9) as a table (..., 3, 3): letter in pass AB by letter in pass BA."""
    (table,) = counts(verdicts=verdicts)
    if table.ndim == 0 or table.shape[-1] != len(VERDICT_PAIRS):
        raise ParameterError(f"verdicts has shape {table.shape}; its last axis must hold the nine verdict pairs.")
    answer: FloatArray = table.reshape(*table.shape[:-1], len(LETTERS), len(LETTERS))
    return answer


def flip_rate(verdicts: ArrayLike) -> FloatArray:
    """Return the share of pairs with the same letter in both passes: the judge contradicts itself.

    Parameters
    ----------
    verdicts : array_like of int, shape (..., 9)
        Pairs with each of `VERDICT_PAIRS`.

    Returns
    -------
    ndarray or float64
        (AA + BB)/n in [0, 1]; NaN without a pair.

    Raises
    ------
    ParameterError
        Where the counts are impossible.
    """
    table = verdict_table(verdicts)
    return finish(ratio(table[..., 0, 0] + table[..., 1, 1], table.sum(axis=(-2, -1))))


def verdict_disagreement(verdicts: ArrayLike) -> FloatArray:
    """Return the share of pairs whose two passes do not say the same: contradictions, and a tie in one pass only.

    Parameters
    ----------
    verdicts : array_like of int, shape (..., 9)
        Pairs with each of `VERDICT_PAIRS`.

    Returns
    -------
    ndarray or float64
        In [0, 1], at least the flip rate; NaN without a pair.

    Raises
    ------
    ParameterError
        Where the counts are impossible.
    """
    table = verdict_table(verdicts)
    n = table.sum(axis=(-2, -1))
    return finish(ratio(n - table[..., 0, 1] - table[..., 1, 0] - table[..., 2, 2], n))


def first_position_share(verdicts: ArrayLike) -> FloatArray:
    """Return the share of A among the verdicts of both passes that are no tie.

    Parameters
    ----------
    verdicts : array_like of int, shape (..., 9)
        Pairs with each of `VERDICT_PAIRS`.

    Returns
    -------
    ndarray or float64
        In [0, 1]; NaN where every verdict is a tie.

    Raises
    ------
    ParameterError
        Where the counts are impossible.
    """
    letters = _letters(verdict_table(verdicts))
    return finish(ratio(letters[..., 0], letters[..., 0] + letters[..., 1]))


def _letters(table: FloatArray) -> FloatArray:
    """Return how often both passes together say each letter."""
    answer: FloatArray = table.sum(axis=-1) + table.sum(axis=-2)
    return answer


def win_rates(verdicts: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the win rate of X where X is shown first, where Y is, and over both orders.

    Parameters
    ----------
    verdicts : array_like of int, shape (..., 9)
        Pairs with each of `VERDICT_PAIRS`.

    Returns
    -------
    pass_ab, pass_ba, both : ndarray or float64
        In [0, 1], ties half; `both` is the mean of the two, and `pass_ab` − `both` what a single order adds to X.
        NaN without a pair.

    Raises
    ------
    ParameterError
        Where the counts are impossible.
    """
    table = verdict_table(verdicts)
    n = table.sum(axis=(-2, -1))
    first, second = table.sum(axis=-1), table.sum(axis=-2)
    wins_ab = first[..., 0] + 0.5 * first[..., 2]
    wins_ba = second[..., 1] + 0.5 * second[..., 2]
    return finish(ratio(wins_ab, n)), finish(ratio(wins_ba, n)), finish(ratio(wins_ab + wins_ba, 2.0 * n))


def contradictions(verdicts: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the contradictions toward the first and toward the second position.

    Parameters
    ----------
    verdicts : array_like of int, shape (..., 9)
        Pairs with each of `VERDICT_PAIRS`.

    Returns
    -------
    n1, n2 : ndarray or float64
        (A, A) + (A, tie), and (B, B) + (tie, B).

    Raises
    ------
    ParameterError
        Where the counts are impossible.

    Notes
    -----
    Where a pass picks the first shown with σ(u + β − τ) and the second shown with σ(−u − β − τ), these two have odds
    e^{2β} in every pair, whatever u and τ; (A, A) and (B, B) alone do not where ties occur.
    """
    table = verdict_table(verdicts)
    return finish(table[..., 0, 0] + table[..., 0, 2]), finish(table[..., 1, 1] + table[..., 2, 1])
