"""Published figures of scenarios paired, clustered, independent and proportion, through the public questions.

Sources: Card et al. 2020 (arXiv:2010.06595), Miller 2024 (arXiv:2411.00640), Bowyer, Aitchison & Ivanova 2025
(arXiv:2503.01747), and tables that two independent programs computed exactly. Figures are compared to half a unit of
their last printed digit unless a tolerance says otherwise.
"""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

import simstudy
from simstudy.stats import n_paired_mean, n_two_proportions

DIGITS_3, DIGITS_4 = 0.5e-3, 0.5e-4
LESSON = {"logit_a": 0.847, "logit_b": 1.386, "difficulty_sd": [0, 1.5, 3]}
MCNEMAR = "mcnemar_exact,mcnemar_midp"


def power(scenario, method, **parameters):
    return simstudy.power_curve(scenario, method=method, engine="exact", **parameters)


# ---------------------------------------------------------------------------------------------------------- paired


def test_power_of_the_lesson():
    found = power("paired", MCNEMAR + ",unpaired_z", n_cases=100, **LESSON)
    assert found["accuracy_a"].values == pytest.approx([0.6999, 0.6460, 0.5963], abs=DIGITS_4)
    assert found["accuracy_b"].values == pytest.approx([0.8000, 0.7295, 0.6550], abs=DIGITS_4)
    expected = [[0.3105, 0.3631, 0.3708], [0.2513, 0.3032, 0.2125], [0.1734, 0.2219, 0.0553]]
    assert found["power"].values == pytest.approx(np.array(expected), abs=DIGITS_4)


def test_the_published_simulation_differs_by_its_monte_carlo_error_alone():
    """Six printed rates of 1000 trials each: the chance that any is 4.5 standard errors away is 4e-5."""
    exact = power("paired", "unpaired_z,mcnemar_exact", n_cases=100, **LESSON)["power"].values
    printed = np.array([[0.396, 0.328], [0.220, 0.257], [0.054, 0.176]])
    assert (np.abs(printed - exact) <= 4.5 * np.sqrt(exact * (1 - exact) / 1000)).all()


def test_sizes_of_the_lesson():
    found = simstudy.size("paired", method=MCNEMAR, **LESSON)
    assert found["answer"].values.tolist() == [[313, 295], [375, 354], [534, 503]]


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (36, [[0.2606, 0.2468], [0.2474, 0.2304], [0.2274, 0.2058]]),
        (100, [[0.1712, 0.1637], [0.1537, 0.1461], [0.1293, 0.1216]]),
        (400, [[0.0887, 0.0866], [0.0772, 0.0750], [0.0637, 0.0615]]),
        (1251, [[0.0508, 0.0500], [0.0437, 0.0430], [0.0357, 0.0350]]),
    ],
)
def test_minimum_detectable_effects(n, expected):
    found = simstudy.mde("paired", n_cases=n, accuracy_a=0.7, difficulty_sd=[0, 1.5, 3], method=MCNEMAR)
    assert found["answer"].values == pytest.approx(np.array(expected), abs=DIGITS_4)


def test_sizes_for_seventy_against_seventy_five_percent():
    found = simstudy.size("paired", accuracy_a=0.7, difference=0.05, difficulty_sd=[0, 1.5, 3], method=MCNEMAR)
    assert found["answer"].values[:, 0].tolist() == [1291, 956, 644]
    assert found["answer"].values[1, 1] == 918
    cells = power("paired", "mcnemar_exact", n_cases=1, accuracy_a=0.7, difference=0.05, difficulty_sd=1.5)
    discordance, difference = cells["discordance"].item(), 0.05
    assert (discordance - difference) / 2 == pytest.approx(0.12208, abs=5e-6)
    assert (discordance + difference) / 2 == pytest.approx(0.17208, abs=5e-6)


