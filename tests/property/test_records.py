"""Reading and pairing: the order of lines, the layout and the names of A and B change nothing."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simstudy.errors import RecordsError
from simstudy.records.pairing import PairedOutcomes, pair_systems
from simstudy.records.planning import Plan, admissible_discordance, power_at
from simstudy.records.results_file import read_results

CELLS = st.sampled_from(["0", "1", "1.0", "false", "yes", "", "NA", "error"])
ROWS = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3), CELLS, CELLS), min_size=1, max_size=24)
RULES = st.sampled_from([None, "first", "majority", "clustered"])


def outcome(lines: list[str], header: str, rule: str | None, first: str = "A", second: str = "B") -> object:
    """Everything that pairing says, or the refusal."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.csv"
        path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
        try:
            paired = pair_systems(read_results(path), first, second, runs=rule)
        except RecordsError:
            return "refused"
    return paired


def fields(paired: object) -> object:
    if not isinstance(paired, PairedOutcomes):
        return paired
    arrays = (paired.cases, paired.runs, paired.right_a, paired.right_b, paired.clusters)
    rest = (paired.clustered, paired.run_rule, paired.unusable, paired.only_a, paired.only_b, paired.notes)
    return (*(array.tolist() for array in arrays), *rest)


def long_lines(rows: list[tuple[int, int, str, str]], numbered: bool) -> list[str]:
    unique = {(case, run): (a, b) for case, run, a, b in rows}
    tail = {key: f",{key[1]}" if numbered else "" for key in unique}
    return [
        f"{case},{system},{value}{tail[case, run]}"
        for (case, run), both in unique.items()
        for system, value in zip("AB", both, strict=True)
    ]


@given(rows=ROWS, rule=RULES, numbered=st.booleans(), seed=st.integers(0, 2**32))
def test_the_order_of_lines_never_matters_in_a_long_file(
    rows: list[tuple[int, int, str, str]], rule: str | None, numbered: bool, seed: int
) -> None:
    header = "case,system,correct" + (",run" if numbered else "")
    lines = long_lines(rows, numbered)
    shuffled = random.Random(seed).sample(lines, len(lines))
    assert fields(outcome(lines, header, rule)) == fields(outcome(shuffled, header, rule))


@given(rows=ROWS, rule=RULES, seed=st.integers(0, 2**32))
def test_the_order_of_lines_never_matters_in_a_wide_file(
    rows: list[tuple[int, int, str, str]], rule: str | None, seed: int
) -> None:
    lines = [f"{case},{a},{b}" for case, _, a, b in rows]
    shuffled = random.Random(seed).sample(lines, len(lines))
    assert fields(outcome(lines, "case,A,B", rule)) == fields(outcome(shuffled, "case,A,B", rule))


@given(rows=ROWS, rule=RULES, numbered=st.booleans())
def test_swapping_the_systems_swaps_the_counts(
    rows: list[tuple[int, int, str, str]], rule: str | None, numbered: bool
) -> None:
    header = "case,system,correct" + (",run" if numbered else "")
    lines = long_lines(rows, numbered)
    ab, ba = outcome(lines, header, rule), outcome(lines, header, rule, "B", "A")
    if not isinstance(ab, PairedOutcomes) or not isinstance(ba, PairedOutcomes):
        assert ab == ba == "refused"
        return
    assert (ab.n10, ab.n01, ab.n11, ab.n00) == (ba.n01, ba.n10, ba.n11, ba.n00)
    np.testing.assert_array_equal(ab.cluster_sums()[0], -ba.cluster_sums()[0])


@given(rows=ROWS, rule=RULES)
def test_long_and_wide_agree(rows: list[tuple[int, int, str, str]], rule: str | None) -> None:
    unique = {(case, run): (a, b) for case, run, a, b in rows}
    wide = [f"{case},{run},{a},{b}" for (case, run), (a, b) in unique.items()]
    first = outcome(wide, "case,run,A,B", rule)
    second = outcome(long_lines(rows, True), "case,system,correct,run", rule)
    if not isinstance(first, PairedOutcomes) or not isinstance(second, PairedOutcomes):
        assert first == second == "refused"
        return
    assert (first.n10, first.n01, first.n11, first.n00) == (second.n10, second.n01, second.n11, second.n00)
    assert first.unusable == second.unusable


@given(rows=ROWS)
def test_clustered_keeps_every_usable_pair(rows: list[tuple[int, int, str, str]]) -> None:
    unique = {(case, run): (a, b) for case, run, a, b in rows}
    missing = {"", "NA", "error"}
    usable = [both for both in unique.values() if not missing & set(both)]
    found = outcome(long_lines(rows, True), "case,system,correct,run", "clustered")
    if not usable:
        assert found == "refused"
        return
    assert isinstance(found, PairedOutcomes)
    assert (found.n, found.unusable) == (len(usable), len(unique) - len(usable))


@given(
    accuracy=st.floats(0, 1),
    difference=st.floats(-0.99, 0.99),
    discordance=st.floats(0, 1),
    n=st.integers(1, 40),
)
def test_a_moved_discordance_always_makes_a_table(
    accuracy: float, difference: float, discordance: float, n: int
) -> None:
    psi = float(admissible_discordance(accuracy, difference, discordance))
    if np.isnan(psi):
        assert not 0 <= accuracy + difference <= 1
        return
    p10, p01 = (psi - difference) / 2, (psi + difference) / 2
    cells = np.array([p10, p01, accuracy - p10, 1 - accuracy - p01])
    assert cells.min() >= -1e-12  # rounding of sums of numbers below 1
    assert 0 <= float(power_at(n, psi, difference, Plan())) <= 1 + 1e-12
