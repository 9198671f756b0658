"""Law, truths, operating characteristics and refusals of scenario agreement."""

import math

import numpy as np
import pytest

import simstudy
from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.agreement import accuracy_of, kappa_of, least_kappa
from tests.oracle import agreement_slow as slow

# sums of some hundred terms of either route
ROUNDING = 1e-11
JUDGE = {"prevalence": 0.7, "sensitivity": 0.9, "specificity": 0.85}


@pytest.mark.parametrize("method", ["kappa_wald", "kappa_adjusted", "kappa_few", "kappa_wilson_po"])
@pytest.mark.parametrize(
    ("n", "judge", "unreadable"),
    [
        (1, JUDGE, 0.0),
        (6, JUDGE, 0.2),
        (7, {"prevalence": 0.5, "kappa": 0.6}, 0.0),
        (7, {**JUDGE, "specificity": 0}, 0),
    ],
)
def test_operating_characteristics_by_listing_every_table(method, n, judge, unreadable):
    asked = {"n_labels": n, "unreadable": unreadable, "kappa_threshold": 0.2, **judge}
    found = simstudy.power_curve("agreement", method=method, engine="exact", **asked)
    rates = [found[name].item() for name in ("sensitivity", "specificity")]
    cells = slow.cell_probabilities(judge["prevalence"], *rates, unreadable)
    truth = found["kappa"].item()
    expected = slow.operating(getattr(slow, method), n, cells, 0.2, truth)
    for name in ("power", "coverage", "undefined"):
        assert found[name].item() == pytest.approx(expected[name], abs=ROUNDING), name
    if expected["undefined"] < 1:
        assert found["interval_width"].item() == pytest.approx(expected["width"], abs=ROUNDING)
    else:
        assert math.isnan(found["interval_width"].item())


def test_truths_by_hand():
    """Of 100 answers 70 are right: 63 called correct, 7 wrong; of 30 wrong ones 4.5 called correct, 25.5 wrong."""
    found = simstudy.power_curve("agreement", n_labels=40, unreadable=0.1, engine="exact", **JUDGE)
    expected = {
        "accuracy": 0.885,
        "said_correct": 0.675,
        "false_negatives": 0.07,
        "false_positives": 0.045,
        "chance_agreement": 0.7 * 0.675 + 0.3 * 0.325,
        "pabak": 0.77,
        "judge_calls": 40,
        "labels": 40,
    }
    for name, value in expected.items():
        assert found[name].item() == pytest.approx(value, abs=1e-14), name
    shares = [[0.63, 0.07], [0.045, 0.255]]
    assert found["kappa"].item() == pytest.approx(slow.kappa(shares), abs=1e-14)
    # unreadable as a third verdict, which no label has
    third = [[0.9 * 0.63, 0.9 * 0.07, 0.07], [0.9 * 0.045, 0.9 * 0.255, 0.03], [0, 0, 0]]
    assert found["kappa_unreadable"].item() == pytest.approx(slow.kappa(third), abs=1e-14)


def test_a_judge_that_always_says_correct():
    found = simstudy.power_curve(
        "agreement", n_labels=50, prevalence=[0.5, 0.7, 0.95], sensitivity=1, specificity=0, engine="exact"
    )
    np.testing.assert_allclose(found["accuracy"].values, [0.5, 0.7, 0.95], rtol=1e-15)
    np.testing.assert_allclose(found["kappa"].values, 0, atol=1e-15)
    # no table of such a judge has a standard error
    undefined = found["undefined"].sel({"method": "kappa_wald"})
    np.testing.assert_allclose(undefined.values, 1, atol=ROUNDING)
    assert (found["power"] == 0).all()


@pytest.mark.parametrize("prevalence", [0.01, 0.3, 0.5, 0.9])
def test_a_kappa_and_its_equal_rates(prevalence):
    for kappa in np.linspace(least_kappa(prevalence), 1, 9):
        rate = accuracy_of(prevalence, kappa)
        assert 0 <= rate <= 1
        assert kappa_of(prevalence, rate, rate)[0] == pytest.approx(kappa, abs=1e-13)
    assert accuracy_of(prevalence, 0) == 0.5
    assert get_scenario("agreement").effect_range({"prevalence": prevalence}) == (least_kappa(prevalence), 1)


