"""Simulated answers: how they scatter, and what simulation cannot tell."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

import simstudy
from simstudy import mde, size
from simstudy.solve import simulated
from simstudy.solve.search import MISSED, NOT_REACHED, UNTOLD
from simstudy.solve.simulated import T95, coverage_size
from tests.unit.solve.by_hand import ByHand, target

SEEDS = range(1, 17)
# (question, scenario, what is asked, engine, replications): cheap at this many seeds
SETTINGS = [
    (size, "paired", {"accuracy_a": 0.7, "difference": 0.2, "method": "mcnemar_midp"}, "full", 500),
    pytest.param(
        *(size, "paired", {"accuracy_a": 0.7, "difference": 0.2, "method": "mcnemar_midp"}, "counts", 500),
        marks=pytest.mark.slow,
    ),
    pytest.param(
        *(mde, "independent", {"n_per_system": 100, "accuracy_a": 0.7, "method": "z_pooled"}, "counts", 500),
        marks=pytest.mark.slow,
    ),
]


@pytest.mark.parametrize(("ask", "scenario", "asked", "engine", "replications"), SETTINGS)
def test_intervals_are_as_wide_as_answers_scatter(ask, scenario, asked, engine, replications):
    """Over 16 seeds: the mean standard error against the spread, and how many intervals hold the exact answer.

    The spread of 16 normal answers has a relative error of 18%, so that a ratio outside [.6, 2] comes up once in 600
    times; of 16 intervals that cover .95, fewer than 12 hold the truth with probability 1e-3.
    """
    exact = ask(scenario, engine="exact", **asked)["answer"].item()
    found = [ask(scenario, engine=engine, replications=replications, seed=seed, **asked) for seed in SEEDS]
    answers, low, high = (np.array([one[name].item() for one in found]) for name in ("answer", "low", "high"))
    half = (high - low).mean() / 2
    # both ends of a size are rounded up, which leaves the width as it is on average
    assert 0.6 <= half / T95 / answers.std(ddof=1) <= 2
    assert ((low <= exact) & (exact <= high)).sum() >= 12


def test_a_width_that_hardly_scatters_is_found_to_the_unit():
    asked = {"accuracy": 0.75, "method": "wilson", "target": "half_width=0.05"}
    exact = size("proportion", engine="exact", **asked)["answer"].item()
    for seed in (1, 2, 3):
        found = size("proportion", engine="counts", replications=2000, seed=seed, **asked)
        assert abs(found["answer"].item() - exact) <= 1
        assert found["low"].item() <= exact <= found["high"].item()


@pytest.mark.parametrize(
    ("scenario", "asked", "first", "kept", "seeds"),
    [
        ("proportion", {"accuracy": 0.3, "method": "wald"}, 8, 82, 1),
        pytest.param(
            "paired", {"accuracy_a": 0.7, "difference": 0.1, "method": "paired_z"}, 15, 26, 4, marks=pytest.mark.slow
        ),
    ],
)
def test_coverage_is_no_smooth_curve(scenario, asked, first, kept, seeds):
    """Coverage .93 is lost last just below ``kept`` (.92818 at 81), computed exactly; every seed holds that."""
    exact = size(scenario, target="coverage=.93", engine="exact", **asked)
    assert (exact["first"].item(), exact["answer"].item()) == (first, kept)
    for seed in range(seeds):
        found = size(scenario, target="coverage=.93", engine="counts", seed=seed, **asked)
        assert found["low"].item() <= kept <= found["high"].item()


def test_the_interval_of_a_coverage_goes_from_sure_to_sure():
    """Up to 50 surely below .95, by 50 errors; to 60 below and to 70 above it by half an error; then surely above."""

    class Simulated(ByHand):
        options = SimpleNamespace(replications=1000)

        def simulated(self, x, engine):
            return self.measure(x), 0.001

    def coverage(n):
        return 0.9 if n <= 50 else 0.9495 if n <= 60 else 0.9505 if n <= 70 else 0.99

    found = coverage_size(Simulated(coverage, target("coverage=0.95")), "counts", 1, 10**6)
    assert (found.low, found.answer, found.high) == (51, 61, 71)


@pytest.mark.parametrize(("replications", "largest"), [(1000, 100), (2000, 50)])
def test_units_that_one_evaluation_may_simulate_bound_the_sizes(monkeypatch, replications, largest):
    monkeypatch.setattr(simulated, "MOST_UNITS", 100_000)
    asked = {"accuracy_a": 0.7, "difference": 0.02, "method": "mcnemar_midp", "engine": "full"}
    found = size("paired", replications=replications, **asked)
    assert (found["reason"].item(), found["searched_to"].item()) == (MISSED, largest)


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_a_rate_at_its_end_counts_half_a_replication_inward(rate):
    curve = SimpleNamespace(target=target("0.8"), options=SimpleNamespace(replications=500))
    y, error = simulated._Fit(curve, "counts", True).straight(rate, 0.0)
    assert y == pytest.approx(stats.norm.ppf(0.001 if rate == 0.0 else 0.999))
    assert error == pytest.approx(0.001 / stats.norm.pdf(y))


def test_what_simulation_does_not_tell_is_said():
    """Wilson's interval covers .95 on average over p, so simulation cannot say where it stays above."""
    untold = size("proportion", accuracy=0.7, target="coverage=0.95", method="wilson", engine="counts", largest=300)
    assert untold["reason"].item() == UNTOLD
    missed = size("proportion", accuracy=0.7, target="coverage=0.99", method="wald", engine="counts", largest=10_000)
    assert missed["reason"].item() == MISSED


