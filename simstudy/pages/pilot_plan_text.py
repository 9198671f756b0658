"""The plan of a pilot report as text: what the set could have seen, cases needed, assurance."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from simstudy.pages.pilot_words import LABELS, cases, say, share, table
from simstudy.records.pilot_report import PilotReport
from simstudy.records.planning import Smallest
from simstudy.records.posterior import PRIOR, Needed

SAME = 1e-6
"""Discordances closer than this are the same one after rounding."""


def seen(r: PilotReport) -> Iterator[str]:
    """Yield what the set could have seen."""
    yield "What this set could have seen"
    yield from say(
        f"Smallest difference found with power {share(r.plan.target, 2)} by {LABELS[r.plan.method]} at "
        f"{share(r.plan.alpha, 2)}, with {r.n_independent} independent cases, A's accuracy and the pilot's "
        "discordance; exact."
    )
    for smallest in r.smallest:
        yield from say(_smallest(smallest, r), 4)


def _smallest(s: Smallest, r: PilotReport) -> str:
    if s.limit == 0:
        return f"{s.direction}: impossible at A's observed accuracy."
    if s.status != "found":
        return (
            f"{s.direction}: unreachable. A's accuracy leaves room for {share(abs(s.limit))} at most, and "
            "even that would be missed too often: finding nothing says nothing in this direction."
        )
    raised = s.discordance > r.comparison.discordance + SAME
    best = " (with all discordant cases on one side, the best case)" if raised else ""
    if s.discordance < r.comparison.discordance - SAME:
        best = f" (at discordance {share(s.discordance)}, the most that A's accuracy then allows)"
    half = f"half of it, {share(s.difference / 2)}, with power {share(r.power_for(s.difference / 2), 2)}"
    return f"{s.direction}: {share(s.difference)}{best}; {half}."


def cases_needed(r: PilotReport) -> Iterator[str]:
    """Yield the cases needed, with a remark on every doubtful row."""
    clustered = r.comparison.clustered
    header = ["difference B - A", "n", "first", "median", "Monte Carlo", "90% range"]
    if clustered is not None:
        header.insert(1, "clusters")
    yield "Cases needed"
    yield from table([header, *(_needed_row(label, needed, r) for label, needed in _merged(r.needed))])
    yield from say(
        f"n: independent cases from which power {share(r.plan.target, 2)} is not lost again, exact, at the "
        "pilot's accuracy and discordance; first: where it is reached first, if earlier. Median and 90% "
        "range: n over what the pilot leaves open about them, solved to a thousandth, with Monte Carlo "
        "limits of the median."
    )
    yield from say(
        "n counts all cases of the next evaluation. A plan for new cases alone needs no correction; testing "
        "after each addition until the difference is significant does not hold the level."
    )
    if clustered is not None:
        yield from say(
            f"clusters: n times the design effect, in clusters of {clustered.mean_size:.3g} rows as in the "
            "pilot. Approximate: the design effect is rough and is taken to stay."
        )
    for needed in r.needed:
        for remark in _remarks(needed, r):
            yield from say(remark)


def _merged(all_needed: Sequence[Needed]) -> list[tuple[str, Needed]]:
    """Give both directions of a difference one row where they have the same answer."""
    named = [needed for needed in all_needed if not needed.observed]
    rows: list[tuple[str, Needed]] = []
    for better, worse in zip(named[::2], named[1::2], strict=True):
        if _same_answer(better, worse):
            rows.append((f"{share(better.difference)} either way", better))
        else:
            rows.append((f"+{share(better.difference)} (B better)", better))
            rows.append((f"{share(worse.difference)} (B worse)", worse))
    return rows + [(f"{share(n.difference)} (observed!)", n) for n in all_needed if n.observed]


def _same_answer(x: Needed, y: Needed) -> bool:
    if (x.status, x.n, x.impossible_share, y.impossible_share) != (y.status, y.n, 0.0, 0.0):
        return False
    # The draws see A's accuracy, so the two directions are never equal; a twentieth is no difference.
    return all(math.isclose(p, q, rel_tol=0.05) for p, q in zip(x.quantiles, y.quantiles, strict=True))


def _needed_row(label: str, needed: Needed, r: PilotReport) -> list[str]:
    low, median, high = (cases(n) for n in needed.quantiles)
    row = [
        label,
        cases(needed.n) if needed.status == "found" else needed.status,
        cases(needed.first) if needed.first < needed.n else "",
        median,
        _between(cases(needed.quantiles_low[1]), cases(needed.quantiles_high[1])),
        _between(low, high),
    ]
    if r.comparison.clustered is not None:
        row.insert(1, cases(r.clusters_for(needed.n)))
    return row


def _between(low: str, high: str) -> str:
    return f"{low} to {high}" if low != cases(math.nan) else low


def _remarks(needed: Needed, r: PilotReport) -> Iterator[str]:
    label, a, shown = share(needed.difference), share(needed.accuracy_a), r.comparison.discordance
    if needed.observed and needed.status == "impossible":
        yield (
            f"The row of the observed difference, {label}, is impossible to plan for: it needs one system that is "
            "right on every case and one that is right on none, which no pilot can show. The median, the range "
            "and the assurance speak of the differences that the pilot leaves open. Plan for the smallest "
            "difference that matters to you."
        )
    elif needed.observed:
        yield (
            f"The row of the observed difference, {label}, is a noisy guess: the difference is as uncertain "
            "as its interval, and so is n. Plan for the smallest difference that matters to you, not for "
            "this one."
        )
    elif needed.status == "impossible":
        left = share(1 - needed.impossible_share)
        rest = f"The range speaks of the {left} of the posterior that leaves room for it."
        none = "No draw of the posterior leaves room for it."
        yield f"{label}: impossible at A's observed accuracy, {a}. {none if needed.impossible_share == 1 else rest}"
    elif needed.discordance > shown + SAME:
        yield (
            f"{label}: more than the pilot's discordance, {share(shown)}, so n is a lower bound: it puts all "
            "discordant cases on one side."
        )
    elif needed.discordance < shown - SAME:
        yield (
            f"{label}: computed at discordance {share(needed.discordance)}, the most that A's accuracy, {a}, "
            "then allows."
        )


def assurance(r: PilotReport) -> Iterator[str]:
    """Yield the assurance curve as a table."""
    columns = _merged(r.needed)
    yield "Assurance: power expected at each size, over what the pilot leaves open"
    units = ["n", "clusters"] if r.curve_clusters else ["n"]
    rows = [units + [_short(label) for label, _ in columns]]
    for k, n in enumerate(r.curve_sizes):
        sizes = [f"{n:,}", f"{r.curve_clusters[k]:g}"] if r.curve_clusters else [f"{n:,}"]
        rows.append(sizes + [share(needed.assurance[k]) for _, needed in columns])
    yield from table(rows, left=0)
    errors = [error for _, needed in columns for error in needed.assurance_mcse if not math.isnan(error)]
    yield from say(
        f"Monte Carlo standard error at most {share(max(errors))}. The sizes are half the pilot, the pilot, "
        "and 2, 4, 8, 16 and 32 times it."
    )


def _short(label: str) -> str:
    number, kind = label.split(" ", 1)
    return {"either way": f"±{number}", "(observed!)": "observed"}.get(kind, number)


def basis(r: PilotReport) -> Iterator[str]:
    """Yield what the posterior rests on."""
    counts = f"n10 {r.n10}, n01 {r.n01}, n11 {r.n11}, n00 {r.n00}"
    divided = "" if r.comparison.clustered is None else f", divided by {r.comparison.clustered.factor:.3g}"
    yield from say(
        f"Posterior: Dirichlet of the four counts ({counts}{divided}), plus {PRIOR:g} each: Jeffreys prior; "
        f"{r.plan.draws:,} draws, seed {r.plan.seed}. A named difference is held while the draws vary A's "
        "accuracy and the discordance.",
        0,
    )
