"""Plans: what would be computed."""

from simstudy.commands.dry_run import plan_lines
from simstudy.study.plan import make_study

POINT = {"accuracy_a": 0.7, "difference": 0.1, "n_cases": [36, 100]}


def test_a_plan_of_power_names_the_engines():
    lines = plan_lines(make_study("paired", POINT, method=["mcnemar_exact", "tango"], engine="full", threads=2))
    assert lines[0].startswith("Power: two systems answer the same cases (paired)")
    assert "Grid: 2 design points, 2 method(s)" in lines
    assert "  n_cases: 36, 100" in lines
    assert "  tango: full at 2 point(s)" in lines
    assert "at 10000 replications, 2 thread(s), and on the first use some seconds to compile" in lines[-2]
    assert lines[-1] == "Nothing was computed."


def test_a_plan_of_exact_figures_has_no_replications():
    lines = plan_lines(make_study("paired", POINT, method="mcnemar_exact"))
    assert "replications" not in lines[-2]


def test_a_plan_of_answers_names_the_target():
    study = make_study("paired", {**POINT, "difference": None}, question="mde", target="power=0.8,power_wrong=0.01")
    assert any("To solve for power=0.8,power_wrong=0.01: 6 answer(s)" in line for line in plan_lines(study))
    forced = make_study("paired", {"accuracy_a": 0.7, "difference": 0.1}, question="size", engine="counts")
    assert plan_lines(forced)[-2] == "Engine: counts."
