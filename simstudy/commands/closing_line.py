"""The smallest effect that a design sees: the closing lines of a power result."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from simstudy.commands.asked import asked, levels, misused, rate, said, scenario_of, where
from simstudy.engines.simulate import exact_seconds
from simstudy.errors import ComputationError, RequestError
from simstudy.pages.grid_of import METHOD  # as a key: sel(method=...) would be the way of looking up
from simstudy.pages.solved import solved_tables
from simstudy.pages.text_tables import plain_lines
from simstudy.scenarios.declaration import DesignPoint, Method, Scenario
from simstudy.solve.from_grid import mde_from
from simstudy.solve.questions import mde
from simstudy.solve.reasons import NULL_REACHES

if TYPE_CHECKING:
    import xarray as xr

# what solving may cost after the power is there, and how many evaluations one answer takes
SECONDS = 3.0
EVALUATIONS = 14
# an answer of a method that decides by the discordant total: seconds at small sizes, what a million cases add, and how
# that grows with their number (measured at 10^4 to 10^8 cases, rounded up)
QUICK, MILLION, GROWTH = 0.005, 0.5, 0.8
EXACT = "exact"
# by whether it was solved exactly, and whether the least effect has the power already
MISSING = {
    (True, True): "none, for so much is rejected without it",
    (True, False): "none that can exist",
    (False, True): "below the grid",
    (False, False): "not reached in the grid",
}


def smallest_words(dataset: xr.Dataset, target: str | None) -> list[str]:
    """Return what the design can see: a table where there are several settings, then one plain line.

    Parameters
    ----------
    dataset : xarray.Dataset
        From `simstudy.power_curve`.
    target : str or None
        Power from which an effect counts as seen; 0.8 where not given.

    Returns
    -------
    list of str
        Solved exactly where that is cheap; else read off the grid where the effect is swept; else why there is none.
    """
    effect = str(dataset.attrs["effect"])
    return _words(dataset, effect, target) if effect else []


def _words(dataset: xr.Dataset, effect: str, target: str | None) -> list[str]:
    study = asked(dataset)
    decisions = [scenario_of(dataset).method(name).decision for name in study["method"]]
    if effect not in study["parameters"]:
        return [_other_terms(scenario_of(dataset), list(study["parameters"]), effect)]
    if all(decision.about_margin for decision in decisions):
        return [_margin_words(any(decision.has_smallest_effect for decision in decisions), effect)]
    methods = _affordable(dataset, study, effect)
    try:
        if methods:
            return _solved(dataset, study, effect, methods, target)
        if effect in dataset.dims:
            return [_line(dataset, mde_from(dataset, target, _signs(dataset, effect)[0]), effect, "read off the grid")]
    except (RequestError, ComputationError) as error:
        # the power is computed and stands, whatever a further question meets
        return [f"The smallest {effect} that this design sees is not given: {error}"]
    return [
        f"The smallest {effect} that this design sees is not given, for no method here solves for it exactly in a few "
        "seconds: simstudy mde takes the time, or simulates."
    ]


def _margin_words(solvable: bool, effect: str) -> str:
    """Say what to ask instead where every method claims something about a margin."""
    if solvable:
        return (
            f"Claims about a margin see no smallest {effect}: simstudy mde gives the {effect} from which "
            "non-inferiority is established, simstudy size the size it takes."
        )
    return f"Equivalence is easiest to establish at no {effect}: simstudy size gives the size it takes."


def _other_terms(scenario: Scenario, said: list[str], effect: str) -> str:
    """Say why there is no smallest effect where the parameters do not name it, and what to say instead."""
    ways = next(group.alternatives for group in scenario.groups if any(effect in names for names in group.alternatives))
    instead = next(names for names in ways if effect in names)
    given = [name for names in ways for name in names if name in said]
    return (
        f"The smallest {effect} that this design sees is not given, for it follows from {' and '.join(given)}: give "
        f"{' and '.join(instead)} instead."
    )


def _signs(dataset: xr.Dataset, effect: str) -> tuple[str, str]:
    """Return the sign of the effects that were asked for, for the grid and for solving."""
    alternative = str(levels(dataset)["alternative"])
    if alternative != "two-sided":
        one = "positive" if alternative == "greater" else "negative"
        return one, one
    values = dataset[effect].values
    above, below = bool((values > 0).any()), bool((values < 0).any())
    if above and below:
        return "positive", "both"
    return ("negative", "negative") if below else ("positive", "positive")


def _affordable(dataset: xr.Dataset, study: dict[str, Any], effect: str) -> list[str]:
    """Return the methods whose smallest effects are exact at every setting and together cheap."""
    scenario = scenario_of(dataset)
    if not scenario.counted:
        return []
    names = [*(m for m in study["method"] if m not in misused(dataset)), *misused(dataset)]
    settings = _settings(study["parameters"], effect)
    left, chosen = SECONDS, []
    for name in names:
        method = scenario.method(name)
        if method.decision.about_margin:
            continue
        seconds = sum(_cost(scenario, method, values, effect) for values in settings)
        if seconds <= left:
            left -= seconds
            chosen.append(name)
    return [name for name in study["method"] if name in chosen]


def _settings(parameters: dict[str, Any], effect: str) -> list[dict[str, Any]]:
    lists = {n: v if isinstance(v, list) else [v] for n, v in parameters.items() if n != effect}
    return [dict(zip(lists, values, strict=True)) for values in itertools.product(*lists.values())]


def _cost(scenario: Scenario, method: Method, values: dict[str, Any], effect: str) -> float:
    if method.discordant:
        cases = float(values[scenario.size.name]) if scenario.size else 0.0
        return QUICK + MILLION * math.pow(cases / 1e6, GROWTH)
    low, high = scenario.effect_range(values)
    point: DesignPoint = scenario.point({**values, effect: 0.5 * (low + high)})
    return EVALUATIONS * exact_seconds(point, method)


def _solved(
    dataset: xr.Dataset, study: dict[str, Any], effect: str, methods: list[str], target: str | None
) -> list[str]:
    parameters = {name: value for name, value in said(study).items() if name != effect}
    answers = mde(
        dataset.attrs["scenario"],
        target=target,
        sign=_signs(dataset, effect)[1],
        method=methods,
        **levels(dataset),
        **parameters,
    )
    line = _line(dataset, answers, effect, EXACT)
    if answers["answer"].size <= len(methods):
        return [line]
    return ["\n".join(text for table in solved_tables(answers) for text in plain_lines(table)), line]


def _line(dataset: xr.Dataset, answers: xr.Dataset, effect: str, how: str) -> str:
    """Return one sentence: by sign and size where several were asked for, over methods that fit the design."""
    fitting = [name for name in answers["method"].values.tolist() if name not in misused(answers)]
    chosen = answers.sel({METHOD: fitting or answers["method"].values})
    by = [dim for dim in ("sign", str(answers.attrs["size"])) if dim in chosen["answer"].dims]
    labels = itertools.product(*(chosen[dim].values.tolist() for dim in by))
    places: list[dict[str, Any]] = [dict(zip(by, values, strict=True)) for values in labels]
    parts = [f"{_where(place, scenario_of(answers))}{_span(chosen.sel(place), how)}" for place in places]
    over = [str(dim) for dim in chosen["answer"].dims if dim not in by and chosen.sizes[dim] > 1]
    spread = f", over {' and '.join(over)}" if over else ""
    others = ""
    if len(fitting) < len([name for name in asked(dataset)["method"] if name not in misused(dataset)]):
        spread = f", {', '.join(map(str, fitting))}{spread}"
        others = " simstudy mde answers for the other methods."
    measure, _, target = str(answers.attrs["target"]).partition("=")
    lost = others
    if "lost_again" in chosen and bool(chosen["lost_again"].any()):
        lost += f" Power falls below that again at larger {effect}."
    return f"Smallest {effect} seen with {measure} {float(target):g} ({how}{spread}): {'; '.join(parts)}.{lost}"


def _where(place: dict[str, Any], scenario: Scenario) -> str:
    negative, positive = scenario.directions
    sign = {"positive": positive, "negative": negative}.get(place.get("sign", ""), "")
    words = [word for word in (sign, where({k: v for k, v in place.items() if k != "sign"})) if word]
    return f"{', '.join(words)}: " if words else ""


def _span(chosen: xr.Dataset, how: str) -> str:
    """Return the smallest and the largest answer; a single one that was simulated with its interval."""
    answer = chosen["answer"]
    values = sorted((v for v in answer.values.ravel().tolist() if not math.isnan(v)), key=abs)
    missing = ""
    if len(values) < answer.size:
        missing = MISSING[how == EXACT, bool((chosen["reason"] == NULL_REACHES).any())]
    if how != EXACT and answer.size > 1:
        limits = [v for name in ("low", "high") for v in chosen[name].values.ravel().tolist()]
        values = sorted((v for v in limits if not math.isnan(v)), key=abs)
    joint = " to " if how == EXACT else " and "
    shown = list(dict.fromkeys(_signed(v) for v in (*values[:1], *values[-1:])))
    ends = f"{'between ' if how != EXACT and len(shown) > 1 else ''}{joint.join(shown)}"
    if answer.size == 1 and values and how != EXACT:
        ends += f" [{_signed(chosen['low'].item())}, {_signed(chosen['high'].item())}]"
    return " or ".join(part for part in (ends, missing) if part)


def _signed(value: float) -> str:
    return f"-{rate(-value)}" if value < 0 else rate(value)
