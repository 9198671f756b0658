"""Each of two systems answers its own cases."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, ClassVar, Literal

from simstudy.errors import ParameterError
from simstudy.scenarios.declaration import (
    MOST_UNITS,
    Block,
    Call,
    Kernel,
    Method,
    Number,
    Parameter,
    Scenario,
    Values,
)
from simstudy.scenarios.two_systems import ACCURACY_A, DIFFERENCE, MARGIN, check_accuracy_b

LARGEST_RATIO = 1000
STATS = "simstudy.stats.two_proportions"
MARGINS = "simstudy.stats.two_proportion_margins"
COUNTS = ("x_a", "n_per_system", "x_b", "n_b")
ESTIMATE = Call("simstudy.scenarios.two_systems:difference_of_rates", COUNTS)


def _margin(
    name: str,
    label: str,
    claim: Literal["non_inferiority", "equivalence"],
    function: str,
    source: str,
    note: str,
    nanoseconds: float,
) -> Method:
    return Method(
        name=name,
        label=label,
        source=source,
        p_value=Call(f"{MARGINS}:{function}", (*COUNTS, "margin"), sided=False),
        estimate=ESTIMATE,
        claim=claim,
        needs=("margin",),
        nanoseconds=nanoseconds,
        note=note,
    )


METHODS = (
    Method(
        name="z_pooled",
        label="z, pooled variance",
        source="score test of two proportions; Pearson 1900",
        p_value=Call(f"{STATS}:z_pooled", COUNTS),
        estimate=ESTIMATE,
        note="undefined where both systems have all or none right; z_unpooled has the interval",
    ),
    Method(
        name="z_unpooled",
        label="z, separate variances",
        source="Wald test of two proportions",
        p_value=Call(f"{STATS}:z_unpooled", COUNTS),
        interval=Call(f"{STATS}:wald_independent", COUNTS),
        estimate=ESTIMATE,
        note="undefined where both variances are zero",
    ),
    Method(
        name="fisher_exact",
        label="Fisher's exact test",
        source="Fisher 1935; two-sided: tables no more probable than the observed one",
        p_value=Call(f"{STATS}:fisher_exact", COUNTS),
        estimate=ESTIMATE,
        nanoseconds=2000.0,
        nanoseconds_per_root=300.0,
    ),
    Method(
        name="newcombe_independent",
        label="Newcombe score interval",
        source="Newcombe 1998, method 10, doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I",
        interval=Call(f"{STATS}:newcombe_independent", COUNTS),
        estimate=ESTIMATE,
    ),
    _margin(
        "noninferiority_farrington_manning",
        "non-inferiority, Farrington–Manning",
        "non_inferiority",
        "noninferiority_farrington_manning",
        "Farrington & Manning 1990, doi:10.1002/sim.4780091208",
        "one-sided at alpha: alpha 0.025 is the lower limit of a two-sided 95% interval",
        500.0,
    ),
    _margin(
        "noninferiority_wald",
        "non-inferiority, Wald",
        "non_inferiority",
        "noninferiority_wald_independent",
        "normal interval of the difference, separate variances",
        "shown for its size; undefined where both variances are zero",
        200.0,
    ),
    _margin(
        "equivalence_farrington_manning",
        "equivalence, Farrington–Manning",
        "equivalence",
        "equivalence_farrington_manning",
        "two one-sided tests of Farrington & Manning",
        "each test at alpha: the 1 − 2·alpha interval lies within the margins",
        1000.0,
    ),
    _margin(
        "equivalence_wald",
        "equivalence, Wald",
        "equivalence",
        "equivalence_wald_independent",
        "two one-sided normal tests",
        "shown for its size; undefined where both variances are zero",
        200.0,
    ),
)


class Independent(Scenario):
    """P(A right) = accuracy_a on A's cases, P(B right) = accuracy_a + difference on B's."""

    name = "independent"
    title = "each system answers its own cases"
    unit = "case"
    aims = "How often each method finds that one system is better when no case is shared"
    mechanism = (
        "n_per_system independent cases for A and ratio times as many for B; each is answered right with the system's "
        "accuracy"
    )
    estimand_words = "difference of the accuracies, B − A"
    parameters = (
        Parameter(
            "n_per_system",
            "cases that A answers; B answers ratio times as many",
            "cases",
            "integer",
            1,
            MOST_UNITS,
            required=True,
            role="size",
        ),
        ACCURACY_A,
        DIFFERENCE,
        Parameter(
            "ratio",
            "cases of B for each case of A",
            "1",
            low=0,
            high=LARGEST_RATIO,
            open_low=True,
            default=1.0,
            since="0.3.0",
        ),
        MARGIN,
    )
    blocks = (Block("n_per_system", ("x_a", "wrong_a")), Block("n_b", ("x_b", "wrong_b")))
    kernel = Kernel(
        "simstudy.scenarios.independent.kernel:simulate",
        ("x_a", "x_b"),
        "simstudy.scenarios.independent.kernel:cases",
        ("right_a", "right_b"),
        unit_arguments=2,
    )
    methods = METHODS
    example: ClassVar = {
        "n_per_system": 8,
        "accuracy_a": 0.6,
        "difference": 0.1,
        "ratio": 1.5,
        "margin": 0.1,
    }
    default_methods = ("z_pooled", "fisher_exact", "newcombe_independent")
    units: ClassVar = {
        "accuracy_b": ("accuracy of B", "proportion"),
        "judge_calls": ("gradings, one for each case", "calls"),
        "labels": ("cases that need a reference", "labels"),
    }

    def check(self, values: Values) -> None:
        """Refuse a point that cannot exist, with the admissible range."""
        check_accuracy_b(values)
        n_b = _cases_of_b(values)
        if not 1 <= n_b <= MOST_UNITS:
            n_a, ratio = values["n_per_system"], values["ratio"]
            raise ParameterError(
                f"ratio {ratio:g} with n_per_system {n_a} gives B {n_b} cases; it must give it from 1 to {MOST_UNITS}."
            )

    def smallest_size(self, values: Values) -> int:
        """Return the smallest number of cases of A at which B has one."""
        return max(1, math.ceil(Fraction(1, 2) / _ratio(values)))

    def derived(self, values: Values) -> dict[str, Number]:
        """Return the cases of B."""
        return {"n_b": _cases_of_b(values)}

    def replay_units(self, values: Values) -> int:
        """Return the cases of the system that has more."""
        return max(int(values["n_per_system"]), _cases_of_b(values))

    def effect_range(self, values: Values) -> tuple[float, float]:
        """Return the differences that keep the accuracy of B in (0, 1)."""
        return -values["accuracy_a"], 1.0 - values["accuracy_a"]

    def estimand(self, values: Values) -> float:
        """Return the difference of the accuracies."""
        return float(values["difference"])

    def law(self, values: Values) -> tuple[tuple[float, ...], ...]:
        """Return the probabilities of right and wrong for each system."""
        a = values["accuracy_a"]
        b = a + values["difference"]
        return (a, 1.0 - a), (b, 1.0 - b)

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return (n_per_system, n_b, accuracy_a, accuracy_b)."""
        a = float(values["accuracy_a"])
        return int(values["n_per_system"]), _cases_of_b(values), a, a + values["difference"]

    def truth(self, values: Values) -> dict[str, float]:
        """Return the accuracy of B and the cost."""
        cases = float(values["n_per_system"] + _cases_of_b(values))
        return {"accuracy_b": values["accuracy_a"] + values["difference"], "judge_calls": cases, "labels": cases}


def _ratio(values: Values) -> Fraction:
    """Return the ratio as it is written, so that 0.29 · 50 is rounded from 14.5 and not from a little less."""
    return Fraction(str(values.get("ratio", 1)))


def _cases_of_b(values: Values) -> int:
    return math.floor(_ratio(values) * int(values["n_per_system"]) + Fraction(1, 2))
