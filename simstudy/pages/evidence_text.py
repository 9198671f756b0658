"""The report on people's own results: the answer in a sentence or two, tables of figures, how the files were read."""

from __future__ import annotations

import html as markup
import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from simstudy.pages.numbers import UNDEFINED
from simstudy.pages.text_tables import Table, markdown_lines, plain_lines
from simstudy.records.evidence import Evidence, Rates
from simstudy.records.likeness import implied_difficulty
from simstudy.records.many_systems import ManyCompared
from simstudy.records.one_system import OneSystem
from simstudy.records.two_compared import MULTIPLES, Question, Seen, TwoCompared
from simstudy.visible import visible_line

WIDTH = 100
MOST_LISTED = 20
MOST_ROWS = 60
"""Rows of a table on a terminal; the rest is counted."""
TESTS = {
    "mcnemar_midp": "mid-p McNemar",
    "paired_t": "paired t test",
    "cluster_t": "t test on clusters",
    "stratified_t": "t test over strata",
    "binomial_midp": "mid-p binomial test",
    "one_sample_t": "one-sample t test",
    "z_pooled": "pooled z test",
}


class _Words:
    """Writes values: of rates in percent and points, of scores as they are."""

    def __init__(self, rates: bool) -> None:
        self.rates = rates

    def mean(self, value: float) -> str:
        if math.isnan(value):
            return UNDEFINED
        return f"{_short(100 * value)}%" if self.rates else f"{value:.3g}" if abs(value) >= 1000 else f"{value:.2f}"

    def step(self, value: float, signed: bool = True) -> str:
        if math.isnan(value):
            return UNDEFINED
        if math.isinf(value):
            return "−∞" if value < 0 else "∞"
        text = _short(100 * value) if self.rates else f"{value:.3f}"
        if value and float(text) == 0:
            text = f"{100 * value if self.rates else value:.2g}"
        text = text.replace("-", "−")
        return text if not signed or text.startswith("−") else f"+{text}"

    def amount(self, value: float) -> str:
        size = self.step(abs(value), signed=False)
        if not self.rates:
            return size
        return f"{size} point" if size == "1" else f"{size} points"

    def between(self, low: float, high: float, *, steps: bool = False) -> str:
        """Write limits: of means, or of differences."""
        if math.isnan(low):
            return UNDEFINED
        write = self.step if steps else self.mean
        return f"{write(low)} to {write(high)}"

    def unit(self) -> str:
        return " points" if self.rates else ""


def _short(value: float) -> str:
    """Write a percentage with one decimal, and without it where it is 0."""
    text = f"{value:.1f}"
    return "0" if text in ("-0.0", "0.0") else text.removesuffix(".0")


def p_words(p: float) -> str:
    """Write a p-value: ``p = .03``, ``p = .0004``, ``p < .0001``."""
    if math.isnan(p):
        return "p undefined"
    if p < 1e-4:
        return "p < .0001"
    text = f"{p:.2f}" if p >= 0.0995 else f"{p:.3f}" if p >= 0.00095 else f"{p:.4f}"
    return f"p = {text.removeprefix('0')}"


def answer(report: Evidence) -> list[str]:
    """Return the answer: one sentence or two, then what would make the next set better."""
    found = report.found
    if isinstance(found, TwoCompared):
        return _answer_of_two(found, report.question, report.flips)
    if isinstance(found, ManyCompared):
        return _answer_of_many(found)
    if isinstance(found, OneSystem):
        return _answer_of_one(found, report.question)
    return _answer_of_rates(found, report.question)


