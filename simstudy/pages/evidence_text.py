"""The report on people's own results: the answer in a sentence or two, tables of figures, how the files were read."""

from __future__ import annotations

import html as markup
import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from simstudy.pages.evidence_answer import answer
from simstudy.pages.evidence_tables import tables
from simstudy.pages.evidence_words import Words, number
from simstudy.pages.text_tables import markdown_lines, plain_lines
from simstudy.records.evidence import Evidence
from simstudy.records.likeness import implied_difficulty
from simstudy.records.many_systems import ManyCompared
from simstudy.records.two_compared import TwoCompared
from simstudy.visible import visible_line

WIDTH = 100
MOST_LISTED = 20
MOST_ROWS = 60
"""Rows of a table on a terminal; the rest is counted."""


RUNS = {
    "first": "Runs: the first run of each case counts, the others are not looked at.",
    "majority": "Runs: each case counts by the majority of its runs.",
    "mean": "Runs: each case counts by the mean of its runs.",
    "clustered": "Runs: all of them count, and the cases, not the runs, are the independent units.",
}


def about(report: Evidence) -> list[str]:
    """Return what the set of two systems is like: its units, its discordance."""
    found = report.found
    if not isinstance(found, TwoCompared):
        return []
    r = found.record
    said = [RUNS[found.pairs.rule]] if found.pairs.rule else []
    if found.clustered and r["se"] > 0 and r["se_rows"] > 0:
        effect, rows = (r["se"] / r["se_rows"]) ** 2, len(found.pairs.a)
        said.append(
            f"Design effect {effect:.2f}: the standard error with {r['n_clusters']:,} clusters, {number(r['se'])}, "
            f"against {number(r['se_rows'])} if the {rows:,} rows were independent; they are worth about "
            f"{round(rows / max(1.0, effect)):,} independent cases."
        )
    if r.get("both_right") is not None and r["only_a"] + r["only_b"]:
        said.append(_discordance(r))
    words = Words(found.binary)
    said += [
        f"{100 * one.impossible_share:.3g}% of the draws leave no room for {words.amount(one.difference)}; median, "
        "range and what larger sets find are over the others."
        for one in found.seen
        if one.impossible_share > 0
    ]
    return said


def _discordance(r: Mapping[str, Any]) -> str:
    n = r["both_right"] + r["only_a"] + r["only_b"] + r["neither"]
    discordance = (r["only_a"] + r["only_b"]) / n
    sd = implied_difficulty((r["both_right"] + r["only_a"]) / n, (r["both_right"] + r["only_b"]) / n, discordance)
    given = "no shared difficulty of the cases gives it" if math.isnan(sd) else f"difficulty_sd {sd:.2f} gives it"
    return (
        f"Discordance {number(discordance, 3)}: the share of cases that exactly one system gets right, which sets the "
        f"number of cases more than the accuracies do ({given})."
    )


def how_read(report: Evidence) -> list[str]:
    """Return how the files were read, and what was not used."""
    said = list(report.remarks)
    for system, reasons in report.unreadable.items():
        if reasons:
            listed = ", ".join(f"{times} {reason}" for reason, times in reasons.items())
            said.append(f"Unreadable in '{system}', not scored as wrong: {sum(reasons.values())} ({listed}).")
    found = report.found
    if isinstance(found, TwoCompared) and found.pairs.left_out:
        for reason in dict.fromkeys(reason for _, reason in found.pairs.left_out):
            names = [case for case, why in found.pairs.left_out if why == reason]
            said.append(f"Left out, {reason}: {len(names)} ({_listed(names)}).")
    if isinstance(found, ManyCompared):
        said += [f"{a} and {b} were not compared: {why}" for a, b, why in found.refused]
    return said


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MOST_LISTED])
    return shown if len(names) <= MOST_LISTED else f"{shown}, … {len(names) - MOST_LISTED} more"


LISTS = ("regressed", "improved", "unreadable", "left_out")


def listing(report: Evidence, what: str) -> list[str]:
    """Return the cases that regressed, improved, could not be read or were left out, with the reason."""
    found = report.found
    if not isinstance(found, TwoCompared):
        return [f"{case}: {system}, {reason}" for case, system, reason in report.lost] if what == "unreadable" else []
    if what in ("regressed", "improved"):
        return list(found.regressed if what == "regressed" else found.improved)
    if what == "unreadable":
        return [f"{case}: {system}, {reason}" for case, system, reason in found.pairs.unreadable]
    return [f"{case}: {reason}" for case, reason in found.pairs.left_out]


def text(report: Evidence, lists: Iterable[str] = ()) -> str:
    """Return the report for a terminal."""
    lines: list[str] = []
    for sentence in answer(report):
        lines += textwrap.wrap(visible_line(sentence), WIDTH)
    for table in tables(report):
        shown = replace(table, rows=table.rows[:MOST_ROWS])
        lines += ["", *map(visible_line, plain_lines(shown, WIDTH))]
        if len(table.rows) > MOST_ROWS:
            lines.append(f"… and {len(table.rows) - MOST_ROWS} rows more: --format csv or markdown shows all.")
    lines += _section("About this set", about(report))
    for what in lists:
        lines += [
            "",
            what.replace("_", " ").capitalize(),
            *(f"  {visible_line(case)}" for case in listing(report, what) or ["none"]),
        ]
    lines += _section("How it was read", how_read(report))
    return "\n".join(lines)


def _section(heading: str, sentences: Iterable[str]) -> list[str]:
    lines: list[str] = []
    for sentence in sentences:
        lines += textwrap.wrap(visible_line(sentence), WIDTH, initial_indent="  - ", subsequent_indent="    ")
    return ["", heading, *lines] if lines else []


def markdown(report: Evidence, lists: Iterable[str] = ()) -> str:
    """Return the report in Markdown, with real tables."""
    blocks = ["\n".join(visible_line(sentence) for sentence in answer(report))]
    blocks += ["\n".join(map(visible_line, markdown_lines(table))) for table in tables(report)]
    blocks += _markdown_section("About this set", about(report))
    for what in lists:
        items = [f"- {visible_line(case)}" for case in listing(report, what) or ["none"]]
        blocks.append("\n".join([f"**{what.replace('_', ' ').capitalize()}**", "", *items]))
    blocks += _markdown_section("How it was read", how_read(report))
    return "\n\n".join(blocks)


def _markdown_section(heading: str, sentences: Sequence[str]) -> list[str]:
    items = [f"- {visible_line(sentence)}" for sentence in sentences]
    return ["\n".join([f"**{heading}**", "", *items])] if items else []


def html(report: Evidence) -> str:
    """Return the report as HTML for a notebook."""
    parts = [f"<p><b>{markup.escape(visible_line(sentence))}</b></p>" for sentence in answer(report)]
    for table in tables(report):
        heads = "".join(f"<th>{markup.escape(visible_line(head))}</th>" for head in (*table.stubs, *table.heads))
        body = "".join(
            "<tr>" + "".join(f"<td>{markup.escape(visible_line(cell))}</td>" for cell in row) + "</tr>"
            for row in table.rows
        )
        caption = markup.escape(visible_line(table.caption))
        parts.append(f"<table><caption>{caption}</caption><tr>{heads}</tr>{body}</table>")
    sentences = (*about(report), *how_read(report))
    said = "".join(f"<li>{markup.escape(visible_line(sentence))}</li>" for sentence in sentences)
    return "".join([*parts, f"<ul>{said}</ul>" if said else ""])
