"""What the experiments with scenario agreement show."""

from __future__ import annotations

from experiments.figures import Figure, Finding, each, extremes

GOOD, LAZY = {"sensitivity": 0.9, "specificity": 0.9}, {"sensitivity": 1.0, "specificity": 0.0}
PREVALENCES = [0.5, 0.7, 0.9]
FINDINGS: dict[str, Finding] = {
    "agreement_prevalence": Finding(
        "It falls: with sensitivity and specificity .9 the accuracy is {0} whatever the answers are, and kappa {1} "
        "where half of them are right, {2} at .8, {3} at .9 and {4} at .95. A judge that always says correct has "
        "accuracy {5} at .95, and kappa {6}.",
        [
            Figure("accuracy", {**GOOD, "prevalence": 0.5}),
            *each("kappa", "prevalence", [0.5, 0.8, 0.9, 0.95], **GOOD),
            Figure("accuracy", {**LAZY, "prevalence": 0.95}),
            Figure("kappa", {**LAZY, "prevalence": 0.95}),
        ],
        "Kappa and accuracy",
        ("kappa", "accuracy", "pabak", "said_correct"),
        ("kappa", "accuracy"),
    ),
    "agreement_size": Finding(
        "At most .025 would be right. The plain interval certifies {0} to {1} of such judges with 36 labels, {2} to "
        "{3} with 100 and {4} to {5} with 200; with one half added to each cell it is {6} to {7} over the sizes "
        "and prevalences looked at.",
        [
            *(
                Figure("power", {"n_labels": n, "method": "kappa_wald"}, of)
                for n in (36, 100, 200)
                for of in ("min", "max")
            ),
            *(Figure("power", {"method": "kappa_adjusted"}, of) for of in ("min", "max")),
        ],
        "Share certified at the threshold",
        ("power", "undefined", "interval_width"),
    ),
    "agreement_intervals": Finding(
        "The one with one half added to each cell: it covers {0} at least here. With 36 labels the plain interval "
        "covers {1}, {2} and {3} where .5, .7 and .9 of the answers are right, since it is undefined in {4}, {5} and "
        "{6} of the samples, for want of a disagreement as a rule, and lies askew in others; the bootstrap covers {7}, "
        "{8} and {9}.",
        [
            *extremes("coverage", "min", ["kappa_adjusted"]),
            *each("coverage", "prevalence", PREVALENCES, n_labels=36, method="kappa_wald"),
            *each("undefined", "prevalence", PREVALENCES, n_labels=36, method="kappa_wald"),
            *each("coverage", "prevalence", PREVALENCES, n_labels=36, method="kappa_bootstrap"),
        ],
        "Coverage",
        ("coverage", "interval_width", "undefined"),
    ),
    "agreement_labels": Finding(
        "At kappa .6 some thousand (simulated, 95% intervals: {0} to {1} where half the answers are right, {2} to {3} "
        "where .7 are) and twice as many where .9 are right ({4} to {5}); 200 labels give a width of {6}, {7} and {8}.",
        [
            *(
                Figure(end, {"prevalence": p, "kappa": 0.6, "method": "kappa_adjusted"}, digits=0)
                for p in PREVALENCES
                for end in ("low", "high")
            ),
            *(
                Figure(
                    "interval_width",
                    {"n_labels": 200, "prevalence": p, "method": "kappa_adjusted"},
                    name="agreement_size",
                )
                for p in PREVALENCES
            ),
        ],
    ),
    "agreement_certify": Finding(
        "With one half added to each cell a judge of kappa .8 takes {0}, {1} and {2} labels where .5, .7 and .9 of the "
        "answers are right, one of kappa .9 {3}, {4} and {5}. The plain interval seems to need fewer at kappa .8 ({6}, "
        "{7} and {8}) because it certifies too often, and needs more at .9 ({9}, {10} and {11}) because it is "
        "undefined where the judge disagrees with no label.",
        [
            *each("answer", "prevalence", PREVALENCES, 0, kappa=0.8, method="kappa_adjusted"),
            *each("answer", "prevalence", PREVALENCES, 0, kappa=0.9, method="kappa_adjusted"),
            *each("answer", "prevalence", PREVALENCES, 0, kappa=0.8, method="kappa_wald"),
            *each("answer", "prevalence", PREVALENCES, 0, kappa=0.9, method="kappa_wald"),
        ],
    ),
}
