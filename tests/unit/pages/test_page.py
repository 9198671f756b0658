"""Results as a researcher reads them."""

from __future__ import annotations

import json
import textwrap

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

import simstudy
from simstudy.errors import RefusedError, RequestError, UnknownNameError
from simstudy.pages.chart import Chart, chart_of
from simstudy.pages.json_csv import flat_records, to_json
from simstudy.pages.page import to_markdown, to_table
from simstudy.pages.text_tables import WIDTH
from simstudy.study.words import Beside
from tests.small.families import Families
from tests.unit.pages import factory

GOLDEN = """\
Power: two systems answer the same cases (made_up); accuracy_a 0.7; alpha 0.05, two-sided.

power
                        difference
n_cases  method          0.0          0.1
───────────────────────────────────────────────
     36  mcnemar_exact  .0139        .0688
         mcnemar_midp   .0271        .1088
         unpaired_z     .050 ±.007   .164 ±.012
   1251  mcnemar_exact  .0139        .9995
         mcnemar_midp   .0271        .9998
         unpaired_z     .050 ±.007  1.000 ≥.996

behind the power
n_cases  difference  method          power_right          type_s   type_m       undefined
─────────────────────────────────────────────────────────────────────────────────────────
     36         0.0  mcnemar_exact  .0069          .5000           2.0000   .0000
                     mcnemar_midp   .0136          .5000           2.0000   .0000
                     unpaired_z     .025 ±.005     .500 ±.071     ~2.000    .0007 ±.0009
                0.1  mcnemar_exact  .0686          .0043           1.5135   .0000
                     mcnemar_midp   .1081          .0067           1.5135   .0000
                     unpaired_z     .162 ±.012     .010 ±.008     ~1.514    .0007 ±.0009
   1251         0.0  mcnemar_exact  .0069          .5000           2.0000   .0000
                     mcnemar_midp   .0136          .5000           2.0000   .0000
                     unpaired_z     .025 ±.005     .500 ±.071     ~2.000   <.0001 ±<.0001
                0.1  mcnemar_exact  .9995         <.0001           1.0295   .0000
                     mcnemar_midp   .9998         <.0001           1.0295   .0000
                     unpaired_z     .9999 ±.0003  <.0001 ±<.0001  ~1.029   <.0001 ±<.0001

exact: mcnemar_exact, mcnemar_midp.
counts: unpaired_z; 1,000 replications.
±: one Monte Carlo standard error; figures without ± are exact.
≤, ≥: no replication, or every one; the 95% Wilson limit stands in for an error of 0.
~: simulated, without a computed error.
Undefined, counted as not rejecting; largest share: unpaired_z .0007 (n_cases = 36, difference = 0).
At difference = 0 the power is the type I error rate.
Smallest difference seen with power 0.8 (read off the grid, over method): n_cases 36: not reached in
  the grid; n_cases 1251: between .0000 (mcnemar_exact) and .1000 (unpaired_z)."""


def test_golden() -> None:
    grid = {"n_cases": (36, 1251), "difference": (0.0, 0.1)}
    assert to_table(factory.power(grid, replications=1000)) == GOLDEN


@pytest.mark.parametrize("write", [to_table, to_markdown])
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (factory.power, "Power: "),
        (factory.coverage, "Coverage: "),
        (factory.mde, "Smallest detectable effect for power=0.8: "),
        (factory.size, "Smallest n_cases for power=0.8: "),
    ],
)
def test_the_question_comes_first(write, make, words) -> None:
    text = " ".join(write(make()).split())
    assert text.startswith(
        f"{words}two systems answer the same cases (made_up); accuracy_a 0.7; alpha 0.05, two-sided."
    )


@pytest.mark.parametrize("write", [to_table, to_markdown])
def test_paragraphs_stand_above_and_below_the_tables(write) -> None:
    laid_out = "a  b\nc  d"
    parts = write(factory.power(), beside=Beside("Above. " * 30, ("Below.", laid_out))).split("\n\n")
    above = "Above. " * 30 if write is to_markdown else textwrap.fill("Above. " * 30, WIDTH)
    assert parts[1] == above
    assert parts[-2:] == ["Below.", laid_out if write is to_table else f"```text\n{laid_out}\n```"]
    # a page without them says itself what can be read off the grid
    assert ("Smallest difference seen" in write(factory.power()), "Smallest" in "".join(parts)) == (True, False)


