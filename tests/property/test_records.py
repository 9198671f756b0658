"""Reading and pairing: the order of lines, the layout and the names of A and B change nothing."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simstudy.errors import RecordsError
from simstudy.records.paired_values import PairedValues, pair
from simstudy.records.planning import Plan, admissible_discordance, power_at
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import delimited
from simstudy.records.reduced import rule_for
from simstudy.records.source import Source

CELLS = st.sampled_from(["0", "1", "1.0", "false", "yes", "", "NA", "error"])
ROWS = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3), CELLS, CELLS), min_size=1, max_size=24)
RULES = st.sampled_from([None, "first", "majority", "mean", "clustered"])


def outcome(lines: list[str], header: str, rule: str | None, first: str = "A", second: str = "B") -> object:
    """Return the pairs, or "refused"."""
    options = ReadOptions(systems=("A", "B"))
    try:
        records = delimited.read(Source("r.csv", "\n".join([header, *lines, ""]).encode()), options)
        return pair(records, first, second, rule_for(records, rule)[0])
    except RecordsError:
        return "refused"


def fields(paired: object) -> object:
    if not isinstance(paired, PairedValues):
        return paired
    # clusters are numbered in the order of the file: what counts is which cases share one
    cluster = [None] * len(paired.cases) if paired.cluster is None else paired.cluster.tolist()
    shared = {(case, cluster.index(own)) for case, own in zip(paired.cases, cluster, strict=True)}
    rows = sorted(zip(paired.cases, paired.a.tolist(), paired.b.tolist(), strict=True))
    return (rows, len(set(cluster)), len(shared) > 0, paired.lost, sorted(paired.left_out), sorted(paired.unreadable))


def long_lines(rows: list[tuple[int, int, str, str]], numbered: bool) -> list[str]:
    unique = {(case, run): (a, b) for case, run, a, b in rows}
    tail = {key: f",{key[1]}" if numbered else "" for key in unique}
    return [
        f"{case},{system},{value}{tail[case, run]}"
        for (case, run), both in unique.items()
        for system, value in zip("AB", both, strict=True)
    ]


@given(rows=ROWS, rule=RULES, seed=st.integers(0, 2**32))
def test_the_order_of_lines_never_matters(rows: list[tuple[int, int, str, str]], rule: str | None, seed: int) -> None:
    lines = long_lines(rows, numbered=True)
    shuffled = random.Random(seed).sample(lines, len(lines))
    header = "case,system,correct,run"
    assert fields(outcome(lines, header, rule)) == fields(outcome(shuffled, header, rule))


@given(rows=ROWS, rule=RULES, numbered=st.booleans())
def test_swapping_the_systems_swaps_the_values(
    rows: list[tuple[int, int, str, str]], rule: str | None, numbered: bool
) -> None:
    header = "case,system,correct" + (",run" if numbered else "")
    lines = long_lines(rows, numbered)
    ab, ba = outcome(lines, header, rule), outcome(lines, header, rule, "B", "A")
    if not isinstance(ab, PairedValues) or not isinstance(ba, PairedValues):
        assert ab == ba == "refused"
        return
    assert ab.cases == ba.cases
    assert (ab.a.tolist(), ab.b.tolist(), ab.lost) == (ba.b.tolist(), ba.a.tolist(), ba.lost)


@given(rows=ROWS, rule=RULES)
def test_long_and_wide_agree(rows: list[tuple[int, int, str, str]], rule: str | None) -> None:
    unique = {(case, run): (a, b) for case, run, a, b in rows}
    wide = [f"{case},{run},{a},{b}" for (case, run), (a, b) in unique.items()]
    first = outcome(wide, "case,run,A,B", rule)
    second = outcome(long_lines(rows, True), "case,system,correct,run", rule)
    assert fields(first) == fields(second)


@given(rows=ROWS)
def test_clustered_keeps_every_usable_pair(rows: list[tuple[int, int, str, str]]) -> None:
    unique = {(case, run): (a, b) for case, run, a, b in rows}
    missing = {"", "NA", "error"}
    usable = [both for both in unique.values() if not missing & set(both)]
    found = outcome(long_lines(rows, True), "case,system,correct,run", "clustered")
    if not usable:
        assert found == "refused"
        return
    assert isinstance(found, PairedValues)
    assert (len(found.a), found.lost) == (len(usable), len(unique) - len(usable))


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
