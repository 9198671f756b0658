"""Running a study: rounds, progress, interruption, methods."""

import numpy as np
import pytest

import simstudy
from simstudy.engines import tally as engine
from simstudy.errors import ComputationError, InterruptedStudyError, RefusedError
from simstudy.study import simulated_points
from simstudy.study.simulated_points import Job
from tests.small.weeks import Weeks

RNG = np.random.default_rng(1)
ASKED = {"n_cases": [10, 20], "accuracy_a": 0.6, "difference": 0.1}


def test_a_discordance_that_no_difficulty_gives_is_counted_and_not_simulated():
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

    simulate = simulated_points._simulate_block
    monkeypatch.setattr(simulated_points, "_simulate_block", stop_at_the_second)
    with pytest.raises(InterruptedStudyError, match=r"Stopped: \d+ of 60000 replications were done"):
        simstudy.power_curve("paired", engine="counts", replications=30_000, threads=1, **ASKED)


class Stopped(Weeks):
    """Somebody presses Ctrl-C while the law of a loss of .1 is computed."""

    name = "stopped"

    def walk(self, values, method, level, alternative):
        if values["loss"] == 0.1:
            raise KeyboardInterrupt
        yield from super().walk(values, method, level, alternative)


def test_an_interruption_of_an_exact_study():
    with pytest.raises(InterruptedStudyError, match="1 of 2 design points were done"):
        simstudy.power_curve(Stopped(), n_cases=40, accuracy=0.8, loss=[0.0, 0.1])


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


def test_a_precision_out_of_reach_ends_at_the_ceiling(monkeypatch):
    monkeypatch.setattr(simulated_points, "CEILING", 4000)
    found = simstudy.power_curve("paired", mcse=0.0005, **{**ASKED, "n_cases": 10})
    assert (found["replications"] == 4000).all()


def test_points_stop_when_each_is_precise_enough():
    """Power near one half needs more replications than power near one."""
    found = simstudy.power_curve(
        "paired", n_cases=60, accuracy_a=0.3, difference=[0.2, 0.6], method="tango", mcse=0.008
    )
    few, many = found["replications"].values[::-1, 0]
    assert few < many


class Truncated(Weeks):
    """The law of a year without its silent years: what a window leaves out."""

    name = "truncated"

    def walk(self, values, method, level, alternative):
        for rows, probability in super().walk(values, method, level, alternative):
            yield rows[:-1], probability[:-1]


def test_a_walk_that_is_no_law_is_refused():
    class Doubled(Weeks):
        name = "doubled"

        def walk(self, values, method, level, alternative):
            yield from super().walk(values, method, level, alternative)
            yield from super().walk(values, method, level, alternative)

    class Misshapen(Weeks):
        name = "misshapen"

        def walk(self, values, method, level, alternative):
            yield np.zeros((2, 3), np.int64), np.array([0.5, 0.5])

    class Nothing(Weeks):
        name = "nothing"

        def walk(self, values, method, level, alternative):
            yield from ()

    asked = {"n_cases": 60, "accuracy": 0.8, "loss": 0.1}
    for scenario, words in (
        (Truncated, "add up to"),
        (Doubled, "add up to 2"),
        (Misshapen, "shape"),
        (Nothing, "to 0;"),
    ):
        with pytest.raises(ComputationError, match=words):
            simstudy.power_curve(scenario(), **asked)


def test_what_a_law_leaves_out_is_said(monkeypatch):
    monkeypatch.setattr("simstudy.engines.laws.WALK_SLACK", 1.0)
    asked = {"n_cases": 60, "accuracy": 0.8, "loss": 0.1}
    silent = 1 - simstudy.power_curve(Weeks(), **asked)["power"].values
    found = simstudy.power_curve(Truncated(), **asked)["left_out"].values
    assert found == pytest.approx(silent, abs=1e-12)
    assert (found > 1e-3).any()
    assert (simstudy.power_curve(Weeks(), **asked)["left_out"].values < 1e-12).all()


@pytest.mark.parametrize(("values", "merges"), [(2**60, 7), (5, 65)])
def test_rows_that_are_all_distinct_are_merged_seldom(monkeypatch, values, merges):
    seen = []
    monkeypatch.setattr(simulated_points, "FEW", 1)
    monkeypatch.setattr(simulated_points, "merge", lambda parts: seen.append(len(parts)) or engine.merge(parts))
    blocks = [RNG.integers(0, values, (50, 2)) for _ in range(64)]
    job = Job(0, None, "full", [], [("a", "b")])
    for block in blocks:
        job.add([engine.tally(block)])
    job.merge()
    whole = engine.tally(np.concatenate(blocks))
    assert (job.tallies[0].rows == whole.rows).all()
    assert (job.tallies[0].counts == whole.counts).all()
    assert len(seen) <= merges


def test_rows_that_turn_out_to_repeat_are_merged_in_time(monkeypatch):
    """A support of 1000 rows looks distinct for the first blocks; what waits stays bounded."""
    monkeypatch.setattr(simulated_points, "FEW", 1)
    job, most = Job(0, None, "full", [], [("a",)]), 0
    for _ in range(400):
        job.add([engine.tally(2**52 * RNG.integers(0, 1000, (50, 1)))])
        most = max(most, simulated_points._rows(job.waiting) + simulated_points._rows([job.tallies]))
    assert most < 9 * 1000 + 50


def test_rounds_of_counts_end_where_their_blocks_do():
    """The fifth round, from 8000 to 16,000, begins in one block of 10,000 and ends in the next."""
    asked = {"n_cases": 30, "accuracy_a": 0.6, "difference": 0.2, "method": "mcnemar_midp", "engine": "counts"}
    rounds = simstudy.power_curve("paired", mcse=0.004, **asked)
    assert rounds["replications"].item() == 16_000
    once = simstudy.power_curve("paired", replications=16_000, **asked)
    assert rounds.drop_attrs().identical(once.drop_attrs())
