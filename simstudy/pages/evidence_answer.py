"""The answer of a report on people's own results: a sentence or two, then what this set and the next one see."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simstudy.pages.evidence_words import Words, cases_words, counted, in_100, is_rate, p_words
from simstudy.records.evidence import Evidence, Rates
from simstudy.records.many_systems import ManyCompared
from simstudy.records.natural_order import listed
from simstudy.records.one_system import OneSystem
from simstudy.records.planners import Seen
from simstudy.records.question import Question
from simstudy.records.two_compared import TwoCompared


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
    r, words = found.record, Words(found.binary or is_rate(found))
    a, b = r["system_a"], r["system_b"]
    on = f"on the same {r['n_cases']:,} cases" if r["n_cases"] != 1 else "on a single case"
    if found.clustered:
        on += (
            f" in {counted(r['n_clusters'], 'cluster')}" if found.pairs.rule != "clustered" else ", each with its runs"
        )
    if found.strata:
        on += f", weighed over {len(found.strata)} strata" if len(found.strata) > 1 else " of one stratum"
    figures = (
        f"{words.mean(r['mean_b'])} against {words.mean(r['mean_a'])} {on}, difference {words.step(r['difference'])}"
        f"{words.unit()}, {_interval(words, r, question)}, {p_words(r['p_value'])}"
    )
    sentences = []
    p = r["p_value"]
    if math.isnan(p):
        sentences.append(f"No test is possible: {_why_no_test(found)}. {b} ({b} − {a}): {figures}.")
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


def _why_no_test(found: TwoCompared) -> str:
    if found.record["se"] == 0:
        return "all differences are alike"
    if found.strata:
        alone = [name for name, _, n, *_ in found.strata if n < 2]
        return f"a stratum needs two cases, and {listed(alone)} has one"
    return "there is one cluster" if found.clustered else "there is one case"


def _interval(words: Words, r: dict[str, object], question: Question) -> str:
    low, high = (float(str(r[name])) for name in ("low", "high"))
    if math.isnan(low):
        return "no interval"
    return f"{100 * question.level:g}% interval {words.step(low)} to {words.step(high)}"


def _misses(seen: Sequence[Seen], words: Words) -> str:
    known = [one for one in seen if not math.isnan(one.power)]
    if not known:
        return ""
    one = known[-1]
    return (
        f"; this set finds {words.amount(one.difference)} in only {in_100(one.power)} of 100 such evaluations"
        if (one.power < 0.8)
        else f"; a difference of {words.amount(one.difference)} would have been found in {in_100(one.power)} of 100"
    )


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


def _smallest(found: TwoCompared, words: Words, question: Question) -> list[str]:
    """Say the smallest difference that this set finds, and how often it finds half of it."""
    up, down = (float(found.record[name]) for name in ("mde_positive", "mde_negative"))
    often = f"in {100 * question.power:.0f} of 100"
    reachable = [size for size in (up, down) if not math.isnan(size)]
    if not reachable:
        return [f"This set finds no difference that can exist {often}: it is too small."]
    amounts = {words.amount(size) for size in reachable}
    if len(reachable) == 2 and len(amounts) == 1:
        sizes = f"{amounts.pop()} either way"
    else:
        sizes = " or ".join(words.step(size) for size in reachable) + words.unit()
    return [
        f"The smallest difference that this set finds {often} is {sizes}; half of it is found in "
        f"{in_100(found.half)} of 100."
    ]


def _about_margin(r: dict[str, object], words: Words, question: Question) -> list[str]:
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


def _recommended(seen: Sequence[Seen], words: Words, question: Question) -> list[str]:
    if not seen:
        return []
    one = seen[0]
    if math.isnan(one.cases) and math.isnan(one.high):
        return []
    if math.isinf(one.high) or math.isnan(one.high):
        return [f"For {words.amount(one.difference)} more cases would be needed than can be planned for."]
    return [
        f"For the next set: {cases_words(one.high, one.mcse[2])} cases find {words.amount(one.difference)} in "
        f"{100 * question.power:.0f} of 100, also if this set misled about how far cases differ (median "
        f"{cases_words(one.median, one.mcse[1])})."
    ]


def _answer_of_one(found: OneSystem, question: Question) -> list[str]:
    r, words = found.record, Words(found.binary)
    runs = f", {'' if found.even else 'up to '}{r['n_runs']} runs each" if r["n_runs"] > 1 else ""
    sentences = [
        f"{r['system_a']}: {words.mean(r['mean_a'])} on {counted(r['n_cases'], 'case')}{runs}, "
        f"{_limits(words, r, question)}."
    ]
    if r.get("rerun_band") is not None and not math.isnan(r["rerun_band"]):
        sentences.append(
            f"Two runs of this very system on these cases lie up to {words.amount(r['rerun_band'])} apart in "
            f"{100 * question.level:.0f} of 100 such pairs; {100 * r['icc']:.0f}% of the variance of an answer is the "
            "question, the rest the run."
        )
    if r.get("p_value") is not None:
        bound = r["mean_a"] - r["difference"]
        side = "above" if r["difference"] > 0 else "below" if r["difference"] < 0 else "equal to it"
        told = "differs" if r["p_value"] <= question.alpha else "is not told"
        sentences.append(f"It {told} from {words.mean(bound)} ({side}, {p_words(r['p_value'])}).")
    sentences.append("One system alone: for a comparison give a second file, or a second system.")
    return sentences


def _limits(words: Words, r: dict[str, object], question: Question) -> str:
    low, high = (float(str(r[name])) for name in ("low", "high"))
    if math.isnan(low):
        return "no interval"
    return f"{100 * question.level:g}% interval {words.mean(low)} to {words.mean(high)}"


def _answer_of_many(found: ManyCompared) -> list[str]:
    best = found.systems[0].record
    words = Words(found.systems[0].binary)
    sentence = f"{found.best} has the best mean, {words.mean(best['mean_a'])} on {counted(best['n_cases'], 'case')}"
    apart = found.not_compared_with_best
    rest = f"; not compared with it, for want of common cases: {', '.join(apart)}" if apart else ""
    if found.not_told_from_best:
        return [f"{sentence}; not told from it (Holm): {', '.join(found.not_told_from_best)}{rest}."]
    others = "system with the same cases" if apart else "other system"
    return [f"{sentence}, and is told from every {others} (Holm){rest}."]


def _answer_of_rates(found: Rates, question: Question) -> list[str]:
    r, words = found.record, Words(True)
    if found.against is None and r["system_b"] is None:
        return [f"{words.mean(r['mean_a'])} of {counted(r['n_cases'], 'case')}, {_limits(words, r, question)}."]
    if r["system_b"] is None:
        p, side = r["p_value"], "above" if r["difference"] > 0 else "below"
        told = f"lies {side}" if p <= question.alpha else "is not told from"
        head = (
            f"The rate {told} {words.mean(found.against or 0)}: {words.mean(r['mean_a'])} of "
            f"{counted(r['n_cases'], 'case')}, {_limits(words, r, question)}, {p_words(p)}"
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
    return [
        head,
        *_contradiction(r, question),
        *_about_margin(r, words, question),
        *_recommended(found.seen, words, question),
    ]
