"""Notes below tables of measures: each where it applies, and where it does not."""

from __future__ import annotations

import pytest

import simstudy
from simstudy.pages.notes import note, result_of
from simstudy.pages.page import to_table
from simstudy.study.asked import study_of
from tests.unit.pages import factory
from tests.unit.pages.notes.told import told

PAIRED = {"n_cases": 36, "accuracy_a": 0.7}
JUDGE = {"n_labels": 30, "prevalence": 0.7}


def test_fixed() -> None:
    dataset = simstudy.power_curve("paired", n_cases=[36, 100], accuracy_a=0.7, difference=0.1, alpha=[0.05, 0.1])
    assert told("fixed", dataset) == ""
    assert told("fixed", dataset.sel(n_cases=100)) == "Fixed: n_cases = 100."
    assert told("fixed", dataset.isel(n_cases=[0], alpha=1)) == "Fixed: n_cases = 36, alpha = 0.1."


def test_engines() -> None:
    assert told("engines", factory.power(simulated=())) == "All figures are exact."
    drawn = told("engines", factory.power())
    assert drawn == "exact: mcnemar_exact, mcnemar_midp. counts: unpaired_z; 10,000 replications."
    without = factory.power().drop_vars(["engine", "power"])
    assert not note("engines").applies(result_of(study_of(without), without))


def test_engines_of_methods_that_are_exact_in_part() -> None:
    dataset = factory.power({"n_cases": (36, 100)}, simulated=())
    dataset["engine"][0, 0] = "full"
    dataset["replications"][0, 0] = 500
    assert told("engines", dataset) == (
        "exact: mcnemar_exact (in part), mcnemar_midp, unpaired_z. full: mcnemar_exact (in part); 500 replications."
    )


def test_resampled() -> None:
    asked = {"kappa": 0.6, "resamples": 100, **JUDGE}
    found = simstudy.power_curve("agreement", method="kappa_bootstrap", **asked)
    assert told("resampled", found).startswith("kappa_bootstrap: draws random numbers itself")
    assert told("resampled", simstudy.power_curve("agreement", kappa=0.6, method="kappa_wald", **JUDGE)) == ""


def test_misused() -> None:
    assert told("misused", factory.power(misused=["mcnemar_midp", "unpaired_z"])) == (
        "A mistake in this design, so its power is not comparable with the others: mcnemar_midp, unpaired_z."
    )
    assert told("misused", factory.power()) == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("error beside exact", "±: one Monte Carlo standard error; figures without ± are exact."),
        ("limit", "≤, ≥: no replication, or every one; the 95% Wilson limit stands in for an error of 0."),
        ("no error", "~: simulated, without a computed error."),
    ],
)
def test_signs(name: str, words: str) -> None:
    grid = {"n_cases": (36, 1251), "difference": (0.0, 0.1)}
    assert told(name, factory.power(grid, replications=1000)) == words
    assert told(name, factory.power(grid, simulated=())) == ""


def test_an_error_where_nothing_is_exact() -> None:
    grid = {"difference": (0.1, 0.2)}
    assert told("error", factory.power(grid, simulated=factory.METHODS)) == "±: one Monte Carlo standard error."


def test_dash() -> None:
    dataset = factory.power({"n_cases": (36, 100)}, simulated=())
    assert told("dash", dataset) == ""
    dataset["power"][0, 0] = float("nan")
    assert told("dash", dataset) == "–: undefined."


def test_units() -> None:
    asked = {"n_pairs": 20, "bonus": 0.5}
    found = simstudy.power_curve("self_preference", method="gap_z,judge_mcnemar_midp", **asked)
    assert told("units", found).startswith("Unit of bias, interval_width: ")
    assert told("units", simstudy.power_curve("paired", difference=0.1, method="tango", **PAIRED)) == ""


def test_undefined() -> None:
    dataset = factory.power({"n_cases": (8, 100), "difference": (0.0, 0.1)})
    assert told("undefined", dataset) == (
        "Undefined, counted as not rejecting; largest share: unpaired_z .2019 (n_cases = 8, difference = 0)."
    )
    assert told("undefined", factory.power(simulated=())) == ""
    rule = simstudy.power_curve("win_rate", n_pairs=3, strength=0, tie_band=2, method="averaged")
    assert told("undefined", rule).startswith("Undefined, counted as no decision; largest share: averaged .")


def test_rules_say_what_their_power_is() -> None:
    rule = simstudy.power_curve("win_rate", n_pairs=20, strength=[0, 0.5], method="averaged,one_order")
    assert told("rules", rule) == (
        "The power of averaged, one_order is the probability of 'adopt B', the claim that B is stronger. averaged, "
        "one_order: the rule asks for test, the one-sided exact test of more wins than losses has p ≤ alpha; rate, the "
        "win rate among decisive pairs is at least min_win_rate."
    )
    assert told("rules", factory.power()) == ""


def test_blocked() -> None:
    rule = simstudy.power_curve("win_rate", n_pairs=20, strength=0.5, method="averaged,one_order")
    share = rule["blocked_by_test"].sel({"method": "averaged"}).item()
    assert told("blocked", rule).startswith(
        f"What blocks alone most often: averaged by test {share:.4f}".replace(" 0.", " .")
    )
    # in a sweep the largest share is that of some corner
    assert told("blocked", simstudy.power_curve("win_rate", n_pairs=[20, 60], strength=0.5, method="averaged")) == ""
    assert told("blocked", factory.power()) == ""


