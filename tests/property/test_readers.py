"""Readers: any bytes give records or one sentence, no row is lost in silence, the way of writing changes nothing."""

from __future__ import annotations

import copy
import csv
import gzip
import io
import json
import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simstudy.errors import RequestError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import readers
from simstudy.records.reading import read_source
from simstudy.records.records import Records
from simstudy.records.source import Source

CASES = Path(__file__).parents[1] / "cases"
SAMPLES = {path.name: path.read_bytes() for path in sorted(CASES.glob("*.*")) if path.name != "cases.json"}
FORMATS = sorted(readers())

CELLS = st.sampled_from(
    ["0", "1", "0.5", "true", "fail", "C", "", "N/A", "nan", "inf", "1e999", "-1", "error", "timeout", "huh"]
)
IDS = st.lists(st.sampled_from(["a", "b", "c 1", "é", "007", "7", "null", "mean", "1e3"]), min_size=2, max_size=8)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.just(10**400),
    st.just("\ud800"),
    CELLS,
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["id", "model", "score", "error", "samples", "results", "x", ""]), inner, max_size=4
        )
    ),
    max_leaves=25,
)


def read(raw: bytes, **options: Any) -> Records | str:
    """Return the records, or the refusal; anything else that is raised fails the test."""
    try:
        return read_source(Source("x", raw), ReadOptions(**options))
    except RequestError as error:
        return str(error)


def checked(found: Records | str) -> None:
    """Check that what was read hangs together."""
    if isinstance(found, str):
        assert found
        assert "\n" not in found
        return
    rows = len(found)
    assert {len(found.case), len(found.system), len(found.metric), len(found.reason), len(found.place)} == {rows}
    assert {len(column) for column in (*found.further.values(), *found.extra.values())} <= {rows}
    has_value = ~np.isnan(found.value)
    expected = found.metric.present()
    assert not (has_value & ~found.usable()).any()  # what has a reason has no value
    assert has_value[found.usable() & expected].all()  # and the other way round
    assert (abs(found.value[has_value]) < float("inf")).all()


@given(st.binary(max_size=300))
def test_any_bytes(raw: bytes) -> None:
    checked(read(raw))


@given(value=VALUES, format_=st.sampled_from([None, *FORMATS]))
def test_any_json(value: Any, format_: str | None) -> None:
    checked(read(json.dumps(value).encode(), format=format_))


@given(value=st.lists(st.dictionaries(st.sampled_from(["id", "model", "score", "error", "run"]), VALUES, max_size=5)))
def test_any_json_records(value: list[dict[str, Any]]) -> None:
    checked(read(json.dumps(value).encode()))
    checked(read("\n".join(map(json.dumps, value)).encode()))


