"""Exact solving: on curves by hand, where the answer is known, and against looking at every size."""

import math

import numpy as np
import pytest
from scipy import stats

import simstudy
from simstudy.solve.exact import SCAN, solve_effect, solve_size
from simstudy.solve.search import (
    LOST_AGAIN,
    MISSED,
    NOT_REACHED,
    NULL_REACHES,
    READS_FEWER,
)
from tests.oracle import paired_slow
from tests.unit.solve.by_hand import ByHand, target

PHI = stats.norm.cdf
# the bracket in which an effect counts as found
PRECISION = 2e-9


@pytest.mark.parametrize("end", [1.0, -1.0])
def test_the_effect_is_where_the_curve_meets_the_target(end):
    found = solve_effect(ByHand(lambda x: PHI(5 * abs(x) - 1.96), target("0.8")), 0.0, end)
    expected = math.copysign((stats.norm.ppf(0.8) + 1.96) / 5, end)
    assert found.answer == pytest.approx(expected, abs=PRECISION)
    assert (found.low, found.high, found.status, found.lost_again) == (found.answer, found.answer, "found", False)


@pytest.mark.parametrize("top", [0.5, 0.507, 0.986])
def test_a_peak_between_the_places_of_a_grid_is_found(top):
    width = 0.6 / (SCAN - 1)
    peak = ByHand(lambda x: 0.9 * math.exp(-(((x - top) / width) ** 2)), target("0.8"))
    found = solve_effect(peak, 0.0, 1.0)
    assert found.lost_again
    assert found.answer == pytest.approx(top - width * math.sqrt(math.log(0.9 / 0.8)), abs=1e-8)


def test_no_effect_and_the_null_itself_are_told_apart():
    low = solve_effect(ByHand(lambda x: 0.7 * x, target("0.8")), 0.0, 1.0)
    assert (low.status, low.reason) == ("unreachable", NOT_REACHED)
    high = solve_effect(ByHand(lambda x: 0.81 + 0.1 * x, target("0.8")), 0.0, 1.0)
    assert (high.status, high.reason) == ("outside the range", NULL_REACHES)
    # at the null no direction is right: beside it power_right has the target already
    beside = ByHand(lambda x: 0.81 if x > 0 else math.nan, target("power_right=0.8"))
    assert solve_effect(beside, 0.0, 1.0).reason == NULL_REACHES


def teeth(n, phase):
    """A power curve with teeth, as exact tests have them."""
    return PHI(0.25 * math.sqrt(n) - 1.96 + 0.15 * math.sin(n * 1.7 + phase))


@pytest.mark.parametrize("phase", range(8))
def test_sizes_of_saw_toothed_curves_are_those_of_every_size(phase):
    found = solve_size(ByHand(lambda n: teeth(n, phase), target("0.8")), 1, 10**6)
    reached = np.array([teeth(n, phase) >= 0.8 for n in range(1, 2000)])
    assert found.answer == np.flatnonzero(~reached).max() + 2
    assert found.first == np.argmax(reached) + 1
    assert found.checked_from <= found.first <= found.answer <= found.checked_to


def test_a_search_begins_anew_beyond_sizes_that_do_not_last():
    """From 40 on but for 60 to 130, which the bracket steps over at 64 and 128: every size around 40 is looked at."""
    found = solve_size(ByHand(lambda n: float(n >= 40 and not 65 <= n <= 127), target("0.8")), 1, 10**6)
    assert (found.answer, found.status) == (128, "found")


def test_a_width_that_rises_first_is_met_where_it_has_fallen():
    def width(n):
        return 0.0 if n == 1 else 2 / math.sqrt(n)

    found = solve_size(ByHand(width, target("width=0.2")), 1, 10**6)
    assert (found.answer, found.first) == (100, 100)


def test_sizes_that_do_not_exist_have_their_reasons():
    never = solve_size(ByHand(lambda n: 0.1, target("0.8")), 3, 500)
    assert (never.status, never.reason) == ("outside the range", MISSED)
    assert (never.searched_from, never.searched_to) == (3.0, 500.0)
    ever = solve_size(ByHand(lambda n: 0.96 if n % 7 else 0.94, target("coverage=0.95")), 1, 3000)
    assert (ever.status, ever.reason) == ("outside the range", LOST_AGAIN)
    few = solve_size(ByHand(lambda n: 0.1, target("0.8"), most_read=50), 1, 500)
    assert few.reason == READS_FEWER


def test_costly_curves_are_looked_at_less():
    cheap, costly = (ByHand(lambda n: PHI(0.25 * math.sqrt(n) - 1.96), target("0.8"), cost=c) for c in (1e-6, 0.1))
    assert solve_size(cheap, 1, 10**6).answer == solve_size(costly, 1, 10**6).answer == 126
    assert len(costly.looked) < len(cheap.looked) / 2


EVERY_SIZE = [
    pytest.param(0.02, 0.12, 200, id="quick"),
    pytest.param(0.01, 0.05, 450, id="one-sided discordance"),
    pytest.param(0.1, 0.17, 700, id="much discordance"),
]


@pytest.mark.parametrize("midp", [False, True])
@pytest.mark.parametrize(("p10", "p01", "largest"), EVERY_SIZE)
def test_size_is_what_looking_at_every_size_finds(midp, p10, p01, largest):
    def reached(n):
        return paired_slow.mcnemar_power(n, p10, p01, midp=midp) >= 0.8

    found = simstudy.size(
        "paired",
        accuracy_a=0.5,
        difference=p01 - p10,
        discordance=p10 + p01,
        method="mcnemar_midp" if midp else "mcnemar_exact",
    )
    first, settled = paired_slow.smallest_sizes(reached, largest)
    assert found["answer"].item() == settled
    assert found["first"].item() == first
    assert found["checked_to"].item() >= settled
    assert found["status"].item() == "found"


