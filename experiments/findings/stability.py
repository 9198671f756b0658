"""What the experiment with scenario stability shows."""

from __future__ import annotations

from experiments.figures import Figure, Finding, each

PLACE = 2
FINDINGS: dict[str, Finding] = {
    "stability": Finding(
        "At mean logit 1.5 and prompt_sd 2 {0} of the prompts get both verdicts in 2 repetitions, {1} in 5 and {2} in "
        "21: the share of unstable prompts says little without the number of repetitions, while two verdicts on one "
        "prompt differ with probability {3} however many there are. A single verdict is not the prompt's likelier one "
        "with probability {4}, a majority of 5 with {5} and of 21 with {6}; an error of .05 takes {7} repetitions, at "
        "prompt_sd 0 only {8}.",
        [
            *each("unstable_share", "repetitions", [2, 5, 21], prompt_sd=2.0),
            Figure("pair_disagreement", {"repetitions": 5, "prompt_sd": 2.0}),
            # an even number errs as often as the odd number before it: two as often as one
            *each("majority_error", "repetitions", [2, 5, 21], prompt_sd=2.0),
            *each("repetitions_needed", "prompt_sd", [2.0, 0.0], 0, repetitions=5),
        ],
        "Unstable prompts and errors of the majority",
        ("unstable_share", "majority_error", "minority_share", "pair_disagreement", "power"),
        ("unstable_share", "majority_error"),
    ),
}
