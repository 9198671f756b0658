"""Bits of simulated results: threads, blocks, order, extension, common random numbers."""

import numpy as np
import pytest

import simstudy
from simstudy.engines import simulate as engines
from simstudy.study import simulated_points

PAIRED = {"n_cases": [20, 36], "accuracy_a": 0.7, "difference": [0, 0.1], "method": "mcnemar_midp,tango,unpaired_z"}
CLUSTERED = {"n_clusters": [5, 8], "cluster_size": 3, "accuracy_a": 0.6, "difference": 0.1, "cluster_sd": 1}
STUDIES = [("paired", PAIRED, "full"), ("paired", PAIRED, "counts"), ("clustered", CLUSTERED, "full")]
IDS = ["paired-full", "paired-counts", "clustered-full"]


def ask(study, **options):
    scenario, parameters, engine = study
    return simstudy.power_curve(scenario, engine=engine, **{"replications": 2500, "seed": 3, **options}, **parameters)


def same(one, other):
    for name in one.data_vars:
        np.testing.assert_array_equal(one[name].values, other[name].values, err_msg=name)


@pytest.mark.parametrize("study", STUDIES, ids=IDS)
@pytest.mark.parametrize("threads", [2, 5])
def test_the_number_of_threads_changes_no_bit(study, threads):
    same(ask(study, threads=1), ask(study, threads=threads))


@pytest.mark.parametrize("study", STUDIES[::2], ids=IDS[::2])
@pytest.mark.parametrize("units", [40, 3001, 10**9])
def test_the_size_of_blocks_changes_no_bit(study, units, monkeypatch):
    whole = ask(study)
    monkeypatch.setattr(engines, "UNITS_PER_BLOCK", units)
    same(whole, ask(study, threads=2))


@pytest.mark.parametrize("study", STUDIES, ids=IDS)
def test_the_order_of_blocks_changes_no_bit(study, monkeypatch):
    whole = ask(study, replications=25_000 if study[2] == "counts" else 2500)
    blocks = simulated_points._blocks
    monkeypatch.setattr(engines, "UNITS_PER_BLOCK", 9000)
    monkeypatch.setattr(simulated_points, "_blocks", lambda job, goal: reversed(list(blocks(job, goal))))
    same(whole, ask(study, replications=25_000 if study[2] == "counts" else 2500))


@pytest.mark.parametrize("study", STUDIES, ids=IDS)
def test_the_seed_changes_the_result(study):
    one, other = ask(study, seed=1), ask(study, seed=2)
    assert (one["power"].values != other["power"].values).any()


@pytest.mark.parametrize("study", STUDIES[:2], ids=IDS[:2])
def test_a_precision_that_needs_several_rounds_extends_the_first(study):
    """Rounds of 1000, 2000, 4000 and more end where a single run of that many does, bit for bit."""
    scenario, parameters, engine = study
    parameters = {**parameters, "n_cases": 20, "difference": 0.1, "method": "mcnemar_midp"}
    rounds = simstudy.power_curve(scenario, engine=engine, mcse=0.002, seed=3, **parameters)
    replications = rounds["replications"].item()
    assert replications in [1000 * 2**k for k in range(11)]
    # rounds that end inside a block of the counts engine, and rounds that go on beyond it
    assert replications > engines.COUNTS_BLOCK
    half = (rounds["power_high"] - rounds["power_low"]).item() / 2 / 1.959964
    assert half <= 0.002 * 1.000001
    same(rounds, simstudy.power_curve(scenario, engine=engine, replications=replications, seed=3, **parameters))


def test_a_result_does_not_depend_on_the_grid_it_is_in():
    """Neither engine knows a point's place in the grid."""
    for engine in ("full", "counts"):
        for common in (True, False):
            options = {"engine": engine, "replications": 800, "common_random_numbers": common, "method": "tango"}
            grid = simstudy.power_curve("paired", n_cases=[20, 36], accuracy_a=0.7, difference=[0, 0.1], **options)
            alone = simstudy.power_curve("paired", n_cases=36, accuracy_a=0.7, difference=0.1, **options)
            point = grid.sel(n_cases=36, difference=0.1)
            for name in ("power", "coverage", "interval_width", "estimate_mean"):
                assert (point[name].values == alone[name].values).all()


def test_common_random_numbers_make_curves_smooth():
    """With the same cases and draws, a better B is right wherever a worse B is: the mean estimate grows surely."""
    options = {"engine": "full", "replications": 300, "method": "tango", "n_cases": 30, "accuracy_a": 0.6}
    effects = np.linspace(0, 0.05, 26)
    shared = simstudy.power_curve("paired", difference=effects, **options)["estimate_mean"].values[:, 0]
    assert (np.diff(shared) >= 0).all()
    apart = simstudy.power_curve("paired", difference=effects, common_random_numbers=False, **options)
    assert (np.diff(apart["estimate_mean"].values[:, 0]) < 0).any()


def test_points_of_a_different_size_share_their_first_cases():
    small, large = (
        simstudy.replay("paired", replication=5, n_cases=n, accuracy_a=0.7, difference=0.1) for n in (36, 100)
    )
    assert all((large[name][:36] == small[name]).all() for name in small)


def test_methods_asked_together_or_alone_see_the_same_replications():
    for engine in ("full", "counts"):
        options = {"n_cases": 25, "accuracy_a": 0.7, "difference": 0.1, "engine": engine, "replications": 500}
        together = simstudy.power_curve("paired", method="mcnemar_exact,newcombe,unpaired_z", **options)
        for i, method in enumerate(("mcnemar_exact", "newcombe", "unpaired_z")):
            alone = simstudy.power_curve("paired", method=method, **options)
            assert alone["power"].item() == together["power"].values[i]