def exact_curve(scenario, sizes, measure, **parameters):
    """The measure at every size, each as a power question of its own."""
    size = {"paired": "n_cases", "independent": "n_per_system", "proportion": "n_cases"}[scenario]
    result = simstudy.power_curve(scenario, engine="exact", **{size: list(sizes)}, **parameters)
    return result[measure].isel({"method": 0}).values


@pytest.mark.parametrize("win_rate", [0.7, 0.8, 0.9])
def test_first_and_last_differ_where_the_curve_is_saw_toothed(win_rate):
    """With every case discordant the test is a sign test, the most saw-toothed of all."""
    effect = {"accuracy_a": 1 - win_rate, "difference": 2 * win_rate - 1, "discordance": 1}
    found = simstudy.size("paired", alternative="greater", method="mcnemar_exact", **effect)
    power = exact_curve("paired", range(1, 301), "power", alternative="greater", method="mcnemar_exact", **effect)
    reached = power >= 0.8
    assert found["first"].item() == np.argmax(reached) + 1
    assert found["answer"].item() == np.flatnonzero(~reached).max() + 2


@pytest.mark.parametrize(
    ("scenario", "method", "target", "measure", "parameters"),
    [
        ("proportion", "wilson", "half_width=0.08", "interval_width", {"accuracy": 0.7}),
        ("proportion", "clopper_pearson", "width=0.3", "interval_width", {"accuracy": 0.1}),
        ("proportion", "wald", "coverage=0.94", "coverage", {"accuracy": 0.4}),
        ("independent", "z_pooled", "power=0.7", "power", {"accuracy_a": 0.5, "difference": 0.35}),
        ("independent", "fisher_exact", "power=0.7", "power", {"accuracy_a": 0.5, "difference": 0.35}),
        ("paired", "paired_z", "power_right=0.75", "power_right", {"accuracy_a": 0.5, "difference": 0.2}),
        ("paired", "bonett_price", "half_width=0.25", "interval_width", {"accuracy_a": 0.5, "difference": 0.1}),
    ],
)
def test_sizes_of_other_scenarios_and_targets(scenario, method, target, measure, parameters):
    found = simstudy.size(scenario, method=method, target=target, **parameters)
    name, value = target.split("=")
    curve = exact_curve(scenario, range(1, int(found["checked_to"].item()) + 1), measure, method=method, **parameters)
    curve = curve * (0.5 if name == "half_width" else 1)
    reached = curve <= float(value) if "width" in name else curve >= float(value)
    lost = np.flatnonzero(~reached)
    assert found["answer"].item() == (lost.max() + 2 if len(lost) else 1)
    first_checked = int(found["checked_from"].item())
    assert found["first"].item() == np.argmax(reached[first_checked - 1 :]) + first_checked
    assert found["engine"].item() == "exact"


def wald_half_width(n: int, p: float) -> float:
    x = np.arange(n + 1)
    half = 1.959963984540054 * np.sqrt(x / n * (1 - x / n) / n)
    width = np.minimum(1, x / n + half) - np.maximum(0, x / n - half)
    return float(stats.binom.pmf(x, n, p) @ width) / 2


@pytest.mark.parametrize(("accuracy", "half_width"), [(0.99, 0.01), (0.995, 0.005)])
def test_walds_width_rises_before_it_falls(accuracy, half_width):
    """The width is nil at n = 1; every size up to three times the answer is looked at here, by SciPy."""
    answer = simstudy.size("proportion", accuracy=accuracy, target=f"half_width={half_width}", method="wald")
    n = int(answer["answer"][0])
    assert wald_half_width(n - 1, accuracy) > half_width
    assert all(wald_half_width(k, accuracy) <= half_width for k in range(n, 3 * n))


def test_coverage_that_oscillates_has_no_size():
    asked = {"target": "coverage=0.95", "method": ["wilson", "clopper_pearson"], "largest": 1500}
    found = simstudy.size("proportion", accuracy=[0.01, 0.7], **asked)
    assert found["status"].sel({"method": "wilson"}).values.tolist() == ["outside the range"] * 2
    assert found["answer"].sel({"method": "clopper_pearson"}).values.tolist() == [1, 1]


@pytest.mark.parametrize("method", ["mcnemar_exact", "mcnemar_midp", "paired_z", "newcombe", "bootstrap_percentile"])
@pytest.mark.parametrize("sign", ["positive", "negative"])
def test_the_mde_has_the_target_power(method, sign):
    found = simstudy.mde("paired", n_cases=30, accuracy_a=0.6, difficulty_sd=1, method=method, sign=sign)
    effect = found["answer"].item()
    assert (effect > 0) == (sign == "positive")
    power = simstudy.power_curve(
        "paired", n_cases=30, accuracy_a=0.6, difficulty_sd=1, method=method, difference=effect, engine="exact"
    )
    # the effect to 1e-9, and power rises by up to ten for one
    assert power["power"].item() == pytest.approx(0.8, abs=1e-7)
    assert found["low"].item() == found["high"].item() == effect
    assert found["replications"].item() == 0


def test_every_size_is_looked_at_as_far_as_losses_reach():
    """Every size within .15·100 + 40 = 55 of the crossing at 100, and as many beyond an end that tells nothing."""
    above = solve_size(ByHand(lambda n: float(n >= 100 and n != 135), target("0.8")), 1, 10**6)
    assert (above.first, above.answer, above.checked_from, above.checked_to) == (100, 136, 45, 210)
    below = solve_size(ByHand(lambda n: float(n >= 100 or 40 <= n <= 50), target("0.8")), 1, 10**6)
    assert (below.first, below.answer, below.checked_from, below.checked_to) == (40, 100, 1, 155)
