"""What the experiments with two systems, and with one accuracy, show."""

from __future__ import annotations

from experiments.figures import Figure, Finding, Label, each, extremes

PLACE = 0
SIZE = "Type I error rate"
COVERAGE = ("coverage", "interval_width")
LESSON: dict[str, Label] = {"n_cases": 100, "difference": 0.1}
SHARED: dict[str, Label] = {"difficulty_sd": 1.5, "method": "mcnemar_exact"}
SDS = [0.0, 1.5, 3.0]
FINDINGS: dict[str, Finding] = {
    "paired_lesson": Finding(
        "At fixed logits the power of exact McNemar falls from {0} at difficulty_sd 0 over {1} at 1.5 to {2} at 3, "
        "because the difference of the accuracies itself shrinks from {3} to {4}; the unpaired z, which ignores the "
        "pairing, falls from {5} to {6}.",
        [
            *each("power", "difficulty_sd", SDS, 4, method="mcnemar_exact"),
            *each("difference", "difficulty_sd", [0.0, 3.0], 4),
            *each("power", "difficulty_sd", [0.0, 3.0], 4, method="unpaired_z"),
        ],
    ),
    "paired_lesson_size": Finding(
        "Power .80 takes {0}, {1} and {2} cases with exact McNemar at difficulty_sd 0, 1.5 and 3, and {3}, {4} and "
        "{5} with mid-p.",
        [
            *each("answer", "difficulty_sd", SDS, 0, method="mcnemar_exact"),
            *each("answer", "difficulty_sd", SDS, 0, method="mcnemar_midp"),
        ],
    ),
    "paired": Finding(
        "At fixed accuracies shared difficulty helps every paired test (.70 against .80 on 100 cases, exact McNemar: "
        "{0}, {1} and {2} at difficulty_sd 0, 1.5 and 3) and does harm only to the test that ignores it (unpaired z: "
        "{3}, {4} and {5}).",
        [
            *each("power", "difficulty_sd", SDS, n_cases=100, difference=0.1, method="mcnemar_exact"),
            *each("power", "difficulty_sd", SDS, n_cases=100, difference=0.1, method="unpaired_z"),
        ],
    ),
    "paired_engines": Finding(
        "It does: for .70 against .80 on 100 cases 20,000 replications of every case give power {0} (exact {1}) for "
        "exact McNemar and {2} (exact {3}) for mid-p.",
        [
            Figure("power", {**LESSON, **more, "method": method}, digits=4, name=name)
            for method in ("mcnemar_exact", "mcnemar_midp")
            for name, more in (("", {}), ("paired", {"difficulty_sd": 1.5}))
        ],
    ),
    "paired_mde": Finding(
        "From .70, at difficulty_sd 1.5 and with power .80, exact McNemar sees no difference below {0} on 36 cases,"
        " {1} on 100, {2} on 400 and {3} on 1251 (mid-p: {4}, {5}, {6}, {7}): eleven times the cases, 400 for 36, "
        "see a difference a third as large.",
        [
            *each("answer", "n_cases", [36, 100, 400, 1251], difficulty_sd=1.5, method="mcnemar_exact"),
            *each("answer", "n_cases", [36, 100, 400, 1251], difficulty_sd=1.5, method="mcnemar_midp"),
        ],
    ),
    "paired_size": Finding(
        "With exact McNemar .70 against .75 takes {0}, {1} and {2} shared cases at difficulty_sd 0, 1.5 and 3, and "
        ".70 against .90 {3}, {4} and {5}.",
        [
            *each("answer", "difficulty_sd", SDS, 0, difference=0.05, method="mcnemar_exact"),
            *each("answer", "difficulty_sd", SDS, 0, difference=0.2, method="mcnemar_exact"),
        ],
    ),
    "paired_size_discordance": Finding(
        "The discordance: .70 against .75 takes {0} cases with mid-p McNemar where the systems disagree on .375 of "
        "them, {1} at .15 and {2} at .07.",
        each("answer", "discordance", [0.375, 0.15, 0.07], 0, method="mcnemar_midp"),
    ),
    "independent_size": Finding(
        "{0}, {1} and {2} cases for each system with the pooled z test, and {3}, {4} and {5} with Fisher's test; the "
        "same systems on shared cases of difficulty_sd 1.5 need {6}, {7} and {8} with exact McNemar.",
        [
            *each("answer", "difference", [0.05, 0.1, 0.2], 0, method="z_pooled"),
            *each("answer", "difference", [0.05, 0.1, 0.2], 0, method="fisher_exact"),
            *(Figure("answer", {**SHARED, "difference": d}, "value", 0, "paired_size") for d in (0.05, 0.1, 0.2)),
        ],
    ),
    "size_of_tests": Finding(
        "Exact McNemar always does, at a price (size {0} to {1} over all n and difficulties), and here mid-p does "
        "too ({2} at most); asymptotic McNemar exceeds .05 by little ({3}), paired z by far with few cases ({4}), "
        "and unpaired z hardly ever rejects where difficulty is shared ({5} at n 200 and difficulty_sd 3).",
        [
            *(Figure("power", {"method": "mcnemar_exact"}, of, 4) for of in ("min", "max")),
            *extremes("power", "max", ["mcnemar_midp", "mcnemar_chi2", "paired_z"], 4),
            Figure("power", {"method": "unpaired_z", "n_cases": 200, "difficulty_sd": 3.0}, digits=4),
        ],
        SIZE,
    ),
    "size_of_intervals": Finding(
        "The largest size over all n and difficulties is {0} for Bonett–Price, {1} for Newcombe, {2} for Tango and "
        "{3} for the ideal percentile bootstrap, but {4} for paired z; with 10 cases at difficulty_sd 3 the first "
        "four hardly reject at all ({5}, {6}, {7} and {8}).",
        [
            *extremes("power", "max", ["bonett_price", "newcombe", "tango", "bootstrap_percentile", "paired_z"]),
            *each(
                "power",
                "method",
                ["bonett_price", "newcombe", "tango", "bootstrap_percentile"],
                n_cases=10,
                difficulty_sd=3.0,
            ),
        ],
        SIZE,
    ),
    "margin_size": Finding(
        "At one-sided .05 Tango's non-inferiority test passes at most {0} of them, and Wald's up to {1}, most where "
        "all discordant cases favour A (discordance .05); for equivalence the largest shares are {2} and {3}.",
        extremes(
            "power",
            "max",
            ["noninferiority_tango", "noninferiority_wald", "equivalence_tango", "equivalence_wald"],
        ),
        "Share passed at a loss of the margin",
    ),
    "proportion_coverage": Finding(
        "Averaged over accuracies from .005 to .995 Wald covers {0}, {1}, {2} and {3} at n 10, 30, 100 and 300, and "
        "at n 36 as little as {4}; over the same accuracies at n 36 the average of Wilson is {5}, of Jeffreys {6}, of"
        " Agresti–Coull {7} and of Clopper–Pearson {8}.",
        [
            *(Figure("coverage", {"method": "wald", "n_cases": n}, "mean") for n in (10, 30, 100, 300)),
            Figure("coverage", {"method": "wald", "n_cases": 36}, "min"),
            *extremes("coverage", "mean", ["wilson", "jeffreys", "agresti_coull", "clopper_pearson"], n_cases=36),
        ],
        shows=COVERAGE,
    ),
    "proportion_intervals": Finding(
        "At n 36 Wilson and Jeffreys are right on average ({0} and {1}) but fall to {2} and {3} near 0 and 1, while"
        " Agresti–Coull never falls below {4} and Clopper–Pearson, never below {5}, covers {6} on average.",
        [
            *extremes("coverage", "mean", ["wilson", "jeffreys"], n_cases=36),
            *extremes("coverage", "min", ["wilson", "jeffreys", "agresti_coull", "clopper_pearson"], n_cases=36),
            *extremes("coverage", "mean", ["clopper_pearson"], n_cases=36),
        ],
        shows=COVERAGE,
    ),
    "paired_coverage": Finding(
        "All about nominally: over differences from −.36 to .36 the mean coverage is {0} for Tango, {1} for Newcombe,"
        " {2} for Bonett–Price, {3} for paired z and {4} for the ideal percentile bootstrap, which ranges from {5} to"
        " {6}, the highest at difference 0, a value that its limits hit exactly.",
        [
            *extremes("coverage", "mean", ["tango", "newcombe", "bonett_price", "paired_z", "bootstrap_percentile"]),
            *(Figure("coverage", {"method": "bootstrap_percentile"}, of) for of in ("min", "max")),
        ],
        "Coverage",
        COVERAGE,
    ),
    "paired_coverage_few": Finding(
        "With 36 cases the ideal percentile bootstrap covers {0} and with 20 cases {1}, where Tango covers {2} and "
        "{3}, and Newcombe {4} and {5}.",
        [
            Figure("coverage", {"method": method, "n_cases": n})
            for method in ("bootstrap_percentile", "tango", "newcombe")
            for n in (36, 20)
        ],
        "Coverage",
        COVERAGE,
    ),
    "paired_coverage_one_sided": Finding(
        "With 36 cases the ideal percentile bootstrap covers {0} and with 20 cases {1}, since it is [0, 0] where no "
        "case is discordant; Tango covers {2} and {3}, and Newcombe {4} and {5}.",
        [
            Figure("coverage", {"method": method, "n_cases": n}, digits=4)
            for method in ("bootstrap_percentile", "tango", "newcombe")
            for n in (36, 20)
        ],
        "Coverage",
        COVERAGE,
    ),
    "clustered_size": Finding(
        "With an interaction of system and source only cluster-robust t and the sign flips of clusters hold .05 with "
        "few clusters (20 clusters: {0} and {1}; 50: {2} and {3}); cluster-robust z rejects {4} and {5}, exact "
        "McNemar {6} and {7}, and paired z {8} and {9}, which more clusters do not cure.",
        [
            Figure("power", {"cluster_interaction_sd": 1.0, "n_clusters": n, "method": method})
            for pair, clusters in (
                (("cluster_t", "cluster_sign_flip"), (20, 50)),
                (("cluster_z",), (20, 50)),
                (("mcnemar_exact",), (20, 50)),
                (("paired_z",), (20, 50)),
            )
            for n in clusters
            for method in pair
        ],
        SIZE,
    ),
    "clustered_shared": Finding(
        "Next to none, since it cancels in the paired difference: paired z rejects {0} with 20 clusters and {1} with 50"
        " at cluster_sd 0, {2} and {3} at cluster_sd 2, where exact McNemar rejects {4} and {5}.",
        [
            Figure("power", {"cluster_sd": sd, "n_clusters": n, "method": method})
            for method, sd in (("paired_z", 0.0), ("paired_z", 2.0), ("mcnemar_exact", 2.0))
            for n in (20, 50)
        ],
        SIZE,
    ),
    "clustered_power": Finding(
        "With 50 clusters of five cases the power of cluster-robust t for .70 against .80 falls from {0} to {1} where"
        " each system has its own effect of the source; the sign flips of clusters have {2} and {3}.",
        [
            Figure("power", {"n_clusters": 50, "difference": 0.1, "cluster_interaction_sd": sd, "method": method})
            for method in ("cluster_t", "cluster_sign_flip")
            for sd in (0.0, 1.0)
        ],
    ),
}
