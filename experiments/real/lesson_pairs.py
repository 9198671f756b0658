"""Judges of pairs: position and self-preference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.real.lesson_values import ABILITY, Value, truth
from experiments.real.page import number
from experiments.real.reading import Row
from simstudy import power_curve
from simstudy.stats.pairwise import first_position_share, flip_rate, verdict_counts, win_rates

COLUMNS = ("case", "judge", "first", "second", "verdict", "correct_first", "correct_second")
BETAS = {"neutral": 0.0, "primacy": 1.2, "recency": -1.2}
"""Of the lesson's judges: 1.2 is in its table of flip rates; the data bear out the signs."""
FLIP_BETAS = ("0.0", "0.5", "1.2", "2.0")
STUDIES = 400
"""Replications behind each printed share of detections: every one is a multiple of 1/400, rounded."""
BONUSES = (0.0, 0.5, 1.0)
SIZES = (14, 140)


# ---- position


def pair_values(answers: Sequence[Row]) -> list[Value]:
    """Return how the truth divides the pairs of A and C."""
    right = {(row["system"], row["case"]): row["correct"] == "1" for row in answers}
    cases = sorted({case for _, case in right})
    a_better = sum(right["A", case] > right["C", case] for case in cases)
    c_better = sum(right["A", case] < right["C", case] for case in cases)
    decided = a_better + c_better
    figures = {
        "different_truth": decided,
        "of": len(cases),
        "A_better": a_better,
        "C_better": c_better,
        "A_win_true": a_better / decided,
    }
    return [Value("position_pairs", "", name, float(value)) for name, value in figures.items()]


def position_values(rows: Sequence[Row]) -> list[Value]:
    """Return flips, first-position verdicts and win rates of every judge."""
    values = []
    for judge, beta in BETAS.items():
        ab = {row["case"]: row for row in rows if row["judge"] == judge and row["first"] == "A"}
        ba = {row["case"]: row for row in rows if row["judge"] == judge and row["first"] == "C"}
        counts = verdict_counts([ab[case]["verdict"] for case in ab], [ba[case]["verdict"] for case in ab])
        truths = np.array([1 if row["correct_first"] == "1" else -1 for row in ab.values()])
        n, seen = len(ab), position_figures(counts)
        scale = {"flipped": n, "first_position": 2 * n}
        expected = expected_position(truths, beta)
        values += [
            Value("position", judge, name, share * scale.get(name, 1), *expected[name]) for name, share in seen.items()
        ]
    return values


def position_figures(counts: NDArray[np.int64]) -> dict[str, float]:
    """Return the table's figures as shares."""
    one_order, _, averaged = win_rates(counts)
    return {
        "flipped": float(flip_rate(counts)),
        "first_position": float(first_position_share(counts)),
        "A_win_AB_only": float(one_order),
        "A_win_averaged": float(averaged),
    }


def expected_position(truths: NDArray[np.int64], beta: float) -> dict[str, tuple[float, float]]:
    """Return mean and standard deviation of every figure, the truth of the pairs being fixed."""
    n = len(truths)
    known = truth("position", n_pairs=n, beta=beta, ability=ABILITY, x_better=float((truths > 0).mean()))
    first_ab = 1 / (1 + np.exp(-(ABILITY * truths + beta)))
    first_ba = 1 / (1 + np.exp(-(-ABILITY * truths + beta)))
    flips = first_ab * first_ba + (1 - first_ab) * (1 - first_ba)
    one_order, other_order = first_ab @ (1 - first_ab), first_ba @ (1 - first_ba)
    return {
        "flipped": (n * known["flip_rate"], math.sqrt(flips @ (1 - flips))),
        "first_position": (2 * n * known["first_position_share"], math.sqrt(one_order + other_order)),
        "A_win_AB_only": (known["win_rate_one_order"], math.sqrt(one_order) / n),
        "A_win_averaged": (known["win_rate_both"], math.sqrt(one_order + other_order) / (2 * n)),
    }


def flip_values() -> list[Value]:
    """Return the flip rates of the closed form."""
    return [
        Value(
            "flip_rate_closed_form",
            f"beta={beta}",
            "rate",
            expected=truth("position", n_pairs=1, beta=float(beta), ability=ABILITY)["flip_rate"],
        )
        for beta in FLIP_BETAS
    ]


def position_exercise() -> dict[str, Fraction]:
    """Return the figures of 6 pairs judged (A, B), 2 judged (B, A) and 4 judged (A, A)."""
    shares = position_figures(verdict_counts(["A"] * 6 + ["B"] * 2 + ["A"] * 4, ["B"] * 6 + ["A"] * 6))
    exact = [Fraction(share).limit_denominator(24) for share in shares.values()]
    names = ("flip_rate", "first_position_share", "win_X_AB_only", "win_X_averaged")
    return {**dict(zip(names, exact, strict=True)), "gap": exact[2] - exact[3]}


# ---- self-preference


def preference_values(right: Sequence[Mapping[str, Any]]) -> tuple[list[Value], dict[tuple[str, str, str], str]]:
    """Return gaps and detections as published and corrected, and the corrected ones as text."""
    # As published, two arrays of bool were added, a logical OR: method `gap_or` of the scenario, beside `gap_z`.
    exact = power_curve(
        "self_preference",
        n_pairs=list(SIZES),
        bonus=list(BONUSES),
        ability=ABILITY,
        method=["gap_or", "gap_z"],
        engine="exact",
    )
    values, printed = [], {}
    for entry in right:
        point = exact.sel(n_pairs=entry["n_pairs"], bonus=entry["bonus"])
        row = f"bonus={entry['bonus']},n={entry['n_pairs']}"
        known = {method: _preference(point.sel({"method": method})) for method in ("gap_or", "gap_z")}
        for name in ("mean_gap", "detected"):
            wrong, spread = known["gap_or"][name]
            aim = known["gap_z"][name]
            z = (entry["lesson"][name] - wrong) / spread
            verdict = f"mistake, a logical OR: exact {number(wrong, 4)}, z = {number(z, 1)}"
            values.append(Value("self_preference", row, name, math.nan, *aim, simulated=True, verdict=verdict))
            corrected = Value("self_preference, corrected", row, name, math.nan, *aim, simulated=True)
            values.append(corrected)
            printed[corrected.key] = f"{entry['corrected_same_seeds'][name]:.3f}"
        closed = Value("self_preference, corrected", row, "closed_form_gap", expected=known["gap_z"]["mean_gap"][0])
        values.append(closed)
        printed[closed.key] = f"{entry['closed_form_gap']:.4f}"
    return values, printed


def _preference(point: Any) -> dict[str, tuple[float, float]]:
    """Return the exact mean gap and power, each with the Monte Carlo standard error of so many studies."""
    power = float(point["power"])
    return {
        "mean_gap": (float(point["estimate_mean"]), float(point["empirical_se"]) / math.sqrt(STUDIES)),
        "detected": (power, math.sqrt(power * (1 - power) / STUDIES)),
    }
