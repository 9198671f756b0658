"""Cases that share a source, and repeated runs of each case."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from simstudy.errors import RefusedError
from simstudy.scenarios.declaration import MOST_UNITS, Call, Kernel, Method, Number, Parameter, Scenario, Values
from simstudy.scenarios.random_effects import SD_MAX, conditional_logit
from simstudy.scenarios.two_systems import ACCURACY_A, DIFFERENCE, check_accuracy_b

HERE = "simstudy.scenarios.clustered"
ALTERNATIVES = ("two-sided", "greater", "less")
ESTIMATE = Call(f"{HERE}:mean_difference", ("total", "n_units", "runs"))


def mean_difference(total: Any, n: Any, runs: Any) -> Any:
    """Return total/(n·runs), the mean difference B − A over cases and runs."""
    return total / (n * runs)


def flip_p_value(level: Any, alphas: Any) -> Any:
    """Return a p-value that is at most a study level exactly when that of the sign flips is; `level` is an index."""
    import numpy as np  # late: the declaration costs no start-up

    return np.array([*alphas, 1.0])[level]


def _parameter(name: str, words: str, default: float) -> Parameter:
    return Parameter(name, words, "logits", low=0, high=SD_MAX, default=default)


CLUSTER = ("total", "cluster_squares", "n_clusters")
CASES = ("total", "squares", "n_units")
METHODS = (
    Method(
        name="paired_z",
        label="paired z (ignores clusters)",
        source="normal test of the mean case difference",
        p_value=Call("simstudy.stats.paired:mean_z", CASES),
        estimate=ESTIMATE,
        misuse=True,
        note="treats the cases as independent",
    ),
    Method(
        name="paired_t",
        label="paired t (ignores clusters)",
        source="Student 1908, doi:10.1093/biomet/6.1.1",
        p_value=Call("simstudy.stats.paired:mean_t", CASES),
        estimate=ESTIMATE,
        misuse=True,
        note="treats the cases as independent",
    ),
    Method(
        name="cluster_z",
        label="cluster-robust z",
        source="Liang & Zeger 1986, doi:10.1093/biomet/73.1.13; Miller 2024, arXiv:2411.00640",
        p_value=Call("simstudy.stats.clusters:cluster_z", CLUSTER),
        estimate=ESTIMATE,
        note="exceeds its level with few clusters",
    ),
    Method(
        name="cluster_t",
        label="cluster-robust t",
        source="the same standard error, t with C − 1 degrees of freedom",
        p_value=Call("simstudy.stats.clusters:cluster_t", CLUSTER),
        estimate=ESTIMATE,
    ),
    Method(
        name="cluster_sign_flip",
        label="exact sign flips of clusters",
        source="Fisher 1935: all sign flips of the cluster sums",
        p_value=Call(f"{HERE}:flip_p_value", ("flip_level", "alphas"), sided=False),
        estimate=ESTIMATE,
    ),
    Method(
        name="mcnemar_exact",
        label="exact McNemar (ignores clusters)",
        source="McNemar 1947, exact binomial",
        p_value=Call("simstudy.stats.paired:mcnemar_exact", ("n10", "n01")),
        estimate=ESTIMATE,
        misuse=True,
        note="runs = 1 only; treats the cases as independent",
    ),
)


class Clustered(Scenario):
    """logit of system s on case i of cluster c: logit_s − g_c − h_sc − d_i − e_si, shared by the runs of a case."""

    name = "clustered"
    title = "cases that share a source, and repeated runs"
    unit = "cluster"
    aims = "Which methods hold their level when cases share a source, and what clusters cost in power"
    mechanism = (
        "logit of system s on case i of cluster c is logit_s − g_c − h_sc − d_i − e_si with normal effects; runs are "
        "independent given all effects"
    )
    estimand_words = "difference of the marginal accuracies, B − A"
    parameters = (
        Parameter("n_clusters", "clusters of cases", "clusters", "integer", 1, MOST_UNITS, required=True, role="size"),
        Parameter("cluster_size", "cases in each cluster", "cases", "integer", 1, 60000, required=True),
        Parameter("runs", "runs of each case by each system", "runs", "integer", 1, 8000, default=1),
        ACCURACY_A,
        DIFFERENCE,
        _parameter("difficulty_sd", "standard deviation of the case difficulty that both systems share", 1.5),
        _parameter("cluster_sd", "standard deviation of the cluster effect that both systems share", 0.0),
        _parameter("cluster_interaction_sd", "standard deviation of each system's own cluster effect", 0.0),
        _parameter("interaction_sd", "standard deviation of each system's own effect per case", 0.0),
    )
    projections: ClassVar = {}
    kernel = Kernel(
        "simstudy.scenarios.clustered.kernel:simulate",
        ("total", "squares", "cluster_squares", "n10", "n01", "flip_level"),
        "simstudy.scenarios.clustered.kernel:cases",
        ("cluster", "case", "run", "right_a", "right_b"),
        case_arguments=9,
    )
    methods = METHODS
    example: ClassVar = {
        "n_clusters": 4,
        "cluster_size": 2,
        "runs": 1,
        "accuracy_a": 0.6,
        "difference": 0.1,
        "difficulty_sd": 1.0,
        "cluster_sd": 0.5,
        "cluster_interaction_sd": 0.2,
        "interaction_sd": 0.1,
    }
    default_methods = ("paired_z", "cluster_z", "cluster_t", "cluster_sign_flip")
    units: ClassVar = {
        "accuracy_b": ("accuracy of B", "proportion"),
        "n_units": ("cases in all clusters", "cases"),
        "judge_calls": ("gradings, one per system, case and run", "calls"),
        "labels": ("cases that need a reference", "labels"),
    }

    def check(self, values: Values) -> None:
        """Refuse a point that cannot exist, with the admissible range."""
        check_accuracy_b(values)

    def effect_range(self, values: Values) -> tuple[float, float]:
        """Return the differences that keep the accuracy of B in (0, 1)."""
        return -values["accuracy_a"], 1.0 - values["accuracy_a"]

    def estimand(self, values: Values) -> float:
        """Return the difference of the marginal accuracies."""
        return float(values["difference"])

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return sizes, conditional logits, standard deviations, levels and the alternative's number."""
        import numpy as np  # late: the declaration costs no start-up

        sds = [float(values[name]) for name in SDS]
        sd = math.sqrt(sum(s * s for s in sds))
        a = float(values["accuracy_a"])
        logits = (conditional_logit(a, sd), conditional_logit(a + values["difference"], sd))
        sizes = tuple(int(values[name]) for name in ("n_clusters", "cluster_size", "runs"))
        return (*sizes, *logits, *sds, np.array(alphas), ALTERNATIVES.index(alternative))

    def derived(self, values: Values) -> dict[str, Number]:
        """Return the number of cases in all clusters."""
        return {"n_units": values["n_clusters"] * values["cluster_size"]}

    def truth(self, values: Values) -> dict[str, float]:
        """Return the accuracy of B, the number of cases and the cost."""
        n = float(values["n_clusters"] * values["cluster_size"])
        return {
            "accuracy_b": values["accuracy_a"] + values["difference"],
            "n_units": n,
            "judge_calls": 2.0 * n * values["runs"],
            "labels": n,
        }

    def check_method(self, method: Method, values: Values) -> None:
        """Refuse McNemar's test where a case has more than one run."""
        super().check_method(method, values)
        if method.name == "mcnemar_exact" and values["runs"] > 1:
            raise RefusedError(
                f"mcnemar_exact needs one outcome per case and runs is {values['runs']}: use runs 1 or another method."
            )

    def replay_units(self, values: Values) -> int:
        """Return clusters × cases × runs."""
        return int(values["n_clusters"] * values["cluster_size"] * values["runs"])


SDS = ("difficulty_sd", "cluster_sd", "cluster_interaction_sd", "interaction_sd")
