"""The pilot analysis as a whole: real files, the traps, plain values."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from simstudy.engines.conditional import mcnemar_power
from simstudy.errors import ParameterError, RecordsError, RequestError
from simstudy.records.pilot_report import PilotQuestion, answer, pilot
from simstudy.records.planning import Plan, whole_cases


def write(folder: Path, n10: int, n01: int, n11: int, n00: int) -> Path:
    rows = ["1,0"] * n10 + ["0,1"] * n01 + ["1,1"] * n11 + ["0,0"] * n00
    path = folder / "pilot.csv"
    path.write_text("case,A,B\n" + "".join(f"c{k},{row}\n" for k, row in enumerate(rows)), encoding="utf-8")
    return path


def test_matharena(shared: Path) -> None:
    path = shared / "data" / "paired" / "matharena_aime_II.csv"
    with pytest.raises(RecordsError, match="runs=clustered"):
        pilot(path, "o3-mini (high)", "DeepSeek-R1", draws=100)
    report = pilot(path, "o3-mini (high)", "DeepSeek-R1", runs="clustered", difference=(0.1,), draws=100)
    k = report.comparison.clustered
    assert k is not None
    assert (report.n, report.n_cases, k.clusters, k.mean_size) == (60, 15, 15, 4)
    assert report.comparison.standard_error == pytest.approx(0.056, abs=5e-4)
    assert k.standard_error == pytest.approx(0.075, abs=5e-4)
    assert report.n_independent == int(60 / (k.standard_error / report.comparison.standard_error) ** 2)
    observed = report.needed[-1]
    assert report.clusters_for(observed.n) == math.ceil(observed.n * k.design_effect / 4)
    assert [needed.status for needed in report.needed] == ["impossible", "found", "found"]


def test_the_same_file_and_seed_give_the_same_bits(tmp_path: Path) -> None:
    path = write(tmp_path, 3, 25, 19, 3)
    first, second = (pilot(path, "A", "B", difference=0.2, draws=100).as_dict() for _ in range(2))
    assert first == second
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n", encoding="utf-8")
    assert pilot(path, "A", "B", difference=0.2, draws=100).as_dict() == first
    assert pilot(path, "A", "B", difference=0.2, draws=100, seed=2).as_dict() != first


def test_an_unclustered_pilot_needs_no_clusters(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 3, 11, 19, 3), "A", "B", draws=100)
    assert math.isnan(report.clusters_for(10.0))
    assert report.curve_clusters == ()


def test_zero_discordance_has_an_mde_and_no_certainty(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 0, 0, 60, 40), "A", "B", draws=100)
    assert all(0.05 < abs(smallest.difference) < 0.08 for smallest in report.smallest)
    assert report.comparison.intervals["tango"].high > 0.03
    assert report.needed[-1].status == "unreachable"


@pytest.mark.parametrize("pairs", [1, 5])
@pytest.mark.parametrize("sign", [-1, 1])
def test_every_pair_discordant_in_one_direction(tmp_path: Path, pairs: int, sign: int) -> None:
    n10, n01 = (pairs, 0) if sign < 0 else (0, pairs)
    report = pilot(write(tmp_path, n10, n01, 0, 0), "A", "B", difference=0.1, draws=100)
    assert (report.n10, report.n01, report.comparison.difference) == (n10, n01, sign)
    # An even split of one-sided pairs has probability 2^-n on each side; mid-p takes half of it.
    assert report.comparison.p_values["mcnemar_exact"] == pytest.approx(min(1.0, 2.0 ** (1 - pairs)))
    assert report.comparison.p_values["mcnemar_midp"] == pytest.approx(2.0**-pairs)
    assert max(sign * report.comparison.intervals["tango"].low, sign * report.comparison.intervals["tango"].high) == 1
    observed = report.needed[-1]
    assert (observed.status, observed.observed, observed.difference) == ("impossible", True, sign)
    assert all(n > 0 for n in observed.quantiles)
    toward, away = report.needed[:2] if sign > 0 else report.needed[1::-1]
    assert (toward.status, away.status) == ("found", "impossible")
    json.dumps([report.as_dict(), report.to_records()], allow_nan=False)


@pytest.mark.parametrize("pairs", [1, 5])
@pytest.mark.parametrize("right", [True, False])
def test_both_right_or_both_wrong_everywhere(tmp_path: Path, pairs: int, right: bool) -> None:
    cells = (0, 0, pairs, 0) if right else (0, 0, 0, pairs)
    report = pilot(write(tmp_path, *cells), "A", "B", difference=0.1, draws=100)
    assert (report.n11, report.n00) == cells[2:]
    assert report.comparison.p_values["mcnemar_midp"] == 1
    better, worse, observed = (needed.status for needed in report.needed)
    assert {better, worse} == {"found", "impossible"}
    assert (better == "impossible") is right
    assert observed == "unreachable"


@pytest.mark.parametrize(("n", "clusters"), [(9, 7), (17, 3), (17, 6), (17, 12), (18, 7), (11, 3)])
def test_clusters_without_a_design_effect_count_as_one_case_each(tmp_path: Path, n: int, clusters: int) -> None:
    rows = "".join(f"{k},{k % clusters},{k % 2},{k % 2}\n" for k in range(n))
    path = tmp_path / "r.csv"
    path.write_text("case,cluster,A,B\n" + rows, encoding="utf-8")
    report = pilot(path, "A", "B", draws=100)
    assert report.n_independent == clusters
    # sizes of half the pilot, the pilot, and its multiples
    assert report.curve_sizes[0] == clusters // 2
    assert report.curve_sizes[1:] == tuple(clusters * 2**k for k in range(6))
    assert [report.clusters_for(float(m)) for m in range(1, 400)] == list(range(1, 400))


def test_whole_cases() -> None:
    assert [whole_cases(x) for x in (6.999999999999999, 7.0, 7.99, 0.3)] == [7, 7, 7, 1]


def test_an_observed_difference_gives_a_wide_range_of_n(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 12, 17, 60, 11), "A", "B", draws=400)
    low, median, high = report.needed[-1].quantiles
    assert low < median < high
    assert high / low > 50


def test_four_one_sided_discordant_cases_are_not_a_difference(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 0, 4, 20, 6), "A", "B", draws=100)
    assert report.comparison.p_values["mcnemar_exact"] == pytest.approx(0.125)
    assert report.comparison.p_values["mcnemar_midp"] == pytest.approx(0.0625)
    assert (report.significant["mcnemar_exact"], report.significant["bootstrap_percentile interval"]) == (
        False,
        True,
    )


def test_intervals_are_not_asked_at_another_level(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 3, 11, 19, 3), "A", "B", level=0.9, draws=100)
    assert set(report.significant) == {"mcnemar_exact", "mcnemar_midp", "paired_z"}


def test_named_differences() -> None:
    def differences(given: object) -> tuple[float, ...]:
        return PilotQuestion(Plan(), 0.95, given).checked().difference

    assert differences(None) == ()
    assert differences(0.05) == differences("0.05") == (0.05,)
    assert differences([0.1, -0.05, 0.1]) == differences(np.array([0.1, -0.05])) == (0.05, 0.1)
    for wrong in (0.0, 1.0, -2.0):
        with pytest.raises(ParameterError, match="must be a proportion between 0 and 1"):
            differences(wrong)


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("difference", float("nan"), "difference is nan"),
        ("difference", [None], "difference is None"),
        ("difference", {0.1}, "difference is {0.1}"),
        ("target", "0.8", "target is '0.8'"),
        ("target", True, "target is True"),
        ("method", 5, "There is no method for planning a pilot '5'"),
        ("method", ["mcnemar_midp"], "There is no method for planning a pilot"),
        ("alpha", np.array(0.05), r"alpha is array\(0.05\)"),
        ("alpha", 5, "alpha is 5"),
        ("level", b"0.95", "level is b'0.95'"),
        ("seed", 1.5, "seed is 1.5"),
        ("seed", -1, "seed is -1; it must be a whole number from 0 to 2\\^64 - 1"),
        ("draws", 10**12, "draws is 1000000000000; it must be a whole number from 100 to 1000000"),
        ("draws", "100", "draws is '100'"),
        ("threshold", "0.5", "threshold is '0.5'"),
        ("threshold", float("inf"), "threshold is inf"),
        ("runs", 1, "There is no rule for runs '1'"),
        ("split_ids", "no", "split_ids is 'no'; it must be true or false"),
        ("split_ids", 0, "split_ids is 0; it must be true or false"),
        ("layout", ["long"], "There is no layout"),
        ("case_column", 0, "There is no column for case_column '0'"),
        ("colunm", "x", "There is no option of a pilot 'colunm'"),
        ("system_a", 1, "system_a is 1; it must be text"),
        ("path", 5, "5 is no name of a file"),
        ("path", None, "None is no name of a file"),
    ],
)
def test_arguments_of_a_wrong_type_are_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str, value: object, message: str
) -> None:
    def too_late(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("simstudy.records.pilot_report.compare", too_late)
    given = {"path": write(tmp_path, 1, 1, 1, 1), "system_a": "A", "system_b": "B", argument: value}
    with pytest.raises(RequestError, match=message):
        pilot(**given)


def test_numbers_of_other_types_are_the_same_numbers(tmp_path: Path) -> None:
    path = write(tmp_path, 3, 5, 9, 3)
    plain = pilot(path, "A", "B", target=0.75, alpha=0.0625, seed=3, draws=100)
    numpy = pilot(
        str(path), "A", "B", target=np.float32(0.75), alpha=np.float32(0.0625), seed=np.int64(3), draws=np.uint8(100)
    )
    assert json.dumps(numpy.as_dict()) == json.dumps(plain.as_dict())


def test_progress_counts_the_differences(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    question = PilotQuestion(Plan(draws=100), 0.95, [0.1])
    systems = {"system_a": "A", "system_b": "B", "runs": None, "threshold": None, "reading": {}}
    answer(question, write(tmp_path, 3, 5, 9, 3), **systems, progress=lambda *at: told.append(at))
    assert told == [(0, 3, "differences"), (1, 3, "differences"), (2, 3, "differences")]


def test_the_power_for_other_differences_is_exact(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 10, 15, 60, 15), "A", "B", draws=100)
    smallest = report.smallest[0].difference
    assert report.power_for(smallest) == pytest.approx(0.8, abs=1e-6)
    half = mcnemar_power(100, (0.25 - smallest / 2) / 2, (0.25 + smallest / 2) / 2)[0]
    assert report.power_for(smallest / 2) == pytest.approx(half)
    assert math.isnan(report.power_for(0.9))


def test_levels_must_mean_something(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="level is 95"):
        pilot(write(tmp_path, 1, 1, 1, 1), "A", "B", level=95)
