"""Sample sizes in closed form, by normal approximation.

Sizes are rounded up to whole numbers and returned as float64, ``inf`` where no size is enough. A quotient
that is a whole number but for rounding is not pushed to the next one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simstudy.stats._arrays import (
    FloatArray,
    any_numbers,
    bounded,
    check_alternative,
    check_flag,
    critical_z,
    finish,
    together,
)
from simstudy.stats._farrington_manning import restricted_rates

# A size above a whole number by less than this share is that number.
ROUNDING = 1e-11
# cases of one system for each of the other, at the least
LEAST_RATIO = 1e-9


def _up(size: ArrayLike) -> FloatArray:
    """Round sizes up, leaving whole numbers that carry a rounding error where they are."""
    return finish(np.ceil(np.asarray(size, dtype=np.float64) * (1.0 - ROUNDING)))


def _quantiles(alpha: ArrayLike, power: ArrayLike, alternative: str) -> tuple[FloatArray, FloatArray]:
    """Return the normal quantiles of the level and of the power."""
    check_alternative(alternative)
    level, wanted = bounded(0.0, 1.0, open_ends=True, alpha=alpha, power=power)
    return -special.ndtri(level / 2.0 if alternative == "two-sided" else level), special.ndtri(wanted)


def n_two_proportions(
    p_a: ArrayLike,
    p_b: ArrayLike,
    alpha: ArrayLike = 0.05,
    power: ArrayLike = 0.8,
    corrected: bool = False,
    alternative: str = "two-sided",
    ratio: ArrayLike = 1.0,
) -> FloatArray:
    """Return the cases of A for two systems that each answer their own cases.

    Parameters
    ----------
    p_a, p_b : array_like of float in [0, 1]
        Accuracies.
    alpha, power : array_like of float in (0, 1)
        Level and power of the z test with pooled variance.
    corrected : bool
        Whether to correct for continuity: n/4·(1 + √(1 + 2·(1 + 1/ratio)/(n·abs(p_b − p_a))))².
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.
    ratio : array_like of float in [1e-9, 1e9]
        Cases of B per case of A.

    Returns
    -------
    ndarray or float64
        Cases of A; B needs ratio times as many. ``inf`` where the accuracies are equal or differ against the
        alternative.

    Raises
    ------
    ParameterError, UnknownNameError
        Where a probability lies outside its range; where the alternative does not exist.

    Notes
    -----
    The size for two separate samples says nothing about a paired design, which may need far fewer cases.

    References
    ----------
    Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, chapter 4; the correction is
    that of Casagrande, Pike & Smith (1978), doi:10.2307/2530613, with unequal samples that of Fleiss, Tytun & Ury
    (1980), doi:10.2307/2529990.
    """
    a, b = bounded(0.0, 1.0, p_a=p_a, p_b=p_b)
    z_alpha, z_power = _quantiles(alpha, power, alternative)
    (r,) = bounded(LEAST_RATIO, 1.0 / LEAST_RATIO, ratio=ratio)
    a, b, z_alpha, z_power, r = together([a, b, z_alpha, z_power, r], ["p_a", "p_b", "alpha", "power", "ratio"])
    effect = {"two-sided": np.abs(b - a), "greater": b - a, "less": a - b}[alternative]
    effect = np.where(effect > 0, effect, np.nan)
    mean = (a + r * b) / (1.0 + r)
    n = _normal_size(effect, z_alpha * np.sqrt(mean * (1.0 - mean) * (1.0 + 1.0 / r)), z_power * _spread(a, b, r))
    check_flag("corrected", corrected)
    if corrected:
        n = 0.25 * (np.sqrt(n) + np.sqrt(n + 2.0 * (1.0 + 1.0 / r) / effect)) ** 2
    return _up(np.where(np.isnan(effect), np.inf, n))


def n_noninferiority(
    p_a: ArrayLike,
    p_b: ArrayLike,
    margin: ArrayLike,
    alpha: ArrayLike = 0.05,
    power: ArrayLike = 0.8,
    ratio: ArrayLike = 1.0,
) -> FloatArray:
    """Return the cases of A that show B not to be worse by more than a margin, each system on its own cases.

    Parameters
    ----------
    p_a, p_b : array_like of float in [0, 1]
        Accuracies.
    margin : array_like of float in (0, 1)
        The loss that would still be accepted.
    alpha, power : array_like of float in (0, 1)
        One-sided level (0.025 for the lower limit of a two-sided 95% interval) and power of Farrington & Manning's
        test.
    ratio : array_like of float in [1e-9, 1e9]
        Cases of B per case of A.

    Returns
    -------
    ndarray or float64
        (z_{1−alpha}·σ₀ + z_power·σ₁)²/(p_b − p_a + margin)², rounded up, with the variances σ² = p_a(1 − p_a) +
        p_b(1 − p_b)/ratio of the true accuracies (σ₁) and of those nearest to them by likelihood at the margin (σ₀);
        B needs ratio times as many. ``inf`` where B is worse by the margin or more.

    Raises
    ------
    ParameterError
        Where an argument lies outside its range.

    References
    ----------
    Farrington & Manning (1990), doi:10.1002/sim.4780091208, method 3.
    """
    a, b = bounded(0.0, 1.0, p_a=p_a, p_b=p_b)
    z_alpha, z_power = _quantiles(alpha, power, "greater")
    (accepted,) = bounded(0.0, 1.0, open_ends=True, margin=margin)
    (r,) = bounded(LEAST_RATIO, 1.0 / LEAST_RATIO, ratio=ratio)
    names = ["p_a", "p_b", "margin", "alpha", "power", "ratio"]
    a, b, accepted, z_alpha, z_power, r = together([a, b, accepted, z_alpha, z_power, r], names)
    null_a, _, null_b, _ = restricted_rates(a, np.ones_like(a), b * r, r, accepted)
    effect = np.where(b - a + accepted > ROUNDING, b - a + accepted, np.nan)
    n = _normal_size(effect, z_alpha * _spread(null_a, null_b, r), z_power * _spread(a, b, r))
    return _up(np.where(np.isnan(effect), np.inf, n))


def _spread(a: FloatArray, b: FloatArray, ratio: FloatArray) -> FloatArray:
    """Return the standard deviation of the difference for each case of A."""
    return np.sqrt(a * (1.0 - a) + b * (1.0 - b) / ratio)


def _normal_size(effect: FloatArray, of_level: FloatArray, of_power: FloatArray) -> FloatArray:
    """Return the size, not rounded; a sum below 0 means a power that no data at all would give, and needs no cases."""
    return (np.maximum(of_level + of_power, 0.0) / effect) ** 2


def n_one_proportion(
    p: ArrayLike, half_width: ArrayLike, z: ArrayLike | None = None, level: float = 0.95
) -> FloatArray:
    """Return the cases that give the Wald interval of one accuracy a wanted half-width.

    Parameters
    ----------
    p : array_like of float in [0, 1]
        Expected accuracy.
    half_width : array_like of float in (0, 1)
        Wanted half-width.
    z : array_like of float, optional
        Multiplier of the standard error; from the level where it is not given.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    ndarray or float64
        z²·p(1 − p)/half_width², rounded up.

    Raises
    ------
    ParameterError
        Where an argument lies outside its range.

    References
    ----------
    Cochran (1977), Sampling Techniques, section 4.4.
    """
    (share,) = bounded(0.0, 1.0, p=p)
    (half,) = bounded(0.0, 1.0, open_ends=True, half_width=half_width)
    of_level = critical_z(level)
    multiplier = of_level if z is None else bounded(0.0, np.inf, z=z)[0]
    with np.errstate(divide="ignore", over="ignore"):
        return _up(multiplier * multiplier * share * (1.0 - share) / (half * half))


def n_paired_mean(
    omega2: ArrayLike,
    sigma_a2: ArrayLike,
    sigma_b2: ArrayLike,
    runs: ArrayLike,
    effect: ArrayLike,
    alpha: ArrayLike = 0.05,
    power: ArrayLike = 0.8,
) -> FloatArray:
    """Return the cases for a paired comparison of mean scores with repeated runs.

    Parameters
    ----------
    omega2 : array_like of float, at least 0
        Variance over cases of the difference of the two systems' expected scores.
    sigma_a2, sigma_b2 : array_like of float, at least 0
        Mean variance between runs on one case, for A and for B.
    runs : array_like of float, at least 1
        Runs per case and system, K; ``inf`` for expected scores known exactly.
    effect : array_like of float, at least 0
        Difference of means to be detected.
    alpha, power : array_like of float in (0, 1)
        Two-sided level, and power.

    Returns
    -------
    ndarray or float64
        (z_{1−alpha/2} + z_power)²·(ω² + σ_A²/K + σ_B²/K)/effect², rounded up; ``inf`` at effect 0.

    Raises
    ------
    ParameterError
        Where an argument lies outside its range.

    References
    ----------
    Miller (2024), arXiv:2411.00640 (its sample-size formula).
    """
    omega, var_a, var_b = bounded(0.0, np.inf, omega2=omega2, sigma_a2=sigma_a2, sigma_b2=sigma_b2)
    (repeats,) = bounded(1.0, np.inf, runs=runs)
    (size,) = bounded(0.0, np.inf, effect=np.abs(any_numbers("effect", effect)))
    z_alpha, z_power = _quantiles(alpha, power, "two-sided")
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        n = np.maximum(z_alpha + z_power, 0.0) ** 2 * (omega + (var_a + var_b) / repeats) / (size * size)
    return _up(n)