def _answer_of_two(found: TwoCompared, question: Question, flips: str | None) -> list[str]:
    r, words = found.record, _Words(found.binary or _is_rate(found))
    a, b = r["system_a"], r["system_b"]
    on = f"on the same {r['n_cases']:,} cases"
    if found.clustered:
        on += f" in {r['n_clusters']:,} clusters" if found.pairs.rule != "clustered" else ", each with its runs"
    figures = (
        f"{words.mean(r['mean_b'])} against {words.mean(r['mean_a'])} {on}, difference {words.step(r['difference'])}"
        f"{words.unit()}, {_interval(words, r, question)}, {p_words(r['p_value'])}"
    )
    sentences = []
    p = r["p_value"]
    if math.isnan(p):
        sentences.append(f"No test is possible: all differences are alike. {b} ({b} − {a}): {figures}.")
    elif p <= question.alpha:
        better = (r["difference"] > 0) != question.lower_is_better
        lower = " (lower is better)" if question.lower_is_better else ""
        sentences.append(f"{b} is {'better' if better else 'worse'} than {a}{lower}: {figures}.")
    else:
        sentences.append(f"No difference was found between {a} and {b}: {figures}{_misses(found.seen, words)}.")
    sentences += _contradiction(r, question)
    sentences += _smallest(found, words, question)
    sentences += _about_margin(r, words, question)
    if flips:
        sentences.append(flips)
    if not r["difference"] and not r.get("only_a") and not r.get("only_b") and found.binary:
        sentences.append("Not one case came out differently: perhaps these are the same answers twice.")
    sentences += _recommended(found.seen, words, question)
    return sentences


def _is_rate(found: TwoCompared) -> bool:
    """Whether means are of 0/1 outcomes: shares between 0 and 1 of runs that were right or wrong."""
    return found.pairs.rule in ("mean", "clustered") and bool(
        all(((side >= 0) & (side <= 1)).all() for side in (found.pairs.a, found.pairs.b))
    )


def _interval(words: _Words, r: dict[str, object], question: Question) -> str:
    low, high = (float(str(r[name])) for name in ("low", "high"))
    if math.isnan(low):
        return "no interval"
    return f"{100 * question.level:g}% interval {words.step(low)} to {words.step(high)}"


def _misses(seen: Sequence[Seen], words: _Words) -> str:
    known = [one for one in seen if not math.isnan(one.power)]
    if not known:
        return ""
    one = known[-1]
    return (
        f"; this set finds {words.amount(one.difference)} in only {_in_100(one.power)} of 100 such evaluations"
        if (one.power < 0.8)
        else f"; a difference of {words.amount(one.difference)} would have been found in {_in_100(one.power)} of 100"
    )


def _in_100(power: float) -> str:
    count = round(100 * power)
    return "more than 99" if count == 100 and power < 1 else f"{count}"


def _contradiction(r: dict[str, object], question: Question) -> list[str]:
    low, high, p = (float(str(r[name])) for name in ("low", "high", "p_value"))
    if math.isnan(low) or math.isnan(p) or abs(question.level - (1 - question.alpha)) > 1e-9:
        return []
    if (p <= question.alpha) == (low > 0 or high < 0):
        return []
    return [
        "The interval and the test are close to their edge and do not agree: they are built from different laws; "
        "decide by the one that was named before."
    ]


def _smallest(found: TwoCompared, words: _Words, question: Question) -> list[str]:
    """Say the smallest difference that this set finds, and how often it finds half of it."""
    up, down = (float(found.record[name]) for name in ("mde_positive", "mde_negative"))
    in_100 = f"in {100 * question.power:.0f} of 100"
    reachable = [size for size in (up, down) if not math.isnan(size)]
    if not reachable:
        return [f"This set finds no difference that can exist {in_100}: it is too small."]
    amounts = {words.amount(size) for size in reachable}
    if len(reachable) == 2 and len(amounts) == 1:
        sizes = f"{amounts.pop()} either way"
    else:
        sizes = " or ".join(words.step(size) for size in reachable) + words.unit()
    return [
        f"The smallest difference that this set finds {in_100} is {sizes}; half of it is found in "
        f"{_in_100(found.half)} of 100."
    ]


def _about_margin(r: dict[str, object], words: _Words, question: Question) -> list[str]:
    if question.margin is None:
        return []
    p, both = (float(str(r[name])) for name in ("noninferior_p", "equivalent_p"))
    loss, a, b = words.amount(question.margin), r["system_a"], r["system_b"]
    if math.isnan(p):
        return [f"Whether {b} loses {loss} cannot be tested: there is no spread."]
    shown = p <= question.alpha
    sentence = (
        f"{b} is {'' if shown else 'not shown to be '}no worse than {a} by {loss} or more (one-sided {p_words(p)})"
    )
    return [
        f"{sentence}; equivalence within {loss} is {'' if both <= question.alpha else 'not '}shown ({p_words(both)})."
    ]