def some(names: str, inner: st.SearchStrategy[Any] = VALUES) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with the fields of a tool, all or some of them, with values of any type."""
    fields = dict.fromkeys(names.split(), inner)
    return st.fixed_dictionaries(fields) | st.fixed_dictionaries({}, optional=fields)


WORDS = VALUES | st.sampled_from(["A>B", "B>>A", "A=B", "model_1", "tie", "model_a", "1", "pass", "failed", "m", "n"])
GAMES = VALUES | st.lists(st.none() | some("score decision", WORDS), max_size=3)
SWAPS = st.dictionaries(st.sampled_from(["swap = False", "swap = True"]), VALUES | some("winner", WORDS))
TOOLS = {
    "alpaca_eval": some("instruction output_1 generator_1 generator_2 preference annotator"),
    "mt-bench": some("question_id model judge score turn judgment"),
    "mt-bench pairs": some("question_id model_1 model_2 g1_winner g2_winner judge turn", WORDS),
    "arena-hard": some("uid model judge baseline games", GAMES),
    "judgebench": some("pair_id label judgments judge_name", GAMES),
    "llmbar": some("input label results", VALUES | st.lists(SWAPS, max_size=2)),
    "votes": some("question_id model_a model_b winner judge", WORDS),
}
CASES_OF_DEEPEVAL = some(
    "name input success metricsData", VALUES | st.lists(some("name score threshold success error"), max_size=3)
)
SAMPLES_OF_EVALPLUS = (
    st.lists(some("base_status plus_status", WORDS), max_size=3)
    | some("base plus", st.lists(st.lists(WORDS, max_size=2)))
    | VALUES
)
OBJECTS = {
    "deepeval": some("testCases conversationalTestCases identifier", VALUES | st.lists(CASES_OF_DEEPEVAL, max_size=4)),
    "evalplus": some("eval", VALUES | st.dictionaries(st.text(max_size=3), SAMPLES_OF_EVALPLUS, max_size=4)),
}


@settings(max_examples=150)
@given(format_=st.sampled_from(sorted(TOOLS)), data=st.data())
def test_records_of_tools(format_: str, data: st.DataObject) -> None:
    """Whatever stands in the fields, each record is there or is counted."""
    rows = data.draw(st.lists(TOOLS[format_], max_size=4))
    for text in (json.dumps(rows), "\n".join(map(json.dumps, rows))):
        found = read(text.encode(), format=format_)
        checked(found)
        if not isinstance(found, str):
            counted = {place for aside in found.aside for place in aside.where}
            assert counted | set(found.place.tolist()) == set(range(1, len(rows) + 1))


@given(format_=st.sampled_from(sorted(OBJECTS)), data=st.data())
def test_objects_of_tools(format_: str, data: st.DataObject) -> None:
    checked(read(json.dumps(data.draw(OBJECTS[format_])).encode(), format=format_))


@settings(max_examples=150)
@given(name=st.sampled_from(sorted(SAMPLES)), data=st.data())
def test_samples_that_were_changed(name: str, data: st.DataObject) -> None:
    """Cut off, doubled, with lines in another order, with bytes put in or taken out."""
    raw = SAMPLES[name]
    at = data.draw(st.integers(0, len(raw)))
    change = data.draw(st.sampled_from(["cut", "double", "shuffle", "insert", "remove", "bits"]))
    if change == "cut":
        raw = raw[:at]
    elif change == "double":
        raw += raw[at:]
    elif change == "shuffle":
        lines = raw.split(b"\n")
        random.Random(at).shuffle(lines)
        raw = b"\n".join(lines)
    elif change == "insert":
        raw = (
            raw[:at]
            + data.draw(st.sampled_from([b"\0", b"\xff", b'"', b"{", b"]", b",,,", b"\r", b"\xef\xbb\xbf"]))
            + raw[at:]
        )
    elif change == "remove":
        raw = raw[:at] + raw[at + data.draw(st.integers(1, 40)) :]
    else:
        raw = raw[:at] + bytes(byte ^ 64 for byte in raw[at : at + 2]) + raw[at + 2 :]
    checked(read(raw))
    checked(read(gzip.compress(raw)))


JSON_SAMPLES = sorted(name for name in SAMPLES if name.endswith((".json", ".jsonl")))
OTHERS: st.SearchStrategy[Any] = st.one_of(
    SCALARS, st.sampled_from([[], {}, [None], [[]], {"x": 1}, [{"text": 1}], {"name": 3}, "P"])
)


def some_place(value: Any, data: st.DataObject) -> tuple[Any, Any] | None:
    """Return a list or an object somewhere in a value, and the index or name of one of its parts."""
    place = None
    while isinstance(value, dict | list) and value:
        part = data.draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
        place, value = (value, part), value[part]
        if data.draw(st.integers(0, 3)) == 0:
            break
    return place


@settings(max_examples=150)
@given(name=st.sampled_from(JSON_SAMPLES), data=st.data())
def test_samples_with_values_of_another_type(name: str, data: st.DataObject) -> None:
    text = SAMPLES[name].decode()
    try:
        whole = [json.loads(line) for line in text.splitlines()] if name.endswith("l") else json.loads(text)
    except ValueError:
        return
    for _ in range(data.draw(st.integers(1, 3))):
        place = some_place(whole, data)
        if place is not None:
            part, key = place
            part[key] = copy.deepcopy(data.draw(OTHERS))  # what is sampled is shared, and may be changed next
    lines = isinstance(whole, list) and name.endswith("l")
    checked(read(("\n".join(map(json.dumps, whole)) if lines else json.dumps(whole)).encode()))


def as_csv(header: list[str], rows: list[list[str]], sign: str = ",", end: str = "\n") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=sign, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([header, *rows])
    return out.getvalue()


def as_objects(header: list[str], rows: list[list[str]]) -> list[dict[str, str]]:
    return [dict(zip(header, row, strict=True)) for row in rows]


def told(found: Records | str) -> object:
    """Return what records say, in no order."""
    if isinstance(found, str):
        return "refused"
    texts = (found.case.texts(), found.system.texts(), found.metric.texts(), found.reason.texts())
    values = [None if math.isnan(value) else value for value in found.value.tolist()]
    return Counter(zip(*texts, values, strict=True)), Counter({a.reason: len(a.where) for a in found.aside})


@settings(max_examples=40)
@given(ids=IDS, data=st.data())
def test_the_way_of_writing_changes_nothing(ids: list[str], data: st.DataObject) -> None:
    header = ["id", "old", "new"]
    rows = [[name, data.draw(CELLS), data.draw(CELLS)] for name in ids]
    text, objects = as_csv(header, rows), as_objects(header, rows)
    expected = told(read(text.encode(), systems=("old", "new")))
    for raw in (
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        gzip.compress(text.encode()),
        as_csv(header, rows, "\t", "\r\n").encode(),
        as_csv(header, rows, ";").encode(),
        json.dumps(objects).encode(),
        json.dumps(objects, indent=1, ensure_ascii=False).encode(),
        "\r\n".join(map(json.dumps, objects)).encode(),
    ):
        assert told(read(raw, systems=("old", "new"))) == expected


@given(ids=IDS, seed=st.integers(0, 100), data=st.data())
def test_the_order_of_lines_does_not_matter(ids: list[str], seed: int, data: st.DataObject) -> None:
    rows = [
        [name, data.draw(st.sampled_from("mn")), data.draw(CELLS), data.draw(CELLS)] for name in ids if name != "mean"
    ]
    header = ["case", "system", "score", "error"]
    expected = told(read(as_csv(header, rows).encode()))
    random.Random(seed).shuffle(rows)
    assert told(read(as_csv(header, rows).encode())) == expected


@given(lengths=st.lists(st.integers(0, 5), min_size=1, max_size=30), again=st.integers(0, 3))
def test_every_line_is_a_record_or_is_counted(lengths: list[int], again: int) -> None:
    """Lines with too few or too many cells, headers within, blank lines."""
    lines = [",".join([f"c{place}", "1", "0", "1", "0"][:length]) for place, length in enumerate(lengths)]
    lines += ["id,old,new"] * again
    found = read("\n".join(["id,old,new", *lines, "z,1,0"]).encode())
    filled = sum(bool(line) for line in lines) + 1
    if isinstance(found, str):
        assert sum(length not in (0, 3) for length in lengths) > lengths.count(3)
        return
    assert len(found) // 2 + sum(len(aside.where) for aside in found.aside) == filled


@given(
    broken=st.lists(
        st.sampled_from(['{"id": "x", "old": 1}', "{", "[]", "null", '{"id": 1, "id": 2}', ""]), max_size=20
    )
)
def test_every_line_of_json_is_a_record_or_is_counted(broken: list[str]) -> None:
    lines = ['{"id": "a", "old": 1}', *broken, '{"id": "z", "old": 0}']
    found = read("\n".join(lines).encode())
    filled = sum(bool(line) for line in lines)
    if isinstance(found, str):
        assert lines.count('{"id": "x", "old": 1}') + 2 < filled / 2 or "no case" in found
        return
    assert len(found) + sum(len(aside.where) for aside in found.aside) == filled


@pytest.mark.parametrize("columns", [9_999, 1_000_000])
def test_very_many_columns(columns: int) -> None:
    header = ",".join(["id", *(f"s{n}" for n in range(columns))])
    row = ",".join(["a", *["1"] * columns])
    found = read(f"{header}\n{row}\n{row}\n".encode())
    assert isinstance(found, Records) if columns < 10_000 else "columns" in str(found)


@pytest.mark.parametrize("depth", [50, 5_000, 200_000])
@pytest.mark.parametrize("start", ['{"id": "a", "old": 1, "x": ', "[", '{"a": '])
def test_deep_nesting(depth: int, start: str) -> None:
    checked(read((start * depth).encode()))
    checked(read((start + "[" * depth + "]" * depth + "}" * start.count("{") + "]" * start.count("[")).encode()))
