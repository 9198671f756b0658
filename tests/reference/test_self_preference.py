"""Figures of scenario self_preference: an exact table, a published lesson, and its twin.

The table was computed exactly by an independent program; figures are compared to half a unit of their last digit.
"""

import numpy as np
import pytest

import simstudy
from tests.oracle import self_preference_slow as slow

DIGITS_4 = 0.5e-4
METHODS = ["judge_mcnemar_exact", "judge_mcnemar_midp", "gap_z", "gap_t", "sign_flip_exact"]
POWER = {
    (14, 0.0): [0.0046, 0.0164, 0.0433, 0.0362, 0.0029],
    (14, 0.5): [0.0112, 0.0320, 0.0698, 0.0570, 0.0072],
    (14, 1.0): [0.0441, 0.0958, 0.1608, 0.1268, 0.0283],
    (140, 0.0): [0.0343, 0.0481, 0.0521, 0.0494, 0.0345],
    (140, 0.5): [0.2952, 0.3446, 0.3534, 0.3445, 0.2931],
    (140, 1.0): [0.8724, 0.8982, 0.9003, 0.8958, 0.8689],
}
# sums over windows that leave out 1e-12 at most, and rounding of a Fourier transform
EXACT = 1e-10


def power(method, **values):
    return simstudy.power_curve("self_preference", method=method, engine="exact", **values)


def test_the_table():
    found = power(METHODS, n_pairs=[14, 140], bonus=[0, 0.5, 1])
    expected = np.array(list(POWER.values())).reshape(2, 3, 5)
    assert found["power"].values == pytest.approx(expected, abs=DIGITS_4)
    assert found["gap"].values[0] == pytest.approx([0, 0.0359, 0.0766], abs=DIGITS_4)


def test_the_exact_limits_cover_more_than_they_say_and_midp_about_as_much():
    found = power(METHODS[:2], n_pairs=140, bonus=[0, 0.5, 1])["coverage"].values
    assert found[:, 0] == pytest.approx([0.9657, 0.9660, 0.9642], abs=DIGITS_4)
    assert found[:, 1] == pytest.approx([0.9519, 0.9521, 0.9513], abs=DIGITS_4)


def test_orders_of_a_pair_that_hang_together():
    """judge_pair_sd 2 at bonus 0: levels of McNemar exceed .05, that of the t test does not; held to the twin below."""
    found = power([*METHODS[:2], "gap_t"], n_pairs=140, bonus=0, judge_pair_sd=2)["power"].values
    assert found == pytest.approx([0.0637, 0.0795, 0.0501], abs=DIGITS_4)


