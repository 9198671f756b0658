"""From cells on a grid to tables that fit a page."""

from __future__ import annotations

from simstudy.pages.page import to_table
from simstudy.pages.table_layout import places
from tests.unit.pages import factory


def test_the_default_study_is_three_blocks_of_twelve_rows() -> None:
    lines = to_table(factory.power()).splitlines()
    captions = [line for line in lines if line.startswith("power,")]
    assert captions == [f"power, difficulty_sd = {sd}" for sd in ("0.0", "1.5", "3.0")]
    assert sum("mcnemar_midp " in line for line in lines) == 12


def test_many_effects_go_down_and_the_methods_across() -> None:
    grid = {"difference": tuple(i / 100 for i in range(21))}
    lines = to_table(factory.power(grid)).splitlines()
    assert "difference  mcnemar_exact  mcnemar_midp  unpaired_z" in lines
    assert any(line.split()[0] == "0.07" for line in lines if line)


def test_places_have_an_index_and_labels_that_line_up() -> None:
    found = list(places(factory.power(), ["difference", "n_cases"]))
    assert len(found) == 16
    assert found[1] == ({"difference": 0, "n_cases": 1}, {"difference": "0.05", "n_cases": "100"})
    assert found[-1][1] == {"difference": "0.20", "n_cases": "1251"}