def _recommended(seen: Sequence[Seen], words: _Words, question: Question) -> list[str]:
    if not seen:
        return []
    one = seen[0]
    if math.isnan(one.cases) and math.isnan(one.high):
        return []
    if math.isinf(one.high) or math.isnan(one.high):
        return [f"For {words.amount(one.difference)} more cases would be needed than can be planned for."]
    return [
        f"For the next set: {one.high:,.0f} cases find {words.amount(one.difference)} in {100 * question.power:.0f} of "
        f"100, also if this set misled about how far cases differ (median {one.median:,.0f})."
    ]


def _answer_of_one(found: OneSystem, question: Question) -> list[str]:
    r, words = found.record, _Words(found.binary)
    runs = f", {r['n_runs']} runs each" if r["n_runs"] > 1 else ""
    sentences = [
        f"{r['system_a']}: {words.mean(r['mean_a'])} on {r['n_cases']:,} cases{runs}, {_limits(words, r, question)}."
    ]
    if r.get("rerun_band") is not None and not math.isnan(r["rerun_band"]):
        sentences.append(
            f"Two runs of this very system on these cases lie up to {words.amount(r['rerun_band'])} apart in "
            f"{100 * question.level:.0f} of 100 such pairs; {100 * r['icc']:.0f}% of the variance of an answer is the "
            "question, the rest the run."
        )
    if r.get("p_value") is not None:
        bound = r["mean_a"] - r["difference"]
        side = "above" if r["difference"] > 0 else "below"
        told = "differs" if r["p_value"] <= question.alpha else "is not told"
        sentences.append(f"It {told} from {words.mean(bound)} ({side}, {p_words(r['p_value'])}).")
    sentences.append("One system alone: for a comparison give a second file, or a second system.")
    return sentences


def _limits(words: _Words, r: dict[str, object], question: Question) -> str:
    low, high = (float(str(r[name])) for name in ("low", "high"))
    if math.isnan(low):
        return "no interval"
    return f"{100 * question.level:g}% interval {words.mean(low)} to {words.mean(high)}"


def _answer_of_many(found: ManyCompared) -> list[str]:
    best = found.systems[0].record
    words = _Words(found.systems[0].binary)
    sentence = f"{found.best} has the best mean, {words.mean(best['mean_a'])} on {best['n_cases']:,} cases"
    if not found.not_told_from_best:
        return [f"{sentence}, and is told from every other system (Holm)."]
    return [f"{sentence}; not told from it (Holm): {', '.join(found.not_told_from_best)}."]


def _answer_of_rates(found: Rates, question: Question) -> list[str]:
    r, words = found.record, _Words(True)
    if found.against is None and r["system_b"] is None:
        return [f"{words.mean(r['mean_a'])} of {r['n_cases']:,} cases, {_limits(words, r, question)}."]
    if r["system_b"] is None:
        p, side = r["p_value"], "above" if r["difference"] > 0 else "below"
        told = f"lies {side}" if p <= question.alpha else "is not told from"
        head = (
            f"The rate {told} {words.mean(found.against or 0)}: {words.mean(r['mean_a'])} of {r['n_cases']:,} cases, "
            f"{_limits(words, r, question)}, {p_words(p)}"
        )
        return [
            head + (_misses(found.seen, words) if p > question.alpha else "") + ".",
            *_recommended(found.seen, words, question),
        ]
    a, b, p = r["system_a"], r["system_b"], r["p_value"]
    figures = (
        f"{words.mean(r['mean_b'])} against {words.mean(r['mean_a'])} on different cases ({r['n_cases']:,} together), "
        f"difference {words.step(r['difference'])} points, {_interval(words, r, question)}, {p_words(p)}"
    )
    if math.isnan(p):
        head = f"No test is possible between {a} and {b}: {figures}."
    elif p <= question.alpha:
        better = (r["difference"] > 0) != question.lower_is_better
        head = f"{b} is {'better' if better else 'worse'} than {a}: {figures}."
    else:
        head = f"No difference was found between {a} and {b}: {figures}{_misses(found.seen, words)}."
    return [head, *_about_margin(r, words, question), *_recommended(found.seen, words, question)]


