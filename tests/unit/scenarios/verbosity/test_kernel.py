"""The verbosity kernel against its twin, its replay and pinned rows."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios import parts
from simstudy.scenarios.verbosity import COLUMNS
from simstudy.scenarios.verbosity import kernel as verbosity
from tests.oracle import verbosity_slow as slow

# columns are rounded to 2**-40 = 9e-13, slopes of cases too; the twin adds rounding of its own
ROUNDED = 4e-12

# derivatives by differences of 1e-4 in the twin
NUMERICAL = 2e-5

ALL = np.ones(len(COLUMNS), np.bool_)

EFFECTS = (0.6, 0.5, 0.3, 1)

Design = tuple[int, int, tuple[int, ...], tuple[int, ...]]

DESIGNS: list[Design] = [
    (14, 6, slow.BASE, slow.FILLERS),
    (9, 3, (11, 13, 9), (8, 12)),
    (7, 4, (5,), (5, 10, 20)),
]


def simulate(
    first: int,
    replications: int,
    design: Design,
    effects: tuple[float, float, float, int] = EFFECTS,
    wanted: NDArray[np.bool_] = ALL,
    resamples: int = 40,
    alpha: float = 0.1,
) -> NDArray[np.int64]:
    n, k, base, fillers = design
    out = np.full((replications, len(COLUMNS)), -7, np.int64)
    verbosity.simulate(3, first, out, wanted, n, k, np.array(base), np.array(fillers), *effects, resamples, alpha)
    return out


def real(rows: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.where(rows == verbosity.UNDEFINED, np.nan, rows / verbosity.FIXED)


def replay(replication: int, design: Design, effects: tuple[float, float, float, int] = EFFECTS) -> NDArray[np.float64]:
    n, k, base, fillers = design
    out = np.full((n * k, 4), np.nan)
    verbosity.cases(3, replication, out, n, k, np.array(base), np.array(fillers), *effects)
    return out


@pytest.mark.parametrize("design", DESIGNS)
def test_replayed_scores_equal_the_twin(design: Design) -> None:
    n, k, base, fillers = design
    table = slow.lengths(n, k, base, fillers)
    rows = replay(8, design)
    assert rows[:, 0].tolist() == np.repeat(np.arange(n), k).tolist()
    assert rows[:, 1].tolist() == np.tile(np.arange(k), n).tolist()
    assert rows[:, 2].tolist() == table.ravel().tolist()
    assert rows[:, 3].tolist() == slow.scores(3, 8, table, *EFFECTS).ravel().tolist()


@pytest.mark.parametrize("design", DESIGNS)
def test_rows_equal_the_twin(design: Design) -> None:
    table = slow.lengths(*design)
    found = real(simulate(8, 3, design))
    for replication, row in enumerate(found):
        y = slow.scores(3, 8 + replication, table, *EFFECTS)
        slopes = slow.case_slopes(table, y)
        expected = [*slow.mean_slope(slopes), *slow.pooled_slope(table, y)]
        for means in slow.resampled(3, 8 + replication, slopes, 40):
            limits = [slow.quantile(means, 0.05), slow.quantile(means, 0.95)]
            expected += [*limits, sum(m <= 0 for m in means), sum(m >= 0 for m in means)]
        np.testing.assert_allclose(row[:12], expected, atol=ROUNDED, rtol=0)
        assert np.isfinite(row[12]) == slow.has_maximum(table, y)
        if np.isfinite(row[12]):
            np.testing.assert_allclose(row[12:], slow.interval_regression(table, y), rtol=NUMERICAL, atol=NUMERICAL)


def test_more_cases_or_versions_change_none_that_are_there() -> None:
    large = replay(2, (20, 6, slow.BASE, slow.FILLERS))
    for n, k in [(5, 6), (20, 3), (17, 2)]:
        inside = (large[:, 0] < n) & (large[:, 1] < k)
        np.testing.assert_array_equal(replay(2, (n, k, slow.BASE, slow.FILLERS)), large[inside])


@pytest.mark.parametrize("columns", [(0,), (1, 3), (4,), (9,), (4, 13), (14,), (11, 12)])
def test_numbers_do_not_depend_on_what_is_wanted(columns: tuple[int, ...]) -> None:
    wanted = np.isin(np.arange(len(COLUMNS)), columns)
    few, everything = simulate(5, 6, DESIGNS[0], wanted=wanted), simulate(5, 6, DESIGNS[0])
    np.testing.assert_array_equal(few[:, wanted], everything[:, wanted])


def test_columns_are_those_of_the_declaration() -> None:
    assert len(COLUMNS) == verbosity.COLUMNS
    for name, column in (("mean_slope", verbosity.MEAN), ("pooled_slope", verbosity.POOLED)):
        assert COLUMNS.index(name) == column
    assert COLUMNS.index("cluster_low") == verbosity.CLUSTER
    assert COLUMNS.index("set_low") == verbosity.SET
    assert COLUMNS.index("gamma_hat") == verbosity.GAMMA
    assert COLUMNS.index("gamma_robust_se") == verbosity.ROBUST
    assert (verbosity.FIXED, verbosity.UNDEFINED) == (parts.FIXED, parts.UNDEFINED)


def test_halves_are_rounded_to_the_even_number() -> None:
    """Without noise 10, 20 and 40 words score 4 + gamma·(0, 1, 2): 4.5 becomes 4, and 3.5 becomes 4."""
    design = (2, 3, (10,), (10, 20))
    assert replay(0, design, (0.5, 0.0, 0.0, 1))[:3, 3].tolist() == [4, 4, 5]
    assert replay(0, design, (-0.5, 0.0, 0.0, 1))[:3, 3].tolist() == [4, 4, 3]
    assert replay(0, design, (-0.5, 0.0, 0.0, 0))[:3, 3].tolist() == [2, 2, 1]
    assert replay(0, design, (10.0, 0.0, 0.0, 0))[:3, 3].tolist() == [2, 5, 5]


def test_equal_scores_leave_everything_but_the_slopes_undefined() -> None:
    found = real(simulate(0, 2, (6, 3, (11, 13), (8, 12)), (0.0, 0.0, 0.0, 1)))
    assert (found[:, [0, 2]] == 0).all()
    assert np.isnan(np.delete(found, [0, 2], axis=1)).all()


def test_equal_slopes_have_no_standard_error() -> None:
    """One base length and no noise: all cases have the same scores."""
    found = real(simulate(0, 1, (5, 4, (7,), (9, 30, 50)), (0.8, 0.0, 0.0, 0)))[0]
    assert found[0] > 0
    assert found[2] == pytest.approx(found[0], abs=ROUNDED)
    assert np.isnan(np.delete(found, [0, 2])).all()


def test_a_single_case_has_a_slope_and_perhaps_a_likelihood() -> None:
    found = real(simulate(0, 60, (1, 6, (5,), slow.FILLERS), (0.6, 1.0, 0.0, 0)))
    assert np.isfinite(found[:, [0, 2]]).all()
    assert np.isnan(found[:, [1, 3, 4, 8, 14]]).all()
    assert np.isfinite(found[:, 13]).any()


def test_rows_are_pinned() -> None:
    assert simulate(1, 2, DESIGNS[0], resamples=300, alpha=0.05).tolist() == PINNED


PINNED = [
    [
        332861471471,
        63952314349,
        363908603938,
        64574506540,
        206025916438,
        447311309897,
        0,
        329853488332800,
        238330477450,
        447610045735,
        0,
        329853488332800,
        609045547464,
        129839627240,
        86042952746,
    ],
    [
        402799924883,
        65844748164,
        414825155018,
        55736832668,
        245879044592,
        524355214197,
        0,
        329853488332800,
        300026615947,
        499273392584,
        0,
        329853488332800,
        606688479933,
        112981228591,
        94023634472,
    ],
]
