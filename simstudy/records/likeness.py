"""How alike two systems are, in the terms of scenario paired."""

from __future__ import annotations

import math


def implied_difficulty(accuracy_a: float, accuracy_b: float, discordance: float) -> float:
    """Return the shared difficulty, in logits, of a discordance; NaN where none gives it, or an accuracy is 0 or 1."""
    from simstudy.scenarios.random_effects import difficulty_from_discordance

    inside = 0 < accuracy_a < 1 and 0 < accuracy_b < 1
    return difficulty_from_discordance(accuracy_a, accuracy_b, discordance) if inside else math.nan
