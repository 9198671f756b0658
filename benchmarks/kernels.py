"""The full engine against the random-number floor, NumPy, and the obvious loop."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.stats import binomtest

from benchmarks.timing import Line, side_by_side
from simstudy.kernels.floor import philox_floor
from simstudy.scenarios.paired.kernel import simulate

LOGITS = (0.847, 1.386)
SD = 1.5


def numpy_counts(rng: np.random.Generator, replications: int, n: int) -> np.ndarray:
    """What a careful NumPy user writes: one exponential for both systems, uniforms compared."""
    factor = np.exp(SD * rng.standard_normal((replications, n)))
    right_a = rng.random((replications, n)) * (1.0 + factor * np.exp(-LOGITS[0])) < 1.0
    right_b = rng.random((replications, n)) * (1.0 + factor * np.exp(-LOGITS[1])) < 1.0
    both = (right_a & right_b).sum(axis=1)
    return np.stack([right_a.sum(axis=1) - both, right_b.sum(axis=1) - both, both], axis=1)


def obvious_loop(rng: np.random.Generator, replications: int, n: int) -> float:
    """What most people write: a replication at a time, SciPy's binomial test."""
    rejections = 0
    for _ in range(replications):
        d = rng.normal(0.0, SD, n)
        a = rng.random(n) < 1.0 / (1.0 + np.exp(d - LOGITS[0]))
        b = rng.random(n) < 1.0 / (1.0 + np.exp(d - LOGITS[1]))
        n10, n01 = int((a & ~b).sum()), int((b & ~a).sum())
        rejections += n10 + n01 > 0 and binomtest(n10, n10 + n01).pvalue <= 0.05
    return rejections / replications


def kernel_lines() -> list[Line]:
    """Time the paired kernel at n = 100 and 1000."""
    lines = []
    rng = np.random.default_rng(1)
    key = np.uint64(1)
    for n in (100, 1000):
        replications = 2_000_000 // n
        rows = np.empty((replications, 3), np.int64)
        floor = np.empty(replications, np.uint64)
        times = side_by_side(
            {
                "full": lambda rows=rows, n=n: simulate(key, 0, rows, n, *LOGITS, SD),
                "floor": lambda floor=floor, n=n: philox_floor(key, 0, floor, n),
                "numpy": lambda replications=replications, n=n: numpy_counts(rng, replications, n),
            }
        )
        loops = 50
        loop = side_by_side({"loop": lambda n=n, loops=loops: obvious_loop(rng, loops, n)}, 3)["loop"] / (loops * n)
        case = times["full"] / (replications * n)
        lines += [
            Line(f"full engine, one case, n = {n}", case * 1e9, "ns"),
            Line(f"full engine / Philox alone, per case, n = {n}", times["full"] / times["floor"], "×", 5.5),
            Line(f"vectorised NumPy / full engine, n = {n}", times["numpy"] / times["full"], "×", 2.5, False),
            Line(f"loop with scipy binomtest / full engine, per case, n = {n}", loop / case, "×"),
        ]
    return lines


def thread_lines() -> list[Line]:
    """Time the same blocks on one thread and on two."""
    n, blocks, size = 1000, 16, 4000

    def block(first: int) -> None:
        simulate(np.uint64(1), first, np.empty((size, 3), np.int64), n, *LOGITS, SD)

    def on(threads: int) -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(block, range(0, blocks * size, size)))

    times = side_by_side({"one": lambda: on(1), "two": lambda: on(2)})
    return [Line("full engine, 1 thread / 2 threads", times["one"] / times["two"], "×", 1.8, False)]