def test_the_discordance_and_not_the_accuracy_sets_the_size():
    found = simstudy.size(
        "paired", accuracy_a=0.7, difference=0.05, discordance=[0.375, 0.15, 0.07], method="mcnemar_midp"
    )
    assert found["answer"].values[:, 0].tolist() == [1173, 461, 199]
    # another accuracy, the same sizes
    other = simstudy.size("paired", accuracy_a=0.5, difference=0.05, discordance=[0.375, 0.15], method="mcnemar_midp")
    assert other["answer"].values[:, 0].tolist() == [1173, 461]


def test_size_of_the_unpaired_test_on_paired_data():
    found = power("paired", "unpaired_z", n_cases=100, accuracy_a=0.7, difference=0, difficulty_sd=[0, 1.5, 3])
    assert found["power"].values[:2, 0] == pytest.approx([0.051, 0.022], abs=DIGITS_3)
    assert found["power"].values[2, 0] == pytest.approx(0.0048, abs=DIGITS_4)


# ------------------------------------------------------------------------------------------------------- clustered

# The specification printed rates of 20,000 replications or so to three digits: both sides err. The margin is
# z·√(2 standard errors²) at 20,000 replications plus the rounding; z = 4.6 gives a false-alarm rate of 4e-6 for each
# of 11 comparisons. A rate off by .012 or more is found.
CLUSTER_REPLICATIONS = 20_000
CLUSTER_Z = 4.6


def close(found, printed):
    se = math.sqrt(2 * printed * (1 - printed) / CLUSTER_REPLICATIONS)
    return abs(found - printed) <= CLUSTER_Z * se + DIGITS_3


@pytest.mark.parametrize(
    ("clusters", "printed"),
    [
        (20, {"paired_z": 0.111, "mcnemar_exact": 0.075, "cluster_z": 0.064, "cluster_t": 0.051, "flip": 0.034}),
        (50, {"paired_z": 0.108, "mcnemar_exact": 0.087, "cluster_z": 0.056, "cluster_t": 0.050, "flip": 0.040}),
    ],
)
def test_size_with_clusters(clusters, printed):
    names = {name: "cluster_sign_flip" if name == "flip" else name for name in printed}
    found = simstudy.power_curve(
        "clustered",
        n_clusters=clusters,
        cluster_size=5,
        accuracy_a=0.7,
        difference=0,
        difficulty_sd=1.5,
        cluster_sd=1,
        cluster_interaction_sd=1,
        replications=CLUSTER_REPLICATIONS,
        seed=20,
        method=list(names.values()),
    )
    for i, (name, value) in enumerate(printed.items()):
        assert close(found["power"].values[i], value), name


def test_a_shared_cluster_effect_cancels_in_the_paired_difference():
    found = simstudy.power_curve(
        "clustered",
        n_clusters=20,
        cluster_size=5,
        accuracy_a=0.7,
        difference=0,
        difficulty_sd=1.5,
        cluster_sd=2,
        replications=CLUSTER_REPLICATIONS,
        seed=21,
        method="paired_z",
    )
    assert close(found["power"].item(), 0.054)


# ----------------------------------------------------------------------------------------------------- independent


@pytest.mark.parametrize(
    ("difference", "n", "corrected", "true_power"),
    [(0.05, 1251, 1291, 0.800), (0.1, 294, 313, 0.803), (0.2, 62, 72, 0.810)],
)
def test_closed_form_sizes_and_their_true_power(difference, n, corrected, true_power):
    assert n_two_proportions(0.7, 0.7 + difference) == n
    assert n_two_proportions(0.7, 0.7 + difference, corrected=True) == corrected
    found = power("independent", "z_pooled", n_per_system=n, accuracy_a=0.7, difference=difference)
    assert found["power"].item() == pytest.approx(true_power, abs=DIGITS_3)


# ------------------------------------------------------------------------------------------------------ proportion


def test_coverage_of_one_proportion():
    found = power("proportion", "wald,wilson", n_cases=36, accuracy=0.7)
    assert found["coverage"].values == pytest.approx([0.9245, 0.9565], abs=DIGITS_4)


