"""Ids of cases: compared without what cannot be seen, runs hidden in them, rows that are totals."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from simstudy.records.cells import the_words

MEAN_WORDS = the_words(
    "average avg mean total totals overall sum all aggregate summary median std stderr macro micro accuracy"
) | {"grand total", "macro avg", "micro avg", "macro average", "micro average", "weighted avg"}
_MOST_DIGITS = 10  # of a number of runs
_BLANKS = re.compile(r"\s+")
_UNSEEN = dict.fromkeys(
    [0x00AD, 0x034F, 0x061C, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)]
)


def plain_id(text: str) -> str:
    """Return an id without invisible differences: one form of Unicode, one kind of blank, nothing without width."""
    # upper and lower case, leading zeros and signs stay: 007 is not 7
    if text.isascii():
        return _BLANKS.sub(" ", text).strip() if not text.isalnum() else text
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", text).translate(_UNSEEN)).strip()


def plain_ids(ids: Iterable[str]) -> dict[str, str]:
    """Return the plain form of each distinct id; ids that would become one are left as they are written."""
    plain = {name: plain_id(name) for name in ids}
    alike: dict[str, list[str]] = defaultdict(list)
    for name, form in plain.items():
        alike[form].append(name)
    return {name: form if len(alike[form]) == 1 else name for name, form in plain.items()}


def id_text(value: Any) -> str | None:
    """Return an id of JSON as text: whole numbers with all digits, others as they were written; None for none."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return str(getattr(value, "written", value))
    return None


def runs_in_ids(ids: Collection[str]) -> dict[str, tuple[str, str]] | None:
    """Split ids such as 1, 1.1, 1.2 into (case, run), the bare id being run 0; None where they look like no runs."""
    # Every id with a point must have its bare parent in the file and the runs of a case must count 1, 2, 3, ... without
    # a gap. Ids 1.5, 2.5 without 1 and 2, or 1 and 1.5 alone, are no runs.
    known = set(ids)
    if not any("." in name for name in known):
        return None
    split: dict[str, tuple[str, str]] = {}
    numbers: dict[str, set[int]] = defaultdict(set)
    for name in known:
        parent, point, run = name.rpartition(".")
        if point and run.isascii() and run.isdigit() and not run.startswith("0"):
            split[name] = (parent, run)
            numbers[parent].add(int(run) if len(run) < _MOST_DIGITS else 0)
        else:
            split[name] = (name, "0")
    counted = all(runs == set(range(1, len(runs) + 1)) for runs in numbers.values())
    parents = all(parent in known and split[parent] == (parent, "0") for parent in numbers)
    return split if numbers and counted and parents else None


def is_total(case: str, values: Sequence[float], means: Sequence[float], sums: Sequence[float]) -> bool:
    """Whether a row at the end is a total: it is called so, and holds the means or the sums of the rows above."""
    # A case that merely bears such a name is a case. NaN stands where there is no number; numbers of a table are
    # rounded, so that two digits behind the point have to agree.
    if plain_id(case).casefold().strip(" :.*_") not in MEAN_WORDS:
        return False
    numbers = [(v, m, s) for v, m, s in zip(values, means, sums, strict=True) if not math.isnan(v + m)]
    mean_like = all(abs(v - m) <= 0.006 * max(1.0, abs(m)) for v, m, _ in numbers)
    percent_like = all(abs(v - 100 * m) <= 0.6 for v, m, _ in numbers)
    return mean_like or percent_like or all(abs(v - s) <= 1e-6 * max(1.0, abs(s)) for v, _, s in numbers)
