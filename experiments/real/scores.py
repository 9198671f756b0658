"""Three scores of the same responses by one judge: how far it agrees with itself, and how score and length go together.

Responses of four systems to the same questions, scored 1 to 5 by GPT-4 (Kim et al., 2024, "Prometheus: inducing
fine-grained evaluation capability in language models", arXiv:2310.08491). Responses to one question are alike, so every
interval treats the question as the unit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from experiments.real.page import COLOURS, MARKERS, Page, between, number, section, sheet
from experiments.real.reading import Row, read_rows
from simstudy import stats
from simstudy.errors import RecordsError
from simstudy.stats.length import length_table, pooled_slope
from simstudy.stats.slope_tests import slope_t_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FILES = {
    "MT-Bench questions": "data/scores/mt_bench_eval_gpt4_3scores.csv",
    "Vicuna questions": "data/scores/vicuna_eval_gpt4_3scores.csv",
}
RUNS = ("s1", "s2", "s3")
PAIRS = tuple(combinations(range(len(RUNS)), 2))
CATEGORIES = (1, 2, 3, 4, 5)
RESAMPLES = 2000
SEED = 20240501
Floats = NDArray[np.float64]
Estimate = tuple[float, float, float]


@dataclass(frozen=True)
class Scores:
    """Scores of the responses to some questions.

    Attributes
    ----------
    values : ndarray of int, shape (responses, runs)
    question, system : ndarray of int, shape (responses,)
        Numbers from 0 upward.
    words : ndarray of float, shape (responses,)
        Words of each response.
    """

    values: NDArray[np.int64]
    question: NDArray[np.intp]
    system: NDArray[np.intp]
    words: Floats

    def per_question(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sum whole numbers, one per response, over each question."""
        return np.bincount(self.question, weights=numbers).astype(np.int64)

    def resamples(self) -> NDArray[np.int64]:
        """Draw how often each question comes in each resample: (resamples, questions), multiplicities and all."""
        questions = int(self.question.max()) + 1
        generator = np.random.Generator(np.random.Philox(SEED))
        return generator.multinomial(questions, np.full(questions, 1 / questions), size=RESAMPLES)


def read_scores(path: Path) -> Scores:
    """Return the scores of a file; a response with fewer than three is refused, since none of them has."""
    rows = read_rows(path, ("idx", "response_source", "response_words", *RUNS))
    incomplete = sum(any(not row[run] for run in RUNS) for row in rows)
    if incomplete:
        raise RecordsError(f"{path} has {incomplete} responses with fewer than {len(RUNS)} scores; leave them out.")
    values = np.array([[int(row[run]) for run in RUNS] for row in rows], np.int64)
    return Scores(values, _codes(rows, "idx"), _codes(rows, "response_source"), _words(rows))


def _codes(rows: Sequence[Row], column: str) -> NDArray[np.intp]:
    return np.unique([row[column] for row in rows], return_inverse=True)[1]


def _words(rows: Sequence[Row]) -> Floats:
    return np.array([float(row["response_words"]) for row in rows])


# ---- shares and variances: t over the means of the questions


def share(scores: Scores, numbers: NDArray[np.int64], of: int = 1) -> Estimate:
    """Return the share of whole numbers, one per response, in `of`, with its cluster t interval, cut to [0, 1]."""
    sums, sizes = scores.per_question(numbers), of * np.bincount(scores.question)
    low, high = stats.cluster_interval(sums, sizes)
    return float(sums.sum() / sizes.sum()), max(float(low), 0.0), min(float(high), 1.0)


def agreement(scores: Scores, pairs: Sequence[tuple[int, int]] = PAIRS) -> Estimate:
    """Return how often two runs give the same score."""
    same = sum((scores.values[:, a] == scores.values[:, b]).astype(np.int64) for a, b in pairs)
    return share(scores, np.asarray(same), len(pairs))


def spread(scores: Scores, least: int) -> Estimate:
    """Return the share of responses whose scores span at least so many points."""
    return share(scores, (np.ptp(scores.values, axis=1) >= least).astype(np.int64))


