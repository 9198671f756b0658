"""Exact laws of projections against SciPy's multinomial and against each other."""

import math

import numpy as np
import pytest
from scipy import stats

from simstudy import Block
from simstudy.engines import laws
from simstudy.errors import ComputationError
from simstudy.scenarios import get_scenario

# probabilities are sums and products of some thousand positive terms
ROUNDING = 1e-12


def paired_point(n, p10, p01, p11):
    paired = get_scenario("paired")
    return paired.point({"n_cases": n, "accuracy_a": p10 + p11, "difference": p01 - p10, "discordance": p10 + p01})


def law_of(point, reading):
    pieces = list(laws.exact_laws(point, reading))
    return np.concatenate([piece.rows for piece in pieces]), np.concatenate([piece.probability for piece in pieces])


def multinomial_marginal(n, cells, rows):
    """Probability of (n10, n01, rest) or (n10, n01, n11, rest)."""
    merged = np.append(cells[: rows.shape[1]], 1 - sum(cells[: rows.shape[1]]))
    return stats.multinomial.pmf(np.column_stack([rows, n - rows.sum(axis=1)]), n, merged)


@pytest.mark.parametrize("n", [1, 2, 7, 36, 100, 200])
@pytest.mark.parametrize("cells", [(0.1, 0.2, 0.6), (0.001, 0.3, 0.5), (0.05, 0.05, 0.0)])
def test_the_chain_is_the_multinomial_law(n, cells):
    rows, probability = law_of(paired_point(n, *cells), ("n10", "n01"))
    assert probability == pytest.approx(multinomial_marginal(n, cells, rows), abs=ROUNDING)
    assert len(np.unique(rows, axis=0)) == len(rows)
    assert math.fsum(probability) == pytest.approx(1, abs=ROUNDING)


@pytest.mark.parametrize("n", [1, 5, 31, 60])
def test_three_classes_are_the_multinomial_law(n):
    cells = (0.1, 0.2, 0.6)
    rows, probability = law_of(paired_point(n, *cells), ("n10", "n01", "n11"))
    assert probability == pytest.approx(multinomial_marginal(n, cells, rows), abs=ROUNDING)
    assert math.fsum(probability) == pytest.approx(1, abs=ROUNDING)


@pytest.mark.parametrize("n", [100, 10_000])
def test_rare_events_keep_their_tails(n):
    """At p = 1e-6 a window of a few standard deviations would be wrong; relative accuracy shows it is not."""
    cells = (1e-6, 2e-6, 0.5)
    rows, probability = law_of(paired_point(n, *cells), ("n10", "n01"))
    true = multinomial_marginal(n, cells, rows)
    seen = true > 1e-17
    assert seen.sum() > 5
    # the difference of two accuracies that are given in floating point knows 1e-6 to about ten digits
    assert probability[seen] == pytest.approx(true[seen], rel=1e-8)
    assert math.fsum(probability) == pytest.approx(1, abs=ROUNDING)


def test_a_class_that_cannot_occur_shares_its_rows_with_one_that_can():
    """Points of one size share the rows on which methods run: also where a cell has probability 0."""
    impossible, possible = paired_point(30, 0.0, 0.1, 0.5), paired_point(30, 0.05, 0.05, 0.5)
    (one,), (other,) = (list(laws.exact_laws(point, ("n10", "n01"))) for point in (impossible, possible))
    assert one.key == other.key
    assert (one.rows == other.rows).all()
    assert one.probability[one.rows[:, 0] > 0].sum() == 0
    assert one.probability.sum() == pytest.approx(1, abs=ROUNDING)


def test_blocks_are_independent():
    point = get_scenario("independent").point({"n_per_system": 30, "accuracy_a": 0.7, "difference": 0.1})
    rows, probability = law_of(point, ("x_a", "x_b"))
    expected = stats.binom.pmf(rows[:, 0], 30, 0.7) * stats.binom.pmf(rows[:, 1], 30, 0.8)
    assert probability == pytest.approx(expected, abs=ROUNDING)


def test_a_reading_keeps_its_order():
    point = get_scenario("independent").point({"n_per_system": 12, "accuracy_a": 0.2, "difference": 0.7})
    rows, probability = law_of(point, ("x_b", "x_a"))
    assert probability @ rows == pytest.approx([12 * 0.9, 12 * 0.2])


@pytest.mark.parametrize("n", [1, 30, 1000])
def test_the_size_of_a_law_is_foreseen(n):
    point = paired_point(n, 0.12, 0.17, 0.58)
    for reading in (("n10", "n01"), ("x_a", "x_b")):
        rows, _ = law_of(point, reading)
        assert len(rows) <= 1.5 * laws.law_rows(point, reading)


def test_too_large_a_law_is_refused_with_the_way_out():
    point = get_scenario("independent").point({"n_per_system": 10**7, "accuracy_a": 0.5, "difference": 0.1})
    with pytest.raises(ComputationError, match="--engine counts"):
        list(laws.exact_laws(point, ("x_a", "x_b")))
    with pytest.raises(ComputationError, match="too large"):
        list(laws.exact_laws(paired_point(10**7, 0.2, 0.2, 0.3), ("n10", "n01", "n11")))


class Overlapping(type(get_scenario("paired"))):
    name = "overlapping"
    projections = {  # noqa: RUF012
        **get_scenario("paired").projections,
        "gap": {"n01": 1, "n10": -1},
        "sum": {"n01": 1, "n10": 1, "n11": 2},
    }


def test_more_than_three_overlapping_projections_are_refused():
    point = Overlapping().point(paired_point(30, 0.1, 0.2, 0.4).values)
    with pytest.raises(ComputationError, match="overlapping projections"):
        list(laws.exact_laws(point, ("x_a", "x_b", "gap", "sum")))


class Families(type(get_scenario("proportion"))):
    """Two families of cases: right with the accuracy, and with the accuracy and a little more."""

    name = "two_families"
    blocks = (Block("n_cases", ("right", "wrong")), Block("n_cases", ("also_right", "also_wrong")))
    projections = {"all_right": {"right": 1, "also_right": 1}}  # noqa: RUF012
    more = 0.0

    def law(self, values):
        p = values["accuracy"]
        return (p, 1 - p), (p + self.more, 1 - p - self.more)


def test_families_that_look_alike_count_as_one():
    scenario = Families()
    rows, probability = law_of(scenario.point({"n_cases": 6, "accuracy": 0.3}), ("all_right",))
    assert probability == pytest.approx(stats.binom.pmf(rows[:, 0], 12, 0.3), abs=ROUNDING)
    # a difference of 1e-4 is one
    scenario.more = 1e-4
    with pytest.raises(ComputationError, match="blocks of different units"):
        law_of(scenario.point({"n_cases": 6, "accuracy": 0.3}), ("all_right",))
