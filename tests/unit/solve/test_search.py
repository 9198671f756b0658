"""What searches share, on curves by hand: why there is no answer, and where a target is reached for good."""

from __future__ import annotations

import math

import pytest

import simstudy
from simstudy.options import make_options
from simstudy.scenarios import get_scenario
from simstudy.scenarios.agreement import accuracy_of
from simstudy.solve.curve import Curve
from simstudy.solve.search import (
    AT_NULL,
    FALLS,
    FALSE_ALARM,
    LOST_AGAIN,
    MISLED,
    MISSED,
    NO_SUCH_EFFECT,
    NOT_REACHED,
    NULL_REACHES,
    OFF_TARGET,
    READS_FEWER,
    WRONG_SIDE,
    Bracket,
    Trust,
    bracket,
    hopeless,
    no_size,
    nothing,
)
from simstudy.study.target import parse_target
from tests.unit.solve.by_hand import ByHand, target

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


def test_at_twice_the_last_loss_a_costly_search_ends():
    trust = Trust(growth=2.0, step=1.4, reach=16.0, least=1, at_end=False)
    assert bracket(lambda n: n >= 100, 1, 10**6, trust, lambda n: True) == Bracket(64, 128, 128)


def test_the_end_of_the_range_has_to_lie_beyond_twice_the_last_loss():
    """Lost at 50 alone: 100 is twice that and no more, 101 is more."""
    assert bracket(lambda n: n > 50, 50, 100, HALF_WIDTH, cheap) is None
    assert bracket(lambda n: n > 50, 50, 101, HALF_WIDTH, cheap) == Bracket(50, 62, 101)


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


PAIRED = get_scenario("paired")


def a_curve(difference, method="mcnemar_midp", text="0.8", **options):
    values = {"accuracy_a": 0.6, "difference": difference, "difficulty_sd": 1.0, "margin": 0.1}
    wanted = parse_target(text, PAIRED)
    return Curve(PAIRED, values, "n_cases", PAIRED.method(method), make_options(**options), wanted, dict)


@pytest.mark.parametrize(
    ("seen", "most_read", "reason"),
    [
        ({10: False, 20: False}, math.inf, MISSED),
        ({10: True, 20: False}, math.inf, LOST_AGAIN),
        ({10: True, 20: True}, math.inf, LOST_AGAIN),
        ({10: False, 100: False}, 50, READS_FEWER),
        # up to the largest size everything was read, or nearly
        ({10: False, 100: False}, 100, MISSED),
        ({10: False, 100: False}, 99, MISSED),
    ],
)
def test_sizes_that_were_looked_at_say_why_none_was_found(seen, most_read, reason):
    assert no_size(ByHand(lambda n: 0.1, target("0.8"), most_read=most_read), seen) == reason


def test_a_method_that_reads_as_many_units_as_the_size_reads_all():
    class Fixed(ByHand):
        def units_read(self, x):
            return 200

    curve = Fixed(lambda n: 0.1, target("0.8"))
    assert no_size(curve, {200: False}) == MISSED
    assert no_size(curve, {201: False}) == READS_FEWER


def test_a_law_that_is_none_of_counts_says_nothing_of_what_is_read():
    class Whole(ByHand):
        def units_read(self, x):
            return None

    assert no_size(Whole(lambda n: 0.1, target("0.8")), {10: False}) == MISSED


@pytest.mark.parametrize(
    ("difference", "method", "alternative", "reason"),
    [
        (0.1, "mcnemar_midp", "two-sided", ""),
        (-0.1, "mcnemar_midp", "two-sided", ""),
        (0.0, "mcnemar_midp", "two-sided", AT_NULL),
        (0.1, "mcnemar_midp", "less", WRONG_SIDE),
        (-0.1, "mcnemar_midp", "less", ""),
        (-0.1, "mcnemar_midp", "greater", WRONG_SIDE),
        # a margin is beaten, or it is not
        (0.0, "noninferiority_tango", "two-sided", ""),
        (-0.1, "noninferiority_tango", "two-sided", AT_NULL),
        (-0.2, "noninferiority_tango", "two-sided", WRONG_SIDE),
        (0.2, "equivalence_tango", "two-sided", WRONG_SIDE),
    ],
)
def test_some_sizes_are_not_worth_a_search(difference, method, alternative, reason):
    assert hopeless(a_curve(difference, method, alternative=alternative), 10) == reason


def test_targets_that_are_reached_without_an_effect_are_searched_for():
    assert hopeless(a_curve(0.0, text="power=0.05"), 10) == ""
    assert hopeless(a_curve(0.0, text="power=0.6", alpha=0.7), 10) == ""
    assert hopeless(a_curve(0.0, "tango", "width=0.1"), 10) == ""
    assert hopeless(a_curve(0.0, text="power=0.5"), 10) == AT_NULL


