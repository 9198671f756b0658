"""Errors seen in published tools, each through the public names; numbers as in the specification of the project."""

import json
import math

import numpy as np
import pytest

import simstudy
from simstudy import stats
from simstudy.errors import ParameterError, RequestError


def results_file(folder, n10, n01, n11, n00, runs=1):
    """A file of results of systems A and B with such a table."""
    cells = [(1, 0)] * n10 + [(0, 1)] * n01 + [(1, 1)] * n11 + [(0, 0)] * n00
    rows = ["case,system,run,correct"] if runs > 1 else ["case,system,correct"]
    for i, pair in enumerate(cells):
        for system, right in zip("AB", pair, strict=True):
            for run in range(runs):
                rows.append(f"c{i},{system},{run},{right}" if runs > 1 else f"c{i},{system},{right}")
    path = folder / "results.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_trap_1_no_discordant_case(tmp_path):
    """0 of 100 discordant is not a difference of exactly 0, and not a detectable effect of 0."""
    for low, high in (stats.tango(0, 0, 100), stats.newcombe(0, 0, 70, 100)):
        assert low < -0.01
        assert high > 0.01
    assert stats.mcnemar_exact(0, 0) == stats.mcnemar_midp(0, 0) == 1
    # the ideal percentile bootstrap has this fault, and says so
    assert stats.bootstrap_percentile(0, 0, 100) == (0, 0)
    found = simstudy.mde("paired", n_cases=100, accuracy_a=0.7, difficulty_sd=10, method="mcnemar_midp")
    assert found["answer"].item() > 0.05
    report = simstudy.pilot(results_file(tmp_path, 0, 0, 70, 30), "A", "B")
    (record,) = report.records()
    assert record["tango_high"] > 0.01
    assert record["p_mcnemar_exact"] == 1
    assert record["mde_positive"] > 0.01
    assert record["mde_negative"] < -0.01


def test_trap_2_four_discordant_cases_all_one_way(tmp_path):
    assert stats.mcnemar_exact(0, 4) == pytest.approx(0.125)
    assert stats.mcnemar_midp(0, 4) == pytest.approx(0.0625)
    report = simstudy.pilot(results_file(tmp_path, 0, 4, 16, 10), "A", "B")
    (record,) = report.records()
    # Tango's interval excludes 0 here: the printout must explain why it and the test disagree
    assert record["p_mcnemar_exact"] > record["p_value"] > 0.05
    assert record["tango_low"] > 0
    assert "do not agree" in str(report)


def test_trap_3_shared_difficulty_raises_power_at_fixed_accuracies():
    found = simstudy.size("paired", accuracy_a=0.7, difference=0.05, difficulty_sd=[0, 1.5, 3], method="mcnemar_exact")
    assert found["answer"].values[:, 0].tolist() == [1291, 956, 644]
    power = simstudy.power_curve("paired", n_cases=400, accuracy_a=0.7, difference=0.05, difficulty_sd=[0, 1.5, 3])
    assert (np.diff(power["power"].values, axis=0) > 0).all()


def test_trap_4_impossible_dependence_is_refused():
    """Correlation .9 between accuracies .97 and .99: at most .571, where discordance equals the difference."""
    spread = math.sqrt(0.97 * 0.03 * 0.99 * 0.01)
    discordance = 0.97 + 0.99 - 2 * (0.97 * 0.99 + 0.9 * spread)
    with pytest.raises(RequestError, match=r"it must lie in \[0\.02, 0\.04\]"):
        simstudy.power_curve("paired", n_cases=100, accuracy_a=0.97, difference=0.02, discordance=discordance)
    most = simstudy.power_curve("paired", n_cases=100, accuracy_a=0.97, difference=0.02, discordance=0.02)
    assert most["phi"].item() == pytest.approx(0.571, abs=5e-4)


def test_trap_4_no_effect_beyond_what_accuracy_leaves():
    found = simstudy.mde("paired", n_cases=[5, 20, 100], accuracy_a=0.95, difficulty_sd=0, method="mcnemar_midp")
    answers = found["answer"].values[:, 0]
    assert all(math.isnan(x) or x < 0.05 for x in answers)
    assert set(found["status"].values[:, 0]) == {"unreachable"}
    with pytest.raises(ParameterError, match=r"\(-0\.95, 0\.05\)"):
        simstudy.power_curve("paired", n_cases=20, accuracy_a=0.95, difference=0.1)


def test_trap_5_nothing_can_be_significant_at_five_cases():
    """Five discordant cases all one way have p = 1/16: no table is significant, whatever the effect."""
    power = simstudy.power_curve(
        "paired", n_cases=5, accuracy_a=0.5, difference=[0, 0.1, 0.3], discordance=0.3, method="mcnemar_exact"
    )
    assert (power["power"] == 0).all()
    assert np.isnan(power["type_m"]).all()
    found = simstudy.mde("paired", n_cases=5, accuracy_a=0.5, discordance=0.3, method="mcnemar_exact")
    assert found["status"].item() == "unreachable"
    assert math.isnan(found["answer"].item())


def test_trap_6_large_inputs_do_not_overflow():
    assert stats.mcnemar_exact(10_000, 10_000) == 1
    assert 0 < stats.mcnemar_midp(9_500, 10_500) < 1e-11
    assert stats.mcnemar_exact(0, 20_000) == 0  # below the smallest double, without a warning
    low, high = stats.tango(9_900, 10_100, 20_000)
    assert low < 0.01 < high
    found = simstudy.power_curve("paired", n_cases=20_000, accuracy_a=0.7, difference=0.01, method="mcnemar_midp")
    assert found["engine"].item() == "exact"
    assert 0.5 < found["power"].item() < 0.99


