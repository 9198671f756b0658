"""What every statistic does with its arguments: shapes, types, refusals, silence."""

import inspect
import itertools

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError, UnknownNameError

PAIRED = (3, 11, 36)
FOUR = (3, 11, 19, 36)
TWO = (22, 36, 30, 36)
CALLS = {
    "agresti_coull": (3, 11),
    "bonett_price": PAIRED,
    "bootstrap_percentile": PAIRED,
    "bootstrap_reject": PAIRED,
    "clopper_pearson": (3, 11),
    "cluster_t": (4, 14, 5),
    "cluster_z": (4, 14, 5),
    "difference": PAIRED,
    "empirical_se_mcse": (0.2, 100),
    "equivalence_farrington_manning": (*TWO, 0.1),
    "equivalence_tango": (*PAIRED, 0.1),
    "equivalence_wald": (*PAIRED, 0.1),
    "equivalence_wald_independent": (*TWO, 0.1),
    "first_share_limits": (16, 8),
    "first_share_log_odds": (16, 8),
    "fisher_exact": TWO,
    "gap_sign_flip": (4, 4, 1),
    "gap_t_interval": (4, 14, 5),
    "gap_z_interval": (4, 14, 5),
    "jeffreys": (3, 11),
    "kappa": (60, 5, 15, 20),
    "kappa_adjusted": (60, 5, 15, 20),
    "kappa_few": (60, 5, 15, 20),
    "kappa_standard_error": (60, 5, 15, 20),
    "kappa_wald": (60, 5, 15, 20),
    "kappa_wilson_po": (60, 5, 15, 20),
    "log_preference": (3, 11),
    "log_preference_exact": (3, 11),
    "log_preference_midp": (3, 11),
    "majority_error": (5, 0.7),
    "mcnemar_cc": (3, 11),
    "mcnemar_chi2": (3, 11),
    "mcnemar_exact": (3, 11),
    "mcnemar_midp": (3, 11),
    "mean_gap": (4, 5),
    "mean_mcse": (0.2, 100),
    "mean_t": (4, 14, 5),
    "mean_z": (4, 14, 5),
    "midp_proportion": (3, 11),
    "n_noninferiority": (0.8, 0.8, 0.1),
    "n_one_proportion": (0.7, 0.05),
    "n_paired_mean": (0.1, 0.1, 0.1, 2, 0.05),
    "n_two_proportions": (0.7, 0.8),
    "newcombe": FOUR,
    "newcombe_independent": TWO,
    "noninferiority_farrington_manning": (*TWO, 0.1),
    "noninferiority_tango": (*PAIRED, 0.1),
    "noninferiority_wald": (*PAIRED, 0.1),
    "noninferiority_wald_independent": (*TWO, 0.1),
    "paired_standard_error": PAIRED,
    "paired_t": PAIRED,
    "paired_t_interval": PAIRED,
    "paired_wald": PAIRED,
    "paired_z": PAIRED,
    "phi": FOUR,
    "position_bias": (3, 11),
    "position_bias_exact": (3, 11),
    "position_bias_midp": (3, 11),
    "position_bias_score": (3, 11),
    "rate_mcse": (0.3, 100),
    "relative_precision": (1.0, 0.8, 0.5, 100),
    "percentile_p": (12, 990, 1000),
    "rogan_gladen": (40, 100, 18, 20, 14, 20),
    "rogan_gladen_interval": (40, 100, 18, 20, 14, 20),
    "slope_t": (0.4, 0.1, 14),
    "slope_t_interval": (0.4, 0.1, 14),
    "slope_z": (0.4, 0.1),
    "slope_z_interval": (0.4, 0.1),
    "tango": PAIRED,
    "tango_z": (*PAIRED, 0.1),
    "unpaired_z": (22, 30, 36),
    "wald": (3, 11),
    "wald_independent": TWO,
    "wilson": (3, 11),
    "wilson_half_width": (0.3, 100),
    "wilson_rate": (0.3, 100),
    "z_pooled": TWO,
    "z_unpooled": TWO,
}
# These read an axis of units, clusters or categories, which the scalar calls above do not have, or give no array.
WITH_AXIS = {
    "BiasProbe",
    "JudgeAgreement",
    "LatentSlope",
    "RaterAgreement",
    "Slope",
    "agreement_table",
    "bias_probe",
    "case_slopes",
    "cluster_bootstrap_slope",
    "cluster_interval",
    "cluster_standard_error",
    "cohen_kappa",
    "cohen_kappa_clustered",
    "cohen_kappa_clustered_interval",
    "cohen_kappa_interval",
    "cohen_kappa_standard_error",
    "contradictions",
    "distinct_answers",
    "first_position_share",
    "fit_position",
    "flip_rate",
    "interval_regression",
    "judge_agreement",
    "judge_agreement_by_group",
    "kappa_bootstrap",
    "krippendorff_alpha",
    "length_table",
    "majority_verdict",
    "mean_slope",
    "minority_law",
    "minority_share",
    "pabak",
    "pair_disagreement",
    "parse_verdict",
    "pooled_slope",
    "ppi_difference",
    "ppi_difference_interval",
    "ppi_mean",
    "ppi_mean_interval",
    "ppi_pp_mean",
    "ppi_pp_mean_interval",
    "rater_agreement",
    "read_verdicts",
    "rogan_gladen_difference",
    "rogan_gladen_difference_interval",
    "set_bootstrap_slope",
    "sign_flip_counts",
    "sign_flip_exact",
    "unstable_share",
    "verdict_counts",
    "verdict_counts_of_winners",
    "verdict_disagreement",
    "win_rates",
}


