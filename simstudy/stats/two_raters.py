"""Two raters without a truth: what their two-by-two table says of their agreement."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from simstudy.stats._arrays import FloatArray, Interval, counts, finish, ratio
from simstudy.stats.agreement import kappa
from simstudy.stats.kappa_few_labels import kappa_few


@dataclass(frozen=True, eq=False)
class RaterAgreement:
    """Two raters of the same units, of whom neither is the truth; every field has the shape of the counts.

    Attributes
    ----------
    n : ndarray or float64
        Units that both rated.
    agreement, chance_agreement : ndarray or float64
        Share of equal ratings, p_o, and the share that raters with these shares of yes reach by chance, p_e.
    yes_first, yes_second : ndarray or float64
        Share that each of them says yes to.
    agreement_on_yes, agreement_on_no : ndarray or float64
        Of the yeses of both, and of their noes, the share that the other one shares.
    kappa : ndarray or float64
        Cohen's kappa.
    kappa_interval : tuple of (ndarray or float64)
        Its limits by `kappa_few`.
    pabak : ndarray or float64
        2·agreement − 1, the prevalence-adjusted and bias-adjusted kappa.
    """

    n: FloatArray
    agreement: FloatArray
    chance_agreement: FloatArray
    yes_first: FloatArray
    yes_second: FloatArray
    agreement_on_yes: FloatArray
    agreement_on_no: FloatArray
    kappa: FloatArray
    kappa_interval: Interval
    pabak: FloatArray


def rater_agreement(
    both: ArrayLike, first: ArrayLike, second: ArrayLike, neither: ArrayLike, level: float = 0.95
) -> RaterAgreement:
    """Return everything that is reported of two raters from their two-by-two table.

    Parameters
    ----------
    both, first, second, neither : array_like of int
        Units that both say yes to, the first alone, the second alone, and neither.
    level : float in (0, 1)
        Confidence level of the interval.

    Returns
    -------
    RaterAgreement
        NaN where nothing was counted. There is no sensitivity, specificity or rate of errors: those need a truth. Where
        one of the raters is the truth, use `judge_agreement` of the same table.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    References
    ----------
    Cohen (1960), doi:10.1177/001316446002000104; agreement on yes and on no: Cicchetti & Feinstein (1990),
    doi:10.1016/0895-4356(90)90159-M.

    Examples
    --------
    >>> from simstudy.stats import rater_agreement
    >>> print(f"{rater_agreement(60, 15, 5, 20).kappa:.4f}")
    0.5294
    """
    a, b, c, d = counts(both=both, first=first, second=second, neither=neither)
    n = a + b + c + d
    agreement = ratio(a + d, n)
    return RaterAgreement(
        n=finish(n),
        agreement=finish(agreement),
        chance_agreement=finish(ratio((a + b) * (a + c) + (c + d) * (b + d), n * n)),
        yes_first=finish(ratio(a + b, n)),
        yes_second=finish(ratio(a + c, n)),
        agreement_on_yes=finish(ratio(2.0 * a, 2.0 * a + b + c)),
        agreement_on_no=finish(ratio(2.0 * d, 2.0 * d + b + c)),
        kappa=kappa(a, b, c, d),
        kappa_interval=kappa_few(a, b, c, d, level),
        pabak=finish(2.0 * agreement - 1.0),
    )
