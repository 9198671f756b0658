"""Remedies in the words of Python."""

import pandas as pd
import pytest

import simstudy
from simstudy.errors import RecordsError
from simstudy.records.keywords import as_keywords


@pytest.mark.parametrize(
    ("typed", "keyword"),
    [
        ("take --runs first, or name it (--run-column).", 'take runs="first", or name it (run_column).'),
        ("as two unpaired sets (--unpaired)", "as two unpaired sets (unpaired=True)"),
        ("--no-split-ids, --no-lower-is-better", "split_ids=False, lower_is_better=False"),
        ("a long-winded -- dash, well--known", "a long-winded -- dash, well--known"),
    ],
)
def test_options_are_keywords(typed, keyword):
    assert as_keywords(typed) == keyword


def test_a_remedy_works_as_it_is_written():
    table = pd.DataFrame({"case": ["x", "x", "y", "z"], "old": [1, 0, 1, 0], "new": [1, 1, 0, 0]})
    with pytest.raises(RecordsError, match='runs="mean", first or majority'):
        simstudy.compare(table)
    assert simstudy.compare(table, runs="mean").records()[0]["n_cases"] == 3
    long = pd.DataFrame({"case": ["a", "b", "c", "d"], "system": ["A", "A", "B", "B"], "score": [1, 0, 1, 1]})
    with pytest.raises(RecordsError, match="unpaired=True"):
        simstudy.compare(long, system_column="system", case_column="case")
    assert simstudy.compare(long, unpaired=True).records()[0]["test"] == "z_pooled"
