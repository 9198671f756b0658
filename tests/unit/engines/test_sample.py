"""Simulations in plain NumPy: addresses, fixed point, and what draw and analyse may not return."""

from __future__ import annotations

import numpy as np
import pytest

from simstudy import Sample
from simstudy.engines.sample import sampled_rows, sampled_units
from simstudy.errors import ComputationError, RequestError
from simstudy.options import make_options
from simstudy.scenarios.parts import FIXED, UNDEFINED
from tests.small.correlations import Correlations

OPTIONS = make_options(seed=3)


def draw(generator, values):
    return generator.standard_normal((values["n_items"], 2))


def analyse(units, generator, values, alphas):
    """The units, a number that the analysis draws, and one that is undefined."""
    return len(units), generator.random() + units[0, 0], np.nan


SAMPLE = Sample(draw, analyse, ("count", "mean", "nothing"), ("first", "second"), ("mean", "nothing"))


def point(sample=SAMPLE):
    """Return a point of a scenario with this kernel."""
    scenario = type("Sampled", (Correlations,), {"kernel": sample})()
    return scenario.point({"n_items": 8, "rho_a": 0.5, "delta_rho": 0.1, "rho_ab": 0.5})


def rows(first, size, sample=SAMPLE):
    return sampled_rows(point(sample), OPTIONS, first, size)


def test_columns_are_whole_or_in_fixed_point_or_undefined():
    found = rows(4, 2)
    assert found.dtype == np.int64
    assert found[:, 0].tolist() == [8, 8]
    assert found[:, 2].tolist() == [UNDEFINED, UNDEFINED]
    # the uniform of the analysis lies in [0, 1)
    first = [sampled_units(point(), OPTIONS, 4 + row)[0, 0] for row in range(2)]
    drawn = found[:, 1] / FIXED - first
    assert ((drawn > 0) & (drawn < 1)).all()


def test_a_replication_is_the_same_in_any_block():
    np.testing.assert_array_equal(rows(0, 5), np.concatenate([rows(0, 2), rows(2, 3)]))
    assert len(np.unique(rows(0, 5)[:, 1])) == 5


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        ((0.5, 1.0, 1.0), "count must be whole numbers, or named in real"),
        ((np.nan, 1.0, 1.0), "count must be whole numbers"),
        ((1, 2.0**22, 1.0), "real numbers must lie within ±4194304"),
    ],
)
def test_numbers_that_fixed_point_cannot_hold_are_refused(returned, words):
    sample = Sample(draw, lambda *_: returned, SAMPLE.columns, SAMPLE.case_columns, SAMPLE.real)
    with pytest.raises(ComputationError, match=words):
        rows(0, 1, sample)


def test_units_of_another_shape_are_refused():
    sample = Sample(lambda generator, values: np.zeros(3), analyse, SAMPLE.columns, SAMPLE.case_columns, SAMPLE.real)
    with pytest.raises(ComputationError, match="a column for each of first, second"):
        sampled_units(point(sample), OPTIONS, 0)


def test_functions_that_are_not_there_are_refused_by_name():
    where = "^Scenario correlations, kernel: "
    lost = Sample("tests.small.correlations:drew", analyse, ("count",), ("first",))
    with pytest.raises(RequestError, match=where + "there is no function 'drew' in the module tests.small"):
        rows(0, 1, lost)
    with pytest.raises(RequestError, match=where + "the function 'nowhere:analyse' cannot be imported"):
        rows(0, 1, Sample(draw, "nowhere:analyse", ("count",), ("first",)))
