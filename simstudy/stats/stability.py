"""Does a judge agree with itself: verdicts that each prompt got in repeated runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, any_numbers, bounded, finish, whole_number

# a law of more verdicts, or of more for all kinds of prompts, would fill the memory and say nothing else
MOST_REPETITIONS, MOST_PROBABILITIES = 10**6, 10**7


def _sums(verdicts: ArrayLike) -> tuple[FloatArray, int]:
    """Return the correct verdicts of each prompt, and the repetitions."""
    table = any_numbers("verdicts", verdicts)
    if table.ndim < 2 or table.shape[-1] < 2 or table.shape[-2] < 1:
        raise ParameterError(
            f"verdicts has the shape {table.shape}; it must be a table of prompts by repetitions, with two repetitions "
            "or more: one verdict cannot disagree with itself."
        )
    if not np.isin(table, (0.0, 1.0)).all():
        raise ParameterError(
            "verdicts must hold 0 and 1 alone: leave out prompts with an unreadable verdict, and say how many."
        )
    return table.sum(axis=-1), table.shape[-1]


def unstable_share(verdicts: ArrayLike) -> FloatArray:
    """Return the share of prompts that got both verdicts.

    Parameters
    ----------
    verdicts : array_like of {0, 1}, shape (..., n_prompts, repetitions)
        Verdicts of repeated runs, at least two.

    Returns
    -------
    ndarray or float64, shape (...)
        In [0, 1]; it can only grow with the repetitions.

    Raises
    ------
    ParameterError
        Where the table is none, or holds other values.
    """
    correct, repetitions = _sums(verdicts)
    return finish(((correct > 0) & (correct < repetitions)).mean(axis=-1))


def minority_share(verdicts: ArrayLike) -> FloatArray:
    """Return the share of verdicts that differ from their prompt's majority.

    Parameters
    ----------
    verdicts : array_like of {0, 1}, shape (..., n_prompts, repetitions)
        Verdicts of repeated runs, at least two.

    Returns
    -------
    ndarray or float64, shape (...)
        In [0, 1/2]; of an even split, half are the minority.

    Raises
    ------
    ParameterError
        Where the table is none, or holds other values.
    """
    correct, repetitions = _sums(verdicts)
    return finish(np.minimum(correct, repetitions - correct).mean(axis=-1) / repetitions)


def pair_disagreement(verdicts: ArrayLike) -> FloatArray:
    """Return how often two runs of a prompt disagree, without bias.

    Parameters
    ----------
    verdicts : array_like of {0, 1}, shape (..., n_prompts, repetitions)
        Verdicts of repeated runs, at least two.

    Returns
    -------
    ndarray or float64, shape (...)
        Mean over prompts of 2x(K − x)/(K(K − 1)) with x of K verdicts "correct", in [0, 1]: the share of the pairs of
        different runs that disagree. Its mean is E[2q(1 − q)] whatever K is, so different K can be compared.

    Raises
    ------
    ParameterError
        Where the table is none, or holds other values.
    """
    correct, k = _sums(verdicts)
    return finish((2.0 * correct * (k - correct)).mean(axis=-1) / (k * (k - 1.0)))


def majority_verdict(verdicts: ArrayLike) -> FloatArray:
    """Return the majority verdict of each prompt.

    Parameters
    ----------
    verdicts : array_like of {0, 1}, shape (..., n_prompts, repetitions)
        Verdicts of repeated runs, at least two.

    Returns
    -------
    ndarray, shape (..., n_prompts)
        1, 0, or 1/2 after an even split.

    Raises
    ------
    ParameterError
        Where the table is none, or holds other values.
    """
    correct, repetitions = _sums(verdicts)
    return finish(0.5 + 0.5 * np.sign(2.0 * correct - repetitions))


def minority_law(repetitions: int, q: ArrayLike, weights: ArrayLike | None = None) -> FloatArray:
    """Return the law of the number of minority verdicts of a prompt.

    Parameters
    ----------
    repetitions : int
        Verdicts K of each prompt, at least 1.
    q : array_like of float, shape (n,)
        Probability of the verdict "correct", in [0, 1]: one for each kind of prompt.
    weights : array_like of float, shape (n,), optional
        Share of each kind; equal where not given.

    Returns
    -------
    ndarray, shape (K div 2 + 1,)
        Probability of 0, 1, ... minority verdicts; an even split counts K/2. The first is that of a stable prompt.

    Raises
    ------
    ParameterError
        Where the repetitions, probabilities or weights are impossible.
    """
    (chances,) = bounded(0.0, 1.0, q=q)
    chances = np.atleast_1d(chances)
    if not chances.size:
        raise ParameterError("q holds no probability; give one or more.")
    shares = np.full(chances.shape, 1.0 / chances.size) if weights is None else any_numbers("weights", weights)
    if shares.shape != chances.shape or (shares < 0).any() or not np.isclose(shares.sum(), 1.0):
        raise ParameterError("weights must be one share for each q, none negative, with the sum 1.")
    k = whole_number("repetitions", repetitions, 1, min(MOST_REPETITIONS, MOST_PROBABILITIES // chances.size))
    correct = np.arange(k + 1.0)[:, None]
    ways = special.gammaln(k + 1.0) - special.gammaln(correct + 1.0) - special.gammaln(k - correct + 1.0)
    # log(1 − q) is taken from q itself: 0·log 0 counts as 0
    law = np.exp(ways + special.xlogy(correct, chances) + special.xlog1py(k - correct, -chances)) @ shares
    folded = law[: k // 2 + 1] + law[::-1][: k // 2 + 1]
    if k % 2 == 0:
        folded[-1] /= 2.0
    return finish(folded)


def majority_error(repetitions: ArrayLike, q: ArrayLike) -> FloatArray:
    """Return how often the majority of repeated verdicts is not the prompt's likelier verdict.

    Parameters
    ----------
    repetitions : array_like of int
        Verdicts K of each prompt, at least 1.
    q : array_like of float
        Probability of the verdict "correct", in [0, 1].

    Returns
    -------
    ndarray or float64
        In [0, 1/2], an even split counted half; 1/2 at q = 1/2, where no verdict is the likelier one. An even K errs as
        often as the odd K − 1: a further repetition after an odd number changes no majority on balance.

    Raises
    ------
    ParameterError
        Where the repetitions or probabilities are impossible.

    References
    ----------
    The binomial tail as an incomplete beta function: Abramowitz & Stegun (1964), 26.5.24.
    """
    (chances,) = bounded(0.0, 1.0, q=q)
    runs = any_numbers("repetitions", repetitions, truth_values=False)
    bad = ~(np.isfinite(runs) & (runs >= 1) & (np.floor(runs) == runs))
    if bad.any():
        raise ParameterError(f"repetitions must hold whole numbers from 1; it holds {runs[bad].flat[0]:g}.")
    half = np.floor((runs + 1.0) / 2.0)
    return finish(special.betainc(half, half, np.minimum(chances, 1.0 - chances)))
