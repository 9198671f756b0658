"""Rows that were asked about before: the same verdicts, and no second question."""

import dataclasses

import numpy as np
import pytest

from simstudy.options import make_options
from simstudy.scenarios import get_scenario
from simstudy.solve import remembered
from simstudy.study.methods_on_rows import Evaluator

ROWS = np.random.default_rng(5).integers(0, 30, size=(400, 2))


def point_of(scenario, **values):
    chosen = get_scenario(scenario)
    defaults = {p.name: p.default for p in chosen.parameters if p.default is not None}
    return chosen.point({**defaults, **values})


@pytest.fixture
def asked():
    """A costly method, a design point, and what it reads."""
    point = point_of("self_preference", n_pairs=40, bonus=1.0)
    method = point.scenario.method("judge_mcnemar_midp")
    return point, method, point.reading(method)


def same(found, expected):
    for one, other in zip(found, expected, strict=True):
        for field in dataclasses.fields(other):
            np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name))


def test_verdicts_are_those_of_the_plain_evaluator(asked):
    options = make_options(alpha=[0.05, 0.01])
    memory, plain = remembered.Remembering(options), Evaluator(options)
    point, *what = asked
    for rows in (ROWS[:100], ROWS[50:300], ROWS, ROWS[::-1]):
        same(memory.on_rows(point, *what, rows), plain.on_rows(point, *what, rows))


def test_no_row_is_asked_about_twice(asked):
    memory = remembered.Remembering(make_options())
    point, *what = asked
    distinct = np.unique(ROWS, axis=0)
    for _ in range(3):
        memory.on_rows(point, *what, distinct)
    assert memory.asked == len(distinct)


def test_another_null_is_another_question():
    memory, plain = remembered.Remembering(make_options()), Evaluator(make_options())
    rows = np.array([[60, 5, 5, 30], [50, 10, 10, 30]])
    for threshold in (0.4, 0.7):
        point = point_of("agreement", n_labels=100, prevalence=0.7, kappa=0.8, kappa_threshold=threshold)
        method = dataclasses.replace(point.scenario.method("kappa_wald"), nanoseconds=remembered.COSTLY)
        what = (point, method, point.reading(method), rows)
        same(memory.on_rows(*what), plain.on_rows(*what))
    assert memory.asked == 4


@pytest.mark.parametrize("rows", [np.empty((0, 2), np.int64), np.array([[1 << 40, 3]])], ids=["none", "too large"])
def test_rows_without_a_code_are_asked_about_as_they_are(asked, rows):
    memory, plain = remembered.Remembering(make_options()), Evaluator(make_options())
    point, *what = asked
    same(memory.on_rows(point, *what, rows), plain.on_rows(point, *what, rows))


def test_memory_is_bounded(asked, monkeypatch):
    monkeypatch.setattr(remembered, "KEPT", 50)
    memory = remembered.Remembering(make_options())
    point, *what = asked
    for _ in range(2):
        memory.on_rows(point, *what, np.unique(ROWS, axis=0))
    assert memory.asked == 2 * len(np.unique(ROWS, axis=0))
