"""Solving: the minimum detectable effect, and the sample size."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from simstudy.errors import InterruptedStudyError, ParameterError, RefusedError, UnknownNameError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.declaration import Method, Parameter, Question, Scenario
from simstudy.study.curve import Curve
from simstudy.study.exact_solve import Answer, neighbourhood, nothing, solve_effect, solve_size
from simstudy.study.options import CEILING, FIRST_ROUND, Options
from simstudy.study.plan import collected_units, make_study, usable_units
from simstudy.study.results import ABOUT, attributes, coordinates, dimensions, variable
from simstudy.study.run import Progress
from simstudy.study.simulated_solve import simulated_effect, simulated_size
from simstudy.study.target import parse_target

SIGNS = {"positive": (1,), "negative": (-1,), "both": (1, -1)}
SIGN_NAMES = {1: "positive", -1: "negative"}
LARGEST_SIZE = 1_000_000
STEPS = 20
# replications that must fall on the rarer side of a simulated target
FEWEST_BEYOND = 10


def mde(
    scenario: str | Scenario,
    *,
    target: float | str | None = None,
    sign: str = "positive",
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
    sign : {"positive", "negative", "both"}
        Which effects; "both" adds a dimension.
    method : str or sequence of str, optional
    progress : callable, optional
        Called with (done, total, unit).
    **asked
        Parameters of the scenario without its effect, and the options of `simstudy.power_curve`.

    Returns
    -------
    xarray.Dataset
        ``answer`` with ``low`` and ``high`` (95% Monte Carlo interval; equal to it where exact), ``status`` (found;
        unreachable: no effect that can exist has this power; outside the range: the null effect has it already).

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
    chosen = get_scenario(scenario)
    if chosen.effect is None:
        raise RefusedError(
            f"Scenario {chosen.name} compares nothing, so it has no minimum detectable effect; ask for its size."
        )
    if not isinstance(sign, str) or sign not in SIGNS:
        raise UnknownNameError("sign", str(sign), SIGNS)
    solver = _Solver(chosen, "mde", chosen.effect, target, method, asked, progress)
    signs = SIGNS[sign]
    upward = [method.name for method in solver.study.methods if method.claim == "exceeds"]
    if upward and sign != "positive":
        raise RefusedError(f"{upward[0]} claims that the null is exceeded: sign {sign} does not fit it.")
    if solver.study.options.alternative != "two-sided" and sign == "both":
        raise RefusedError("A one-sided test sees effects of one sign only: use sign positive or negative.")
    answers = [
        [[solver.effect(values, m, options, s) for m in solver.study.methods] for s in signs]
        for values, options in solver.settings()
    ]
    dims = dict(sign=[SIGN_NAMES[s] for s in signs]) if len(signs) > 1 else {}
    return solver.dataset(answers, dims, "mde")


def size(
    scenario: str | Scenario,
    *,
    target: float | str | None = None,
    method: str | Sequence[str] | None = None,
    curve: bool = False,
    largest: int = LARGEST_SIZE,
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
    largest : int
        Largest size that is considered.
    progress : callable, optional
        Called with (done, total, unit).
    **asked
        Parameters of the scenario without its size, and the options of `simstudy.power_curve`. With ``unusable`` the
        answer counts units to collect.

    Returns
    -------
    xarray.Dataset
        ``answer``, ``low``, ``high``, ``status``, ``first`` (the first size that reaches the target: exact tests are
        saw-toothed) and ``checked_from``, ``checked_to``: in between every single size was looked at.

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
    chosen = get_scenario(scenario)
    if chosen.size is None:
        raise RefusedError(f"Scenario {chosen.name} has no size to solve for.")
    largest = int(dataclasses.replace(chosen.size, name="largest").validate(largest))
    if not isinstance(curve, bool):
        raise ParameterError(f"curve is {curve!r}; it must be true or false.")
    solver = _Solver(chosen, "size", chosen.size, target, method, asked, progress)
    settings = list(solver.settings())
    answers = [[[solver.units(v, m, o, largest) for m in solver.study.methods]] for v, o in settings]
    dataset = solver.dataset(answers, {}, chosen.size.name)
    if curve:
        solver.add_curve(dataset, settings, answers)
    return dataset


class _Solver:
    """What solving for an effect and for a size share."""

    def __init__(
        self,
        scenario: Scenario,
        question: Question,
        solved: Parameter,
        target: float | str | None,
        method: str | Sequence[str] | None,
        asked: dict[str, Any],
        progress: Progress | None,
    ) -> None:
        self.solved = solved
        self.study = make_study(scenario, method=method, question=question, solved=solved.name, **_split(asked))
        self.target = parse_target(target, scenario)
        for chosen in self.study.methods:
            self.target.check(chosen, scenario)
        if question == "mde" and not self.target.name.startswith("power"):
            raise RefusedError(f"mde solves for power; target {self.target.name} is a question about size.")
        self.progress = progress or (lambda done, total, unit: None)
        self.done = 0

    def settings(self) -> list[tuple[dict[str, Any], Options]]:
        """Return the settings that are solved one by one: each design point at each level."""
        options = self.study.options
        singles = [
            dataclasses.replace(self._replications(options), alpha=(level,), comparisons=1) for level in options.levels
        ]
        return [(values, single) for values in self.study.grid.combinations() for single in singles]

    def _replications(self, options: Options) -> Options:
        """Return options with the replications that give the Monte Carlo error asked for at the target."""
        if options.mcse is None:
            return options
        if not self.target.more_is_better:
            raise RefusedError(f"mcse is an error of rates; with target {self.target.words} give replications instead.")
        p = self.target.value
        replications = FIRST_ROUND
        while p * (1 - p) / replications > options.mcse**2 and replications < CEILING:
            replications *= 2
        return dataclasses.replace(options, mcse=None, replications=replications)

    def curve(self, values: dict[str, Any], method: Method, options: Options) -> Curve:
        """Return the curve of one method at one setting."""
        return Curve(self.study.scenario, values, self.solved.name, method, options, self.target, self.study.usable)

    def effect(self, values: dict[str, Any], method: Method, options: Options, sign: int) -> Answer:
        """Return the smallest effect of one sign."""
        curve = self.curve(values, method, options)
        low, high = self.study.scenario.effect_range(values)
        null = self._null(values, method)
        end = high if sign > 0 else low
        start = min(max(null, low + 1e-9), high - 1e-9)
        if (end - null) * sign <= 0:
            return self._step(nothing("unreachable"))
        self.study.scenario.check_method(method, curve.point(start).values)
        # half-way in, where the law is neither the null nor at its edge
        engine = curve.engine(start + 0.5 * (end - start))
        with _Stoppable(self):
            if engine == "exact":
                return self._step(solve_effect(curve, start, end))
            self._resolvable(options)
            return self._step(simulated_effect(curve, engine, start, end, self._report))

    def _null(self, values: dict[str, Any], method: Method) -> float:
        if method.claim == "equivalence":
            raise RefusedError("mde: equivalence is most likely at no difference; it has no smallest effect.")
        if method.claim == "non_inferiority":
            return -float(values.get("margin", 0.0))
        return self.study.scenario.null(values) or 0.0

    def units(self, values: dict[str, Any], method: Method, options: Options, largest: int) -> Answer:
        """Return the sample size."""
        # usable units are solved for; the answer is turned into units to collect
        curve = dataclasses.replace(self.curve(values, method, options), usable=dict)
        low = self.study.scenario.smallest_size(values)
        largest = max(low, usable_units(largest, options.unusable))
        self.study.scenario.check_method(method, curve.point(low).values)
        engine = self._size_engine(curve, low, largest)
        with _Stoppable(self):
            if engine == "exact":
                answer = solve_size(curve, low, largest)
            else:
                self._resolvable(options)
                answer = simulated_size(curve, engine, low, largest, self._report)
        return self._step(_collected(answer, options.unusable))

    def _resolvable(self, options: Options) -> None:
        """Refuse a target so close to 0 or 1 that too few replications fall on its other side."""
        p = self.target.value
        if self.target.more_is_better and min(p, 1 - p) * options.replications < FEWEST_BEYOND:
            needed = math.ceil(FEWEST_BEYOND / min(p, 1 - p))
            raise ParameterError(
                f"target {self.target.words} cannot be told from 0 or 1 by {options.replications} replications; "
                f"give at least {needed}."
            )

    def _size_engine(self, curve: Curve, low: int, largest: int) -> str:
        """Return exact where the curve stays exact up to a size that reaches the target."""
        n = max(low, 2)
        engine = curve.engine(n)
        while engine == "exact" and not curve.by_discordant_total and n < largest:
            if bool(curve.reached(curve.exact([n]))[0]):
                break
            n = min(2 * n, largest)
            engine = curve.engine(n)
        return engine

    def _report(self, evaluations: int) -> None:
        self.progress(evaluations, 0, "evaluations")

    def _step(self, answer: Answer) -> Answer:
        self.done += 1
        total = math.prod(self.study.grid.shape) * len(self.study.options.levels) * len(self.study.methods)
        self.progress(self.done, max(total, self.done), "answers")
        return answer

    def dataset(self, answers: list[list[list[Answer]]], extra: dict[str, list[str]], name: str) -> xr.Dataset:
        """Return the answers as a Dataset."""
        words = "Smallest detectable effect" if name == "mde" else f"Smallest {name}"
        labels = {**dimensions(self.study), **extra}
        shape = (*(len(values) for values in labels.values()), len(self.study.methods))
        flat = [answer for setting in answers for per_sign in setting for answer in per_sign]
        keys = ("answer", "low", "high", "status", "first", "checked_from", "checked_to", "engine", "replications")
        about = _about(self.solved, name)
        variables = {
            key: variable(key, (*labels, "method"), np.array([_field(a, key) for a in flat]).reshape(shape), about)
            for key in keys
            if name != "mde" or key not in ("first", "checked_from", "checked_to")
        }
        made = attributes(self.study, f"{words} for {self.target.words}")
        resolved = json.dumps({**json.loads(made["study"]), "target": self.target.words})
        made.update(solved_for=name, target=self.target.words, study=resolved)
        return xr.Dataset(variables, {**coordinates(self.study), **extra}, made)

    def add_curve(
        self, dataset: xr.Dataset, settings: list[tuple[dict[str, Any], Options]], answers: list[list[list[Answer]]]
    ) -> None:
        """Add the target's measure at the sizes around each answer."""
        sizes = np.full((len(settings), len(self.study.methods), 2 * STEPS + 1), np.nan)
        values = sizes.copy()
        for s, (given, options) in enumerate(settings):
            for m, method in enumerate(self.study.methods):
                answer = answers[s][0][m]
                if answer.status == "found" and answer.engine == "exact":
                    curve = self.curve(given, method, options)
                    smallest = collected_units(self.study.scenario.smallest_size(given), options.unusable)
                    sizes[s, m] = neighbourhood(answer, smallest, STEPS)
                    curve = dataclasses.replace(curve, usable=dict) if not options.unusable else curve
                    values[s, m] = [float(curve.exact([n])[0]) for n in sizes[s, m].astype(int)]
        dims = (*dimensions(self.study), "method", "step")
        shape = (*(len(dataset[d]) for d in dims[:-1]), 2 * STEPS + 1)
        about = {
            "curve_size": ("sizes around the answer", self.solved.unit),
            "curve_value": (f"{self.target.name} at that size", "proportion"),
        }
        dataset["curve_size"] = variable("curve_size", dims, sizes.reshape(shape), about)
        dataset["curve_value"] = variable("curve_value", dims, values.reshape(shape), about)


