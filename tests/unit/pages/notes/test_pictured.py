"""Notes below a picture."""

from __future__ import annotations

from simstudy.pages.chart import chart_of
from tests.unit.pages import factory


def test_bands() -> None:
    assert "Bands: 95% limits, from Monte Carlo error." in chart_of(factory.power()).notes
    assert "Bands: the answer's limits, from Monte Carlo error." in chart_of(factory.mde()).notes
    assert not any("Bands" in note for note in chart_of(factory.power(simulated=())).notes)


def test_signs_of_missing_answers() -> None:
    notes = chart_of(factory.mde()).notes
    assert "×: unreachable, no difference reaches power=0.8." in notes
    assert "△: no answer in the range that was searched." in notes
    assert not any(note.startswith(("×", "△")) for note in chart_of(factory.power()).notes)


def test_what_was_fixed_comes_first() -> None:
    dataset = factory.power({"n_cases": (36, 100), "difference": (0.0, 0.1)}, misused=["unpaired_z"])
    notes = chart_of(dataset.sel(n_cases=36)).notes
    assert [note.split()[0] for note in notes[:3]] == ["Fixed:", "exact:", "A"]