def test_a_perfect_judge_is_not_certified_by_a_standard_error_of_zero():
    asked = ["kappa_wald", "kappa_few", "kappa_wilson_po", "kappa_adjusted", "kappa_bootstrap"]
    found = simstudy.power_curve("agreement", n_labels=60, prevalence=0.6, kappa=1, method=asked)
    assert found["undefined"].values == pytest.approx([1, 0, 0, 0, 1], abs=ROUNDING)
    assert found["power"].values == pytest.approx([0, 1, 1, 1, 0], abs=1e-6)


def test_the_default_interval_is_defined_without_a_disagreement():
    """36 labels at kappa 1: half of what is known is that nothing disagreed."""
    found = simstudy.power_curve("agreement", n_labels=36, prevalence=0.7, kappa=1)
    assert found["method"].values.tolist() == ["kappa_wald", "kappa_few"]
    assert found["undefined"].values == pytest.approx([1, 0.7**36 + 0.3**36], abs=ROUNDING)
    assert found["power"].sel({"method": "kappa_few"}).item() > 0.99


def test_everything_in_one_cell_is_undefined_for_every_method():
    found = simstudy.power_curve(
        "agreement",
        n_labels=5,
        prevalence=0.9,
        sensitivity=1,
        specificity=0.5,
        method=["kappa_wald", "kappa_few", "kappa_wilson_po", "kappa_adjusted"],
    )
    # all right and called correct; every other table has right and wrong answers or verdicts
    lone = 0.9**5 + 0.05**5
    assert (found["undefined"].values >= lone - ROUNDING).all()
    assert found["undefined"].values[1:] == pytest.approx(lone, abs=ROUNDING)


def test_decisions_go_upward_alone():
    """A judge far below the threshold is never certified, and never rejected downward either."""
    found = simstudy.power_curve("agreement", n_labels=60, prevalence=0.5, kappa=-0.5, engine="exact")
    assert (found["power"] < 1e-9).all()


def test_the_bootstrap_is_the_same_in_every_engine_and_batch():
    asked = {"n_labels": 9, "method": "kappa_bootstrap", "resamples": 200, "seed": 4, **JUDGE}
    together = simstudy.power_curve("agreement", engine="exact", kappa_threshold=[0.1, 0.5], **asked)
    alone = simstudy.power_curve("agreement", engine="exact", kappa_threshold=0.5, **asked)
    assert together["power"].values[1] == alone["power"].values
    # law and verdicts of single tables give the same power
    cells = slow.cell_probabilities(0.7, 0.9, 0.85, 0.0)[:4]
    power = sum(
        p * (simstudy.stats.kappa_bootstrap(*t, seed=4, resamples=200)[0] > 0.5) for t, p in slow.multinomial(9, cells)
    )
    assert alone["power"].item() == pytest.approx(power, abs=ROUNDING)


def test_what_cannot_be_is_refused():
    with pytest.raises(ParameterError, match=r"at prevalence 0\.7 it must lie in \[-0\.724138, 1\]"):
        simstudy.power_curve("agreement", n_labels=20, prevalence=0.7, kappa=-0.9)
    with pytest.raises(RefusedError, match="say either sensitivity and specificity or kappa"):
        simstudy.power_curve("agreement", n_labels=20, kappa=0.7, **JUDGE)
    with pytest.raises(ParameterError, match="agreement needs specificity"):
        simstudy.power_curve("agreement", n_labels=20, prevalence=0.7, sensitivity=0.9)
    with pytest.raises(ParameterError, match=r"prevalence is 1.*\(0, 1\)"):
        simstudy.power_curve("agreement", n_labels=20, prevalence=1.0, kappa=0.7)


@pytest.mark.parametrize("prevalence", [1e-300, 1e-17, 1e-9, 0.3, 1 - 2**-53])
def test_kappa_of_a_prevalence_near_an_end(prevalence):
    assert kappa_of(prevalence, 1.0, 1.0)[0] == 1.0
    assert kappa_of(prevalence, 0.0, 1.0)[0] == pytest.approx(0.0, abs=1e-12)
    values = {"n_labels": 8, "prevalence": prevalence, "sensitivity": 1.0, "specificity": 1.0}
    values |= {"kappa_threshold": 0.6, "unreadable": 0.0, "resamples": 100}
    assert get_scenario("agreement").point(values).truth["kappa_unreadable"] == 1.0
