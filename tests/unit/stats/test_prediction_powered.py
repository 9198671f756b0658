"""Prediction-powered means: no labels, no unlabelled cases, no variance."""

import math

import numpy as np
import pytest
from scipy.special import ndtri

from simstudy import stats
from simstudy.errors import ParameterError

Z = ndtri(0.975)


def test_without_unlabelled_cases_the_tuned_mean_is_the_mean_label():
    labels, verdicts = [1, 0, 1, 1], [1, 0, 0, 1]
    assert math.isnan(stats.ppi_mean(labels, verdicts, []))
    assert np.isnan(stats.ppi_mean_interval(labels, verdicts, [])).all()
    assert stats.ppi_pp_mean(labels, verdicts, []) == 0.75
    # the variance of four labels with the divisor 3
    margin = Z * math.sqrt(0.75 * 0.25 / 3)
    assert stats.ppi_pp_mean_interval(labels, verdicts, []) == pytest.approx((0.75 - margin, 0.75 + margin))


@pytest.mark.parametrize("mean", [stats.ppi_mean, stats.ppi_pp_mean])
def test_without_labels_nothing_is_known(mean):
    assert math.isnan(mean([], [], [1, 0]))


def test_one_unit_or_no_variance_has_no_interval():
    for interval in (stats.ppi_mean_interval, stats.ppi_pp_mean_interval):
        assert np.isnan(interval([1], [1], [1, 0])).all()
        assert np.isnan(interval([1, 1], [1, 1], [1, 1])).all()
    assert np.isnan(stats.ppi_mean_interval([1, 0], [1, 0], [1])).all()
    assert stats.ppi_pp_mean([1, 0, 1], [1, 1, 1], [1, 1]) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (([1, 0], [1], [1]), r"labels \(2,\), verdicts \(1,\)"),
        (([[1, 0]], [[1, 0]], [1]), "must agree"),
        (([1, math.nan], [1, 0], [1]), "labels must hold finite numbers; it holds nan"),
        (([1, 0], [1, 0], [math.inf]), "unlabelled must hold finite numbers; it holds inf"),
    ],
)
def test_labels_that_do_not_fit_are_refused(given, words):
    for function in (stats.ppi_mean, stats.ppi_mean_interval, stats.ppi_pp_mean, stats.ppi_pp_mean_interval):
        with pytest.raises(ParameterError, match=words):
            function(*given)
