"""The minimum detectable effect, read off a computed grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from simstudy.errors import RefusedError, RequestError, UnknownNameError
from simstudy.scenarios.method import Method
from simstudy.solve.search import NOT_REACHED, NULL_REACHES
from simstudy.study.asked import read_off, study_of, with_question
from simstudy.study.plan import Study
from simstudy.study.results import ABOUT
from simstudy.study.target import Target, parse_target

Floats = NDArray[np.float64]
Z95 = 1.959963984540054
# rise of probit(power) between neighbours beyond which the curve between them is unknown: from .05 to .90
STEEP = 3.0


def mde_from(dataset: xr.Dataset, target: float | str | None = None, sign: str = "positive") -> xr.Dataset:
    """Return the minimum detectable effect from a power curve that was computed before.

    Parameters
    ----------
    dataset : xarray.Dataset
        From `simstudy.power_curve`, with the effect swept. A part of it is chosen by ``.sel({"method": ...})``: as a
        keyword ``method`` is xarray's own, and chooses nothing.
    target : float or str, optional
        Power, in (0, 1); 0.8 where not given. Also shares that are measures of the scenario's own, and several
        conditions, as `simstudy.mde` takes them.
    sign : {"positive", "negative"}
        Which effects.

    Returns
    -------
    xarray.Dataset
        ``answer`` by interpolation of probit(power) between neighbouring effects of the grid; ``low`` and ``high``
        the same from the Wilson limits of power, or the neighbours themselves where power rises so steeply between
        them that no interpolation tells where; ``status`` (found; outside the range: no crossing inside the grid).
        Of several conditions the one that is farthest from holding is followed.

    Raises
    ------
    RefusedError
        If the dataset has no power, its effect is not swept, or it does not hold what the target asks for.
    """
    if not isinstance(dataset, xr.Dataset):
        raise RequestError(f"mde_from needs the Dataset that power_curve returned, not {dataset!r}.")
    study = study_of(dataset)
    scenario, effect = study.scenario, study.effect
    if "power" not in dataset or effect not in dataset.dims:
        raise RefusedError(
            f"mde_from needs a power curve over {effect or 'an effect'}: give a list of effects to power_curve."
        )
    if not isinstance(sign, str) or sign not in ("positive", "negative"):
        raise UnknownNameError("sign", sign, ("positive", "negative"))
    wanted = parse_target(target, scenario)
    wanted.check_of_effect("mde_from")
    methods = [scenario.method(str(name)) for name in np.atleast_1d(dataset["method"].values)]
    for method in methods:
        wanted.check(method, scenario)
    missing = [c.measure.name for c in wanted.conditions if c.measure.name not in dataset]
    if missing:
        raise RefusedError(f"mde_from reads {missing[0]} off the grid, and this part of a result does not hold it.")
    null = _null(dataset, study, methods)
    side = 1.0 if sign == "positive" else -1.0
    distance = side * (dataset[effect].values - null)
    keep = np.argsort(distance)[np.sort(distance) >= 0]
    if not len(keep):
        other = "above" if side > 0 else "below"
        raise RefusedError(f"mde_from follows power from the null, {null:g}: the grid has no {effect} {other} it.")
    chosen = dataset.isel({effect: keep})
    effects = chosen[effect].values.astype(float)

    def crossing(power: xr.DataArray, end: int | None = None) -> Any:
        return xr.apply_ufunc(
            lambda values: _crossing(effects, values, wanted.value, end),
            power,
            input_core_dims=[[effect]],
            vectorize=True,
        )

    rate, above, below = (_followed(chosen, wanted, end) for end in (0, 1, -1))
    answer, best, worst = crossing(rate), crossing(above, 0), crossing(below, 1)
    result = xr.Dataset({"answer": answer, "low": best, "high": worst})
    if side < 0:
        result = result.rename(low="high", high="low")
    result["status"] = xr.apply_ufunc(
        lambda x: np.where(np.isfinite(x), "found", "outside the range"), result["answer"]
    )
    result["reason"] = xr.apply_ufunc(
        lambda x, least: np.where(np.isfinite(x), "", np.where(least >= wanted.value, NULL_REACHES, NOT_REACHED)),
        result["answer"],
        rate.isel({effect: 0}, drop=True),
    )
    result["engine"] = chosen["engine"].isel({effect: 0}, drop=True)
    for key, (meaning, of_what) in described(scenario.effect.unit if scenario.effect else "").items():
        result[key] = result[key].assign_attrs(long_name=meaning, units=of_what)
    return with_question(result, dataset, read_off(study, wanted))


def described(unit: str) -> dict[str, tuple[str, str]]:
    """Return what every variable of answers read off a grid is, in words, and its unit."""
    return {
        "answer": ("smallest effect with the target power, interpolated", unit),
        "low": ("lower limit, from the upper Wilson limit of power", unit),
        "high": ("upper limit, from the lower Wilson limit of power", unit),
        "status": ("found, or outside the range", "name"),
        "reason": ("why there is no answer; empty where there is one", "name"),
        "engine": ABOUT["engine"],
    }


def _followed(dataset: xr.Dataset, target: Target, end: int) -> xr.DataArray:
    """Return what the target follows, or its limit where its measures are as good (1) or as bad (-1) as they may be."""
    names = [condition.measure.name for condition in target.conditions]
    sides = [end if condition.at_least else -end for condition in target.conditions]
    held = [_limit(dataset, name, side) for name, side in zip(names, sides, strict=True)]
    followed: xr.DataArray = xr.apply_ufunc(
        lambda *values: target.of(dict(zip(names, values, strict=True))), *held, vectorize=True
    )
    # undefined counts as not reached, as power in the right direction at the null
    return followed.fillna(0.0)


def _limit(dataset: xr.Dataset, name: str, side: int) -> xr.DataArray:
    """Return a measure (0), or its upper (1) or lower (-1) 95% limit."""
    stored = f"{name}_{'high' if side > 0 else 'low'}"
    if side == 0 or stored in dataset:
        return dataset[stored if side else name]
    return dataset[name] + side * Z95 * dataset[f"{name}_mcse"].fillna(0.0)


def _null(dataset: xr.Dataset, study: Study, methods: Sequence[Method]) -> float:
    """Return the effect from which power is followed; all methods must share it."""
    scenario = study.scenario
    held_at = {n: dataset[n].values.item() for n in scenario.by_name if n in dataset and not dataset[n].ndim}
    values = {**study.grid.fixed, **held_at}
    null = scenario.effect.null if scenario.effect else None
    held = [null] if isinstance(null, str) else []
    held += ["margin"] if any(method.decision.about_margin for method in methods) else []
    for name in held:
        if name not in values:
            raise RefusedError(f"mde_from follows power from one null: select one {name} first.")
    starts = {method.decision.start(values, scenario, method) for method in methods}
    if not starts:
        raise RefusedError("mde_from needs a method: none is left in this part of a result.")
    if len(starts) > 1:
        raise RefusedError("mde_from follows power from one null: select the margin methods, or the others, first.")
    return starts.pop()


def _crossing(effects: Floats, power: Floats, target: float, end: int | None = None) -> float:
    """Return where power first reaches the target, by interpolation on the probit scale; NaN where it does not."""
    # where power rises steeply, and an end is asked for, it is the neighbour below (0) or above (1)
    from scipy.special import ndtri  # late: start-up

    reached = np.flatnonzero(power >= target)
    if not len(reached) or reached[0] == 0:
        return np.nan
    i = int(reached[0])
    probit = ndtri(np.clip(power[i - 1 : i + 1], 1e-12, 1 - 1e-12))
    if end is not None and probit[1] - probit[0] > STEEP:
        return float(effects[i - 1 + end])
    share = (ndtri(target) - probit[0]) / (probit[1] - probit[0])
    return float(effects[i - 1] + share * (effects[i] - effects[i - 1]))
