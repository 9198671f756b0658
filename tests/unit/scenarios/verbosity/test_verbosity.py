"""Scenario verbosity: what slopes aim at, what is refused, what is undefined."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

import simstudy
from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.verbosity import BASE_WORDS, FILLER_WORDS
from tests.oracle import verbosity_slow as slow

EXACT = 1e-12
METHODS = [m.name for m in get_scenario("verbosity").methods]


def truth(**said):
    scenario = get_scenario("verbosity")
    values = {p.name: p.default for p in scenario.parameters if p.default is not None}
    return scenario.point({**values, **said}).truth


@pytest.mark.parametrize(
    "said",
    [
        {"n_cases": 14, "gamma": 0.6},
        {"n_cases": 33, "gamma": -0.9, "case_sd": 0.7, "right": 0},
        {"n_cases": 5, "gamma": 2.0, "noise_sd": 3.0, "k": 3},
        {"n_cases": 7, "gamma": 0.3, "base_words": (5, 400), "filler_words": (1, 90, 2000), "k": 4},
    ],
)
def test_truths_are_least_squares_on_expected_scores(said):
    """Expected scores as Σ y·P(y) from SciPy's normal law, slopes by polyfit and by dummy variables."""
    found = truth(**said)
    base, fillers = said.get("base_words", BASE_WORDS), said.get("filler_words", FILLER_WORDS)
    table = slow.lengths(said["n_cases"], said.get("k", 6), base, fillers)
    sd = math.hypot(said.get("noise_sd", 0.5), said.get("case_sd", 0.0))
    law = scipy_stats.norm(2 + 2 * said.get("right", 1) + said["gamma"] * np.log2(table / 10), sd)
    ends = [-np.inf, 1.5, 2.5, 3.5, 4.5, np.inf]
    shares = [law.cdf(high) - law.cdf(low) for low, high in itertools.pairwise(ends)]
    expected = sum(score * share for score, share in enumerate(shares, 1))
    assert found["slope_mean"] == pytest.approx(np.mean(slow.case_slopes(table, expected)), abs=1e-9)
    assert found["slope_pooled"] == pytest.approx(slow.pooled_slope(table, expected)[0], abs=1e-9)
    assert found["share_at_5"] == pytest.approx(shares[4].mean(), abs=EXACT)
    assert found["share_at_1"] == pytest.approx(shares[0].mean(), abs=EXACT)
    assert found["attenuation"] == found["slope_mean"] / said["gamma"]
    assert found["judge_calls"] == table.size


def test_without_a_preference_nothing_is_attenuated():
    found = truth(n_cases=14, gamma=0.0)
    assert found["slope_mean"] == pytest.approx(0, abs=EXACT)
    assert math.isnan(found["attenuation"])


def test_without_noise_scores_are_what_is_expected():
    asked = {"n_cases": 9, "gamma": 0.7, "noise_sd": 0.0, "replications": 3, "method": "slope_t,cluster_sandwich"}
    found = simstudy.power_curve("verbosity", **asked)
    assert found["estimate_mean"].values.tolist() == pytest.approx(
        [found["slope_mean"].item(), found["slope_pooled"].item()], abs=1e-11
    )
    # 20 words score 4.5, which becomes 4, and 40 words 5
    found = truth(n_cases=1, gamma=0.5, noise_sd=0.0, k=3, base_words=(10,), filler_words=(10, 20))
    assert found["slope_mean"] == pytest.approx(0.5)
    assert (found["share_at_5"], found["share_at_1"]) == (pytest.approx(1 / 3), 0)


def test_more_versions_than_fillers_are_refused_with_the_range():
    with pytest.raises(ParameterError, match=r"k is 4; with filler_words 8/12 it must lie in \[2, 3\]"):
        simstudy.power_curve("verbosity", n_cases=5, gamma=0, k=4, filler_words="8/12")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"base_words": "0/3"}, "base_words is 0/3; it must be whole numbers from 1"),
        ({"filler_words": (8, 2.5)}, "filler_words is 8/2.5"),
        ({"gamma": 10.5}, r"gamma is 10.5; it must be a number in \[-10, 10\]"),
        ({"right": 2}, "right is 2; it must be a whole number from 0 to 1"),
        ({"k": 1}, "k is 1; it must be a whole number from 2"),
        ({"resamples": 0}, "resamples is 0"),
        ({"noise_sd": -1}, "noise_sd is -1"),
    ],
)
def test_values_out_of_range_are_refused(said, words):
    with pytest.raises(ParameterError, match=words):
        simstudy.power_curve("verbosity", **{"n_cases": 5, "gamma": 0.3, **said})


