"""The pilot report as plain text: every figure with a word on what it means."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence

from simstudy.records.comparison import ClusterAnalysis, Estimate
from simstudy.records.pilot_report import PilotReport
from simstudy.records.planning import Smallest
from simstudy.records.posterior import LARGEST_N, PRIOR, Needed

WIDTH = 100
LABELS = {
    "mcnemar_exact": "exact McNemar",
    "mcnemar_midp": "mid-p McNemar",
    "mcnemar_chi2": "asymptotic McNemar",
    "mcnemar_cc": "McNemar with continuity correction",
    "paired_z": "paired z",
    "tango": "Tango score",
    "newcombe": "Newcombe score",
    "bootstrap_percentile": "ideal bootstrap",
    "tango interval": "Tango's interval",
    "newcombe interval": "Newcombe's interval",
    "bootstrap_percentile interval": "the bootstrap interval",
    "cluster t": "cluster t",
    "cluster sign flips": "cluster sign flips",
}


def pilot_lines(report: PilotReport) -> list[str]:
    """Lay a pilot report out as text.

    Parameters
    ----------
    report : PilotReport
        The analysis.

    Returns
    -------
    list of str
        Lines of at most 100 columns, apart from names and table rows that are longer by themselves.
    """
    sections = (_heading, _reading, _shown, _tests, _clusters, _verdict, _seen, _needed, _assurance, _basis)
    lines: list[str] = []
    for section in sections:
        found = list(section(report))
        if found:
            lines += [*([""] if lines else []), *found]
    return lines


def share(value: float, digits: int = 3) -> str:
    """Write a proportion without its leading zero.

    Parameters
    ----------
    value : float
        The figure.
    digits : int
        Decimals.

    Returns
    -------
    str
        For example ``-.183``; an en dash where undefined.
    """
    if math.isnan(value):
        return "–"
    text = f"{value:.{digits}f}"
    sign, rest = ("-", text[1:]) if text.startswith("-") else ("", text)
    if float(rest) == 0:
        sign = ""
    return sign + (rest[1:] if rest.startswith("0.") else rest)


def _p(value: float) -> str:
    return "undefined" if math.isnan(value) else "< .0001" if value < 1e-4 else f"= {share(value, 4)}"


def _limits(estimate: Estimate) -> str:
    if math.isnan(estimate.low):
        return "undefined"
    return f"[{share(estimate.low)}, {share(estimate.high)}]"


def _cases(n: float) -> str:
    if math.isnan(n):
        return "–"
    return f"> {LARGEST_N:,}" if math.isinf(n) else f"{n:,.0f}"


def _say(text: str, indent: int = 2) -> list[str]:
    pad = " " * indent
    return textwrap.wrap(text, WIDTH, initial_indent=pad, subsequent_indent=pad, break_long_words=False)


def _table(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Align columns: the first ones to the left, the others to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        "  "
        + "   ".join(
            c.ljust(w) if k < left else c.rjust(w) for k, (c, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _heading(r: PilotReport) -> Iterator[str]:
    yield f"Pilot: {r.system_b} (B) against {r.system_a} (A), {r.path}"
    rule = {
        None: "one row per case",
        "first": "the first run of each case",
        "majority": "the majority over the runs of each case",
        "clustered": "all runs kept, cases as clusters",
    }[r.run_rule]
    yield f"{r.n} pairs of {r.n_cases} cases: {rule}."


def _reading(r: PilotReport) -> Iterator[str]:
    if r.notes:
        yield "How the file was read"
        for note in r.notes:
            yield from textwrap.wrap(note, WIDTH, initial_indent="  - ", subsequent_indent="    ")
    if r.unusable:
        yield from _say(
            f"Lost pairs: {share(r.unusable_share)} of them. If values are lost more often on hard cases, the rest "
            "is not a fair sample; plan for the loss with unusable."
        )


def _shown(r: PilotReport) -> Iterator[str]:
    c = r.comparison
    yield "What the pilot shows"
    yield from _table(
        [
            (f"accuracy of A, {r.system_a}", share(c.accuracy_a.value), _limits(c.accuracy_a)),
            (f"accuracy of B, {r.system_b}", share(c.accuracy_b.value), _limits(c.accuracy_b)),
        ]
    )
    yield from _say(
        f"Wilson intervals, {r.level:.0%}. Whether they overlap is not a test: both systems answer the same cases, "
        "and only the paired difference below compares them."
    )
    yield f"  both right {r.n11}, only A right {r.n10}, only B right {r.n01}, neither {r.n00}"
    yield from _say(f"difference B - A {share(c.difference)}: ({r.n01} - {r.n10})/{r.n}.")
    yield from _say(
        f"discordance {share(c.discordance)}: share of pairs that exactly one system gets right. "
        "It, more than the accuracy, sets how many cases are needed."
    )
    yield from _say(_difficulty(c.difficulty_sd))


def _difficulty(sd: float) -> str:
    if math.isnan(sd):
        return (
            "difficulty_sd: none. No shared difficulty of the cases gives this discordance at these accuracies "
            "(it is above what independent errors give, near the least possible, or an accuracy is 0 or 1)."
        )
    return f"difficulty_sd {sd:.2f}: shared difficulty of the cases, in logits, that gives this discordance."


def _tests(r: PilotReport) -> Iterator[str]:
    c = r.comparison
    independent = ", if rows were independent" if c.clustered is not None else ""
    yield f"Is there a difference{independent}?"
    yield from _table([(LABELS[name], f"p {_p(p)}") for name, p in c.p_values.items()], left=2)
    yield from _table([(f"{LABELS[name]} interval", _limits(i)) for name, i in c.intervals.items()], left=2)
    yield from _say(
        f"p: how often so many more discordant cases would fall on one side if the systems were equal. Intervals, "
        f"{r.level:.0%}, of B - A. Standard error {share(c.standard_error)} (paired z)."
    )
    if r.n10 + r.n01 == 0:
        yield from _say(
            "No pair is discordant: every p is 1 or undefined, and the bootstrap interval [0, 0] is its fault, not "
            "certainty. The score intervals show what remains possible."
        )


def _clusters(r: PilotReport) -> Iterator[str]:
    k = r.comparison.clustered
    if k is None:
        return
    yield f"With the {k.clusters} clusters as units: what counts here"
    yield from _table(
        [
            (
                "cluster t",
                f"p {_p(k.p_t)}",
                _limits(k.interval),
                f"{k.degrees_of_freedom} degrees of freedom",
            ),
            ("cluster sign flips", f"p {_p(k.p_sign_flip)}", "", "exact, no normal law needed"),
        ],
        left=4,
    )
    yield from _say(
        f"Standard error {share(k.standard_error)}, against {share(r.comparison.standard_error)} if rows were "
        f"independent. {_design_effect(k, r)}"
    )


def _design_effect(k: ClusterAnalysis, r: PilotReport) -> str:
    worth = f"{r.n} rows are worth about {r.n_independent} independent cases"
    if not math.isfinite(k.design_effect) or k.design_effect <= 0:
        return f"The design effect cannot be estimated; with one case per cluster's worth of rows, {worth}."
    if k.design_effect < 1:
        return f"Design effect {k.design_effect:.2f}, below 1; 1 is used, so {worth}."
    return f"Design effect {k.design_effect:.2f}: {worth}; estimated from {k.clusters} clusters, so itself rough."


def _verdict(r: PilotReport) -> Iterator[str]:
    found = [LABELS[name] for name, verdict in r.significant.items() if verdict]
    others = [LABELS[name] for name, verdict in r.significant.items() if verdict is False]
    if not found or not others:
        return
    yield "Tests and intervals do not agree"
    yield from _say(
        f"A difference at {share(r.plan.alpha, 2)}: {', '.join(found)}. None: {', '.join(others)}. "
        f"They rest on {r.n10 + r.n01} discordant pairs. The exact test keeps its level by being cautious, mid-p less "
        "so; each interval inverts another test than the one printed beside it, and the bootstrap is too short with "
        "few or one-sided discordant pairs. Treat this as undecided, and do not choose a method by its answer."
    )
    if r.comparison.clustered is not None:
        yield from _say("Methods that take rows as independent find too much here: go by the cluster ones.")


def _seen(r: PilotReport) -> Iterator[str]:
    yield "What this set could have seen"
    yield from _say(
        f"Smallest difference found with power {share(r.plan.target, 2)} by {LABELS[r.plan.method]} at "
        f"{share(r.plan.alpha, 2)}, {r.n_independent} independent cases, A's accuracy and the pilot's discordance; exact."
    )
    for smallest in r.smallest:
        yield from _say(_smallest(smallest, r), 4)


def _smallest(s: Smallest, r: PilotReport) -> str:
    if s.status != "found":
        return (
            f"{s.direction}: unreachable. A's accuracy leaves room for {share(s.limit)} at most, and even that would be "
            "missed too often. A result without a difference says nothing in this direction."
        )
    raised = s.discordance > r.comparison.discordance + 1e-6
    optimistic = " (if all discordant cases go one way, the best case)" if raised else ""
    return (
        f"{s.direction}: {share(s.difference)}{optimistic}. Anything smaller would probably have been missed."
    )


def _needed(r: PilotReport) -> Iterator[str]:
    yield "Cases needed"
    clustered = r.comparison.clustered
    header = ["difference B - A", "n", "first", "median", "Monte Carlo", "90% range"]
    units = "independent cases"
    if clustered is not None:
        header = ["difference B - A", "clusters", "n", "first", "median", "Monte Carlo", "90% range"]
        units = f"independent cases; clusters of {clustered.mean_size:.3g} rows, as in the pilot, by its design effect"
    rows = [header, *(_needed_row(label, needed, r) for label, needed in _merged(r.needed))]
    yield from _table(rows)
    yield from _say(
        f"n: {units}. Power {share(r.plan.target, 2)} at the pilot's discordance is not lost again from n on; first "
        "reaches it first. Median and 90% range: n over what the pilot leaves open about accuracy and discordance, with "
        "the Monte Carlo limits of the median."
    )
    if clustered is not None:
        yield from _say(
            "Clusters are approximate: the design effect comes from the pilot and is taken to stay."
        )
    for needed in r.needed:
        for remark in _remarks(needed, r):
            yield from _say(remark)


def _merged(all_needed: Sequence[Needed]) -> list[tuple[str, Needed]]:
    """Give both directions of a difference one row where they have the same answer."""
    named = [needed for needed in all_needed if not needed.observed]
    merged: list[tuple[str, Needed]] = []
    for better, worse in zip(named[::2], named[1::2], strict=True):
        if _same_answer(better, worse):
            merged.append((f"{share(better.difference)} either way", better))
        else:
            merged += [
                (f"+{share(better.difference)} (B better)", better),
                (f"{share(worse.difference)} (B worse)", worse),
            ]
    return merged + [(f"{share(n.difference)} (observed!)", n) for n in all_needed if n.observed]


def _same_answer(x: Needed, y: Needed) -> bool:
    if (x.status, x.n, x.impossible_share, y.impossible_share) != (y.status, y.n, 0.0, 0.0):
        return False
    limits = zip(x.quantiles, y.quantiles_low, y.quantiles_high, strict=True)
    return all(low <= value <= high for value, low, high in limits)


def _needed_row(label: str, needed: Needed, r: PilotReport) -> list[str]:
    low, median, high = (_cases(n) for n in needed.quantiles)
    row = [
        label,
        _cases(needed.n) if needed.status == "found" else needed.status,
        _cases(needed.first) if needed.first != needed.n else "",
        median,
        f"{_cases(needed.quantiles_low[1])} to {_cases(needed.quantiles_high[1])}",
        f"{low} to {high}",
    ]
    if r.comparison.clustered is not None:
        row.insert(1, _cases(r.clusters_for(needed.n)))
    return row


def _remarks(needed: Needed, r: PilotReport) -> Iterator[str]:
    label, a = share(needed.difference), share(needed.accuracy_a)
    if needed.observed:
        yield (
            f"The row of the observed difference, {label}, is a noisy guess: the pilot's difference is as uncertain as "
            "its interval, and so is n. Plan for the smallest difference that matters to you, not for this one."
        )
    elif needed.status == "impossible":
        yield (
            f"{label}: impossible at A's observed accuracy, {a}. Only {share(1 - needed.impossible_share, 2)} of the "
            "posterior leaves room for it; the range speaks of that part."
        )
    elif needed.discordance > r.comparison.discordance + 1e-6:
        yield (
            f"{label}: more than the pilot's discordance, so n is a lower bound: it lets all discordant cases go one way."
        )
    elif needed.discordance < r.comparison.discordance - 1e-6:
        yield (
            f"{label}: computed at discordance {share(needed.discordance)}, the most that A's accuracy, {a}, then allows."
        )


def _assurance(r: PilotReport) -> Iterator[str]:
    columns = _merged(r.needed)
    yield "Assurance: power expected at each size, over what the pilot leaves open"
    first = ["n"] if not r.curve_clusters else ["n", "clusters"]
    rows = [first + [label for label, _ in columns]]
    for k, n in enumerate(r.curve_sizes):
        size = [f"{n:,}"] if not r.curve_clusters else [f"{n:,}", f"{r.curve_clusters[k]:g}"]
        rows.append(size + [share(needed.assurance[k]) for _, needed in columns])
    yield from _table(rows, left=0)
    errors = [error for _, needed in columns for error in needed.assurance_mcse if not math.isnan(error)]
    if errors:
        yield from _say(
            f"Monte Carlo standard error at most {share(max(errors))}. The sizes are half the pilot, the pilot, 2, 4, "
            "8, 16 and 32 times it."
        )


def _basis(r: PilotReport) -> Iterator[str]:
    counts = (r.n10, r.n01, r.n11, r.n00)
    divided = "" if r.comparison.clustered is None else f" divided by {r.comparison.clustered.factor:.3g}"
    yield from _say(
        f"Posterior: Dirichlet of the four counts {counts}{divided}, plus {PRIOR:g} each (Jeffreys prior); "
        f"{r.plan.draws} draws, seed {r.plan.seed}. For a named difference it is held and the draws vary accuracy and "
        "discordance.",
        0,
    )
