"""What a note is: a name, when it applies, and what it says of a result."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from simstudy.pages import numbers
from simstudy.pages.variables import METHOD, on_design
from simstudy.scenarios.decisions import AT_NULL
from simstudy.scenarios.declaration import Method
from simstudy.scenarios.rules import Rule
from simstudy.study.asked import is_stand_in
from simstudy.study.words import number

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.pages.text_tables import Table
    from simstudy.study.plan import Study

LIBERAL = 1.5
"""Multiples of the level above which a type I error is pointed out."""


@dataclass(frozen=True, eq=False)
class Result:
    """A study with the Dataset that answers it, as notes look at it."""

    study: Study
    # all of it, and the variables with one value for each design point and method
    whole: xr.Dataset
    dataset: xr.Dataset
    # those that are shown, and of these rules of several parts and those that do not fit the design
    methods: list[Method]
    rules: list[Method]
    misused: list[str]
    # of each comparison; None where there are several or none
    alpha: float | None
    # of the columns in the tables above, and all their cells of values, one after the other
    heads: list[str]
    cells: str
    # the variables that were asked for
    asked: Sequence[str] | None
    has_closing: bool

    @property
    def of_power(self) -> bool:
        """Whether measures on a grid are shown, the power among them where there is one."""
        return "answer" not in self.dataset and (self.asked is None or "power" in self.asked)

    @property
    def solved_name(self) -> str:
        """What was solved for: the effect, or the size."""
        return self.study.solved.name if self.study.solved else ""

    @property
    def target(self) -> str:
        """What answers have to reach."""
        return self.study.target.words if self.study.target else "the target"

    def level(self, method: Method) -> float | None:
        """Return the nominal error rate of a method at its null; None where it has none, or there are several."""
        if self.alpha is None:
            return None
        return method.decision.level_of(method, self.alpha, self.study.options.alternative)

    @cached_property
    def nulls(self) -> xr.DataArray:
        """The null of the effect: one value, or one for each value of the parameters that are swept beside it."""
        return self._across(self.study.scenario.effect_null)

    def nulls_of(self, method: Method) -> xr.DataArray:
        """Return where the effect is at the null that a method is about: the effect's, or that of its decision."""
        # a null on another scale than the effect's is taken to be where the effect has none
        scenario, null = self.study.scenario, method.decision.null
        if null is None or method.estimand or not scenario.estimates_effect:
            return self.nulls
        return self._across(lambda values: values.get(null, math.nan) if isinstance(null, str) else null)

    def _across(self, null: Callable[[dict[str, Any]], float]) -> xr.DataArray:
        import xarray as xr  # late: start-up

        scenario, dataset = self.study.scenario, self.dataset
        held = [n for n, parameter in scenario.by_name.items() if n in dataset.coords and parameter.kind != "profile"]
        across = [name for name in held if dataset[name].ndim and name != self.study.effect]
        fixed = {**self.study.grid.fixed, **{n: dataset[n].item() for n in held if not dataset[n].ndim}}
        combinations = itertools.product(*(dataset[name].values.tolist() for name in across))
        nulls = [null({**fixed, **dict(zip(across, chosen, strict=True))}) for chosen in combinations]
        shape = [dataset.sizes[name] for name in across]
        return xr.DataArray(np.reshape(nulls, shape), {name: dataset[name] for name in across}, across)

    def at_null_of(self, method: Method) -> xr.DataArray | None:
        """Where the effect is the null that a method is about; None where the parameters do not say the effect."""
        if self.study.effect not in self.dataset.coords:
            return None
        return abs(self.dataset[self.study.effect] - self.nulls_of(method)) <= AT_NULL

    @cached_property
    def at_null(self) -> xr.DataArray | None:
        """Where the effect is its null; None where the parameters do not say the effect."""
        if self.study.effect not in self.dataset.coords:
            return None
        return abs(self.dataset[self.study.effect] - self.nulls) <= AT_NULL

    @cached_property
    def liberal(self) -> dict[str, xr.DataArray]:
        """Methods that reject far more often than their level at their null: method → the rates there, else NaN."""
        if not {"power_low", "power_right"} <= set(self.dataset.data_vars):
            return {}
        found = {}
        for method in self.methods:
            level = self.level(method)
            if level is not None:
                here = self.dataset.sel({METHOD: method.name})
                at_null = here["power_right"].isnull() & here["power"].notnull()
                far = here["power"].where(at_null & (here["power_low"] > LIBERAL * level))
                if bool(far.notnull().any()):
                    found[method.name] = far
        return found


def result_of(
    study: Study,
    whole: xr.Dataset,
    tables: Sequence[Table] = (),
    asked: Sequence[str] | None = None,
    has_closing: bool = False,
) -> Result:
    """Return a result as notes look at it."""
    dataset = on_design(whole, study)
    shown = dataset[METHOD].values.tolist() if METHOD in dataset.dims else []
    methods = [method for method in study.methods if method.name in shown]
    alpha = dataset.coords.get("alpha")
    level = None if alpha is None or alpha.size != 1 else float(alpha.values.item()) / study.options.comparisons
    return Result(
        study,
        whole,
        dataset,
        methods,
        # of a scenario that is not registered it is not known what its rules say
        rules=[method for method in methods if isinstance(method.decision, Rule) and not is_stand_in(study.scenario)],
        misused=[method.name for method in methods if method.misuse],
        alpha=level,
        heads=[head for table in tables for head in table.heads],
        cells="".join(cell for table in tables for row in table.rows for cell in row[len(table.stubs) :]),
        asked=asked,
        has_closing=has_closing,
    )


@dataclass(frozen=True)
class Note:
    """Sentences below or beside a table or a picture, or a paragraph: ``says`` is asked only where it applies."""

    name: str
    applies: Callable[[Result], bool]
    says: Callable[[Result], list[str]]


def said(notes: Sequence[Note], result: Result) -> list[str]:
    """Return what those notes say that apply, in order."""
    return [words for note in notes if note.applies(result) for words in note.says(result)]


def most(rates: Mapping[str, xr.DataArray]) -> str:
    """Return the largest value of each method and where it is: ``z .0620 (n = 36); t .0510 (n = 12)``."""
    parts = []
    for method, values in rates.items():
        if bool(values.notnull().any()):
            point = values.isel(values.argmax(...)) if values.dims else values
            place = ", ".join(numbers.pair(str(d), point[d].item()) for d in values.dims if values.sizes[d] > 1)
            parts.append(f"{method} {rate(float(point))}{f' ({place})' if place else ''}")
    return "; ".join(parts)


def by_method(variable: xr.DataArray) -> dict[str, xr.DataArray]:
    """Return the values of a variable, method by method."""
    return {str(name): variable.sel({METHOD: name}) for name in variable[METHOD].values}


def rate(value: float) -> str:
    """Return a proportion, perhaps with a sign, as tables write it."""
    return f"-{rate(-value)}" if value < 0 else numbers.plain(value, 4, rate=True)


def where(labels: Mapping[str, Any]) -> str:
    """Return a place in a grid in words: ``n_cases 36, difference 0.2``."""
    return ", ".join(
        f"{name} {number(value) if isinstance(value, int | float) else value}" for name, value in labels.items()
    )


def outcome(method: Method, study: Study) -> str:
    """Return the name of the outcome whose probability is the power."""
    decision = method.decision
    return decision.names(study.scenario)[decision.decisive[0]]
