"""The pilot report as plain text: every figure with a word on what it means."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator

from simstudy.pages.pilot_plan_text import assurance, basis, cases_needed, seen
from simstudy.pages.pilot_words import LABELS, WIDTH, limits, p_words, say, share, table
from simstudy.records.comparison import ClusterAnalysis, Comparison
from simstudy.records.pilot_report import PilotReport
from simstudy.visible import visible_line

RULES = {
    None: "one row per case",
    "first": "the first run of each case",
    "majority": "the majority over the runs of each case",
    "clustered": "all runs kept, cases as clusters",
}


def pilot_lines(report: PilotReport) -> list[str]:
    """Lay a pilot report out in lines of at most 100 columns, apart from long names and tables of many differences."""
    sections = (
        *(_heading, _reading, _shown, _tests, _clusters, _disagreement),
        *(seen, cases_needed, assurance, basis),
    )
    lines: list[str] = []
    for section in sections:
        found = list(section(report))
        if found:
            lines += [*([""] if lines else []), *map(visible_line, found)]
    return lines


def _heading(r: PilotReport) -> Iterator[str]:
    yield f"Pilot: {r.system_b} (B) against {r.system_a} (A), {r.path}"
    yield f"{r.n} pairs of {r.n_cases} cases: {RULES[r.run_rule]}."


def _reading(r: PilotReport) -> Iterator[str]:
    if r.notes:
        yield "How the file was read"
    for note in r.notes:
        yield from textwrap.wrap(note, WIDTH, initial_indent="  - ", subsequent_indent="    ")
    if r.unusable:
        yield from say(
            f"Lost pairs: {share(r.unusable_share)} of them. If values are lost more often on hard cases, "
            f"the rest is not a fair sample. Plan for the loss: unusable = {r.unusable_share:.3g}."
        )


def _shown(r: PilotReport) -> Iterator[str]:
    c = r.comparison
    yield "What the pilot shows"
    yield from table(
        [
            (f"accuracy of A, {r.system_a}", share(c.accuracy_a.value), limits(c.accuracy_a)),
            (f"accuracy of B, {r.system_b}", share(c.accuracy_b.value), limits(c.accuracy_b)),
        ]
    )
    rows = ", rows taken as independent" if c.clustered is not None else ""
    yield from say(
        f"Wilson intervals, {r.level:.4g}{rows}. Whether they overlap is not a test: both systems answer the same "
        "cases, and only the paired difference below compares them."
    )
    yield f"  both right {r.n11}, only A right {r.n10}, only B right {r.n01}, neither {r.n00}"
    yield from say(f"difference B - A {share(c.difference)}: ({r.n01} - {r.n10})/{r.n}.")
    yield from say(
        f"discordance {share(c.discordance)}: share of pairs that exactly one system gets right. "
        "It, more than the accuracy, sets how many cases are needed."
    )
    yield from say(_difficulty(c))


def _difficulty(c: Comparison) -> str:
    if not math.isnan(c.difficulty_sd):
        return (
            f"difficulty_sd {c.difficulty_sd:.2f}: shared difficulty of the cases, in logits, that gives "
            "this discordance."
        )
    a, b = c.accuracy_a.value, c.accuracy_b.value
    free = a * (1 - b) + b * (1 - a)
    if {a, b} & {0.0, 1.0}:
        return "difficulty_sd: none can be told, because a system is right on every pair or on none."
    if c.discordance > free:
        return (
            f"difficulty_sd: none. Independent errors give discordance {share(free)}, and a shared "
            "difficulty gives less; these systems fail on different cases more than that."
        )
    return "difficulty_sd: none up to 10 gives so small a discordance at these accuracies."


def _tests(r: PilotReport) -> Iterator[str]:
    c = r.comparison
    yield f"Is there a difference{', if rows were independent' if c.clustered is not None else ''}?"
    yield from table([(LABELS[name], p_words(p)) for name, p in c.p_values.items()], left=2)
    yield from table([(f"{LABELS[name]} interval", limits(i)) for name, i in c.intervals.items()], left=2)
    yield from say(
        "Exact p: how often equally good systems would split the discordant pairs at least so unevenly; mid-p counts "
        "splits as uneven as this one half; paired z takes the difference over its standard error for normal. "
        f"Intervals of B - A, {r.level:.4g}. Standard error {share(c.standard_error)} (paired z)."
    )
    if r.n10 + r.n01 == 0:
        yield from say(
            "No pair is discordant: every p is 1 or undefined, and the bootstrap interval [0, 0] is a fault "
            "of the bootstrap, not certainty. The score intervals show what remains possible."
        )


def _clusters(r: PilotReport) -> Iterator[str]:
    k = r.comparison.clustered
    if k is None:
        return
    yield f"With the {k.clusters} clusters as units: what counts here"
    freedom = f"{k.degrees_of_freedom} degrees of freedom"
    yield from table(
        [
            ("cluster t", p_words(k.p_t), limits(k.interval), freedom),
            ("cluster sign flips", p_words(k.p_sign_flip), "", "exact, without the t law"),
        ],
        left=4,
    )
    yield from say(
        f"Standard error {share(k.standard_error)}, against {share(r.comparison.standard_error)} if rows "
        f"were independent. {_design_effect(k, r)}"
    )


def _design_effect(k: ClusterAnalysis, r: PilotReport) -> str:
    worth = f"{r.n} rows are worth about {r.n_independent} independent cases"
    if not (math.isfinite(k.design_effect) and k.design_effect > 0):
        return f"The design effect cannot be estimated; each cluster is counted as one case, so {worth}."
    if k.design_effect < 1:
        return f"Design effect {k.design_effect:.2f}, below 1; 1 is used, so {worth}."
    return f"Design effect {k.design_effect:.2f}: {worth}. It is estimated from {k.clusters} clusters, so itself rough."


def _disagreement(r: PilotReport) -> Iterator[str]:
    found = [LABELS[name] for name, verdict in r.significant.items() if verdict]
    others = [LABELS[name] for name, verdict in r.significant.items() if verdict is False]
    if not found or not others:
        return
    yield "Tests and intervals do not agree"
    yield from say(
        f"A difference at {share(r.plan.alpha, 2)}: {', '.join(found)}. None: {', '.join(others)}. They rest "
        f"on {r.n10 + r.n01} discordant pairs. The exact test keeps its level by being cautious, mid-p less "
        "so; an interval may invert another test than the one printed beside it, and the bootstrap is too "
        "short with few or one-sided discordant pairs. Treat this as undecided, and do not choose a method "
        "by its answer."
    )
    if r.comparison.clustered is not None:
        yield from say("Where methods by row and by cluster disagree, go by the cluster ones.")
