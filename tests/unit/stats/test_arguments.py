"""What every statistic does with its arguments: shapes, types, refusals, silence."""

import inspect
import itertools
import time

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError, RequestError, UnknownNameError
from simstudy.stats import win_rate

# seconds of a processor that no single call needs, whatever it is asked
LONGEST = 1.0
# what is given is cut in a message, so that no argument makes it long
LONGEST_SENTENCE = 400
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
# These read an axis of units, clusters, categories or words, or give no array: their arguments by name.
WORDS, SCORES = [[100.0, 200, 400], [120.0, 300, 200], [90.0, 180, 500]], [[3.0, 4, 5], [2.0, 4, 3], [1.0, 2, 4]]
SLOPES = {"slopes": [0.1, 0.3, 0.2, -0.1]}
RESAMPLED = {**SLOPES, "level": 0.95, "resamples": 200, "seed": 1}
TABLE = {"table": [[10, 2, 1], [1, 8, 3], [0, 2, 9]]}
RATINGS = {"first": [1, 0, 1, 0], "second": [1, 0, 0, 0], "categories": [0, 1]}
CLUSTERED = {**RATINGS, "cluster": [1, 1, 2, 2], "weights": "none"}
NINE = {"verdicts": [3, 4, 1, 5, 6, 2, 1, 0, 2]}
REPEATED = {"verdicts": [[1, 0, 1], [1, 1, 1], [0, 0, 0]]}
SAMPLES = {"labelled": [[5, 1, 1, 0], [1, 6, 0, 1], [0, 1, 12, 1], [1, 0, 1, 7]], "unlabelled": [20, 30, 90, 50]}
MEANS = {"labels": [1, 0, 1, 1], "verdicts": [1, 0, 0, 1], "unlabelled": [1, 0, 1, 1, 0]}
FOUR_CELLS = {"tp": 60, "fn": 5, "fp": 15, "tn": 20}
SCORED = {"differences": [0.5, -0.25, 1.0, 0.0]}
WITH_AXIS = {
    "bootstrap_t": {**SCORED, "level": 0.95, "resamples": 200, "seed": 1},
    "holm": {"p_values": [0.01, 0.2, 0.03]},
    "pass_all": {"right": [3, 1], "runs": [4, 4], "k": 2},
    "pass_any": {"right": [3, 1], "runs": [4, 4], "k": 2},
    "rerun_spread": {"right": [3, 1], "runs": [4, 4], "level": 0.95},
    "score_sign_flip": {**SCORED, "resamples": 200, "seed": 1},
    "score_t": {**SCORED, "alternative": "greater"},
    "score_t_interval": {**SCORED, "level": 0.95},
    "sign_midp": SCORED,
    "wilcoxon": {**SCORED, "alternative": "greater"},
    "wilcoxon_normal": {**SCORED, "alternative": "greater"},
    "agreement_table": RATINGS,
    "bias_probe": {"against": 3, "toward": 11, "test": "midp", "alpha": 0.05, "power": 0.8},
    "case_slopes": {"words": WORDS, "scores": SCORES},
    "cluster_bootstrap_slope": RESAMPLED,
    "cluster_interval": {"sums": [3, -1, 2], "sizes": [5, 4, 5], "level": 0.95, "kind": "t"},
    "cluster_standard_error": {"sums": [3, -1, 2], "sizes": [5, 4, 5]},
    "cohen_kappa": {**TABLE, "weights": "linear"},
    "cohen_kappa_clustered": CLUSTERED,
    "cohen_kappa_clustered_interval": {**CLUSTERED, "level": 0.95},
    "cohen_kappa_interval": {**TABLE, "weights": "linear", "level": 0.95},
    "cohen_kappa_standard_error": {**TABLE, "weights": "linear"},
    "contradictions": NINE,
    "distinct_answers": {"case": ["a", "a", "b"], "answer": ["x", "y", "x"]},
    "first_position_share": NINE,
    "fit_position": {"x_better": [3, 4, 0, 5, 6, 0, 0, 0, 0], "y_better": [3, 4, 0, 5, 6, 0, 0, 0, 0]},
    "flip_rate": NINE,
    "interval_regression": {"words": WORDS, "scores": SCORES, "lowest": 1, "highest": 5},
    "judge_agreement": {**FOUR_CELLS, "unreadable_right": 1, "unreadable_wrong": 2, "level": 0.95},
    "judge_agreement_by_group": {
        "label": [1, 0, 1, 0],
        "verdict": [1, 0, 0, 0],
        "group": ["a", "a", "b", "b"],
        "level": 0.95,
    },
    "kappa_bootstrap": {**FOUR_CELLS, "seed": 1, "resamples": 200, "level": 0.95},
    "krippendorff_alpha": {"ratings": [[1, 1, 2], [2, 2, 2], [3, 1, 3]], "metric": "interval"},
    "length_table": {"case": ["a", "a", "b"], "words": [100, 200, 50], "score": [3, 4, 2]},
    "majority_verdict": REPEATED,
    "mean_slope": SLOPES,
    "minority_law": {"repetitions": 5, "q": [0.3, 0.7], "weights": [0.5, 0.5]},
    "minority_share": REPEATED,
    "pabak": TABLE,
    "pair_disagreement": REPEATED,
    "parse_verdict": {"reply": "correct", "words": {"correct": True}},
    "pooled_slope": {"words": WORDS, "scores": SCORES},
    "ppi_difference": {**SAMPLES, "tuned": True},
    "ppi_difference_interval": {**SAMPLES, "level": 0.95, "tuned": True},
    "ppi_mean": MEANS,
    "ppi_mean_interval": {**MEANS, "level": 0.95},
    "ppi_pp_mean": MEANS,
    "ppi_pp_mean_interval": {**MEANS, "level": 0.95},
    "rater_agreement": {"both": 60, "first": 5, "second": 15, "neither": 20, "level": 0.95},
    "read_verdicts": {"replies": ["correct"], "words": {"correct": True}},
    "rogan_gladen_difference": {**SAMPLES, "pooled": True},
    "rogan_gladen_difference_interval": {**SAMPLES, "level": 0.95, "pooled": True},
    "set_bootstrap_slope": RESAMPLED,
    "sign_flip_counts": {"tally": [3, 4, 5], "values": [-1, 0, 1], "alternative": "greater"},
    "sign_flip_exact": {"differences": [1, -1, 0, 1, 1], "alternative": "greater"},
    "unstable_share": REPEATED,
    "verdict_counts": {"pass_ab": ["A", "B"], "pass_ba": ["B", "tie"]},
    "verdict_counts_of_winners": {"winners_ab": ["X", "Y"], "winners_ba": ["Y", "tie"]},
    "verdict_disagreement": NINE,
    "win_rates": NINE,
}
# the rule of win rates and its neighbours, which users import from their module
WIN_RULE = {
    "adopt": {"wins": 30, "losses": 12, "alpha": 0.05, "min_win_rate": 0.55},
    "adoption_p": {"wins": 30, "losses": 12, "min_win_rate": 0.55, "alternative": "greater"},
    "decisive_share": {"wins": 30, "losses": 12, "trials": 60},
    "decisive_win_rate": {"wins": 30, "losses": 12},
    "win_rate_exact_p": {"wins": 30, "losses": 12, "alternative": "greater"},
    "win_rate_interval": {"wins": 30, "losses": 12, "level": 0.95},
    "win_rate_reached": {"wins": 30, "losses": 12, "min_win_rate": 0.55},
    "wins_needed_by_rate": {"decisive": 42, "min_win_rate": 0.55},
    "wins_needed_by_test": {"decisive": 42, "alpha": 0.05},
}
CLASSES = {
    "BiasProbe",
    "BootstrapT",
    "SignFlips",
    "JudgeAgreement",
    "LatentSlope",
    "RaterAgreement",
    "RerunSpread",
    "Slope",
}