@pytest.mark.parametrize("make", [factory.power, factory.coverage, factory.mde, factory.size])
def test_a_table_fits_the_page(make) -> None:
    assert max(map(len, to_table(make()).splitlines())) <= WIDTH


def test_a_single_point_has_its_measures_side_by_side() -> None:
    text = to_table(factory.power({"difference": (0.1,)}))
    head = next(line for line in text.splitlines() if line.startswith("method"))
    assert head.split() == ["method", "power", "power_right", "type_s", "type_m", "undefined"]


def test_all_exact_is_said_once() -> None:
    text = to_table(factory.power(simulated=()))
    assert "All figures are exact." in text
    assert "±" not in text


def test_a_method_that_is_exact_at_some_points_only_is_said_to_be() -> None:
    dataset = factory.power({"n_cases": (36, 100)}, simulated=())
    dataset["engine"][0, 0] = "full"
    dataset["replications"][0, 0] = 500
    text = to_table(dataset)
    assert "full: mcnemar_exact (in part); 500 replications." in text
    assert "exact: mcnemar_exact (in part), mcnemar_midp, unpaired_z." in text


def test_nan_is_a_dash_with_a_legend() -> None:
    dataset = factory.power({"n_cases": (36, 100)}, simulated=())
    assert "–" not in to_table(dataset)
    dataset["power"][0, 0] = np.nan
    text = to_table(dataset, ["power"])
    assert "–: undefined." in text
    assert next(line for line in text.splitlines() if line.startswith("mcnemar_exact")).split()[1] == "–"


def test_a_truth_without_methods_can_be_shown() -> None:
    text = to_table(factory.power(), ["discordance"])
    assert "discordance, difficulty_sd = 1.5" in text
    assert ".3500" in text
    assert "method" not in text


def test_a_variable_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean type_m"):
        to_table(factory.power(), ["typ_m"])


def test_parameters_that_the_question_names_are_not_repeated() -> None:
    assert "Fixed" not in to_table(factory.power())


def test_without_power_coverage_width_and_misses_are_shown() -> None:
    lines = to_table(factory.coverage()).splitlines()
    assert [line for line in lines if line in ("coverage", "interval_width", "miss_below", "miss_above")] == [
        "coverage",
        "interval_width",
        "miss_below",
        "miss_above",
    ]


def test_few_rows_without_power_are_one_table() -> None:
    text = to_table(factory.coverage({"n_cases": (36,), "accuracy": (0.7, 0.9)}))
    assert "accuracy  method           coverage  interval_width  miss_below  miss_above" in text


def test_a_closed_form_without_methods_is_shown() -> None:
    study = factory.power({"n_cases": (36, 100)}).attrs["study"]
    dataset = xr.Dataset(
        {"judge_calls": ("n_cases", np.array([108.0, 200.0]))},
        coords={"n_cases": [36, 100]},
        attrs={"title": "what a round costs", "details": "with two judges", "scenario": "made_up", "study": study},
    )
    assert to_table(dataset).splitlines() == [
        "Power: what a round costs (made_up); with two judges.",
        "",
        "n_cases  judge_calls",
        "────────────────────",
        "     36          108",
        "    100          200",
    ]


def test_a_dataset_of_something_else_is_refused() -> None:
    with pytest.raises(RequestError, match="does not say which study it answers"):
        to_table(xr.Dataset({"power": ("x", [0.1])}))


def test_a_single_method_that_was_selected_is_shown() -> None:
    found = simstudy.power_curve("paired", n_cases=36, accuracy_a=0.7, difference=[0, 0.1], method="tango,mcnemar_midp")
    text = to_table(found.sel({"method": "tango"}))
    assert "tango   .0428  .1790" in text
    assert "mcnemar_midp" not in text.split("power\n")[1]


RULE = {"n_pairs": 30, "strength": 0.5, "method": "averaged,one_order"}


def test_measures_of_the_scenario_stand_behind_the_power_and_costs_after_them() -> None:
    lines = to_table(simstudy.power_curve("win_rate", **RULE)).splitlines()
    heads = " ".join(line for line in lines if line.startswith("method")).split()
    own = ["adopt_by_test", "adopt_by_rate", "win_rate", "decisive_share", "blocked_by_test", "blocked_by_rate"]
    assert [head for head in heads if head in own] == own
    assert heads[-1] == "judge_calls"
    assert "adopt" not in heads  # is the power
    assert [line.split()[-1] for line in lines if line.startswith(("averaged ", "one_order "))][-2:] == ["60", "30"]


