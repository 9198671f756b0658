"""Two systems answer the same cases, which differ in difficulty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios.declaration import (
    MOST_UNITS,
    Block,
    Call,
    Group,
    Kernel,
    Method,
    Parameter,
    Question,
    Scenario,
    Values,
)
from simstudy.scenarios.random_effects import (
    SD_MAX,
    conditional_logit,
    difficulty_from_discordance,
    joint_cells,
    marginal_accuracy,
)
from simstudy.scenarios.two_systems import ACCURACY_A, DIFFERENCE, DIFFICULTY_SD, MARGIN, check_accuracy_b

DISCORDANT = ("n10", "n01")
WITH_N = ("n10", "n01", "n_cases")
STATS = "simstudy.stats.paired"
INTERVALS = "simstudy.stats.paired_intervals"
ESTIMATE = Call(f"{STATS}:difference", WITH_N)
# what tells more than the discordant cases do: their sums are the accuracies
OF_THE_ACCURACY = {"n11", "n00", "x_a", "x_b"}
# rounding of cells that sum to one; a probability below zero by less is zero
SLACK = 1e-12


def _mcnemar(name: str, label: str, source: str, function: str = "") -> Method:
    return Method(
        name=name,
        label=label,
        source=source,
        p_value=Call(f"{STATS}:{function or name}", DISCORDANT),
        estimate=ESTIMATE,
        discordant=DISCORDANT,
    )


def _margin(name: str, label: str, claim: Any, source: str, note: str = "") -> Method:
    return Method(
        name=name,
        label=label,
        source=source,
        p_value=Call(f"simstudy.stats.paired_margins:{name}", (*WITH_N, "margin"), sided=False),
        estimate=ESTIMATE,
        claim=claim,
        needs=("margin",),
        nanoseconds=400.0,
        note=note,
    )


METHODS = (
    _mcnemar("mcnemar_exact", "exact McNemar", "McNemar 1947, exact binomial; Fagerland et al. 2013"),
    _mcnemar("mcnemar_midp", "mid-p McNemar", "Fagerland, Lydersen & Laake 2013, doi:10.1186/1471-2288-13-91"),
    _mcnemar("mcnemar_chi2", "asymptotic McNemar", "McNemar 1947, doi:10.1007/BF02295996"),
    _mcnemar("mcnemar_cc", "McNemar with continuity correction", "Edwards 1948, doi:10.1007/BF02289261"),
    Method(
        name="paired_z",
        label="paired z",
        source="normal test of the mean case difference; Miller 2024, arXiv:2411.00640",
        p_value=Call(f"{STATS}:paired_z", WITH_N),
        interval=Call(f"{INTERVALS}:paired_wald", WITH_N),
        estimate=ESTIMATE,
        note="undefined where every case difference is the same; limits cut to [−1, 1]",
    ),
    Method(
        name="newcombe",
        label="Newcombe score interval",
        source="Newcombe 1998, method 10, doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C",
        interval=Call(f"{INTERVALS}:newcombe", ("n10", "n01", "n11", "n_cases")),
        estimate=ESTIMATE,
        nanoseconds=300.0,
    ),
    Method(
        name="tango",
        label="Tango score interval",
        source="Tango 1998, doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B",
        p_value=Call(f"{STATS}:mcnemar_chi2", DISCORDANT),
        interval=Call(f"{INTERVALS}:tango", WITH_N),
        estimate=ESTIMATE,
        discordant=DISCORDANT,
        nanoseconds=2000.0,
        note="rejects exactly when mcnemar_chi2 does; adds the interval",
    ),
    Method(
        name="bonett_price",
        label="Bonett–Price adjusted Wald interval",
        source="Bonett & Price 2012, doi:10.3102/1076998611411915",
        interval=Call(f"{INTERVALS}:bonett_price", WITH_N),
        estimate=ESTIMATE,
    ),
    Method(
        name="bootstrap_percentile",
        label="ideal percentile bootstrap",
        source="Efron 1979, doi:10.1214/aos/1176344552; all resamples, no resampling",
        interval=Call("simstudy.stats.bootstrap:bootstrap_percentile", WITH_N),
        estimate=ESTIMATE,
        nanoseconds=10000.0,
        nanoseconds_per_root=90.0,
        note="[0, 0] with no discordant case: then it never rejects",
    ),
    _mcnemar("sign_flip_exact", "exact sign flips", "Fisher 1935; the same on 0/1 outcomes", "mcnemar_exact"),
    Method(
        name="unpaired_z",
        label="unpaired z (a mistake here)",
        source="pooled two-proportion z test, which ignores the pairing",
        p_value=Call(f"{STATS}:unpaired_z", ("x_a", "x_b", "n_cases")),
        estimate=Call("simstudy.scenarios.two_systems:marginal_difference", ("x_a", "x_b", "n_cases")),
        misuse=True,
        note="ignores that both systems answer the same cases",
    ),
    _margin(
        "noninferiority_tango",
        "non-inferiority, Tango",
        "non_inferiority",
        "Tango 1998, section 3",
        "one-sided at alpha: alpha 0.025 is the lower limit of a two-sided 95% interval",
    ),
    _margin(
        "noninferiority_wald",
        "non-inferiority, Wald",
        "non_inferiority",
        "normal interval of the paired difference",
        "shown for its size: it exceeds the level with few discordant cases",
    ),
    _margin(
        "equivalence_tango",
        "equivalence, Tango",
        "equivalence",
        "two one-sided Tango tests",
        "each test at alpha: the 1 − 2·alpha interval lies within the margins",
    ),
    _margin(
        "equivalence_wald",
        "equivalence, Wald",
        "equivalence",
        "two one-sided normal tests",
        "shown for its size: it exceeds the level with few discordant cases",
    ),
)


class Paired(Scenario):
    """d_i ~ N(0, difficulty_sd²); P(A right) = σ(logit_a − d_i), P(B right) = σ(logit_b − d_i)."""

    name = "paired"
    title = "two systems answer the same cases"
    unit = "case"
    aims = "How often each method finds that one system is better, and how good its estimate and interval are"
    mechanism = (
        "case difficulty d ~ N(0, difficulty_sd²) in logits; each system is right with probability "
        "σ(logit − d), independently given d"
    )
    estimand_words = "difference of the marginal accuracies, B − A"
    parameters = (
        Parameter(
            "n_cases", "cases that both systems answer", "cases", "integer", 1, MOST_UNITS, required=True, role="size"
        ),
        ACCURACY_A,
        DIFFERENCE,
        Parameter("logit_a", "logit of A on a case of middling difficulty", "logits", low=-40, high=40, required=True),
        Parameter("logit_b", "logit of B on a case of middling difficulty", "logits", low=-40, high=40, required=True),
        DIFFICULTY_SD,
        Parameter(
            "discordance",
            "share of cases that exactly one system answers right",
            "proportion",
            low=0,
            high=1,
            open_low=True,
            required=True,
        ),
        Parameter(
            "correlation",
            "correlation (phi) of the outcomes of A and B on a case",
            "1",
            low=-1,
            high=1,
            required=True,
        ),
        MARGIN,
    )
    groups = (
        Group((("accuracy_a", "difference"), ("logit_a", "logit_b"))),
        Group((("difficulty_sd",), ("discordance",), ("correlation",))),
    )
    blocks = (Block("n_cases", ("n10", "n01", "n11", "n00")),)
    projections: ClassVar = {"x_a": {"n10": 1, "n11": 1}, "x_b": {"n01": 1, "n11": 1}}
    kernel = Kernel(
        "simstudy.scenarios.paired.kernel:simulate",
        ("n10", "n01", "n11"),
        "simstudy.scenarios.paired.kernel:cases",
        ("difficulty", "right_a", "right_b"),
        unit_arguments=1,
    )
    methods = METHODS
    example: ClassVar = {
        "n_cases": 8,
        "accuracy_a": 0.6,
        "difference": 0.1,
        "difficulty_sd": 1.0,
        "margin": 0.1,
    }
    default_methods = ("mcnemar_exact", "mcnemar_midp", "tango")
    units: ClassVar = {
        "accuracy_a": ("accuracy of A", "proportion"),
        "accuracy_b": ("accuracy of B", "proportion"),
        "difference": ("difference of accuracies, B − A", "proportion"),
        "logit_a": ("conditional logit of A", "logits"),
        "logit_b": ("conditional logit of B", "logits"),
        "difficulty_sd": ("shared difficulty that gives this discordance (NaN: none does)", "logits"),
        "discordance": ("share of cases that exactly one system answers right", "proportion"),
        "phi": ("correlation of the two outcomes on a case", "1"),
        "concordant": ("share of cases on which both systems agree", "proportion"),
        "judge_calls": ("gradings, one per system and case", "calls"),
        "labels": ("cases that need a reference", "labels"),
    }

    def refuse(self, said: Sequence[str], question: Question, engine: str) -> None:
        """Refuse combinations of said parameters that mean nothing for a question."""
        logits = [name for name in ("logit_a", "logit_b") if name in said]
        dependence = [name for name in ("discordance", "correlation") if name in said]
        if logits and dependence:
            raise RefusedError(
                f"{logits[0]} and {dependence[0]} cannot be given together: conditional logits need difficulty_sd; "
                f"with {dependence[0]} say accuracy_a and difference."
            )
        if logits and question == "mde":
            raise RefusedError(
                f"mde solves for difference, and {logits[0]} says it already: give accuracy_a instead of logits."
            )

    def spared(self, said: Sequence[str], methods: Sequence[Method]) -> tuple[str, ...]:
        """Return accuracy_a where the discordance is said and the methods read discordant cases alone."""
        read = {column for method in methods for column in method.columns}
        return ("accuracy_a",) if "discordance" in said and not read & OF_THE_ACCURACY else ()

    def check(self, values: Values) -> None:
        """Refuse a point that cannot exist, with the admissible range."""
        if "difference" not in values:
            return
        difference = values["difference"]
        if "accuracy_a" not in values:
            limits = abs(difference), 1.0
            _check_between("discordance", values["discordance"], limits, f"difference {difference:.10g}")
            return
        check_accuracy_b(values)
        a = values["accuracy_a"]
        beside = f"accuracy_a {a:.10g} and difference {difference:.10g}"
        if "discordance" in values:
            limits = abs(difference), min(2 * a + difference, 2 - 2 * a - difference)
            _check_between("discordance", values["discordance"], limits, beside)
        if "correlation" in values:
            _check_between("correlation", values["correlation"], phi_range(a, a + difference), beside)

    def effect_range(self, values: Values) -> tuple[float, float]:
        """Return the differences that keep the accuracy of B and the four cells possible."""
        if "accuracy_a" not in values:
            return -values["discordance"], values["discordance"]
        a = values["accuracy_a"]
        low, high = -a, 1.0 - a
        if "discordance" in values:
            discordance = values["discordance"]
            return max(low, -discordance, discordance - 2 * a), min(high, discordance, 2 - 2 * a - discordance)
        if values.get("correlation"):
            # phi² bounds the ratio of the odds of A and B, or their product where phi is negative
            square, odds = values["correlation"] ** 2, a / (1.0 - a)
            middle = odds if values["correlation"] > 0 else 1.0 / odds
            return square * middle / (1.0 + square * middle) - a, middle / (square + middle) - a
        return low, high

    def estimand(self, values: Values) -> float:
        """Return the difference of the marginal accuracies."""
        if "difference" in values:
            return float(values["difference"])
        sd = values["difficulty_sd"]
        return marginal_accuracy(values["logit_b"], sd) - marginal_accuracy(values["logit_a"], sd)

    def law(self, values: Values) -> tuple[tuple[float, ...], ...]:
        """Return the probabilities of (n10, n01, n11, n00)."""
        if "discordance" in values:
            discordance, difference = values["discordance"], values["difference"]
            p01, p10 = (discordance + difference) / 2, (discordance - difference) / 2
            # without accuracy_a nobody reads which of the others both have right
            p11 = values["accuracy_a"] - p10 if "accuracy_a" in values else (1.0 - discordance) / 2
        elif "correlation" in values:
            a, b = values["accuracy_a"], values["accuracy_a"] + values["difference"]
            p11 = a * b + values["correlation"] * _spread(a, b)
            p10, p01 = a - p11, b - p11
        else:
            sd = values["difficulty_sd"]
            return (joint_cells(*self._logits(values, sd), sd),)
        cells = (p10, p01, p11, 1.0 - p10 - p01 - p11)
        return (tuple(max(0.0, p) if p > -SLACK else p for p in cells),)

    @staticmethod
    def _logits(values: Values, sd: float) -> tuple[float, float]:
        if "logit_a" in values:
            return values["logit_a"], values["logit_b"]
        a = values["accuracy_a"]
        return conditional_logit(a, sd), conditional_logit(a + values["difference"], sd)

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return (n_cases, logit_a, logit_b, difficulty_sd)."""
        sd = self._difficulty(values)
        if math.isnan(sd):
            a, b = values["accuracy_a"], values["accuracy_a"] + values["difference"]
            name = "discordance" if "discordance" in values else "correlation"
            free = a * (1 - b) + b * (1 - a) if name == "discordance" else 0.0
            raise RefusedError(
                f"No difficulty_sd in [0, {SD_MAX:g}] gives {name} {values[name]:g} at accuracies "
                f"{a:g} and {b:g} (independent errors give {free:.4g}), so single cases cannot be simulated: use "
                "engine exact or counts, or give difficulty_sd."
            )
        return (int(values["n_cases"]), *self._logits(values, sd), sd)

    def _difficulty(self, values: Values) -> float:
        if "difficulty_sd" in values:
            return float(values["difficulty_sd"])
        if "accuracy_a" not in values:
            return math.nan
        a, discordance = values["accuracy_a"], values.get("discordance")
        if discordance is None:
            p10, p01, *_ = self.law(values)[0]
            discordance = p10 + p01
        return difficulty_from_discordance(a, a + values["difference"], discordance)

    def truth(self, values: Values) -> dict[str, float]:
        """Return accuracies, logits, difficulty, discordance, phi, and the cost; NaN for what accuracy_a would tell."""
        p10, p01, p11, p00 = self.law(values)[0]
        known = "accuracy_a" in values or "logit_a" in values
        a, b = (p10 + p11, p01 + p11) if known else (math.nan, math.nan)
        sd = self._difficulty(values)
        logits = (math.nan, math.nan) if math.isnan(sd) else self._logits(values, sd)
        spread = _spread(a, b)
        return {
            "accuracy_a": a,
            "accuracy_b": b,
            "difference": b - a if known else values["difference"],
            "logit_a": logits[0],
            "logit_b": logits[1],
            "difficulty_sd": sd,
            "discordance": p10 + p01,
            "phi": (p11 * p00 - p10 * p01) / spread if spread > 0 else math.nan,
            "concordant": p11 + p00,
            "judge_calls": 2.0 * values["n_cases"],
            "labels": float(values["n_cases"]),
        }


def phi_range(a: float, b: float) -> tuple[float, float]:
    """Return the smallest and the largest correlation of two 0/1 outcomes with these means."""
    low, high = -min(a * b, (1.0 - a) * (1.0 - b)), min(a, b) * (1.0 - max(a, b))
    return low / _spread(a, b), high / _spread(a, b)


def _spread(a: float, b: float) -> float:
    """Return the product of the standard deviations of two 0/1 outcomes."""
    return math.sqrt(a * (1 - a) * b * (1 - b))


def _check_between(name: str, value: float, limits: tuple[float, float], beside: str) -> None:
    low, high = limits
    if not low - SLACK <= value <= high + SLACK:
        raise ParameterError(
            f"{name} {value:.10g} cannot occur with {beside}: it must lie in [{low:.10g}, {high:.10g}]."
        )