@pytest.mark.parametrize(
    ("asked", "status", "reason"),
    [
        ({}, "misled", MISLED),
        ({"target": "power_right=0.8,power_wrong=0.01"}, "misled", MISLED),
        ({"target": "power_wrong=0.01", "alpha": 0.2}, "misled", MISLED),
        # it is powerful, on the wrong side
        ({"target": "power=0.8"}, "found", MISLED),
        ({"difference": 0.0}, "misled", FALSE_ALARM),
        # a claim that the effect lies above, or below, its null
        ({"alternative": "greater", "target": "power=0.8"}, "misled", MISLED),
        ({"target": "coverage=0.9", "method": "tango", "engine": "counts", "replications": 500}, "misled", OFF_TARGET),
        pytest.param({"target": "width=0.2", "method": "tango"}, "found", "", marks=pytest.mark.slow),
        ({"reworded_b": 0.0}, "found", ""),
    ],
)
def test_a_judge_that_misses_reworded_answers_misleads(asked, status, reason):
    """B is better by .05, and the judge fails four in five of its right answers: more cases make the error surer."""
    given = {"accuracy_a": 0.9, "difference": 0.05, "reworded_b": 0.8, "method": "mcnemar_midp", "largest": 3000}
    found = simstudy.size("judged", **{**given, **asked})
    assert (found["status"].item(), found["reason"].item()) == (status, reason)


def test_a_side_bias_that_outweighs_strength_misleads_one_order():
    """B is stronger; a judge that always takes the second shown makes one order lose the more surely the larger."""
    found = simstudy.size("win_rate", strength=0.2, beta=3, method="one_order", largest=5000)
    assert (found["status"].item(), found["reason"].item()) == ("misled", FALLS)


@pytest.mark.parametrize(("last", "reason"), [(0.29, FALLS), (0.31, MISSED)])
def test_power_falls_where_it_ends_below_half_of_its_peak(last, reason):
    powers = {10: 0.4, 20: 0.6, 40: last}
    assert no_size(ByHand(powers.__getitem__, target("0.8")), dict.fromkeys(powers, False)) == reason


def test_an_estimator_that_might_be_biased_and_is_not_is_not_off_target():
    asked = {
        "accuracy_a": 0.9,
        "difference": 0.05,
        "reworded_b": 0.0,
        "p_fn": 0.0,
        "p_fp": 0.0,
        "method": "tango",
        "largest": 300,
    }
    found = simstudy.size("judged", target="coverage=0.99", engine="counts", replications=1000, **asked)
    assert (found["status"].item(), found["reason"].item()) == ("outside the range", MISSED)


def test_how_often_a_method_is_undefined_stands_beside_its_answer():
    """Without a disagreement in n labels kappa_wald is undefined: probability accuracy^n."""
    found = simstudy.size("agreement", kappa=0.9, prevalence=0.7, method="kappa_wald")
    n, accuracy = int(found["answer"].item()), accuracy_of(0.7, 0.9)
    assert found["undefined"].item() == pytest.approx(accuracy**n, rel=1e-3)
    few = simstudy.mde("agreement", n_labels=36, prevalence=0.7, method=["kappa_wald", "kappa_few"])
    assert few["undefined"].values[0] > 0.1
    assert few["undefined"].values[1] < 1e-4


def _reason(found):
    return found["reason"].item(), found["searched_from"].item(), found["searched_to"].item()


def test_missing_effects_say_why_and_what_was_searched():
    blind = simstudy.mde("paired", n_cases=5, accuracy_a=0.5, discordance=0.3, method="mcnemar_exact")
    assert _reason(blind) == (NOT_REACHED, 0.0, 0.3)
    assert blind["status"].item() == "unreachable"
    assert math.isnan(blind["answer"].item())
    easy = simstudy.mde("paired", n_cases=100, accuracy_a=0.6, method="mcnemar_midp", target=0.1, alpha=0.4)
    assert (_reason(easy)[0], easy["status"].item()) == (NULL_REACHES, "outside the range")
    below = {"n_cases": 1000, "accuracy_a": 0.2, "discordance": 0.5, "sign": "negative", "method": "mcnemar_midp"}
    assert _reason(simstudy.mde("paired", **below)) == (NO_SUCH_EFFECT, 0.0, pytest.approx(0.1))


def test_missing_sizes_say_why_and_what_was_searched():
    asked = {"accuracy_a": 0.7, "method": "mcnemar_midp"}
    found = simstudy.size("paired", difference=0.05, largest=500, **asked)
    assert _reason(found) == (MISSED, 1, 500)
    assert found["status"].item() == "outside the range"
    assert math.isnan(found["answer"].item())
    assert math.isnan(found["first"].item())
    assert _reason(simstudy.size("paired", difference=0, **asked))[0] == AT_NULL
    lossy = simstudy.size("paired", difference=0.05, largest=500, unusable=0.5, **asked)
    assert _reason(lossy) == (MISSED, 2, 500)
    judge = simstudy.size("agreement", prevalence=0.5, kappa=0.5, method="kappa_adjusted")
    assert _reason(judge)[0] == WRONG_SIDE
    labels = {"accuracy_a": 0.7, "difference": 0.05, "n_labels": 200, "method": "labels_only", "largest": 3000}
    assert _reason(simstudy.size("judged", **labels))[0] == READS_FEWER
    wilson = simstudy.size("proportion", accuracy=0.7, target="coverage=0.95", method="wilson", largest=1000)
    assert _reason(wilson) == (LOST_AGAIN, 1, 1000)
    assert simstudy.size("paired", difference=0.2, **asked)["reason"].item() == ""


@pytest.mark.parametrize(
    ("reason", "status"),
    [(NOT_REACHED, "unreachable"), (NO_SUCH_EFFECT, "unreachable"), (NULL_REACHES, "outside the range")],
)
def test_no_answer_is_no_number(reason, status):
    none = nothing(reason, "counts", 500)
    assert (none.status, none.reason, none.engine, none.replications) == (status, reason, "counts", 500)
    assert all(
        math.isnan(x) for x in (none.answer, none.low, none.high, none.first, none.checked_from, none.checked_to)
    )
