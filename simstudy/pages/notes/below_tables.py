"""Notes below tables of measures: how the figures came about, what their signs mean, and what warns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simstudy.pages import numbers
from simstudy.pages.notes.note import Note, Result, by_method, most, outcome
from simstudy.pages.variables import EXACT, METHOD, any_exact, known_measures, swept
from simstudy.scenarios.declaration import Method
from simstudy.scenarios.measure import Blocked
from simstudy.scenarios.rules import Rule
from simstudy.study.results import estimate_unit

if TYPE_CHECKING:
    import xarray as xr

OF_INTERVALS = ("coverage", "miss_below", "miss_above", "coverage_own", "interval_width", "width", "half_width")


def _engines(result: Result) -> list[str]:
    """Say which methods are exact, which simulated, and how often: one sentence, or one for each engine."""
    used: dict[str, list[str]] = {}
    for method, values in by_method(result.dataset["engine"]).items():
        engines = [str(engine) for engine in np.unique(values.values) if engine]
        for engine in filter(None, engines):
            used.setdefault(engine, []).append(f"{method} (in part)" if len(engines) > 1 else method)
    drawing = [name for name in used.get(EXACT, []) if result.study.method(name.split(" ")[0]).resamples]
    if set(used) == {EXACT} and not drawing:
        return ["All figures are exact."]
    if drawing:
        used[EXACT] = [name for name in used[EXACT] if name not in drawing]
        used |= {"exact but for its own draws": drawing}
        used = {engine: names for engine, names in used.items() if names}
    said = []
    for engine, methods in used.items():
        often = ""
        if engine in ("counts", "full") and "replications" in result.dataset:
            counts = result.dataset["replications"].where(result.dataset["engine"] == engine)
            low, high = int(counts.min()), int(counts.max())
            often = f"; {low:,} replications" if low == high else f"; {low:,} to {high:,} replications"
        said.append(f"{engine}: {', '.join(methods)}{often}.")
    return said


def _fixed(result: Result) -> list[str]:
    """Say which values a part of a result has, of parameters that took several: the opening sentence names them all."""
    dataset, study = result.dataset, result.study
    swept_once = [name for name, values in study.grid.swept.items() if len(values) > 1]
    swept_once += ["alpha"] if study.options.alpha_swept and len(study.options.alpha) > 1 else []
    single = [name for name in swept_once if name in dataset.coords and dataset[name].size == 1]
    pairs = [numbers.pair(name, dataset[name].values.item()) for name in single]
    return [f"Fixed: {', '.join(pairs)}."] if pairs else []


def _sign(name: str, signs: str, words: str) -> Note:
    """Explain a sign where it stands in a table."""
    return Note(name, lambda result: any(sign in result.cells for sign in signs), lambda _: [words])


def _units(result: Result) -> list[str]:
    """Say which unit belongs to which method, where they differ in it and a column shows it."""
    measures = known_measures(result.study).items()
    shown = [name for name, measure in measures if measure.of_estimate and name in result.heads]
    units = estimate_unit(result.study.scenario, result.study.methods)
    return [f"Unit of {', '.join(shown)}: {units}."] if shown and "(" in units else []


def _undefined(result: Result) -> list[str]:
    undefined = result.dataset["undefined"]
    counted = ", counted as not rejecting" if not result.rules else ", counted as no decision"
    shares = most(by_method(undefined.where(undefined > 0)))
    return [f"Undefined{counted if 'power' in result.dataset else ''}; largest share: {shares}."]


def _tests(result: Result) -> list[Method]:
    """Return the methods whose null is the null effect."""
    tests = [m for m in result.methods if not m.decision.about_margin and not isinstance(m.decision, Rule)]
    return [m for m in tests if m.decision.null is None]


def _shows_null(result: Result) -> bool:
    shown = result.of_power and "power" in result.dataset and result.at_null is not None
    return shown and bool(result.at_null.any())  # type: ignore[union-attr]


def _at_null(result: Result) -> str:
    """Return how the null of the effect is said; several ones by the parameter that holds them."""
    study, nulls = result.study, np.unique(result.nulls.values)
    if len(nulls) > 1:
        held = study.scenario.effect.null if study.scenario.effect else None
        return f"Where {study.effect} = {held}" if isinstance(held, str) else f"At the null of {study.effect}"
    return f"At {numbers.pair(study.effect, float(nulls[0]))}"


def _type_one(result: Result) -> list[str]:
    tests = _tests(result)
    of_which = "" if len(tests) == len(result.methods) else f" of {', '.join(method.name for method in tests)}"
    return [f"{_at_null(result)} the power{of_which} is the type I error rate."]


def _at_margin(result: Result) -> list[str]:
    names = ", ".join(method.name for method in result.methods if method.decision.about_margin)
    return [f"The power of {names} is the type I error rate at {result.study.effect} = -margin (equivalence: ±margin)."]


def _rules(result: Result) -> list[str]:
    """Say what the power of a rule is the probability of, and what the rule asserts."""
    same: dict[str, list[str]] = {}
    for method in result.rules:
        name, rule = outcome(method, result.study), method.decision
        claim = f", the claim {rule.claim}" if isinstance(rule, Rule) and rule.claim and name == rule.passes else ""
        same.setdefault(f"'{name}'{claim}", []).append(method.name)
    said = [f"The power of {', '.join(names)} is the probability of {words}." for words, names in same.items()]
    asks: dict[str, list[str]] = {}
    for method in result.rules:
        if isinstance(method.decision, Rule):
            asks.setdefault("; ".join(f"{p.name}, {p.words}" for p in method.decision.parts), []).append(method.name)
    return [*said, *(f"{', '.join(names)}: the rule asks for {parts}." for parts, names in asks.items())]


def _errs_at_null(result: Result) -> list[Method]:
    """Return the rules whose decisive outcome is wrong at the null of the effect."""
    if result.at_null is None or not _shows_null(result) or "power_wrong" not in result.dataset:
        return []
    wrong = (result.dataset["power"] == result.dataset["power_wrong"]) | ~result.at_null
    return [method for method in result.rules if bool(wrong.sel({METHOD: method.name}).all())]


def _false_rule(result: Result) -> list[str]:
    errs = _errs_at_null(result)
    said = " or ".join(dict.fromkeys(f"'{outcome(method, result.study)}'" for method in errs))
    names = ", ".join(method.name for method in errs)
    return [f"{_at_null(result)} {said} is an error: there the power of {names} is how often it is made."]


def _blocked(result: Result) -> list[str]:
    """Say of each rule which part stood alone in its way most often."""
    names = [n for n, m in known_measures(result.study).items() if isinstance(m.of, Blocked) and n in result.dataset]
    said = []
    for method in result.rules:
        shares = {name: result.dataset[name].sel({METHOD: method.name}) for name in names}
        largest = {name: float(values.max()) for name, values in shares.items() if values.notnull().any()}
        if max(largest.values(), default=0.0) > 0:
            name = max(largest, key=largest.__getitem__)
            said.append(f"{method.name} by {most({name.removeprefix('blocked_by_'): shares[name]})}")
    return [f"What blocks alone most often: {'; '.join(said)}."] if said else []


def _misled(result: Result) -> dict[float, dict[str, xr.DataArray]]:
    """Return where the wrong direction is taken more often than the level explains: chance → method → rates."""
    found: dict[float, dict[str, xr.DataArray]] = {}
    if not {"power_wrong", "power_wrong_low"} <= set(result.dataset.data_vars):
        return found
    for method in result.methods:
        level = result.level(method)
        if level is not None:
            two_sided = method.decision.two_directions and result.study.options.alternative == "two-sided"
            chance = level / 2 if two_sided else level
            here = result.dataset.sel({METHOD: method.name})
            beyond = here["power_wrong"].where(here["power_wrong_low"] > chance)
            if bool(beyond.notnull().any()):
                found.setdefault(chance, {})[method.name] = beyond
    return found


def _wrong(result: Result) -> list[str]:
    return [
        f"Rejects in the wrong direction more often than chance allows ({numbers.plain(chance, 3, True)}); at most: "
        f"{most(rates)}."
        for chance, rates in _misled(result).items()
    ]


def _of_intervals(result: Result) -> list[str]:
    """Return the measures of intervals that are shown, or the target."""
    target = result.study.target
    if result.study.solved and target is not None:
        return [condition.name for condition in target.conditions if condition.name in OF_INTERVALS]
    return [name for name in OF_INTERVALS if name in result.heads]


def _one_sided(result: Result) -> list[Method]:
    """Return the methods with an interval that decide on one side: the alternative does, or a margin."""
    one_sided = result.study.options.alternative != "two-sided"
    with_interval = [m for m in result.methods if m.interval and not isinstance(m.decision, Rule)]
    return [m for m in with_interval if one_sided or m.decision.about_margin]


def _sides(result: Result) -> list[str]:
    """Say of which interval coverage and width are where decisions are one-sided, and by which one is decided."""
    methods = _one_sided(result)
    by_limit = [method.name for method in methods if method.p_value is None]
    alpha = result.alpha
    two, one = ("1 − alpha", "1 − 2·alpha") if alpha is None else (f"{1 - alpha:.4g}", f"{1 - 2 * alpha:.4g}")
    by = f"; {', '.join(by_limit)} decide{'s' * (len(by_limit) == 1)} by a limit of the one of level {one}"
    return [
        f"{', '.join(_of_intervals(result))}: of the two-sided interval of level {two}, though decisions are one-sided"
        f"{by if by_limit else ''}."
    ]


FIXED = Note("fixed", lambda _: True, _fixed)
ENGINES = Note(
    "engines",
    lambda result: "engine" in result.dataset and METHOD in result.dataset["engine"].dims,
    _engines,
)
RESAMPLED = Note(
    "resampled",
    lambda result: any(method.resamples for method in result.methods),
    lambda result: [
        f"{', '.join(method.name for method in result.methods if method.resamples)}: draws random numbers itself, "
        + ("by this seed; another one moves the answer." if "answer" in result.dataset else "and errors hold that too.")
    ],
)
MISUSED = Note(
    "misused",
    lambda result: bool(result.misused),
    lambda result: [
        f"A mistake in this design, so its power is not comparable with the others: {', '.join(result.misused)}."
    ],
)
SIGNS = (
    Note(
        "error beside exact",
        lambda result: "±" in result.cells and any_exact(result.dataset),
        lambda _: ["±: one Monte Carlo standard error; figures without ± are exact."],
    ),
    Note(
        "error",
        lambda result: "±" in result.cells and not any_exact(result.dataset),
        lambda _: ["±: one Monte Carlo standard error."],
    ),
    _sign("limit", "≤≥", "≤, ≥: no replication, or every one; the 95% Wilson limit stands in for an error of 0."),
    _sign("no error", "~", "~: simulated, without a computed error."),
    _sign("dash", numbers.UNDEFINED, f"{numbers.UNDEFINED}: undefined."),
)
UNITS = Note("units", lambda result: bool(_units(result)), _units)
SIDES = Note("one-sided", lambda result: bool(_of_intervals(result) and _one_sided(result)), _sides)
ON_POWER = (
    Note(
        "undefined",
        lambda result: (
            result.of_power
            and "undefined" in result.dataset
            and METHOD in result.dataset["undefined"].dims
            and bool((result.dataset["undefined"] > 0).any())
        ),
        _undefined,
    ),
    Note("rules", lambda result: result.of_power and bool(result.rules), _rules),
    Note("blocked", lambda result: result.of_power and bool(result.rules) and not swept(result.dataset), _blocked),
    Note("at null", lambda result: _shows_null(result) and bool(_tests(result)), _type_one),
    Note("rule at null", lambda result: bool(_errs_at_null(result)), _false_rule),
    Note(
        "at margin",
        lambda result: (
            result.of_power
            and "power" in result.dataset
            and any(method.decision.about_margin for method in result.methods)
        ),
        _at_margin,
    ),
    Note(
        "far above the level",
        lambda result: result.of_power and bool(result.liberal),
        lambda result: [f"Type I error far above the level; at most: {most(result.liberal)}."],
    ),
    Note("wrong direction", lambda result: result.of_power and bool(_misled(result)), _wrong),
)
