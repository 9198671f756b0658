"""How often a rule, or a mistake, decides where there is no effect: what a small answer of its does not tell."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator

from simstudy.errors import ComputationError, RequestError
from simstudy.options import Options
from simstudy.pages.notes.mistakes import MISTAKES
from simstudy.pages.notes.note import LIBERAL, Note, Result, outcome, rate, where
from simstudy.pages.variables import METHOD
from simstudy.scenarios.declaration import Method, Values
from simstudy.scenarios.rules import Rule
from simstudy.solve.curve import Curve
from simstudy.study.asked import is_stand_in
from simstudy.study.target import parse_target

MOST_POINTS = 12
"""Of more design points nothing is computed beside the answer."""
# Monte Carlo errors that a simulated rate has to lie above the bound
ERRORS = 3.0


def _asked(result: Result) -> list[Method]:
    """Return the methods without a level that holds, but the mistakes that a paragraph of their own speaks of."""
    told = MISTAKES.applies(result)
    rules = [m for m in result.methods if isinstance(m.decision, Rule) or not m.test]
    return [m for m in result.methods if (m in rules or m.misuse) and not (m.misuse and told)]


def _applies(result: Result) -> bool:
    study = result.study
    if study.scenario.effect is None or is_stand_in(study.scenario) or study.scenario.size is None:
        return False
    few = math.prod(study.grid.shape) * len(study.options.levels) <= MOST_POINTS
    return few and bool({"power", "answer"} & set(result.dataset.data_vars)) and bool(_asked(result))


def _points(result: Result, method: Method) -> Iterator[tuple[Values, Options]]:
    """Yield the design points of a method with one level each; those of a sample size at the size that it needs."""
    study, options = result.study, result.study.options
    singles = [dataclasses.replace(options, alpha=(level,), comparisons=1, mcse=None) for level in options.levels]
    settings = list(itertools.product(study.grid.combinations(), singles))
    if study.question != "size":
        yield from settings
        return
    sizes = result.dataset["answer"].sel({METHOD: method.name}).values.ravel().tolist()
    if len(sizes) == len(settings):
        yield from (
            ({**v, study.size: int(n)}, o) for (v, o), n in zip(settings, sizes, strict=True) if math.isfinite(n)
        )


def _worst(result: Result, method: Method) -> tuple[float, float, str] | None:
    """Return where a method decides most often without being right: rate, null, place in words; None where seldom."""
    study, found = result.study, []
    for values, options in _points(result, method):
        try:
            null = method.decision.start(values, study.scenario, method)
            power = parse_target("power=0.8", study.scenario)
            curve = Curve(study.scenario, dict(values), study.effect, method, options, power, study.usable)
            truth = method.decision.truth(curve.point(null), method)
            if truth is not None and set(method.decision.decisive) & set(truth[0]):
                continue
            engine = curve.engine(null)
            often, error = (float(curve.exact([null])[0]), 0.0) if engine == "exact" else curve.simulated(null, engine)
        except (RequestError, ComputationError):
            continue  # equal systems cannot exist at these values, say
        if often - ERRORS * error > LIBERAL * options.levels[0]:
            swept = [name for name in study.grid.swept if name != study.effect]
            named = [*swept, *([study.size] if study.question == "size" else [])]
            place = {name: values[name] for name in named} | (
                {"alpha": options.alpha[0]} if len(study.options.levels) > 1 else {}
            )
            found.append((often, null, where(place)))
    return max(found, default=None)


def _says(result: Result) -> list[str]:
    """Say it in one sentence for each null and outcome."""
    groups: dict[tuple[float, str], list[str]] = {}
    for method in _asked(result):
        worst = _worst(result, method)
        if worst is not None:
            often, null, place = worst
            said = f"'{outcome(method, result.study)}'" if isinstance(method.decision, Rule) else "a rejection"
            groups.setdefault((null, said), []).append(f"{method.name} {rate(often)}{f' ({place})' if place else ''}")
    level = min(result.study.options.levels)
    of_level = f"alpha, {level:g}" if len(result.study.options.levels) == 1 else "alpha"
    return [
        f"With {result.study.effect} {null:g}, where {said} is an error, it is more frequent than {of_level}: "
        f"{', '.join(rates)}."
        for (null, said), rates in groups.items()
    ]


FALSE_DECISIONS = Note("false decisions", _applies, _says)