def test_trap_8_runs_are_not_reduced_in_silence(tmp_path):
    path = results_file(tmp_path, 5, 10, 15, 10, runs=5)
    said = str(simstudy.pilot(path, "A", "B"))
    assert "Each system's mean over the runs of a case was taken" in " ".join(said.split())
    report = simstudy.pilot(path, "A", "B", runs="majority")
    assert report.records()[0]["n_cases"] == 40
    assert "Runs: each case counts by the majority of its runs." in str(report)


def test_trap_11_same_seed_same_bits(tmp_path):
    path = results_file(tmp_path, 3, 11, 19, 3)
    one, other = (json.dumps(simstudy.pilot(path, "A", "B", seed=4).to_dict()) for _ in range(2))
    assert one == other
    asked = {"n_cases": 36, "accuracy_a": 0.7, "difference": 0.1, "replications": 500}
    for engine in ("counts", "full"):
        runs = [simstudy.power_curve("paired", engine=engine, seed=4, **asked) for _ in range(2)]
        assert all((runs[0][name].values == runs[1][name].values).all() for name in ("power", "replications"))
    # the ideal bootstrap does not resample, so no seed bears on it
    intervals = {stats.bootstrap_percentile(3, 11, 36) for _ in range(3)}
    assert len(intervals) == 1


def test_trap_12_cases_needed_are_a_distribution(tmp_path):
    """A point at the cells as they are would hide what the set leaves open, and the observed difference is luck."""
    (record,) = simstudy.pilot(results_file(tmp_path, 12, 17, 58, 13), "A", "B").records()
    one_point = simstudy.size("paired", accuracy_a=0.7, difference=0.05, discordance=0.29, method="mcnemar_midp")
    assert record["cases_recommended"] > 1.2 * one_point["answer"].item()
    assert record["cases_median"] == pytest.approx(one_point["answer"].item(), rel=0.05)


def test_trap_15_overlapping_intervals_are_not_a_test():
    """Two Wilson intervals overlap although the paired test finds the difference."""
    n10, n01, n11 = 2, 14, 54
    (low_b, _), (_, high_a) = stats.wilson(n01 + n11, 100), stats.wilson(n10 + n11, 100)
    assert low_b < high_a
    assert stats.mcnemar_exact(n10, n01) < 0.01


def test_trap_15_an_unpaired_size_is_not_a_paired_one():
    paired = simstudy.size("paired", accuracy_a=0.7, difference=0.05, difficulty_sd=3, method="mcnemar_midp")
    assert paired["answer"].item() < 0.5 * stats.n_two_proportions(0.7, 0.75)
    # and unpaired_z is marked as a mistake on paired data
    found = simstudy.power_curve("paired", n_cases=50, accuracy_a=0.7, difference=0.05, method="unpaired_z,tango")
    assert found.attrs["misused_methods"] == "unpaired_z"


def test_trap_19_undefined_replications_count_as_not_rejecting():
    """All cases alike leave paired_z undefined; leaving those replications out would inflate its power."""
    asked = {"n_cases": 6, "accuracy_a": 0.9, "difference": 0.05, "difficulty_sd": 0, "method": "paired_z"}
    exact = simstudy.power_curve("paired", engine="exact", **asked)
    undefined, power = exact["undefined"].item(), exact["power"].item()
    law = {name: exact[name].item() for name in ("accuracy_b", "discordance")}
    # undefined: no discordant case, or all discordant one way
    p01 = (law["discordance"] + 0.05) / 2
    p10 = law["discordance"] - p01
    expected = (1 - law["discordance"]) ** 6 + p01**6 + p10**6
    assert undefined == pytest.approx(expected, abs=1e-12)
    assert undefined > 0.25
    for engine in ("counts", "full"):
        found = simstudy.power_curve("paired", engine=engine, replications=20_000, **asked)
        assert found["replications"].item() == 20_000
        # five standard errors: false-alarm rate 6e-7 each
        for name, p in (("power", power), ("undefined", undefined)):
            assert found[name].item() == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / 20_000))
    assert power < 0.8 * power / (1 - undefined)


def test_trap_19_a_p_value_without_discordant_cases_is_defined():
    found = simstudy.power_curve("paired", n_cases=2, accuracy_a=0.9, difference=0.0, method="mcnemar_exact,tango")
    assert (found["undefined"] == 0).all()


def test_trap_20_outcomes_are_added_as_numbers(tmp_path):
    """Adding two boolean arrays is a logical OR: counts of runs must not come out as one."""
    report = simstudy.pilot(results_file(tmp_path, 2, 9, 20, 5, runs=3), "A", "B", runs="majority")
    (record,) = report.records()
    assert [record[name] for name in ("only_a", "only_b", "both_right", "neither")] == [2, 9, 20, 5]
    units = simstudy.replay(
        "clustered", replication=1, n_clusters=6, cluster_size=4, runs=5, accuracy_a=0.6, difference=0.1
    )
    case = (units["cluster"] * 100 + units["case"]).astype(int)
    assert np.bincount(case, weights=units["right_a"]).max() > 1


def test_trap_20_clusters_keep_their_multiplicity():
    """The cluster-robust variance of clusters that are repeated is that of their number, not of a set."""
    sums, sizes = np.array([3, -1, 2, 0]), np.array([5, 5, 5, 5])
    repeated = stats.cluster_standard_error(np.tile(sums, 2), np.tile(sizes, 2))
    assert repeated == pytest.approx(stats.cluster_standard_error(sums, sizes) * math.sqrt(3 / 4 * 8 / 7 / 2))
