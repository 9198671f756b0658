"""Power as a sum over the discordant total, against enumeration of every (n10, n01)."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

import simstudy
from simstudy.engines import conditional
from simstudy.scenarios import get_scenario

METHODS = [m.name for m in get_scenario("paired").methods if m.discordant]


def p_value_of(method):
    return get_scenario("paired").method(method).p_value


ALTERNATIVES = ("two-sided", "greater", "less")
# sums of positive terms, each good to some 1e-13
ROUNDING = 1e-11


def enumerated(n, p10, p01, method, alpha, alternative):
    """(up, down) from the probability of every table; directions as the estimate says."""
    n10, n01 = np.indices((n + 1, n + 1))
    inside = n10 + n01 <= n
    n10, n01 = n10[inside], n01[inside]
    weight = stats.multinomial.pmf(np.stack([n10, n01, n - n10 - n01], axis=1), n, [p10, p01, 1 - p10 - p01])
    p = get_scenario("paired").method(method).p_value.resolve()(n10, n01, alternative=alternative)
    rejects = p <= alpha * (1 + 1e-12)
    if alternative == "greater":
        return weight[rejects].sum(), 0.0
    if alternative == "less":
        return 0.0, weight[rejects].sum()
    return weight[rejects & (n01 > n10)].sum(), weight[rejects & (n01 <= n10)].sum()


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("method", METHODS)
def test_the_sum_is_the_enumeration(method, alternative):
    for alpha in (0.9, 0.5, 0.05, 0.0125, 1e-6):
        for n, p10, p01 in ((1, 0.3, 0.4), (9, 0.1, 0.3), (40, 0.02, 0.5), (40, 0.4, 0.1), (25, 0.5, 0.5)):
            up, down = conditional.discordant_power([n], p10, p01, p_value_of(method), alpha, alternative)
            expected = enumerated(n, p10, p01, method, alpha, alternative)
            assert (up[0], down[0]) == pytest.approx(expected, abs=ROUNDING), (alpha, n, p10, p01)


@pytest.mark.parametrize("method", METHODS)
def test_critical_values_split_the_outcomes(method):
    p_value = get_scenario("paired").method(method).p_value.resolve()
    for alpha in (0.05, 0.5, 0.9):
        critical = conditional.critical_values(p_value_of(method), alpha, "two-sided", 0, 81)
        for m in range(81):
            n01 = np.arange(m + 1)
            rejects = p_value(m - n01, n01) <= alpha * (1 + 1e-12)
            assert (rejects == ((n01 >= critical.upper[m]) | (n01 <= critical.lower[m]))).all()


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_without_discordant_cases_the_p_value_of_an_empty_table_decides(alternative):
    """One-sided mid-p of no discordant case is one half: it rejects at alpha 0.5 and above, never at 0.05."""
    strict = conditional.mcnemar_power([5, 50], 0.0, 0.0, "mcnemar_midp", 0.05, alternative)
    loose = conditional.mcnemar_power([5, 50], 0.0, 0.0, "mcnemar_midp", 0.6, alternative)
    assert strict.tolist() == [0, 0]
    assert loose.tolist() == ([0, 0] if alternative == "two-sided" else [1, 1])


def test_a_p_value_equal_to_the_level_rejects():
    """P(X ≥ 18 of 35) is exactly one half; its floating-point value is one unit in the last place above."""
    power = conditional.mcnemar_power([35], 0.5, 0.5, "mcnemar_exact", 0.5, "greater")
    assert power[0] == pytest.approx(0.5, abs=ROUNDING)


def test_all_cases_discordant_is_the_sign_test():
    for n in (8, 25, 100):
        k = np.arange(n + 1)
        p = 2 * stats.binom.cdf(np.minimum(k, n - k), n, 0.5)
        expected = stats.binom.pmf(k, n, 0.65)[p <= 0.05].sum()
        assert conditional.mcnemar_power(n, 0.35, 0.65, "mcnemar_exact")[0] == pytest.approx(expected, abs=ROUNDING)


def test_swapping_the_systems_swaps_the_directions():
    up, down = conditional.discordant_power([7, 60], 0.1, 0.2, p_value_of("mcnemar_midp"), 0.05)
    back_up, back_down = conditional.discordant_power([7, 60], 0.2, 0.1, p_value_of("mcnemar_midp"), 0.05)
    assert up == pytest.approx(back_down, abs=ROUNDING)
    assert down == pytest.approx(back_up, abs=ROUNDING)


def test_many_sizes_at_once_are_single_sizes(monkeypatch):
    sizes = [1, 2, 33, 400, 399, 10_000]
    together = conditional.mcnemar_power(sizes, 0.1, 0.12)
    alone = [conditional.mcnemar_power(n, 0.1, 0.12)[0] for n in sizes]
    assert together == pytest.approx(np.array(alone), abs=ROUNDING)
    monkeypatch.setattr(conditional, "PIECE", 1)
    assert conditional.mcnemar_power(sizes, 0.1, 0.12) == pytest.approx(together, abs=ROUNDING)


def test_memory_stays_small_for_thousands_of_large_sizes():
    """A table of 20,000 sizes near 10⁶ would take gigabytes in one piece; the piece is bounded instead."""
    n = 1_000_000
    width = 2 * conditional.reach(n, 0.4 * 0.6) + 1
    assert conditional.PIECE // width * width <= conditional.PIECE


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_any_range_of_totals_has_the_same_critical_values(alternative):
    """They are kept in chunks: ranges that begin and end inside one, or span several."""
    whole = conditional.critical_values(p_value_of("mcnemar_midp"), 0.05, alternative, 0, 5000)
    for start, stop in ((0, 1), (1020, 1030), (1024, 2048), (7, 4999)):
        part = conditional.critical_values(p_value_of("mcnemar_midp"), 0.05, alternative, start, stop)
        assert (part.upper == whole.upper[start:stop]).all()
        assert (part.lower == whole.lower[start:stop]).all()


@pytest.mark.parametrize("method", METHODS)
def test_critical_values_of_large_totals_are_the_smallest_that_reject(method):
    p_value = get_scenario("paired").method(method).p_value.resolve()
    for alpha in (1e-12, 0.05, 0.7):
        m = np.arange(300_000, 300_010)
        upper = conditional.critical_values(p_value_of(method), alpha, "two-sided", 300_000, 300_010).upper
        assert (p_value(m - upper, upper) <= alpha).all()
        assert (p_value(m - upper + 1, upper - 1) > alpha).all()


def test_sizes_are_solved_by_the_units_that_a_method_reads():
    """A method that reads labelled cases alone gains nothing from more cases."""
    labelled = dataclasses.replace(
        get_scenario("judged").method("labels_only"), discordant=("labelled_n10", "labelled_n01")
    )
    scenario = type("Labelled", (type(get_scenario("judged")),), {"name": "labelled", "methods": (labelled,)})()
    asked = {"accuracy_a": 0.7, "difference": 0.05, "n_labels": 200, "method": "labels_only", "largest": 3000}
    assert simstudy.size(scenario, **asked).status.item() == "outside the range"
