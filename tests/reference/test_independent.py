"""Arms of unequal size and margins: figures of an independent program, to half a unit of their last digit."""

from __future__ import annotations

import math

import pytest

import simstudy
from simstudy import stats
from tests.oracle import independent_slow as slow

DIGITS_4 = 0.5e-4
TESTS = ["z_pooled", "z_unpooled", "fisher_exact", "newcombe_independent"]
MARGINS = [f"{claim}_{test}" for test in ("farrington_manning", "wald") for claim in ("noninferiority", "equivalence")]


def powers(method: list[str], **asked: float) -> list[float]:
    found: list[float] = simstudy.power_curve("independent", method=method, engine="exact", **asked)["power"].values
    return list(found)


def test_twice_as_many_cases_of_b() -> None:
    expected = [0.8148, 0.7972, 0.7973, 0.8148]
    assert powers(TESTS, n_per_system=150, ratio=2, accuracy_a=0.7, difference=0.12) == pytest.approx(
        expected, abs=DIGITS_4
    )


def test_equal_accuracies_within_a_margin() -> None:
    asked = {"n_per_system": 200, "accuracy_a": 0.85, "margin": 0.1, "alpha": 0.025}
    assert powers(MARGINS, difference=0.0, **asked) == pytest.approx([0.7913, 0.5826, 0.8028, 0.6056], abs=DIGITS_4)
    at_the_margin = powers(["noninferiority_farrington_manning", "noninferiority_wald"], difference=-0.1, **asked)
    assert at_the_margin == pytest.approx([0.0250, 0.0262], abs=DIGITS_4)


def test_a_margin_with_arms_of_unequal_size() -> None:
    asked = {"n_per_system": 90, "ratio": 2, "accuracy_a": 0.8, "difference": -0.02, "margin": 0.15, "alpha": 0.025}
    assert powers(MARGINS, **asked) == pytest.approx([0.7480, 0.6180, 0.7155, 0.6044], abs=DIGITS_4)


SIZES = [
    # p_a, p_b, alpha, ratio, margin, cases of A
    (0.70, 0.82, 0.05, 2.0, 0.0, 144.55),
    (0.85, 0.85, 0.025, 1.0, 0.1, 206.9),
    (0.80, 0.78, 0.025, 2.0, 0.15, 104.04),
]


@pytest.mark.parametrize(("p_a", "p_b", "alpha", "ratio", "margin", "n"), SIZES)
def test_sizes_in_closed_form(p_a: float, p_b: float, alpha: float, ratio: float, margin: float, n: float) -> None:
    unrounded = slow.size(p_a, p_b, alpha, 0.8, ratio, margin)
    assert unrounded == pytest.approx(n, abs=0.05 if n == 206.9 else 0.005)
    if margin:
        found = stats.n_noninferiority(p_a, p_b, margin, alpha=alpha, ratio=ratio)
    else:
        found = stats.n_two_proportions(p_a, p_b, alpha=alpha, ratio=ratio)
    assert found == math.ceil(unrounded)


def test_closed_forms_over_many_ratios() -> None:
    """The sizes of the package are those of the twin, rounded up; a correction at ratio 1 is the published one."""
    for ratio in (0.25, 0.5, 1.0, 3.0, 10.0):
        assert stats.n_two_proportions(0.6, 0.75, ratio=ratio) == math.ceil(slow.size(0.6, 0.75, 0.05, 0.8, ratio))
        n = stats.n_noninferiority(0.9, 0.88, 0.06, ratio=ratio)
        assert n == math.ceil(slow.size(0.9, 0.88, 0.05, 0.8, ratio, 0.06))
    assert stats.n_noninferiority(0.9, 0.8, 0.1) == math.inf
    assert stats.n_two_proportions(0.7, 0.75, corrected=True, ratio=1) == 1291
    # Fleiss, Tytun & Ury: n/4·(1 + √(1 + 2(r + 1)/(n·r·|d|)))²
    n = slow.size(0.7, 0.75, 0.05, 0.8, 2.0)
    corrected = n / 4 * (1 + math.sqrt(1 + 2 * 3 / (n * 2 * 0.05))) ** 2
    assert stats.n_two_proportions(0.7, 0.75, corrected=True, ratio=2) == math.ceil(corrected)
