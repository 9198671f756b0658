"""Power of tests that depend on the discordant cases alone, as a sum over their total.

Given n10 + n01 = m, n01 is binomial with probability π = p01/(p10 + p01), so a test that is monotone in n01 rejects
beyond two critical values of m. With r(m) = P(reject | m), power(n) = Σ_m P(m) r(m), and r does not depend on n.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simstudy.engines.chain import PIECE, binomial_table, reach
from simstudy.options import ROUNDING
from simstudy.scenarios import get_scenario
from simstudy.scenarios.declaration import Call

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
CHUNK = 1024
# distance from the normal approximation within which critical values are looked for first
NEAR = 4


@dataclass(frozen=True, eq=False)
class Critical:
    """Critical values of n01 for consecutive discordant totals m."""

    upper: Ints  # smallest n01 that says "B better"; m + 1 where none does
    lower: Ints  # largest n01 that says "A better"; −1 where none does


def _tail(p_value: Callable[..., Floats], total: Ints, alpha: float, alternative: str) -> Ints:
    """Return for each m the smallest number of discordant cases toward the alternative that rejects, by bisection."""
    upward = alternative != "less"

    def rejects(k: Ints) -> NDArray[np.bool_]:
        inside = np.clip(k, 0, total)
        n10, n01 = (total - inside, inside) if upward else (inside, total - inside)
        small = p_value(n10, n01, alternative=alternative) <= alpha * (1.0 + ROUNDING)
        found: NDArray[np.bool_] = small & (k == inside)
        return found

    # the normal approximation is a close start; where it is not close enough the whole range is searched
    from scipy.special import ndtri  # late: start-up

    z = float(-ndtri(alpha / 2 if alternative == "two-sided" else alpha))
    centre = total / 2 + z * np.sqrt(total) / 2
    # never rejects: an even split of a two-sided test; a one-sided p may be below a high level at every outcome
    never = total // 2 if alternative == "two-sided" else np.full_like(total, -1)
    low = np.clip(np.floor(centre).astype(np.int64) - NEAR, never, total)
    high = np.clip(np.ceil(centre).astype(np.int64) + NEAR, low + 1, total + 1)
    low = np.where(rejects(low), never, low)
    high = np.where(rejects(high), high, total + 1)
    while (active := high - low > 1).any():
        middle = np.where(active, (low + high) // 2, high)
        hit = rejects(middle)
        high, low = np.where(active & hit, middle, high), np.where(active & ~hit, middle, low)
    return high


@lru_cache(maxsize=1024)
def _critical_chunk(test: Call, alpha: float, alternative: str, chunk: int) -> Critical:
    p_value = test.resolve()
    total = np.arange(chunk * CHUNK, (chunk + 1) * CHUNK, dtype=np.int64)
    beyond = _tail(p_value, total, alpha, alternative)
    if alternative == "greater":
        return Critical(beyond, np.full_like(total, -1))
    if alternative == "less":
        return Critical(total + 1, total - beyond)
    # two-sided tests treat A and B alike
    return Critical(beyond, total - beyond)


def critical_values(test: Call, alpha: float, alternative: str, start: int, stop: int) -> Critical:
    """Return the critical values of a McNemar-type test for the discordant totals from start to before stop."""
    chunks = [
        _critical_chunk(test, alpha, alternative, chunk) for chunk in range(start // CHUNK, (stop - 1) // CHUNK + 1)
    ]
    part = slice(start % CHUNK, start % CHUNK + stop - start)
    return Critical(
        np.concatenate([chunk.upper for chunk in chunks])[part], np.concatenate([chunk.lower for chunk in chunks])[part]
    )


def rejection_given_total(
    test: Call, alpha: float, alternative: str, start: int, stop: int, share: float
) -> tuple[Floats, Floats]:
    """Return P(reject | m), upward and downward; `share` is P(only B right | discordant)."""
    from scipy.special import bdtr, bdtrc  # late: start-up

    critical = critical_values(test, alpha, alternative, start, stop)
    total = np.arange(start, stop)
    upper, lower = critical.upper, critical.lower
    # of -1 it is 1
    up = np.where(upper <= total, bdtrc(upper - 1.0, total, share), 0.0)
    down = np.where(lower >= 0, bdtr(np.maximum(lower, 0).astype(float), total, share), 0.0)
    return up, down


def discordant_power(
    n: ArrayLike, p10: float, p01: float, test: Call, alpha: float, alternative: str = "two-sided"
) -> tuple[Floats, Floats]:
    """Return P(reject and n01 > n10) and P(reject and n01 < n10) for several numbers of cases, exactly."""
    sizes = np.atleast_1d(np.asarray(n, np.int64))
    discordance = min(1.0, p10 + p01)
    # a table has a row per size, as wide as the window of the largest: pieces keep it small
    rows = max(1, PIECE // (2 * reach(float(sizes.max(initial=1)), discordance * (1.0 - discordance)) + 1))
    pieces = [
        _discordant_piece(sizes[at : at + rows], discordance, p01, test, alpha, alternative)
        for at in range(0, len(sizes), rows)
    ]
    return np.concatenate([up for up, _ in pieces]), np.concatenate([down for _, down in pieces])


def _discordant_piece(
    sizes: Ints, discordance: float, p01: float, test: Call, alpha: float, alternative: str
) -> tuple[Floats, Floats]:
    """Return (up, down) of `discordant_power` for some of the sizes."""
    start, table = binomial_table(sizes, discordance)
    first = max(0, int(start.min()))
    stop = int(min(sizes.max(), start.max() + table.shape[1] - 1)) + 1
    share = min(1.0, p01 / discordance) if discordance > 0.0 else 0.5
    given_up, given_down = rejection_given_total(test, alpha, alternative, first, stop, share)
    index = start[:, None] + np.arange(table.shape[1]) - first
    inside = (index >= 0) & (index < stop - first)
    index = np.where(inside, index, 0)
    table = np.where(inside, table, 0.0)
    return (table * given_up[index]).sum(axis=1), (table * given_down[index]).sum(axis=1)


def mcnemar_power(
    n: ArrayLike,
    p10: float,
    p01: float,
    method: str = "mcnemar_midp",
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Floats:
    """Return the exact power, in either direction, of a method of scenario paired for several numbers of cases."""
    test = get_scenario("paired").method(method).p_value
    assert test is not None
    up, down = discordant_power(n, p10, p01, test, alpha, alternative)
    return up + down
