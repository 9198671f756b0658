"""One system alone: figures of peers for its mean, by hand for runs."""

import math

import numpy as np
import pytest
from scipy import stats as peer

from simstudy.errors import RecordsError
from simstudy.records.one_system import describe
from simstudy.records.question import Question
from simstudy.records.records import RecordsBuilder


def table(rows):
    builder = RecordsBuilder("file", "test")
    for case, value, further in rows:
        builder.add(case, "s", value, **further)
    return builder.records()


def single(values):
    return table([(str(number), value, {}) for number, value in enumerate(values)])


def test_a_rate_has_wilsons_interval():
    found = describe(single([1] * 30 + [0] * 10), "s", None, Question(), None)
    expected = peer.binomtest(30, 40).proportion_ci(0.95, method="wilson")
    assert (found.record["low"], found.record["high"]) == pytest.approx(tuple(expected))
    assert found.record["mean_a"] == 0.75
    assert found.passes == ()


def test_scores_have_a_t_interval():
    scores = [3.0, 4.5, 2.0, 5.0, 3.5]
    found = describe(single(scores), "s", None, Question(), None)
    expected = peer.ttest_1samp(scores, 0).confidence_interval(0.95)
    assert (found.record["low"], found.record["high"]) == pytest.approx(tuple(expected))
    assert not found.binary


def test_against_a_bound():
    rate = describe(single([1] * 30 + [0] * 10), "s", None, Question(), 0.5).record
    tail = peer.binom.sf(30, 40, 0.5) + peer.binom.pmf(30, 40, 0.5) / 2
    assert rate["p_value"] == pytest.approx(2 * tail)
    scores = describe(single([3.0, 4.5, 2.0, 5.0]), "s", None, Question(), 2.0).record
    assert scores["p_value"] == pytest.approx(peer.ttest_1samp([3.0, 4.5, 2.0, 5.0], 2.0).pvalue)


def test_runs_say_what_is_the_run_and_what_all_of_k_are():
    rows = [(case, value, {"run": str(run)}) for case, runs in RUNS.items() for run, value in enumerate(runs)]
    found = describe(table(rows), "s", "mean", Question(), None)
    r = found.record
    assert (r["n_cases"], r["n_runs"], r["mean_a"]) == (4, 4, 0.5625)
    assert r["se"] == pytest.approx(np.std([1, 0.5, 0, 0.75], ddof=1) / 2)
    # Wilson at p(1 − p)/se² independent cases
    worth, z = 0.5625 * 0.4375 / r["se"] ** 2, 1.959963984540054
    middle, reach = 0.5625 + z * z / 2 / worth, z * math.sqrt(0.5625 * 0.4375 / worth + (z / 2 / worth) ** 2)
    assert r["low"] == pytest.approx((middle - reach) / (1 + z * z / worth))
    assert r["high"] == pytest.approx((middle + reach) / (1 + z * z / worth))
    assert r["pass_all_2"] == pytest.approx(np.mean([1, 1 / 6, 0, 1 / 2]))
    assert r["pass_any_2"] == pytest.approx(np.mean([1, 5 / 6, 0, 1]))
    assert r["pass_all_4"] == 0.25
    assert r["n_cases_4"] == 4
    assert [k for k, *_ in found.passes] == [1, 2, 3, 4]


RUNS = {"w": (1, 1, 1, 1), "x": (1, 0, 1, 0), "y": (0, 0, 0, 0), "z": (1, 1, 0, 1)}


def test_a_case_with_fewer_runs_counts_apart():
    rows = [(case, value, {"run": str(run)}) for case, runs in RUNS.items() for run, value in enumerate(runs)]
    r = describe(table([*rows, ("one", 1, {"run": "1"})]), "s", "mean", Question(), None).record
    assert (r["n_cases"], r["n_cases_1"], r["n_cases_2"]) == (5, 5, 4)
    assert r["pass_all_4"] == 0.25


def test_what_cannot_be_read_is_counted():
    found = describe(single([1, None, 0, "error", 1]), "s", None, Question(), None)
    assert found.record["n_cases"] == 3
    assert found.record["unreadable_a"] == 2
    assert found.unreadable == {"missing": 1, "error": 1}
    with pytest.raises(RecordsError, match="no value that can be read"):
        describe(single([None, None]), "s", None, Question(), None)


def test_clusters_widen_the_error():
    rows = [(str(n), n // 5 % 2, {"cluster": str(n // 5)}) for n in range(30)]
    r = describe(table(rows), "s", None, Question(), None).record
    assert r["n_clusters"] == 6
    assert r["se"] == pytest.approx(np.std([0, 1] * 3, ddof=1) / math.sqrt(6))


def test_one_case_tried_again_says_nothing_of_runs():
    rows = [(str(case), case % 2, {"run": "1"}) for case in range(9)]
    r = describe(table([*rows, ("0", 1, {"run": "2"})]), "s", "mean", Question(), None).record
    assert "rerun_band" not in r
    assert r["n_cases_2"] == 1
