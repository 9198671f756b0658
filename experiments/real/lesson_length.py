"""The length experiment: slope of the score per doubling of words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from experiments.real.lesson_values import Value
from experiments.real.page import number
from experiments.real.reading import Row

COLUMNS = ("gamma", "case", "version", "words", "score")
GAMMAS = ("0.0", "0.6", "-0.4")
NOISE_SD = 0.5
LIMITS = np.array([1.5, 2.5, 3.5, 4.5])
SCORES = np.arange(1, 6)
RESAMPLES = 20_000
SEED = 20240502
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lengths:
    """Words and scores: (cases, versions)."""

    words: Floats
    scores: Floats


def read_lengths(rows: Sequence[Row], gamma: str) -> Lengths:
    """Return the versions of every case, at one gamma."""
    cases: dict[str, list[Row]] = {}
    for row in rows:
        if row["gamma"] == gamma:
            cases.setdefault(row["case"], []).append(row)
    words, scores = (np.array([[float(row[name]) for row in case] for case in cases.values()]) for name in COLUMNS[3:])
    return Lengths(words, scores)


def slope_values(rows: Sequence[Row]) -> list[Value]:
    """Return slopes and limits: as published one least-squares line through all scores, cases resampled as a set."""
    values = []
    for gamma in GAMMAS:
        lengths = read_lengths(rows, gamma)
        ones = np.ones(len(lengths.words))
        mean, sd = expected_slope(lengths.words, float(gamma))
        row = f"gamma={gamma}"
        values.append(Value("verbosity_slope", row, "slope", float(slopes(lengths, ones)), mean, sd))
        drawn = np.random.Generator(np.random.Philox(SEED)).multinomial(
            len(ones), np.full(len(ones), 1 / len(ones)), size=RESAMPLES
        )
        as_set, right = (limits(slopes(lengths, often)) for often in (np.minimum(drawn, 1), drawn))
        for name, wrong, aim in zip(("ci_lower", "ci_upper"), as_set, right, strict=True):
            verdict = f"mistake: cases drawn as a set; with multiplicity {number(aim, 3)}"
            values.append(Value("verbosity_slope", row, name, wrong, verdict=verdict))
    return values


def slopes(lengths: Lengths, often: NDArray[np.int64] | Floats) -> Floats:
    """Return the least-squares slope on log2 words for every row of case weights."""
    x, y = np.log2(lengths.words), lengths.scores
    sums = (np.ones_like(x), x, y, x * x, x * y)
    n, sx, sy, sxx, sxy = (often @ part.sum(axis=1) for part in sums)
    return np.asarray((n * sxy - sx * sy) / (n * sxx - sx * sx))


def limits(drawn: Floats) -> tuple[float, float]:
    """Return the percentile limits of resampled slopes."""
    low, high = np.quantile(drawn, [0.025, 0.975], method="inverted_cdf")
    return float(low), float(high)


def expected_slope(words: Floats, gamma: float) -> tuple[float, float]:
    """Return mean and standard deviation of the slope, for right answers with independent noise."""
    # A score is 4 + gamma·log2(words/10) with normal noise, rounded and cut to 1 to 5. The slope weighs the scores with
    # fixed weights, so that its moments follow from theirs.
    centre = 4 + gamma * np.log2(words / 10)
    below = special.ndtr((LIMITS - centre[..., None]) / NOISE_SD)
    chances = np.diff(below, axis=-1, prepend=0.0, append=1.0)
    mean = chances @ SCORES
    variance = chances @ SCORES**2 - mean**2
    x = np.log2(words) - np.log2(words).mean()
    weights = x / (x * x).sum()
    return float((weights * mean).sum()), math.sqrt(float((weights**2 * variance).sum()))
