"""Where a target is reached for good, on curves by hand."""

from __future__ import annotations

import pytest

from simstudy.solve.bracket import Bracket, Trust, bracket
from tests.unit.solve.by_hand import target

POWER, HALF_WIDTH, COVERAGE = (Trust.in_target(target(text)) for text in ("0.8", "half_width=0.1", "coverage=0.95"))


def cheap(n):
    return False


def test_coverages_are_looked_at_most_closely_and_farthest():
    assert POWER.growth > HALF_WIDTH.growth
    assert POWER.step > HALF_WIDTH.step > COVERAGE.step > 1
    assert POWER.reach < HALF_WIDTH.reach < COVERAGE.reach
    assert POWER.at_end
    assert (HALF_WIDTH.at_end, COVERAGE.at_end) == (False, False)


@pytest.mark.parametrize("trust", [POWER, HALF_WIDTH, COVERAGE])
@pytest.mark.parametrize("first", [1, 2, 3, 57, 1000])
def test_a_rise_lies_between_two_sizes(trust, first):
    found = bracket(lambda n: n >= first, 1, 10**6, trust, cheap)
    assert found.lost < first <= found.reached
    assert found.confirmed >= trust.reach * max(found.lost, trust.least)
    # where the first size reaches it, none is known not to
    assert (found.lost == 0) == (first == 1)


def test_a_bracket_begins_anew_where_the_target_is_lost():
    """Reached at 1 to 3 and from 90 on: only the second stretch is believed."""
    found = bracket(lambda n: n <= 3 or n >= 90, 1, 10_000, HALF_WIDTH, cheap)
    assert found.lost < 90 <= found.reached
    assert found.confirmed >= 16 * found.lost


def test_a_few_small_sizes_are_not_believed_before_many_were_seen():
    """Met to 30, lost to 399, met from 400 on: 16 times the last loss, 0, says nothing, 16 times 64 does."""
    found = bracket(lambda n: n <= 30 or n >= 400, 1, 10_000, HALF_WIDTH, cheap)
    assert found == Bracket(lost=366, reached=457, confirmed=found.confirmed)
    assert found.confirmed >= 16 * 366


def test_the_end_of_the_range_is_enough_for_power_alone():
    assert bracket(lambda n: n >= 90, 1, 100, POWER, cheap).reached == 100
    assert bracket(lambda n: n >= 90, 1, 100, HALF_WIDTH, cheap) is None
    # far beyond the last loss it is enough for the others too
    assert bracket(lambda n: n >= 30, 1, 100, HALF_WIDTH, cheap).confirmed == 100
    assert bracket(lambda n: n > 100, 1, 100, POWER, cheap) is None


def test_where_sizes_cost_much_twice_the_last_loss_is_enough():
    found = bracket(lambda n: n >= 90, 1, 10**6, COVERAGE, lambda n: n > 150)
    assert found.lost < 90 <= found.reached
    assert 2 * found.lost <= found.confirmed < 200


@pytest.mark.parametrize("relapses", [0, 3, 7])
def test_a_bracket_gives_up_where_the_target_is_lost_too_often(relapses):
    looked = []

    def reaches(n: int) -> bool:
        looked.append(n)
        return len(looked) % 2 == 1

    assert bracket(reaches, 1, 10**9, COVERAGE, cheap, relapses) is None
    # each relapse takes two sizes
    assert len(looked) == 2 * relapses + 2


@pytest.mark.parametrize("trust", [POWER, HALF_WIDTH, COVERAGE])
def test_no_size_is_looked_at_twice_and_none_outside_the_range(trust):
    looked = []
    assert bracket(lambda n: bool(looked.append(n)), 3, 500, trust, cheap) is None
    assert looked == sorted(set(looked))
    assert (looked[0], looked[-1]) == (3, 500)
