"""Planning by the correlation of the outcomes: figures of an independent program, and a twin that sums otherwise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import simstudy
from simstudy.scenarios import get_scenario
from simstudy.scenarios.paired import phi_range

DIGITS_4 = 0.5e-4
TESTS = ["mcnemar_midp", "mcnemar_exact"]


def cells(a: float, b: float, phi: float) -> tuple[float, float]:
    """Return p10 and p01 from the covariance of the outcomes."""
    both = a * b + phi * math.sqrt(a * (1 - a) * b * (1 - b))
    return a - both, b - both


def powers(n: int, a: float, b: float, phi: float) -> list[float]:
    """Return the power of both tests, over the discordant total and B's share of it."""
    p10, p01 = cells(a, b, phi)
    total = np.arange(n + 1)[:, None]
    wins = np.arange(n + 1)[None, :]
    weight = stats.binom.pmf(total, n, p10 + p01) * stats.binom.pmf(wins, total, p01 / (p10 + p01))
    fewer = np.minimum(wins, total - wins)
    exact = np.minimum(2 * stats.binom.cdf(fewer, total, 0.5), 1)
    here = stats.binom.pmf(fewer, total, 0.5)
    midp = np.where(2 * wins == total, 1 - 0.5 * here, exact - here)
    inside = wins <= total
    return [float(np.nansum(weight * inside * (p <= 0.05 + 1e-12))) for p in (midp, exact)]


CASES = [
    # a, b, phi, its range, discordance, (p10, p01), n of mid-p and of exact
    (0.75, 0.85, 0.6, (-0.2425, 0.7276), 0.1395, (0.0197, 0.1197), [99, 113]),
    (0.70, 0.75, 0.4, (-0.3780, 0.8819), 0.2413, None, [752, 788]),
]


@pytest.mark.parametrize(("a", "b", "phi", "limits", "discordance", "single", "n"), CASES)
def test_cells_and_sizes(a, b, phi, limits, discordance, single, n) -> None:
    asked = {"accuracy_a": a, "difference": b - a, "correlation": phi}
    point = get_scenario("paired").point({"n_cases": 10, **asked})
    assert phi_range(a, b) == pytest.approx(limits, abs=DIGITS_4)
    assert point.truth["phi"] == pytest.approx(phi, abs=1e-12)
    assert point.truth["discordance"] == pytest.approx(discordance, abs=DIGITS_4)
    assert point.laws[0][1][:2] == pytest.approx(cells(a, b, phi), abs=1e-15)
    if single:
        assert point.laws[0][1][:2] == pytest.approx(single, abs=DIGITS_4)
    found = simstudy.size("paired", method=TESTS, **asked)
    assert found["answer"].values.tolist() == n
    for index, size in enumerate(n):
        assert powers(size - 1, a, b, phi)[index] < 0.8 <= powers(size, a, b, phi)[index]


def test_power_at_99_cases() -> None:
    found = simstudy.power_curve(
        "paired", n_cases=99, accuracy_a=0.75, difference=0.1, correlation=0.6, method=TESTS, engine="exact"
    )["power"].values
    assert found == pytest.approx([0.8032, 0.7304], abs=DIGITS_4)
    assert found == pytest.approx(powers(99, 0.75, 0.85, 0.6), abs=1e-11)