def parts(answer):
    return answer if isinstance(answer, tuple) else (answer,)


def test_every_public_statistic_is_called_here():
    assert set(CALLS) | set(WITH_AXIS) | CLASSES == set(stats.__all__)
    own = inspect.getmembers(win_rate, lambda one: inspect.isfunction(one) and one.__module__ == win_rate.__name__)
    assert set(WIN_RULE) == {name for name, _ in own if not name.startswith("_")}


def test_scalars_give_float64_and_arrays_give_arrays_of_the_broadcast_shape():
    for name, args in CALLS.items():
        function = getattr(stats, name)
        for scalar in parts(function(*args)):
            assert type(scalar) is np.float64, name
        first = np.full((2, 1), args[0])
        last = np.full(3, args[-1])
        for array, scalar in zip(parts(function(first, *args[1:-1], last)), parts(function(*args)), strict=True):
            assert array.dtype == np.float64, name
            np.testing.assert_array_equal(array, np.full((2, 3), scalar), name)


def test_an_empty_array_gives_an_empty_array():
    for name, args in CALLS.items():
        for array in parts(getattr(stats, name)(np.empty(0), *args[1:])):
            assert array.shape == (0,), name


def test_arguments_are_left_as_they_were():
    for name, values in CALLS.items():
        args = [np.full(3, value) for value in values]
        copies = [array.copy() for array in args]
        getattr(stats, name)(*args)
        for array, copy in zip(args, copies, strict=True):
            np.testing.assert_array_equal(array, copy, name)


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


