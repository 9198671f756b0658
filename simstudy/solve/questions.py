"""Solving: the minimum detectable effect, and the sample size."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import xarray as xr

from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.declaration import Scenario
from simstudy.solve.answers import add_curve, answers_dataset
from simstudy.solve.solver import Solver
from simstudy.study.evaluation import Progress

SIGNS = {"positive": (1,), "negative": (-1,), "both": (1, -1)}
SIGN_NAMES = {1: "positive", -1: "negative"}
LARGEST_SIZE = 1_000_000


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
    chosen = get_scenario(scenario)
    if chosen.effect is None:
        raise RefusedError(
            f"Scenario {chosen.name} has no parameter that is an effect, so it has no minimum detectable effect; ask "
            "for its size."
        )
    if sign is not None and (not isinstance(sign, str) or sign not in SIGNS):
        raise UnknownNameError("sign", str(sign), SIGNS)
    solver = Solver(chosen, "mde", chosen.effect, target, method, asked, progress)
    sign = _sign(sign, solver.study.options.alternative)
    signs = SIGNS[sign]
    solver.per_setting = len(signs)
    upward = [m for m in solver.study.methods if not m.decision.two_directions and not m.decision.about_margin]
    if upward and sign != "positive":
        raise RefusedError(f"{upward[0].name} claims {upward[0].decision.claims}: sign {sign} does not fit it.")
    answers = [
        [[solver.effect(values, m, options, s) for m in solver.study.methods] for s in signs]
        for values, options in solver.settings()
    ]
    dims = dict(sign=[SIGN_NAMES[s] for s in signs]) if len(signs) > 1 else {}
    return answers_dataset(solver.study, solver.solved, solver.target, answers, dims, "mde")


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
    chosen = get_scenario(scenario)
    if chosen.size is None:
        raise RefusedError(f"Scenario {chosen.name} has no size to solve for.")
    largest = int(dataclasses.replace(chosen.size, name="largest").validate(largest))
    if not isinstance(curve, bool):
        raise ParameterError(f"curve is {curve!r}; it must be true or false.")
    solver = Solver(chosen, "size", chosen.size, target, method, asked, progress)
    settings = list(solver.settings())
    solver.refuse_other_side(settings)
    answers = [[[solver.units(v, m, o, largest) for m in solver.study.methods]] for v, o in settings]
    dataset = answers_dataset(solver.study, solver.solved, solver.target, answers, {}, chosen.size.name)
    if curve:
        add_curve(dataset, solver, settings, answers)
    return dataset


def _sign(sign: str | None, alternative: str) -> str:
    """Return which effects are looked for, or refuse those that a one-sided test does not look at."""
    only = {"greater": "positive", "less": "negative"}.get(alternative)
    if sign == "both" and only:
        raise RefusedError("A one-sided test sees effects of one sign only: use sign positive or negative.")
    if sign and only and sign != only:
        raise RefusedError(f"sign {sign} does not fit alternative {alternative}, which looks for {only} effects alone.")
    return sign or only or "positive"
