"""A column of text as codes: few distinct words, many rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ABSENT = -1
"""The code of a row that has no word."""


class Index(dict[str, int]):
    """Gives every new word the next code when it is looked up."""

    def __missing__(self, word: str) -> int:
        """Give the word a number."""
        self[word] = code = len(self)
        return code


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of words: `codes` has an entry per row, `words` are all different; code -1 is a row without a word."""

    codes: NDArray[np.int32]
    words: tuple[str, ...]

    @classmethod
    def of(cls, rows: Iterable[str | None]) -> Coded:
        """Code a column of text; None is a row without a word."""
        index = Index()
        codes = np.fromiter((ABSENT if word is None else index[word] for word in rows), dtype=np.int32)
        return cls(codes, tuple(index))

    @classmethod
    def same(cls, word: str, rows: int) -> Coded:
        """Return a column that holds one word throughout."""
        return cls(np.zeros(rows, dtype=np.int32), (word,))

    @classmethod
    def empty(cls, rows: int) -> Coded:
        """Return a column without any word."""
        return cls(np.full(rows, ABSENT, dtype=np.int32), ())

    def __len__(self) -> int:
        return len(self.codes)

    def texts(self) -> list[str | None]:
        """Return the words row by row, None where there is none."""
        words: list[str | None] = [*self.words, None]
        return [words[code] for code in self.codes.tolist()]

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Coded:
        """Return some rows, with the words that occur in them."""
        codes = self.codes[rows]
        used = np.unique(codes[codes != ABSENT])
        places = np.full(len(self.words) + 1, ABSENT, dtype=np.int32)
        places[used] = np.arange(len(used), dtype=np.int32)
        return Coded(places[codes], tuple(self.words[code] for code in used.tolist()))

    def where(self, word: str) -> NDArray[np.bool_]:
        """Return which rows hold a word."""
        if word not in self.words:
            return np.zeros(len(self), dtype=np.bool_)
        return np.asarray(self.codes == self.words.index(word), dtype=np.bool_)

    def present(self) -> NDArray[np.bool_]:
        """Return which rows hold a word at all."""
        return np.asarray(self.codes != ABSENT, dtype=np.bool_)

    def counts(self) -> dict[str, int]:
        """Return how many rows hold each word."""
        times = np.bincount(self.codes[self.present()], minlength=len(self.words))
        return dict(zip(self.words, times.tolist(), strict=True))

    def renamed(self, names: Mapping[str, str | None]) -> Coded:
        """Replace words by others, or by no word; what becomes alike becomes one word."""
        index = Index()
        new = [names.get(word, word) for word in self.words]
        places = np.array([ABSENT if word is None else index[word] for word in new] + [ABSENT], dtype=np.int32)
        return Coded(places[self.codes], tuple(index))

    @staticmethod
    def joined(parts: Sequence[Coded]) -> Coded:
        """Put columns one below the other."""
        index = Index()
        codes = [
            np.array([*(index[word] for word in part.words), ABSENT], dtype=np.int32)[part.codes] for part in parts
        ]
        return Coded(np.concatenate(codes) if codes else np.empty(0, np.int32), tuple(index))
