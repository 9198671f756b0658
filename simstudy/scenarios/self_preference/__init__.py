"""A judge that may favour the answers of its own system, beside a third-party judge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any, ClassVar

from simstudy.errors import RefusedError
from simstudy.scenarios.declaration import MOST_UNITS, Block, Call, Kernel, Method, Parameter, Scenario, Values
from simstudy.scenarios.random_effects import SD_MAX, joint_cells

STATS = "simstudy.stats.self_preference"
MEANS = "simstudy.stats.means"
MCNEMAR = "simstudy.stats.mcnemar"
KERNEL = "simstudy.scenarios.self_preference.kernel"

# size and sign of a pair's gap; whether the judges also differ in "picked it in any order"
CLASSES = (
    "half_up_seen",
    "half_up_hidden",
    "whole_up",
    "half_down_seen",
    "half_down_hidden",
    "whole_down",
    "cross",
    "agree",
)
SUMS = ("total2", "squares4", "n_pairs")
UNITS = ("minus", "plus")
GAP = Call(f"{STATS}:mean_gap", ("total2", "n_pairs"))
LOG_RATIO = Call(f"{STATS}:log_preference", UNITS)
# with both orders, and either answer as often better, a judge without a bonus is even
FAIR = 0.5
# logits beyond which a verdict is certain
LOGIT_MAX = 20.0


def _gap(name: str, label: str, source: str, p_value: Call, **more: Any) -> Method:
    return Method(name, label, source, p_value, estimate=GAP, estimand="gap", unit="proportion", **more)


def _mcnemar(kind: str, label: str, source: str, nanoseconds: float) -> Method:
    return Method(
        name=f"judge_mcnemar_{kind}",
        label=label,
        source=source,
        p_value=Call(f"{MCNEMAR}:mcnemar_{kind}", UNITS),
        interval=Call(f"{STATS}:log_preference_{kind}", UNITS),
        estimate=LOG_RATIO,
        own_target="log_ratio",
        nanoseconds=nanoseconds,
        note="takes the orders of a pair as independent: exceeds its level where judge_pair_sd is large",
    )


METHODS = (
    _mcnemar(
        "exact",
        "exact McNemar of the judges",
        "McNemar 1947, exact binomial; Clopper & Pearson 1934 for the limits",
        600.0,
    ),
    _mcnemar(
        "midp",
        "mid-p McNemar of the judges",
        "Fagerland, Lydersen & Laake 2013, doi:10.1186/1471-2288-13-91; Berry & Armitage 1995 for the limits",
        3500.0,
    ),
    _gap(
        "gap_z",
        "z of the mean gap",
        "normal test of the mean of the pairs' gaps",
        Call(f"{MEANS}:mean_z", SUMS),
        interval=Call(f"{STATS}:gap_z_interval", SUMS),
        note="undefined where all gaps are the same",
    ),
    _gap(
        "gap_t",
        "t of the mean gap",
        "Student 1908, doi:10.2307/2331554",
        Call(f"{MEANS}:mean_t", SUMS),
        interval=Call(f"{STATS}:gap_t_interval", SUMS),
        note="undefined where all gaps are the same",
    ),
    _gap(
        "sign_flip_exact",
        "exact sign flips of the gaps",
        "Fisher 1935: all sign flips of the pairs' gaps",
        Call(f"{STATS}:gap_sign_flip", ("total2", "halves", "wholes")),
        nanoseconds=40.0,
    ),
    Method(
        name="gap_or",
        label="z of the gap, verdicts added as booleans (a mistake)",
        source="the program behind a published lesson",
        p_value=Call(f"{MEANS}:mean_z", ("or_total", "or_squares", "n_pairs")),
        interval=Call(f"{STATS}:gap_z_interval", ("or_total", "or_squares", "n_pairs")),
        estimate=Call(f"{STATS}:mean_gap", ("or_total", "n_pairs")),
        estimand="gap",
        own_target="gap_or",
        unit="proportion",
        misuse=True,
        note="the sum of two NumPy arrays of bool is a logical OR: one verdict for the own system counts like two",
    ),
)


def _logits(name: str, words: str, low: float, default: float | None = None, **more: Any) -> Parameter:
    return Parameter(name, words, "logits", low=low, high=LOGIT_MAX, default=default, **more)


class SelfPreference(Scenario):
    """P(own judge picks own system) = σ(ability·d ± beta + bonus + w_i), third-party judge σ(ability·d ± beta)."""

    name = "self_preference"
    title = "a judge of its own system against a third-party judge"
    unit = "pair"
    aims = "How often each method finds that a judge favours its own system, and how well it says by how much"
    mechanism = (
        "a pair has an answer of the own system and one of another; d = ±1 says which is better (½ each), d = 0 on a "
        "share tied; two judges read it in both orders and pick the own system with probability σ(ability·d ± beta), + "
        "where it is shown first; the own judge adds bonus + w, w ~ N(0, judge_pair_sd²), shared by both orders"
    )
    estimand_words = "bonus of the own system with its own judge, in logits; for the gap methods the gap of win rates"
    parameters = (
        Parameter(
            "n_pairs",
            "pairs that both judges read in both orders",
            "pairs",
            "integer",
            1,
            MOST_UNITS,
            required=True,
            role="size",
        ),
        _logits(
            "bonus",
            "logits that the own judge adds to its own system",
            -LOGIT_MAX,
            required=True,
            role="effect",
            null=0.0,
        ),
        _logits("ability", "logits toward the better answer, of both judges", 0, 2.5),
        _logits("beta", "logits toward the answer shown first, of both judges", -LOGIT_MAX, 0.0),
        Parameter("tied", "share of pairs with equally good answers", "proportion", low=0, high=1, default=0.0),
        Parameter(
            "judge_pair_sd",
            "standard deviation of what the own judge adds to single pairs, in both orders alike",
            "logits",
            low=0,
            high=SD_MAX,
            default=0.0,
        ),
    )
    blocks = (Block("n_pairs", CLASSES),)
    projections: ClassVar = {
        "total2": dict(zip(CLASSES, (1, 1, 2, -1, -1, -2), strict=False)),
        "squares4": dict(zip(CLASSES, (1, 1, 4, 1, 1, 4), strict=False)),
        "halves": dict.fromkeys(("half_up_seen", "half_up_hidden", "half_down_seen", "half_down_hidden"), 1),
        "wholes": {"whole_up": 1, "whole_down": 1},
        "plus": {"half_up_seen": 1, "half_up_hidden": 1, "whole_up": 2, "cross": 1},
        "minus": {"half_down_seen": 1, "half_down_hidden": 1, "whole_down": 2, "cross": 1},
        "or_total": {"half_up_seen": 1, "whole_up": 1, "half_down_seen": -1, "whole_down": -1},
        "or_squares": dict.fromkeys(("half_up_seen", "whole_up", "half_down_seen", "whole_down"), 1),
    }
    kernel = Kernel(
        f"{KERNEL}:simulate",
        CLASSES[:-1],
        f"{KERNEL}:cases",
        ("truth", "added", "own_judge_first", "own_judge_second", "third_judge_first", "third_judge_second"),
        unit_arguments=1,
    )
    methods = METHODS
    reports = ("gap", "win_rate_own", "win_rate_third", "discordance", "judge_calls")
    example: ClassVar = {
        "n_pairs": 8,
        "bonus": 0.5,
        "ability": 2.5,
        "beta": 0.3,
        "tied": 0.2,
        "judge_pair_sd": 0.5,
    }
    default_methods = ("judge_mcnemar_midp", "gap_t", "sign_flip_exact")
    directions = ("against its own system", "for its own system")
    estimate_unit = "logits"
    units: ClassVar = {
        "gap": ("win rate of the own system with its own judge less that with the third-party one", "proportion"),
        "gap_sd": ("standard deviation of the gap of a pair", "proportion"),
        "gap_or": ("half the difference of P(picked in any order)", "proportion"),
        "win_rate_own": ("win rate of the own system with its own judge", "proportion"),
        "win_rate_third": ("win rate of the own system with the third-party judge", "proportion"),
        "plus": ("P(only the own judge picks the own system), per pair and order", "proportion"),
        "minus": ("P(only the third-party judge picks the own system), per pair and order", "proportion"),
        "discordance": ("P(the judges differ), per pair and order", "proportion"),
        "log_ratio": ("log(plus/minus); the bonus where judge_pair_sd is 0", "logits"),
        "judge_calls": ("verdicts, two judges in two orders for each pair", "calls"),
    }

    def refuse_at(self, said: Sequence[str], values: Values) -> None:
        """Refuse an ability where no answer is better than the other."""
        if "ability" in said and values["tied"] == 1.0:
            raise RefusedError("ability means nothing at tied 1, where no answer is better: leave one of them out.")

    def estimand(self, values: Values) -> float:
        """Return the bonus."""
        return float(values["bonus"])

    def law(self, values: Values) -> tuple[tuple[float, ...], ...]:
        """Return the probabilities of the classes of a pair."""
        shares = dict.fromkeys(CLASSES, 0.0)
        for truth, share in self._truths(values):
            own, third = self._verdicts(values, truth)
            for (ours, p), (theirs, q) in product(own.items(), third.items()):
                shares[pair_class(ours, theirs)] += share * p * q
        return (tuple(shares.values()),)

    @staticmethod
    def _truths(values: Values) -> tuple[tuple[int, float], ...]:
        """Return each d with its probability."""
        tied = float(values["tied"])
        return ((1, 0.5 * (1.0 - tied)), (-1, 0.5 * (1.0 - tied)), (0, tied))

    @staticmethod
    def _verdicts(values: Values, truth: int) -> tuple[dict[tuple[int, int], float], ...]:
        """Return for each judge the probabilities of its verdicts with the own system first and second."""
        centre, beta = values["ability"] * truth, values["beta"]
        laws = []
        for bonus, sd in ((values["bonus"], values["judge_pair_sd"]), (0.0, 0.0)):
            cells = joint_cells(centre + bonus + beta, centre + bonus - beta, sd)
            laws.append(dict(zip(((1, 0), (0, 1), (1, 1), (0, 0)), cells, strict=True)))
        return tuple(laws)

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return n_pairs and the five parameters of the mechanism."""
        names = ("bonus", "ability", "beta", "tied", "judge_pair_sd")
        return (int(values["n_pairs"]), *(float(values[name]) for name in names))

    def truth(self, values: Values) -> dict[str, float]:
        """Return the gap, the win rates, the shares of discordant verdicts, and the cost."""
        law = dict(zip(CLASSES, self.law(values)[0], strict=True))
        means = {
            name: math.fsum(weight * law[key] for key, weight in weights.items())
            for name, weights in self.projections.items()
        }
        plus, minus = 0.5 * means["plus"], 0.5 * means["minus"]
        # exchanging the two answers exchanges plus and minus, but for the bonus: rounding must not pass for an effect
        biased = values["bonus"] != 0.0
        gap = 0.5 * means["total2"] if biased else 0.0
        return {
            "gap": gap,
            "gap_sd": math.sqrt(max(0.0, 0.25 * means["squares4"] - gap * gap)),
            "gap_or": 0.5 * means["or_total"],
            "win_rate_own": FAIR + gap,
            "win_rate_third": FAIR,
            "plus": plus,
            "minus": minus,
            "discordance": plus + minus,
            "log_ratio": math.log(plus / minus) if biased else 0.0,
            "judge_calls": 4.0 * values["n_pairs"],
        }


def pair_class(own: tuple[int, int], third: tuple[int, int]) -> str:
    """Return the class of a pair by the verdicts of both judges, 1 for the own system, shown first and second."""
    gap2 = sum(own) - sum(third)
    if gap2 == 0:
        return "agree" if own == third else "cross"
    size = "whole" if abs(gap2) == 2 else "half"
    way = "up" if gap2 > 0 else "down"
    if size == "whole":
        return f"whole_{way}"
    return f"half_{way}_{'seen' if any(own) != any(third) else 'hidden'}"