def tables(report: Evidence) -> list[Table]:
    """Return the tables of a report."""
    found = report.found
    if isinstance(found, ManyCompared):
        return _tables_of_many(found, report.question)
    if isinstance(found, OneSystem):
        return _tables_of_one(found)
    if isinstance(found, TwoCompared):
        return _tables_of_two(found, report.question)
    return [_seen_table(found.seen, _Words(True), report.question)] if found.seen else []


def _number(value: object, digits: int = 4) -> str:
    if value is None:
        return UNDEFINED
    if isinstance(value, int):
        return f"{value:,}"
    number = float(str(value))
    if not math.isfinite(number):
        return UNDEFINED if math.isnan(number) else "∞" if number > 0 else "−∞"
    if 0 < abs(number) < 0.5 * 10.0**-digits:
        return f"<{10.0**-digits:.{digits}f}".replace("<0.", "<.") if number > 0 else f"{number:.1e}".replace("-", "−")
    text = f"{number:.{digits}f}".replace("-", "−")
    return text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text


def _tables_of_two(found: TwoCompared, question: Question) -> list[Table]:
    r, words = found.record, _Words(found.binary or _is_rate(found))
    rows = []
    if "p_mcnemar_midp" in r:
        rows.append(("mid-p McNemar, Tango", _number(r["p_mcnemar_midp"]), _pair(r, "tango_low", "tango_high")))
        rows.append(("exact McNemar", _number(r["p_mcnemar_exact"]), UNDEFINED))
    if "p_cluster_t" in r:
        rows.insert(0, ("t on clusters", _number(r["p_cluster_t"]), _pair(r, "low", "high")))
    if r["test"] == "stratified_t":
        rows.insert(0, ("t over strata", _number(r["p_value"]), _pair(r, "low", "high")))
    own = ("low", "high") if r["test"] == "paired_t" else None
    rows.append(("paired t", _number(r["p_paired_t"]), _pair(r, *own) if own else UNDEFINED))
    rows.append(("signed ranks (Wilcoxon)", _number(r["p_wilcoxon"]), UNDEFINED))
    rows.append(("sign flips of the mean", _number(r["p_sign_flip"]), UNDEFINED))
    rows.append(("bootstrap-t", UNDEFINED, _pair(r, "bootstrap_t_low", "bootstrap_t_high")))
    caption = f"Difference {r['system_b']} − {r['system_a']}: {_number(r['difference'])}, "
    caption += f"standard error {_number(r['se'])}"
    if found.clustered:
        caption += f"; all but the first take rows as independent (standard error {_number(r['se_rows'])})"
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
        cells = tuple(_number(r[name]) for name in ("both_right", "only_a", "only_b", "neither"))
        head = ("both right", f"only {r['system_a']}", f"only {r['system_b']}", "neither")
        found_tables.append(Table("Cases", ("",), "", head, (("cases", *cells),)))
    if found.strata:
        rows_of = tuple(
            (name or UNDEFINED, f"{weight:.3f}", f"{n:,}", _number(a, 3), _number(b, 3), _number(d, 3))
            for name, weight, n, a, b, d in found.strata
        )
        of_strata = ("weight", "cases", str(r["system_a"]), str(r["system_b"]), "difference")
        found_tables.append(Table("Strata", ("stratum",), "", of_strata, rows_of))
    return [*found_tables, _seen_table(found.seen, words, question), *_expected_table(found, words)]


def _pair(r: dict[str, object], low: str, high: str) -> str:
    return UNDEFINED if math.isnan(float(str(r[low]))) else f"[{_number(r[low])}, {_number(r[high])}]"


def _seen_table(seen: Sequence[Seen], words: _Words, question: Question) -> Table:
    def cases(number: float) -> str:
        return UNDEFINED if math.isnan(number) else "> limit" if math.isinf(number) else f"{number:,.0f}"

    rows = tuple(
        (
            words.step(one.difference) + words.unit(),
            UNDEFINED if math.isnan(one.power) else f"{_in_100(one.power)} of 100",
            cases(one.cases),
            cases(one.median),
            UNDEFINED if math.isnan(one.low) else f"{cases(one.low)} to {cases(one.high)}",
        )
        for one in seen
    )
    head = ("found by this set in", f"cases for power {question.power:g}", "median", "90% range")
    caption = "What sets of this kind find; median and range: over what this set leaves open"
    return Table(caption, ("difference",), "", head, rows)


