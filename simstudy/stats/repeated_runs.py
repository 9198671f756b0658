"""One system asked again and again: what k runs give, and what of the error is the cases and what the runs."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, check_level, check_part, counts, critical_z, finish, ratio, whole_number

MOST_RUNS = 10**6


class RerunSpread(NamedTuple):
    """What of the error of an accuracy is the cases and what the runs.

    Parameters
    ----------
    accuracy : float
        Mean over the cases of their shares of right runs.
    rerun_sd : float
        Standard deviation of the accuracy of one run of all cases, the same cases asked again; NaN where no case has
        two runs.
    between_sd : float
        Standard error that the choice of the cases alone gives; 0 where the estimated variance is negative.
    se_total : float
        Standard error of the accuracy with the runs that there are; NaN with a single case.
    icc : float
        Variance between the cases over that of a single outcome, in [0, 1]; NaN where all outcomes are alike.
    rerun_band : float
        How far apart two scores of one and the same system lie, at the level asked for: z·√2·rerun_sd.
    """

    accuracy: float
    rerun_sd: float
    between_sd: float
    se_total: float
    icc: float
    rerun_band: float


def _right_of_runs(right: ArrayLike, runs: ArrayLike) -> tuple[FloatArray, FloatArray]:
    hits, asked = counts(right=right, runs=runs)
    check_part(hits, asked, "right", "runs")
    return hits, asked


def pass_all(right: ArrayLike, runs: ArrayLike, k: int) -> FloatArray:
    """Return for each case the chance that k of its runs, drawn without replacement, are all right ("pass^k").

    Parameters
    ----------
    right, runs : array_like of int
        Right runs and runs of each case.
    k : int
        Runs that all have to be right, at least 1.

    Returns
    -------
    ndarray or float64
        C(right, k)/C(runs, k), which is unbiased for qᵏ; NaN where a case has fewer than k runs.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole, right exceeds runs, or k is no whole number from 1.

    Notes
    -----
    (right/runs)ᵏ is biased upwards.

    References
    ----------
    Yao et al. (2024), arXiv:2406.12045.
    """
    hits, asked = _right_of_runs(right, runs)
    times = whole_number("k", k, 1, MOST_RUNS)
    share = np.ones(hits.shape)
    for drawn in range(times):
        share = share * ratio(np.maximum(hits - drawn, 0.0), asked - drawn)
    return finish(np.where(asked >= times, share, np.nan))


def pass_any(right: ArrayLike, runs: ArrayLike, k: int) -> FloatArray:
    """Return for each case the chance that of k of its runs, drawn without replacement, one is right ("pass@k").

    Parameters
    ----------
    right, runs : array_like of int
        Right runs and runs of each case.
    k : int
        Runs of which one has to be right, at least 1.

    Returns
    -------
    ndarray or float64
        1 − C(runs − right, k)/C(runs, k), which is unbiased for 1 − (1 − q)ᵏ; NaN where a case has fewer than k runs.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole, right exceeds runs, or k is no whole number from 1.

    References
    ----------
    Chen et al. (2021), arXiv:2107.03374, equation 1.
    """
    hits, asked = _right_of_runs(right, runs)
    return finish(1.0 - pass_all(asked - hits, asked, k))


def rerun_spread(right: ArrayLike, runs: ArrayLike, level: float = 0.95) -> RerunSpread:
    """Tell the error of the cases from that of the runs.

    Parameters
    ----------
    right, runs : array_like of int, shape (n,)
        Right runs and runs of each case; cases without a run are refused.
    level : float
        Level of the band, in (0, 1).

    Returns
    -------
    RerunSpread
        Of the mean over the cases, each counting alike.

    Raises
    ------
    ParameterError
        Where there is no case, a case has no run, a count is negative or not whole, or the level is none.

    Notes
    -----
    Within a case q(1 − q) is estimated by right·(runs − right)/(runs·(runs − 1)), over the cases with two runs or more;
    between cases the variance of the shares, less what the runs add to it.

    References
    ----------
    Miller (2024), arXiv:2411.00640, section 3.
    """
    hits, asked = _right_of_runs(right, runs)
    z = critical_z(check_level(level))
    if hits.ndim != 1 or not hits.size or (asked < 1).any():
        raise ParameterError("right and runs must be one row of cases, each with at least one run.")
    n, shares = hits.size, hits / asked
    accuracy = float(shares.mean())
    several = asked >= 2
    within = math.nan
    if several.any():
        within = float(np.mean(hits[several] * (asked - hits)[several] / (asked * (asked - 1))[several]))
    variance = float(shares.var(ddof=1)) if n > 1 else math.nan
    between = float(np.maximum(0.0, variance - within * float(np.mean(1 / asked))))  # NaN stays NaN
    spread = between + within
    rerun_sd = math.sqrt(within / n)
    return RerunSpread(
        accuracy=accuracy,
        rerun_sd=rerun_sd,
        between_sd=math.sqrt(between / n),
        se_total=math.sqrt(variance / n),
        icc=between / spread if spread > 0 else math.nan,
        rerun_band=z * math.sqrt(2.0) * rerun_sd,
    )