@pytest.mark.parametrize("n", [14, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "values",
    [{"bonus": 0.0, "judge_pair_sd": 2.0}, {"bonus": 0.7, "beta": 0.8, "tied": 0.2}],
)
def test_mcnemar_is_the_twins(values, n):
    law = slow.patterns(**values)
    found = power(METHODS[:2], n_pairs=n, **values)["power"].values
    assert found == pytest.approx([slow.mcnemar_power(n, law, midp) for midp in (False, True)], abs=EXACT)


@pytest.mark.parametrize(("n", "values"), [(9, {"bonus": 1.0, "tied": 0.4}), (14, {"bonus": 0.5})])
def test_gap_methods_are_the_twins(n, values):
    """Sizes of the gaps first and then their signs; p-values from the written-out gaps."""
    law = slow.magnitudes(n, slow.patterns(**values))
    found = power(METHODS[2:], n_pairs=n, **values)["power"].values
    tests = [
        lambda t, h, w: slow.t_test(some_gaps(n, t, h, w), True),
        lambda t, h, w: slow.t_test(some_gaps(n, t, h, w), False),
    ]
    expected = [sum(p for row, p in law.items() if test(*row) <= 0.05) for test in (*tests, slow.flip_p_value)]
    assert found == pytest.approx(expected, abs=EXACT)


def some_gaps(n, total2, halves, wholes):
    """Gaps of these sizes with this total."""
    for up in range(halves + 1):
        up2, odd = divmod(total2 + halves - 2 * up + 2 * wholes, 4)
        if not odd and 0 <= up2 <= wholes:
            signed = [0.5] * up + [-0.5] * (halves - up) + [1.0] * up2 + [-1.0] * (wholes - up2)
            return signed + [0.0] * (n - halves - wholes)
    raise AssertionError((total2, halves, wholes))


# gap and share detected, as a published lesson prints them; 400 replications are the fewest that give all six shares
LESSON = {
    (14, 0.0): (0.001, 0.005),
    (140, 0.0): (-0.001, 0.045),
    (14, 0.5): (0.020, 0.025),
    (140, 0.5): (0.020, 0.245),
    (14, 1.0): (0.047, 0.077),
    (140, 1.0): (0.047, 0.765),
}


def test_the_published_lesson_added_arrays_of_bool():
    """It adds two NumPy arrays of bool; the z test of that has the printed figures as exact values."""
    found = power("gap_or", n_pairs=[14, 140], bonus=[0, 0.5, 1])
    assert found["gap_or"].values[0] == pytest.approx([0, 0.0204, 0.0476], abs=DIGITS_4)
    assert found["estimate_mean"].values[..., 0] == pytest.approx(found["gap_or"].values, abs=EXACT)
    assert found["power"].values[1, 1:, 0] == pytest.approx([0.2395, 0.7604], abs=DIGITS_4)
    for i, n in enumerate((14, 140)):
        for j, bonus in enumerate((0.0, 0.5, 1.0)):
            gap, detected = LESSON[n, bonus]
            exact = found["power"].values[i, j, 0]
            # four standard errors and half a unit of the last digit
            assert abs(detected - exact) <= 4 * np.sqrt(exact * (1 - exact) / 400) + 0.5e-3
            error = found["empirical_se"].values[i, j, 0] / 20
            assert abs(gap - found["gap_or"].values[i, j]) <= 4 * error + 0.5e-3


def test_the_wrong_statistic_is_that_of_the_twin():
    """Every pattern through NumPy's own addition, one pair at a time, and SciPy's normal law."""
    law = slow.patterns(1.0)
    table = slow.sums(14, law, slow.either)
    rejected = [
        table[up, down]
        for up, down in np.ndindex(15, 15)
        if up + down <= 14 and slow.t_test([0.5] * up + [-0.5] * down + [0.0] * (14 - up - down), True) <= 0.05
    ]
    assert power("gap_or", n_pairs=14, bonus=1)["power"].item() == pytest.approx(sum(rejected), abs=EXACT)


def test_close_pairs_save_two_thirds():
    """Sizes for a bonus of 1, and the twin's power on either side of one of them."""
    found = simstudy.size("self_preference", bonus=1, tied=[0, 1], method="judge_mcnemar_midp")
    assert found["answer"].values[:, 0].tolist() == [108, 36]
    law = slow.patterns(1.0, tied=1.0)
    assert slow.mcnemar_power(35, law, midp=True) < 0.8 <= slow.mcnemar_power(36, law, midp=True)


def test_a_probe_of_five_pairs_is_blind():
    found = simstudy.mde("self_preference", n_pairs=[5, 7], method="judge_mcnemar_midp")
    assert found["status"].values[:, 0].tolist() == ["unreachable", "found"]
    assert found["answer"].values[1, 0] == pytest.approx(5.387, abs=0.5e-3)
    law = slow.patterns(20.0)
    assert slow.mcnemar_power(5, law, midp=True) < 0.8


@pytest.mark.parametrize(
    "bonus", [2.5, pytest.param(3.0, marks=pytest.mark.slow), pytest.param(6.0, marks=pytest.mark.slow), 15.0]
)
def test_large_effects_leave_possible_sums_alone(bonus):
    """Cells of rounding, which no gaps give, would be refused by the tests of the gap."""
    found = power(["gap_t", "sign_flip_exact"], n_pairs=140, bonus=bonus)
    assert found["power"].values == pytest.approx(1, abs=1e-6)
