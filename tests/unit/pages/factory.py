"""Datasets as the study layer gives them, with figures made by rough formulas: their form is what matters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr
from scipy.special import ndtr

from simstudy.options import make_options
from simstudy.solve.search import AT_NULL, NOT_REACHED, NULL_REACHES

NAN = float("nan")
METHODS = ("mcnemar_exact", "mcnemar_midp", "unpaired_z")
LONG_NAMES = {
    "difference": ("accuracy of B minus accuracy of A", "proportion"),
    "n_cases": ("cases that both systems answer", "cases"),
    "difficulty_sd": ("standard deviation of the shared difficulty", "logits"),
    "accuracy_a": ("accuracy of A", "proportion"),
    "accuracy": ("accuracy", "proportion"),
    "alpha": ("level of the test", "probability"),
}
DEFAULT_GRID: dict[str, Sequence[float]] = {
    "difficulty_sd": (0.0, 1.5, 3.0),
    "n_cases": (36, 100, 400, 1251),
    "difference": (0.05, 0.10, 0.15, 0.20),
}
ATTRS = {
    "scenario": "made_up",
    "title": "two systems answer the same cases",
    "details": "accuracy_a 0.7; alpha 0.05, two-sided",
    "aims": "power",
    "seed": 1,
    "effect": "difference",
    "size": "n_cases",
    "null": 0.0,
    "target_variable": "power",
}


def attributes(dataset: xr.Dataset, question: str = "power", misused: Sequence[str] = (), **told: str) -> dict:
    """What a result of a scenario that is not registered says about itself."""
    names = [name for name in dataset.coords if name not in ("method", "alpha")]
    alpha = dataset["alpha"].values.tolist() if "alpha" in dataset.coords else 0.05
    asked = {
        "scenario": "made_up",
        "question": question,
        "parameters": {name: dataset[name].values.tolist() for name in names},
        "defaults": [],
        "method": dataset["method"].values.tolist(),
        "options": make_options(alpha=alpha).describe(),
        **({"target": told["target"]} if "target" in told else {}),
    }
    return ATTRS | told | {"study": json.dumps(asked), "misused_methods": ", ".join(misused)}


def power(
    grid: Mapping[str, Sequence[float]] | None = None,
    methods: Sequence[str] = METHODS,
    simulated: Sequence[str] = ("unpaired_z",),
    replications: int = 10_000,
    fixed: Mapping[str, float | int | str] | None = None,
    misused: Sequence[str] = (),
) -> xr.Dataset:
    """A power study in which some methods are exact and others simulated."""
    given = fixed or {"accuracy_a": 0.7, "alpha": 0.05}
    dataset = _frame(grid or DEFAULT_GRID, methods, given)
    shape = tuple(dataset.sizes.values())
    levels = {name: _spread(dataset, name) for name in dataset.coords if name != "method"}
    n, effect = levels.get("n_cases", 100.0), levels.get("difference", 0.1)
    discordance = 0.38 / (1 + 0.15 * levels.get("difficulty_sd", 0.0)) + 0 * effect
    shift = effect * np.sqrt(n / discordance)
    handicap = -0.25 * np.arange(len(methods))[::-1]
    right = np.broadcast_to(ndtr(shift + handicap - 1.96), shape)
    wrong = np.broadcast_to(ndtr(-shift + handicap - 1.96), shape)
    drawn = np.broadcast_to(np.isin(methods, simulated), shape)
    rate = np.where(drawn, np.round((right + wrong) * replications) / replications, right + wrong)
    error = np.where(drawn, np.sqrt(rate * (1 - rate) / replications), 0.0)
    low, high = _wilson(rate, replications)
    put = _putter(dataset)
    put("power", rate, "probability of rejecting", "probability")
    put(
        "power_right",
        np.minimum(right, rate),
        "probability of rejecting in the right direction",
        "probability",
    )
    put("power_mcse", error, "Monte Carlo standard error of the power", "probability")
    put("power_low", np.where(drawn, low, rate), "lower Wilson limit of the power", "probability")
    put("power_high", np.where(drawn, high, rate), "upper Wilson limit of the power", "probability")
    put("type_s", wrong / (right + wrong), "wrong direction among rejections", "probability")
    put("type_m", 1 + 1 / (1 + shift**2) + np.zeros(shape), "mean exaggeration among rejections", "ratio")
    put(
        "undefined",
        np.where(drawn, np.exp(-0.2 * n) + np.zeros(shape), 0.0),
        "share undefined",
        "probability",
    )
    put("replications", np.where(drawn, replications, 0), "replications", "replications")
    put("engine", np.where(drawn, "counts", "exact"), "engine", "")
    dataset["discordance"] = dataset["power"].isel(method=0, drop=True) * 0 + 0.35
    dataset["discordance"].attrs = {"long_name": "discordance", "units": "proportion"}
    return dataset.assign_attrs(attributes(dataset, misused=misused))


def coverage(
    grid: Mapping[str, Sequence[float]] | None = None,
    methods: Sequence[str] = ("wald", "wilson", "clopper_pearson"),
) -> xr.Dataset:
    """A study of intervals, which has no power."""
    swept = grid or {"n_cases": (10, 36, 100, 400), "accuracy": (0.5, 0.7, 0.9, 0.98)}
    dataset = _frame(swept, methods, {"alpha": 0.05})
    shape = tuple(dataset.sizes.values())
    n, p = _spread(dataset, "n_cases"), _spread(dataset, "accuracy")
    lack = np.array([0.5, 0.02, -0.1])[: len(methods)]
    covered = np.clip(0.95 - lack / np.sqrt(n * p * (1 - p)) ** 1.5 + np.zeros(shape), 0, 0.9999)
    put = _putter(dataset)
    put("coverage", covered, "coverage of the interval", "probability")
    put("interval_width", 3.92 * np.sqrt(p * (1 - p) / n) + np.zeros(shape), "mean width", "proportion")
    put("miss_below", 0.3 * (1 - covered), "misses below", "probability")
    put("miss_above", 0.7 * (1 - covered), "misses above", "probability")
    put("replications", np.zeros(shape, dtype=int), "replications", "replications")
    put("engine", np.full(shape, "exact"), "engine", "")
    return dataset.assign_attrs(attributes(dataset, effect="", target_variable="coverage"))


def mde(simulated: Sequence[str] = ("unpaired_z",)) -> xr.Dataset:
    """Smallest differences, one of them unreachable and one outside the range."""
    dataset = _frame(
        {"difficulty_sd": (0.0, 1.5, 3.0), "n_cases": (5, 36, 100, 400, 1251)}, METHODS, {"accuracy_a": 0.7}
    )
    shape = tuple(dataset.sizes.values())
    n, sd = _spread(dataset, "n_cases"), _spread(dataset, "difficulty_sd")
    answer = 1.75 / np.sqrt(n * (1 + 0.2 * sd)) * (1 + 0.04 * np.arange(3)[::-1]) + np.zeros(shape)
    drawn = np.broadcast_to(np.isin(METHODS, simulated), shape)
    answer[:, 0, 0] = NAN
    answer[2, 0, 2] = NAN
    status = np.where(np.isnan(answer), "unreachable", "found").astype("<U17")
    status[2, 0, 2] = "outside the range"
    reason = np.where(status == "found", "", np.where(status == "unreachable", NOT_REACHED, NULL_REACHES))
    solved = _solution(dataset, answer, status, reason, drawn)
    return solved.assign_attrs(attributes(solved, "mde", solved_for="mde", target="power=0.8"))


def size() -> xr.Dataset:
    """Sample sizes with the first one that reaches the target."""
    dataset = _frame({"difficulty_sd": (0.0, 1.5), "difference": (0.0, 0.05, 0.1, 0.2)}, METHODS, {"accuracy_a": 0.7})
    shape = tuple(dataset.sizes.values())
    effect, sd = _spread(dataset, "difference"), _spread(dataset, "difficulty_sd")
    with np.errstate(divide="ignore"):
        answer = np.ceil(3.1 / effect**2 / (1 + 0.2 * sd) * (1 + 0.04 * np.arange(3)[::-1]) + np.zeros(shape))
    answer[:, 0] = NAN
    status = np.where(np.isnan(answer), "unreachable", "found").astype("<U17")
    reason = np.where(np.isnan(answer), AT_NULL, "")
    solved = _solution(dataset, answer, status, reason, np.zeros(shape, dtype=bool))
    _putter(solved)("first", np.floor(answer * 0.96), "first n that reaches the target", "cases")
    return solved.assign_attrs(attributes(solved, "size", solved_for="n_cases", target="power=0.8"))


def _solution(
    dataset: xr.Dataset, answer: np.ndarray, status: np.ndarray, reason: np.ndarray, drawn: np.ndarray
) -> xr.Dataset:
    put = _putter(dataset)
    put("answer", answer, "answer", "")
    put("low", np.where(drawn, answer * 0.97, answer), "lower limit of the answer", "")
    put("high", np.where(drawn, answer * 1.03, answer), "upper limit of the answer", "")
    put("status", status, "status", "")
    put("reason", reason, "reason", "")
    put("engine", np.where(drawn, "counts", "exact"), "engine", "")
    return dataset


def _frame(
    grid: Mapping[str, Sequence[float]], methods: Sequence[str], fixed: Mapping[str, float | int | str]
) -> xr.Dataset:
    coords = {name: (name, list(values), _describe(name)) for name, values in grid.items()}
    scalars = {name: ((), value, _describe(name)) for name, value in fixed.items()}
    frame = xr.Dataset(coords={**coords, "method": list(methods), **scalars})
    return frame.assign(_shape=((*grid, "method"), np.zeros(tuple(frame.sizes.values())))).drop_vars("_shape")


def _describe(name: str) -> dict[str, str]:
    long_name, units = LONG_NAMES.get(name, (name, ""))
    return {"long_name": long_name, "units": units}


def _spread(dataset: xr.Dataset, name: str) -> np.ndarray:
    dims = list(dataset.sizes)
    return np.asarray(dataset[name].broadcast_like(dataset).transpose(*dims).values, dtype=float)


def _putter(dataset: xr.Dataset):
    def put(name: str, values: np.ndarray, long_name: str, units: str) -> None:
        dataset[name] = (tuple(dataset.sizes), np.array(values), {"long_name": long_name, "units": units})

    return put


def _wilson(rate: np.ndarray, trials: int) -> tuple[np.ndarray, np.ndarray]:
    z = 1.96
    centre = (rate + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half = z * np.sqrt(rate * (1 - rate) / trials + z**2 / (4 * trials**2)) / (1 + z**2 / trials)
    return np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)
