"""What the experiments with scenario self_preference show."""

from __future__ import annotations

from experiments.figures import Figure, Finding, Label, each

METHODS = ["judge_mcnemar_exact", "judge_mcnemar_midp", "gap_z", "gap_t", "sign_flip_exact"]
WRONG: dict[str, Label] = {"n_pairs": 140, "method": "gap_or"}
RIGHT: dict[str, Label] = {"n_pairs": 140, "method": "gap_z"}
SPREAD: dict[str, Label] = {"judge_pair_sd": 2.0}
FINDINGS: dict[str, Finding] = {
    "self_preference": Finding(
        "A bonus of one logit, which raises the own system's win rate by {0}, is seen in {1} of probes of 14 pairs "
        "with mid-p McNemar and in {2} with the t test of the gap, on 140 pairs in {3} and {4}; exact McNemar gives {5}"
        " there and the exact sign flips {6}.",
        [
            Figure("gap", {"n_pairs": 140, "bonus": 1.0}, digits=4),
            *(
                Figure("power", {"n_pairs": n, "bonus": 1.0, "method": method}, digits=4)
                for n in (14, 140)
                for method in ("judge_mcnemar_midp", "gap_t")
            ),
            *each("power", "method", ["judge_mcnemar_exact", "sign_flip_exact"], 4, n_pairs=140, bonus=1.0),
        ],
    ),
    "self_preference_published": Finding(
        "On 140 pairs the OR of the verdicts shows a gap of {0} and {1} at bonus .5 and 1 and sees it in {2} and {3} "
        "of probes; the sum shows {4} and {5} and sees it in {6} and {7}.",
        [
            *each("estimate_mean", "bonus", [0.5, 1.0], 4, **WRONG),
            *each("power", "bonus", [0.5, 1.0], 4, **WRONG),
            *each("estimate_mean", "bonus", [0.5, 1.0], 4, **RIGHT),
            *each("power", "bonus", [0.5, 1.0], 4, **RIGHT),
        ],
    ),
    "self_preference_pair_sd": Finding(
        "Those that take the pair as their unit: on 140 pairs at judge_pair_sd 2 the t test of the gap rejects {0}, "
        "the z test {1} and the sign flips {2}, but exact McNemar {3}, mid-p {4}, and the z test of verdicts added as"
        " booleans {5}.",
        each("power", "method", [*METHODS[3:1:-1], METHODS[4], *METHODS[:2], "gap_or"], 4, **SPREAD),
        "Type I error rate",
    ),
    "self_preference_size": Finding(
        "A bonus of .5 takes {0} pairs with mid-p McNemar, {1} with the t test of the gap and {2} with exact McNemar, "
        "a bonus of 1 takes {3}, {4} and {5}; where no answer is better than the other, judges are least sure and a "
        "bonus turns most verdicts, mid-p takes {6} and {7} pairs, about a third.",
        [
            *(
                Figure("answer", {"bonus": bonus, "tied": 0.0, "method": method}, digits=0)
                for bonus in (0.5, 1.0)
                for method in ("judge_mcnemar_midp", "gap_t", "judge_mcnemar_exact")
            ),
            *each("answer", "bonus", [0.5, 1.0], 0, tied=1.0, method="judge_mcnemar_midp"),
        ],
    ),
    "self_preference_mde": Finding(
        "With mid-p McNemar and power .80 a probe of 10, 14, 60, 140 and 300 pairs sees bonuses from {0}, {1}, {2}, {3}"
        " and {4} logits on, and one of 5 pairs or fewer sees none, however large; where half the pairs are tied it "
        "sees them from {5}, {6}, {7}, {8} and {9} on.",
        [
            Figure("answer", {"n_pairs": n, "tied": tied, "method": "judge_mcnemar_midp"}, digits=2)
            for tied in (0.0, 0.5)
            for n in (10, 14, 60, 140, 300)
        ],
    ),
}
