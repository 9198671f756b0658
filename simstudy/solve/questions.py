"""Questions as functions: the minimum detectable effect, and the sample size; their answers as Datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from simstudy.options import Options
from simstudy.scenarios.check_point import smallest_size_at
from simstudy.scenarios.declaration import Parameter, Scenario
from simstudy.solve.search import Answer
from simstudy.solve.solver import Solver
from simstudy.study.plan import Study, ask, collected_units
from simstudy.study.power_curve import power_of
from simstudy.study.results import ABOUT, Variable, attributes, coordinates, costs_of, dimensions, variable
from simstudy.study.simulated_points import Progress

# sizes of the curve on either side of an answer
STEPS = 20
ALWAYS = (
    "answer",
    "low",
    "high",
    "status",
    "reason",
    "searched_from",
    "searched_to",
    "engine",
    "replications",
    "undefined",
)
SIGN_NAMES = {1: "positive", -1: "negative"}


def mde(
    scenario: str | Scenario,
    *,
    target: float | str | None = None,
    sign: str | None = None,
    method: str | Sequence[str] | None = None,
    progress: Progress | None = None,
    **asked: Any,
) -> xr.Dataset:
    """Return the minimum detectable effect: the smallest effect with the target power.

    Parameters
    ----------
    scenario : str or Scenario
    target : float or str, optional
        Power, in (0, 1); 0.8 where not given. Also ``"power=0.8"`` or ``"power_right=0.8"``.
    sign : {"positive", "negative", "both"}, optional
        Which effects; "both" adds a dimension. Positive where not given, negative with alternative "less".
    method : str or sequence of str, optional
    progress : callable, optional
        Called with (done, total, unit).
    **asked
        Parameters of the scenario without its effect, and the options of `simstudy.power_curve`.

    Returns
    -------
    xarray.Dataset
        ``answer`` with ``low`` and ``high`` (95% Monte Carlo interval; equal to it where exact), ``status`` (found;
        unreachable: no effect that can exist has this power; outside the range: the null effect has it already; misled:
        errors turn effects round), ``reason`` (why there is no answer), ``undefined`` (how often the method is
        undefined there), ``searched_from`` and ``searched_to`` (the effects that were searched), and
        ``lost_again`` (whether power is lost again before the end of that range).

    Raises
    ------
    RequestError
        For anything that does not fit the scenario, or a scenario without an effect.

    Examples
    --------
    >>> import simstudy
    >>> result = simstudy.mde("paired", n_cases=100, accuracy_a=0.7, difficulty_sd=1.5, method="mcnemar_midp")
    >>> round(float(result.answer[0]), 4)
    0.1461
    """
    return answer(ask(scenario, "mde", asked, target=target, sign=sign, method=method), progress)


def size(
    scenario: str | Scenario,
    *,
    target: float | str | None = None,
    method: str | Sequence[str] | None = None,
    curve: bool = False,
    largest: int | None = None,
    progress: Progress | None = None,
    **asked: Any,
) -> xr.Dataset:
    """Return the sample size from which the target is never lost again.

    Parameters
    ----------
    scenario : str or Scenario
    target : float or str, optional
        Power, in (0, 1), 0.8 where not given; or ``"half_width=0.05"``, ``"width=0.1"``, ``"coverage=0.95"``,
        ``"power_right=0.8"``.
    method : str or sequence of str, optional
    curve : bool
        Whether to add the target's measure at the sizes around the answer.
    largest : int, optional
        Largest size that is considered; 1,000,000, or the largest that the scenario allows, where not given.
    progress : callable, optional
        Called with (done, total, unit).
    **asked
        Parameters of the scenario without its size, and the options of `simstudy.power_curve`. With ``unusable`` the
        answer counts units to collect.

    Returns
    -------
    xarray.Dataset
        ``answer``, ``low``, ``high``, ``status`` (found; outside the range; misled: errors make larger sizes surer of
        the wrong answer), ``first`` (the first size that reaches the target: exact tests are saw-toothed),
        ``checked_from`` and ``checked_to`` (in between every single size was looked at), ``reason`` (why there is no
        answer, or what is wrong with one), ``searched_from`` and ``searched_to`` (the sizes that were searched without
        an answer), ``undefined`` (how often the method is undefined there).

    Raises
    ------
    RequestError
        For anything that does not fit the scenario.

    Examples
    --------
    >>> import simstudy
    >>> result = simstudy.size("paired", logit_a=0.847, logit_b=1.386, difficulty_sd=1.5, method="mcnemar_exact")
    >>> int(result.answer[0])
    375
    """
    study = ask(scenario, "size", asked, target=target, method=method, curve=curve, largest=largest)
    return answer(study, progress)


def answer(study: Study, progress: Progress | None = None) -> xr.Dataset:
    """Return the Dataset that answers a study, whatever its question."""
    return {"mde": _effects, "size": _sizes, "power": power_of}[study.question](study, progress)


def _effects(study: Study, progress: Progress | None) -> xr.Dataset:
    solver = Solver(study, progress)
    answers = [
        [[solver.effect(values, m, options, sign) for m in study.methods] for sign in solver.signs]
        for values, options in solver.settings()
    ]
    names = [SIGN_NAMES[sign] for sign in solver.signs]
    return _dataset(study, answers, {"sign": names} if len(names) > 1 else {})


def _sizes(study: Study, progress: Progress | None) -> xr.Dataset:
    solver = Solver(study, progress)
    settings = list(solver.settings())
    solver.refuse_other_side(settings)
    answers = [[[solver.units(v, m, o, study.largest) for m in study.methods]] for v, o in settings]
    dataset = _dataset(study, answers, {})
    if study.curve:
        _add_curve(dataset, solver, settings, answers)
    return dataset


def _dataset(study: Study, answers: list[list[list[Answer]]], extra: dict[str, list[str]]) -> xr.Dataset:
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
        key: variable(key, (*labels, "method"), np.array([getattr(a, key) for a in flat]).reshape(shape), about)
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
    for name in costs_of(study):
        costs = np.full(answers.shape, np.nan)
        flat = costs.reshape(len(settings), len(study.methods))
        for row, (values, sizes) in enumerate(zip(settings, answers.reshape(flat.shape), strict=True)):
            for column, (method, n) in enumerate(zip(study.methods, sizes, strict=True)):
                if name in method.costs and np.isfinite(n):
                    flat[row, column] = method.costs[name]({**values, study.size: int(n)})
        made[name] = variable(name, dims, costs, study.scenario.units)
    return made


def _add_curve(
    dataset: xr.Dataset,
    solver: Solver,
    settings: list[tuple[dict[str, Any], Options]],
    answers: list[list[list[Answer]]],
) -> None:
    """Add the target's measure at the sizes around each answer, given by [setting][sign][method]."""
    sizes = np.full((len(settings), len(solver.study.methods), 2 * STEPS + 1), np.nan)
    values = sizes.copy()
    for s, (given, options) in enumerate(settings):
        for m, method in enumerate(solver.study.methods):
            answer = answers[s][0][m]
            if answer.status == "found" and answer.engine == "exact":
                curve = solver.curve(given, method, options)
                smallest = collected_units(smallest_size_at(solver.study.scenario, given), options.unusable)
                sizes[s, m] = max(smallest, int(answer.answer) - STEPS) + np.arange(2 * STEPS + 1)
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


