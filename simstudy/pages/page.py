"""Results as a researcher reads them: tables in plain text and in Markdown, with the notes below them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simstudy.errors import UnknownNameError
from simstudy.pages.notes import ABOVE, notes_of, outcome, result_of, said
from simstudy.pages.solved import curve_tables, solved_tables
from simstudy.pages.table_layout import FEW_ROWS, grid_tables, measures_table
from simstudy.pages.text_tables import WIDTH, Table, first_rows, markdown_lines, plain_lines
from simstudy.pages.variables import METHOD, cells_of, known_measures, on_design, swept
from simstudy.scenarios.measure import MEASURES, Outcome
from simstudy.scenarios.rules import Rule
from simstudy.study.asked import study_of
from simstudy.study.words import Beside, asked

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.study.plan import Study

NOTHING_BESIDE = Beside()

# lines of a paragraph that still stands below a table that was cut
MOST_LINES = 60


@dataclass(frozen=True)
class Page:
    """What a result becomes, before it is laid out."""

    question: str
    fixed: str
    introduction: str
    tables: list[Table]
    notes: list[str]
    closing: Sequence[str]


def to_table(
    dataset: xr.Dataset,
    variables: Sequence[str] | None = None,
    study: Study | None = None,
    beside: Beside = NOTHING_BESIDE,
    most: int | None = None,
) -> str:
    """Write a result as tables in plain text within 100 columns; those of ``variables``, or the usual ones."""
    page = page_of(dataset, variables, study, beside, most)
    return _in_paragraphs(
        [*_wrapped(page.question), *_wrapped(page.fixed)],
        [_filled(page.introduction)],
        *(plain_lines(table) for table in page.tables),
        [line for note in page.notes for line in _wrapped(note)],
        *([_filled(paragraph)] for paragraph in page.closing),
    )


def to_markdown(
    dataset: xr.Dataset,
    variables: Sequence[str] | None = None,
    study: Study | None = None,
    beside: Beside = NOTHING_BESIDE,
    most: int | None = None,
) -> str:
    """Write the same as tables in Markdown."""
    page = page_of(dataset, variables, study, beside, most)
    return _in_paragraphs(
        [page.question],
        [page.fixed],
        [page.introduction],
        *(markdown_lines(table) for table in page.tables),
        [f"- {note}" for note in page.notes],
        *([f"```text\n{text}\n```" if "\n" in text else text] for text in page.closing),
    )


def page_of(
    dataset: xr.Dataset,
    variables: Sequence[str] | None,
    study: Study | None,
    beside: Beside = NOTHING_BESIDE,
    most: int | None = None,
) -> Page:
    """Choose what stands on the page; of long tables the first rows, and how to see the rest."""
    study = study or study_of(dataset)
    design = on_design(dataset, study)
    if "answer" in design and variables is None:
        tables = [*solved_tables(study, design), *curve_tables(study, dataset)]
    elif variables is None:
        tables = [*_measure_tables(study, design), *_reported(study, design)]
    else:
        tables = [table for name in _known(design, variables) for table in _tables_of(study, design, name)]
        tables = tables if swept(design) else [_side_by_side(study, design, variables, "")]
    fixed = said(ABOVE, result_of(study, design))
    tables, rest = (tables, 0) if most is None or "curve_size" in dataset else first_rows(tables, most)
    notes = notes_of(study, dataset, tables, variables, bool(beside.closing))
    closing = beside.closing
    if rest:
        names = ", ".join([*swept(design), *([METHOD] if design.sizes.get(METHOD, 1) > 1 else [])])
        how = f"--select NAME=VALUE shows a part ({names}), --format csv all, --out r.nc keeps all"
        notes.insert(0, f"{rest} more rows are not shown: {how}.")
        closing = tuple(paragraph for paragraph in closing if paragraph.count("\n") <= MOST_LINES)
    return Page(asked(study).sentence, " ".join(fixed), beside.introduction, tables, notes, closing)


def _known(dataset: xr.Dataset, variables: Sequence[str]) -> Sequence[str]:
    for name in variables:
        if name not in dataset.data_vars:
            raise UnknownNameError("variable", name, map(str, dataset.data_vars))
    return variables


def _measure_tables(study: Study, dataset: xr.Dataset) -> list[Table]:
    """Show what the scenario shows first; of few design points what stands behind it, in the same table or another."""
    first = _shown_first(study, dataset)
    few = math.prod(dataset.sizes.values()) <= FEW_ROWS
    behind = [name for name in _behind(study, dataset) if name not in first] if few and "power" in dataset else []
    if not swept(dataset) or (few and first != ["power"]):
        return [_side_by_side(study, dataset, [*first, *behind], "")]
    tables = [table for name in first for table in _tables_of(study, dataset, name)]
    return [*tables, _side_by_side(study, dataset, behind, "behind the power")] if behind else tables


def _shown_first(study: Study, dataset: xr.Dataset) -> list[str]:
    """Name what stands first: as the scenario says, else power; where nothing is decided, what intervals do."""
    if "power" in dataset:
        usual: Sequence[str] = study.scenario.shows or ("power",)
    else:
        alone = [measure for measure in known_measures(study).values() if measure.without_power]
        usual = [measure.name for measure in sorted(alone, key=lambda measure: measure.without_power)]
    present = [name for name in usual if name in dataset.data_vars]
    return present or [str(name) for name, held in dataset.data_vars.items() if held.dtype.kind in "fiu"]


def _behind(study: Study, dataset: xr.Dataset) -> list[str]:
    """Name what stands behind the power: measures by their place, the scenario's own, costs that differ by method."""
    measures = known_measures(study).values()
    usual = sorted((m for m in MEASURES if m.behind_power), key=lambda measure: measure.behind_power)
    same = {outcome(method, study) for method in study.methods}  # what is the power already
    own = [m for m in measures if m not in MEASURES and not (isinstance(m.of, Outcome) and m.of.name in same)]
    own = sorted(own, key=lambda measure: measure.behind_power or math.inf)
    costs = [cost for method in study.methods for cost in method.costs]
    names = [*(measure.name for measure in (*usual, *own)), *costs]
    if all(isinstance(method.decision, Rule) for method in study.methods):
        # a rule asserts one thing, by which all of its power is right or all of it wrong
        names = ["power_wrong", *(name for name in names if name not in ("power_right", "type_s"))]
    return [name for name in dict.fromkeys(names) if name in dataset.data_vars]