def test_bootstraps_take_a_single_level():
    asked = {"n_cases": 6, "gamma": 0.3, "alpha": [0.05, 0.2], "replications": 50}
    with pytest.raises(RefusedError, match="cluster_bootstrap"):
        simstudy.power_curve("verbosity", method="cluster_bootstrap", **asked)
    found = simstudy.power_curve("verbosity", method="slope_t", **asked)["power"].values.ravel()
    assert found[0] < found[1]


def test_there_is_no_other_engine():
    for engine in ("exact", "counts"):
        with pytest.raises(RefusedError, match="has no engine"):
            simstudy.power_curve("verbosity", n_cases=5, gamma=0.3, engine=engine)


def test_everything_at_five_is_undefined_and_counted():
    asked = {"n_cases": 6, "gamma": 0.0, "noise_sd": 0.0, "method": METHODS, "replications": 20}
    found = simstudy.power_curve("verbosity", **asked)
    assert (found["undefined"] == 1).all()
    assert (found["power"] == 0).all()
    assert (found["coverage"] == 0).all()


def test_one_case_is_undefined_for_what_needs_cases():
    found = simstudy.power_curve("verbosity", n_cases=1, gamma=0.0, noise_sd=1.5, method=METHODS, replications=50)
    undefined = dict(zip(METHODS, found["undefined"].values.tolist(), strict=True))
    assert undefined.pop("interval_regression") < 1
    assert set(undefined.values()) == {1}


def test_one_sided_alternatives():
    """The bootstrap decides by its percentile limit at level 1 − 2·alpha, and its interval stays two-sided."""
    asked = {"n_cases": 14, "gamma": 0.15, "method": METHODS, "replications": 400}
    two, up, down = (
        simstudy.power_curve("verbosity", alternative=a, **asked) for a in ("two-sided", "greater", "less")
    )
    assert (up["power"] > two["power"]).all()
    assert (down["power"] < 0.05).all()
    np.testing.assert_array_equal(up["coverage"].values, two["coverage"].values)
    wide = simstudy.power_curve("verbosity", alpha=0.1, **asked)
    np.testing.assert_allclose(up["power"], wide["power_right"], atol=1e-12)


def test_numbers_do_not_depend_on_the_company_of_a_method():
    asked = {"n_cases": 8, "gamma": 0.3, "replications": 200}
    together = simstudy.power_curve("verbosity", method=METHODS, **asked)
    for i, method in enumerate(METHODS):
        alone = simstudy.power_curve("verbosity", method=method, **asked)
        for name in ("power", "coverage", "estimate_mean", "interval_width"):
            assert alone[name].item() == together[name].values[i], (name, method)


def test_threads_change_nothing():
    asked = {"n_cases": 30, "gamma": 0.3, "replications": 3000, "method": "slope_t,cluster_bootstrap"}
    one, two = (simstudy.power_curve("verbosity", threads=t, **asked) for t in (1, 2))
    assert one["coverage"].values.tolist() == two["coverage"].values.tolist()
    assert one["empirical_se"].values.tolist() == two["empirical_se"].values.tolist()


def test_the_mde_and_the_size_reach_their_target():
    mde = simstudy.mde("verbosity", n_cases=14, method="slope_t", replications=2000)["answer"].item()
    # a published-size probe: .21 ± .006
    assert mde == pytest.approx(0.214, abs=0.02)
    power = simstudy.power_curve("verbosity", n_cases=14, gamma=mde, method="slope_t", replications=2000)["power"]
    assert power.item() == pytest.approx(0.8, abs=0.02)
    size = simstudy.size("verbosity", gamma=0.3, method="slope_t", replications=2000)["answer"].item()
    assert 8 <= size <= 10


def test_replayed_units_are_scores():
    units = simstudy.replay("verbosity", replication=3, n_cases=4, gamma=0.6, k=3)
    assert list(units) == ["case", "version", "words", "score"]
    expected = slow.scores(1, 3, slow.lengths(4, 3), 0.6, 0.5, 0.0, 1)
    assert units["score"].tolist() == expected.ravel().tolist()