@pytest.mark.slow
def test_a_coverage_within_its_monte_carlo_error_is_not_followed_for_ever():
    found = size("proportion", accuracy=0.7, target="coverage=0.95", method="wilson", engine="counts", seed=2)
    assert found["reason"].item() == UNTOLD
    assert found["searched_to"].item() < 10**6


@pytest.mark.slow
@pytest.mark.parametrize(("target", "kept"), [("coverage=.945", 48), ("coverage=.948", 76)])
def test_coverage_is_solved_exactly_where_that_is_affordable(target, kept):
    found = size("paired", accuracy_a=0.7, difference=0.1, method="tango", target=target)
    assert (found["engine"].item(), found["answer"].item()) == ("exact", kept)


def test_a_simulated_width_is_not_believed_at_one_case():
    asked = {"accuracy": 0.95, "target": "half_width=0.05", "method": "wald"}
    exact = size("proportion", **asked)["answer"].item()
    found = size("proportion", engine="counts", replications=2000, **asked)
    assert found["low"].item() <= exact <= found["high"].item()
    assert found["low"].item() < found["high"].item()


@pytest.mark.parametrize("engine", ["counts", "full"])
def test_simulated_answers_hold_the_exact_one(engine):
    """Fixed seed; each interval has level 95%, so eight of them miss more than twice in about one of 170 seeds."""
    asked = {"accuracy_a": 0.7, "difficulty_sd": 1, "method": "mcnemar_midp,paired_z"}
    quick = {"engine": engine, "replications": 2000, "seed": 11}
    hits = []
    for ask, given in (("mde", {"n_cases": 60}), ("size", {"difference": 0.25})):
        solve = getattr(simstudy, ask)
        exact, simulated = solve("paired", **given, **asked), solve("paired", **given, **asked, **quick)
        assert set(simulated["engine"].values.tolist()) == {engine}
        assert (simulated["low"] <= simulated["answer"]).all()
        assert (simulated["answer"] <= simulated["high"]).all()
        slack = 1 if ask == "size" else 0
        inside = (simulated["low"] <= exact["answer"] + slack) & (exact["answer"] - slack <= simulated["high"])
        hits.extend(inside.values.tolist())
        # whatever the interval, the answer is close: within a tenth
        assert simulated["answer"].values == pytest.approx(exact["answer"].values, rel=0.1)
    assert sum(hits) >= len(hits) - 1