def test_at_null() -> None:
    words = "At difference = 0 the power is the type I error rate."
    assert told("at null", factory.power({"difference": (0.0, 0.1)})) == words
    assert told("at null", factory.power({"difference": (0.05, 0.1)})) == ""
    rule = simstudy.power_curve("win_rate", n_pairs=20, strength=0, method="averaged")
    assert told("at null", rule) == ""
    held = simstudy.power_curve("agreement", kappa=[0.5, 0.6], method="kappa_wald", **JUDGE)
    assert told("at null", held) == "At kappa = 0.6 the power is the type I error rate."
    several = {"kappa": [0.5, 0.6], "kappa_threshold": [0.5, 0.6], "method": "kappa_adjusted", **JUDGE}
    words = "Where kappa = kappa_threshold the power is the type I error rate."
    assert told("at null", simstudy.power_curve("agreement", **several)) == words


def test_rule_at_null() -> None:
    rule = simstudy.power_curve("win_rate", n_pairs=20, strength=[0, 0.5], method="averaged")
    assert told("rule at null", rule) == (
        "At strength = 0 'adopt B' is an error: there the power of averaged is how often it is made."
    )
    assert told("rule at null", simstudy.power_curve("win_rate", n_pairs=20, strength=0.5, method="averaged")) == ""
    assert told("rule at null", factory.power({"difference": (0.0, 0.1)})) == ""


def test_at_margin() -> None:
    both = {"difference": [0, 0.05], "margin": 0.1, "method": "tango,noninferiority_tango", **PAIRED}
    found = simstudy.power_curve("paired", **both)
    assert told("at margin", found).startswith("The power of noninferiority_tango is the type I error rate at diff")
    assert told("at null", found) == "At difference = 0 the power of tango is the type I error rate."
    assert told("at margin", factory.power()) == ""


def test_far_above_the_level() -> None:
    found = simstudy.power_curve("agreement", kappa=[0.6, 0.8], method="kappa_wald", **{**JUDGE, "n_labels": 36})
    assert told("far above the level", found) == (
        "Type I error far above the level; at most: kappa_wald .0620 (kappa = 0.6)."
    )
    close = simstudy.power_curve("agreement", kappa=[0.6, 0.8], method="kappa_adjusted", **{**JUDGE, "n_labels": 36})
    assert told("far above the level", close) == ""
    # a p-value decides at the whole level, where the lower limit of an interval has half of it
    paired = simstudy.power_curve("paired", difference=[0, 0.1], method="mcnemar_chi2", **PAIRED)
    assert told("far above the level", paired) == ""


def test_wrong_direction() -> None:
    """A judge that errs on the better system: more cases, more wrong findings; without errors chance explains them."""
    asked = {"n_cases": [36, 1251], "accuracy_a": 0.7, "difference": 0.05, "method": "mcnemar_midp"}
    assert told("wrong direction", simstudy.power_curve("judged", reworded_b=0.8, **asked)) == (
        "Rejects in the wrong direction more often than chance allows (.025); at most: mcnemar_midp .1543 "
        "(n_cases = 1251)."
    )
    assert told("wrong direction", simstudy.power_curve("judged", **asked)) == ""


def test_chance_of_a_claim_is_its_whole_level() -> None:
    """Just outside the margin non-inferiority is claimed up to alpha, which is no more than chance."""
    asked = {"difference": -0.1001, "margin": 0.1, "method": "noninferiority_tango", "n_cases": 100, "accuracy_a": 0.7}
    found = simstudy.power_curve("paired", **asked)
    assert float(found["power_wrong"][0]) > 0.025
    assert told("wrong direction", found) == ""


def test_one_sided_power_stands_beside_two_sided_intervals_and_it_is_said():
    """Recomputed by enumeration of all tables of 23 cases: power .4477; coverage .9552, of the 90% interval .9120."""
    asked = {"n_cases": 23, "accuracy_a": 0.6, "difference": 0.2, "difficulty_sd": 1, "method": "newcombe"}
    greater = simstudy.power_curve("paired", alternative="greater", **asked)
    assert greater["power"].item() == pytest.approx(0.4477, abs=5e-5)
    assert greater["coverage"].item() == pytest.approx(0.9552, abs=5e-5)
    at_90 = simstudy.power_curve("paired", alpha=0.1, **asked)
    assert at_90["coverage"].item() == pytest.approx(0.9120, abs=5e-5)
    said = (
        "coverage, interval_width: of the two-sided interval of level 0.95, though decisions are one-sided; newcombe "
        "decides by a limit of the one of level 0.9."
    )
    assert said in " ".join(to_table(greater).split())
    assert "though decisions" not in to_table(at_90)
    assert "of the two-sided interval of level 1 − alpha" in greater["coverage"].attrs["long_name"]


def test_targets_of_intervals_say_it_too_and_methods_without_one_do_not():
    asked = {"accuracy_a": 0.6, "difference": 0.2, "alternative": "less", "method": "tango", "engine": "exact"}
    width = simstudy.size("paired", target="width=0.4", **asked)
    assert "width: of the two-sided interval of level 0.95, though decisions are one-sided." in to_table(width)
    test = simstudy.power_curve("paired", n_cases=23, **{**asked, "method": "mcnemar_midp"})
    assert "though decisions" not in to_table(test)
