"""The kernels of the judge scenarios against the random-number floor and vectorised NumPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.timing import Line, side_by_side
from simstudy.kernels.floor import philox_floor
from simstudy.scenarios import get_scenario

UNITS = 500_000
N = 200
# scenario, its parameters, calls of Philox for each unit
CASES: dict[str, tuple[dict[str, float], int]] = {
    "position": ({"n_pairs": N, "beta": 0.5}, 2),
    "self_preference": ({"n_pairs": N, "bonus": 0.5}, 2),
    "judged": ({"n_cases": N, "accuracy_a": 0.7, "difference": 0.05, "reworded_b": 0.8, "n_labels": 50}, 2),
}


def _logistic(x: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-x))


def numpy_position(rng: np.random.Generator, replications: int) -> np.ndarray:
    """Letters of both passes of every pair, counted by class."""
    shape = (replications, N)
    u = 2.5 * np.where(rng.random(shape) < 0.5, 1.0, -1.0)
    first = rng.random(shape) < _logistic(u + 0.5)
    second = rng.random(shape) < _logistic(-u + 0.5)
    return np.stack([(first & second).sum(1), (first & ~second).sum(1), (~first & second).sum(1)], axis=1)


def numpy_self_preference(rng: np.random.Generator, replications: int) -> np.ndarray:
    """Verdicts of both judges in both orders, as sums of gaps and of their squares."""
    shape = (replications, N, 2)
    d = 2.5 * np.where(rng.random((replications, N, 1)) < 0.5, 1.0, -1.0)
    own = rng.random(shape) < _logistic(d + 0.5)
    third = rng.random(shape) < _logistic(d)
    gap = own.sum(2) - third.sum(2)
    return np.stack([gap.sum(1), (gap * gap).sum(1)], axis=1)


def numpy_judged(rng: np.random.Generator, replications: int) -> np.ndarray:
    """Truths and verdicts of both systems, as counts of discordant verdicts."""
    shape = (replications, N)
    factor = np.exp(1.5 * rng.standard_normal(shape))
    counts = []
    for odds, reworded in ((0.26, 0.0), (0.19, 0.8)):
        right = rng.random(shape) * (1.0 + factor * odds) < 1.0
        accepted = np.where(right, 0.92 - 0.1 * (rng.random(shape) < reworded), 0.05)
        counts.append(rng.random(shape) < accepted)
    a, b = counts
    return np.stack([(a & ~b).sum(1), (b & ~a).sum(1)], axis=1)


NUMPY: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "position": numpy_position,
    "self_preference": numpy_self_preference,
    "judged": numpy_judged,
}


def judge_lines() -> list[Line]:
    """Time the count kernels: a unit, against Philox alone and against NumPy."""
    lines = []
    rng = np.random.default_rng(1)
    replications = UNITS // N
    for name, (values, calls) in CASES.items():
        scenario = get_scenario(name)
        assert scenario.kernel is not None
        point = scenario.point({p.name: p.default for p in scenario.parameters if p.default is not None} | values)
        arguments = scenario.kernel_arguments(point.values, (0.05,), "two-sided")
        simulate = scenario.kernel.functions()[0]
        rows = np.empty((replications, len(scenario.kernel.columns)), np.int64)
        floor = np.empty(replications, np.uint64)
        times = side_by_side(
            {
                "full": lambda f=simulate, rows=rows, a=arguments: f(np.uint64(1), 0, rows, *a),
                "floor": lambda floor=floor, calls=calls: philox_floor(np.uint64(1), 0, floor, calls * N),
                "numpy": lambda name=name: NUMPY[name](rng, replications),
            }
        )
        lines += [
            Line(f"{name}: full engine, one {scenario.unit}", times["full"] / UNITS * 1e9, "ns"),
            Line(f"{name}: full engine / its {calls} calls of Philox alone", times["full"] / times["floor"], "×"),
            Line(f"{name}: vectorised NumPy / full engine", times["numpy"] / times["full"], "×", 2.0, False),
        ]
    return lines
