"""Exact laws of projections against SciPy's multinomial and against each other."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from simstudy.engines import chain, laws
from simstudy.engines.lattice import NOISE, NOISE_PER_UNIT
from simstudy.errors import ComputationError
from simstudy.scenarios import get_scenario

# probabilities are sums and products of some thousand positive terms
ROUNDING = 1e-12
# lattice inversion leaves noise of the size of the machine's rounding in every cell


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


@pytest.mark.parametrize("n", [1, 6, 40])
def test_the_lattice_is_the_summed_multinomial_law(n):
    cells = (0.13, 0.22, 0.55)
    rows, probability = law_of(paired_point(n, *cells), ("x_a", "x_b"))
    summed = dict.fromkeys(itertools.product(range(n + 1), repeat=2), 0.0)
    index = np.array([(i, j, k) for i in range(n + 1) for j in range(n + 1 - i) for k in range(n + 1 - i - j)])
    pmf = stats.multinomial.pmf(np.column_stack([index, n - index.sum(axis=1)]), n, [*cells, 1 - sum(cells)])
    for (n10, n01, n11), p in zip(index.tolist(), pmf, strict=True):
        summed[n10 + n11, n01 + n11] += p
    kept = [tuple(row) for row in rows.tolist()]
    assert probability == pytest.approx(np.array([summed[key] for key in kept]), abs=ROUNDING)
    # what is left out is below the rounding of the transform
    left_out = [p for key, p in summed.items() if key not in set(kept)]
    assert max(left_out, default=0.0) < 2 * (NOISE + n * NOISE_PER_UNIT) * probability.max()


def test_an_impossible_class_leaves_no_noise_on_the_lattice():
    """Without cases that only A gets right, x_b ≥ x_a for certain, and the law is the chain's."""
    rows, probability = law_of(paired_point(400, 0.0, 0.05, 0.9), ("x_a", "x_b"))
    assert (rows[:, 1] >= rows[:, 0]).all()
    assert probability == pytest.approx(
        stats.multinomial.pmf(
            np.column_stack([rows[:, 1] - rows[:, 0], rows[:, 0], 400 - rows[:, 1]]), 400, [0.05, 0.9, 0.05]
        ),
        rel=1e-11,
    )


@pytest.mark.parametrize("n", [1000, 10_000])
def test_the_lattice_has_binomial_margins_at_large_sizes(n):
    point = paired_point(n, 0.12, 0.17, 0.58)
    rows, probability = law_of(point, ("x_a", "x_b"))
    for axis, p in ((0, 0.70), (1, 0.75)):
        margin = np.bincount(rows[:, axis] - rows[:, axis].min(), weights=probability)
        outcomes = np.arange(len(margin)) + rows[:, axis].min()
        # each margin sums some thousand noisy cells
        assert margin == pytest.approx(stats.binom.pmf(outcomes, n, p), abs=1e-13)
    assert (probability > 0).all()
    assert probability.sum() == pytest.approx(1, abs=ROUNDING)


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


def test_what_a_window_leaves_out_is_below_the_promise():
    """All outcomes with a probability above the stated one are there, at a size where windows matter."""
    n, cells = 10_000, (0.002, 0.004, 0.7)
    rows, _ = law_of(paired_point(n, *cells), ("n10", "n01"))
    spread = [stats.binom(n, p) for p in cells[:2]]
    for axis, law in enumerate(spread):
        assert law.cdf(rows[:, axis].min() - 1) < 1e-15
        assert law.sf(rows[:, axis].max()) < 1e-15


@pytest.mark.parametrize("p", [0.0, 1e-6, 0.3, 0.5, 1 - 1e-6, 1.0])
@pytest.mark.parametrize("whole", [False, True])
def test_binomial_tables(p, whole):
    sizes = np.array([0, 1, 5, 60])
    start, table = chain.binomial_table(sizes, p, whole)
    for n, first, row in zip(sizes, start, table, strict=True):
        outcomes = first + np.arange(len(row))
        # SciPy's own binomial law is good to some 1e-13
        assert row == pytest.approx(stats.binom.pmf(outcomes, n, p), rel=1e-11, abs=1e-30)
        if whole:
            assert first <= 0
            assert outcomes[-1] >= n


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


def test_three_overlapping_projections_have_the_law_of_the_counts():
    point = Overlapping().point(paired_point(9, 0.1, 0.2, 0.4).values)
    (law,) = laws.exact_laws(point, ("x_a", "x_b", "gap"))
    found = {tuple(row): p for row, p in zip(law.rows.tolist(), law.probability, strict=True) if p > 1e-12}
    expected: dict[tuple[int, ...], float] = {}
    for n10, n01, n11 in itertools.product(range(10), repeat=3):
        if n10 + n01 + n11 <= 9:
            row = (n10 + n11, n01 + n11, n01 - n10)
            p = float(stats.multinomial.pmf([n10, n01, n11, 9 - n10 - n01 - n11], 9, [0.1, 0.2, 0.4, 0.3]))
            expected[row] = expected.get(row, 0.0) + p
    assert found == pytest.approx({row: p for row, p in expected.items() if p > 1e-12}, abs=1e-14)


def test_more_than_three_overlapping_projections_are_refused():
    point = Overlapping().point(paired_point(30, 0.1, 0.2, 0.4).values)
    with pytest.raises(ComputationError, match="overlapping projections"):
        list(laws.exact_laws(point, ("x_a", "x_b", "gap", "sum")))


@pytest.mark.parametrize("variance", [1e-9, 1e-3, 0.25])
def test_reach_bounds_binomial_tails(variance):
    p = 0.5 - math.sqrt(0.25 - variance)
    for n in (10, 1000, 100_000):
        t = chain.reach(n, variance)
        assert stats.binom.sf(math.ceil(n * p + t) - 1, n, p) <= chain.TAIL
        assert stats.binom.cdf(math.floor(n * p - t), n, p) <= chain.TAIL


@pytest.mark.parametrize("bonus", [0.0, 1.0, 3.0])
def test_the_lattice_leaves_no_row_that_no_counts_give(bonus):
    """Sums and sums of squares have one parity, and lie between the square of the mean and the largest square."""
    scenario = get_scenario("self_preference")
    defaults = {p.name: p.default for p in scenario.parameters if p.default is not None}
    for n in (9, 60, 333):
        point = scenario.point({**defaults, "n_pairs": n, "bonus": bonus})
        (law,) = laws.exact_laws(point, ("total2", "halves", "wholes"))
        total, halves, wholes = law.rows.T
        assert ((total - halves) % 2 == 0).all()
        assert (np.abs(total) <= halves + 2 * wholes).all()
        assert (halves + wholes <= n).all()
        assert law.probability.sum() == pytest.approx(1, abs=ROUNDING)
