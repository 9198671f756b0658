"""Four small scenarios: what declarations can say beyond counts of fixed classes, held to other computations."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from scipy import stats

import simstudy
from simstudy.engines.simulate import replay_units
from simstudy.options import make_options
from simstudy.scenarios import get_scenario
from simstudy.scenarios.declaration import DesignPoint
from tests.small.correlations import Correlations
from tests.small.families import Families
from tests.small.protocols import Protocols
from tests.small.weeks import Weeks

# sums of some thousands of products
ROUNDING = 1e-10
# z beyond which a simulated figure counts as wrong: two-sided false-alarm rate 6e-5 for each comparison
Z = 4.0


@pytest.fixture(scope="module", autouse=True)
def registered():
    """Nothing of it outlives the module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simstudy.scenarios._registered", {})
        for scenario in (Families, Weeks, Protocols, Correlations):
            simstudy.register(scenario)
        yield


# --- families -------------------------------------------------------------------------------------------------------


def gate_by_hand(n_other, n_critical, runs, loss, noise, margin):
    """P(pass), P(fail): whether a case is lost is all that matters, and cases are independent."""
    flips = stats.binom.cdf((runs - 1) // 2, runs, 1.0 - noise)
    lost = loss * (1.0 - flips) + (1.0 - loss) * flips
    cases = n_other + n_critical
    passed = failed = 0.0
    for critical, other in itertools.product(range(n_critical + 1), range(n_other + 1)):
        p = stats.binom.pmf(critical, n_critical, lost) * stats.binom.pmf(other, n_other, lost)
        kept = cases - critical - other
        low = stats.beta.ppf(0.025, kept, cases - kept + 1) if kept else 0.0
        high = stats.beta.ppf(0.975, kept + 1, cases - kept) if kept < cases else 1.0
        passed += p * (critical == 0 and low >= 1.0 - margin)
        failed += p * (critical > 0 or high < 1.0 - margin)
    return passed, failed


@pytest.mark.parametrize("runs", [1, 3])
def test_classes_follow_from_the_number_of_runs(runs):
    point = get_scenario("families").point(
        {"n_other": 8, "n_critical": 4, "runs": runs, "loss": 0.2, "flip_noise": 0.05, "margin": 0.4}
    )
    assert [len(block.classes) for block in point.blocks] == [runs + 1, runs + 1]
    assert point.vectors["critical"] == tuple(f"critical_{right}" for right in range(runs + 1))


@pytest.mark.parametrize(("runs", "loss"), [(1, 0.2), (3, 0.2), (3, 0.0)])
def test_the_gate_passes_fails_and_leaves_open_as_often_as_by_hand(runs, loss):
    found = simstudy.power_curve("families", n_other=8, runs=runs, loss=loss, engine="exact")
    passed, failed = gate_by_hand(8, 4, runs, loss, 0.05, 0.4)
    same, _ = gate_by_hand(8, 4, runs, 0.0, 0.05, 0.4)
    assert float(found["power"].item()) == pytest.approx(failed, abs=ROUNDING)
    assert float(found["pass_worse"].item()) == pytest.approx(passed, abs=ROUNDING)
    assert float(found["pass_same"].item()) == pytest.approx(same, abs=ROUNDING)
    right, wrong = (failed, passed) if loss > 0 else (passed, failed)
    assert float(found["power_right"].item()) == pytest.approx(right, abs=ROUNDING)
    assert float(found["power_wrong"].item()) == pytest.approx(wrong, abs=ROUNDING)


def test_the_gate_says_what_each_part_said_and_which_one_blocked():
    found = simstudy.power_curve("families", n_other=8, runs=1, loss=0.2, engine="exact")
    both, critical, bound = (float(found[name].item()) for name in ("pass_worse", "said_critical", "said_bound"))
    assert critical == pytest.approx((0.8 * 0.95 + 0.2 * 0.05) ** 4, abs=ROUNDING)
    assert float(found["blocked_by_bound"].item()) == pytest.approx(critical - both, abs=ROUNDING)
    assert float(found["blocked_by_critical"].item()) == pytest.approx(bound - both, abs=ROUNDING)


def test_counts_agree_with_the_law_of_families():
    asked = dict(n_other=8, runs=3, loss=0.2)
    exact = simstudy.power_curve("families", engine="exact", **asked)
    drawn = simstudy.power_curve("families", engine="counts", replications=20_000, **asked)
    for name in ("power", "pass_same", "pass_worse", "said_bound", "blocked_by_critical"):
        p = float(exact[name].item())
        assert abs(float(drawn[name].item()) - p) <= Z * math.sqrt(p * (1 - p) / 20_000), name


def test_a_target_of_two_conditions_is_reached_by_both_and_not_before():
    asked = dict(loss=0.3, runs=1, n_critical=2, flip_noise=0.02, margin=0.25)
    found = simstudy.size("families", target="pass_same=0.8,pass_worse=0.05", engine="exact", **asked)
    n = int(found["answer"].item())
    assert found.attrs["target"] == "pass_same=0.8,pass_worse=0.05"

    def reached(size):
        same, _ = gate_by_hand(size, 2, 1, 0.0, 0.02, 0.25)
        worse, _ = gate_by_hand(size, 2, 1, 0.3, 0.02, 0.25)
        return same >= 0.8 and worse <= 0.05

    assert all(reached(size) for size in range(n, n + 15))
    assert not reached(n - 1)
    either = [
        simstudy.size("families", target=one, engine="exact", largest=400, **asked)
        for one in ("pass_same=0.8", "pass_worse=0.05")
    ]
    assert n == max(int(one["answer"].item()) for one in either)


# --- weeks ----------------------------------------------------------------------------------------------------------


def weeks_by_hand(n, accuracy, loss, looks, onset, each):
    """(false alarm, detected, mean delay) from the probabilities of each look."""
    critical = max((x for x in range(n + 1) if stats.binom.cdf(x, n, accuracy) <= each), default=-1)
    before, after = (stats.binom.cdf(critical, n, p) for p in (accuracy, accuracy - loss))
    if loss <= 0:
        return 1 - (1 - before) ** looks, 0.0, math.nan
    silent = (1 - before) ** (onset - 1)
    first = [silent * (1 - after) ** k * after for k in range(looks - onset + 1)]
    return 1 - silent, sum(first), sum(k * p for k, p in enumerate(first)) / sum(first)


@pytest.mark.parametrize("loss", [0.0, 0.1])
def test_a_year_of_looks(loss):
    found = simstudy.power_curve("weeks", n_cases=60, accuracy=0.8, loss=loss)
    assert set(found["engine"].values.ravel()) == {"exact"}
    for method, each in (("nominal", 0.05), ("bonferroni", 0.05 / 52)):
        here = found.sel({"method": method})
        alarm, detected, delay = weeks_by_hand(60, 0.8, loss, 52, 20, each)
        assert float(here["false_alarm"]) == pytest.approx(alarm, abs=ROUNDING)
        assert float(here["detected"]) == pytest.approx(detected, abs=ROUNDING)
        assert float(here["delay"]) == pytest.approx(delay, abs=1e-8, nan_ok=True)
        assert float(here["power"]) == pytest.approx(alarm + detected, abs=ROUNDING)


def test_own_measures_are_targets_and_their_names_are_known():
    found = simstudy.size("weeks", accuracy=0.8, loss=0.1, method="bonferroni", target="delay=3")
    n = int(found["answer"].item())
    delays = [weeks_by_hand(size, 0.8, 0.1, 52, 20, 0.05 / 52)[2] for size in range(n - 1, n + 40)]
    assert delays[0] > 3
    assert all(delay <= 3 for delay in delays[1:])
    with pytest.raises(simstudy.RequestError, match="Did you mean detected"):
        simstudy.size("weeks", accuracy=0.8, loss=0.1, target="detectd=0.8")


def test_levels_of_a_walk_are_asked_one_by_one():
    with pytest.raises(simstudy.RequestError, match="one level"):
        simstudy.power_curve("weeks", n_cases=60, accuracy=0.8, loss=0.1, alpha=[0.05, 0.1])
    found = simstudy.size(
        "weeks", accuracy=0.8, loss=0.1, method="nominal", target="false_alarm=0.5", alpha=[0.01, 0.001]
    )
    assert found["answer"].sizes["alpha"] == 2


# --- protocols ------------------------------------------------------------------------------------------------------


def test_protocols_pay_their_own_calls_and_are_compared_at_the_size_each_needs():
    found = simstudy.size("protocols", strength=0.4, beta=0.0)
    assert found["judge_calls"].dims == ("method",)
    sizes = found["answer"].to_series().to_dict()
    calls = found["judge_calls"].to_series().to_dict()
    law = dict(
        zip(
            Protocols.blocks[0].classes,
            get_scenario("protocols").law({"strength": 0.4, "beta": 0.0, "tie_band": 0.5})[0],
            strict=True,
        )
    )
    tied = sum(p for name, p in law.items() if name.startswith("tie"))
    assert calls["first"] == sizes["first"]
    assert calls["both"] == 2 * sizes["both"]
    assert calls["until_decided"] == pytest.approx(sizes["until_decided"] * (1 + tied))
    # power at these sizes, by the discordant total and scipy's test
    for name, wins in (("first", ("b_b", "b_a", "b_tie")), ("both", ("b_b", "b_tie", "tie_b"))):
        losses = {"first": ("a_b", "a_a", "a_tie"), "both": ("a_a", "a_tie", "tie_a")}[name]
        p01, p10 = sum(law[c] for c in wins), sum(law[c] for c in losses)
        n, power = int(sizes[name]), 0.0
        for m in range(1, n + 1):
            k = np.arange(m + 1)
            reject = k[2 * stats.binom.cdf(np.minimum(k, m - k), m, 0.5) <= 0.05]
            power += stats.binom.pmf(m, n, p01 + p10) * stats.binom.pmf(reject, m, p01 / (p01 + p10)).sum()
        assert power >= 0.8 - 1e-6, name


def test_a_kernel_may_be_shared():
    asked = dict(n_pairs=100, strength=0.3, method="both")
    exact = float(simstudy.power_curve("protocols", engine="exact", **asked)["power"][0])
    full = float(simstudy.power_curve("protocols", engine="full", replications=20_000, **asked)["power"][0])
    assert abs(full - exact) <= Z * math.sqrt(exact * (1 - exact) / 20_000)


# --- correlations ---------------------------------------------------------------------------------------------------


def test_plain_numpy_gives_the_same_bits_for_any_threads_and_prefixes_extend():
    asked = dict(n_items=12, delta_rho=0.2, seed=7)
    one, two = (simstudy.power_curve("correlations", replications=300, threads=t, **asked) for t in (1, 2))
    for name in ("power", "estimate_mean", "interval_width", "coverage"):
        assert one[name].values.tobytes() == two[name].values.tobytes(), name
    point = get_scenario("correlations").point({"n_items": 12, "rho_a": 0.5, "delta_rho": 0.2, "rho_ab": 0.5})
    assert isinstance(point, DesignPoint)
    _, first = replay_units(point, make_options(seed=7), 5)
    again = simstudy.replay("correlations", n_items=12, delta_rho=0.2, seed=7, replication=5)
    assert np.array_equal(np.column_stack(list(again.values())), first)


@pytest.mark.parametrize(("replications", "more"), [(100, 500), pytest.param(400, 2000, marks=pytest.mark.slow)])
def test_the_bootstrap_of_rank_correlations_against_scipy(replications, more):
    """An independent simulation: SciPy's spearmanr and a bootstrap loop; |z| beyond 4 by chance: 6e-5 each."""
    n = 20
    found = simstudy.power_curve("correlations", n_items=n, delta_rho=0.2, replications=more, seed=3)
    rng = np.random.default_rng(20261130)
    covariance = np.array([[1.0, 0.5, 0.7], [0.5, 1.0, 0.5], [0.7, 0.5, 1.0]])
    estimates, rejects = [], []
    for _ in range(replications):
        x = rng.multivariate_normal(np.zeros(3), covariance, n)
        estimates.append(stats.spearmanr(x[:, 0], x[:, 2]).statistic - stats.spearmanr(x[:, 0], x[:, 1]).statistic)
        picks = rng.integers(n, size=(199, n))
        ranks = stats.rankdata(x[picks], axis=1)
        ranks -= ranks.mean(axis=1, keepdims=True)
        r = np.einsum("ijk,ijl->ikl", ranks, ranks)
        d = np.diagonal(r, axis1=1, axis2=2) ** 0.5
        drawn = r[:, 0, 2] / (d[:, 0] * d[:, 2]) - r[:, 0, 1] / (d[:, 0] * d[:, 1])
        low, high = np.quantile(drawn, [0.025, 0.975])
        rejects.append(low > 0 or high < 0)
    error = math.hypot(np.std(estimates) / math.sqrt(replications), float(found["estimate_mean_mcse"][0]))
    assert abs(np.mean(estimates) - float(found["estimate_mean"][0])) <= Z * error
    p, q = np.mean(rejects), float(found["power"][0])
    assert abs(p - q) <= Z * math.sqrt(q * (1 - q) * (1 / replications + 1 / more))


def test_every_command_takes_them(tmp_path, capsys):
    from simstudy.__main__ import main

    saved = str(tmp_path / "weeks.nc")
    assert main(["power", "weeks", "--n-cases", "36,100", "--accuracy", "0.8", "--loss", "0,0.1", "--out", saved]) == 0
    capsys.readouterr()
    assert main(["show", saved, "--format", "json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert {"false_alarm", "detected", "delay", "delay_mcse"} <= set(records[0])
    assert records[0]["delay"] is None
    for words in (
        ["list", "families"],
        ["mde", "weeks", "--n-cases", "100", "--accuracy", "0.8"],
        ["size", "correlations", "--delta-rho", "0.3", "--replications", "60"],
        ["replay", "protocols", "--n-pairs", "3", "--strength", "0.3", "--replication", "1"],
        ["power", "families", "--n-other", "5", "--loss", "0.1", "--dry-run"],
    ):
        assert main(words) == 0, words
        assert capsys.readouterr().out.strip()