def _expected_table(found: TwoCompared, words: _Words) -> list[Table]:
    """Return the power expected of larger sets, over what this set leaves open."""
    known = [one for one in found.seen if one.expected and not math.isnan(one.expected[0])]
    if not known:
        return []
    heads = tuple(f"{multiple * found.record['n_cases']:,} cases" for multiple in MULTIPLES)
    rows = tuple(
        (words.step(one.difference) + words.unit(), *(f"{_in_100(power)} of 100" for power in one.expected))
        for one in known
    )
    return [Table("Found by larger sets, on average over what this set leaves open", ("difference",), "", heads, rows)]


def _tables_of_one(found: OneSystem) -> list[Table]:
    if not found.passes:
        return []
    rows = tuple(
        (str(k), f"{n:,}", _number(every[0]), _range(every), _number(some[0]), _range(some))
        for k, n, every, some in found.passes
    )
    head = ("cases with k runs", "pass^k", "interval", "pass@k", "interval ")
    return [Table("All of k runs right (pass^k), one of k right (pass@k)", ("k",), "", head, rows)]


def _range(share: tuple[float, float, float]) -> str:
    """Write t limits of a chance, cut to what a chance can be."""
    if math.isnan(share[1]):
        return UNDEFINED
    return f"[{_number(max(share[1], 0.0))}, {_number(min(share[2], 1.0))}]"


def _tables_of_many(found: ManyCompared, question: Question) -> list[Table]:
    words = _Words(found.systems[0].binary)
    untold = {found.best, *found.not_told_from_best}
    systems = tuple(
        (
            str(one.record["system_a"]),
            f"{one.record['n_cases']:,}",
            words.mean(one.record["mean_a"]),
            words.between(one.record["low"], one.record["high"]),
            f"{one.record['unreadable_a']:,}",
            "best" if one.record["system_a"] == found.best else "no" if one.record["system_a"] in untold else "yes",
        )
        for one in found.systems
    )
    pairs = tuple(
        (
            f"{two.record['system_b']} − {two.record['system_a']}",
            f"{two.record['n_cases']:,}",
            words.step(two.record["difference"]),
            words.between(two.record["low"], two.record["high"], steps=True),
            _number(two.record["p_value"]),
            _number(two.record["p_holm"]),
            words.step(two.record["mde_positive"]),
        )
        for two in found.pairs
    )
    head = ("cases", "mean", f"{100 * question.level:g}% interval", "unreadable", "told from the best")
    pair_head = ("cases", "difference", "interval", "p", "p (Holm)", "smallest seen")
    return [
        Table("Systems (whether intervals overlap is not a test)", ("system",), "", head, systems),
        Table(f"Pairs{', in points' if words.rates else ''}", ("pair",), "", pair_head, pairs),
    ]


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
            f"Design effect {effect:.2f}: the standard error with {r['n_clusters']:,} clusters, {_number(r['se'])}, "
            f"against {_number(r['se_rows'])} if the {rows:,} rows were independent; they are worth about "
            f"{round(rows / max(1.0, effect)):,} independent cases."
        )
    if r.get("both_right") is not None and r["only_a"] + r["only_b"]:
        said.append(_discordance(r))
    return said


def _discordance(r: Mapping[str, Any]) -> str:
    discordance = (r["only_a"] + r["only_b"]) / (r["both_right"] + r["only_a"] + r["only_b"] + r["neither"])
    sd = implied_difficulty(r["mean_a"], r["mean_b"], discordance)
    given = "no shared difficulty of the cases gives it" if math.isnan(sd) else f"difficulty_sd {sd:.2f} gives it"
    return (
        f"Discordance {_number(discordance, 3)}: the share of cases that exactly one system gets right, which sets the "
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
        return []
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
            *(f"  {visible_line(case)}" for case in listing(report, what)),
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
        items = [f"- {visible_line(case)}" for case in listing(report, what)]
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
