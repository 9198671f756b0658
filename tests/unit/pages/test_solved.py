"""Tables of answers."""

from __future__ import annotations

import numpy as np

from simstudy.pages.page import to_markdown, to_table
from tests.unit.pages import factory


def test_unreachable_is_printed_as_the_word_and_explained() -> None:
    text = to_table(factory.mde())
    assert "unreachable           unreachable           unreachable" in text
    assert "unreachable (mcnemar_exact): power=0.8 is not reached in the grid." in text


def test_outside_the_range_is_printed_and_explained() -> None:
    text = to_table(factory.mde())
    assert text.count("outside the range") == 2


def test_simulated_answers_carry_their_interval() -> None:
    text = to_table(factory.mde())
    assert ".1750 [.1697, .1802]" in text
    assert "[, ]: interval for the answer" in text
    assert "[" not in to_table(factory.mde(simulated=()))


def test_first_has_a_column_where_it_differs() -> None:
    lines = to_table(factory.size()).splitlines()
    assert "difficulty_sd  difference  method             n_cases  first" in lines
    assert "                     0.05  mcnemar_exact         1340   1286" in lines
    assert any(line.startswith("n_cases: from there on power=0.8 is not lost again") for line in lines)


def test_first_is_not_shown_where_it_is_the_answer() -> None:
    dataset = factory.size()
    dataset["first"] = dataset["answer"]
    text = to_table(dataset)
    assert "first" not in text
    assert "0.00 0.05 0.10 0.20" in " ".join(text.split())


def test_a_first_beyond_any_answer_is_shown() -> None:
    dataset = factory.size()
    dataset["first"] = dataset["answer"].copy()
    dataset["first"][0, 0, 0] = 900_000.0
    assert "900000" in to_table(dataset)


def test_a_single_answer() -> None:
    text = to_table(factory.mde().isel(n_cases=[2], difficulty_sd=[0]))
    assert "mcnemar_exact  .1890" in text


def test_infinite_limits_are_written() -> None:
    dataset = factory.mde()
    dataset["high"][0, 2, 2] = np.inf
    assert ".1750 [.1697, ∞]" in to_table(dataset)


def test_other_variables_can_be_shown() -> None:
    assert "low, difficulty_sd" in to_table(factory.mde(), ["low"]) or "low" in to_table(factory.mde(), ["low"])


def test_the_curve_around_a_size_is_laid_out() -> None:
    dataset = factory.size()
    dims = (*dataset["answer"].dims, "step")
    sizes = np.full((2, 4, 3, 3), np.nan)
    sizes[0, 1, 0] = [1339, 1340, 1341]
    dataset = dataset.assign(curve_size=(dims, sizes), curve_value=(dims, sizes / 1675))
    text = to_table(dataset)
    assert text.count("around n_cases") == 1
    assert "around n_cases, difficulty_sd = 0.0, difference = 0.05, method = mcnemar_exact" in text
    assert "   1340  .8000" in text


def test_markdown_has_the_answers() -> None:
    assert "| 5 | mcnemar_exact | unreachable | unreachable | unreachable |" in to_markdown(factory.mde())
