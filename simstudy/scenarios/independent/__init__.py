"""Each of two systems answers its own cases."""

from __future__ import annotations

from typing import Any, ClassVar

from simstudy.scenarios.declaration import MOST_UNITS, Block, Call, Kernel, Method, Parameter, Scenario, Values
from simstudy.scenarios.two_systems import ACCURACY_A, DIFFERENCE, check_accuracy_b

STATS = "simstudy.stats.two_proportions"
COUNTS = ("x_a", "n_per_system", "x_b", "n_per_system")
ESTIMATE = Call("simstudy.scenarios.two_systems:marginal_difference", ("x_a", "x_b", "n_per_system"))

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
    ),
    Method(
        name="newcombe_independent",
        label="Newcombe score interval",
        source="Newcombe 1998, method 10, doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I",
        interval=Call(f"{STATS}:newcombe_independent", COUNTS),
        estimate=ESTIMATE,
    ),
)


class Independent(Scenario):
    """P(A right) = accuracy_a on A's cases, P(B right) = accuracy_a + difference on B's."""

    name = "independent"
    title = "each system answers its own cases"
    unit = "case"
    aims = "How often each method finds that one system is better when no case is shared"
    mechanism = "n_per_system independent cases for each system; each is answered right with the system's accuracy"
    estimand_words = "difference of the accuracies, B − A"
    parameters = (
        Parameter(
            "n_per_system",
            "cases that each system answers",
            "cases",
            "integer",
            1,
            MOST_UNITS,
            required=True,
            role="size",
        ),
        ACCURACY_A,
        DIFFERENCE,
    )
    blocks = (Block("n_per_system", ("x_a", "wrong_a")), Block("n_per_system", ("x_b", "wrong_b")))
    kernel = Kernel(
        "simstudy.scenarios.independent.kernel:simulate",
        ("x_a", "x_b"),
        "simstudy.scenarios.independent.kernel:cases",
        ("right_a", "right_b"),
    )
    methods = METHODS
    example: ClassVar = {
        "n_per_system": 8,
        "accuracy_a": 0.6,
        "difference": 0.1,
    }
    default_methods = ("z_pooled", "fisher_exact", "newcombe_independent")
    units: ClassVar = {
        "accuracy_b": ("accuracy of B", "proportion"),
        "judge_calls": ("gradings, one per system and case", "calls"),
        "labels": ("cases that need a reference", "labels"),
    }

    def check(self, values: Values) -> None:
        """Refuse a point that cannot exist, with the admissible range."""
        check_accuracy_b(values)

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
        """Return (n_per_system, accuracy_a, accuracy_b)."""
        a = float(values["accuracy_a"])
        return int(values["n_per_system"]), a, a + values["difference"]

    def truth(self, values: Values) -> dict[str, float]:
        """Return the accuracy of B and the cost."""
        cases = 2.0 * values["n_per_system"]
        return {"accuracy_b": values["accuracy_a"] + values["difference"], "judge_calls": cases, "labels": cases}
