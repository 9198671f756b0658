"""What the experiments with scenario judged show."""

from __future__ import annotations

from experiments.figures import Figure, Finding, each

RISK = "Risk that the worse system is significantly better"
METHODS = ["labels_only", "rogan_gladen", "ppi_pp", "rogan_gladen_pooled"]
FINDINGS: dict[str, Finding] = {
    "judged_risk": Finding(
        "More cases help only where the judge errs alike on both: at .70 against .75 and .80 of B's right answers "
        "reworded the risk falls from {0} with 20 cases to {1} with 500 where rewording does not matter, but grows "
        "from {2} to {3}, and to {4} with 2000, where it adds .10 to the rejections, and from {5} to {6} where it "
        "adds .30.",
        [
            Figure("power_wrong", {"extra_fn": extra, "n_cases": n, "method": "mcnemar_midp"}, digits=4)
            for extra, n in ((0.0, 20), (0.0, 500), (0.1, 20), (0.1, 500), (0.1, 2000), (0.3, 20), (0.3, 500))
        ],
        RISK,
        ("power_wrong", "power_right"),
    ),
    "judged_risk_strict": Finding(
        "With 36, 100, 400 and 1251 cases it is {0}, {1}, {2} and {3} at difficulty_sd 0, and {4}, {5}, {6} and {7}"
        " at 3: what makes a paired test powerful makes it certain of the wrong answer.",
        [
            *each("power_wrong", "n_cases", [36, 100, 400, 1251], difficulty_sd=0.0, method="mcnemar_midp"),
            *each("power_wrong", "n_cases", [36, 100, 400, 1251], difficulty_sd=3.0, method="mcnemar_midp"),
        ],
        RISK,
        ("power_wrong", "power_right"),
    ),
    "judged_order": Finding(
        "With a judge that errs alike on both the order is wrong for {0} of 100-case studies and {1} of 2000-case "
        "ones, and where .80 of B's right answers are reworded for {2} and {3}; mid-p McNemar asserts the wrong "
        "order in {4} and {5} of the latter.",
        [
            Figure("power_wrong", {"reworded_b": reworded, "n_cases": n, "method": method})
            for reworded, method in ((0.0, "larger_score"), (0.8, "larger_score"), (0.8, "mcnemar_midp"))
            for n in (100, 2000)
        ],
        "Probability of deciding for the worse system",
        ("power_wrong", "power_right"),
    ),
    "judged_corrections": Finding(
        "With 100 labels of 400 cases the labels alone cover {0} with a standard deviation of {1}, Rogan–Gladen "
        "with each system's own rates {2} with {3} and tuned prediction-powered inference {4} with {5}; "
        "Rogan–Gladen with one pair of rates covers {6}, for it is off by {7} on average.",
        [
            *(
                Figure(variable, {"n_labels": 100, "method": method})
                for method in METHODS[:3]
                for variable in ("coverage", "empirical_se")
            ),
            Figure("coverage", {"n_labels": 100, "method": METHODS[3]}),
            Figure("bias", {"n_labels": 100, "method": METHODS[3]}),
        ],
        "Coverage",
        ("coverage", "empirical_se", "bias"),
    ),
    "judged_corrections_strict": Finding(
        "With 100 labels of 400 cases Rogan–Gladen with each system's own rates has twice the standard deviation of"
        " the labels alone ({0} against {1}), tuned prediction-powered inference {2}; Rogan–Gladen with one pair of"
        " rates covers {3}, being off by {4}.",
        [
            *each("empirical_se", "method", ["rogan_gladen", "labels_only", "ppi_pp"], n_labels=100),
            Figure("coverage", {"n_labels": 100, "method": METHODS[3]}, digits=4),
            Figure("bias", {"n_labels": 100, "method": METHODS[3]}),
        ],
        "Coverage",
        ("coverage", "empirical_se", "bias"),
    ),
    "judged_labels": Finding(
        "With 100 labels of 400 cases the standard deviation is {0} of the labels alone, and of tuned prediction-"
        "powered inference {1}, {2} and {3} with a judge that rejects none, .10 and .40 of the right answers. With "
        "20 labels its interval covers only {4} at .10. Rogan–Gladen beats the labels alone with 50 labels at .10 "
        "({5} against {6}), and not even with 200 at .20 ({7} against {8}).",
        [
            Figure("empirical_se", {"p_fn": 0.1, "n_labels": 100, "method": "labels_only"}, digits=4),
            *each("empirical_se", "p_fn", [0.0, 0.1, 0.4], 4, n_labels=100, method="ppi_pp"),
            Figure("coverage", {"p_fn": 0.1, "n_labels": 20, "method": "ppi_pp"}),
            *each("empirical_se", "method", ["rogan_gladen", "labels_only"], 4, p_fn=0.1, n_labels=50),
            *each("empirical_se", "method", ["rogan_gladen", "labels_only"], 4, p_fn=0.2, n_labels=200),
        ],
        "Standard deviation of the estimate",
        ("empirical_se", "coverage", "undefined"),
    ),
    "judged_budget": Finding(
        "On labels: with 100 labels tuned prediction-powered inference has a standard deviation of {0} on 200 "
        "cases, {1} on 400 and {2} on 1600, but on 400 cases {3} with 50 labels and {4} with 200; twice the labels "
        "gain more than four times the cases.",
        [
            *each("empirical_se", "n_cases", [200, 400, 1600], 4, n_labels=100, method="ppi_pp"),
            *each("empirical_se", "n_labels", [50, 200], 4, n_cases=400, method="ppi_pp"),
        ],
        "Standard deviation of the estimate",
        ("empirical_se", "judge_calls", "labels"),
    ),
}
