"""Two systems answer the same cases, and a judge that errs decides which answers are right."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from simstudy.errors import ParameterError
from simstudy.scenarios.declaration import MOST_UNITS, Block, Call, Kernel, Method, Number, Parameter, Scenario, Values
from simstudy.scenarios.paired import DISCORDANT, ESTIMATE, METHODS
from simstudy.scenarios.random_effects import conditional_logit, joint_cells
from simstudy.scenarios.two_systems import ACCURACY_A, DIFFERENCE, DIFFICULTY_SD, check_accuracy_b

# what is true, or accepted, of the answers of A and of B
PAIRS = ((1, 0), (0, 1), (1, 1), (0, 0))
LABELLED = {(t, v): f"truth{t[0]}{t[1]}_verdict{v[0]}{v[1]}" for t in PAIRS for v in PAIRS}
UNLABELLED = {v: f"verdict{v[0]}{v[1]}" for v in PAIRS}
CLASSES = (*LABELLED.values(), *UNLABELLED.values())
LABELLED_DISCORDANT = ("labelled_n10", "labelled_n01")
WITH_LABELS = (*LABELLED_DISCORDANT, "n_labelled")
# rounding of probabilities that are said to sum to one
SLACK = 1e-12


def _verdicts(*pairs: tuple[int, int]) -> dict[str, int]:
    """Return the projection that counts cases, labelled or not, with one of these pairs of verdicts."""
    return {name: 1 for v in pairs for name in (*(LABELLED[t, v] for t in PAIRS), UNLABELLED[v])}


def _truths(pair: tuple[int, int]) -> dict[str, int]:
    """Return the projection that counts labelled cases with this pair of truths."""
    return {LABELLED[pair, v]: 1 for v in PAIRS}


@dataclass(frozen=True)
class OnTables:
    """A function of two tables, labelled cases by truth and verdict and the others by verdict, called with counts."""

    function: str
    option: str = ""

    def __call__(self, *counts: Any, level: float | None = None) -> Any:
        """Return what the function says of counts in the order of `CLASSES`."""
        import numpy as np  # late: start-up

        table = np.stack(counts, axis=-1)
        labelled = table[..., : len(LABELLED)].reshape(*table.shape[:-1], len(PAIRS), len(PAIRS))
        options: dict[str, Any] = {self.option: True} if self.option else {}
        if level is not None:
            options["level"] = level
        statistic = getattr(importlib.import_module("simstudy.stats.corrected_pairs"), self.function)
        return statistic(labelled, table[..., len(LABELLED) :], **options)


def larger_score(n10: Any, n01: Any, alternative: str = "two-sided") -> Any:
    """Return 0 where a judged score is larger, toward the alternative, so that every level decides; else 1."""
    decided = {"two-sided": n01 != n10, "greater": n01 > n10, "less": n01 < n10}[alternative]
    return 1.0 - decided


def _correction(name: str, label: str, source: str, function: str, option: str = "", note: str = "") -> Method:
    return Method(
        name=name,
        label=label,
        source=source,
        interval=Call(OnTables(f"{function}_interval", option), CLASSES),
        estimate=Call(OnTables(function, option), CLASSES),
        needs=("n_labels",),
        exact=False,
        nanoseconds=3000.0,
        note=note,
    )


UNCORRECTED = tuple(replace(method, own_target="judged_difference") for method in METHODS if not method.needs)
LARGER_SCORE = Method(
    name="larger_score",
    label="larger judged score, no test",
    source="a ranking by scores",
    p_value=Call("simstudy.scenarios.judged:larger_score", DISCORDANT),
    estimate=ESTIMATE,
    discordant=DISCORDANT,
    test=False,
    note="decides wherever the scores differ: 1 − power is the probability of a tie",
)
CORRECTED = (
    Method(
        name="labels_only",
        label="labelled cases alone, Tango",
        source="Tango 1998 on the labels; the verdicts are not used",
        p_value=Call("simstudy.stats.paired:mcnemar_chi2", LABELLED_DISCORDANT),
        interval=Call("simstudy.stats.paired_intervals:tango", WITH_LABELS),
        estimate=Call("simstudy.stats.paired:difference", WITH_LABELS),
        needs=("n_labels",),
        nanoseconds=2000.0,
        note="what a correction has to beat",
    ),
    _correction(
        "rogan_gladen",
        "Rogan–Gladen, rates of each system",
        "Rogan & Gladen 1978, doi:10.1093/oxfordjournals.aje.a112510; delta method",
        "rogan_gladen_difference",
        note="accuracies cut to [0, 1]; undefined where sensitivity + specificity ≤ 1, or labels lack right or wrong",
    ),
    replace(
        _correction(
            "rogan_gladen_pooled",
            "Rogan–Gladen, one pair of rates (a mistake here)",
            "Rogan & Gladen 1978, doi:10.1093/oxfordjournals.aje.a112510; delta method",
            "rogan_gladen_difference",
            "pooled",
            "wrong where the judge errs more on one system; accuracies cut to [0, 1]",
        ),
        misuse=True,
    ),
    _correction(
        "ppi",
        "prediction-powered",
        "Angelopoulos et al. 2023, doi:10.1126/science.adi6000",
        "ppi_difference",
        note="undefined with fewer than two unlabelled cases",
    ),
    _correction(
        "ppi_pp",
        "prediction-powered, tuned",
        "Angelopoulos, Duchi & Zrnic 2024, arXiv:2311.01453",
        "ppi_difference",
        "tuned",
    ),
)


def _share(name: str, help: str, default: float) -> Parameter:
    return Parameter(name, help, "proportion", low=0, high=1, default=default)


class Judged(Scenario):
    """Answers as in `paired`; a right one is accepted with P 1 − p_fn (− extra_fn if reworded), a wrong one p_fp."""

    name = "judged"
    title = "a judge that errs compares two systems"
    unit = "case"
    aims = "How often each decision on a judge's verdicts is right or wrong, and what labels of some cases repair"
    mechanism = (
        "case difficulty d ~ N(0, difficulty_sd²) in logits, each system right with probability σ(logit − d) given d; "
        "a share of each system's right answers is reworded; the judge accepts a right answer with probability "
        "1 − p_fn (1 − p_fn − extra_fn if reworded) and a wrong one with p_fp, independently given the answers; people "
        "label both answers to n_labels random cases without error"
    )
    estimand_words = "difference of the true marginal accuracies, B − A"
    parameters = (
        Parameter(
            "n_cases", "cases that both systems answer", "cases", "integer", 1, MOST_UNITS, required=True, role="size"
        ),
        ACCURACY_A,
        DIFFERENCE,
        DIFFICULTY_SD,
        _share("reworded_a", "share of A's right answers in other words than the reference", 0.0),
        _share("reworded_b", "share of B's right answers in other words than the reference", 0.0),
        _share("p_fn", "probability that the judge rejects a right answer", 0.08),
        _share("extra_fn", "what is added to p_fn where a right answer is reworded", 0.10),
        _share("p_fp", "probability that the judge accepts a wrong answer", 0.05),
        Parameter(
            "n_labels",
            "cases of which people label both answers",
            "cases",
            "integer",
            1,
            MOST_UNITS,
            of_methods=True,
        ),
    )
    blocks = (
        Block("n_labelled", tuple(LABELLED.values())),
        Block("n_unlabelled", tuple(UNLABELLED.values())),
    )
    projections: ClassVar = {
        "n10": _verdicts((1, 0)),
        "n01": _verdicts((0, 1)),
        "n11": _verdicts((1, 1)),
        "x_a": _verdicts((1, 0), (1, 1)),
        "x_b": _verdicts((0, 1), (1, 1)),
        "labelled_n10": _truths((1, 0)),
        "labelled_n01": _truths((0, 1)),
    }
    kernel = Kernel(
        "simstudy.scenarios.judged.kernel:simulate",
        CLASSES,
        "simstudy.scenarios.judged.kernel:cases",
        (
            "difficulty",
            "right_a",
            "right_b",
            "reworded_a",
            "reworded_b",
            "accepted_a",
            "accepted_b",
            "labelled",
        ),
        unit_arguments=1,
    )
    methods = (*UNCORRECTED, LARGER_SCORE, *CORRECTED)
    example: ClassVar = {
        "n_cases": 8,
        "accuracy_a": 0.6,
        "difference": 0.1,
        "difficulty_sd": 1.0,
        "reworded_a": 0.1,
        "reworded_b": 0.5,
        "p_fn": 0.1,
        "extra_fn": 0.2,
        "p_fp": 0.1,
        "n_labels": 5,
    }
    default_methods = ("mcnemar_midp",)
    target_variable = "power_right"
    shows = ("power_wrong", "power_right", "power")
    reports = ("judged_difference", "judged_accuracy_a", "judged_accuracy_b", "kappa_a", "kappa_b", "judge_calls")
    units: ClassVar = {
        "accuracy_b": ("true accuracy of B", "proportion"),
        "discordance": ("share of cases that exactly one system answers right", "proportion"),
        "judged_accuracy_a": ("share of A's answers that the judge accepts", "proportion"),
        "judged_accuracy_b": ("share of B's answers that the judge accepts", "proportion"),
        "judged_difference": ("difference of the judged accuracies, B − A", "proportion"),
        "judged_discordance": ("share of cases of which the judge accepts exactly one answer", "proportion"),
        "sensitivity_a": ("share of A's right answers that the judge accepts", "proportion"),
        "sensitivity_b": ("share of B's right answers that the judge accepts", "proportion"),
        "specificity": ("share of wrong answers that the judge rejects", "proportion"),
        "kappa_a": ("Cohen's kappa of judge and truth on A's answers", "1"),
        "kappa_b": ("Cohen's kappa of judge and truth on B's answers", "1"),
        "kappa": ("Cohen's kappa of judge and truth on the answers of both systems, in one table", "1"),
        "judge_calls": ("gradings by the judge, one per system and case", "calls"),
        "labels": ("cases that people label", "labels"),
    }

    def check(self, values: Values) -> None:
        """Refuse a point that cannot exist, with the admissible range."""
        check_accuracy_b(values)
        p_fn, extra_fn = values["p_fn"], values["extra_fn"]
        if p_fn + extra_fn > 1.0 + SLACK:
            raise ParameterError(
                f"p_fn {p_fn:g} and extra_fn {extra_fn:g} add up to {p_fn + extra_fn:g}, the probability that a "
                f"reworded right answer is rejected; with this p_fn, extra_fn must lie in [0, {1.0 - p_fn:g}]."
            )
        if values.get("n_labels", 0) > values["n_cases"]:
            raise ParameterError(
                f"n_labels is {values['n_labels']} and n_cases {values['n_cases']}: labels are taken of the same "
                f"cases, so n_labels must be a whole number from 1 to {values['n_cases']}."
            )

    def effect_range(self, values: Values) -> tuple[float, float]:
        """Return the differences that keep the accuracy of B possible."""
        a = values["accuracy_a"]
        return -a, 1.0 - a

    def smallest_size(self, values: Values) -> int:
        """Return the number of labels: as many cases are needed."""
        return int(values.get("n_labels", 1))

    def derived(self, values: Values) -> dict[str, Number]:
        """Return the numbers of cases with and without labels."""
        labelled = int(values.get("n_labels", 0))
        return {"n_labelled": labelled, "n_unlabelled": int(values["n_cases"]) - labelled}

    def estimand(self, values: Values) -> float:
        """Return the difference of the true marginal accuracies."""
        return float(values["difference"])

    @staticmethod
    def _logits(values: Values) -> tuple[float, float]:
        a, sd = values["accuracy_a"], values["difficulty_sd"]
        return conditional_logit(a, sd), conditional_logit(a + values["difference"], sd)

    @staticmethod
    def _sensitivities(values: Values) -> tuple[float, float]:
        accepted = 1.0 - values["p_fn"]
        a, b = (max(0.0, accepted - values[f"reworded_{s}"] * values["extra_fn"]) for s in "ab")
        return a, b

    def law(self, values: Values) -> tuple[tuple[float, ...], ...]:
        """Return the probabilities of truth and verdict of a labelled case, and of the verdict of another."""
        truths = dict(zip(PAIRS, joint_cells(*self._logits(values), values["difficulty_sd"]), strict=True))
        accepted = [(values["p_fp"], sensitivity) for sensitivity in self._sensitivities(values)]
        joint = {(t, v): truths[t] * math.prod(_chance(accepted[s][t[s]], v[s]) for s in (0, 1)) for t, v in LABELLED}
        return tuple(joint.values()), tuple(sum(joint[t, v] for t in PAIRS) for v in PAIRS)

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return the sizes, the logits, the difficulty and the judge."""
        names = ("difficulty_sd", "reworded_a", "reworded_b", "p_fn", "extra_fn", "p_fp")
        sizes = int(values["n_cases"]), int(values.get("n_labels", 0))
        return (*sizes, *self._logits(values), *(float(values[name]) for name in names))

    def truth(self, values: Values) -> dict[str, float]:
        """Return true and judged accuracies, the judge's rates and kappas, and the cost."""
        a, b = values["accuracy_a"], values["accuracy_a"] + values["difference"]
        cells = joint_cells(*self._logits(values), values["difficulty_sd"])
        verdicts = self.law(values)[1]
        judged_a, judged_b = verdicts[0] + verdicts[2], verdicts[1] + verdicts[2]
        of_a, of_b = self._sensitivities(values)
        return {
            "accuracy_b": b,
            "discordance": cells[0] + cells[1],
            "judged_accuracy_a": judged_a,
            "judged_accuracy_b": judged_b,
            "judged_difference": judged_b - judged_a,
            "judged_discordance": verdicts[0] + verdicts[1],
            "sensitivity_a": of_a,
            "sensitivity_b": of_b,
            "specificity": 1.0 - values["p_fp"],
            "kappa_a": _kappa([(a, judged_a, a * of_a)]),
            "kappa_b": _kappa([(b, judged_b, b * of_b)]),
            "kappa": _kappa([(a, judged_a, a * of_a), (b, judged_b, b * of_b)]),
            "judge_calls": 2.0 * values["n_cases"],
            "labels": float(values.get("n_labels", 0)),
        }


def _chance(accepted: float, verdict: int) -> float:
    return accepted if verdict else 1.0 - accepted


def _kappa(systems: Iterable[tuple[float, float, float]]) -> float:
    """Return kappa from P(right), P(accepted) and P(both) of each system, whose answers are equally many."""
    right, accepted, both = (sum(column) / len(column) for column in zip(*systems, strict=True))
    observed = 1.0 - right - accepted + 2.0 * both
    expected = right * accepted + (1.0 - right) * (1.0 - accepted)
    return (observed - expected) / (1.0 - expected) if expected < 1.0 else math.nan
