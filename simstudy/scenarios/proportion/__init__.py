"""How well one accuracy is known."""

from __future__ import annotations

from typing import Any, ClassVar

from simstudy.scenarios.declaration import MOST_UNITS, Block, Call, Kernel, Method, Parameter, Scenario, Values

READS = ("x", "n_cases")


def _interval(name: str, label: str, source: str, note: str = "", nanoseconds: float = 200.0) -> Method:
    return Method(
        name=name,
        label=label,
        source=source,
        interval=Call(f"simstudy.stats.proportions:{name}", READS),
        estimate=Call("simstudy.scenarios.proportion:share", READS),
        note=note,
        nanoseconds=nanoseconds,
    )


METHODS = (
    _interval("wald", "Wald", "Laplace 1812", "clipped to [0, 1]; no width at 0 or n right"),
    _interval("wilson", "Wilson score", "Wilson 1927, doi:10.1080/01621459.1927.10502953"),
    _interval(
        "clopper_pearson", "Clopper–Pearson", "Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404", nanoseconds=3000.0
    ),
    _interval("agresti_coull", "Agresti–Coull", "Agresti & Coull 1998, doi:10.1080/00031305.1998.10480550"),
    _interval("jeffreys", "Jeffreys", "Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286", nanoseconds=3000.0),
)


def share(x: Any, n: Any) -> Any:
    """Return the observed accuracy x/n."""
    return x / n


class Proportion(Scenario):
    """x ~ Binomial(n_cases, accuracy)."""

    name = "proportion"
    title = "how well one accuracy is known"
    unit = "case"
    aims = "How often the interval of one accuracy holds the true value, and how wide it is"
    mechanism = "n_cases independent cases, each answered right with probability accuracy"
    estimand_words = "accuracy"
    parameters = (
        Parameter(
            "n_cases", "cases that the system answers", "cases", "integer", 1, MOST_UNITS, required=True, role="size"
        ),
        Parameter("accuracy", "accuracy of the system", "proportion", low=0, high=1, required=True),
    )
    blocks = (Block("n_cases", ("x", "wrong")),)
    kernel = Kernel(
        "simstudy.scenarios.proportion.kernel:simulate",
        ("x",),
        "simstudy.scenarios.proportion.kernel:cases",
        ("right",),
        unit_arguments=1,
    )
    methods = METHODS
    example: ClassVar = {
        "n_cases": 8,
        "accuracy": 0.6,
    }
    default_methods = ("wald", "wilson", "clopper_pearson", "agresti_coull", "jeffreys")
    target_variable = "coverage"
    units: ClassVar = {
        "step": ("smallest change of the observed accuracy, 1/n", "proportion"),
        "judge_calls": ("gradings, one per case", "calls"),
        "labels": ("cases that need a reference", "labels"),
    }

    def estimand(self, values: Values) -> float:
        """Return the accuracy."""
        return float(values["accuracy"])

    def law(self, values: Values) -> tuple[tuple[float, ...], ...]:
        """Return the probabilities of right and wrong."""
        p = float(values["accuracy"])
        return ((p, 1.0 - p),)

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return (n_cases, accuracy)."""
        return int(values["n_cases"]), float(values["accuracy"])

    def truth(self, values: Values) -> dict[str, float]:
        """Return the step 1/n and the cost."""
        n = float(values["n_cases"])
        return {"step": 1.0 / n, "judge_calls": n, "labels": n}