def test_simulated_questions_without_an_answer():
    few = {"engine": "counts", "replications": 500, "method": "mcnemar_exact"}
    none = mde("paired", n_cases=5, accuracy_a=0.5, discordance=0.3, **few)
    assert (none["status"].item(), none["reason"].item()) == ("unreachable", NOT_REACHED)
    assert math.isnan(none["answer"].item())
    much = size("paired", accuracy_a=0.7, difference=0.01, largest=100, **few)
    assert (much["status"].item(), much["reason"].item()) == ("outside the range", MISSED)


@pytest.mark.parametrize("accuracy_a", [0.7, 0.62])
def test_a_simulated_mde_at_the_edge_of_what_can_exist(accuracy_a):
    found = mde(
        "paired", n_cases=12, accuracy_a=accuracy_a, difficulty_sd=0, engine="counts", method="paired_z,mcnemar_midp"
    )
    answers = found["answer"].values[found["status"].values == "found"]
    assert ((answers > 0) & (answers < 1 - accuracy_a)).all()
    # what cannot exist is no limit either
    assert not (found["low"] < 0).any()
    assert not (found["high"] > 1 - accuracy_a).any()


@pytest.mark.parametrize("side", [1, -1])
def test_the_interval_of_an_effect_ends_where_effects_do(monkeypatch, side):
    """An answer of .95 ± .1 among effects up to 1, and one of .05 ± .1 beside a null of 0."""

    class Simulated(ByHand):
        options = SimpleNamespace(replications=1000)

        def simulated(self, x, engine):
            return self.measure(x), 0.01

    for answer, ends in ((0.95, (0.95 - 0.1 * T95, 1.0)), (0.05, (0.0, 0.05 + 0.1 * T95))):
        monkeypatch.setattr(simulated._Fit, "solve", lambda self, a, b, x=answer: (side * x, 0.1))
        curve = Simulated(lambda x: float(abs(x) >= 0.5), target("0.8"))
        found = simulated.simulated_effect(curve, "counts", 0.0, float(side))
        assert found.answer == side * answer
        assert (found.low, found.high) == pytest.approx(sorted(side * end for end in ends))


@pytest.mark.parametrize("engine", ["exact", "counts"])
def test_power_that_is_lost_again_is_said(engine):
    """Without a disagreement kappa has no standard error: near kappa 1 the large-sample interval decides nothing."""
    asked = {"n_labels": 100, "prevalence": 0.7, "replications": 1000}
    found = mde("agreement", engine=engine, **asked)
    assert found["lost_again"].values.tolist() == [True, False]
    power = simstudy.power_curve("agreement", kappa=[0.9, 0.97], method="kappa_wald", **asked)["power"].values[:, 0]
    assert power[0] > 0.8 > power[1]


@pytest.mark.slow
def test_where_power_hardly_rises_the_interval_is_wide_and_ends():
    """Around .8 power rises by .02 over .2 points: the ends of the interval lie on either side of the target.

    Each of two rates is told from .8 by two of its standard errors, under another seed and with ten times the
    replications.
    """
    asked = {"n_cases": 8, "method": "interval_regression_robust", "engine": "full"}
    found = mde("verbosity", replications=2000, seed=1, **asked)
    ends = [found[name].item() for name in ("low", "high")]
    assert ends[0] < found["answer"].item() < ends[1] < 1.0
    there = simstudy.power_curve("verbosity", gamma=ends, replications=20_000, seed=77, **asked)
    power, error = there["power"].values.ravel(), there["power_mcse"].values.ravel()
    assert power[0] + 2 * error[0] < 0.8 < power[1] - 2 * error[1]
