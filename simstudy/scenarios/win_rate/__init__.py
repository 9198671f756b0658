"""Ship B if it wins enough pairs: a pairwise judge, three ways to read it, and a rule of two parts."""

from __future__ import annotations

from typing import Any, ClassVar

from simstudy.errors import ParameterError
from simstudy.scenarios.declaration import (
    MOST_UNITS,
    Block,
    Call,
    Kernel,
    Measure,
    Method,
    Outcome,
    Parameter,
    Part,
    Rule,
    Said,
    Scenario,
    Values,
)
from simstudy.scenarios.random_effects import SD_MAX
from simstudy.scenarios.win_rate.law import PROTOCOLS, VERDICT_PAIRS, outcome, verdict_pairs

STATS = "simstudy.stats.win_rate"
ADOPT = "adopt B"
SOURCE = "one-sided exact binomial test of B's wins among decisive pairs (Clopper & Pearson 1934), and a least win rate"


def _method(name: str, label: str, note: str = "", misuse: bool = False) -> Method:
    counts = (f"wins_{name}", f"losses_{name}")
    readings = PROTOCOLS[name].readings
    rule = Rule(
        null=0.5,
        parts=(
            Part(
                "test",
                "the one-sided exact test of more wins than losses has p ≤ alpha",
                Call(f"{STATS}:win_rate_exact_p", counts),
                at_most="alpha",
                opens=True,
            ),
            Part(
                "rate",
                "the win rate among decisive pairs is at least min_win_rate",
                Call(f"{STATS}:decisive_win_rate", counts),
                at_least="min_win_rate",
            ),
        ),
        passes=ADOPT,
        otherwise="keep A",
        claim="that B is stronger",
        holds=lambda values: values["strength"] > 0.0,
    )
    return Method(
        name=name,
        label=label,
        source=SOURCE,
        interval=Call(f"{STATS}:win_rate_interval", counts),
        estimate=Call(f"{STATS}:decisive_win_rate", counts),
        claim=rule,
        estimand=f"win_rate_{name}",
        misuse=misuse,
        note=note,
        nanoseconds=1000.0,
        measures={
            "win_rate": Call(f"{STATS}:decisive_win_rate", counts),
            "decisive_share": Call(f"{STATS}:decisive_share", (*counts, f"trials_{name}")),
        },
        costs={"judge_calls": lambda values: float(readings * values["n_pairs"])},
    )


