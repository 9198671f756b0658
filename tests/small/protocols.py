"""Three ways to read pairs that cost different numbers of calls; the kernel is that of win_rate."""

from typing import ClassVar

from simstudy import Block, Call, Kernel, Method, Parameter, Scenario
from simstudy.scenarios.win_rate.law import VERDICT_PAIRS, verdict_pairs

WINS = {
    "first": ("b_b", "b_a", "b_tie"),
    "both": ("b_b", "b_tie", "tie_b"),
    "until_decided": ("b_b", "b_a", "b_tie", "tie_b"),
}
LOSSES = {
    "first": ("a_b", "a_a", "a_tie"),
    "both": ("a_a", "a_tie", "tie_a"),
    "until_decided": ("a_b", "a_a", "a_tie", "tie_a"),
}


def lead(losses, wins, n):
    return (wins - losses) / n


def law_at(values):
    return verdict_pairs(values["strength"], 1.0, values["beta"], values["tie_band"])


def calls(protocol, values):
    """Return the expected judge calls: the second pass is read always, never, or after a tie."""
    tied = sum(p for name, p in zip(VERDICT_PAIRS, law_at(values), strict=True) if name.startswith("tie"))
    return values["n_pairs"] * {"first": 1.0, "both": 2.0, "until_decided": 1.0 + tied}[protocol]


def protocol(name):
    counts = (f"losses_{name}", f"wins_{name}")
    return Method(
        name,
        name,
        "exact sign test",
        p_value=Call("simstudy.stats.mcnemar:mcnemar_exact", counts),
        estimate=Call(lead, (*counts, "n_pairs")),
        estimand=f"lead_{name}",
        discordant=counts,
        costs={"judge_calls": lambda values: calls(name, values)},
    )


class Protocols(Scenario):
    """Pairs as in win_rate with strength_sd 1."""

    name = "protocols"
    title = "three protocols at equal cost"
    unit = "pair"
    aims = "Which way to read pairs sees a difference with the fewest calls"
    mechanism = "pairs as in win_rate, with strength_sd 1"
    estimand_words = "strength of B"
    parameters = (
        Parameter("n_pairs", "pairs", "pairs", "integer", 1, 10**6, required=True, role="size"),
        Parameter("strength", "advantage of B", "logits", low=-5, high=5, required=True, role="effect", null=0.0),
        Parameter("beta", "bias toward the first position", "logits", low=-5, high=5, default=0.0),
        Parameter("tie_band", "how readily the judge says tie", "logits", low=0, high=5, default=0.5),
    )
    blocks = (Block("n_pairs", VERDICT_PAIRS),)
    projections: ClassVar = {
        f"{side}_{name}": dict.fromkeys(classes, 1)
        for side, table in (("wins", WINS), ("losses", LOSSES))
        for name, classes in table.items()
    }
    kernel = Kernel(
        "simstudy.scenarios.win_rate.kernel:simulate",
        (),
        "simstudy.scenarios.win_rate.kernel:cases",
        ("x", "verdict_1", "verdict_2"),
    )
    methods = tuple(protocol(name) for name in WINS)
    default_methods = tuple(WINS)
    units: ClassVar = {
        **{f"lead_{name}": (f"wins minus losses of B, {name}", "proportion") for name in WINS},
        "judge_calls": ("readings by the judge", "calls"),
    }

    def estimand(self, values):
        return values["strength"]

    def null(self, values):
        return 0.0

    def law(self, values):
        return (tuple(law_at(values).tolist()),)

    def kernel_arguments(self, values, alphas, alternative):
        return values["n_pairs"], values["strength"], 1.0, values["beta"], values["tie_band"]

    def truth(self, values):
        law = dict(zip(VERDICT_PAIRS, law_at(values), strict=True))
        return {f"lead_{n}": sum(law[c] for c in WINS[n]) - sum(law[c] for c in LOSSES[n]) for n in WINS}
