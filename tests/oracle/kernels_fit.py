"""The fits behind the constants of ``normal_quantile`` and ``normal_tail`` in ``simstudy.kernels.maths``.

Run by hand (it needs mpmath, which nothing else here does): ``python -m tests.oracle.kernels_fit`` prints the two
rational functions of the quantile and the polynomial of the tail, their coefficients from the constant upward, and
their largest relative errors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Number = Any
GRID = 800
CENTRAL_SQUARED = "0.180625"
TAIL_START = "1.5"
MILLS_CENTRE = 6
MILLS_END = 38


def main() -> None:
    import mpmath as mp

    mp.mp.dps = 50
    edge = mp.mpf(CENTRAL_SQUARED)

    def upper(tail: Number) -> Number:
        """Solve log Q(z) = log(tail) for z by Newton's method; Q is the upper tail of the normal law."""
        z = mp.sqrt(-2 * mp.log(tail)) if tail < 0.1 else mp.mpf(1)
        for _ in range(200):
            q = mp.erfc(z / mp.sqrt(2)) / 2
            step = (mp.log(tail) - mp.log(q)) * q / mp.npdf(z)
            z -= step
            if abs(step) < mp.mpf(10) ** -45:
                break
        return z

    def central(y: Number) -> Number:
        q = mp.sqrt(edge - y)
        return upper(mp.mpf(1) / 2 - q) / q if q else mp.sqrt(2 * mp.pi)

    def in_tail(t: Number) -> Number:
        return upper(mp.exp(-((t + mp.mpf(TAIL_START)) ** 2)))

    start = mp.sqrt(-mp.log(mp.mpf("0.075"))) - mp.mpf(TAIL_START)
    stop = mp.sqrt(54 * mp.log(2)) - mp.mpf(TAIL_START)
    report(mp, "central", central, (mp.mpf(0), edge), (7, 6))
    report(mp, "tail", in_tail, (start - mp.mpf(2) ** -40, stop), (7, 7))

    def mills(v: Number) -> Number:
        """(1 + t) Q(t) exp(t**2 / 2) at t = c (1 + v) / (1 - v): nearly constant, so that a polynomial fits it."""
        t = MILLS_CENTRE * (1 + v) / (1 - v)
        return (1 + t) * mp.exp(t * t / 2) * mp.erfc(t / mp.sqrt(2)) / 2

    end = mp.mpf(MILLS_END - MILLS_CENTRE) / (MILLS_END + MILLS_CENTRE)
    report(mp, "Mills ratio", mills, (mp.mpf(-1), end), (20, 0))


def report(
    mp: Any, name: str, target: Callable[[Number], Number], interval: tuple[Number, Number], degrees: tuple[int, int]
) -> None:
    numerator, denominator, error = remez(mp, target, interval, degrees)
    print(f"{name}: relative error {mp.nstr(error, 3)}")
    for side, coefficients in (("numerator", numerator), ("denominator", denominator)):
        print(f"  {side}", *(mp.nstr(c, 19) for c in coefficients), sep="\n    ")


def remez(
    mp: Any, target: Callable[[Number], Number], interval: tuple[Number, Number], degrees: tuple[int, int]
) -> tuple[list[Number], list[Number], Number]:
    """Exchange nodes until the relative error levels out: numerator, denominator (constant first) and that error."""
    low, high = interval
    count = sum(degrees) + 2
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / GRID) for i in range(GRID + 1)]
    values = [target(x) for x in grid]
    nodes = [round(i * GRID / (count - 1)) for i in range(count)]
    level, p, q = mp.mpf(0), [], [mp.mpf(1)] + [mp.mpf(0)] * degrees[1]
    for _ in range(20):
        level, p, q = levelled(mp, [grid[i] for i in nodes], [values[i] for i in nodes], degrees, level, q)
        errors = [mp.polyval(p[::-1], x) / mp.polyval(q[::-1], x) / v - 1 for x, v in zip(grid, values, strict=True)]
        nodes = extremes(errors)
        worst = max(abs(e) for e in errors)
        if len(nodes) != count or worst < abs(level) * 1.05:
            break
    return p, q, worst


def levelled(
    mp: Any, x: list[Number], f: list[Number], degrees: tuple[int, int], level: Number, q: list[Number]
) -> tuple[Number, list[Number], list[Number]]:
    """Solve P(x) = f(x) (1 ± level) Q(x) at the nodes by Newton's method on the level."""
    m, n = degrees
    for _ in range(8):
        matrix, right = mp.matrix(len(x), len(x)), mp.matrix(len(x), 1)
        for i, (node, value) in enumerate(zip(x, f, strict=True)):
            sign = (-1) ** i
            for j in range(m + 1):
                matrix[i, j] = node**j
            for j in range(1, n + 1):
                matrix[i, m + j] = -value * (1 + sign * level) * node**j
            matrix[i, m + n + 1] = -sign * value * mp.polyval(q[::-1], node)
            right[i] = value * (1 + sign * level)
        solution = list(mp.lu_solve(matrix, right))
        p, q = solution[: m + 1], [mp.mpf(1), *solution[m + 1 : m + n + 1]]
        level += solution[-1]
    return level, p, q


def extremes(errors: list[Number]) -> list[int]:
    """Return where the error is largest between changes of its sign."""
    runs: list[list[int]] = [[0]]
    for i in range(1, len(errors)):
        if (errors[i] > 0) != (errors[i - 1] > 0):
            runs.append([])
        runs[-1].append(i)
    return [max(run, key=lambda i: abs(errors[i])) for run in runs]


if __name__ == "__main__":
    main()