def described(solved: Parameter) -> dict[str, tuple[str, str]]:
    """Return what every variable of an answer is, in words, and its unit."""
    is_size = solved.role == "size"
    words = "size from which the target is never lost" if is_size else "smallest effect that reaches the target"
    end = "end of the effects that can exist, on the side that was searched"
    return {
        "answer": (words, solved.unit),
        "low": ("lower 95% Monte Carlo limit of the answer; equal to it where exact", solved.unit),
        "high": ("upper 95% Monte Carlo limit of the answer; equal to it where exact", solved.unit),
        "status": (
            "found, unreachable, outside the range, misled (more units make the wrong answer surer), or impossible",
            "name",
        ),
        "reason": ("why there is no answer, or what is wrong with one; empty where it can be relied on", "words"),
        "undefined": (
            "how often the method is undefined at the answer; without one, where the target comes nearest",
            "proportion",
        ),
        "searched_from": ("where the search began", solved.unit),
        "searched_to": ("where the search ended without an answer" if is_size else end, solved.unit),
        "lost_again": ("whether the target is missed at the end of the range though smaller effects reach it", "bool"),
        "first": ("first size that reaches the target, within the checked range", solved.unit),
        "checked_from": ("every size from here on was checked", solved.unit),
        "checked_to": ("every size up to here was checked", solved.unit),
        "engine": ABOUT["engine"],
        "replications": ("replications of each evaluation; 0 where exact", "replications"),
    }
