"""Weights of agreement, and how far a unit moves kappa, against derivatives in exact fractions."""

from __future__ import annotations

import numpy as np
import pytest

from simstudy.errors import ParameterError, UnknownNameError
from simstudy.stats._kappa_moments import agreement_weights, kappa_influence, kappa_parts, leading_cells
from tests.oracle import agreement_slow as slow

TABLE = [[20, 3, 1], [4, 9, 2], [0, 5, 11]]
# sums of nine products of numbers below 1
ROUNDING = 1e-13


@pytest.mark.parametrize(("name", "power"), [("none", None), ("linear", 1), ("quadratic", 2)])
def test_influences_are_the_derivatives_of_kappa(name, power):
    weights = agreement_weights(3, name)
    np.testing.assert_allclose(weights, np.array(slow.agreement(3, power), np.float64), rtol=0, atol=ROUNDING)
    cells = leading_cells(TABLE)
    kappa, shares, influence = kappa_influence(cells, weights)
    assert kappa == pytest.approx(float(slow.kappa(slow.shares_of(TABLE), power)), abs=ROUNDING)
    # the empty cell has no unit that could move kappa
    expected = np.where(shares > 0, np.array(slow.influences(TABLE, power), np.float64), 0)
    np.testing.assert_allclose(influence, expected, rtol=0, atol=ROUNDING)
    assert float((shares * influence).sum()) == pytest.approx(0, abs=ROUNDING)
    assert kappa_parts(cells, weights)[1] == pytest.approx(float((shares * influence**2).sum()), abs=ROUNDING)


def test_no_unit_moves_a_full_agreement():
    kappa, variance = kappa_parts(leading_cells([[7, 0], [0, 5]]), agreement_weights(2, "none"))
    assert (kappa, variance) == (1, 0)


def test_what_is_no_table_and_what_are_no_weights():
    assert leading_cells(np.ones((5, 2, 2))).shape == (2, 2, 5)
    with pytest.raises(ParameterError):
        leading_cells([[1, 2]])
    with pytest.raises(UnknownNameError, match="Did you mean linear"):
        agreement_weights(3, "lineal")
