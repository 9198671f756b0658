"""The judge tables of a published lesson, each figure recomputed and held against its exact expectation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.real import lesson_length, lesson_pairs, lesson_verdicts
from experiments.real.lesson_values import FOLDER, Key, Value, printed_figures
from experiments.real.page import COLOURS, Page, number, section, sheet
from experiments.real.reading import Row, read_json, read_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DRAWN = ("kappa", "attributed_accuracy", "position", "verbosity_slope", "self_preference", "self_preference, corrected")
"""Tables with random figures, in the order of the picture."""
LINKED = 1.96
Line = tuple[str, Value]


def page(data: Path) -> Page:
    """Return table and picture."""
    folder = data / FOLDER
    figures = read_json(folder / "figures.json")
    answers = read_rows(folder / "answers.csv", lesson_verdicts.COLUMNS)
    pairs = read_rows(folder / "pairs.csv", lesson_pairs.COLUMNS)
    scores = read_rows(folder / "scores.csv", lesson_length.COLUMNS)
    lines = lesson_lines(figures, answers, pairs, scores)
    rows = [(*value.key, printed, *_cells(value, printed), value.words(printed)) for printed, value in lines]
    rows += exercise_rows(figures["exercises"])
    heads = ("printed", "recomputed", "expected", "spread", "verdict")
    text = section(
        "Judge tables of a published lesson", _intro(lines, answers), ("table", "row", "figure"), heads, rows
    )
    return Page(text.replace("##", "#", 1), lambda: picture(lines))


def lesson_lines(
    figures: dict[str, Any], answers: Sequence[Row], pairs: Sequence[Row], scores: Sequence[Row]
) -> list[Line]:
    """Return every figure with its printed form."""
    printed = printed_figures(figures)
    preferences, corrected = lesson_pairs.preference_values(figures["self_preference_right_values"])
    values = [
        *lesson_verdicts.parser_values(printed),
        *lesson_verdicts.kappa_values(answers),
        *lesson_verdicts.attributed_values(answers),
        *lesson_pairs.pair_values(answers),
        *lesson_pairs.position_values(pairs),
        *lesson_pairs.flip_values(),
        *lesson_length.slope_values(scores),
        *sorted(preferences, key=lambda value: value.table),
    ]
    known: dict[Key, str] = {**printed, **corrected}
    return [(known[value.key], value) for value in values]


def exercise_rows(exercises: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Return the exercises on judges, in exact fractions."""
    known: dict[str, Fraction] = {**lesson_verdicts.kappa_exercise(), **lesson_pairs.position_exercise()}
    rows: list[tuple[str, ...]] = []
    for entry in exercises:
        if entry["name"] in known:
            exact = known[entry["name"]]
            verdict = "exact, reproduced" if exact == Fraction(entry["fraction"]) else "not reproduced"
            cells = (entry["fraction"], str(exact), str(exact), "0", verdict)
            rows.append((f"exercise {entry['exercise']}", "", entry["name"], *cells))
    return rows


def _cells(value: Value, printed: str) -> tuple[str, ...]:
    """Write recomputed, expected and spread: whole counts as such, constants without a spread."""
    share = "." in printed
    spread = number(value.spread, 4 if share else 2) if value.spread > 0 else "0"
    return (
        number(value.recomputed, 4 if share else 0),
        number(value.expected, 4 if share else 2 if value.spread > 0 else 0),
        "–" if math.isnan(value.expected) else spread,
    )


def _intro(lines: Sequence[Line], answers: Sequence[Row]) -> str:
    far = [abs(value.z(printed)) for printed, value in lines if value.spread > 0 and not value.verdict]
    other = lesson_verdicts.kappa_values(answers, "not verbatim")
    largest = max(abs(value.z("")) for value in other if value.spread > 0)
    return (
        "Recomputed is the figure from the lesson's data (– where they do not hold it), expected its exact mean under "
        "the lesson's model, spread its standard deviation from one seed to another; z is their distance in spreads. "
        f"The printed figures were drawn once; {sum(z > LINKED for z in far)} of {len(far)} random ones lie more than "
        f"{LINKED} spreads away, where one in twenty is expected (they are not independent). Self-preference was "
        f"simulated {lesson_pairs.STUDIES} times: every printed share is a multiple of 1/{lesson_pairs.STUDIES}. Which "
        "right answers its judges take for reworded the data do not say: here those with F1 below .5; were it all that "
        f"are not verbatim, the largest |z| of the table kappa would be {largest:.1f}."
    )


# ---- the picture


def picture(lines: Sequence[Line]) -> Figure:
    """Draw how far every random figure lies from what it should be, in its own standard deviations."""
    figure = sheet(7.2, 4.2)
    axes = figure.subplots()
    axes.axvspan(-LINKED, LINKED, color="#eeeeee", zorder=0)
    axes.axvline(0, color="#777777", linewidth=0.8, zorder=1)
    for place, table in enumerate(DRAWN):
        _draw_table(axes, lines, table, place)
    axes.set_yticks(range(len(DRAWN)), [name.replace("_", " ") for name in DRAWN])
    axes.invert_yaxis()
    axes.set_xlabel("distance from the exact expectation, in standard deviations of one draw")
    figure.suptitle("A published lesson's judge figures: single draws, but for one table with a mistake", fontsize=9.5)
    return figure


def _draw_table(axes: Axes, lines: Sequence[Line], table: str, place: int) -> None:
    distances = [value.z(printed) for printed, value in lines if value.table == table and value.spread > 0]
    steps = [place + 0.5 * (index / max(len(distances) - 1, 1) - 0.5) for index in range(len(distances))]
    mistaken = table == "self_preference"
    axes.plot(
        distances,
        steps,
        linestyle="none",
        marker="s" if mistaken else "o",
        markersize=4,
        color=COLOURS[1 if mistaken else 2],
    )