def test_the_least_coverage_of_wilson():
    """Coverage falls as p grows to the upper end of a flat stretch: the infimum lies just left of a lower limit."""
    grid = np.arange(0.0001, 0.5, 0.0004)
    near = grid[power("proportion", "wilson", n_cases=36, accuracy=grid)["coverage"].values[:, 0].argmin()]
    fine = np.linspace(near - 4e-4, near + 4e-4, 801)
    closer = power("proportion", "wilson", n_cases=36, accuracy=fine)["coverage"].values[:, 0]
    assert closer.min() == pytest.approx(0.8373, abs=DIGITS_4)
    assert fine[closer.argmin()] == pytest.approx(0.0049, abs=5e-5)


@pytest.mark.parametrize(("n", "average"), [(10, 0.769), (30, 0.875), (100, 0.922), (300, 0.939)])
def test_average_coverage_of_wald_over_uniform_accuracies(n, average):
    middles = (np.arange(700) + 0.5) / 700
    found = power("proportion", "wald", n_cases=n, accuracy=middles)["coverage"].values[:, 0]
    assert found.mean() == pytest.approx(average, abs=DIGITS_3)


# -------------------------------------------------------------------------------- Card, Miller, Bowyer; sign tests


def test_card_high_agreement():
    """Accuracy .80, agreement .975, difference .02, 500 cases; printed .800 and 1.118 by simulation."""
    found = power("paired", "mcnemar_exact", n_cases=500, accuracy_a=0.8, difference=0.02, discordance=0.025)
    assert found["power"].item() == pytest.approx(0.7976, abs=DIGITS_4)
    assert found["type_m"].item() == pytest.approx(1.1158, abs=DIGITS_4)


def test_card_least_agreement():
    """.70 against .72 with as much discordance as can be, 1000 cases; printed .119, 3.004 and .022 by simulation."""
    found = power("paired", "mcnemar_exact", n_cases=1000, accuracy_a=0.7, difference=0.02, discordance=0.58)
    assert found["power_right"].item() == pytest.approx(0.1207, abs=DIGITS_4)
    assert found["power"].item() == pytest.approx(0.1230, abs=DIGITS_4)
    assert found["type_m"].item() == pytest.approx(2.997, abs=DIGITS_3)
    assert found["type_s"].item() == pytest.approx(0.0188, abs=DIGITS_4)


def test_binomial_against_one_half():
    """Every case discordant: McNemar's exact test is the two-sided binomial test of B's share."""
    found = power("paired", "mcnemar_exact", n_cases=[25, 100], accuracy_a=0.35, difference=0.3, discordance=1)
    assert found["power"].values[:, 0] == pytest.approx([0.3063, 0.8276], abs=DIGITS_4)
    assert found["power_right"].values[0, 0] == pytest.approx(0.3061, abs=DIGITS_4)


@pytest.mark.parametrize(
    ("win_rate", "first", "settled"), [(0.6, 158, 169), (0.7, 37, 42), (0.8, 18, 18), (0.9, 8, 11)]
)
def test_decisive_votes_of_a_sign_test(win_rate, first, settled):
    found = simstudy.size(
        "paired",
        accuracy_a=1 - win_rate,
        difference=2 * win_rate - 1,
        discordance=1,
        method="mcnemar_exact",
        alternative="greater",
    )
    assert (found["first"].item(), found["answer"].item()) == (first, settled)


def test_miller_questions_with_many_runs():
    assert n_paired_mean(1 / 9, 0.0, 0.0, math.inf, 0.03, 0.05, 0.8) == 969


# ------------------------------------------------------------------------------------------- the percentile bootstrap

SCORE_INTERVALS = "bootstrap_percentile,tango,bonett_price"