def within_sd(scores: Scores) -> Estimate:
    """Return the standard deviation of the scores of one response: root of the mean variance, and of its limits."""
    runs = len(RUNS)
    # runs·Σs² − (Σs)² is whole: the variance times runs·(runs − 1). It is taken as a share of the largest possible
    # variance, that of scores at both ends of the scale.
    scaled = runs * (scores.values**2).sum(axis=1) - scores.values.sum(axis=1) ** 2
    largest = (CATEGORIES[-1] - CATEGORIES[0]) ** 2 * (runs // 2) * (runs - runs // 2)
    variances = np.array(share(scores, scaled, largest)) * largest / (runs * (runs - 1))
    estimate, low, high = np.sqrt(variances)
    return float(estimate), float(low), float(high)


# ---- kappa and alpha: questions resampled, percentile limits


def kappa(scores: Scores, weights: str) -> Estimate:
    """Return the mean weighted kappa of two runs."""
    tables = _tables(scores)
    estimate = stats.cohen_kappa(tables.sum(axis=0), weights).mean()
    drawn = np.tensordot(scores.resamples(), tables, axes=1)
    return (float(estimate), *_percentiles(stats.cohen_kappa(drawn, weights).mean(axis=-1)))


def _tables(scores: Scores) -> NDArray[np.int64]:
    """Count scores by question and pair of runs: (questions, pairs, 5, 5)."""
    questions = range(int(scores.question.max()) + 1)
    return np.array(
        [
            [stats.agreement_table(own[:, a], own[:, b], CATEGORIES) for a, b in PAIRS]
            for own in (scores.values[scores.question == q] for q in questions)
        ]
    )


def alpha(scores: Scores) -> Estimate:
    """Return Krippendorff's alpha for scores as numbers."""
    estimate = stats.krippendorff_alpha(scores.values, "interval")
    drawn = [
        stats.krippendorff_alpha(np.repeat(scores.values, often[scores.question], axis=0), "interval")
        for often in scores.resamples()
    ]
    return (float(estimate), *_percentiles(np.array(drawn)))


def _percentiles(drawn: Floats) -> tuple[float, float]:
    low, high = np.quantile(drawn, [0.025, 0.975], method="inverted_cdf")
    return float(low), float(high)


# ---- length


def slope(scores: Scores, within_system: bool) -> Estimate:
    """Return the slope of the mean score per doubling of words within questions, with its cluster t interval."""
    # Within systems too, words and scores are taken against the mean of their system. Every system answers every
    # question, so that this is the regression with an intercept for each of both.
    words, score = scores.words, scores.values.mean(axis=1)
    if within_system:
        words, score = np.exp2(_centred(np.log2(words), scores.system)), _centred(score, scores.system)
    fit = pooled_slope(*length_table(scores.question, words, score))
    low, high = slope_t_interval(*fit)
    return float(fit.estimate), float(low), float(high)


def _centred(values: Floats, group: NDArray[np.intp]) -> Floats:
    return values - (np.bincount(group, weights=values) / np.bincount(group))[group]


# ---- the page

STATISTICS: dict[str, tuple[Callable[[Scores], Estimate], str]] = {
    **{f"same score in runs {a + 1} and {b + 1}": (partial(agreement, pairs=[(a, b)]), "t") for a, b in PAIRS},
    "same score in two runs": (agreement, "t"),
    "kappa of two runs, linear weights": (partial(kappa, weights="linear"), "bootstrap"),
    "kappa of two runs, quadratic weights": (partial(kappa, weights="quadratic"), "bootstrap"),
    "Krippendorff's alpha, interval": (alpha, "bootstrap"),
    "responses with any disagreement": (partial(spread, least=1), "t"),
    "responses two points apart or more": (partial(spread, least=2), "t"),
    "sd of the scores of a response, points": (within_sd, "t"),
    "points per doubling of words, within question": (partial(slope, within_system=False), "t"),
    "points per doubling, within question and system": (partial(slope, within_system=True), "t"),
}


def page(data: Path) -> Page:
    """Return table and picture."""
    files = {name: read_scores(data / path) for name, path in FILES.items()}
    estimates = {
        name: {words: function(scores) for words, (function, _) in STATISTICS.items()} for name, scores in files.items()
    }
    heads = [f"{name} ({len(scores.values)} responses)" for name, scores in files.items()]
    rows = [
        (words, kind, *(_cell(estimates[name][words]) for name in files)) for words, (_, kind) in STATISTICS.items()
    ]
    intro = (
        "Each response was scored three times; no score is missing. Intervals have level 95% and take the question as "
        f"the unit: cluster t, or percentiles of {RESAMPLES} resamples of the questions with multiplicity (seed "
        f"{SEED}). The slopes are no effect of length on the judge: nobody lengthened these responses, and a longer "
        "one may be better."
    )
    text = section("Three scores of the same responses", intro, ("statistic", "interval"), heads, rows)
    return Page(text.replace("##", "#", 1), lambda: picture(files))


def _cell(estimate: Estimate) -> str:
    value, low, high = estimate
    return f"{number(value, 3)} {between(low, high)}"


# ---- the picture


def picture(files: dict[str, Scores]) -> Figure:
    """Draw what a second run says by the first score, and the scores by length."""
    figure = sheet(7.2, 3.6)
    again, length = figure.subplots(1, 2)
    for index, (name, scores) in enumerate(files.items()):
        _draw_again(again, scores, name, index)
        _draw_length(length, scores, index)
    again.set(xlabel="score in one run", ylabel="share of other runs with the same score", ylim=(0, 1))
    again.set_xticks(CATEGORIES)
    length.set(xlabel="words of the response", ylabel="mean of its three scores", xscale="log", ylim=(0.9, 5.1))
    length.set_xticks((5, 20, 80, 320), ("5", "20", "80", "320"))
    length.set_xticks((), minor=True)
    figure.legend(*again.get_legend_handles_labels(), loc="outside lower center", ncols=len(files), frameon=False)
    figure.suptitle("A judge that scores the same responses three times", fontsize=9.5)
    return figure


def _draw_again(axes: Axes, scores: Scores, name: str, index: int) -> None:
    tables = _tables(scores).sum(axis=(0, 1))
    both_ways = tables + tables.T
    shares = np.diag(both_ways) / both_ways.sum(axis=1)
    axes.plot(CATEGORIES, shares, marker=MARKERS[index], color=COLOURS[index], label=name)
    axes.grid(color="#e6e6e6", linewidth=0.5)


def _draw_length(axes: Axes, scores: Scores, index: int) -> None:
    axes.plot(
        scores.words,
        scores.values.mean(axis=1),
        linestyle="none",
        marker=MARKERS[index],
        markersize=2.5,
        color=COLOURS[index],
        alpha=0.45,
    )
    axes.grid(color="#e6e6e6", linewidth=0.5)
