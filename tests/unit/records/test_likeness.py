"""The shared difficulty that a discordance implies, against quadrature by another program."""

from __future__ import annotations

import math

import pytest
from scipy import integrate, optimize, stats

from simstudy.records.likeness import implied_difficulty


def test_implied_difficulty_by_quadrature() -> None:
    sd = implied_difficulty(0.7, 0.75, 0.3)

    def mean(function: object, logit: float, other: float) -> float:
        def integrand(d: float) -> float:
            a, b = 1 / (1 + math.exp(d - logit)), 1 / (1 + math.exp(d - other))
            value = a * (1 - b) + b * (1 - a) if function == "discordance" else a
            return value * float(stats.norm.pdf(d, scale=sd))

        return float(integrate.quad(integrand, -12 * sd, 12 * sd, epsabs=1e-11, limit=200)[0])

    logits = [optimize.brentq(lambda x, p=p: mean("accuracy", x, 0.0) - p, -10, 10, xtol=1e-10) for p in (0.7, 0.75)]
    assert mean("discordance", *logits) == pytest.approx(0.3, abs=1e-7)
    assert math.isnan(implied_difficulty(0.7, 0.75, 0.45))  # independent errors give .40
    assert math.isnan(implied_difficulty(1.0, 0.9, 0.1))
