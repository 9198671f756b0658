"""Verdicts on rows that the evaluations of one curve have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.options import Options
from simstudy.scenarios.declaration import DesignPoint
from simstudy.scenarios.method import Method
from simstudy.study.methods_on_rows import Evaluated, Evaluator

# nanoseconds for a row from which looking it up is worth while, and rows that are kept
COSTLY = 2000.0
KEPT = 2_000_000
# bits of the number that stands for a row
BITS = 62

Ints = NDArray[np.int64]


class Remembering(Evaluator):
    """Asks a costly method about each row once: neighbouring effects and sizes give mostly the same rows.

    Attributes
    ----------
    asked : int
        Rows that a method was asked about so far.
    """

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.asked = 0
        self._about: tuple[Any, ...] = ()
        self._codes: Ints = np.empty(0, np.int64)
        self._kept: list[Evaluated] = []

    def on_rows(self, point: DesignPoint, method: Method, names: Sequence[str], rows: Ints) -> list[Evaluated]:
        """Return a method's verdicts on rows, one entry per level; see `Evaluator.on_rows`."""
        codes = _codes(rows) if method.nanoseconds >= COSTLY else None
        if codes is None or not len(rows):
            self.asked += len(rows)
            return super().on_rows(point, method, names, rows)
        about = (*self.about(point, method), tuple(names))
        if about != self._about or len(self._codes) > KEPT:
            self._about, self._codes, self._kept = about, np.empty(0, np.int64), []
        new = ~_among(codes, self._codes)
        if new.any():
            self.asked += int(new.sum())
            self._keep(codes[new], super().on_rows(point, method, names, rows[new]))
        at = np.searchsorted(self._codes, codes)
        return [level.take(at) for level in self._kept]

    def _keep(self, codes: Ints, found: list[Evaluated]) -> None:
        """Merge new verdicts into those that are known, in the order of their codes."""
        if self._kept:
            found = [old.joined(new) for old, new in zip(self._kept, found, strict=True)]
        every = np.concatenate([self._codes, codes])
        order = np.argsort(every)
        self._codes = every[order]
        self._kept = [level.take(order) for level in found]


def _codes(rows: Ints) -> Ints | None:
    """Return one number for each row; None where the rows hold too much for one."""
    bits = BITS // rows.shape[1] if rows.shape[1] else 0
    if not bits or not rows.size or int(np.abs(rows).max()) >= 1 << (bits - 1):
        return None
    codes = np.zeros(len(rows), np.int64)
    for column in rows.T:
        codes = (codes << bits) + column + (1 << (bits - 1))
    return codes


def _among(codes: Ints, known: Ints) -> NDArray[np.bool_]:
    if not len(known):
        return np.zeros(len(codes), np.bool_)
    at = np.minimum(np.searchsorted(known, codes), len(known) - 1)
    found: NDArray[np.bool_] = known[at] == codes
    return found