class WinRate(Scenario):
    """x ~ N(strength, strength_sd²); a pass picks B with σ(x ± beta − tie_band), A with σ(−x ∓ beta − tie_band)."""

    name = "win_rate"
    title = "ship B if it wins enough pairs"
    unit = "pair"
    aims = "How often a rule on win rates adopts the stronger and the weaker system, and what each protocol pays for it"
    mechanism = (
        "the advantage of B on a pair is x ~ N(strength, strength_sd²) in logits; a pass picks B with "
        "σ(x + beta − tie_band) where B is shown first and σ(x − beta − tie_band) where it is second, A with the same "
        "of −x and −beta, and says tie otherwise; passes are independent given x"
    )
    estimand_words = "strength of B, in logits; each protocol estimates its own win rate among decisive pairs"
    parameters = (
        Parameter("n_pairs", "pairs of answers", "pairs", "integer", 1, MOST_UNITS, required=True, role="size"),
        Parameter(
            "strength",
            "mean advantage of B over A",
            "logits",
            low=-10,
            high=10,
            required=True,
            role="effect",
            null=0.0,
        ),
        Parameter(
            "strength_sd",
            "standard deviation of the advantage over pairs",
            "logits",
            low=0,
            high=SD_MAX,
            default=1.0,
        ),
        Parameter("beta", "bias toward the answer shown first", "logits", low=-10, high=10, default=0.0),
        Parameter("tie_band", "how readily the judge says tie; 0 = never", "logits", low=0, high=10, default=0.0),
        Parameter(
            "min_win_rate",
            "least win rate among decisive pairs that adopts",
            "proportion",
            low=0,
            high=1,
            open_low=True,
            open_high=True,
            default=0.55,
            of_methods=True,
        ),
    )
    blocks = (Block("n_pairs", VERDICT_PAIRS),)
    projections: ClassVar = {
        f"{side}_{name}": counts
        for name, protocol in PROTOCOLS.items()
        for side, counts in (("wins", protocol.wins), ("losses", protocol.losses))
    }
    kernel = Kernel(
        "simstudy.scenarios.win_rate.kernel:simulate",
        VERDICT_PAIRS,
        "simstudy.scenarios.win_rate.kernel:cases",
        ("x", "verdict_1", "verdict_2"),
        unit_arguments=1,
    )
    methods = (
        _method("one_order", "B always second", "half the calls; a bias toward a position is a bias toward a system"),
        _method("consistent", "both orders, a winner where they agree", "without ties the same as averaged"),
        _method("averaged", "both orders, the one picked more often wins"),
        _method(
            "averaged_passes",
            "each pass a trial (a mistake)",
            "the two passes of a pair are not independent: too large a level",
            misuse=True,
        ),
    )
    example: ClassVar = {
        "n_pairs": 8,
        "strength": 0.3,
        "strength_sd": 0.8,
        "beta": 0.4,
        "tie_band": 0.3,
        "min_win_rate": 0.6,
    }
    default_methods = ("one_order", "consistent", "averaged")
    measures = (
        Measure("adopt", "probability of adopting B", of=Outcome(ADOPT), limits=True, better="more"),
        Measure(
            "adopt_by_test", "probability that the test alone adopts", of=Said("test"), better="more", behind_power=1
        ),
        Measure(
            "adopt_by_rate",
            "probability that the win rate alone adopts",
            of=Said("rate"),
            better="more",
            behind_power=2,
        ),
        Measure("win_rate", "mean win rate among decisive pairs, where there are any", error="mean", behind_power=3),
        Measure("decisive_share", "mean share of decisive pairs", error="mean", behind_power=4),
    )
    reports = tuple(f"win_rate_{name}" for name in ("one_order", "consistent", "averaged"))
    directions: ClassVar = ("A stronger", "B stronger")
    units: ClassVar = {
        **{f"win_rate_{name}": (f"win rate of B among decisive pairs, {name}", "proportion") for name in PROTOCOLS},
        "preferred": ("share of pairs in which an unbiased judge picks B more readily", "proportion"),
        "judge_calls": ("readings by the judge", "calls"),
    }

    def check(self, values: Values) -> None:
        """Refuse a judge that never picks a system, whose win rate is nothing."""
        if min(outcome(_law(values), protocol).decisive for protocol in PROTOCOLS.values()) <= 0.0:
            raise ParameterError(
                f"tie_band {values['tie_band']:g} leaves no pair decided at strength {values['strength']:g}: give a "
                "smaller tie_band."
            )

    def derived(self, values: Values) -> dict[str, int | float]:
        """Return how many trials each protocol has."""
        return {f"trials_{name}": protocol.trials * values["n_pairs"] for name, protocol in PROTOCOLS.items()}

    def estimand(self, values: Values) -> float:
        """Return the strength of B."""
        return float(values["strength"])

    def law(self, values: Values) -> tuple[tuple[float, ...], ...]:
        """Return the probabilities of the nine verdict pairs."""
        return (tuple(_law(values).tolist()),)

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return n_pairs and the four parameters of the judge."""
        names = ("strength", "strength_sd", "beta", "tie_band")
        return (int(values["n_pairs"]), *(float(values[name]) for name in names))

    def truth(self, values: Values) -> dict[str, float]:
        """Return the win rate that each protocol estimates, and the share of pairs that prefer B."""
        law = _law(values)
        rates = {f"win_rate_{name}": outcome(law, protocol).win_rate for name, protocol in PROTOCOLS.items()}
        fair = verdict_pairs(values["strength"], values["strength_sd"], 0.0, 0.0)
        return {**rates, "preferred": outcome(fair, PROTOCOLS["one_order"]).win_rate}


def _law(values: Values) -> Any:
    return verdict_pairs(values["strength"], values["strength_sd"], values["beta"], values["tie_band"])