def test_a_result_whose_scenario_is_not_registered_any_more_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simstudy.scenarios._registered", {})
    simstudy.register(Families)
    found = simstudy.power_curve("families", n_other=8, runs=1, loss=[0, 0.2], engine="exact")
    known = to_table(found).splitlines()
    monkeypatch.setattr("simstudy.scenarios._registered", {})
    shown = to_table(found).splitlines()
    assert shown[: shown.index("All figures are exact.")] == known[: known.index("All figures are exact.")]
    assert not any("chance" in line or "above the level" in line for line in shown)


def test_what_a_size_costs_stands_beside_it() -> None:
    lines = to_table(simstudy.size("win_rate", strength=0.8, method="averaged,one_order")).splitlines()
    assert "judge_calls" in next(line for line in lines if line.startswith("method"))


def test_answers_read_off_a_grid_and_targets_of_two_conditions_are_laid_out() -> None:
    grid = simstudy.power_curve("paired", n_cases=60, accuracy_a=0.7, difference=[0, 0.1, 0.2, 0.28], method="tango")
    text = to_table(simstudy.mde_from(grid, 0.9))
    assert text.startswith("Smallest detectable effect for power=0.9:")
    assert "mde (difference) for power=0.9" in text
    both = simstudy.size("win_rate", strength=0.8, method="averaged", target="power=0.8,power_wrong=0.05")
    assert "n_pairs for power=0.8,power_wrong=0.05" in to_table(both)


def test_markdown_has_the_figures_and_notes_of_the_table() -> None:
    dataset = factory.power({"n_cases": (36, 100)})
    text = to_markdown(dataset)
    assert "| mcnemar_exact | .0688 | .2011 |" in text
    assert "- counts: unpaired_z; 10,000 replications." in text


VALUES = {
    "difficulty_sd": st.lists(st.floats(0, 5).map(lambda value: round(value, 2)), min_size=1, max_size=4, unique=True),
    "n_cases": st.lists(st.integers(1, 5000), min_size=1, max_size=4, unique=True),
    "difference": st.lists(
        st.floats(-0.5, 0.5).map(lambda value: round(value, 3)), min_size=1, max_size=5, unique=True
    ),
    "protocol": st.lists(st.sampled_from(["one_order", "consistent", "averaged"]), min_size=1, unique=True),
}
DRAWN = st.lists(st.sampled_from(["a", "mcnemar_exact", "bootstrap_percentile", "z", "t"]), min_size=1, unique=True)


@st.composite
def studies(draw: st.DrawFn):
    names = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, unique=True))
    methods = draw(DRAWN)
    grid = {name: sorted(draw(VALUES[name])) for name in names}
    text = {name: grid.pop(name) for name in ("protocol",) if name in grid}
    dataset = factory.power(
        grid or {"n_cases": (36,)}, methods, draw(st.lists(st.sampled_from(methods))), 1000, {"alpha": 0.05}
    )
    return dataset.expand_dims(text) if text else dataset


@settings(max_examples=15, deadline=None)
@given(studies())
def test_any_grid_can_be_read(dataset) -> None:
    lines = to_table(dataset).splitlines()
    assert lines[0].startswith("Power: two systems answer the same cases (made_up); accuracy_a 0.7")
    assert max(map(len, lines)) <= WIDTH
    assert to_markdown(dataset).count("\n") >= len(dataset["method"])
    records = flat_records(dataset)
    assert len(records) == dataset["power"].size
    assert json.loads(to_json(dataset)) == records
    if len(dataset["method"]) > 1:
        assert all(sum(f" {method}" in f" {line}" for line in lines) for method in dataset["method"].values)


def drawable(dataset) -> Chart | None:
    """Give what is drawn, or None where the plot is refused."""
    try:
        return chart_of(dataset)
    except RefusedError:
        return None


@settings(max_examples=15, deadline=None)
@given(studies())
def test_any_grid_is_drawn_in_full_or_refused(dataset) -> None:
    chart = drawable(dataset)
    if chart is None:
        return
    drawn = np.concatenate([line.y for panel in chart.panels for line in panel.lines])
    assert sorted(drawn) == pytest.approx(sorted(dataset["power"].values.ravel()))
