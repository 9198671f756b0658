"""What follows at the points of whole scenarios."""

import pytest

from simstudy.scenarios import get_scenario


def test_a_point_holds_what_follows_from_its_values():
    paired = get_scenario("paired")
    point = paired.point({"n_cases": 36, "accuracy_a": 0.7, "difference": 0.1, "difficulty_sd": 0})
    assert (point.null, point.estimand) == (0.0, pytest.approx(0.1))
    ((n, probabilities),) = point.laws
    assert n == 36
    # only A, only B, both right: independent errors at accuracies .7 and .8
    by_class = dict(zip(paired.blocks[0].classes, probabilities, strict=True))
    assert [by_class[name] for name in ("n10", "n01", "n11")] == pytest.approx([0.14, 0.24, 0.56])
