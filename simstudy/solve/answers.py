"""Answers as a Dataset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from simstudy.options import Options
from simstudy.scenarios.declaration import Parameter
from simstudy.solve.exact import Answer, neighbourhood
from simstudy.solve.solver import Solver
from simstudy.study.plan import Study, collected_units
from simstudy.study.results import ABOUT, Variable, attributes, coordinates, dimensions, variable

# sizes of the curve on either side of an answer
STEPS = 20
ALWAYS = ("answer", "low", "high", "status", "reason", "searched_from", "searched_to", "engine", "replications")


def answers_dataset(study: Study, answers: list[list[list[Answer]]], extra: dict[str, list[str]]) -> xr.Dataset:
    """Return the answers, by [setting][sign][method], as a Dataset; ``extra`` holds dimensions beside the study's."""
    assert study.solved is not None
    assert study.target is not None
    name = "mde" if study.question == "mde" else study.solved.name
    labels = {**dimensions(study), **extra}
    shape = (*(len(values) for values in labels.values()), len(study.methods))
    flat = [answer for setting in answers for per_sign in setting for answer in per_sign]
    keys = (*ALWAYS, *(("lost_again",) if name == "mde" else ("first", "checked_from", "checked_to")))
    about = described(study.solved)
    variables = {
        key: variable(key, (*labels, "method"), np.array([_field(a, key) for a in flat]).reshape(shape), about)
        for key in keys
    }
    if study.question == "size":
        variables.update(_costs(study, (*labels, "method"), variables["answer"][1]))
    made = {**attributes(study), "solved_for": name, "target": study.target.words}
    return xr.Dataset(variables, {**coordinates(study), **extra}, made)


def _costs(study: Study, dims: Sequence[str], answers: NDArray[np.float64]) -> dict[str, Variable]:
    """Return what each method costs at the size that it needs, where methods differ in their costs."""
    made = {}
    settings = [values for values in study.grid.combinations() for _ in study.options.levels]
    for name in dict.fromkeys(name for method in study.methods for name in method.costs):
        costs = np.full(answers.shape, np.nan)
        flat = costs.reshape(len(settings), len(study.methods))
        for row, (values, sizes) in enumerate(zip(settings, answers.reshape(flat.shape), strict=True)):
            for column, (method, n) in enumerate(zip(study.methods, sizes, strict=True)):
                if name in method.costs and np.isfinite(n):
                    flat[row, column] = method.costs[name]({**values, study.size: int(n)})
        made[name] = variable(name, dims, costs, study.scenario.units)
    return made


def add_curve(
    dataset: xr.Dataset,
    solver: Solver,
    settings: list[tuple[dict[str, Any], Options]],
    answers: list[list[list[Answer]]],
) -> None:
    """Add the target's measure at the sizes around each answer.

    Parameters
    ----------
    dataset : xarray.Dataset
        From `answers_dataset`; changed in place.
    solver : Solver
    settings : list
        Values and options of each setting.
    answers : list
        [setting][sign][method].
    """
    sizes = np.full((len(settings), len(solver.study.methods), 2 * STEPS + 1), np.nan)
    values = sizes.copy()
    for s, (given, options) in enumerate(settings):
        for m, method in enumerate(solver.study.methods):
            answer = answers[s][0][m]
            if answer.status == "found" and answer.engine == "exact":
                curve = solver.curve(given, method, options)
                smallest = collected_units(solver.study.scenario.smallest_size(given), options.unusable)
                sizes[s, m] = neighbourhood(answer, smallest, STEPS)
                curve = curve if options.unusable else curve.of_usable_units()
                values[s, m] = [float(curve.exact([n])[0]) for n in sizes[s, m].astype(int)]
    dims = (*dimensions(solver.study), "method", "step")
    shape = (*(len(dataset[d]) for d in dims[:-1]), 2 * STEPS + 1)
    about = {
        "curve_size": ("sizes around the answer", solver.solved.unit),
        "curve_value": (f"{solver.target.name} at that size", "proportion"),
    }
    dataset["curve_size"] = variable("curve_size", dims, sizes.reshape(shape), about)
    dataset["curve_value"] = variable("curve_value", dims, values.reshape(shape), about)


def _field(answer: Answer, key: str) -> Any:
    if key in ("checked_from", "checked_to"):
        return answer.checked[key == "checked_to"]
    if key in ("searched_from", "searched_to"):
        return answer.searched[key == "searched_to"]
    return getattr(answer, key)


def described(solved: Parameter) -> dict[str, tuple[str, str]]:
    """Return what every variable of an answer is, in words, and its unit."""
    is_size = solved.role == "size"
    words = "size from which the target is never lost" if is_size else "smallest effect that reaches the target"
    end = "end of the effects that can exist, on the side that was searched"
    return {
        "answer": (words, solved.unit),
        "low": ("lower 95% Monte Carlo limit of the answer; equal to it where exact", solved.unit),
        "high": ("upper 95% Monte Carlo limit of the answer; equal to it where exact", solved.unit),
        "status": ("found, unreachable, or outside the range", "name"),
        "reason": ("why there is no answer; empty where there is one", "words"),
        "searched_from": ("where the search began", solved.unit),
        "searched_to": ("where the search ended without an answer" if is_size else end, solved.unit),
        "lost_again": ("whether the target is missed at the end of the range though smaller effects reach it", "bool"),
        "first": ("first size that reaches the target, within the checked range", solved.unit),
        "checked_from": ("every size from here on was checked", solved.unit),
        "checked_to": ("every size up to here was checked", solved.unit),
        "engine": ABOUT["engine"],
        "replications": ("replications of each evaluation; 0 where exact", "replications"),
    }
