"""The smallest effect that a design sees, in one sentence."""

from __future__ import annotations

import pytest

import simstudy
from simstudy.pages.notes import closing_words
from simstudy.study.plan import make_study
from simstudy.study.power_curve import power_of
from tests.small.nulls import Below, Half
from tests.unit.pages import factory
from tests.unit.pages.notes.told import told

PAIRED = {"n_cases": 36, "accuracy_a": 0.7}
JUDGE = {"n_labels": 36, "prevalence": 0.7}


def curve(**asked):
    return simstudy.power_curve("paired", **{**PAIRED, **asked})


def test_each_end_names_its_method() -> None:
    assert told("smallest", curve(difference=0.1, method="mcnemar_exact,tango")) == (
        "Smallest difference seen with power 0.8 (exact, over method): .2292 (tango) to .2474 (mcnemar_exact)."
    )


def test_a_type_one_error_above_the_level_stands_beside_the_figure() -> None:
    words = told("smallest", curve(difference=[0, 0.1], method="mcnemar_midp,paired_z"))
    assert words.endswith(".2139 (paired_z, type I error .0682) to .2304 (mcnemar_midp).")


def test_a_mistake_alone_is_called_one() -> None:
    words = told("smallest", curve(difference=0.1, method="unpaired_z"))
    assert words.endswith("(exact, unpaired_z): .2354. unpaired_z: a mistake in this design, so not what it sees.")
    assert ".2354" not in told("smallest", curve(difference=0.1, method="tango,unpaired_z"))


def test_a_method_far_above_its_level_is_left_out() -> None:
    asked = {"kappa": [0.6, 0.8], **JUDGE}
    words = told("smallest", simstudy.power_curve("agreement", method="kappa_wald,kappa_adjusted", **asked))
    assert "(exact, kappa_adjusted): .9184. The type I error of kappa_wald, left out, is far above the level." in words
    alone = told("smallest", simstudy.power_curve("agreement", method="kappa_wald", **{**asked, "n_labels": 50}))
    assert "type I error" in alone


def test_none_that_can_exist_says_of_which_method() -> None:
    found = simstudy.power_curve("agreement", kappa=0.5, method="kappa_wald,kappa_adjusted", **JUDGE)
    assert told("smallest", found).endswith(": .9184 (kappa_adjusted) or none that can exist (kappa_wald).")


@pytest.mark.parametrize(
    ("differences", "sides"), [([-0.1, 0.1], "B better: .2292; A better: -.2834"), ([-0.1], "-.2834"), ([0], ".2292")]
)
def test_the_sides_are_those_asked_for(differences, sides) -> None:
    assert told("smallest", curve(difference=differences, method="tango")).endswith(f": {sides}.")


def test_sides_are_told_from_the_null_not_from_zero() -> None:
    """All effects lie below the null, which a parameter holds: a claim that it is exceeded looks upwards."""
    found = simstudy.power_curve("agreement", kappa=[0.3, 0.5], kappa_threshold=0.6, method="kappa_adjusted", **JUDGE)
    assert told("smallest", found).endswith("(exact): .9184.")


def test_effects_that_all_lie_below_the_null_are_seen_by_methods_that_look_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("simstudy.scenarios._registered", {})
    simstudy.register(Below)
    found = simstudy.power_curve("coin_below", p=[0.2, 0.4], n=20, method="test,limits,above")
    assert told("smallest", found).endswith("(exact, test, limits, over method): .2013.")


