"""What the experiments with scenario win_rate show."""

from __future__ import annotations

from experiments.figures import Figure, Finding, each

METHODS = ["one_order", "consistent", "averaged"]
COUNTED = ["one_order", "averaged", "averaged_passes"]
# the truths of the experiment that has the same judge
UNBIASED = {"strength": 0.2, "beta": 0.0}

FINDINGS: dict[str, Finding] = {
    "win_rate": Finding(
        "Read in one order, a bias of the judge is a bias toward a system: B, which is shown second, is adopted in {0} "
        "where it is no stronger and the judge leans to the second by half a logit, in {1} where it is weaker by .3; "
        "leaning to the first as much the judge lets B pass in {2} at strength .5, where it passes in {3} without a "
        "bias. In both orders an equal B is adopted in {4} to {5} whatever the bias, and at strength .5 and beta .5 in "
        "{6} (consistent) and {7} (averaged).",
        [
            *each("power", "strength", [0.0, -0.3], beta=-0.5, method="one_order"),
            *each("power", "beta", [0.5, 0.0], strength=0.5, method="one_order"),
            Figure("power", {"strength": 0.0, "method": "consistent"}, "min"),
            Figure("power", {"strength": 0.0, "method": "averaged"}, "max"),
            *each("power", "method", METHODS[1:], strength=0.5, beta=0.5),
        ],
        "Probability of adopting B",
        ("power", "win_rate"),
    ),
    "win_rate_counting": Finding(
        "With a trial for each pair the test alone adopts an equal B in {0} (one order) and {1} (averaged) on 150 "
        "pairs, and in at most {2} and {3} on 25 to 600. With a trial for each reading it does in {4} and {5} on 150 "
        "and 400 pairs, and in {6} to {7} over the range: the two readings of a pair share its answers. The least "
        "win rate hides the mistake, since with two trials a pair it binds at half the pairs: on 400 the rule adopts "
        "in {8}, averaged in {9}.",
        [
            *each("adopt_by_test", "method", COUNTED[:2], n_pairs=150),
            *(Figure("adopt_by_test", {"method": method}, "max", 4) for method in COUNTED[:2]),
            *each("adopt_by_test", "n_pairs", [150, 400], method="averaged_passes"),
            *(Figure("adopt_by_test", {"method": "averaged_passes"}, of) for of in ("min", "max")),
            *each("power", "method", ["averaged_passes", "averaged"], n_pairs=400),
        ],
        "Adoption where neither is stronger",
        ("adopt_by_test", "power"),
    ),
    "win_rate_least": Finding(
        "From 302 decisive pairs on, and always from 321: on 300 pairs it takes nothing away. Read in one order B wins "
        "{0} of the pairs at strength .2, which is under .55, so that it is adopted less often on more pairs: in {1} "
        "on 300, {2} on 1000 and {3} on 4000, by the test alone in {4}, {5} and {6}. Averaged over both orders it wins "
        "{7} of the decisive pairs, and .55 takes {8} away on 500 pairs, {9} on 1000 and {10} on 4000.",
        [
            Figure("win_rate", {"method": "one_order"}, "mean"),
            *each("power", "n_pairs", [300, 1000, 4000], min_win_rate=0.55, method="one_order"),
            *each("power", "n_pairs", [300, 1000, 4000], min_win_rate=0.5, method="one_order"),
            Figure("win_rate", {"method": "averaged"}, "mean"),
            *each("blocked_by_rate", "n_pairs", [500, 1000, 4000], min_win_rate=0.55, method="averaged"),
        ],
        "Adoption by the test alone (.5) and by the rule (.55)",
        ("power", "blocked_by_rate"),
    ),
    "win_rate_calls": Finding(
        "Without a bias a second reading saves pairs and costs calls: at strength .3 power .80 takes {0} pairs in one "
        "order, {1} consistent and {2} averaged, which are {3}, {4} and {5} readings. At strength .2 the test alone "
        "takes {6}, {7} and {8} pairs; with .55 the first has no number, since B wins {9} of its decisive pairs, the "
        "second takes {10} still, and averaged, which also counts pairs won in one order and tied in the other, "
        "takes {11}: B wins {12} of its decisive pairs, and {13} of the consistent ones.",
        [
            *each("answer", "method", METHODS, 0, strength=0.3, min_win_rate=0.55),
            *each("judge_calls", "method", METHODS, 0, strength=0.3, min_win_rate=0.55),
            *each("answer", "method", METHODS, 0, strength=0.2, min_win_rate=0.5),
            Figure("win_rate_one_order", UNBIASED, digits=4, name="win_rate"),
            *each("answer", "method", METHODS[1:], 0, strength=0.2, min_win_rate=0.55),
            *(Figure(f"win_rate_{method}", UNBIASED, name="win_rate") for method in ("averaged", "consistent")),
        ],
        "Pairs, and readings by the judge, for power .80",
        ("answer", "judge_calls"),
        ("judge_calls",),
    ),
}
