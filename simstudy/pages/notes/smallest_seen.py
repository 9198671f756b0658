"""The smallest effect that a design sees: the closing line of a power result."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from simstudy.engines.simulate import exact_seconds
from simstudy.errors import ComputationError, RequestError
from simstudy.pages.notes.note import Note, Result, by_method, rate, where
from simstudy.pages.solved import solved_tables
from simstudy.pages.text_tables import plain_lines
from simstudy.pages.variables import EXACT, METHOD
from simstudy.scenarios.check_point import effects_at
from simstudy.scenarios.declaration import Method, Values
from simstudy.solve.curve import Curve
from simstudy.solve.from_grid import mde_from
from simstudy.solve.questions import answer
from simstudy.solve.search import NULL_REACHES
from simstudy.study.plan import Study, ask
from simstudy.study.target import Target, parse_target

if TYPE_CHECKING:
    import xarray as xr

# what solving may cost after the power is there, and how many evaluations one answer takes
SECONDS = 3.0
EVALUATIONS = 14
# an answer of a method that decides by the discordant total: seconds at small sizes, what a million cases add, and how
# that grows with their number (measured at 10^4 to 10^8 cases, rounded up)
QUICK, MILLION, GROWTH = 0.005, 0.5, 0.8
GRID = "read off the grid"
# by how it was found, and whether the least effect has the power already
MISSING = {
    (EXACT, True): "none, for it holds without it",
    (EXACT, False): "none that can exist",
    (GRID, True): "below the grid",
    (GRID, False): "not reached in the grid",
}
# design points at which the type I error is computed beside an answer
MOST_POINTS = 12
# multiples of the level above which a type I error stands beside the figure of the method
ABOVE = 1.1


def _is_asked(result: Result) -> bool:
    return result.study.question == "power" and "power" in result.dataset and bool(result.study.effect)


def _is_said(result: Result) -> bool:
    """Return whether the parameters name the effect."""
    grid = result.study.grid
    return _is_asked(result) and (result.study.effect in grid.swept or result.study.effect in grid.fixed)


def _about_margins(result: Result) -> bool:
    return all(method.decision.about_margin for method in result.study.methods)


def _margins(result: Result) -> list[str]:
    """Say what to ask instead where every method claims something about a margin."""
    effect = result.study.effect
    if any(method.decision.has_smallest_effect for method in result.study.methods):
        return [
            f"Claims about a margin see no smallest {effect}: simstudy mde gives the {effect} from which "
            "non-inferiority is established, simstudy size the size it takes."
        ]
    return [f"Equivalence is easiest to establish at no {effect}: simstudy size gives the size it takes."]


def _seen(result: Result) -> list[str]:
    """Say what the design can see: solved exactly where that is cheap, else read off the grid, else why not."""
    effect = result.study.effect
    try:
        if methods := _affordable(result):
            return _solved(result, methods)
        if effect in result.dataset.dims:
            return [_line(result, _off_grid(result), GRID)]
    except (RequestError, ComputationError) as error:
        # the power is computed and stands, whatever a further question meets
        return [f"The smallest {effect} that this design sees is not given: {error}"]
    return [
        f"The smallest {effect} that this design sees is not given, for no method here solves for it exactly in a few "
        "seconds: simstudy mde takes the time, or simulates."
    ]


def _other_terms(result: Result) -> list[str]:
    """Say what determines the effect where the parameters do not name it, and what to say instead."""
    study = result.study
    groups = [group.alternatives for group in study.scenario.groups]
    ways = [names for ways in groups if any(study.effect in names for names in ways) for names in ways]
    instead = next((names for names in ways if study.effect in names), (study.effect,))
    given = [name for names in ways for name in names if name in study.said]
    return [
        f"The smallest {study.effect} that this design sees is not given, for it follows from {' and '.join(given)}: "
        f"give {' and '.join(instead)} instead."
    ]


def _target(study: Study) -> Target:
    """Return the power from which an effect counts as seen."""
    return study.target or parse_target(None, study.scenario)


def _signs(result: Result) -> list[str]:
    """Return the sides of the null on which effects were asked for and methods look."""
    alternative = result.study.options.alternative
    if alternative != "two-sided":
        return ["positive" if alternative == "greater" else "negative"]
    distance = result.dataset[result.study.effect] - result.nulls
    above, below = bool((distance > 0).any()), bool((distance < 0).any())
    both_ways = [m.decision.two_directions for m in result.methods if not m.decision.about_margin]
    if below and not above and any(both_ways):
        return ["negative"]
    return ["positive", "negative"] if below and above and all(both_ways) else ["positive"]


def _looking(result: Result) -> list[Method]:
    """Return the methods that are about the null of the effect and can decide for the first of these sides."""
    side = 1 if _signs(result)[0] == "positive" else -1
    alternative = result.study.options.alternative
    about_effect = [method for method in result.methods if not method.decision.about_margin]
    return [method for method in about_effect if method.decision.looks_for(side, alternative)]


def _affordable(result: Result) -> list[str]:
    """Return the methods whose smallest effects are exact at every setting and together cheap, fitting ones first."""
    study = result.study
    if not study.scenario.counted:
        return []
    possible = itertools.compress(study.grid.combinations(), study.grid.possible)
    settings = {tuple({**values, study.effect: None}.items()): values for values in possible}
    methods = _looking(result)
    left, chosen = SECONDS, []
    for method in sorted(methods, key=lambda method: method.misuse):
        seconds = sum(_cost(study, method, values) for values in settings.values())
        if seconds <= left:
            left -= seconds
            chosen.append(method.name)
    return [method.name for method in methods if method.name in chosen]


def _cost(study: Study, method: Method, values: Values) -> float:
    """Return roughly what one answer costs, in seconds."""
    if method.discordant:
        cases = float(values[study.size]) if study.size else 0.0
        return QUICK + MILLION * math.pow(cases / 1e6, GROWTH)
    low, high = effects_at(study.scenario, values)
    return EVALUATIONS * exact_seconds(study.scenario.point({**values, study.effect: 0.5 * (low + high)}), method)


def _solved(result: Result, methods: list[str]) -> list[str]:
    """Solve exactly; a table stands above the line where there are several settings."""
    study, options = result.study, result.study.options
    signs = _signs(result)
    chosen = [method for method in study.methods if method.name in methods]
    unread = {p.name for p in study.scenario.parameters if not p.read_by(chosen)}
    asked = {name: value for name, value in study.said.items() if name != study.effect and name not in unread}
    asked |= {name: getattr(options, name) for name in ("alternative", "comparisons", "unusable", "impossible")}
    asked["alpha"] = list(options.alpha) if options.alpha_swept else options.alpha[0]
    sign = "both" if len(signs) > 1 else signs[0]
    solved = ask(study.scenario, "mde", asked, target=_target(study).words, sign=sign, method=methods)
    answers = answer(solved)
    line = _line(result, answers, EXACT)
    if answers["answer"].size <= len(methods):
        return [line]
    return ["\n".join(text for table in solved_tables(solved, answers) for text in plain_lines(table)), line]


def _off_grid(result: Result) -> xr.Dataset:
    """Read the answers off the grid, for the methods that are about the null of the effect."""
    import xarray as xr  # late: start-up

    power = result.dataset.sel({METHOD: [method.name for method in _looking(result)]})
    target = _target(result.study).words
    signs = _signs(result)
    answers = [mde_from(power, target, sign) for sign in signs]
    return answers[0] if len(signs) == 1 else xr.concat(answers, xr.DataArray(signs, dims="sign", name="sign"))


def _line(result: Result, answers: xr.Dataset, how: str) -> str:
    """Return one sentence: by sign and size where several were asked for, over the methods that can be relied on."""
    study, names = result.study, answers[METHOD].values.tolist()
    fitting = [name for name in names if name not in result.misused]
    relied_on = [name for name in fitting if name not in result.liberal] or fitting or names
    chosen = answers.sel({METHOD: relied_on})
    over = [str(dim) for dim in chosen["answer"].dims if dim not in ("sign", study.size) and chosen.sizes[dim] > 1]
    spread = f", over {' and '.join(over)}" if over else ""
    fits = [method.name for method in result.methods if not method.misuse]
    if len(relied_on) < len(fits) or not fitting:
        spread = f", {', '.join(relied_on)}{spread}"
    target = _target(study).words.replace("=", " ").replace(",", " and ")
    by = [dim for dim in ("sign", study.size) if dim in chosen["answer"].dims]
    places = itertools.product(*(chosen[dim].values.tolist() for dim in by))
    parts = [_part(result, chosen, dict(zip(by, labels, strict=True)), how) for labels in places]
    line = f"Smallest {study.effect} seen with {target} ({how}{spread}): {'; '.join(parts)}."
    return " ".join([line, *_reservations(result, chosen, fits, names)])


def _reservations(result: Result, chosen: xr.Dataset, fits: list[str], solved: list[str]) -> list[str]:
    """Say what the line does not cover, and what is wrong with the methods that it rests on."""
    said, relied_on = [], chosen[METHOD].values.tolist()
    liberal = [name for name in solved if name in result.liberal and name not in result.misused]
    if set(relied_on) <= set(result.misused):
        said.append(f"{', '.join(relied_on)}: a mistake in this design, so not what it sees.")
    elif liberal:
        left_out = "" if set(liberal) & set(relied_on) else ", left out,"
        said.append(f"The type I error of {', '.join(liberal)}{left_out} is far above the level.")
    other = [m.name for m in result.methods if m.decision.about_margin or m in _looking(result)]
    if any(name in other and name not in solved for name in fits):
        said.append("simstudy mde answers for the other methods.")
    if "lost_again" in chosen and bool(chosen["lost_again"].any()):
        again = "Power falls below that" if _target(result.study).is_power else "That is lost"
        said.append(f"{again} again at larger {result.study.effect}.")
    return said


def _part(result: Result, chosen: xr.Dataset, place: dict[str, Any], how: str) -> str:
    """Return the smallest and the largest answer at a place, each with its method; a single one with its interval."""
    study, here = result.study, chosen.sel(place)
    shown = here["answer"] if how == EXACT or here["answer"].size == 1 else here[["low", "high"]].to_array("end")
    found = [(v, name) for name, values in by_method(shown).items() for v in values.values.ravel().tolist()]
    found = [(value, name) for value, name in found if not math.isnan(value)]
    null = float(result.nulls.sel({dim: label for dim, label in place.items() if dim in result.nulls.dims}).mean())
    found.sort(key=lambda pair: abs(pair[0] - null))
    several = here.sizes[METHOD] > 1
    outer = [found[0], found[-1]] if found and rate(found[0][0]) != rate(found[-1][0]) else found[:1]
    named = several and (len(outer) > 1 or len(found) == 1)
    ends = [f"{rate(value)}{_of(result, name, place, named)}" for value, name in outer]
    text = (" to " if how == EXACT else " and ").join(ends)
    if how != EXACT and len(ends) > 1:
        text = f"between {text}"
    if how != EXACT and here["answer"].size == 1 and found:
        text += f" [{rate(here['low'].item())}, {rate(here['high'].item())}]"
    parts = [part for part in (text, *_none(here, how, several, _target(study))) if part]
    sides = dict(zip(("negative", "positive"), study.scenario.directions, strict=True))
    at = [sides[place["sign"]]] if "sign" in place else []
    at += [where({study.size: place[study.size]})] if study.size in place else []
    return f"{', '.join(at)}{': ' if at else ''}{' or '.join(parts)}"


def _none(here: xr.Dataset, how: str, several: bool, target: Target) -> list[str]:
    """Say of which methods there is no answer, and why."""
    missing = here["answer"].isnull()
    least = here["reason"] == NULL_REACHES
    said = []
    for already in (True, False):
        marked = missing & (least == already)
        names = here[METHOD].values[marked.any([dim for dim in marked.dims if dim != METHOD]).values].tolist()
        if names:
            of = f" ({', '.join(names)})" if several and len(names) < here.sizes[METHOD] else ""
            rejected = how == EXACT and already and target.is_power
            words = "none, for so much is rejected without it" if rejected else MISSING[how, already]
            said.append(f"{words}{of}")
    return said


def _of(result: Result, name: str, place: dict[str, Any], several: bool) -> str:
    """Name the method, with its type I error where the grid shows one above its level."""
    told = [name] if several else []
    method = result.study.method(name)
    level = result.level(method)
    at_null = result.at_null_of(method)
    if level is None:
        worst = 0.0
    elif at_null is not None and bool(at_null.any()):
        labels = {dim: label for dim, label in place.items() if dim != "sign"}
        here = result.dataset.sel({METHOD: name, **labels})
        null = at_null.sel({dim: label for dim, label in labels.items() if dim in at_null.dims})
        worst = float(here["power"].where(null & (here["power_low"] > ABOVE * level), 0.0).max())
    else:
        worst = _at_null(result, method, place)
    if level is not None and worst > ABOVE * level:
        told.append(f"type I error {rate(worst)}")
    return f" ({', '.join(told)})" if told else ""


def _at_null(result: Result, method: Method, place: dict[str, Any]) -> float:
    """Return the largest exact rate where there is no effect, which the grid does not show; 0 where it takes long."""
    study, options = result.study, result.study.options
    points = {
        tuple(values.items()): values
        for values in ({**v, study.effect: 0.0} for v in study.grid.combinations())
        if all(values.get(name) == label for name, label in place.items() if name != "sign")
    }
    if len(points) > MOST_POINTS or options.alpha_swept or not _affordable(result):
        return 0.0
    found = [0.0]
    for values in points.values():
        try:
            null = method.decision.start(values, study.scenario, method)
            curve = Curve(study.scenario, dict(values), study.effect, method, options, _target(study), study.usable)
            found.append(float(curve.exact([null])[0]))
        except (RequestError, ComputationError):
            continue  # equal systems cannot exist at these values, say
    return max(found)


def _in_grid(result: Result) -> list[str]:
    """Say what can be read off the grid; nothing where that is refused."""
    try:
        return [_line(result, _off_grid(result), GRID)]
    except RequestError:
        return []


SMALLEST = (
    Note("other terms", lambda result: _is_asked(result) and not _is_said(result), _other_terms),
    Note("margins", lambda result: _is_said(result) and _about_margins(result), _margins),
    Note("smallest", lambda result: _is_said(result) and not _about_margins(result), _seen),
)
# below a page that has closing words the answer is there
SMALLEST_IN_GRID = Note(
    "smallest in the grid",
    lambda result: (
        result.of_power
        and _is_said(result)
        and not _about_margins(result)
        and result.dataset.sizes.get(result.study.effect, 0) > 1
        and not result.has_closing
    ),
    _in_grid,
)