class _Stoppable:
    """Turns Ctrl-C into a message that says how far it got."""

    def __init__(self, solver: _Solver) -> None:
        self.solver = solver

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is KeyboardInterrupt:
            done = self.solver.done
            raise InterruptedStudyError(f"Stopped: {done} answers were done; nothing was written.") from None


def _split(asked: dict[str, Any]) -> dict[str, Any]:
    """Separate parameters of the scenario from options."""
    options = {f.name for f in dataclasses.fields(Options)} - {"alpha_swept"}
    given = {key: value for key, value in asked.items() if key in options}
    parameters = {key: value for key, value in asked.items() if key not in options}
    return {"parameters": parameters, **given}


def _collected(answer: Answer, unusable: float) -> Answer:
    if answer.status != "found" or not unusable:
        return answer

    def collected(n: float) -> float:
        return float(collected_units(int(n), unusable)) if math.isfinite(n) else n

    return dataclasses.replace(
        answer,
        answer=collected(answer.answer),
        low=collected(answer.low),
        high=collected(answer.high),
        first=collected(answer.first),
        checked=(collected(answer.checked[0]), collected(answer.checked[1])),
    )


def _field(answer: Answer, key: str) -> Any:
    if key in ("checked_from", "checked_to"):
        return answer.checked[key == "checked_to"]
    return getattr(answer, key)


def _about(solved: Parameter, name: str) -> dict[str, tuple[str, str]]:
    words = "smallest effect that reaches the target" if name == "mde" else "size from which the target is never lost"
    return {
        "answer": (words, solved.unit),
        "low": ("lower 95% Monte Carlo limit of the answer; equal to it where exact", solved.unit),
        "high": ("upper 95% Monte Carlo limit of the answer; equal to it where exact", solved.unit),
        "status": ("found, unreachable, or outside the range", "name"),
        "first": ("first size that reaches the target, within the checked range", solved.unit),
        "checked_from": ("every size from here on was checked", solved.unit),
        "checked_to": ("every size up to here was checked", solved.unit),
        "engine": ABOUT["engine"],
        "replications": ("replications of each evaluation; 0 where exact", "replications"),
    }
