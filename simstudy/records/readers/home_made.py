"""One JSON object of someone's own making: totals on top, and the cases in lists or tables somewhere within."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from simstudy.errors import RecordsError
from simstudy.records.cells import read_cell
from simstudy.records.from_sheet import may_matter, records_of_sheet
from simstudy.records.json_text import flat
from simstudy.records.read_options import ReadOptions
from simstudy.records.records import ReadFile, Records, Remark
from simstudy.records.roles import Role, role_of
from simstudy.records.sheet import SheetBuilder
from simstudy.records.source import Head, Source

NAME = "home-made json"
SAYS = "a JSON object with totals on top and the cases in lists within"
ALIKE = 0.5
"""Share of fields that two lists have in common to be lists of the same kind."""
FEWEST = 3
"""Entries of an object that may be a table of cases by id."""
DEEPEST = 30


@dataclass
class Found:
    """Objects that stand at one path, and what their surroundings say of them."""

    path: str
    records: list[dict[str, Any]] = field(default_factory=list)

    def fields(self) -> set[str]:
        """Names of the fields of the first objects."""
        return {name for record in self.records[:20] for name in record}

    def has_values(self) -> bool:
        """Whether some field can be a value: a number, right or wrong."""
        if any(role_of(name) is Role.SPREAD for name in self.fields()):
            return False  # totals with their standard errors
        cells = [(n, v) for record in self.records[:20] for n, v in record.items() if not isinstance(v, list)]
        return any(role_of(name) in (None, Role.METRIC) and _is_value(value) for name, value in cells)


def _is_value(value: Any) -> bool:
    return isinstance(value, bool | int | float) or (isinstance(value, str) and read_cell(value).reason is None)


def sniff(head: Head) -> float:
    """Tell an object that holds objects in lists, or by id; of any other object it can be said what it lacks."""
    if not head.object:
        return 0.0
    return 0.3 if any(found.has_values() for found in _found(head.object)) else 0.05


def read(source: Source, options: ReadOptions) -> Records:
    """Return the records of the longest lists of objects that are alike; which ones is said."""
    whole = source.json()
    if not isinstance(whole, dict):
        raise RecordsError(f"{source.name} is no JSON object.")
    candidates = [found for found in _found(whole) if found.has_values()]
    if not candidates:
        raise RecordsError(
            f"{source.name} holds no list of cases, perhaps an aggregate alone: objects with a value each, one per "
            f"case, were looked for; its fields are {', '.join(list(whole)[:12])}."
        )
    best = max(candidates, key=lambda found: len(found.records))
    taken = [found for found in candidates if _alike(found.fields(), best.fields())]
    builder = SheetBuilder(source.name, may_matter(options))
    for found in taken:
        for record in found.records:
            own = {} if len(taken) == 1 or "part" in record else {"part": found.path}
            builder.add({**record, **own}, len(builder) + 1)
    system = _system(whole)
    file = ReadFile(source.name, NAME, 1.0, source.encoding, "record")
    records = records_of_sheet(builder.sheet(), file, system or source.stem, options)
    paths = ", ".join(f"{found.path} ({len(found.records)})" for found in taken[:6])
    said = Remark("format", f"The cases were found in {paths}, by their shape.", False)
    named = records.named_systems or system is not None
    remarks = [remark for remark in records.remarks if not (system and remark.about == "system")]
    return dataclasses.replace(records, remarks=(said, *remarks), named_systems=named)


def _system(whole: dict[str, Any]) -> str | None:
    """Return the system that the object names at its top, if it names one."""
    names = [
        value for name, value in whole.items() if role_of(name) is Role.SYSTEM and isinstance(value, str) and value
    ]
    return names[0] if len(names) == 1 else None


def _alike(one: set[str], other: set[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)


def _found(whole: dict[str, Any]) -> list[Found]:
    """Return all places where objects stand in a list or under ids."""
    places: dict[str, Found] = {}
    for path, record in _objects(whole, "", {}, 0):
        places.setdefault(path, Found(path)).records.append(record)
    return list(places.values())


def _objects(part: Any, path: str, around: dict[str, Any], depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield objects that stand in a list or under ids, with what names their system around them."""
    if depth > DEEPEST:
        return
    if isinstance(part, dict):
        inner = [value for value in part.values() if isinstance(value, dict)]
        by_id = len(inner) >= FEWEST and len(inner) == len(part) and _alike(set(inner[0]), set(inner[-1]))
        for name, value in part.items():
            here = f"{path}.{name}" if path else name
            if by_id and "id" not in value:
                yield from _with_inner(value, f"{path}.*" if path else "*", {**around, "id": name}, depth)
            elif isinstance(value, dict | list):
                yield from _objects(value, here, around, depth + 1)
    elif isinstance(part, list):
        for value in part:
            if isinstance(value, dict):
                yield from _with_inner(value, path, around, depth)


def _with_inner(
    record: dict[str, Any], path: str, around: dict[str, Any], depth: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    yield path, {**around, **flat(record)}
    named = {name: v for name, v in record.items() if role_of(name) is Role.SYSTEM and isinstance(v, str)}
    for name, value in record.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield from _objects(value, f"{path}.{name}", {**around, **named}, depth + 1)
