"""Results as a researcher reads them."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import simstudy
from simstudy.errors import UnknownNameError
from simstudy.pages.page import to_markdown, to_table
from simstudy.pages.text_tables import WIDTH
from tests.unit.pages import factory

GOLDEN = """\
How often does a test see that B is better than A, when both answer the same cases?
Fixed: accuracy_a = 0.7, alpha = 0.05.

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
Smallest difference in the grid seen with power .80: n_cases = 36: not in the grid; n_cases = 1251:
  0.1."""


def test_golden() -> None:
    grid = {"n_cases": (36, 1251), "difference": (0.0, 0.1)}
    assert to_table(factory.power(grid, replications=1000)) == GOLDEN


@pytest.mark.parametrize("write", [to_table, to_markdown])
@pytest.mark.parametrize("make", [factory.power, factory.coverage, factory.mde, factory.size])
def test_the_question_comes_first(write, make) -> None:
    dataset = make()
    assert write(dataset).splitlines()[0] == dataset.attrs["question"]


@pytest.mark.parametrize("make", [factory.power, factory.coverage, factory.mde, factory.size])
def test_a_table_fits_the_page(make) -> None:
    assert max(map(len, to_table(make()).splitlines())) <= WIDTH


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


def test_methods_without_a_variable_are_left_out_of_its_grid() -> None:
    dataset = factory.power()
    dataset["type_m"].attrs["applies_to"] = "mcnemar_exact, mcnemar_midp"
    text = to_table(dataset, ["type_m"])
    assert "unpaired_z " not in text.split("exact:")[0]
    dataset["type_m"].attrs["applies_to"] = ["mcnemar_exact", "mcnemar_midp"]
    assert to_table(dataset, ["type_m"]) == text


def test_methods_without_a_variable_have_an_empty_cell_beside_others() -> None:
    dataset = factory.power({"difference": (0.1,)}, simulated=())
    dataset["type_m"].attrs["applies_to"] = ["mcnemar_exact"]
    rows = {line.split()[0]: line.split() for line in to_table(dataset).splitlines() if "mcnemar" in line}
    assert len(rows["mcnemar_exact"]) == len(rows["mcnemar_midp"]) + 1


def test_a_truth_without_methods_can_be_shown() -> None:
    text = to_table(factory.power(), ["discordance"])
    assert "discordance, difficulty_sd = 1.5" in text
    assert ".3500" in text
    assert "method" not in text


def test_a_variable_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean type_m"):
        to_table(factory.power(), ["typ_m"])


def test_undefined_shares_are_named_with_their_worst_point() -> None:
    text = to_table(factory.power({"n_cases": (8, 100), "difference": (0.0, 0.1)}))
    assert "Undefined, counted as not rejecting; largest share: unpaired_z .2019 (n_cases = 8," in text


def test_misused_methods_are_named_and_not_counted_as_seeing() -> None:
    dataset = factory.power({"difference": (0.1, 0.19)}, fixed={"n_cases": 100})
    assert "with power .80: 0.19 or not in the grid." in to_table(dataset)
    dataset.attrs["misused_methods"] = "mcnemar_midp, unpaired_z"
    text = to_table(dataset)
    assert "not comparable with the others: mcnemar_midp, unpaired_z." in text
    assert text.endswith("with power .80: not in the grid.")


def test_the_smallest_effect_is_the_one_closest_to_the_null() -> None:
    grid = {"difference": (-0.3, -0.25, 0.26, 0.3)}
    assert to_table(factory.power(grid)).endswith("with power .80: -0.25.")


def test_no_effect_swept_has_no_smallest_effect() -> None:
    assert "Smallest" not in to_table(factory.power({"n_cases": (36, 100)}))
    assert "Smallest" not in to_table(factory.coverage())


def test_parameters_that_the_question_names_are_not_repeated() -> None:
    dataset = factory.power().assign_attrs(question="Power; accuracy_a 0.7; alpha 0.05, two-sided.")
    assert "Fixed" not in to_table(dataset)


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
    dataset = xr.Dataset(
        {"judge_calls": ("n_cases", np.array([108.0, 200.0]))},
        coords={"n_cases": [36, 100]},
        attrs={"question": "What does a round cost?"},
    )
    assert to_table(dataset).splitlines() == [
        "What does a round cost?",
        "",
        "n_cases  judge_calls",
        "────────────────────",
        "     36          108",
        "    100          200",
    ]


def test_markdown_has_the_figures_and_notes_of_the_table() -> None:
    dataset = factory.power({"n_cases": (36, 100)})
    text = to_markdown(dataset)
    assert "| mcnemar_exact | .0688 | .2011 |" in text
    assert "- counts: unpaired_z; 10,000 replications." in text


def test_rejections_in_the_wrong_direction_are_pointed_out():
    """A judge that errs on the better system: more cases, more wrong findings; without errors chance explains them."""
    asked = {"n_cases": [36, 1251], "accuracy_a": 0.7, "difference": 0.05, "method": "mcnemar_midp"}
    misled = to_table(simstudy.power_curve("judged", reworded_b=0.8, **asked))
    line = "Rejects in the wrong direction more often than chance allows (.025); at most: mcnemar_midp .1543 (n_cases ="
    assert line in " ".join(misled.split())
    assert "wrong direction" not in to_table(simstudy.power_curve("judged", **asked))
