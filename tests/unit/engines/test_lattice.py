"""Laws of overlapping projections: no noise, binomial margins, no row that no counts give."""

import itertools

import numpy as np
import pytest
from scipy import stats

from simstudy.engines import laws
from simstudy.engines.lattice import NOISE, NOISE_PER_UNIT
from simstudy.scenarios import get_scenario

# probabilities are sums and products of some thousand positive terms
ROUNDING = 1e-12


def paired_point(n, p10, p01, p11):
    paired = get_scenario("paired")
    return paired.point({"n_cases": n, "accuracy_a": p10 + p11, "difference": p01 - p10, "discordance": p10 + p01})


def law_of(point, reading):
    pieces = list(laws.exact_laws(point, reading))
    return np.concatenate([piece.rows for piece in pieces]), np.concatenate([piece.probability for piece in pieces])


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


@pytest.mark.parametrize(("bonus", "sizes"), [(0.0, (9, 60)), (1.0, (9, 60, 333)), (3.0, (9, 60))])
def test_the_lattice_leaves_no_row_that_no_counts_give(bonus, sizes):
    """Sums and sums of squares have one parity, and lie between the square of the mean and the largest square."""
    scenario = get_scenario("self_preference")
    defaults = {p.name: p.default for p in scenario.parameters if p.default is not None}
    for n in sizes:
        point = scenario.point({**defaults, "n_pairs": n, "bonus": bonus})
        (law,) = laws.exact_laws(point, ("total2", "halves", "wholes"))
        total, halves, wholes = law.rows.T
        assert ((total - halves) % 2 == 0).all()
        assert (np.abs(total) <= halves + 2 * wholes).all()
        assert (halves + wholes <= n).all()
        assert law.probability.sum() == pytest.approx(1, abs=ROUNDING)
