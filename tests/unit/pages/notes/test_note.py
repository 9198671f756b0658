"""What notes know of a result, and how they say it."""

from __future__ import annotations

import simstudy
from simstudy.pages.notes.note import Note, Result, by_method, most, outcome, rate, result_of, said, where
from simstudy.study.asked import study_of
from tests.unit.pages import factory

JUDGE = {"n_labels": 30, "prevalence": 0.7}


def of(dataset) -> Result:
    return result_of(study_of(dataset), dataset)


def test_the_null_may_be_held_by_a_parameter_and_differ_from_point_to_point() -> None:
    found = simstudy.power_curve(
        "agreement", kappa=[0.4, 0.6], kappa_threshold=[0.4, 0.5], method="kappa_adjusted", **JUDGE
    )
    result = of(found)
    assert result.nulls.values.tolist() == [0.4, 0.5]
    assert result.at_null.sel(kappa=0.4).values.tolist() == [True, False]
    assert of(found.sel(kappa_threshold=0.5)).nulls.item() == 0.5


def test_the_level_is_that_of_the_decision_and_of_each_comparison() -> None:
    asked = {"kappa": 0.6, "comparisons": 2, **JUDGE}
    result = of(simstudy.power_curve("agreement", method="kappa_adjusted", **asked))
    assert result.level(result.methods[0]) == 0.05 / 2 / 2
    rule = of(simstudy.power_curve("win_rate", n_pairs=20, strength=0, method="averaged"))
    assert rule.level(rule.methods[0]) is None
    several = of(factory.power({"alpha": (0.01, 0.05), "difference": (0.0,)}, fixed={"n_cases": 36}))
    assert several.level(several.methods[0]) is None


def test_methods_are_those_that_are_shown() -> None:
    dataset = factory.power(misused=["unpaired_z"])
    assert of(dataset).misused == ["unpaired_z"]
    part = of(dataset.isel(method=[0, 1]))
    assert [method.name for method in part.methods] == ["mcnemar_exact", "mcnemar_midp"]
    assert part.misused == []


def test_only_notes_that_apply_are_said() -> None:
    result = of(factory.power())
    yes = Note("yes", lambda _: True, lambda _: ["One.", "Two."])
    no = Note("no", lambda _: False, lambda _: 1 / 0)
    assert said([no, yes], result) == ["One.", "Two."]


def test_places_and_rates() -> None:
    power = factory.power({"n_cases": (36, 1251), "difference": (0.0, 0.1)}, simulated=())["power"]
    assert most(by_method(power)).startswith("mcnemar_exact .9995 (n_cases = 1251, difference = 0.1); mcnemar_midp")
    assert most(by_method(power.where(power < 0))) == ""
    assert where({"n_cases": 36, "difference": 0.2, "method": "z"}) == "n_cases 36, difference 0.2, method z"
    assert [rate(value) for value in (0.25, -0.25)] == [".2500", "-.2500"]


def test_the_power_is_called_by_the_outcome() -> None:
    found = simstudy.power_curve("win_rate", n_pairs=20, strength=0, method="averaged")
    assert outcome(of(found).methods[0], study_of(found)) == "adopt B"
