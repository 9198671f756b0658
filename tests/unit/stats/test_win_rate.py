"""Win rates and the adoption rule against fractions, SciPy's binomial test, hand arithmetic and their corners."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats as scipy_stats

from simstudy.errors import ParameterError, UnknownNameError
from simstudy.stats import win_rate as rule
from tests.oracle import stats_proportions
from tests.oracle import win_rate_slow as slow

# the incomplete beta function is good to some 1e-14
SPECIAL = 1e-13
# bisection of a double goes on to the last bit; the sums it bisects carry some 1e-14
BISECTED = 1e-12
WINS, LOSSES = (grid.ravel() for grid in np.meshgrid(np.arange(18), np.arange(18)))
MOST = 700
NEEDED = np.array(slow.critical_counts(MOST))
ALTERNATIVES = ("greater", "less", "two-sided")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_p_values_are_those_of_fractions(alternative):
    expected = [float(slow.p_value(w, k, alternative)) for w, k in zip(WINS.tolist(), LOSSES.tolist(), strict=True)]
    found = rule.win_rate_exact_p(WINS, LOSSES, alternative)
    np.testing.assert_allclose(found, expected, rtol=SPECIAL, atol=0)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("wins", "losses"), [(82, 68), (165, 135), (0, 40), (40, 0), (5200, 4900)])
def test_p_values_are_those_of_scipy(wins, losses, alternative):
    expected = scipy_stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
    assert rule.win_rate_exact_p(wins, losses, alternative) == pytest.approx(expected, rel=1e-10)


def test_the_test_is_one_sided_unless_told():
    assert rule.win_rate_exact_p(5, 0) == pytest.approx(1 / 32, rel=SPECIAL)
    assert rule.win_rate_exact_p(0, 5) == 1.0


def test_without_a_decisive_pair_the_test_is_defined_and_the_rate_is_not():
    for alternative in ALTERNATIVES:
        assert rule.win_rate_exact_p(0, 0, alternative) == 1.0
    assert rule.adoption_p(0, 0, 0.0) == 1.0
    assert np.isnan(rule.decisive_win_rate(0, 0))
    assert np.isnan(rule.win_rate_interval(0, 0)).all()
    assert not rule.win_rate_reached(0, 0, 0.0)
    assert np.isnan(rule.wins_needed_by_test(0))
    assert np.isnan(rule.wins_needed_by_rate(0))
    assert np.isnan(rule.decisive_share(0, 0, 0))
    assert rule.decisive_share(0, 0, 4) == 0.0


def test_rates_by_hand():
    np.testing.assert_array_equal(rule.decisive_win_rate([3, 0, 7], [1, 5, 0]), [0.75, 0.0, 1.0])
    np.testing.assert_array_equal(rule.decisive_share([3, 0], [1, 5], 10), [0.4, 0.5])


@pytest.mark.parametrize("level", [0.8, 0.9, 0.99])
def test_limits_agree_with_bisection(level):
    some = WINS + LOSSES > 0
    counts = zip(WINS[some].tolist(), LOSSES[some].tolist(), strict=True)
    expected = [stats_proportions.clopper_pearson(w, w + k, level) for w, k in counts]
    found = np.array(rule.win_rate_interval(WINS[some], LOSSES[some], level)).T
    np.testing.assert_allclose(found, expected, rtol=0, atol=BISECTED)


def test_the_rate_is_compared_in_whole_pairs():
    """Every m at which a two-digit bound can be met exactly, where a rounded product may lie above its count."""
    for hundredths in range(101):
        m = np.arange(1, 61) * 100 // math.gcd(100, hundredths)
        wins = m * hundredths // 100
        assert rule.win_rate_reached(wins, m - wins, hundredths / 100).all()
        np.testing.assert_array_equal(rule.wins_needed_by_rate(m, hundredths / 100), wins)
        below = wins[wins > 0] - 1
        assert not rule.win_rate_reached(below, m[wins > 0] - below, hundredths / 100).any()


def test_a_bound_with_a_rounding_error_is_the_bound():
    assert 0.1 + 0.2 > 0.3
    assert rule.win_rate_reached(3, 7, 0.1 + 0.2)
    assert rule.wins_needed_by_rate(10, 0.1 + 0.2) == 3
    assert rule.wins_needed_by_rate(10, 0.0) == 0


@pytest.mark.parametrize(("alpha", "fewest"), [(0.05, 5), (0.025, 6), (0.5, 1), (0.25, 2), (1 / 32, 5)])
def test_wins_needed_by_the_test_are_those_of_whole_numbers(alpha, fewest):
    """Levels that are powers of ½ are met exactly."""
    expected = np.array(slow.critical_counts(130, str(alpha)))
    m = np.arange(131)
    found = rule.wins_needed_by_test(m, alpha)
    np.testing.assert_array_equal(found, np.where(expected <= m, expected, np.nan))
    assert np.flatnonzero(~np.isnan(found))[0] == fewest


def test_the_bound_is_implied_up_to_301_decisive_pairs_and_never_from_321_on():
    m = np.arange(MOST + 1)
    np.testing.assert_array_equal(rule.wins_needed_by_test(m[5:]), NEEDED[5:])
    by_rate = [slow_needed(int(k)) for k in m[1:]]
    np.testing.assert_array_equal(rule.wins_needed_by_rate(m[1:]), by_rate)
    binds = m[5:][by_rate[4:] > NEEDED[5:]]
    assert binds[0] == 302
    implied = sorted(set(range(302, MOST + 1)) - set(binds.tolist()))
    assert implied == [303, 305, 307, 309, 312, 314, 316, 318, 320]
    # beyond, by Hoeffding (1963): P(X ≥ m/2 + e) ≤ .05 at e = √(m·log(20)/2), so that less than .55·m wins reject
    # where e + 1 < .05·m; √m grows more slowly than m
    assert math.sqrt(MOST * math.log(20) / 2) + 1 < 0.05 * MOST


def slow_needed(m):
    """The smallest whole number that is no less than .55·m, which its neighbour below is."""
    needed = math.ceil(Fraction(55, 100) * m)
    assert slow.reaches(needed, m - needed)
    assert not slow.reaches(needed - 1, m - needed + 1)
    return needed


@pytest.mark.parametrize(
    ("wins", "losses", "blocked"),
    [(165, 135, ()), (166, 136, ("rate",)), (167, 135, ()), (60, 40, ()), (58, 42, ("test",)), (530, 470, ("rate",))],
)
def test_adoption_names_what_blocked(wins, losses, blocked):
    found = rule.adopt(wins, losses)
    assert (found.blocked_by, found.adopt) == (blocked, not blocked)
    assert (found.test_rejects, found.rate_reached) == (slow.rejects(wins, losses), slow.reaches(wins, losses))
    assert found.p_value == pytest.approx(float(slow.p_value(wins, losses)), rel=SPECIAL)
    assert found.win_rate == wins / (wins + losses)
    assert (found.needed_by_test, found.needed_by_rate) == (NEEDED_AT[wins + losses], slow_needed(wins + losses))
    assert (found.low >= 0.5) == found.test_rejects
    assert (found.wins, found.losses, found.alpha, found.min_win_rate) == (wins, losses, 0.05, 0.55)


NEEDED_AT = {100: 59, 300: 165, 302: 166, 1000: 527}


def test_adoption_of_nothing_and_of_little():
    nothing = rule.adopt(0, 0)
    assert (nothing.adopt, nothing.p_value, nothing.blocked_by) == (False, 1.0, ("test", "rate"))
    assert np.isnan([nothing.win_rate, nothing.low, nothing.high]).all()
    assert nothing.needed_by_test is nothing.needed_by_rate is None
    four = rule.adopt(4, 0)
    assert (four.blocked_by, four.needed_by_test, four.needed_by_rate) == (("test",), None, 3)
    assert rule.adopt(5, 0).adopt
    assert rule.adopt(wins=2, losses=3).blocked_by == ("test", "rate")


def test_the_rule_can_be_changed():
    assert rule.adopt(58, 42, alpha=0.1).adopt
    assert rule.adopt(530, 470, min_win_rate=0.53).adopt
    assert rule.adopt(530, 470, min_win_rate=0.0).blocked_by == ()
    assert rule.adopt(60, 40, min_win_rate=0.61).blocked_by == ("rate",)
    loose = rule.adopt(3, 2, alpha=0.6)
    assert loose.adopt
    assert np.isnan([loose.low, loose.high]).all()


def test_the_p_value_of_the_rule_is_at_most_alpha_where_it_adopts():
    pairs = list(zip(WINS.tolist(), LOSSES.tolist(), strict=True))
    rejected = [slow.rejects(*pair) for pair in pairs]
    for bound in ("0.55", "0.7"):
        found = rule.adoption_p(WINS, LOSSES, float(bound)) <= 0.05
        reached = [slow.reaches(*pair, bound) for pair in pairs]
        assert found.tolist() == [both == (True, True) for both in zip(rejected, reached, strict=True)]
        assert found.tolist() == [rule.adopt(*pair, min_win_rate=float(bound)).adopt for pair in pairs]
    assert rule.adoption_p(0, 40, alternative="less") == 1.0


def test_shapes_broadcast():
    assert rule.decisive_win_rate([[1], [2]], [1, 2, 3]).shape == (2, 3)
    assert rule.win_rate_reached([[1], [2]], [1, 2, 3], 0.5).shape == (2, 3)
    assert rule.win_rate_reached(6, 4, [0.5, 0.6, 0.7]).tolist() == [True, True, False]
    assert rule.adoption_p([9, 9], 0, [[0.5], [1.0]]).shape == (2, 2)
    assert rule.wins_needed_by_rate([10, 20], [[0.5], [0.55]]).tolist() == [[5, 10], [6, 11]]
    assert isinstance(rule.win_rate_reached(1, 1), np.bool_)
    assert isinstance(rule.wins_needed_by_test(9), np.float64)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rule.decisive_win_rate(-1, 2), "wins must not be negative"),
        (lambda: rule.win_rate_exact_p(1.5, 2), "wins must hold whole numbers"),
        (lambda: rule.win_rate_interval(1, [1, math.nan]), "losses must hold whole numbers"),
        (lambda: rule.decisive_win_rate([1, 2], [1, 2, 3]), "do not broadcast"),
        (lambda: rule.decisive_share(3, 3, 5), r"wins \+ losses must not exceed trials"),
        (lambda: rule.win_rate_reached(3, 3, 55), "min_win_rate must lie between 0 and 1; it holds 55"),
        (lambda: rule.win_rate_interval(1, 1, 95), "confidence level is 95"),
        (lambda: rule.wins_needed_by_test(10, 5), "alpha must lie strictly between 0 and 1; it holds 5"),
        (lambda: rule.adopt(3, 3, alpha=0.0), "alpha must lie strictly between"),
        (lambda: rule.adopt([3, 4], 3), r"wins has shape \(2,\); give one number"),
    ],
)
def test_impossible_arguments_are_refused(call, words):
    with pytest.raises(ParameterError, match=words):
        call()


def test_an_unknown_alternative_is_refused():
    with pytest.raises(UnknownNameError, match="greatr"):
        rule.win_rate_exact_p(1, 2, "greatr")


@pytest.mark.parametrize("decisive", [2**53 - 1, 2**53 + 2, 10**16 - 2, 10**16])
def test_the_search_for_the_wins_needed_ends_where_floats_lie_two_apart(decisive):
    needed = rule.wins_needed_by_test(decisive)
    # half of the pairs and 1.645 standard deviations; the last of them are not told apart
    assert needed == pytest.approx(decisive / 2 + 1.6449 * math.sqrt(decisive) / 2, abs=1e-3 * math.sqrt(decisive))


def test_at_alpha_one_half_there_is_no_level_of_the_limits():
    assert math.isnan(rule.adopt(5, 3, alpha=0.5).low)
    assert rule.adopt(5, 3, alpha=0.49).low < 5 / 8 < rule.adopt(5, 3, alpha=0.49).high
