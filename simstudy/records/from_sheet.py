"""A table becomes Records: which column is what, long or wide, totals and headers within, runs in ids."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.cells import CODES, Reason, has_decimal_comma, letters_of, read_cell, read_error
from simstudy.records.coded import ABSENT, Coded, Index
from simstudy.records.ids import is_total, runs_in_ids
from simstudy.records.natural_order import listed, natural_key
from simstudy.records.pair_verdicts import tally
from simstudy.records.read_options import ReadOptions
from simstudy.records.records import Aside, Metric, ReadFile, Records, Remark, finished, is_lower_better, text_hash
from simstudy.records.roles import CASE_NAMES, SYSTEM_NAMES, VALUE_NAMES, Role, are_counts, folded, is_exact, role_of
from simstudy.records.sheet import Sheet

ENOUGH = 0.6
"""Share of the filled cells of a column that have to be readable for it to be one of values."""
MANY_SYSTEMS = 5
"""Columns of values that are systems, from which on others like them are systems too, whatever words they hold."""
UNLIKE = 20
"""Times by which the largest value of one system may exceed that of another before they are doubted to be systems."""
LAYOUTS = ("long", "wide")
PLAIN_FURTHER = {
    Role.FAMILY: "family",
    Role.CRITICAL: "critical",
    Role.LABEL: "label",
    Role.FIRST: "first",
    Role.SECOND: "second",
    Role.VERDICT: "verdict",
}


@dataclass(frozen=True)
class Values:
    """A column read as values: a number per row, and the reason where there is none."""

    numbers: NDArray[np.float64]
    reason: Coded
    share: float  # of the filled cells that say a value or a known reason for none
    some: bool  # whether there is a value at all


@dataclass
class Plan:
    """Which column plays which part."""

    layout: str
    case: str | None = None
    system: str | None = None
    values: list[str] = field(default_factory=list)  # metrics, or the systems of a wide table
    run: str | None = None
    cluster: str | None = None
    input: str | None = None
    further: dict[str, str] = field(default_factory=dict)  # of Records.further: the column
    errors: list[str] = field(default_factory=list)
    ids_from: str = "column"
    remarks: list[Remark] = field(default_factory=list)

    def parts(self) -> set[str]:
        """Columns that play a part."""
        single = (self.case, self.system, self.run, self.cluster, self.input)
        return {name for name in single if name is not None} | set(self.values) | set(self.further.values())


def may_matter(options: ReadOptions) -> Callable[[str], bool]:
    """Return which columns of a large table are kept however many different words they hold."""
    asked = {name for name in options.named().values() if name} | {*options.systems, *options.columns}
    passed = {Role.TEXT, Role.COST, Role.LATENCY, Role.TIME, Role.COUNT}

    def keep(name: str) -> bool:
        role = role_of(name)
        return name in asked or name == options.metric or (role is not None and role not in passed)

    return keep


def records_of_sheet(sheet: Sheet, file: ReadFile, stem: str, options: ReadOptions) -> Records:
    """Bring a table to Records; `stem` names the system of a table that holds only one."""
    _check_asked(sheet, options)
    if not len(sheet):
        raise RecordsError(f"{sheet.name} has a header and no rows: there is no case in it.")
    sheet = _without_headers(sheet)
    comma = has_decimal_comma({word for column in sheet.columns.values() for word in column.words[:1000]})
    reader = _Reader(sheet, options, comma)
    plan = _Planner(sheet, options, reader).plan(stem)
    if comma:
        plan.remarks.append(Remark("decimal", "Numbers are written with a comma: 0,375 was read as 0.375.", False))
    sheet, reader = _without_totals(*_without_nameless(sheet, plan, reader), plan)
    return _built(sheet, plan, reader, file, stem, options)


class _Reader:
    """Reads columns as values, each once."""

    def __init__(self, sheet: Sheet, options: ReadOptions, comma: bool) -> None:
        self.sheet, self.options, self.comma = sheet, options, comma
        self._known: dict[str, Values] = {}

    def values(self, name: str) -> Values:
        """Return the values of a column."""
        if name not in self._known:
            self._known[name] = self._read(self.sheet.columns[name])
        return self._known[name]

    def _read(self, column: Coded) -> Values:
        letters = letters_of(column.words[:100])
        read = [read_cell(word, decimal_comma=self.comma, letters=letters) for word in column.words]
        numbers = np.array([found.value for found in read] + [np.nan])[column.codes]
        index = Index()
        reasons = [ABSENT if found.reason is None else index[str(found.reason)] for found in read]
        codes = np.array([*reasons, index[str(Reason.MISSING)]], dtype=np.int32)[column.codes]
        times = np.bincount(column.codes[column.present()], minlength=len(read))
        filled = int(times.sum())
        known = np.array([found.reason != Reason.NOT_A_VALUE for found in read], dtype=np.bool_)
        some = any(found.reason is None for found in read)
        return Values(numbers, Coded(codes, tuple(index)), float(times[known].sum()) / filled if filled else 0.0, some)

    def readable(self, name: str) -> bool:
        """Whether a column can be one of values."""
        values = self.values(name)
        return values.some and values.share >= ENOUGH


def _check_asked(sheet: Sheet, options: ReadOptions) -> None:
    if options.layout is not None and options.layout not in LAYOUTS:
        raise UnknownNameError("layout", options.layout, LAYOUTS)
    named = {part: name for part, name in options.named().items() if name is not None}
    for part, name in named.items():
        if name not in sheet.columns:
            raise UnknownNameError(f"column for {part}_column", name, sheet.columns)
    if len(set(named.values())) < len(named):
        raise RecordsError("One column was named for two parts; every part needs its own column.")
    if are_counts(list(sheet.columns)) and len(sheet) == 1:
        shown = ",".join(column.words[0] if column.words else "" for column in sheet.columns.values())
        raise RecordsError(f"{sheet.name} holds counts and no cases; use --counts {shown}.")


class _Planner:
    """Finds out which column is what, and says it."""

    def __init__(self, sheet: Sheet, options: ReadOptions, reader: _Reader) -> None:
        self.sheet, self.options, self.reader = sheet, options, reader
        self.named = options.named()
        self.roles: dict[str, Role | None] = {name: role_of(name) for name in sheet.columns}
        for part, name in self.named.items():
            if name is not None:
                self.roles[name] = Role("metric" if part == "value" else part)
        for name in options.systems:
            if name in self.roles:
                self.roles[name] = None
        self.remarks: list[Remark] = []

    def plan(self, stem: str) -> Plan:
        """Return the plan for a table."""
        system = None if self.options.layout == "wide" else self._named_or("system", Role.SYSTEM, SYSTEM_NAMES)
        if system is not None and self.options.systems and self._are_columns(self.options.systems):
            system = None
        if self.options.layout == "wide" and (self.named["system"] or self.named["value"]):
            raise RecordsError("system_column and value_column belong to a long file, and layout is wide.")
        if self.options.layout == "long" and system is None and not self._metrics():
            raise RecordsError(f"{self.sheet.name} has no column of systems; name it as system_column.")
        plan = Plan("long" if system is not None else "wide", system=system)
        plan.run = self._named_or("run", Role.RUN, ())
        plan.cluster = self._named_or("cluster", Role.CLUSTER, ())
        plan.input = next((name for name, role in self.roles.items() if role is Role.INPUT), None)
        self._case(plan)
        self._values(plan)
        self._judges(plan)
        plan.errors = [
            n for n, role in self.roles.items() if role in (Role.ERROR, Role.STATUS) and not self._fractions(n)
        ]
        if not plan.values and not plan.further:
            raise RecordsError(
                f"{self.sheet.name} has no column of values (0 or 1, true or false, pass or fail, a score). "
                f"Columns: {', '.join(list(self.sheet.columns)[:20])}."
            )
        if len(self.sheet.columns) > 1 and plan.cluster is None:
            self._groups(plan)
        plan.remarks = self.remarks
        if plan.layout == "wide" and not self.options.systems:
            self._doubt_systems(plan.values)
            self._name_empty(plan)
        if plan.system is None and plan.values and plan.layout == "long":
            self.remarks.append(
                Remark("system", f"The file holds one system, which was called '{stem}' after it.", False)
            )
        return plan

    def _doubt_systems(self, names: Sequence[str]) -> None:
        """Say that columns were taken for systems where their values differ so much that they may be none."""
        found = {name: self.reader.values(name).numbers for name in names}
        sizes = {name: float(np.nanmax(np.abs(v), where=~np.isin(v, CODES), initial=0)) for name, v in found.items()}
        least, most = min(sizes, key=sizes.__getitem__, default=""), max(sizes, key=sizes.__getitem__, default="")
        if sizes and sizes[most] > UNLIKE * sizes[least] > 0:
            says = (
                f"The columns taken for systems hold values of very different size ('{least}' up to {sizes[least]:g}, "
                f"'{most}' up to {sizes[most]:g}): perhaps they are none; name those that are (--system-a, --system-b)."
            )
            self.remarks.append(Remark("system", says, False))

    def _name_empty(self, plan: Plan) -> None:
        """Name the columns beside those of the systems that may be systems too, and hold no value at all."""
        taken = plan.parts()
        free = [name for name, role in self.roles.items() if role is None and name not in taken]
        found = {name: self.reader.values(name) for name in free}
        empty = [n for n, v in found.items() if not v.some and (v.share >= ENOUGH or not self.sheet.columns[n].words)]
        if empty and plan.values:
            says = f"Not taken for systems, because they hold no value: {listed(repr(name) for name in empty)}."
            self.remarks.append(Remark("system", says, False))

    def _named_or(self, part: str, role: Role, order: tuple[str, ...]) -> str | None:
        if self.named[part] is not None:
            return self.named[part]
        found = [name for name, its in self.roles.items() if its is role]
        if not found:
            return None
        taken = min(found, key=lambda name: order.index(folded(name).rsplit(".", 1)[-1])) if order else found[0]
        self._guess(part, taken, [name for name in found if name != taken])
        return taken

    def _guess(self, part: str, taken: str, others: list[str]) -> None:
        rest = f" (not {listed(repr(name) for name in others)})" if others else ""
        self.remarks.append(
            Remark(
                "value" if part == "value" else "column",
                f"The {part} was taken from the column '{taken}'{rest}: a guess from its name.",
                False,
            )
        )

    def _are_columns(self, names: tuple[str, ...]) -> bool:
        return all(name in self.sheet.columns for name in names)

    def _case(self, plan: Plan) -> None:
        if self.named["case"] is not None:
            plan.case = self.named["case"]
            return
        usual = [name for name in self.sheet.columns if folded(name) in CASE_NAMES and self._is_id(name, plan)]
        if usual:
            plan.case = min(usual, key=lambda name: CASE_NAMES.index(folded(name)))
            self.roles[plan.case] = Role.CASE
            self._guess("case", plan.case, [name for name in usual if name != plan.case])
            plan.ids_from = "text" if plan.case == plan.input and self._is_text(plan.case) else "column"
            return
        plan.case = next((name for name in self.sheet.columns if self._could_be_case(name, plan)), None)
        if plan.case is not None and plan.system is None:
            self._refuse_totals()
        if plan.case is not None:
            plan.ids_from = "text" if self._is_text(plan.case) else "column"
            self.remarks.append(
                Remark(
                    "column",
                    f"The case was taken from the column '{plan.case}', whose cells all differ: a guess.",
                    False,
                )
            )
            return
        if plan.layout == "long" and self._is_one_row_each(plan):
            raise RecordsError(
                f"{self.sheet.name} holds one row per system and no cases: paired evidence is gone. With the "
                "numbers of cases, compare unpaired: --counts X/N,Y/M."
            )
        if plan.layout == "long":
            raise RecordsError(
                f"{self.sheet.name} has no column that names the case ({', '.join(CASE_NAMES[:8])}, ...); name it as "
                f"case_column. Columns: {', '.join(list(self.sheet.columns)[:20])}."
            )
        plan.ids_from = "lines"
        self.remarks.append(
            Remark("ids", "No column names the case: every line was taken as a case of its own.", False)
        )

    def _is_id(self, name: str, plan: Plan) -> bool:
        """Whether a column that is called like an id can be one: filled, and not a task that all cases share."""
        column = self.sheet.columns[name]
        sure = folded(name).endswith("id") or folded(name) in ("case", "item")
        several = sure or len(column.words) > 1 or len(self.sheet) == 1 or plan.layout == "long"
        return name not in (plan.system, plan.run, plan.cluster) and bool(column.words) and several

    def _is_text(self, name: str) -> bool:
        words = self.sheet.columns[name].words[:200]
        return sum(" " in word for word in words) > len(words) / 2

    def _could_be_case(self, name: str, plan: Plan) -> bool:
        column = self.sheet.columns[name]
        if self.roles[name] not in (None, Role.INPUT, Role.TEXT, Role.CASE) or name in plan.parts() - {plan.input}:
            return False
        if name in self.options.systems or not column.present().all():
            return False
        if self.roles[name] is None and self.reader.readable(name) and not self._could_be_numbered(name):
            return False
        if plan.system is None:
            return len(column.words) == len(self.sheet) > 1
        systems = self.sheet.columns[plan.system]
        pairs = np.unique(column.codes.astype(np.int64) * (len(systems.words) + 1) + systems.codes)
        return len(pairs) == len(self.sheet) and len(column.words) > 1 and len(systems.words) < len(self.sheet)

    def _fractions(self, name: str) -> bool:
        """Whether a column holds numbers with a point: a rate of errors is no column of errors."""
        return self.reader.readable(name) and any("." in word for word in self.sheet.columns[name].words)

    def _could_be_numbered(self, name: str) -> bool:
        """Whether the numbers of a column can be ids: whole, and not right and wrong alone."""
        column = self.sheet.columns[name]
        return not any("." in word for word in column.words) and len(column.words) > 2

    def _refuse_totals(self) -> None:
        """Refuse rows that have a standard error each: they are means over cases."""
        spread = next((n for n, role in self.roles.items() if role is Role.SPREAD and self.reader.readable(n)), None)
        if spread is not None and self._metrics():
            raise RecordsError(
                f"{self.sheet.name} has a column '{spread}': each of its rows seems to be a total over cases, and "
                "paired evidence is gone. With the numbers of cases, compare unpaired: --counts X/N,Y/M; if the rows "
                "are cases, name their column as case_column."
            )

    def _is_one_row_each(self, plan: Plan) -> bool:
        systems = self.sheet.columns[plan.system or ""]
        return len(systems.words) == len(self.sheet)

    def _metrics(self) -> list[str]:
        if self.named["value"] is not None:
            return [self.named["value"]]
        found = [name for name, role in self.roles.items() if role is Role.METRIC and self.reader.readable(name)]
        return sorted(found, key=_by_value_name)

    def _free(self, plan: Plan) -> list[str]:
        """Return the readable columns whose name says nothing."""
        taken = plan.parts()
        return [n for n, role in self.roles.items() if role is None and n not in taken and self.reader.readable(n)]

    def _named_by_chance(self, plan: Plan, free: list[str]) -> list[str]:
        """Return columns that are like many others, and have a word in their name that elsewhere says what they are."""
        if len(free) < MANY_SYSTEMS:
            return []
        numbers = np.concatenate([self.reader.values(name).numbers for name in free])
        low, high = np.nanmin(numbers), np.nanmax(numbers)
        taken = plan.parts()
        names = [n for n, role in self.roles.items() if role is not None and n not in taken and not is_exact(n)]
        alike = [n for n in names if self.reader.readable(n) and self._within(n, float(low), float(high))]
        if alike:
            says = (
                f"Taken for systems, because they hold values like the others: {listed(repr(name) for name in alike)}."
            )
            self.remarks.append(Remark("system", says, False))
        return alike

    def _within(self, name: str, low: float, high: float) -> bool:
        numbers = self.reader.values(name).numbers
        return bool(np.nanmin(numbers) >= low and np.nanmax(numbers) <= high)

    def _values(self, plan: Plan) -> None:
        asked = self._are_columns(self.options.systems) and bool(self.options.systems) and plan.system is None
        metrics = [] if asked or (self.options.layout == "wide" and self._free(plan)) else self._metrics()
        free = [name for name in self._free(plan) if name not in metrics]
        if plan.system is None and not asked and not any(map(is_exact, metrics)):
            alike = self._named_by_chance(plan, free)
            if alike:
                metrics, free = [], [name for name in self.sheet.columns if name in {*free, *alike}]
        if self.options.metric in self.sheet.columns and self.options.metric not in metrics and not asked:
            metrics = [self.options.metric or "", *metrics]
        if asked:
            plan.values = [*dict.fromkeys([*self.options.systems, *free])]
        elif metrics:
            plan.values = [*metrics, *(name for name in free if name not in metrics)]
            if plan.system is not None and self.named["value"] is not None:
                plan.values = metrics
            if self.named["value"] is None:
                self._guess("value", plan.values[0], plan.values[1:])
            plan.layout = "long"
        else:
            plan.values = free
            if plan.system is not None:
                plan.layout = "long"

    def _judges(self, plan: Plan) -> None:
        """Give label, verdict and judge their columns; a judge is a name, or says verdicts itself."""
        taken = plan.parts()
        for name, role in self.roles.items():
            if name in taken or role is None:
                continue
            part = PLAIN_FURTHER.get(role)
            if role is Role.JUDGE:
                part = "verdict" if self.reader.readable(name) and len(self.sheet.columns[name].words) > 1 else "judge"
            if part is not None and part not in plan.further:
                plan.further[part] = name

    def _groups(self, plan: Plan) -> None:
        taken = plan.parts()
        groups = [name for name, role in self.roles.items() if role is Role.GROUP and name not in taken]
        if groups:
            self.remarks.append(
                Remark(
                    "cluster",
                    f"Cases were taken as independent; if {listed(repr(name) for name in groups)} marks cases that "
                    "share a source, name it (--cluster).",
                    False,
                )
            )


def _by_value_name(name: str) -> tuple[int, int]:
    last = folded(name).rsplit(".", 1)[-1]
    return (VALUE_NAMES.index(last) if last in VALUE_NAMES else len(VALUE_NAMES), 0)


def _rows(sheet: Sheet, kept: NDArray[np.bool_], reason: str, example: str) -> Sheet:
    """Return the table without some rows, which are counted under a reason."""
    aside = {name: list(found) for name, found in sheet.aside.items()}
    aside.setdefault(reason, []).extend((place, example) for place in sheet.places[~kept].tolist())
    columns = {name: column.take(kept) for name, column in sheet.columns.items()}
    return dataclasses.replace(sheet, columns=columns, places=sheet.places[kept], aside=aside)


def _without_headers(sheet: Sheet) -> Sheet:
    again = np.ones(len(sheet), dtype=np.bool_)
    for name, column in sheet.columns.items():
        again &= column.where(name)
    return sheet if not again.any() else _rows(sheet, ~again, "the header again", ", ".join(sheet.columns))


def _without_nameless(sheet: Sheet, plan: Plan, reader: _Reader) -> tuple[Sheet, _Reader]:
    """Leave out rows that name no system, where others do."""
    named = np.ones(len(sheet), dtype=np.bool_) if plan.system is None else sheet.columns[plan.system].present()
    if named.all() or not named.any():
        return sheet, reader
    sheet = _rows(sheet, named, "no system is named", "")
    return sheet, _Reader(sheet, reader.options, reader.comma)


def _without_totals(sheet: Sheet, reader: _Reader, plan: Plan) -> tuple[Sheet, _Reader]:
    """Leave out rows of totals, which stand at the end."""
    while plan.case is not None and plan.values and len(sheet) > 2:
        case = sheet.columns[plan.case]
        word = case.codes[-1]
        if word == ABSENT:
            break
        above, own, sums = [], [], []
        same = np.ones(len(sheet), dtype=np.bool_)
        if plan.system is not None:
            systems = sheet.columns[plan.system]
            same = np.asarray(systems.codes == systems.codes[-1])
        same[-1] = False
        for name in plan.values:
            numbers = reader.values(name).numbers
            rest = numbers[same & ~np.isnan(numbers)]
            with np.errstate(over="ignore"):
                above.append(float(rest.mean()) if len(rest) else np.nan)
                sums.append(float(rest.sum()) if len(rest) else np.nan)
            own.append(float(numbers[-1]))
        if not is_total(case.words[word], own, above, sums):
            break
        kept = np.ones(len(sheet), dtype=np.bool_)
        kept[-1] = False
        sheet = _rows(sheet, kept, "a total of the rows above", case.words[word])
        reader = _Reader(sheet, reader.options, reader.comma)
    return sheet, reader


def _built(sheet: Sheet, plan: Plan, reader: _Reader, file: ReadFile, stem: str, options: ReadOptions) -> Records:
    """Make the records: metrics one below the other, or systems."""
    rows = len(sheet)
    wide = plan.layout == "wide" and bool(plan.values)
    times = max(len(plan.values), 1)

    def tiled(column: Coded) -> Coded:
        return Coded(np.tile(column.codes, times), column.words)

    case = sheet.columns[plan.case] if plan.case is not None else Coded.of(f"line {p}" for p in sheet.places.tolist())
    blocks = Coded(np.repeat(np.arange(len(plan.values), dtype=np.int32), rows), tuple(plan.values))
    if wide:
        system, metric = blocks, Coded.same("value", rows * times)
    else:
        one = sheet.columns[plan.system] if plan.system is not None else Coded.same(stem, rows)
        system, metric = tiled(one), blocks if plan.values else Coded.empty(rows)
    values, reason, raw = _read_values(sheet, plan, reader)
    parts = plan.parts()
    further = {part: tiled(sheet.columns[name]) for part, name in plan.further.items()}
    if raw.words:
        further["raw"] = raw
    for part, name in (("run", plan.run), ("cluster", plan.cluster)):
        if name is not None:
            further[part] = tiled(sheet.columns[name])
    error = next((name for name in plan.errors if sheet.columns[name].words), None)
    if error is not None:
        further["error"] = tiled(sheet.columns[error])
        parts.add(error)
    case, run, remarks = _split_ids(case, plan, options)
    if run is not None:
        further["run"] = tiled(run)
    if {"first", "second", "verdict"} <= further.keys() and not plan.values:
        remarks.append(Remark("verdicts", tally(further["first"], further["second"], further["verdict"]).says()))
    missing = tiled(case).codes == ABSENT
    if missing.any():
        values, reason = _no_case(values, reason, missing)
    metrics = {} if wide else {n: Metric(n, is_lower_better(n)) for n in plan.values}
    built = Records(
        case=tiled(case),
        system=system,
        metric=metric,
        value=values,
        reason=reason,
        place=np.tile(sheet.places, times),
        file=np.zeros(rows * times, dtype=np.int16),
        further=further,
        extra={name: tiled(column) for name, column in sheet.columns.items() if name not in parts},
        input_hash=_hashes(sheet, plan, times),
        metrics=_first(metrics, options.metric),
        roles=_roles(sheet, plan),
        aside=tuple(_asides(sheet)),
        remarks=(*plan.remarks, *remarks),
        read=(file,),
        ids_from=plan.ids_from,
        named_systems=wide or plan.system is not None,
    )
    return finished(built, codes=options.codes)


def _hashes(sheet: Sheet, plan: Plan, times: int) -> NDArray[np.uint64] | None:
    if plan.input is None or plan.input == plan.case:
        return None
    column = sheet.columns[plan.input]
    return np.tile(np.array([*map(text_hash, column.words), 0], dtype=np.uint64)[column.codes], times)


def _first(metrics: Mapping[str, Metric], asked: str | None) -> dict[str, Metric]:
    return dict(sorted(metrics.items(), key=lambda item: item[0] != asked))


def _asides(sheet: Sheet) -> Iterator[Aside]:
    for reason, found in sheet.aside.items():
        yield Aside(reason, tuple(place for place, _ in found), found[0][1] if found else "", sheet.name)


def _roles(sheet: Sheet, plan: Plan) -> dict[str, str]:
    used = set(plan.values)
    roles = {name: role_of(name) for name in sheet.columns if name not in used}
    return {name: str(role) for name, role in roles.items() if role is not None} | dict.fromkeys(sheet.texts, "text")


def _read_values(sheet: Sheet, plan: Plan, reader: _Reader) -> tuple[NDArray[np.float64], Coded, Coded]:
    """Return values, reasons and what stood where there is no value, for all columns of values one below the other."""
    rows = len(sheet)
    failing = _errors(sheet, plan)
    if not plan.values:
        return np.full(rows, np.nan), failing, Coded.empty(rows)
    numbers, reasons, raws = [], [], []
    for name in plan.values:
        read = reader.values(name)
        value, reason = read.numbers, read.reason
        broken = failing.present()
        if broken.any():
            joined = Coded.joined([reason, failing])
            reason = Coded(np.where(broken, joined.codes[rows:], joined.codes[:rows]), joined.words)
            value = np.where(broken, np.nan, value)
        column = sheet.columns[name]
        raw = Coded(np.where(reason.present(), column.codes, ABSENT).astype(np.int32), column.words)
        numbers.append(value)
        reasons.append(reason)
        raws.append(raw.take(np.ones(rows, dtype=np.bool_)))
    return np.concatenate(numbers), Coded.joined(reasons), Coded.joined(raws)


def _errors(sheet: Sheet, plan: Plan) -> Coded:
    """Return the reason of every row that reports an error in a column of errors or of states."""
    found = Coded.empty(len(sheet))
    for name in plan.errors:
        column = sheet.columns[name]
        state = role_of(name) is Role.STATUS
        words = {word: _state(word) if state else read_error(word) for word in column.words}
        mine = column.renamed({word: None if reason is None else str(reason) for word, reason in words.items()})
        joined = Coded.joined([found, mine])
        first, second = joined.codes[: len(sheet)], joined.codes[len(sheet) :]
        found = Coded(np.where(first == ABSENT, second, first), joined.words)
    return found


def _state(word: str) -> Reason | None:
    """Return the reason that a state such as "timeout" gives; states of success and of failure give none."""
    reason = read_cell(word).reason
    return reason if reason in (Reason.ERROR, Reason.TIMEOUT, Reason.SKIPPED, Reason.REFUSAL) else None


def _split_ids(case: Coded, plan: Plan, options: ReadOptions) -> tuple[Coded, Coded | None, list[Remark]]:
    split = runs_in_ids(case.words) if options.split_ids and plan.run is None and plan.case is not None else None
    if split is None:
        return case, None, []
    repeated = min((name for name, run in split.values() if run != "0"), key=natural_key)
    example = listed([name for name, (parent, _) in split.items() if parent == repeated])
    remark = Remark(
        "runs",
        f"Ids such as {example} were taken as the runs of one case: a guess; --no-split-ids keeps every id as a "
        "case of its own.",
        False,
    )
    return (
        case.renamed({name: parent for name, (parent, _) in split.items()}),
        case.renamed({name: run for name, (_, run) in split.items()}),
        [remark],
    )


def _no_case(
    values: NDArray[np.float64], reason: Coded, missing: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], Coded]:
    joined = Coded.joined([reason, Coded.same(str(Reason.NO_CASE), len(values))])
    codes = np.where(missing & ~reason.present(), joined.codes[len(values) :], joined.codes[: len(values)])
    return np.where(missing, np.nan, values), Coded(codes.astype(np.int32), joined.words)