def test_distances_are_taken_from_a_null_of_one_half(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simstudy.scenarios._registered", {})
    simstudy.register(Half)
    found = simstudy.power_curve("coin_half", p=[0.4, 0.6], n=[20, 40], method="test,careless")
    assert told("smallest", found).endswith(
        "(exact): more heads, n 20: .7987; more heads, n 40: .7216; fewer heads, n 20: .2013; fewer heads, n 40: .2784."
    )


def test_effects_in_other_terms() -> None:
    found = simstudy.power_curve("paired", n_cases=36, logit_a=0.8, logit_b=1.4, method="tango")
    assert told("other terms", found) == (
        "The smallest difference that this design sees is not given, for it follows from logit_a and logit_b: give "
        "accuracy_a and difference instead."
    )
    assert told("smallest", found) == ""
    assert told("other terms", curve(difference=0.1, method="tango")) == ""


def test_margins() -> None:
    claim = curve(difference=0.1, margin=0.05, method="noninferiority_tango")
    assert told("margins", claim).startswith("Claims about a margin see no smallest difference: simstudy mde gives")
    equal = curve(difference=0, margin=0.05, method="equivalence_tango")
    assert told("margins", equal).startswith("Equivalence is easiest to establish at no difference")
    assert told("margins", curve(difference=0.1, method="tango")) == ""


def test_the_target_is_the_one_of_the_study() -> None:
    study = make_study("paired", {**PAIRED, "difference": 0.1}, method="tango", target=0.9)
    assert closing_words(study, power_of(study))[-1].startswith("Smallest difference seen with power 0.9 (exact): ")


def test_where_nothing_can_be_solved_the_grid_answers() -> None:
    asked = {"n_clusters": 20, "cluster_size": 5, "accuracy_a": 0.7, "replications": 300, "method": "cluster_t"}
    swept = simstudy.power_curve("clustered", difference=[0, 0.1, 0.2], **asked)
    assert "power 0.8 (read off the grid): ." in told("smallest", swept)
    single = simstudy.power_curve("clustered", difference=0.1, **asked)
    assert "is not given, for no method here solves for it exactly in a few seconds" in told("smallest", single)


def test_in_the_grid() -> None:
    name = "smallest in the grid"
    assert told(name, factory.power({"difference": (-0.3, -0.25, 0.25, 0.3)})).endswith(
        "B better: below the grid; A better: below the grid."
    )
    assert told(name, factory.power({"difference": (0.0, 0.01)})).endswith(
        "(read off the grid, over method): not reached in the grid."
    )
    assert told(name, factory.power({"n_cases": (36, 100)})) == ""
    assert told(name, factory.coverage()) == ""


def test_mistakes_are_not_read_off_the_grid() -> None:
    grid = {"difference": (0.0, 0.1, 0.19)}
    every = told("smallest in the grid", factory.power(grid, fixed={"n_cases": 100}))
    assert "unpaired_z" in every
    fitting = factory.power(grid, fixed={"n_cases": 100}, misused=["unpaired_z"])
    assert "unpaired_z" not in told("smallest in the grid", fitting)


def test_a_null_that_is_swept_is_not_read_off() -> None:
    asked = {"kappa": [0.5, 0.9], "kappa_threshold": [0.4, 0.6], "method": "kappa_adjusted", **JUDGE}
    assert told("smallest in the grid", simstudy.power_curve("agreement", **asked)) == ""


def test_the_nearest_to_the_null_comes_first_also_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simstudy.scenarios._registered", {})
    simstudy.register(Half)
    asked = {"n": 40, "method": "test", "alpha": [0.05, 0.01]}
    found = simstudy.power_curve("coin_half", p=[0.3, 0.4], **asked)
    near, far = simstudy.mde("coin_half", sign="negative", **asked)["answer"].values.ravel()
    assert far < near < 0.5
    assert told("smallest", found).endswith(f": {near:.4f} to {far:.4f}.".replace(" 0.", " ."))


def test_a_rate_above_the_level_by_chance_is_no_type_one_error() -> None:
    found = curve(difference=[0, 0.1], method="mcnemar_exact", engine="counts", replications=60, seed=3)
    rate, low = (found[name].values[0, 0] for name in ("power", "power_low"))
    # a tenth above the level is what is told
    assert low < 0.055 < rate
    assert "type I error" not in told("smallest", found)


def test_what_no_method_that_is_solved_for_reads_is_left_out() -> None:
    words = told("smallest", curve(difference=0.1, margin=0.05, method="mcnemar_midp,noninferiority_tango"))
    assert words.startswith("Smallest difference seen with power 0.8 (exact, mcnemar_midp): .2304.")


def test_a_type_one_error_is_told_where_the_grid_does_not_show_it() -> None:
    # .0682 is the sum of the law at no difference, as in the test with difference 0 above
    words = told("smallest", curve(difference=0.1, method="mcnemar_midp,paired_z"))
    assert words.endswith(".2139 (paired_z, type I error .0682) to .2304 (mcnemar_midp).")
    assert "type I error" not in told("smallest", curve(difference=0.1, method="mcnemar_exact,mcnemar_midp"))
