"""What the experiments with scenario position show."""

from __future__ import annotations

from experiments.figures import Figure, Finding, each

# four judges that are right on .80 of the verdicts at beta .5
EQUALLY_RIGHT = [
    {"ability": mean, "ability_sd": sd} for mean, sd in ((1.46, 0.0), (2.27, 2.0), (3.71, 4.0), (5.29, 6.0))
]

FINDINGS: dict[str, Finding] = {
    "position": Finding(
        "With 14 pairs hardly ever: at beta 1.2 the exact test of contradictions has power {0}, with 60 pairs {1}; "
        "mid-p has {2} and {3}. The share of the first position, tested as if all verdicts were independent, needs "
        "more: {4} with 60 pairs, and with 140 pairs {5} at beta .5, where the exact test has {6}.",
        [
            *each("power", "n_pairs", [14, 60], beta=1.2, method="contradiction_exact"),
            *each("power", "n_pairs", [14, 60], beta=1.2, method="contradiction_midp"),
            Figure("power", {"n_pairs": 60, "beta": 1.2, "method": "first_share_z"}),
            *each("power", "method", ["first_share_z", "contradiction_exact"], n_pairs=140, beta=0.5),
        ],
    ),
    "position_mde": Finding(
        "At ability 2.5 and power .80 the mid-p test sees no bias below {0} logits in 14 pairs, {1} in 60, {2} in 140 "
        "and {3} in 1000; a judge that tells the answers apart better contradicts itself less and hides its bias: with "
        "140 pairs {4} at ability 1 and {5} at 4.",
        [
            *each("answer", "n_pairs", [14, 60, 140, 1000], 2, method="contradiction_midp", ability=2.5),
            *each("answer", "ability", [1.0, 4.0], 2, method="contradiction_midp", n_pairs=140),
        ],
    ),
    "position_flips": Finding(
        "At ability 2.5 a judge without bias flips on {0} of the pairs, and at beta 1.2 and 2 on {1} and {2}; where X "
        "is shown first it wins {3}, {4} and {5}, over both orders {6}, {7} and {8}. At beta 1.2 position makes {9} of "
        "the lead that pass AB shows, at ability .5 {10}. Both orders remove what position adds and still understate "
        "the .7: a contradiction counts half, and an error for Y.",
        [
            *each("flip_rate", "beta", [0.0, 1.2, 2.0], ability=2.5),
            *each("win_rate_one_order", "beta", [0.0, 1.2, 2.0], ability=2.5),
            *each("win_rate_both", "beta", [0.0, 1.2, 2.0], ability=2.5),
            *each("lead_from_position", "ability", [2.5, 0.5], beta=1.2),
        ],
        "Flips, shares and win rates",
        (
            "flip_rate",
            "flip_rate_floor",
            "first_position_share",
            "win_rate_one_order",
            "win_rate_both",
            "win_rate_true",
            "lead_from_position",
        ),
        ("flip_rate", "first_position_share", "win_rate_one_order", "win_rate_both", "win_rate_true"),
    ),
    "position_ties": Finding(
        "N1 against N2 do: at ability .5 and tie_band 1 their estimate is biased by {0}, at ability 2.5 by {1}, and "
        "its interval covers {2} and {3}. The same letter twice, (A, A) against (B, B), aims at {4} and {5} instead of "
        "1.2; at ability .5 its interval covers beta in {6}, and what it aims at in {7}. The log odds of the first "
        "position aim at {8} and {9}, above the bias or far below it, as ability and ties will have it.",
        [
            *each("bias", "ability", [0.5, 2.5], 4, tie_band=1.0, method="contradiction_midp"),
            *each("coverage", "ability", [0.5, 2.5], tie_band=1.0, method="contradiction_midp"),
            *each("beta_strict", "ability", [0.5, 2.5], 2, tie_band=1.0),
            *(
                Figure(variable, {"tie_band": 1.0, "method": "contradiction_strict", "ability": 0.5})
                for variable in ("coverage", "coverage_own")
            ),
            *each("beta_share", "ability", [0.5, 2.5], 2, tie_band=1.0),
        ],
        "Bias of the estimated position bias",
        ("bias", "coverage", "coverage_own", "unbounded", "beta_strict", "beta_share"),
    ),
    "position_spread": Finding(
        "Four judges are right on {0} of the verdicts: with ability 1.46 on every pair, or with a standard deviation "
        "of 2, 4 or 6 around 2.27, 3.71 or 5.29. They contradict themselves on {1}, {2}, {3} and {4} of the pairs, and "
        "mid-p sees the bias with power {5}, {6}, {7} and {8}. At a fixed mean it may go the other way, since spread "
        "puts easy pairs in doubt: around 3.71 power is {9} without it, {10} at 3 and {11} at 8.",
        [
            Figure("win_rate_both", {"ability": 1.46, "ability_sd": 0.0}, digits=2),
            *(Figure("flip_rate", judge) for judge in EQUALLY_RIGHT),
            *(Figure("power", {**judge, "method": "contradiction_midp"}) for judge in EQUALLY_RIGHT),
            *each("power", "ability_sd", [0.0, 3.0, 8.0], ability=3.71, method="contradiction_midp"),
        ],
        "Flips and power by the spread of abilities",
        ("flip_rate", "flip_rate_floor", "win_rate_both", "power"),
        ("flip_rate", "flip_rate_floor", "win_rate_both"),
    ),
}
