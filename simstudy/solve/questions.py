"""Questions as functions: the minimum detectable effect, and the sample size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import xarray as xr

from simstudy.scenarios.declaration import Scenario
from simstudy.solve.answers import add_curve, answers_dataset
from simstudy.solve.solver import Solver
from simstudy.study.plan import Study, ask
from simstudy.study.power_curve import power_of
from simstudy.study.simulated_points import Progress

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
        unreachable: no effect that can exist has this power; outside the range: the null effect has it already),
        ``reason`` (why there is no answer), ``searched_from`` and ``searched_to`` (the effects that were searched), and
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
        ``answer``, ``low``, ``high``, ``status``, ``first`` (the first size that reaches the target: exact tests are
        saw-toothed), ``checked_from`` and ``checked_to`` (in between every single size was looked at), ``reason`` (why
        there is no answer), ``searched_from`` and ``searched_to`` (the sizes that were searched without an answer).

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
    """Return the Dataset that answers a study, whatever its question.

    Parameters
    ----------
    study : Study
    progress : callable, optional
        Called with (done, total, unit).

    Returns
    -------
    xarray.Dataset
    """
    return {"mde": _effects, "size": _sizes, "power": power_of}[study.question](study, progress)


def _effects(study: Study, progress: Progress | None) -> xr.Dataset:
    solver = Solver(study, progress)
    answers = [
        [[solver.effect(values, m, options, sign) for m in study.methods] for sign in solver.signs]
        for values, options in solver.settings()
    ]
    names = [SIGN_NAMES[sign] for sign in solver.signs]
    return answers_dataset(study, answers, {"sign": names} if len(names) > 1 else {})


def _sizes(study: Study, progress: Progress | None) -> xr.Dataset:
    solver = Solver(study, progress)
    settings = list(solver.settings())
    solver.refuse_other_side(settings)
    answers = [[[solver.units(v, m, o, study.largest) for m in study.methods]] for v, o in settings]
    dataset = answers_dataset(study, answers, {})
    if study.curve:
        add_curve(dataset, solver, settings, answers)
    return dataset
