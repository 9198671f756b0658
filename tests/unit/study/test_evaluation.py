"""Running a study: rounds, progress, interruption, methods."""

import pytest

import simstudy
from simstudy.errors import InterruptedStudyError, ParameterError, RefusedError, UnknownNameError
from simstudy.scenarios import get_scenario
from simstudy.study import evaluation as run
from simstudy.study.plan import make_methods, make_study

PAIRED = get_scenario("paired")
ASKED = {"n_cases": [10, 20], "accuracy_a": 0.6, "difference": 0.1}


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (None, ["mcnemar_exact", "mcnemar_midp", "tango"]),
        ("tango", ["tango"]),
        ("tango, newcombe", ["tango", "newcombe"]),
        (("tango", "newcombe"), ["tango", "newcombe"]),
    ],
)
def test_methods_in_every_form(given, names):
    assert [m.name for m in make_methods(PAIRED, given)] == names


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("tanga", UnknownNameError, "Did you mean tango"),
        ("tango,tango", ParameterError, "tango more than once"),
        ([], ParameterError, "empty list"),
    ],
)
def test_wrong_methods_are_worded(given, error, words):
    with pytest.raises(error, match=words):
        make_methods(PAIRED, given)


def test_requests_that_do_not_fit_are_refused_before_anything_runs():
    with pytest.raises(RefusedError, match="needs --margin"):
        simstudy.power_curve("paired", method="equivalence_tango", **ASKED)
    with pytest.raises(ParameterError, match="alpha has a value more than once"):
        simstudy.power_curve("paired", alpha=[0.05, 0.05], **ASKED)
    with pytest.raises(ParameterError, match="nothing usable is left"):
        simstudy.power_curve("paired", unusable=0.95, **ASKED)
    with pytest.raises(UnknownNameError, match="scenario"):
        simstudy.power_curve("pair")
    with pytest.raises(RefusedError, match="independent errors give"):
        simstudy.power_curve("paired", engine="full", discordance=0.6, **{**ASKED, "accuracy_a": 0.5})


@pytest.mark.parametrize(("engine", "unit"), [("exact", "design points"), ("counts", "replications")])
def test_progress_reaches_its_end(engine, unit):
    seen = []
    simstudy.power_curve(
        "paired", engine=engine, replications=1500, progress=lambda *state: seen.append(state), **ASKED
    )
    mine = [(done, total) for done, total, name in seen if name == unit]
    assert mine[-1] == ((2, 2) if unit == "design points" else (3000, 3000))
    assert mine == sorted(mine)


def test_an_interruption_says_how_far_it_got(monkeypatch):
    """The second of the blocks is stopped by the user."""
    calls = []

    def stop_at_the_second(*arguments):
        calls.append(arguments)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return simulate(*arguments)

    simulate = run._simulate_block
    monkeypatch.setattr(run, "_simulate_block", stop_at_the_second)
    with pytest.raises(InterruptedStudyError, match=r"Stopped: \d+ of 60000 replications were done"):
        simstudy.power_curve("paired", engine="counts", replications=30_000, threads=1, **ASKED)


def test_an_interruption_of_an_exact_study(monkeypatch):
    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "exact_cells", stop)
    with pytest.raises(InterruptedStudyError, match="0 of 2 design points were done"):
        simstudy.power_curve("paired", engine="exact", **ASKED)


def test_an_interruption_while_solving(monkeypatch):
    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("simstudy.solve.solver.solve_size", stop)
    with pytest.raises(InterruptedStudyError, match="0 answers were done"):
        simstudy.size("paired", accuracy_a=0.6, difference=0.2)


def test_exact_and_simulated_methods_in_one_study(monkeypatch):
    """Where exact costs too much for one method alone, the others stay exact."""
    monkeypatch.setattr("simstudy.engines.simulate.EXACT_SECONDS", 1e-2)
    found = simstudy.power_curve(
        "paired", n_cases=60, accuracy_a=0.6, difference=0.1, method="mcnemar_exact,newcombe", replications=400
    )
    assert found["engine"].values.tolist() == ["exact", "counts"]
    assert found["replications"].values.tolist() == [0, 400]


def test_engines_are_planned_for_each_point_and_method():
    study = make_study("paired", {**ASKED, "n_cases": [10, 100_000]}, method="mcnemar_exact,newcombe")
    assert study.engines == [["exact", "exact"], ["counts", "counts"]]


def test_a_precision_out_of_reach_ends_at_the_ceiling(monkeypatch):
    monkeypatch.setattr(run, "CEILING", 4000)
    found = simstudy.power_curve("paired", mcse=0.0005, **{**ASKED, "n_cases": 10})
    assert (found["replications"] == 4000).all()


def test_points_stop_when_each_is_precise_enough():
    """Power near one half needs more replications than power near one."""
    found = simstudy.power_curve(
        "paired", n_cases=60, accuracy_a=0.3, difference=[0.2, 0.6], method="tango", mcse=0.008
    )
    few, many = found["replications"].values[::-1, 0]
    assert few < many