def parts(answer):
    return answer if isinstance(answer, tuple) else (answer,)


def test_every_public_statistic_is_called_here():
    assert set(CALLS) | WITH_AXIS == set(stats.__all__)


@pytest.mark.parametrize("name", CALLS)
def test_scalars_give_float64_and_arrays_give_arrays_of_the_broadcast_shape(name):
    function, args = getattr(stats, name), CALLS[name]
    for scalar in parts(function(*args)):
        assert type(scalar) is np.float64
    first = np.full((2, 1), args[0])
    last = np.full(3, args[-1])
    for array, scalar in zip(parts(function(first, *args[1:-1], last)), parts(function(*args)), strict=True):
        assert array.dtype == np.float64
        np.testing.assert_array_equal(array, np.full((2, 3), scalar))


@pytest.mark.parametrize("name", CALLS)
def test_an_empty_array_gives_an_empty_array(name):
    args = CALLS[name]
    for array in parts(getattr(stats, name)(np.empty(0), *args[1:])):
        assert array.shape == (0,)


@pytest.mark.parametrize("name", CALLS)
def test_arguments_are_left_as_they_were(name):
    args = [np.full(3, value) for value in CALLS[name]]
    copies = [array.copy() for array in args]
    getattr(stats, name)(*args)
    for array, copy in zip(args, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def with_parameter(parameter):
    return [name for name in CALLS if parameter in inspect.signature(getattr(stats, name)).parameters]


@pytest.mark.parametrize("name", with_parameter("alternative"))
def test_an_unknown_alternative_is_refused_with_the_nearest(name):
    with pytest.raises(UnknownNameError, match=r"no alternative 'two_sided'\. Did you mean two-sided"):
        getattr(stats, name)(*CALLS[name], alternative="two_sided")


@pytest.mark.parametrize("name", with_parameter("level"))
def test_a_level_outside_its_range_or_of_a_wrong_type_is_refused(name):
    for level in (0, 1, 95, -0.1, np.nan, "abc", None, [0.9, 0.95], True, 1j):
        with pytest.raises(ParameterError, match="must lie strictly between 0 and 1"):
            getattr(stats, name)(*CALLS[name], level=level)


@pytest.mark.parametrize("name", with_parameter("n10"))
def test_impossible_counts_are_refused(name):
    function, (_, *rest) = getattr(stats, name), CALLS[name]
    with pytest.raises(ParameterError, match="n10 must not be negative; it holds -1"):
        function([2, -1], *rest)
    with pytest.raises(ParameterError, match=r"n10 must hold whole numbers; it holds 0\.5"):
        function([0.5, 2], *rest)
    with pytest.raises(ParameterError, match="n10 must hold whole numbers; it holds nan"):
        function(np.nan, *rest)


@pytest.mark.parametrize(
    "name",
    [name for name in with_parameter("n10") if "n" in inspect.signature(getattr(stats, name)).parameters],
)
def test_more_discordant_cases_than_cases_are_refused(name):
    function, (_, *rest) = getattr(stats, name), CALLS[name]
    with pytest.raises(ParameterError, match=r"n10 \+ n01.* must not exceed n; \d+ of 36 was given"):
        function(30, *rest)


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(ParameterError, match=r"n10 \(3,\), n01 \(2,\)"):
        stats.mcnemar_exact([1, 2, 3], [1, 2])


def test_sums_that_no_differences_have_are_refused():
    with pytest.raises(ParameterError, match="Cauchy"):
        stats.mean_z(10, 3, 5)


def test_counts_may_come_as_floats_that_are_whole():
    assert stats.tango(3.0, np.int8(11), np.float32(36)) == stats.tango(*PAIRED)


NO_NUMBERS = {
    "masked": np.ma.masked_array([3, 4], [True, False]),
    "text": "3",
    "texts": ["3", "4"],
    "bytes": b"3",
    "dates": np.array(["2024-01-01", "2024-01-02"], "datetime64[D]"),
    "durations": np.array([3, 4], "timedelta64[D]"),
    "complex": [3 + 1j, 4],
    "nothing": None,
    "objects": [object(), 4],
    "ragged": [[3], [4, 5]],
    "beyond float64": 10**400,
}


@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_number_is_refused_in_every_place(name):
    for place, kind in itertools.product(range(len(CALLS[name])), NO_NUMBERS):
        args = list(CALLS[name])
        args[place] = NO_NUMBERS[kind]
        with pytest.raises(ParameterError):
            getattr(stats, name)(*args)


@pytest.mark.parametrize("name", CALLS)
def test_huge_and_tiny_numbers_are_computed_or_refused(name):
    """In silence, too: a warning is an error here."""
    numbers = [10**9, 10**15, 10**16, 1e300, np.inf, 1e-300, 0]
    for place, number in itertools.product(range(len(CALLS[name])), numbers):
        args = list(CALLS[name])
        args[place] = number
        try:
            answer = getattr(stats, name)(*args)
        except ParameterError:
            continue
        assert all(type(part) is np.float64 for part in parts(answer))


@pytest.mark.parametrize("name", with_parameter("level"))
def test_extreme_levels_leave_limits_in_order(name):
    for level in (1.2e-16, 1e-300, 1 - 1.2e-16, np.array(0.9)):
        answer = parts(getattr(stats, name)(*CALLS[name], level=level))
        assert np.isfinite(answer).all()
        if len(answer) == 2:
            assert answer[0] <= answer[1] + 1e-15