def _reported(study: Study, dataset: xr.Dataset) -> list[Table]:
    """Show what follows from the parameters of a few design points, as far as the scenario reports it."""
    names = [name for name in study.scenario.reports if name in dataset.data_vars]
    points = math.prod(size for name, size in dataset.sizes.items() if name != METHOD)
    if not names or points > FEW_ROWS:
        return []
    return [_side_by_side(study, dataset[names], names, "follows from the parameters")]


def _tables_of(study: Study, dataset: xr.Dataset, name: str) -> list[Table]:
    cells = cells_of(dataset, name, study)
    if not swept(cells):
        return [_side_by_side(study, dataset, [name], "")]
    return grid_tables(cells, name, study.effect, study.size)


def _side_by_side(study: Study, dataset: xr.Dataset, names: Sequence[str], caption: str) -> Table:
    columns = {name: cells_of(dataset, name, study) for name in names}
    return measures_table(columns, dataset[list(names)], caption)


def _in_paragraphs(*parts: Sequence[str]) -> str:
    """Return the lines of all parts that have any, with an empty one in between."""
    return "\n\n".join("\n".join(lines) for lines in parts if any(lines))


def _filled(paragraph: str) -> str:
    """Wrap a paragraph to the width of a table; one with line breaks is laid out already."""
    if "\n" in paragraph:
        return paragraph
    return textwrap.fill(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
