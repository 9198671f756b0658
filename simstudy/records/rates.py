"""Results that are given as counts: two systems on the same cases, one rate, or two unpaired rates."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from scipy import special

from simstudy.errors import ParameterError
from simstudy.records.paired_values import PairedValues
from simstudy.records.planners import IN_POINTS, Seen, planned
from simstudy.records.posterior import TAILS, relative_error
from simstudy.records.question import Question

_RATE = re.compile(r"\s*(\d+)\s*/\s*(\d+)\s*")
MOST_CASES = 10**8
MOST_PAIRS = 2 * 10**6
"""Cases of two systems, which are held one by one."""


def parse_counts(text: str) -> tuple[int, int, int, int] | tuple[tuple[int, int], ...]:
    """Read ``29,7,4,20`` (both right, only A, only B, neither) or one or two rates such as ``193/358``."""
    parts = text.split(",")
    rates = [_RATE.fullmatch(part) for part in parts]
    if all(rates) and len(parts) <= 2:
        return tuple((int(found[1]), int(found[2])) for found in rates if found)
    if len(parts) == 4 and all(part.strip().isascii() and part.strip().isdigit() for part in parts):
        a, b, c, d = (int(part) for part in parts)
        return a, b, c, d
    raise ParameterError(
        f"counts is '{text}'; give four whole numbers from 0 (both right, only A, only B, neither: 29,7,4,20), one "
        "rate (193/358) or two unpaired rates (78/100,82/100)."
    )


def pairs_of_counts(cells: tuple[int, int, int, int]) -> PairedValues:
    """Return the pairs of both right, only A, only B and neither, which are all alike but for the outcome."""
    n = sum(cells)
    if n == 0:
        raise ParameterError("counts is 0,0,0,0; there is no case to compare.")
    if n > MOST_PAIRS:
        raise ParameterError(f"counts add up to {n} cases; at most {MOST_PAIRS} are compared.")
    a, b = (np.repeat(np.array(values, np.float64), cells) for values in ((1, 1, 0, 0), (1, 0, 1, 0)))
    cases = tuple(str(number) for number in range(1, n + 1))
    return PairedValues("A", "B", cases, a, b, None, None, 1, 0, 0, (), ())


def check_rate(right: int, n: int) -> None:
    """Refuse a rate that is none."""
    if n < 1 or right > n:
        raise ParameterError(f"counts is {right}/{n}; a rate is right cases out of all, such as 193/358.")
    if n > MOST_CASES:
        raise ParameterError(f"counts is {right}/{n}; at most {MOST_CASES} cases are compared.")


def midp_binomial(right: int, n: int, bound: float) -> float:
    """Return the two-sided mid-p value of a rate against a bound strictly between 0 and 1."""
    if not 0 < bound < 1:
        raise ParameterError(f"against is {bound:g}; a rate to compare with lies strictly between 0 and 1.")
    half = 0.5 * _at(right, n, bound)
    return min(1.0, 2 * min(_up_to(right - 1, n, bound), _from(right + 1, n, bound)) + 2 * half)


# scipy.stats checks its arguments at every call, which takes ten times as long as the law


def _at(right: int, n: int, rate: float) -> float:
    """Return the chance of so many right cases."""
    logs = special.xlogy(right, rate) + special.xlog1py(n - right, -rate)
    return float(np.exp(logs - special.betaln(n - right + 1, right + 1) - math.log1p(n)))


def _up_to(right: int, n: int, rate: float) -> float:
    """Return the chance of no more right cases than these."""
    return 0.0 if right < 0 else 1.0 if right >= n else float(special.bdtr(right, n, rate))


def _from(right: int, n: int, rate: float) -> float:
    """Return the chance of no fewer right cases than these."""
    return 1.0 if right <= 0 else 0.0 if right > n else float(special.bdtrc(right - 1, n, rate))


def one_rate(right: int, n: int, against: float | None, question: Question) -> tuple[dict[str, Any], tuple[Seen, ...]]:
    """Return the figures of one rate, and what so many cases see of a distance from the bound."""
    from scipy.stats import binomtest  # late: it takes a third of a second to import

    from simstudy.stats import clopper_pearson, midp_proportion, wilson

    check_rate(right, n)
    rate = right / n
    record: dict[str, Any] = {
        "system_a": "A",
        "system_b": None,
        "n_cases": n,
        "mean_a": rate,
        "se": math.sqrt(rate * (1 - rate) / (n - 1)) if n > 1 else math.nan,
    }
    record["low"], record["high"] = (float(limit) for limit in wilson(right, n, question.level))
    if against is None:
        return record, ()
    record["p_value"], record["test"] = midp_binomial(right, n, against), "binomial_midp"
    record["p_binomial_exact"] = float(binomtest(right, n, against).pvalue)
    record["difference"] = rate - against
    record["low"], record["high"] = (float(limit) for limit in midp_proportion(right, n, question.level))
    record["clopper_pearson_low"], record["clopper_pearson_high"] = (
        float(limit) for limit in clopper_pearson(right, n, question.level)
    )
    record |= _smallest_rates(n, against, question)
    sizes = question.differences or IN_POINTS
    seen = tuple(_seen_rate(size, n, against, question) for size in sizes)
    record |= planned(seen[0])
    return record, seen


def _edges(n: int, bound: float, alpha: float) -> tuple[int, int]:
    """Return the most right cases that are significantly few, and the fewest that are significantly many."""

    def significant(right: int) -> bool:
        return midp_binomial(right, n, bound) <= alpha

    middle = round(n * bound)
    low, high = -1, middle
    if significant(0):
        low, high = 0, middle
        while high - low > 1:
            at = (low + high) // 2
            low, high = (at, high) if significant(at) else (low, at)
    few, many = low, n + 1
    if significant(n):
        low, high = middle, n
        while high - low > 1:
            at = (low + high) // 2
            low, high = (low, at) if significant(at) else (at, high)
        many = high
    return few, many


def rate_power(rate: float, n: int, edges: tuple[int, int]) -> float:
    """Return the exact power at a true rate."""
    few, many = edges
    return _up_to(few, n, rate) + _from(many, n, rate)


def _smallest_rates(n: int, bound: float, question: Question) -> dict[str, float]:
    edges, found = _edges(n, bound, question.alpha), {}
    for name, room in (("mde_positive", 1 - bound), ("mde_negative", -bound)):
        if rate_power(bound + room, n, edges) < question.power:
            found[name] = math.nan
            continue
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = 0.5 * (low + high)
            enough = rate_power(bound + middle * room, n, edges) >= question.power
            low, high = (low, middle) if enough else (middle, high)
        found[name] = high * room
    return found


def _seen_rate(size: float, n: int, bound: float, question: Question) -> Seen:
    if not 0 <= bound + size <= 1:
        size = -size
    if not 0 <= bound + size <= 1:
        return Seen(size, *[math.nan] * 5)
    cases = _cases_for_rate(bound + size, bound, question)
    return Seen(size, rate_power(bound + size, n, _edges(n, bound, question.alpha)), *[cases] * 4)


def _cases_for_rate(rate: float, bound: float, question: Question) -> float:
    """Return cases from which the exact power is not lost again within the teeth of the binomial law."""

    def power(n: int) -> float:
        return rate_power(rate, n, _edges(n, bound, question.alpha))

    z_alpha, z_power = -special.ndtri(question.alpha / 2), special.ndtri(question.power)
    spread = z_alpha * math.sqrt(bound * (1 - bound)) + z_power * math.sqrt(rate * (1 - rate))
    guess = (spread / abs(rate - bound)) ** 2
    if guess > MOST_CASES:
        return math.inf
    last = int(guess + 3 * math.sqrt(guess) + 60)
    step = max(1, last // 2000)
    first_good = last
    for n in range(last, 0, -step):
        if power(n) < question.power:
            break
        first_good = n
    return float(first_good)


def two_rates(
    first: tuple[int, int], second: tuple[int, int], names: tuple[str, str], question: Question
) -> tuple[dict[str, Any], tuple[Seen, ...]]:
    """Return the figures of two rates of different cases, and what so many cases see."""
    from simstudy.stats import fisher_exact, newcombe_independent, noninferiority_farrington_manning, z_pooled

    for right, n in (first, second):
        check_rate(right, n)
    (x_a, n_a), (x_b, n_b) = first, second
    a, b = x_a / n_a, x_b / n_b
    low, high = newcombe_independent(x_a, n_a, x_b, n_b, question.level)
    p = float(z_pooled(x_a, n_a, x_b, n_b))
    record: dict[str, Any] = {
        "system_a": names[0],
        "system_b": names[1],
        "n_cases": n_a + n_b,
        "mean_a": a,
        "mean_b": b,
        "difference": b - a,
        "se": math.sqrt(a * (1 - a) / n_a + b * (1 - b) / n_b),
        "low": float(low),
        "high": float(high),
        "p_value": p,
        "test": "z_pooled",
        "p_fisher_exact": float(fisher_exact(x_a, n_a, x_b, n_b)) if n_a + n_b <= MOST_PAIRS else math.nan,
    }
    if question.margin is not None:
        lost = (x_a, n_a, x_b, n_b) if not question.lower_is_better else (x_b, n_b, x_a, n_a)
        won = lost[2:] + lost[:2]
        no_worse = float(noninferiority_farrington_manning(*lost, question.margin))
        no_better = float(noninferiority_farrington_manning(*won, question.margin))
        record |= {
            "margin": question.margin,
            "noninferior_p": no_worse,
            "equivalent_p": float(max(no_worse, no_better)),
        }
    seen = tuple(_seen_two(size, (a, n_a, n_b), question) for size in question.differences or IN_POINTS)
    up, down = (_smallest_two(sign, (a, n_a, n_b), question) for sign in (1, -1))
    record |= {"mde_positive": up, "mde_negative": down} | planned(seen[0])
    return record, seen


def pooled_power(a: float, b: float, n_a: int, n_b: int, alpha: float) -> float:
    """Return the power of the pooled z test by its normal approximation, in either direction."""
    pooled = (n_a * a + n_b * b) / (n_a + n_b)
    null = math.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b))
    own = math.sqrt(a * (1 - a) / n_a + b * (1 - b) / n_b)
    reach = -float(special.ndtri(alpha / 2)) * null
    if own == 0:
        return float(abs(b - a) > reach)
    return float(special.ndtr((abs(b - a) - reach) / own) + special.ndtr((-abs(b - a) - reach) / own))


def _smallest_two(sign: int, at: tuple[float, int, int], question: Question) -> float:
    a, n_a, n_b = at
    room = 1 - a if sign > 0 else a
    if pooled_power(a, a + sign * room, n_a, n_b, question.alpha) < question.power or room == 0:
        return math.nan
    low, high = 0.0, room
    for _ in range(60):
        middle = 0.5 * (low + high)
        enough = pooled_power(a, a + sign * middle, n_a, n_b, question.alpha) >= question.power
        low, high = (low, middle) if enough else (middle, high)
    return sign * high


def _seen_two(size: float, at: tuple[float, int, int], question: Question) -> Seen:
    a, n_a, n_b = at
    if not 0 <= a + size <= 1:
        size = -size
    if not 0 <= a + size <= 1:
        return Seen(size, *[math.nan] * 5)
    power = pooled_power(a, a + size, n_a, n_b, question.alpha)
    generator = np.random.Generator(np.random.Philox(key=question.seed))
    possible = generator.beta(a * n_a + 0.5, (1 - a) * n_a + 0.5, question.draws)
    possible = possible[(possible + size >= 0) & (possible + size <= 1)]
    cases = _cases_of_two(a, size, n_b / n_a, question)
    drawn = np.sort([_cases_of_two(float(rate), size, n_b / n_a, question) for rate in possible])
    share = 1 - len(possible) / question.draws
    if not drawn.size:
        return Seen(size, power, cases, *[math.nan] * 3, mcse=(math.nan,) * 3, impossible_share=share)
    low, median, high = (float(np.quantile(drawn, q, method="inverted_cdf")) for q in TAILS)
    errors = [n * relative_error(drawn, q) for n, q in zip((low, median, high), TAILS, strict=True)]
    return Seen(size, power, cases, low, median, high, mcse=(errors[0], errors[1], errors[2]), impossible_share=share)


def _cases_of_two(a: float, size: float, ratio: float, question: Question) -> float:
    """Return the cases of both systems together, by the closed form (Fleiss, Levin & Paik 2003, equation 4.14)."""
    b = a + size
    pooled = (a + ratio * b) / (1 + ratio)
    z_alpha, z_power = -float(special.ndtri(question.alpha / 2)), float(special.ndtri(question.power))
    spread = z_alpha * math.sqrt(max(0.0, pooled * (1 - pooled)) * (1 + 1 / ratio))
    spread += z_power * math.sqrt(a * (1 - a) + max(0.0, b * (1 - b)) / ratio)
    n_a = math.ceil((spread / size) ** 2)
    return float(n_a + math.floor(ratio * n_a + 0.5))