def test_extreme_levels_leave_limits_in_order():
    for name, level in itertools.product(with_parameter("level"), (1.2e-16, 1e-300, 1 - 1.2e-16, np.array(0.9))):
        answer = parts(getattr(stats, name)(*CALLS[name], level=level))
        assert np.isfinite(answer).all(), name
        if len(answer) == 2:
            assert answer[0] <= answer[1] + 1e-15, name


def arguments(name):
    """Return a value for every parameter of a statistic, also for those that have a default."""
    if name in BY_NAME:
        return BY_NAME[name]
    parameters = inspect.signature(getattr(stats, name)).parameters.values()
    given = dict(zip((p.name for p in parameters), CALLS[name], strict=False))
    return {p.name: given.get(p.name, p.default) for p in parameters}


def spoilt(value, wrong):
    """Yield what is wrong in place of a value, and of the first number or word in its lists."""
    yield wrong
    if isinstance(value, list):
        yield from ([inner, *value[1:]] for inner in spoilt(value[0], wrong))


def calls_with(name, wrong):
    """Yield every call of a statistic with one wrong argument: what it is called and with what."""
    for parameter, value in arguments(name).items():
        for instead in spoilt(value, wrong):
            yield parameter, {**arguments(name), parameter: instead}


MASKED = np.ma.masked_array([3, 4], [True, False])
NO_NUMBERS = {
    "masked": MASKED,
    "a masked number": np.ma.masked,
    "masked arrays in a list": [MASKED, MASKED],
    "text": "abc",
    "digits": "3",
    "texts": ["3", "4"],
    "bytes": b"3",
    "dates": np.array(["2024-01-01", "2024-01-02"], "datetime64[D]"),
    "durations": np.array([3, 4], "timedelta64[D]"),
    "no date": np.datetime64("NaT"),
    "complex": [3 + 1j, 4],
    "nothing": None,
    "objects": [object(), 4],
    "ragged": [[3], [4, 5]],
    "records": np.zeros(2, [("a", float)]),
    "a set": {3, 4},
    "a mapping": {"a": 3},
    "a function": len,
    "beyond float64": 10**400,
    "beyond what can be printed": 10**5000,
}
# parameters that take names of any kind, whose only wrong kinds are masked and missing ones
NAMES = {"first", "second", "categories", "cluster", "case", "answer", "group"}
TEXTS = {"parse_verdict", "read_verdicts"}
BY_NAME = {**WITH_AXIS, **WIN_RULE}
FUNCTIONS = {name: getattr(win_rate if name in WIN_RULE else stats, name) for name in [*CALLS, *BY_NAME]}


def may_be(name, parameter, kind):
    """Whether what is no number may be asked for in this place."""
    if kind == "nothing":
        return parameter in {"categories", "weights", "z"}
    named = parameter in NAMES and name != "rater_agreement" and "mask" not in kind
    return named or name in TEXTS


def test_what_is_no_number_is_refused_in_every_place():
    for name, (kind, wrong) in itertools.product(FUNCTIONS, NO_NUMBERS.items()):
        for parameter, call in calls_with(name, wrong):
            said = None
            try:
                FUNCTIONS[name](**call)
            except RequestError as refused:
                said = str(refused)
            allowed = may_be(name, parameter, kind) if said is None else len(said) < LONGEST_SENTENCE
            assert allowed, (name, parameter, kind)


NUMBERS = [10**9, 10**12, 10**15, 10**16, 10**18, 2**63, 2.0**1000, 1e300, np.inf, -np.inf, np.nan]
NUMBERS += [-1, 0, 0.5, 1, 1e-300, 5e-324, 1.11e-16, 1 - 1.2e-16, True, np.array(3), np.float32(0.3), 3 + 0j]
NUMBERS += [[], np.empty((0, 3)), np.empty((3, 0)), np.empty((0, 0)), np.ones((2, 3, 4)), [True, False], [np.nan, 1.0]]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_any_number_is_computed_or_refused(name):
    """In silence, too: a warning is an error here."""
    for number in NUMBERS:
        for _, call in calls_with(name, number):
            begun = time.process_time()
            try:
                answer = FUNCTIONS[name](**call)
            except RequestError:
                continue
            finally:
                assert time.process_time() - begun < LONGEST, (call, "takes too long")
            if name in CALLS and all(np.ndim(value) == 0 for value in call.values()):
                assert all(type(part) is np.float64 for part in parts(answer))
