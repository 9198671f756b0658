"""Which part of a result is shown."""

import pytest

import simstudy
from simstudy.errors import ParameterError, RefusedError, RequestError, UnknownNameError
from simstudy.pages.chart import chart_of
from simstudy.pages.page import to_table
from simstudy.pages.shown import EVERYTHING, read_shown, refuse_plot
from simstudy.study.plan import make_study

WIDE = {"n_cases": [36, 50, 100], "accuracy_a": [0.5, 0.6], "difference": [0.05, 0.1], "difficulty_sd": [0, 1, 2]}


@pytest.fixture(scope="module")
def result():
    return simstudy.power_curve("paired", method=["mcnemar_midp", "mcnemar_exact"], **WIDE)


def test_what_is_typed_is_read():
    shown = read_shown("n-cases=36/100,method=mcnemar_midp", "difference", "n_cases,accuracy-a")
    assert shown.selected == {"n_cases": ("36", "100"), "method": ("mcnemar_midp",)}
    assert (shown.x, shown.panels) == ("difference", ("n_cases", "accuracy_a"))
    assert read_shown(None, None, None) == EVERYTHING


@pytest.mark.parametrize(
    ("select", "panels", "words"),
    [
        ("n_cases", None, "write NAME=VALUE"),
        ("=3", None, "write NAME=VALUE"),
        ("", None, "write NAME=VALUE"),
        ("n_cases=36,n_cases=50", None, "n_cases more than once"),
        (None, "a,b,c", "one parameter, or two different ones"),
        (None, "a,a", "one parameter, or two different ones"),
    ],
)
def test_what_cannot_be_read_is_refused(select, panels, words):
    with pytest.raises(ParameterError, match=words):
        read_shown(select, None, panels)


def test_a_part_has_the_values_of_the_whole(result):
    part = read_shown("n_cases=100/36,difference=10%,method=mcnemar_exact", None, None).of(result)
    assert part["n_cases"].values.tolist() == [36, 100]
    assert part["difference"].values.tolist() == [0.1]
    there = {"n_cases": [36, 100], "difference": [0.1], "method": ["mcnemar_exact"]}
    assert part["power"].equals(result["power"].sel(there))
    assert EVERYTHING.of(result) is result


def test_names_and_values_that_are_not_there_are_refused(result):
    with pytest.raises(UnknownNameError, match="Did you mean n_cases"):
        read_shown("n_case=36", None, None).of(result)
    with pytest.raises(RequestError, match="no n_cases 37; it has 36, 50, 100"):
        read_shown("n_cases=37", None, None).of(result)
    with pytest.raises(RequestError, match="no method tango"):
        read_shown("method=tango", None, None).of(result)


def test_a_plot_is_drawn_as_asked(result):
    shown = read_shown("difficulty_sd=1", "n_cases", "difference,accuracy_a")
    chart = chart_of(shown.of(result), shown=shown)
    assert chart.x.values == (36.0, 50.0, 100.0)
    assert (chart.columns, chart.rows) == (2, 2)
    assert (chart.panels[0].column_name, chart.panels[0].row_name) == ("difference = 0.05", "accuracy_a = 0.5")


@pytest.mark.parametrize(
    ("shown", "error", "words"),
    [
        ((None, None, None), RefusedError, "--select difficulty_sd=VALUE fixes difficulty_sd"),
        ((None, None, "accuracy_a"), RefusedError, "--select n_cases=VALUE,difficulty_sd=VALUE fixes"),
        (
            ("difficulty_sd=1", "seed", None),
            UnknownNameError,
            "several values to plot against 'seed'",
        ),
        (("difficulty_sd=1", "n_cases", "n_cases"), UnknownNameError, "no parameter for panels 'n_cases'"),
        (("n_cases=36,accuracy_a=0.5,difference=0.1,difficulty_sd=1", None, None), RefusedError, "nothing to plot"),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_and_after(result, shown, error, words):
    asked = read_shown(*shown)
    with pytest.raises(error, match=words):
        refuse_plot(make_study("paired", WIDE, method="mcnemar_midp"), asked)
    with pytest.raises(error, match=words):
        chart_of(asked.of(result), shown=asked)


def test_too_many_panels_name_the_longest():
    study = make_study("paired", {**WIDE, "n_cases": list(range(10, 110, 10)), "difficulty_sd": 1})
    with pytest.raises(RefusedError, match="--x n_cases puts n_cases on the axis, --select n_cases=VALUE/VALUE"):
        refuse_plot(study, EVERYTHING)


def test_long_tables_are_cut_and_the_rest_is_counted(result):
    whole, cut = to_table(result), to_table(result, most=10)
    assert "not shown" not in whole
    # a row for each size and method in a table of each accuracy and difficulty
    assert f"{3 * 2 * 2 * 3 - 10} more rows are not shown" in " ".join(cut.split())
    assert "--select NAME=VALUE shows a part (n_cases, accuracy_a, difference, difficulty_sd, method)" in " ".join(
        cut.split()
    )
    assert len(cut.splitlines()) < len(whole.splitlines())


def test_one_dimension_has_no_panels():
    study = make_study("paired", {"n_cases": [36, 50], "accuracy_a": 0.5, "difference": 0.1})
    with pytest.raises(RefusedError, match="panels is 'none'; beside n_cases, on the axis, no parameter has several"):
        refuse_plot(study, read_shown(None, None, "none"))
