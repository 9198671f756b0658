"""Rates of verdict pairs by hand arithmetic, with the swap written out."""

from fractions import Fraction

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError
from simstudy.stats.pairwise import VERDICT_PAIRS

AB, BA, AA = ("A", "B"), ("B", "A"), ("A", "A")
EXAMPLE = [AB] * 6 + [BA] * 2 + [AA] * 4


def counted(pairs):
    return stats.verdict_counts(*zip(*pairs, strict=True))


def test_the_example_by_hand():
    """Twelve pairs: 6 stand by X, 2 by Y, 4 say the same letter twice."""
    verdicts = counted(EXAMPLE)
    assert verdicts.tolist() == [4, 6, 0, 2, 0, 0, 0, 0, 0]
    assert stats.flip_rate(verdicts) == float(Fraction(4, 12))
    assert stats.verdict_disagreement(verdicts) == float(Fraction(4, 12))
    # A in pass AB: 6 + 4; in pass BA: 2 + 4
    assert stats.first_position_share(verdicts) == float(Fraction(16, 24))
    pass_ab, pass_ba, both = stats.win_rates(verdicts)
    assert (pass_ab, pass_ba) == (float(Fraction(10, 12)), float(Fraction(6, 12)))
    assert both == float(Fraction(2, 3))
    assert pass_ab - both == pytest.approx(float(Fraction(1, 6)), abs=1e-16)
    assert stats.contradictions(verdicts) == (4, 0)


def test_the_swap_written_out():
    """X wins in both passes: A where X is first, B where Y is first. Only then does the judge stand by its choice."""
    stands = stats.verdict_counts_of_winners(["X"], ["X"])
    assert VERDICT_PAIRS[int(np.argmax(stands))] == ("A", "B")
    assert stats.flip_rate(stands) == 0
    assert stats.win_rates(stands) == (1, 1, 1)
    flips = stats.verdict_counts_of_winners(["X"], ["Y"])
    assert VERDICT_PAIRS[int(np.argmax(flips))] == ("A", "A")
    assert stats.flip_rate(flips) == 1
    assert stats.win_rates(flips) == (1, 0, 0.5)


def test_letters_and_winners_say_the_same():
    swap = {"A": ("X", "Y"), "B": ("Y", "X"), "tie": ("tie", "tie")}
    pairs = [*EXAMPLE, ("tie", "B"), ("B", "tie"), ("tie", "tie"), ("B", "B"), ("A", "tie"), ("tie", "A")]
    winners = [(swap[first][0], swap[second][1]) for first, second in pairs]
    np.testing.assert_array_equal(stats.verdict_counts_of_winners(*zip(*winners, strict=True)), counted(pairs))


def test_ties_by_hand():
    verdicts = counted([("A", "tie"), ("tie", "B"), ("tie", "tie"), ("tie", "A"), AA, AB])
    assert stats.flip_rate(verdicts) == pytest.approx(1 / 6)
    assert stats.verdict_disagreement(verdicts) == pytest.approx(4 / 6)
    # letters: A five times, B twice, five ties
    assert stats.first_position_share(verdicts) == pytest.approx(5 / 7)
    # X: 1 + ½ + ½ + ½ + 1 + 1 in pass AB, ½ + 1 + ½ + 0 + 0 + 1 in pass BA
    assert stats.win_rates(verdicts) == pytest.approx((4.5 / 6, 3 / 6, 7.5 / 12))
    assert stats.contradictions(verdicts) == (2, 1)


def test_leading_axes_are_tables_of_their_own():
    tables = np.random.default_rng(4).integers(0, 9, (3, 2, 9))
    for statistic in (stats.flip_rate, stats.verdict_disagreement, stats.first_position_share):
        expected = [[statistic(table) for table in row] for row in tables]
        np.testing.assert_array_equal(statistic(tables), expected)
    for statistic in (stats.win_rates, stats.contradictions):
        expected = np.moveaxis([[statistic(table) for table in row] for row in tables], -1, 0)
        np.testing.assert_array_equal(statistic(tables), expected)


def test_nothing_to_divide_by_is_nan():
    nothing, only_ties = np.zeros(9, int), [0] * 8 + [5]
    assert np.isnan([stats.flip_rate(nothing), stats.verdict_disagreement(nothing), *stats.win_rates(nothing)]).all()
    assert np.isnan(stats.first_position_share(only_ties))
    assert stats.flip_rate(only_ties) == stats.verdict_disagreement(only_ties) == 0
    assert stats.win_rates(only_ties) == (0.5, 0.5, 0.5)
    assert stats.verdict_counts([], []).tolist() == [0] * 9


def test_bad_input_is_one_message():
    with pytest.raises(ParameterError, match="pass_ba holds 'C'; it must hold A, B, tie alone"):
        stats.verdict_counts(["A"], ["C"])
    with pytest.raises(ParameterError, match="winners_ab holds 'A'; it must hold X, Y, tie alone"):
        stats.verdict_counts_of_winners(["A"], ["X"])
    with pytest.raises(ParameterError, match="The passes hold 2 and 1 verdicts"):
        stats.verdict_counts(["A", "B"], ["A"])
    for verdicts in (3, [1, 2, 3, 4]):
        with pytest.raises(ParameterError, match="its last axis must hold the nine verdict pairs"):
            stats.flip_rate(verdicts)
    with pytest.raises(ParameterError, match="must not be negative"):
        stats.flip_rate([-1] + [0] * 8)


@pytest.mark.parametrize("verdicts", [None, 5, ["A", None], ["A", ["B"]], ["A", 1]])
def test_verdicts_that_are_no_letters_are_refused(verdicts):
    with pytest.raises(ParameterError, match="pass_ab"):
        stats.verdict_counts(verdicts, ["A", "B"])
