from __future__ import annotations

import numpy as np

from simstudy.records.coded import ABSENT, Coded, Index


def test_an_index_numbers_words_in_the_order_of_their_first_use() -> None:
    index = Index()
    assert [index[word] for word in ("b", "a", "b", "c")] == [0, 1, 0, 2]


def test_words_come_back_row_by_row() -> None:
    rows = ["b", None, "a", "b"]
    column = Coded.of(rows)
    assert column.texts() == rows
    assert column.words == ("b", "a")
    assert column.codes.tolist() == [0, ABSENT, 1, 0]
    assert column.present().tolist() == [True, False, True, True]
    assert column.counts() == {"b": 2, "a": 1}
    assert column.where("b").tolist() == [True, False, False, True]
    assert not column.where("unknown").any()


def test_same_and_empty() -> None:
    assert Coded.same("x", 3).texts() == ["x", "x", "x"]
    assert Coded.empty(2).texts() == [None, None]
    assert len(Coded.empty(2)) == 2


def test_taken_rows_keep_only_words_that_occur() -> None:
    column = Coded.of(["b", "a", None, "c"]).take(np.array([3, 2, 1]))
    assert column.texts() == ["c", None, "a"]
    assert column.words == ("a", "c")


def test_renamed_words_become_one_or_none() -> None:
    column = Coded.of(["b", "a", None, "c"]).renamed({"b": "a", "c": None})
    assert column.texts() == ["a", "a", None, None]
    assert column.words == ("a",)


def test_joined_columns_share_their_words() -> None:
    column = Coded.joined([Coded.of(["b", None]), Coded.of(["a", "b"])])
    assert column.texts() == ["b", None, "a", "b"]
    assert column.words == ("b", "a")
    assert len(Coded.joined([])) == 0
