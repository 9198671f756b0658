"""What the experiments with a judge that rewards length show."""

from __future__ import annotations

from experiments.figures import Figure, Finding, each

SIZE = "Type I error rate"
COVERAGE = "Coverage"
FINDINGS: dict[str, Finding] = {
    "verbosity": Finding(
        "With 14 cases in six versions .2 points per doubling are found with probability {0} by the mean slope and {1} "
        "by the interval regression, −.4 all but surely; with five cases at the ceiling the regression is undefined in "
        "{2} of the studies at .6, so that its power, {3} at .4, rises no further ({4}), and the mean slope has {5}.",
        [
            *each("power", "method", ["slope_t", "interval_regression"], n_cases=14, gamma=0.2),
            Figure("undefined", {"n_cases": 5, "gamma": 0.6, "method": "interval_regression"}),
            *each("power", "gamma", [0.4, 0.6], n_cases=5, method="interval_regression"),
            Figure("power", {"n_cases": 5, "gamma": 0.6, "method": "slope_t"}),
        ],
        shows=("power", "undefined", "bias"),
    ),
    "verbosity_ceiling": Finding(
        "At .6 points per doubling {0} of the scores are at 5 and the mean slope aims at {1}, at 1.0 at no more ({2}): "
        "its interval holds that slope ({3} with 14 cases at .6) but not .6 ({4}); interval regression, which knows "
        "the ceiling, holds .6 with {5}, with 30 cases {6}, at a bias of {7}; at −.6, far from the ceiling, the mean "
        "slope holds it too ({8}).",
        [
            Figure("share_at_5", {"gamma": 0.6}),
            *each("slope_mean", "gamma", [0.6, 1.0]),
            Figure("coverage_own", {"gamma": 0.6, "method": "slope_t"}),
            Figure("coverage", {"gamma": 0.6, "method": "slope_t"}),
            Figure("coverage", {"gamma": 0.6, "method": "interval_regression"}),
            Figure("coverage", {"n_cases": 30, "gamma": 0.6, "method": "interval_regression"}, name="verbosity"),
            Figure("bias", {"gamma": 0.6, "method": "interval_regression"}, digits=4),
            Figure("coverage", {"gamma": -0.6, "method": "slope_t"}),
        ],
        COVERAGE,
        ("coverage", "coverage_own", "bias"),
    ),
    "verbosity_bootstrap": Finding(
        "The percentile interval of cases drawn with multiplicity covers {0}, {1} and {2} with 5, 14 and 100 cases, so "
        "that it needs some 50; that of cases drawn as a set covers {3}, {4} and {5} and never recovers, since it is "
        "{6} wide where the t interval is {7} (14 cases); t covers {8}, {9} and {10}.",
        [
            *each("coverage", "n_cases", [5, 14, 100], method="cluster_bootstrap"),
            *each("coverage", "n_cases", [5, 14, 100], method="set_bootstrap"),
            *each("interval_width", "method", ["set_bootstrap", "slope_t"], n_cases=14),
            *each("coverage", "n_cases", [5, 14, 100], method="slope_t"),
        ],
        COVERAGE,
        ("coverage", "interval_width"),
    ),
    "verbosity_case_sd": Finding(
        "With 14 cases the slopes within cases hold .05 at any case_sd (mean slope {0} to {1}, pooled slope {2} at 1), "
        "and so does the case-robust interval regression ({3} at 1); the plain one takes what the scores of a case "
        "share for noise and rejects {4} at case_sd .5 and {5} at 1.",
        [
            *(Figure("power", {"n_cases": 14, "method": "slope_t"}, of) for of in ("min", "max")),
            *each(
                "power",
                "method",
                ["cluster_sandwich", "interval_regression_robust"],
                n_cases=14,
                case_sd=1.0,
            ),
            *each("power", "case_sd", [0.5, 1.0], n_cases=14, method="interval_regression"),
        ],
        SIZE,
    ),
    "verbosity_mde": Finding(
        "With the t test of the mean slope {0}, {1}, {2} and {3} points per doubling with 8, 14, 30 and 100 right "
        "answers in six versions each; with the case-robust interval regression {4}, {5} and {6} from 14 cases on.",
        [
            *each("answer", "n_cases", [8, 14, 30, 100], 2, method="slope_t"),
            *each("answer", "n_cases", [14, 30, 100], 2, method="interval_regression_robust"),
        ],
    ),
}
