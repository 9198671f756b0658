"""Find out which column means what, and say every guess aloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.long_table import listed
from simstudy.records.read import Sheet

CASE_NAMES = (
    *("case", "case_id", "id", "question", "question_id", "qid", "item", "item_id", "example", "example_id"),
    *("task", "task_id", "sample_id", "prompt_id", "doc_id", "uid", "index", "idx"),
)
SYSTEM_NAMES = ("system", "system_name", "model", "model_name", "model_id", "generator", "llm")
VALUE_NAMES = (
    *("correct", "is_correct", "right", "score", "value", "outcome", "exact_match", "accuracy", "acc"),
    *("success", "passed", "pass", "result"),
)
RUN_NAMES = ("run", "run_id", "epoch", "trial", "repeat", "replicate", "attempt", "seed")
CLUSTER_NAMES = ("cluster", "cluster_id")
GROUP_HINTS = ("family", "group", "source", "category", "topic", "subject", "document")
ERROR_NAMES = ("error",)
LAYOUTS = ("long", "wide")


@dataclass(frozen=True)
class Columns:
    """Which column plays which part; None where none does."""

    layout: str  # "long": a row per case and system; "wide": a column per system
    case: str | None
    system: str | None
    value: str | None
    run: str | None
    cluster: str | None
    error: str | None
    notes: tuple[str, ...]  # every guess

    def taken(self) -> set[str]:
        """Names of all columns that play a part."""
        parts = (self.case, self.system, self.value, self.run, self.cluster, self.error)
        return {name for name in parts if name is not None}


def find_columns(sheet: Sheet, layout: str | None, asked: dict[str, str | None]) -> Columns:
    """Give every part its column: the one asked for (`asked`: part to name or None), or a guess, which is noted."""
    if layout is not None and layout not in LAYOUTS:
        raise UnknownNameError("layout", layout, LAYOUTS)
    for part, name in asked.items():
        if name is not None and (not isinstance(name, str) or name not in sheet.columns):
            raise UnknownNameError(f"column for {part}_column", name, sheet.columns)
    finder = _Finder(sheet, asked)
    system = None if layout == "wide" else finder.find("system", SYSTEM_NAMES)
    if layout == "wide" and (asked["system"] or asked["value"]):
        raise RecordsError("system_column and value_column belong to a long file, and layout is wide.")
    shape = layout or ("long" if system is not None else "wide")
    if shape == "wide" and asked["value"]:
        raise RecordsError(f"value_column belongs to a long file. {_missing(sheet, 'system', SYSTEM_NAMES)}")
    case = finder.find("case", CASE_NAMES)
    value = finder.find("value", VALUE_NAMES) if shape == "long" else None
    needed = {"system": (system, SYSTEM_NAMES), "case": (case, CASE_NAMES), "value": (value, VALUE_NAMES)}
    for part, (name, usual) in needed.items():
        if shape == "long" and name is None:
            raise RecordsError(_missing(sheet, part, usual))
    run, cluster = finder.find("run", RUN_NAMES), finder.find("cluster", CLUSTER_NAMES)
    error = finder.find("error", ERROR_NAMES)
    finder.note_layout(shape, layout, case)
    finder.note_groups(cluster)
    return Columns(shape, case, system, value, run, cluster, error, tuple(finder.notes))


class _Finder:
    """Looks for columns and keeps the sentences about what it took."""

    def __init__(self, sheet: Sheet, asked: dict[str, str | None]) -> None:
        self.sheet = sheet
        self.asked = asked
        self.notes: list[str] = []
        self._used = {name for name in asked.values() if name is not None}
        named = [name for name in asked.values() if name is not None]
        if len(named) != len(self._used):
            raise RecordsError("One column was named for two parts; every part needs its own column.")

    def find(self, part: str, usual: Sequence[str]) -> str | None:
        named = self.asked.get(part)
        if named is not None:
            return named
        by_folded = {name.casefold().replace(" ", "_"): name for name in reversed(self.sheet.columns)}
        found = [by_folded[name] for name in usual if name in by_folded and by_folded[name] not in self._used]
        if not found:
            return None
        self._used.add(found[0])
        others = f" (not {listed(repr(name) for name in found[1:])})" if found[1:] else ""
        self.notes.append(f"The {part} was taken from the column '{found[0]}'{others}: a guess from its name.")
        return found[0]

    def note_layout(self, shape: str, asked: str | None, case: str | None) -> None:
        if asked is None:
            reason = "a column names the system" if shape == "long" else "no column names the system"
            self.notes.insert(0, f"The file was taken as {shape}, because {reason}: a guess.")
        if case is None:
            self.notes.append("No column names the case: every line was taken as a case of its own.")

    def note_groups(self, cluster: str | None) -> None:
        hints = [name for name in self.sheet.columns if name.casefold() in GROUP_HINTS and name not in self._used]
        if cluster is None and hints:
            self.notes.append(
                f"Cases were taken as independent; if {listed(repr(name) for name in hints)} marks cases "
                "that share a source, name it as cluster_column."
            )


def _missing(sheet: Sheet, part: str, usual: Sequence[str]) -> str:
    return (
        f"{sheet.path} was taken as a long file, and no column is called like a {part} "
        f"({', '.join(usual)}). Name it as {part}_column, or say layout=wide. "
        f"Columns: {', '.join(sheet.columns)}."
    )
