"""The study that a Dataset answers, read back from its attributes: the one place where they are read."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np
import xarray as xr

from simstudy.errors import RequestError, SimstudyError, UnknownNameError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.decisions import DIFFERENCE, Decision, Difference, Exceeds, NonInferiority
from simstudy.scenarios.declaration import Method, Parameter, Scenario
from simstudy.scenarios.measure import MEASURES, Measure
from simstudy.scenarios.parts import Call
from simstudy.scenarios.rules import Part, Rule
from simstudy.study.plan import Study, make_study
from simstudy.study.results import ABOUT, ESTIMATED
from simstudy.study.target import Target, parse_target
from simstudy.study.words import IN_WORDS, INTRODUCTION, Beside, asked, what

BLOCKED_BY = "blocked_by_"


def study_of(dataset: xr.Dataset, of: str = "This Dataset") -> Study:
    """Return the study that a Dataset answers: from memory or from a file, perhaps a part of a result."""
    # a scenario that is not registered is replaced by a stand-in with the names, roles and kinds of methods
    # that the attributes tell: enough to show the result, not to compute it again
    try:
        described: dict[str, Any] = json.loads(dataset.attrs["study"])
        study = _study(described, _scenario(dataset, described))
        if is_stand_in(study.scenario) and "details" in dataset.attrs:
            # a stand-in does not know how its methods decide
            study = replace(study, words=replace(asked(study), details=str(dataset.attrs["details"])))
        if study.question == "power" and "solved_for" in dataset.attrs:
            return read_off(study, parse_target(str(dataset.attrs["target"]), study.scenario))
        return study
    except (KeyError, TypeError, ValueError, AttributeError, SimstudyError) as error:
        why = f"{error} is missing." if isinstance(error, KeyError) else str(error)
        raise RequestError(f"{of} does not say which study it answers: {why}") from error


def dropped(dataset: xr.Dataset, study: Study) -> list[str]:
    """Return what a whole result of the study holds, and this one does not."""
    measured = str(dataset.attrs.get("performance_measures", "")).split(", ")
    groups = [
        ("answer", "low", "high", "status", "reason"),
        ("searched_from", "searched_to"),
        ("curve_size", "curve_value"),
    ]
    of_answers = [names for names in groups if any(name in dataset for name in names) or names[0] == "answer"]
    held = measured if study.solved is None else [name for names in of_answers for name in names]
    names = ["method", "engine", *study.grid.swept, *held]
    # a measure that is 0 everywhere is left out of whole results too
    return [name for name in names if name and name != "unbounded" and name not in dataset.variables]


def _scenario(dataset: xr.Dataset, described: Mapping[str, Any]) -> Scenario:
    try:
        return get_scenario(str(described["scenario"]))
    except UnknownNameError:
        return _stand_in(dataset, described)


def _study(described: Mapping[str, Any], scenario: Scenario) -> Study:
    said = {name: value for name, value in described["parameters"].items() if name not in described["defaults"]}
    options = dict(described["options"])
    if options["mcse"] is not None:
        del options["replications"]
    return make_study(
        scenario,
        said,
        method=described["method"],
        question=described["question"],
        target=described.get("target"),
        **options,
    )


def read_off(study: Study, target: Target) -> Study:
    """Return the question that answers read off the grid of a power study belong to."""
    made = replace(study, question="mde", solved=study.scenario.effect, target=target)
    return made if made.words is None else replace(made, words=replace(made.words, what=what(made)))


def with_question(answers: xr.Dataset, grid: xr.Dataset, study: Study) -> xr.Dataset:
    """Give answers read off a grid its attributes, but for those that say what was asked and what stood beside it."""
    told = {name: value for name, value in grid.attrs.items() if name not in (INTRODUCTION, IN_WORDS)}
    assert study.target is not None
    return answers.assign_attrs(told, solved_for="mde", target=study.target.words, question=asked(study).sentence)


def beside_of(dataset: xr.Dataset) -> Beside:
    """Return the paragraphs that stand beside a result in a file."""
    closing = dataset.attrs.get(IN_WORDS, ())
    paragraphs = [closing] if isinstance(closing, str) else closing
    return Beside(str(dataset.attrs.get(INTRODUCTION, "")), tuple(map(str, np.atleast_1d(paragraphs))))


class StandIn(Scenario):
    """What stored attributes tell of a scenario that is not registered."""

    name = "unregistered"
    title = "unregistered"
    applies_to: Mapping[str, frozenset[str]]
    """Variable that not every method has → those that have it."""


def is_stand_in(scenario: Scenario) -> TypeGuard[StandIn]:
    """Whether a scenario is known from stored attributes alone."""
    return isinstance(scenario, StandIn)


def _stand_in(dataset: xr.Dataset, described: Mapping[str, Any]) -> Scenario:
    """Return a scenario made of what the attributes tell of one that is not registered."""
    told = dataset.attrs
    roles = {told.get("size"): "size", told.get("effect"): "effect"}
    null = told.get("null", 0.0)
    defaults = described["parameters"]

    def parameter(name: str) -> Parameter:
        value = defaults.get(name)
        first = value[0] if isinstance(value, list) else value
        kind = "profile" if isinstance(first, str) else "integer" if roles.get(name) == "size" else "real"
        role = roles.get(name)
        return Parameter(
            name,
            *_about(dataset, name),
            kind,  # type: ignore[arg-type]
            low=-np.inf if kind == "real" else 0,
            default=value if name in described["defaults"] else None,
            role=role,  # type: ignore[arg-type]
            null=null if role == "effect" and null != "" else None,
        )

    names = [*defaults, *(name for name in roles if name and name not in defaults)]
    parts = _parts(dataset)
    methods = tuple(_method(name, told, parts) for name in described["method"])
    shows = tuple(filter(None, str(told.get("shows", "")).split(", ")))
    reports = tuple(filter(None, str(told.get("reports", "")).split(", ")))
    measures = _own_measures(dataset, described)

    made = StandIn()
    vars(made).update(
        name=str(described["scenario"]),
        title=str(told.get("title", described["scenario"])),
        parameters=tuple(parameter(name) for name in names),
        methods=methods,
        default_methods=tuple(described["method"]),
        target_variable=str(told.get("target_variable", "power")),
        shows=shows,
        reports=reports,
        measures=measures,
        units=_units(dataset, measures),
        estimate_unit=next((_about(dataset, name)[1] for name in ESTIMATED if name in dataset), ""),
        applies_to={str(n): _applies_to(v) for n, v in dataset.data_vars.items() if "applies_to" in v.attrs},
        aims=str(told.get("aims", "")),
    )
    return made


def _own_measures(dataset: xr.Dataset, described: Mapping[str, Any]) -> tuple[Measure, ...]:
    """Return the measures that a scenario has of its own: what is named and is none of those of every scenario."""
    told = dataset.attrs
    conditions = str(described.get("target", told.get("target", ""))).split(",")
    named = str(told.get("performance_measures", "")).split(", ")
    named += [told.get("target_variable", ""), *(condition.partition("=")[0] for condition in conditions)]
    known = {name for measure in MEASURES for name in (*measure.variables, *measure.targets)}
    own = [name for name in dict.fromkeys(named) if name and name not in known]
    limits = {f"{name}_{end}" for name in own for end in ("low", "high")}
    made = []
    for name in own:
        if name not in limits:
            words, unit = _about(dataset, name, "proportion")
            kind: Any = "rate" if unit == "proportion" else "mean"
            made.append(Measure(name, words, unit, of=name, error=kind, better="more"))
    return tuple(made)


def _units(dataset: xr.Dataset, measures: Sequence[Measure]) -> dict[str, tuple[str, str]]:
    """Return what follows from the parameters, in words, with its unit: what no method is measured by."""
    known = {*ABOUT, *(name for measure in measures for name in measure.variables)}
    of_points = {} if "answer" in dataset else dataset.data_vars
    return {str(name): _about(dataset, str(name)) for name in of_points if name not in known}


def _about(dataset: xr.Dataset, name: str, unit: str = "") -> tuple[str, str]:
    """Return what a variable is, in words, and its unit."""
    about = dataset[name].attrs if name in dataset.variables else {}
    return str(about.get("long_name", name)), str(about.get("units", unit))


def _applies_to(variable: xr.DataArray) -> frozenset[str]:
    return frozenset(name.strip() for name in str(variable.attrs["applies_to"]).split(","))


def _parts(dataset: xr.Dataset) -> tuple[Part, ...]:
    """Return the parts of rules, as far as what they said and blocked was measured."""
    names = [str(name).removeprefix(BLOCKED_BY) for name in dataset.data_vars if str(name).startswith(BLOCKED_BY)]
    return tuple(Part(name, name, name, at_least=0.0) for name in names if not name.endswith("_mcse"))


def _method(name: str, told: Mapping[Any, Any], parts: tuple[Part, ...]) -> Method:
    def among(attribute: str) -> bool:
        return name in str(told.get(attribute, "")).split(", ")

    claim: Decision = DIFFERENCE
    if among("margin_methods"):
        claim = NonInferiority()
    elif among("exceeding_methods"):
        claim = Exceeds()
    elif among("rules_without_a_level") and parts:
        claim = Rule(parts=parts, passes="the decisive outcome")
    elif among("methods_with_own_nulls"):
        claim = Difference(null=math.nan)  # which one is not told
    return Method(
        name,
        name,
        "",
        # whether a claim is made by a p-value is not told: then its level would be alpha, the larger one
        p_value=Call(_unknown, ()) if among("exceeding_methods") else None,
        interval=Call(_unknown, ("seed",) if among("resampling_methods") else ()),
        claim=claim,
        test=not among("rules_without_a_level"),
        misuse=among("misused_methods"),
        costs=dict.fromkeys(filter(None, str(told.get("costs_by_method", "")).split(", ")), _unknown),
    )


def _unknown(*_: Any, **__: Any) -> Any:
    raise RequestError("The scenario of this result is not registered, so nothing can be computed with its methods.")
