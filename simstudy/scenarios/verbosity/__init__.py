"""A judge that scores from 1 to 5 and may reward length."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar

from simstudy.errors import ParameterError
from simstudy.scenarios.declaration import Call, Kernel, Method, Parameter, Scenario, Values, profile_text

HERE = "simstudy.scenarios.verbosity"
TESTS = "simstudy.stats.slope_tests"
BASE_WORDS = (11, 13, 9, 14, 7, 7, 10, 12, 13, 10, 11, 12, 3, 4)
FILLER_WORDS = (11, 8, 12, 13, 10)
BASE_LENGTH = 10.0
MOST_CASES, MOST_WORDS, SD_MAX = 10**6, 100_000, 20
LIMITS = (1.5, 2.5, 3.5, 4.5)
# resampled cases that cost about as much as a score
PICKS_PER_UNIT = 8


def as_it_is(value: Any) -> Any:
    """Return an estimate that the kernel has made."""
    return value


def limits(low: Any, high: Any, level: float = 0.95) -> Any:  # noqa: ARG001
    """Return limits that the kernel has made, at the one level of the study."""
    return low, high


def _slope(name: str, label: str, source: str, column: str, error: str, kind: str, target: str, note: str) -> Method:
    reads = (column, error, "n_cases")[: 3 if kind == "t" else 2]
    return Method(
        name=name,
        label=label,
        source=source,
        p_value=Call(f"{TESTS}:slope_{kind}", reads),
        interval=Call(f"{TESTS}:slope_{kind}_interval", reads),
        estimate=Call(f"{HERE}:as_it_is", (column,)),
        own_target=target,
        note=note,
    )


def _bootstrap(name: str, label: str, source: str, prefix: str, misuse: bool, note: str) -> Method:
    return Method(
        name=name,
        label=label,
        source=source,
        p_value=Call(f"{TESTS}:percentile_p", (f"{prefix}_below", f"{prefix}_above", "resamples")),
        interval=Call(f"{HERE}:limits", (f"{prefix}_low", f"{prefix}_high")),
        estimate=Call(f"{HERE}:as_it_is", ("mean_slope",)),
        own_target="slope_mean",
        one_level=True,
        misuse=misuse,
        note=note,
    )


METHODS = (
    _slope(
        "slope_t",
        "mean slope of cases, t",
        "Student 1908, doi:10.2307/2331554, on least-squares slopes of single cases",
        "mean_slope",
        "mean_slope_se",
        "t",
        "slope_mean",
        "its estimate aims at the attenuated slope: where scores pile up at 5 its interval misses gamma",
    ),
    _slope(
        "cluster_sandwich",
        "pooled slope, cluster-robust t",
        "Liang & Zeger 1986, doi:10.1093/biomet/73.1.13, factor n/(n − 1), t with n − 1 degrees of freedom",
        "pooled_slope",
        "pooled_slope_se",
        "t",
        "slope_pooled",
        "attenuated like slope_t; cases with short answers weigh more",
    ),
    _bootstrap(
        "cluster_bootstrap",
        "mean slope, cases resampled",
        "Efron & Tibshirani 1993, chapter 13: percentile interval, cases drawn with multiplicity",
        "cluster",
        False,
        "covers too little with few cases",
    ),
    _bootstrap(
        "set_bootstrap",
        "mean slope, cases resampled as a set (a mistake)",
        "a published variant: a case drawn twice counts once",
        "set",
        True,
        "its interval is about three quarters as wide as it should be",
    ),
    _slope(
        "interval_regression",
        "interval regression",
        "Stewart 1983, doi:10.2307/2297773: maximum likelihood with known limits of rounding, observed information",
        "gamma_hat",
        "gamma_se",
        "z",
        "",
        "undefined where the likelihood has no maximum, for example with two neighbouring scores only",
    ),
    _slope(
        "interval_regression_robust",
        "interval regression, case-robust t",
        "White 1982, doi:10.2307/1912526: scores clustered by case, factor n/(n − 1), t with n − 1 degrees of freedom",
        "gamma_hat",
        "gamma_robust_se",
        "t",
        "",
        "for scores of a case that have something in common (case_sd); covers too little with few cases",
    ),
)
COLUMNS = (
    *("mean_slope", "mean_slope_se", "pooled_slope", "pooled_slope_se"),
    *(f"{kind}_{what}" for kind in ("cluster", "set") for what in ("low", "high", "below", "above")),
    *("gamma_hat", "gamma_se", "gamma_robust_se"),
)


def _words(name: str, words: str, default: tuple[int, ...]) -> Parameter:
    return Parameter(name, words, "words", "profile", 1, MOST_WORDS, default=default)


def _sd(name: str, words: str, default: float) -> Parameter:
    return Parameter(name, words, "points", low=0, high=SD_MAX, default=default)


class Verbosity(Scenario):
    """Score = round(2 + 2·right + gamma·log2(L/10) + case_sd·u + noise_sd·ε), clipped to 1 … 5."""

    name = "verbosity"
    title = "a judge that scores from 1 to 5 and may reward length"
    unit = "case"
    aims = "Whether a probe with padded answers sees that a judge rewards length, and how well it says how much"
    mechanism = (
        "version q of a case has its base words and the first q fillers; its score is 2 + 2·right + "
        "gamma·log2(words/10) + case_sd·u + noise_sd·ε with standard normal u and ε, rounded (halves to even) and "
        "clipped to 1 … 5"
    )
    estimand_words = "gamma, the points that doubling the length adds before rounding and clipping"
    directions = ("longer scores lower", "longer scores higher")
    estimate_unit = "points per doubling"
    parameters = (
        Parameter(
            "n_cases", "cases, each scored in k versions", "cases", "integer", 1, MOST_CASES, required=True, role="size"
        ),
        Parameter(
            "gamma",
            "points that the judge adds per doubling of the length",
            "points per doubling",
            low=-10,
            high=10,
            required=True,
            role="effect",
            null=0.0,
        ),
        _sd("noise_sd", "standard deviation of the noise of a score, before rounding", 0.5),
        _sd("case_sd", "standard deviation of what all versions of a case share", 0.0),
        Parameter(
            "right", "1 where the answers are right, 0 where they are wrong", "1 or 0", "integer", 0, 1, default=1
        ),
        Parameter("k", "versions of each case", "versions", "integer", 2, 1000, default=6),
        _words("base_words", "words of the first version, taken in turn by the cases", BASE_WORDS),
        _words("filler_words", "words that each further version adds", FILLER_WORDS),
        Parameter(
            "resamples",
            "resamples of the two bootstraps",
            "resamples",
            "integer",
            1,
            100_000,
            default=1000,
            of_methods=True,
        ),
    )
    kernel = Kernel(
        "simstudy.scenarios.verbosity.kernel:simulate",
        COLUMNS,
        "simstudy.scenarios.verbosity.kernel:cases",
        ("case", "version", "words", "score"),
        case_arguments=8,
        real=COLUMNS,
        selective=True,
    )
    methods = METHODS
    reports = ("slope_mean", "slope_pooled", "attenuation", "share_at_5", "share_at_1", "judge_calls")
    example: ClassVar = {
        "n_cases": 8,
        "gamma": 0.5,
        "noise_sd": 0.5,
        "case_sd": 0.2,
        "right": 1,
        "k": 4,
        "base_words": (11, 13, 9),
        "filler_words": (11, 8, 12),
        "resamples": 100,
    }
    default_methods = (
        "slope_t",
        "cluster_sandwich",
        "cluster_bootstrap",
        "interval_regression",
        "interval_regression_robust",
    )
    units: ClassVar = {
        "slope_mean": (
            "expected mean of the slopes of cases: gamma as rounding and clipping leave it",
            "points per doubling",
        ),
        "slope_pooled": ("expected slope within cases, pooled", "points per doubling"),
        "attenuation": ("slope_mean over gamma (NaN at gamma 0)", "ratio"),
        "share_at_5": ("expected share of scores at 5", "proportion"),
        "share_at_1": ("expected share of scores at 1", "proportion"),
        "judge_calls": ("scores, one per version of a case", "calls"),
    }

    def check(self, values: Values) -> None:
        """Refuse more versions than there are fillers for."""
        fillers = len(values["filler_words"])
        if values["k"] > fillers + 1:
            raise ParameterError(
                f"k is {values['k']}; with filler_words {profile_text(values['filler_words'])} it must lie in "
                f"[2, {fillers + 1}]: the first version has none, each further one another filler."
            )

    def estimand(self, values: Values) -> float:
        """Return gamma."""
        return float(values["gamma"])

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return sizes, lengths, effects, and the resamples and level of the bootstraps."""
        import numpy as np  # late: the declaration costs no start-up

        lengths = [np.array(values[name], np.int64) for name in ("base_words", "filler_words")]
        effects = [float(values[name]) for name in ("gamma", "noise_sd", "case_sd")]
        sizes = int(values["n_cases"]), int(values["k"])
        return (*sizes, *lengths, *effects, int(values["right"]), int(values["resamples"]), alphas[0])

    def truth(self, values: Values) -> dict[str, float]:
        """Return what slopes aim at, the shares of the end scores, and the cost."""
        k, n = int(values["k"]), float(values["n_cases"])
        slopes = products = squares = at_5 = at_1 = 0.0
        for often, x in self._lengths(values):
            shares = [_shares_above(values, position) for position in x]
            centre = math.fsum(x) / k
            product = math.fsum((p - centre) * math.fsum(above) for p, above in zip(x, shares, strict=True))
            square = math.fsum((p - centre) ** 2 for p in x)
            slopes += often * product / square
            products += often * product
            squares += often * square
            at_5 += often * math.fsum(above[-1] for above in shares)
            at_1 += often * math.fsum(1.0 - above[0] for above in shares)
        gamma = float(values["gamma"])
        return {
            "slope_mean": slopes / n,
            "slope_pooled": products / squares,
            "attenuation": slopes / n / gamma if gamma else math.nan,
            "share_at_5": at_5 / (n * k),
            "share_at_1": at_1 / (n * k),
            "judge_calls": n * k,
        }

    @staticmethod
    def _lengths(values: Values) -> Iterator[tuple[int, list[float]]]:
        """Yield, for each base length, how many cases have it and log2(words/10) of their versions."""
        base, n = values["base_words"], int(values["n_cases"])
        for position, words in enumerate(base[:n]):
            often = n // len(base) + (position < n % len(base))
            totals = [words + sum(values["filler_words"][:q]) for q in range(int(values["k"]))]
            yield often, [math.log2(total / BASE_LENGTH) for total in totals]

    def work(self, values: Values) -> float:
        """Return scores and resampled cases."""
        return float(self.replay_units(values) + values["n_cases"] * values["resamples"] / PICKS_PER_UNIT)

    def replay_units(self, values: Values) -> int:
        """Return cases × versions."""
        return int(values["n_cases"] * values["k"])


def _shares_above(values: Values, x: float) -> list[float]:
    """Return the probabilities of a score above 1, 2, 3 and 4."""
    mean = 2.0 + 2.0 * values["right"] + values["gamma"] * x
    sd = math.hypot(values["noise_sd"], values["case_sd"])
    if sd > 0:
        return [0.5 * math.erfc((limit - mean) / (sd * math.sqrt(2.0))) for limit in LIMITS]
    score = min(max(round(mean), 1), 5)
    return [float(score > below) for below in (1, 2, 3, 4)]
