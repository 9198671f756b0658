"""A table as it stands: columns of words, held as codes, so that millions of rows with prompts beside them fit."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RecordsError
from simstudy.records.coded import ABSENT, Coded, Index
from simstudy.records.ids import id_text
from simstudy.records.records import LONGEST_WORD

MOST_COLUMNS = 10_000
MANY_WORDS = 100_000
"""Different texts in a column that plays no part, from which on it is passed over."""
_KEPT = 40


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table: nothing interpreted yet. An empty cell is a row without a word."""

    name: str
    columns: dict[str, Coded]
    places: NDArray[np.int64]
    texts: tuple[str, ...] = ()  # columns that were passed over: answers and prompts
    aside: dict[str, list[tuple[int, str]]] = field(default_factory=dict)  # reason: places and examples

    def __len__(self) -> int:
        return len(self.places)


def short_word(text: str) -> str:
    """Return a text; of a long one its beginning and what tells it from others."""
    if len(text) <= LONGEST_WORD:
        return text
    mark = hashlib.blake2b(text.strip().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{text[:_KEPT]}…{mark}"


class SheetBuilder:
    """Takes rows and keeps codes. `keep` says by its name whether a column may play a part."""

    def __init__(self, name: str, keep: Callable[[str], bool]) -> None:
        self._name = name
        self._keep = keep
        self._indexes: dict[str, Index] = {}
        self._codes: dict[str, array[int]] = {}
        self._texts: dict[str, None] = {}
        self._places = array("q")
        self._aside: dict[str, list[tuple[int, str]]] = {}

    def __len__(self) -> int:
        return len(self._places)

    def add_columns(self, names: Sequence[str], columns: Sequence[Sequence[str]], places: Iterable[int]) -> None:
        """Take rows that have a cell in every column, column by column."""
        for name, cells in zip(names, columns, strict=True):
            codes = self._column(name)
            if codes is None:
                continue
            long = max(map(len, cells), default=0) > LONGEST_WORD
            codes.extend(map(self._indexes[name].__getitem__, map(short_word, cells) if long else cells))
            self._pass_over(name)
        self._places.extend(places)

    def add(self, record: dict[str, Any], place: int) -> None:
        """Take one row that names its fields; text, numbers and booleans are cells, lists are kept where short."""
        row = len(self._places)
        for name, value in record.items():
            codes = self._column(name)
            text = None if codes is None else cell_text(value)
            if codes is None or text is None:
                continue
            codes.extend([ABSENT] * (row - len(codes)))
            codes.append(self._indexes[name][short_word(text)])
            if row % 65536 == 0:
                self._pass_over(name)
        self._places.append(place)

    def aside(self, reason: str, place: int, example: str = "") -> None:
        """Count a row that is none."""
        self._aside.setdefault(reason, []).append((place, example[:LONGEST_WORD]))

    def _column(self, name: str) -> array[int] | None:
        codes = self._codes.get(name)
        if codes is not None or name in self._texts:
            return codes
        if len(self._codes) >= MOST_COLUMNS:
            raise RecordsError(
                f"{self._name} has more than {MOST_COLUMNS} columns; a file of results has a row per case: "
                "turn it round, or choose columns."
            )
        self._indexes[name] = Index()
        self._codes[name] = array("i", [ABSENT]) * len(self._places)
        return self._codes[name]

    def _pass_over(self, name: str) -> None:
        if len(self._indexes[name]) > MANY_WORDS and not self._keep(name):
            del self._indexes[name], self._codes[name]
            self._texts[name] = None

    def sheet(self) -> Sheet:
        """Return the table; blanks around cells and names are dropped."""
        rows = len(self._places)
        columns: dict[str, Coded] = {}
        for name, codes in self._codes.items():
            codes.extend([ABSENT] * (rows - len(codes)))
            column = Coded(np.frombuffer(codes, dtype=np.int32), tuple(self._indexes[name]))
            columns[name] = column.renamed(
                {word: word.strip() or None for word in column.words if word != word.strip() or not word}
            )
        return Sheet(self._name, columns, np.array(self._places, dtype=np.int64), tuple(self._texts), self._aside)


def cell_text(value: Any) -> str | None:
    """Return a value of JSON as the text of a cell; lists of objects, such as messages, are none."""
    if isinstance(value, list) and not any(isinstance(part, list | dict) for part in value):
        return json.dumps(value, ensure_ascii=False, default=str)
    return id_text(value)
