"""A judge against labels: how well its agreement is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from simstudy.errors import ParameterError
from simstudy.scenarios.declaration import (
    MOST_UNITS,
    Block,
    Call,
    Group,
    Kernel,
    Method,
    Parameter,
    Scenario,
    Values,
)

STATS, FEW_LABELS = "simstudy.stats.agreement", "simstudy.stats.kappa_few_labels"
CELLS = ("tp", "fn", "fp", "tn")
ESTIMATE = Call(f"{STATS}:kappa", CELLS)
FLEISS = "Fleiss, Cohen & Everitt 1969, doi:10.1037/h0028106"


def _share(name: str, words: str, **more: Any) -> Parameter:
    return Parameter(name, words, "proportion", low=0, high=1, **more)


def _interval(
    name: str, label: str, source: str, nanoseconds: float, note: str, more: Sequence[str] = (), module: str = STATS
) -> Method:
    return Method(
        name=name,
        label=label,
        source=source,
        interval=Call(f"{module}:{name}", (*CELLS, *more)),
        estimate=ESTIMATE,
        claim="exceeds",
        nanoseconds=nanoseconds,
        note=note,
        instead="kappa_few" if name in ("kappa_wald", "kappa_bootstrap") else "",
    )


METHODS = (
    _interval(
        "kappa_wald",
        "kappa, large sample",
        FLEISS,
        600.0,
        "certifies too often, also with 200 labels; undefined without any disagreement (prevalence .7, 30 labels: .07 "
        "of the samples at kappa .8, .53 at .95)",
    ),
    _interval(
        "kappa_few",
        "kappa, few labels",
        f"{FLEISS}, after adding 1/2 to each cell; where nothing disagrees the score limit of Bloch & Kraemer 1989, "
        "doi:10.2307/2532006",
        600.0,
        "keeps close to its level with few labels too; undefined only where all fall into one cell",
        module=FEW_LABELS,
    ),
    _interval(
        "kappa_wilson_po",
        "kappa, from the agreement's Wilson limits",
        "(L − p_e)/(1 − p_e) with the limits L of Wilson 1927, doi:10.1080/01621459.1927.10502953",
        150.0,
        "the cautious one: hardly ever certifies above its level, at a price in power; undefined as kappa_few is",
        module=FEW_LABELS,
    ),
    _interval(
        "kappa_adjusted",
        "kappa, 1/2 added to each cell",
        f"{FLEISS}, after adding 1/2 to each cell",
        600.0,
        "certifies too often below 20 labels (.036 with 14 at prevalence .5, nominal .025) where nothing disagrees; "
        "undefined as kappa_few is",
    ),
    _interval(
        "kappa_bootstrap",
        "kappa, percentile bootstrap",
        "Efron & Tibshirani 1993, chapter 13",
        500_000.0,
        "resamples the labelled answers; undefined where kappa_wald is",
        ("seed", "resamples"),
    ),
)


def kappa_of(prevalence: float, sensitivity: float, specificity: float) -> tuple[float, float, float]:
    """Return kappa = (p_o − p_e)/(1 − p_e), observed p_o and chance agreement p_e of a judge."""
    said = prevalence * sensitivity + (1 - prevalence) * (1 - specificity)
    observed = prevalence * sensitivity + (1 - prevalence) * specificity
    chance = prevalence * said + (1 - prevalence) * (1 - said)
    # by the disagreement, which 1 - chance would round to 0 at a prevalence near 0 or 1
    missed = prevalence * (1 - sensitivity) + (1 - prevalence) * (1 - specificity)
    by_chance = prevalence * (1 - said) + (1 - prevalence) * said
    return 1 - missed / by_chance, observed, chance


def accuracy_of(prevalence: float, kappa: float) -> float:
    """Return the sensitivity that, equal to the specificity, gives a kappa, from `least_kappa` to 1."""
    # With t = 2Se − 1 and v = 2·prevalence − 1, kappa is t(1 − v²)/(1 − v²t), which is solved for t.
    v_squared = (2 * prevalence - 1) ** 2
    return min(1.0, max(0.0, 0.5 + 0.5 * kappa / (1 - v_squared * (1 - kappa))))


def least_kappa(prevalence: float) -> float:
    """Return the kappa of a judge that is always wrong."""
    v_squared = (2 * prevalence - 1) ** 2
    return -(1 - v_squared) / (1 + v_squared)


class Agreement(Scenario):
    """An answer is right with probability prevalence; the judge sees that with its sensitivity and specificity."""

    name = "agreement"
    title = "a judge against labels"
    unit = "labelled answer"
    aims = "How many labels show that a judge agrees with them well enough, and how well its kappa is then known"
    mechanism = (
        "n_labels independent answers, each right with probability prevalence; a verdict is unreadable with "
        "probability unreadable, else it calls a right answer correct with probability sensitivity and a wrong one "
        "wrong with probability specificity"
    )
    estimand_words = "Cohen's kappa of the readable verdicts and the labels"
    parameters = (
        Parameter(
            "n_labels",
            "labelled answers that the judge grades",
            "labels",
            "integer",
            1,
            MOST_UNITS,
            required=True,
            role="size",
        ),
        _share(
            "prevalence", "share of right answers among the labelled ones", required=True, open_low=True, open_high=True
        ),
        _share("sensitivity", "probability that the judge calls a right answer correct", required=True),
        _share("specificity", "probability that the judge calls a wrong answer wrong", required=True),
        Parameter(
            "kappa",
            "Cohen's kappa, of equal sensitivity and specificity",
            "kappa",
            low=-1,
            high=1,
            role="effect",
            null="kappa_threshold",
        ),
        Parameter(
            "kappa_threshold",
            "kappa that the judge must exceed; above .6 Landis and Koch (1977) speak of substantial agreement",
            "kappa",
            low=-1,
            high=1,
            open_high=True,
            default=0.6,
        ),
        _share("unreadable", "share of verdicts out of format, whatever the answer", default=0.0),
        Parameter(
            "resamples",
            "resampled tables of kappa_bootstrap",
            "resamples",
            "integer",
            100,
            10**6,
            default=1000,
            of_methods=True,
        ),
    )
    groups = (Group((("sensitivity", "specificity"), ("kappa",))),)
    blocks = (Block("n_labels", (*CELLS, "no_verdict")),)
    kernel = Kernel(
        "simstudy.scenarios.agreement.kernel:simulate",
        (*CELLS, "no_verdict"),
        "simstudy.scenarios.agreement.kernel:cases",
        ("label", "verdict"),
        unit_arguments=1,
    )
    methods = METHODS
    reports = ("kappa", "accuracy", "said_correct", "false_negatives", "false_positives", "kappa_unreadable")
    example: ClassVar = {
        "n_labels": 8,
        "prevalence": 0.6,
        "kappa": 0.5,
        "kappa_threshold": 0.3,
        "unreadable": 0.1,
        "resamples": 100,
    }
    default_methods = ("kappa_wald", "kappa_few")
    directions = ("kappa below the threshold", "kappa above the threshold")
    estimate_unit = "kappa"
    units: ClassVar = {
        "sensitivity": ("probability that the judge calls a right answer correct", "proportion"),
        "specificity": ("probability that the judge calls a wrong answer wrong", "proportion"),
        "kappa": ("Cohen's kappa of the readable verdicts and the labels", "kappa"),
        "accuracy": ("observed agreement p_o, the accuracy of readable verdicts", "proportion"),
        "chance_agreement": ("agreement expected by chance, p_e", "proportion"),
        "said_correct": ("share of readable verdicts that say correct", "proportion"),
        "false_negatives": ("share of readable verdicts that call a right answer wrong", "proportion"),
        "false_positives": ("share of readable verdicts that call a wrong answer correct", "proportion"),
        "kappa_unreadable": ("kappa with unreadable as a third verdict, which agrees with no label", "kappa"),
        "pabak": ("prevalence-adjusted and bias-adjusted kappa, 2 p_o − 1", "kappa"),
        "judge_calls": ("gradings, one per labelled answer", "calls"),
        "labels": ("answers that need a label", "labels"),
    }

    def check(self, values: Values) -> None:
        """Refuse a kappa that no judge has at this prevalence."""
        if "kappa" not in values:
            return
        least = least_kappa(values["prevalence"])
        if values["kappa"] < least:
            raise ParameterError(
                f"kappa is {values['kappa']:g}; at prevalence {values['prevalence']:g} it must lie in [{least:.6g}, 1]."
            )

    def effect_range(self, values: Values) -> tuple[float, float]:
        """Return the kappas between the judge that is always wrong and the one that is always right."""
        return least_kappa(values["prevalence"]), 1.0

    @staticmethod
    def _rates(values: Values) -> tuple[float, float]:
        """Return sensitivity and specificity."""
        if "kappa" in values:
            both = accuracy_of(values["prevalence"], values["kappa"])
            return both, both
        return float(values["sensitivity"]), float(values["specificity"])

    def estimand(self, values: Values) -> float:
        """Return kappa: what was said, to the last bit, or what follows from the rates."""
        return float(values["kappa"]) if "kappa" in values else kappa_of(values["prevalence"], *self._rates(values))[0]

    def law(self, values: Values) -> tuple[tuple[float, ...], ...]:
        """Return the probabilities of (tp, fn, fp, tn, no_verdict)."""
        right, readable = float(values["prevalence"]), 1.0 - values["unreadable"]
        sensitivity, specificity = self._rates(values)
        hit, clear = readable * sensitivity, readable * specificity
        missed, alarm = readable * (1 - sensitivity), readable * (1 - specificity)
        return ((right * hit, right * missed, (1 - right) * alarm, (1 - right) * clear, float(values["unreadable"])),)

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return (n_labels, prevalence, sensitivity, specificity, unreadable)."""
        return int(values["n_labels"]), values["prevalence"], *self._rates(values), values["unreadable"]

    def truth(self, values: Values) -> dict[str, float]:
        """Return the judge's rates and kappas, and the cost."""
        right, readable = values["prevalence"], 1.0 - values["unreadable"]
        sensitivity, specificity = self._rates(values)
        _, observed, chance = kappa_of(right, sensitivity, specificity)
        n = float(values["n_labels"])
        said = right * sensitivity + (1 - right) * (1 - specificity)
        # 1 - readable·chance, which would round to 0 at a prevalence near 0 or 1
        unlike = values["unreadable"] + readable * (right * (1 - said) + (1 - right) * said)
        return {
            "sensitivity": sensitivity,
            "specificity": specificity,
            "kappa": self.estimand(values),
            "accuracy": observed,
            "chance_agreement": chance,
            "said_correct": said,
            "false_negatives": right * (1 - sensitivity),
            "false_positives": (1 - right) * (1 - specificity),
            "kappa_unreadable": 1 - (1 - readable * observed) / unlike,
            "pabak": 2 * observed - 1,
            "judge_calls": n,
            "labels": n,
        }
