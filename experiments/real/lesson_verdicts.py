"""Judges of single answers: agreement with the labels, and the accuracy they give each system."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from experiments.real.lesson_values import Key, Value
from experiments.real.reading import Row
from simstudy.stats.agreement import kappa
from simstudy.stats.verdicts import parse_verdict

COLUMNS = ("case", "system", "correct", "f1", "exact", "lcs_f1", "answer_words", "judge_strict", "judge_rule_f1")
VERDICTS = {
    "lazy": "judge_lazy",
    "strict": "judge_strict",
    "good": "judge_good",
    "rule-based": "judge_rule_f1",
    "mine": "correct",
}
SAME_ANSWER = ("case", "f1", "exact", "lcs_f1", "answer_words", "correct")
"""Two systems that agree in all of these gave the same answer: there are no texts to compare."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judge:
    """A judge that errs at random: false negatives, more of them on reworded right answers, false positives."""

    p_fn: float
    extra_fn: float
    p_fp: float


JUDGES = {"lazy": Judge(0, 0, 1), "strict": Judge(0.30, 0.30, 0.02), "good": Judge(0.08, 0.10, 0.05)}
REWORDED: dict[str, Callable[[Row], bool]] = {
    "F1 below .5": lambda row: float(row["f1"]) < 0.5,
    "not verbatim": lambda row: row["exact"] == "0",
}
"""What may count as a right answer in other words; the lesson's data do not say."""
TAKEN = "F1 below .5"


def acceptance(judge: str, row: Row, reworded: str = TAKEN) -> float:
    """Return the probability that a judge accepts an answer; 0 or 1 for the rule and for the labels themselves."""
    right = row["correct"] == "1"
    if judge == "rule-based":
        return float(float(row["f1"]) >= 0.5)
    if judge == "mine":
        return float(right)
    chances = JUDGES[judge]
    if not right:
        return chances.p_fp
    return 1 - chances.p_fn - chances.extra_fn * REWORDED[reworded](row)


# ---- agreement with the labels


def kappa_values(rows: Sequence[Row], reworded: str = TAKEN) -> list[Value]:
    """Return agreement, kappa, errors and the share said correct of every judge."""
    values = []
    for judge, column in VERDICTS.items():
        counted = Counter((row["correct"], row[column]) for row in rows)
        missed, passed = counted["1", "0"], counted["0", "1"]
        right = sum(row["correct"] == "1" for row in rows)
        seen = figures_of(np.array(missed), np.array(passed), right, len(rows) - right)
        expected = expected_figures(rows, judge, reworded)
        values += [Value("kappa", judge, name, float(seen[name]), *expected[name]) for name in seen]
    return values


def figures_of(missed: Floats, passed: Floats, right: int, wrong: int) -> dict[str, Floats]:
    """Return the figures of a judge that misses right answers and passes wrong ones."""
    n = right + wrong
    return {
        "agreement": (n - missed - passed) / n,
        "kappa": kappa(right - missed, missed, passed, wrong - passed),
        "FN": missed,
        "FP": passed,
        "says_correct": (right - missed + passed) / n,
    }


def expected_figures(rows: Sequence[Row], judge: str, reworded: str) -> dict[str, tuple[float, float]]:
    """Return mean and standard deviation of every figure, over the joint law of both kinds of error."""
    # Systems that gave the same answer to a case share its verdict, as they do in the data.
    copies = Counter(tuple(row[column] for column in SAME_ANSWER) for row in rows)
    answers = {tuple(row[column] for column in SAME_ANSWER): row for row in rows}
    errors: dict[str, list[tuple[int, float]]] = {"1": [], "0": []}
    for key, row in answers.items():
        accepted = acceptance(judge, row, reworded)
        errors[row["correct"]].append((copies[key], 1 - accepted if row["correct"] == "1" else accepted))
    missed, passed = error_law(errors["1"]), error_law(errors["0"])
    chances = np.outer(missed, passed)
    possible = np.nonzero(chances)
    false_negatives, false_positives = (axis.astype(np.float64) for axis in possible)
    figures = figures_of(false_negatives, false_positives, len(missed) - 1, len(passed) - 1)
    return {name: mean_and_sd(figure, chances[possible]) for name, figure in figures.items()}


def error_law(errors: Iterable[tuple[int, float]]) -> Floats:
    """Return the law of a number of errors, from copies and probability of each distinct answer."""
    law = np.ones(1)
    for copies, chance in errors:
        law = np.convolve(law, [1 - chance, *np.zeros(copies - 1), chance])
    return law


def mean_and_sd(values: Floats, chances: Floats) -> tuple[float, float]:
    """Return mean and standard deviation of a discrete law; a constant has exactly 0."""
    mean = float(values @ chances)
    return mean, math.sqrt(float((values - mean) ** 2 @ chances)) if len(values) > 1 else 0.0


# ---- the accuracy that a judge gives each system


def attributed_values(rows: Sequence[Row]) -> list[Value]:
    """Return the share of its answers that each judge accepts, by system."""
    values = []
    for judge, column in VERDICTS.items():
        for system in ("A", "A2", "C"):
            own = [row for row in rows if row["system"] == system]
            chances = np.array([acceptance(judge, row) for row in own])
            seen = sum(row[column] == "1" for row in own) / len(own)
            spread = math.sqrt(float(chances @ (1 - chances))) / len(own)
            values.append(Value("attributed_accuracy", judge, system, seen, float(chances.mean()), spread))
    return values


# ---- replies, and the exercise on kappa


def parser_values(printed: Mapping[Key, str]) -> list[Value]:
    """Return the verdict that a reply is, where it is one and nothing else."""
    values = []
    for table, reply, figure in printed:
        if table == "parser":
            verdict = parse_verdict(reply)
            known = math.nan if verdict is None else float(verdict)
            wrong = "" if verdict is not None else "mistake: unreadable, not a verdict; count it apart"
            values.append(Value(table, reply, figure, expected=known, verdict=wrong))
    return values


def kappa_exercise() -> dict[str, Fraction]:
    """Return agreement, chance agreement and kappa of 60 right and 20 wrong answers judged right, 20 amiss; and of a
    judge that accepts 75 right and 25 wrong answers."""
    figures: dict[str, Fraction] = {}
    for judge, (tp, fn, fp, tn) in {"judge1": (60, 15, 5, 20), "judge2": (75, 0, 25, 0)}.items():
        n = tp + fn + fp + tn
        observed = Fraction(tp + tn, n)
        chance = Fraction((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn), n * n)
        figures |= {f"{judge}_po": observed, f"{judge}_pe": chance}
        figures[f"{judge}_kappa"] = (observed - chance) / (1 - chance)
    return figures