@pytest.mark.parametrize(("p10", "p01", "coverage"), [(1e-12, 0.05, 0.834), (0.02, 0.08, 0.910)])
def test_the_bootstrap_fails_with_few_and_one_sided_discordant_cases(p10, p01, coverage):
    found = power(
        "paired",
        "bootstrap_percentile",
        n_cases=36,
        accuracy_a=0.5,
        difference=p01 - p10,
        discordance=p10 + p01,
    )
    assert found["coverage"].item() == pytest.approx(coverage, abs=DIGITS_3)


def bootstrap_table(differences):
    """Coverage by difference, at 14 expected discordant cases of 36."""
    found = power("paired", SCORE_INTERVALS, n_cases=36, accuracy_a=0.55, difference=differences, discordance=14 / 36)
    return found["coverage"].values


@pytest.mark.slow
def test_the_bootstrap_covers_about_the_level_with_enough_discordant_cases():
    """Printed: .930 to .964, mean .944; Tango .949, Newcombe .951, Bonett–Price .957.

    Coverage of a lattice statistic jumps where the true difference is a multiple of 1/36, because a limit then meets
    it. A mean over differences therefore depends on how many of them are such multiples: over all differences the
    mean is .939, over multiples of 1/36 .956. The printed figures mix the two; multiples of 1/144, of which one in
    four is a multiple of 1/36, come within .001 of them.
    """
    mixed = bootstrap_table(np.arange(56) / 144)
    assert mixed[:, 0].min() == pytest.approx(0.930, abs=DIGITS_3)
    assert mixed[:, 0].max() == pytest.approx(0.964, abs=DIGITS_3)
    assert mixed[:, 0].mean() == pytest.approx(0.944, abs=1e-3)
    assert mixed[:, 1:].mean(axis=0) == pytest.approx([0.949, 0.957], abs=DIGITS_3)
    generic = bootstrap_table(np.linspace(0.0001, 0.3885, 70))[:, 0]
    assert generic.mean() == pytest.approx(0.939, abs=1e-3)
    lattice = bootstrap_table(np.arange(14) / 36)[:, 0]
    assert lattice.mean() == pytest.approx(0.956, abs=DIGITS_3)


@pytest.mark.slow
def test_newcombe_covers_the_level_too():
    """Its interval also reads the cases that both answer right; .951 is its mean where they are half of the rest."""
    coverage = [
        power("paired", "newcombe", n_cases=36, accuracy_a=0.5 - d / 2, difference=d, discordance=14 / 36)["coverage"]
        for d in np.arange(56) / 144
    ]
    assert np.mean(coverage) == pytest.approx(0.951, abs=1e-3)


def test_the_jump_of_coverage_at_a_multiple_of_one_case():
    """The same law by SciPy: at 1/36 a limit meets the difference, at 1/36 ± 1e-6 it does not."""
    at, above, below = bootstrap_table(1 / 36 + np.array([0.0, 1e-6, -1e-6]))[:, 0]
    assert at == pytest.approx(0.9527, abs=DIGITS_4)
    assert above == pytest.approx(0.9368, abs=DIGITS_4)
    assert below == pytest.approx(0.9342, abs=DIGITS_4)
    n10, n01 = np.indices((37, 37))
    inside = n10 + n01 <= 36
    n10, n01 = n10[inside], n01[inside]
    for shift, expected in ((1e-6, above), (-1e-6, below)):
        difference = 1 / 36 + shift
        cells = [(14 / 36 - difference) / 2, (14 / 36 + difference) / 2, 22 / 36]
        weight = scipy_stats.multinomial.pmf(np.stack([n10, n01, 36 - n10 - n01], axis=1), 36, cells)
        covered = []
        for a, b in zip(n10, n01, strict=True):
            step = np.array([a, 36 - a - b, b]) / 36
            law = np.ones(1)
            for _ in range(36):
                law = np.convolve(law, step)
            cdf = np.cumsum(law) * (1 + 1e-11)
            low, high = (np.searchsorted(cdf, q) - 36 for q in (0.025, 0.975))
            covered.append(low / 36 <= difference <= high / 36)
        assert weight[covered].sum() == pytest.approx(expected, abs=1e-9)
