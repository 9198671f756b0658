"""Records: what any file of results comes to, one long table with a reason for every value that is not there."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.cells import CODES, Reason, codes_in, letters_of, read_cell, read_error, the_words
from simstudy.records.coded import ABSENT, Coded, Index
from simstudy.records.ids import id_text, plain_ids
from simstudy.records.natural_order import listed

FURTHER = (
    "run",
    "cluster",
    "family",
    "critical",
    "judge",
    "first",
    "second",
    "verdict",
    "label",
    "words",
    "error",
    "raw",
)
"""Columns that records may have beside case, system, metric and value; `raw` is what stood in place of a value."""
LONGEST_WORD = 200
"""Characters of a cell that are kept; answers and prompts are not."""
LOWER_IS_BETTER = the_words(
    "hallucination toxicity bias wer cer perplexity ppl loss error_rate errors mse mae rmse brier "
    "refusal_rate leakage misalignment pii_leakage role_violation"
)


@dataclass(frozen=True)
class Remark:
    """Something that was found, decided or guessed while a file was read."""

    about: str  # "format", "encoding", "column", "system", "ids", "runs", "doubled", "unreadable", "direction", ...
    says: str  # one sentence
    certain: bool = True  # False: a guess


@dataclass(frozen=True)
class Aside:
    """Rows that are no records, and were not used."""

    reason: str  # "a total", "the header again", "cut off", ...
    where: tuple[int, ...]  # places, as `Records.place`
    example: str = ""
    file: str = ""

    def says(self, read: Sequence[ReadFile]) -> str:
        """Say what was left aside and where."""
        kind = next((one.place for one in read if one.name == self.file), "record")
        places = listed([str(place) for place in self.where])
        return f"{kind if len(self.where) == 1 else f'{kind}s'} {places} of {self.file} ({self.reason})"


@dataclass(frozen=True)
class Metric:
    """A metric of the records."""

    name: str
    lower_is_better: bool = False


@dataclass(frozen=True)
class ReadFile:
    """What was read, and how."""

    name: str
    format: str
    certainty: float  # of the format, 0 to 1
    encoding: str = "UTF-8"
    place: str = "line"  # what `Records.place` counts: "line", "record", "sample"


@dataclass(frozen=True, eq=False)
class Records:
    """A long table, one row per case, system, metric and run; every array and column has an entry per row."""

    # A row counts where `reason` has no word; else `value` is NaN. Values are as in the file: 0 and 1, or scores.

    case: Coded
    system: Coded
    metric: Coded  # without any word where the file holds no values (pairs of answers, labels alone)
    value: NDArray[np.float64]
    reason: Coded  # words of Reason, or a tool's own
    place: NDArray[np.int64]  # of the file, from 1
    file: NDArray[np.int16]  # which of `read`
    further: Mapping[str, Coded] = field(default_factory=dict)  # of FURTHER, those that the file has
    extra: Mapping[str, Coded] = field(default_factory=dict)  # other columns, as they are
    input_hash: NDArray[np.uint64] | None = None  # of the text of the input; 0 where there is none
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)  # of columns that are no systems: "cost", "latency", "judge"
    aside: tuple[Aside, ...] = ()
    remarks: tuple[Remark, ...] = ()
    read: tuple[ReadFile, ...] = ()
    ids_from: str = "column"  # "text": of the input; "lines": places, which another file must not be paired by
    named_systems: bool = True  # False: the system bears the name of its file

    def __len__(self) -> int:
        return len(self.value)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return self.system.words

    def usable(self) -> NDArray[np.bool_]:
        """Return which rows have a value that counts."""
        return ~self.reason.present()

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Records:
        """Return some rows; remarks, rows aside and what was read stay."""
        return dataclasses.replace(
            self,
            case=self.case.take(rows),
            system=self.system.take(rows),
            metric=self.metric.take(rows),
            value=self.value[rows],
            reason=self.reason.take(rows),
            place=self.place[rows],
            file=self.file[rows],
            further={name: column.take(rows) for name, column in self.further.items()},
            extra={name: column.take(rows) for name, column in self.extra.items()},
            input_hash=None if self.input_hash is None else self.input_hash[rows],
        )

    def of_metric(self, asked: str | None = None) -> Records:
        """Return the rows of one metric: the one asked for, or the first that is listed, which is remarked."""
        if not self.metrics:
            raise RecordsError(f"{self._names()} holds no values to compare.{self._instead()}")
        name = next(iter(self.metrics)) if asked is None else self._named_metric(asked)
        rows = self.take(self.metric.where(name))
        notes = [remark for remark in self.remarks if asked is None or remark.about != "value"]
        if asked is None and len(self.metrics) > 1:
            others = ", ".join(f"'{metric}'" for metric in list(self.metrics)[1:8])
            notes.append(Remark("metric", f"The metric '{name}' was taken; there are also {others} (--metric).", False))
        return dataclasses.replace(rows, remarks=tuple(notes), metrics={name: self.metrics[name]})

    def _named_metric(self, asked: str) -> str:
        """Return the metric of a name, which may lack the filter that a tool puts behind it, where one alone fits."""
        fits = [asked] if asked in self.metrics else [name for name in self.metrics if name.startswith(f"{asked},")]
        if len(fits) != 1:
            raise UnknownNameError("metric", asked, self.metrics)
        return fits[0]

    def unreadable(self) -> dict[str, dict[str, int]]:
        """Return how many rows of each system have no value, by reason."""
        found: dict[str, dict[str, int]] = {}
        for code, system in enumerate(self.system.words):
            mine = self.system.codes == code
            counts = Coded(self.reason.codes[mine], self.reason.words).counts()
            found[system] = {reason: times for reason, times in counts.items() if times}
        return found

    def no_values(self) -> list[str]:
        """Return the words that stand in place of values, without values that do not count for another reason."""
        if "raw" not in self.further:
            return []
        words = self.further["raw"].take(~self.usable()).words
        return [word for word in words if read_cell(word).reason is not None]

    def doubled(self) -> list[str]:
        """Return the cases that a system has more than once in a metric and run, in the order of the file."""
        # a pair that is shown in both orders is not there twice
        keys = [self.case.codes, self.system.codes, self.metric.codes]
        keys += [self.further[name].codes for name in ("run", "first", "second") if name in self.further]
        order = np.lexsort(keys)
        same = np.ones(max(len(self) - 1, 0), dtype=np.bool_)
        for key in keys:
            same &= key[order][1:] == key[order][:-1]
        twice = np.unique(self.case.codes[order][1:][same])
        return [self.case.words[code] for code in twice.tolist() if code != ABSENT]

    def _names(self) -> str:
        return ", ".join(file.name for file in self.read) or "The table"

    def _instead(self) -> str:
        if {"verdict", "label"} <= self.further.keys():
            return (
                " These look like a judge and a label, not two systems: simstudy.stats.judge_agreement compares them."
            )
        if {"first", "second", "verdict"} <= self.further.keys():
            return " It holds verdicts about pairs of answers, not values of systems: simstudy.stats.verdict_counts."
        return ""


class RecordsBuilder:
    """Takes records one by one, as a reader meets them, and makes Records of them."""

    # values are given as they stand in the file (a bool, a number, text, None): what they mean is decided here, once
    # for all readers

    def __init__(self, file: str, format: str, *, place: str = "record", encoding: str = "UTF-8") -> None:
        self._read = ReadFile(file, format, 1.0, encoding, place)
        self._words: dict[str, tuple[Index, list[int]]] = {
            name: (Index(), []) for name in ("case", "system", "metric", "reason", *FURTHER)
        }
        self._extra: dict[str, tuple[Index, list[int]]] = {}
        self._values: list[float] = []
        self._texts: list[str | None] = []  # of values that are no numbers
        self._places: list[int] = []
        self._hashes: list[int] = []
        self._aside: dict[str, list[int]] = defaultdict(list)
        self._examples: dict[str, str] = {}
        self._remarks: list[Remark] = []
        self._metrics: dict[str, Metric] = {}
        self._roles: dict[str, str] = {}

    def add(
        self,
        case: Any,
        system: str | None,
        value: Any,
        *,
        metric: str | None = "score",
        place: int | None = None,
        reason: str | None = None,
        error: Any = None,
        input_text: str | None = None,
        extra: Mapping[str, Any] | None = None,
        **further: Any,
    ) -> None:
        """Take one record."""
        # `reason`: the reader knows that there is no value and why. `error`: the text of an error, which has the same
        # effect. `metric` None: no value is expected (a verdict about a pair, then without a system). `further`: of
        # FURTHER, such as run.
        row = len(self._values)
        name = id_text(case)
        reason = reason or (read_error(_short(error)) if error is not None else None)
        if name is None or not name.strip():
            name, reason = None, reason or str(Reason.NO_CASE)
        number, text = _split(value) if metric is not None else (math.nan, None)
        self._values.append(number)
        self._texts.append(text if text is None else _short(text))
        self._places.append(row + 1 if place is None else place)
        self._hashes.append(0 if input_text is None else text_hash(input_text))
        further["error"] = None if error is None else _short(error)
        further["raw"] = None if reason is None else _short(value)
        words = {"case": name, "system": system, "metric": metric, "reason": reason, **further}
        for column, (index, codes) in self._words.items():
            word = words.pop(column, None)
            codes.append(ABSENT if word is None else index[_short(word) if column != "case" else word])
        if words:
            raise TypeError(f"records have no column {', '.join(words)}")
        for column, word in (extra or {}).items():
            index, codes = self._extra.setdefault(column, (Index(), []))
            codes += [ABSENT] * (row - len(codes))
            codes.append(ABSENT if word is None else index[_short(word)])

    def aside(self, reason: str, place: int, example: str = "") -> None:
        """Count a row that is no record."""
        self._aside[reason].append(place)
        self._examples.setdefault(reason, example[:LONGEST_WORD])

    def remark(self, about: str, says: str, *, certain: bool = True) -> None:
        """Keep a sentence about how the file was read; the same sentence once."""
        found = Remark(about, says, certain)
        if found not in self._remarks:
            self._remarks.append(found)

    def metric(self, name: str, *, lower_is_better: bool) -> None:
        """Say of a metric which direction is better, where the tool knows."""
        self._metrics[name] = Metric(name, lower_is_better)

    def role(self, column: str, role: str) -> None:
        """Say what a column is that is no system and no metric."""
        self._roles[column] = role

    def records(self, **settings: Any) -> Records:
        """Return the Records; `settings` are fields of Records such as ids_from and named_systems."""
        rows = len(self._values)
        columns = {name: _coded(index, codes, rows) for name, (index, codes) in self._words.items()}
        values = np.array(self._values, dtype=np.float64)
        reasons, raw = self._read_texts(values, columns)
        hashes = np.array(self._hashes, dtype=np.uint64)
        built = Records(
            case=columns["case"],
            system=columns["system"],
            metric=columns["metric"],
            value=values,
            reason=Coded.of(reasons),
            place=np.array(self._places, dtype=np.int64),
            file=np.zeros(rows, dtype=np.int16),
            further={n: columns[n] for n in FURTHER if n != "raw" and columns[n].words} | _if_any("raw", Coded.of(raw)),
            extra={name: _coded(index, codes, rows) for name, (index, codes) in self._extra.items()},
            input_hash=hashes if hashes.any() else None,
            metrics=self._metrics,
            roles=self._roles,
            aside=tuple(Aside(r, tuple(p), self._examples[r], self._read.name) for r, p in self._aside.items()),
            remarks=tuple(self._remarks),
            read=(self._read,),
        )
        return finished(dataclasses.replace(built, **settings))

    def _read_texts(
        self, values: NDArray[np.float64], columns: Mapping[str, Coded]
    ) -> tuple[list[str | None], list[str | None]]:
        """Read the values that were given as text, metric by metric, into `values`."""
        reasons, raw = columns["reason"].texts(), columns["raw"].texts()
        metrics = columns["metric"].codes.tolist()
        words: dict[int, set[str]] = defaultdict(set)
        for metric, text in zip(metrics, self._texts, strict=True):
            if text is not None:
                words[metric].add(text)
        letters = {metric: letters_of(found) for metric, found in words.items()}
        known: dict[tuple[int, str], tuple[float, str | None]] = {}
        for row, text in enumerate(self._texts):
            if reasons[row] is not None:
                values[row] = math.nan
            elif text is not None:
                key = (metrics[row], text)
                if key not in known:
                    known[key] = read_cell(text, letters=letters[metrics[row]])
                values[row], reasons[row] = known[key]
                raw[row] = None if reasons[row] is None else text
        return reasons, raw


def finished(records: Records, *, codes: Sequence[float] = CODES) -> Records:
    """Do what all records need: codes for no value, plain ids, directions of metrics, doubled ids; and say it."""
    records = _without_codes(records, codes)
    records, remarks = _with_plain_ids(records)
    metrics = {name: records.metrics.get(name) or Metric(name, is_lower_better(name)) for name in _ordered(records)}
    lower = [name for name, metric in metrics.items() if metric.lower_is_better]
    if lower:
        names = ", ".join(f"'{name}'" for name in lower)
        remarks.append(
            Remark("direction", f"Lower is better: {names}.", all(name in records.metrics for name in lower))
        )
    twice = records.doubled()
    if twice:
        remarks.append(Remark("doubled", f"{len(twice)} cases have more than one record of a system: {listed(twice)}."))
    return dataclasses.replace(records, metrics=metrics, remarks=(*records.remarks, *remarks))


def with_failed(records: Records, failed: Collection[str]) -> Records:
    """Count as 0 what the user said is a failure of the system: by its reason or its word, in lower case."""
    columns = [records.reason, *(records.further[name] for name in ("raw", "error") if name in records.further)]
    hit = np.zeros(len(records), dtype=np.bool_)
    for column in columns:
        for word in column.words:
            if word.strip().casefold() in failed:
                hit |= column.where(word)
    hit &= records.reason.present() & ~records.reason.where(Reason.NO_CASE)
    if not hit.any():
        return records
    reason = Coded(np.where(hit, ABSENT, records.reason.codes).astype(np.int32), records.reason.words)
    says = (
        f"{np.count_nonzero(hit)} records without a value ({', '.join(sorted(failed))}) count as failed, as was asked."
    )
    return dataclasses.replace(
        records,
        value=np.where(hit, 0.0, records.value),
        reason=reason,
        remarks=(*records.remarks, Remark("failed", says)),
    )


def _without_codes(records: Records, allowed: Sequence[float]) -> Records:
    values, remarks = records.value, []
    reasons = records.reason.codes.copy()
    words = (
        (*records.reason.words, str(Reason.CODE)) if Reason.CODE not in records.reason.words else records.reason.words
    )
    code_of = words.index(Reason.CODE)
    for code, metric in enumerate(records.metric.words):
        mine = records.metric.codes == code
        found = [number for number in codes_in(values[mine]) if number in allowed]
        hit = mine & np.isin(values, found)
        if hit.any():
            values = np.where(hit, np.nan, values)
            reasons[hit] = code_of
            named = ", ".join(f"{number:g}" for number in found)
            remarks.append(
                Remark(
                    "code",
                    f"{np.count_nonzero(hit)} values of '{metric}' are {named}, below all others: taken as no value.",
                    False,
                )
            )
    if not remarks:
        return records
    return dataclasses.replace(
        records, value=values, reason=Coded(reasons, words), remarks=(*records.remarks, *remarks)
    )


def _with_plain_ids(records: Records) -> tuple[Records, list[Remark]]:
    plain = plain_ids(records.case.words)
    changed = [name for name, form in plain.items() if form != name]
    if not changed:
        return records, []
    shown = ", ".join(ascii(name) for name in changed[:3])
    says = f"{len(changed)} ids were compared without blanks and signs that cannot be seen ({shown})."
    return dataclasses.replace(records, case=records.case.renamed(plain)), [Remark("ids", says)]


def _ordered(records: Records) -> list[str]:
    """Return the metrics: those that were named first, then in the order of the file."""
    return [*records.metrics, *(name for name in records.metric.words if name not in records.metrics)]


def is_lower_better(metric: str) -> bool:
    """Whether a metric of this name is better when it is lower."""
    folded = metric.casefold().replace(" ", "_").replace("-", "_").split("[")[0].strip("_")
    return folded in LOWER_IS_BETTER or folded.removesuffix("_score") in LOWER_IS_BETTER


def join(parts: Sequence[Records]) -> Records:
    """Put the records of several files together."""
    # Where two files have the same system with cases in common, they are two versions of it: each gets the name of its
    # file. Without common cases they are parts of one set.
    if len(parts) == 1:
        return parts[0]
    if not parts:
        raise RecordsError("No file of results was given.")
    parts, remarks = _of_one_metric(*_told_apart(parts))
    offsets = np.cumsum([0, *(len(part.read) for part in parts)])
    names = _in_order(part.further for part in parts), _in_order(part.extra for part in parts)
    further, extra = (
        {name: Coded.joined([_column(part, kind, name) for part in parts]) for name in found}
        for kind, found in zip(("further", "extra"), names, strict=True)
    )
    hashes = None
    if any(part.input_hash is not None for part in parts):
        hashes = np.concatenate([np.zeros(len(p), np.uint64) if p.input_hash is None else p.input_hash for p in parts])
    return Records(
        case=Coded.joined([part.case for part in parts]),
        system=Coded.joined([part.system for part in parts]),
        metric=Coded.joined([part.metric for part in parts]),
        value=np.concatenate([part.value for part in parts]),
        reason=Coded.joined([part.reason for part in parts]),
        place=np.concatenate([part.place for part in parts]),
        file=np.concatenate([part.file + np.int16(first) for part, first in zip(parts, offsets[:-1], strict=True)]),
        further=further,
        extra=extra,
        input_hash=hashes,
        metrics={name: metric for part in parts for name, metric in part.metrics.items()},
        roles={name: role for part in parts for name, role in part.roles.items()},
        aside=tuple(aside for part in parts for aside in part.aside),
        remarks=(*_said_once(parts), *remarks),
        read=tuple(file for part in parts for file in part.read),
        ids_from=next((p.ids_from for p in parts if p.ids_from != "column"), "column"),
        named_systems=all(part.named_systems for part in parts),
    )


def _said_once(parts: Sequence[Records]) -> list[Remark]:
    """Return what was remarked, and of what several files have alike, how many they are."""
    times = Counter(remark for part in parts for remark in dict.fromkeys(part.remarks))
    return [
        dataclasses.replace(remark, says=f"{remark.says.removesuffix('.')} (in {many} files).") if many > 1 else remark
        for remark, many in times.items()
    ]


def _in_order(names: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(name for found in names for name in found))


def _column(part: Records, kind: str, name: str) -> Coded:
    columns: Mapping[str, Coded] = getattr(part, kind)
    return columns[name] if name in columns else Coded.empty(len(part))


def _told_apart(parts: Sequence[Records]) -> tuple[list[Records], list[Remark]]:
    cases: dict[str, list[tuple[int, set[str]]]] = defaultdict(list)
    for number, part in enumerate(parts):
        for system in part.systems:
            mine = part.case.take(part.system.where(system)).words
            cases[system].append((number, set(mine)))
    renamed: dict[int, dict[str, str | None]] = defaultdict(dict)
    remarks = []
    for system, found in cases.items():
        shared = any(a & b for i, (_, a) in enumerate(found) for _, b in found[i + 1 :])
        if len(found) > 1 and shared:
            new = _file_names([parts[number].read[0].name for number, _ in found], system)
            for (number, _), name in zip(found, new, strict=True):
                renamed[number][system] = name
            remarks.append(
                Remark("system", f"'{system}' stands in {len(found)} files: told apart as {', '.join(new)}.", False)
            )
    return [
        dataclasses.replace(part, system=part.system.renamed(renamed[number])) if renamed[number] else part
        for number, part in enumerate(parts)
    ], remarks


def _of_one_metric(parts: list[Records], remarks: list[Remark]) -> tuple[list[Records], list[Remark]]:
    """Take the only metric of each file for the same, where they bear different names."""
    names = [next(iter(part.metrics)) for part in parts if len(part.metrics) == 1]
    if len(names) < len(parts) or len(set(names)) == 1:
        return parts, remarks
    first = parts[0].metrics[names[0]]
    said = ", ".join(f"'{name}' of {part.read[0].name}" for name, part in zip(names, parts, strict=True))
    remarks.append(Remark("metric", f"Taken for the same metric: {said}.", False))
    return [
        dataclasses.replace(part, metric=part.metric.renamed({name: first.name}), metrics={first.name: first})
        for name, part in zip(names, parts, strict=True)
    ], remarks


def _file_names(files: Sequence[str], system: str) -> list[str]:
    """Return a name for the same system in each file, with a number where the files are called alike."""
    stems = [stem_of(file) for file in files]
    base = [stem if stem == system else f"{system} ({stem})" for stem in stems]
    if len(set(base)) == len(base):
        return base
    times = Counter(base)
    return [f"{name} {place}" if times[name] > 1 else name for place, name in enumerate(base, start=1)]


def stem_of(file: str) -> str:
    """Return the name of a file without folder and endings."""
    name = file.replace("\\", "/").rsplit("/", 1)[-1]
    stem = name
    for ending in (".gz", ".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".eval", ".parquet"):
        stem = stem[: -len(ending)] if stem.lower().endswith(ending) and len(stem) > len(ending) else stem
    return stem or name


def text_hash(text: str) -> int:
    """Return a number that tells one text from another; blanks at the ends and the form of Unicode do not matter."""
    plain = text.strip() if text.isascii() else next(iter(plain_ids([text]).values()))
    return int.from_bytes(hashlib.blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=8).digest()) or 1


def _split(value: Any) -> tuple[float, str | None]:
    """Return a number as itself, and anything else as text that is read later."""
    if isinstance(value, bool):
        return float(value), None
    if isinstance(value, int | float):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        return (number, None) if math.isfinite(number) else (math.nan, str(number))
    return math.nan, "null" if value is None else str(value)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else "null" if value is None else str(value)
    return text if len(text) <= LONGEST_WORD else f"{text[:LONGEST_WORD]}…"


def _coded(index: Mapping[str, int], codes: Collection[int], rows: int) -> Coded:
    column = np.full(rows, ABSENT, dtype=np.int32)
    column[: len(codes)] = list(codes)
    return Coded(column, tuple(index))


def _if_any(name: str, column: Coded) -> dict[str, Coded]:
    return {name: column} if column.words else {}
