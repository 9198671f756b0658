"""The tables of a report on people's own results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from simstudy.pages.evidence_words import Words, cases_words, in_100, is_rate, number
from simstudy.pages.numbers import UNDEFINED
from simstudy.pages.text_tables import Table
from simstudy.records.evidence import Evidence
from simstudy.records.many_systems import ManyCompared
from simstudy.records.one_system import OneSystem
from simstudy.records.planners import MULTIPLES, Seen
from simstudy.records.question import Question
from simstudy.records.two_compared import TwoCompared

LEAST_SHOWN = 0.0005
"""Monte Carlo error of a chance from which it shows in so many of 100."""


def tables(report: Evidence) -> list[Table]:
    """Return the tables of a report."""
    found = report.found
    if isinstance(found, ManyCompared):
        return _tables_of_many(found, report.question)
    if isinstance(found, OneSystem):
        return _tables_of_one(found)
    if isinstance(found, TwoCompared):
        return _tables_of_two(found, report.question)
    if not found.seen:
        return []
    seen = _seen_table(found.seen, Words(True), report.question)
    normal = "; power and cases by the normal law" if found.record["test"] == "z_pooled" else ""
    return [replace(seen, caption=f"{seen.caption}{normal}")]


def _tables_of_two(found: TwoCompared, question: Question) -> list[Table]:
    r, words = found.record, Words(found.binary or is_rate(found))
    rows = []
    if "p_mcnemar_midp" in r:
        rows.append(("mid-p McNemar, Tango", number(r["p_mcnemar_midp"]), _pair(r, "tango_low", "tango_high")))
        rows.append(("exact McNemar", number(r["p_mcnemar_exact"]), UNDEFINED))
    if "p_cluster_t" in r:
        rows.insert(0, ("t on clusters", number(r["p_cluster_t"]), _pair(r, "low", "high")))
    if r["test"] == "stratified_t":
        rows.insert(0, ("t over strata", number(r["p_value"]), _pair(r, "low", "high")))
    own = ("low", "high") if r["test"] == "paired_t" else None
    rows.append(("paired t", number(r["p_paired_t"]), _pair(r, *own) if own else UNDEFINED))
    rows.append(("signed ranks (Wilcoxon)", number(r["p_wilcoxon"]), UNDEFINED))
    rows.append(("sign flips of the mean", with_error(r["p_sign_flip"], r["p_sign_flip_mcse"]), UNDEFINED))
    limits = (with_error(r[f"bootstrap_t_{end}"], r[f"bootstrap_t_{end}_mcse"]) for end in ("low", "high"))
    rows.append(("bootstrap-t", UNDEFINED, UNDEFINED if math.isnan(r["bootstrap_t_low"]) else f"[{', '.join(limits)}]"))
    caption = f"Difference {r['system_b']} − {r['system_a']}: {number(r['difference'])}, "
    caption += f"standard error {number(r['se'])}"
    if found.clustered:
        caption += "; all but the first take rows as independent"
    found_tables = [
        Table(
            caption,
            ("test, interval",),
            "",
            ("p", f"{100 * question.level:g}% interval"),
            tuple(rows),
        )
    ]
    if r.get("both_right") is not None:
        cells = tuple(number(r[name]) for name in ("both_right", "only_a", "only_b", "neither"))
        head = ("both right", f"only {r['system_a']}", f"only {r['system_b']}", "neither")
        found_tables.append(Table("Cases", ("",), "", head, (("cases", *cells),)))
    if found.strata:
        rows_of = tuple(
            (name or UNDEFINED, f"{weight:.3f}", f"{n:,}", number(a, 3), number(b, 3), number(d, 3))
            for name, weight, n, a, b, d in found.strata
        )
        of_strata = ("weight", "cases", str(r["system_a"]), str(r["system_b"]), "difference")
        found_tables.append(Table("Strata", ("stratum",), "", of_strata, rows_of))
    return [*found_tables, _seen_table(found.seen, words, question), *_expected_table(found, words)]


def _pair(r: dict[str, object], low: str, high: str) -> str:
    return UNDEFINED if math.isnan(float(str(r[low]))) else f"[{number(r[low])}, {number(r[high])}]"


def with_error(value: float, mcse: float) -> str:
    """Write a figure, with its Monte Carlo error where it was drawn."""
    return f"{number(value)} ±{number(mcse)}" if mcse > 0 else number(value)


def _seen_table(seen: Sequence[Seen], words: Words, question: Question) -> Table:
    def cases(n: float, mcse: float = 0.0) -> str:
        return UNDEFINED if math.isnan(n) else "> limit" if math.isinf(n) else cases_words(n, mcse)

    rows = tuple(
        (
            words.step(one.difference) + words.unit(),
            UNDEFINED if math.isnan(one.power) else f"{in_100(one.power)} of 100",
            cases(one.cases),
            cases(one.median, one.mcse[1]),
            UNDEFINED if math.isnan(one.low) else f"{cases(one.low, one.mcse[0])} to {cases(one.high, one.mcse[2])}",
        )
        for one in seen
    )
    head = ("found by this set in", f"cases for power {question.power:g}", "median", "90% range")
    drawn = " (± Monte Carlo error)" if any(max(one.mcse) > 0 for one in seen) else ""
    caption = f"What sets of this kind find; median and range: over what this set leaves open{drawn}"
    return Table(caption, ("difference",), "", head, rows)


def _expected_table(found: TwoCompared, words: Words) -> list[Table]:
    """Return the power expected of larger sets, over what this set leaves open."""
    known = [one for one in found.seen if one.expected and not math.isnan(one.expected[0])]
    if not known:
        return []
    heads = tuple(f"{multiple * found.record['n_cases']:,} cases" for multiple in MULTIPLES)
    rows = tuple(
        (words.step(one.difference) + words.unit(), *map(_expected, one.expected, one.expected_mcse)) for one in known
    )
    return [Table("Found by larger sets, on average over what this set leaves open", ("difference",), "", heads, rows)]


def _expected(power: float, mcse: float) -> str:
    return f"{in_100(power)} ±{100 * mcse:.1f} of 100" if mcse >= LEAST_SHOWN else f"{in_100(power)} of 100"


def _tables_of_one(found: OneSystem) -> list[Table]:
    if not found.passes:
        return []
    rows = tuple(
        (str(k), f"{n:,}", number(every[0]), _range(every), number(some[0]), _range(some))
        for k, n, every, some in found.passes
    )
    head = ("cases with k runs", "pass^k", "interval", "pass@k", "interval ")
    return [Table("All of k runs right (pass^k), one of k right (pass@k)", ("k",), "", head, rows)]


def _smallest(r: dict[str, object], words: Words) -> str:
    """Write the smallest difference seen: either way, or of each direction where they are not alike."""
    up, down = (float(str(r[name])) for name in ("mde_positive", "mde_negative"))
    known = [words.step(size) for size in (up, down) if not math.isnan(size)]
    if len(known) == 2 and known[0][1:] == known[1][1:]:
        return f"±{known[0][1:]}"
    return ", ".join(known) or UNDEFINED


def _range(share: tuple[float, float, float]) -> str:
    """Write t limits of a chance, cut to what a chance can be."""
    if math.isnan(share[1]):
        return UNDEFINED
    return f"[{number(max(share[1], 0.0))}, {number(min(share[2], 1.0))}]"


def _tables_of_many(found: ManyCompared, question: Question) -> list[Table]:
    words = Words(found.systems[0].binary)
    told = {found.best: "best"} | dict.fromkeys(found.not_told_from_best, "no")
    told |= dict.fromkeys(found.not_compared_with_best, UNDEFINED)
    systems = tuple(
        (
            str(one.record["system_a"]),
            f"{one.record['n_cases']:,}",
            words.mean(one.record["mean_a"]),
            words.between(one.record["low"], one.record["high"]),
            f"{one.record['unreadable_a']:,}",
            told.get(one.record["system_a"], "yes"),
        )
        for one in found.systems
    )
    pairs = tuple(
        (
            f"{two.record['system_b']} − {two.record['system_a']}",
            f"{two.record['n_cases']:,}",
            words.step(two.record["difference"]),
            words.between(two.record["low"], two.record["high"], steps=True),
            number(two.record["p_value"]),
            number(two.record["p_holm"]),
            _smallest(two.record, words),
        )
        for two in found.pairs
    )
    head = ("cases", "mean", f"{100 * question.level:g}% interval", "unreadable", "told from the best")
    pair_head = ("cases", "difference", "interval", "p", "p (Holm)", "smallest seen")
    return [
        Table("Systems (whether intervals overlap is not a test)", ("system",), "", head, systems),
        Table(f"Pairs{', in points' if words.rates else ''}", ("pair",), "", pair_head, pairs),
    ]
