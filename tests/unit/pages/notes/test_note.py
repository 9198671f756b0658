"""What notes have in common, and what they know of a result."""

from __future__ import annotations

import pytest

import simstudy
from simstudy.errors import UnknownNameError
from simstudy.pages.notes import ABOVE, CLOSING, UNDER_TABLES, Result, closing_words, note, notes_of, result_of
from simstudy.study.asked import study_of
from tests.unit.pages import factory

JUDGE = {"n_labels": 30, "prevalence": 0.7}


def of(dataset) -> Result:
    return result_of(study_of(dataset), dataset)


def test_every_note_has_a_name_of_its_own() -> None:
    names = [note.name for note in (*ABOVE, *UNDER_TABLES, *CLOSING)]
    assert len(set(names)) == len(names)
    assert [note(name).name for name in names] == names


def test_a_note_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean undefined"):
        note("undefind")


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


def test_lines_and_closing_words_by_question() -> None:
    power = simstudy.power_curve("paired", n_cases=36, accuracy_a=0.7, difference=[0, 0.1], method="tango")
    lines, closing = notes_of(study_of(power), power), closing_words(study_of(power), power)
    assert lines[0] == "All figures are exact."
    assert any(line.startswith("Smallest difference") for line in lines)
    assert closing[-1].startswith("Smallest difference seen with power 0.8 (exact): .2292.")
    # what the closing words answer is not said twice
    answered = notes_of(study_of(power), power.assign_attrs(in_words=closing))
    assert answered == [line for line in lines if not line.startswith("Smallest")]
    mde = simstudy.mde("paired", n_cases=36, accuracy_a=0.7, method="tango")
    assert closing_words(study_of(mde), mde) == []
    size = simstudy.size("paired", difference=0.2, accuracy_a=0.7, method="tango")
    assert [words.split()[0] for words in closing_words(study_of(size), size)] == ["Every"]
