"""Every command on every kind of null and of decision, with figures from sums over binomial laws.

Nulls of ½, in a parameter, on another scale than the effect, above all effects; two-sided tests, intervals, claims by a
p-value and by an interval, a rule of two parts, and a method that is a mistake.
"""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

import simstudy
from simstudy.__main__ import main
from simstudy.errors import RequestError
from tests.small.nulls import COINS, Below, Coin, Half, Held, Own, Strength

ROUNDING = 1e-9
# a p-value within this share of its level is at it
AT_LEVEL = 1e-12
METHODS = ("test", "limits", "above", "above_by_limit", "rule", "careless")
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module", autouse=True)
def registered():
    for coin in COINS:
        simstudy.register(coin)


def null_of(coin: type[Coin], bar: float) -> float:
    return bar if coin in (Held, Own) else 0.5


def limits(x, n, level):
    """Return Wilson's limits, with the ends at 0 and 1."""
    z = stats.norm.ppf(0.5 + level / 2)
    centre, spread = x + z * z / 2, z * np.sqrt(x * (n - x) / n + z * z / 4)
    low, high = (centre - spread) / (n + z * z), (centre + spread) / (n + z * z)
    return np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high)


def clopper_low(x, n, tail):
    return np.where(x > 0, stats.beta.ppf(tail, np.maximum(x, 1), n - x + 1), 0.0)


@cache
def decisions(n: int, null: float, method: str, alternative: str) -> tuple[Any, Any]:
    """Return where heads 0 … n are decided upward and downward, at level .05."""
    x = np.arange(n + 1)
    upper, lower = stats.binom.sf(x - 1, n, null), stats.binom.cdf(x, n, null)
    level, greater = 0.05 * (1 + AT_LEVEL), alternative == "greater"
    above, below = x / n > null, x / n <= null
    small = np.minimum(1.0, 2 * np.minimum(upper, lower)) <= level
    low, high = limits(x, n, 0.90 if greater else 0.95)
    up, down = {
        "test": (upper <= level, 0) if greater else (small & above, small & below),
        "limits": (low > null, 0 if greater else high < null),
        "above": (upper <= level, 0),
        "above_by_limit": (clopper_low(x, n, 0.05 if greater else 0.025) > null, 0),
        "rule": ((upper <= level) & (x / n >= 0.6 - 1e-12), 0),
        "careless": (2 * x != n, 0) if greater else ((2 * x != n) & above, (2 * x != n) & below),
    }[method]
    return up, np.broadcast_to(np.asarray(down, bool), n + 1)


def by_hand(n: int, p: float, null: float, method: str, alternative: str) -> dict[str, float]:
    up, down = decisions(n, null, method, alternative)
    x = np.arange(n + 1)
    law = stats.binom.pmf(x, n, p)
    p_up, p_down = float(law[up].sum()), float(law[down].sum())
    found = {"power": p_up + p_down, "power_right": math.nan, "power_wrong": math.nan, "type_m": math.nan}
    side = 0 if abs(p - null) <= 1e-12 else math.copysign(1, p - null)
    if side or method == "rule":
        found["power_right"], found["power_wrong"] = (p_up, p_down) if side > 0 else (p_down, p_up)
    if method in ("test", "limits", "careless", "rule") and side and found["power"] > 0:
        size = float((law * np.abs(x / n - null))[up | down].sum()) / found["power"]
        found["type_m"] = size / abs(p - null)
    return found


@st.composite
def questions(draw):
    coin = draw(st.sampled_from(COINS))
    bar = draw(st.sampled_from([0.3, 0.5, 0.7])) if coin in (Held, Own) else 0.5
    alternative = draw(st.sampled_from(["two-sided", "greater"]))
    method = draw(st.sampled_from(METHODS))
    return coin, bar, alternative, method


def effect_of(coin: type[Coin], p: float) -> dict[str, float]:
    return {"strength": math.log(p / (1 - p))} if coin is Strength else {"p": p}


def held(coin: type[Coin], bar: float) -> dict[str, float]:
    return {"bar": bar} if coin in (Held, Own) else {}


def agree(found: float, expected: float) -> bool:
    return (math.isnan(found) and math.isnan(expected)) or abs(found - expected) <= ROUNDING * max(1.0, abs(expected))


@FEW
@given(questions(), st.integers(2, 60), st.sampled_from([0.05, 0.2, 0.3, 0.45, 0.5, 0.6, 0.75, 0.9]))
def test_power_and_what_stands_behind_it(question, n, p):
    coin, bar, alternative, method = question
    p = min(p, 0.5) if coin is Below else p
    asked = {**effect_of(coin, p), **held(coin, bar)}
    found = simstudy.power_curve(coin.name, n=n, method=method, alternative=alternative, engine="exact", **asked)
    expected = by_hand(n, p, null_of(coin, bar), method, alternative)
    for name, value in expected.items():
        if name in found:
            assert agree(found[name].item(), value), (name, found[name].item(), value)
    assert ("type_m" in found) == (method not in ("above", "above_by_limit"))


@FEW
@given(questions(), st.integers(20, 80))
def test_the_smallest_effect_is_searched_from_the_null_of_the_effect(question, n):
    coin, bar, alternative, method = question
    null = null_of(coin, bar)
    found = simstudy.mde(coin.name, n=n, method=method, alternative=alternative, engine="exact", **held(coin, bar))
    answer, start = found["answer"].item(), found["searched_from"].item()
    effect_null = 0.0 if coin is Strength else null
    assert start == pytest.approx(effect_null, abs=1e-6)

    def power(p):
        return by_hand(n, p, null, method, alternative)["power"]

    if found["status"].item() == "found":
        p = 1 / (1 + math.exp(-answer)) if coin is Strength else answer
        assert power(p) == pytest.approx(0.8, abs=1e-5)
        grid = np.linspace(null, p, 50)[1:-1]
        assert all(power(q) <= 0.8 + 1e-6 for q in grid)
    elif coin is Below:
        assert found["reason"].item() == "no effect on this side can exist"
    elif found["reason"].item() == "the least effect reaches the target":
        assert power(null + 1e-9) >= 0.8 - 1e-6
    else:
        top = 1 / (1 + math.exp(-5)) if coin is Strength else 1.0 - 1e-9
        assert power(top) < 0.8 + 1e-6


@FEW
@given(questions(), st.sampled_from([0.15, 0.35, 0.65, 0.85]))
def test_the_size_is_the_one_from_which_power_stays(question, p):
    coin, bar, alternative, method = question
    p = min(p, 0.35) if coin is Below else p
    null = null_of(coin, bar)
    asked = {**effect_of(coin, p), **held(coin, bar)}
    question = dict(method=method, alternative=alternative, engine="exact", largest=2000, **asked)
    if p < null and alternative == "greater" and method in ("test", "limits", "careless"):
        with pytest.raises(RequestError, match="looks for"):
            simstudy.size(coin.name, **question)
        return
    found = simstudy.size(coin.name, **question)
    sees_down = method in ("test", "limits", "careless") and alternative == "two-sided"
    if p < null and not sees_down:
        assert found["reason"].item() == "the effect lies on the side that the method does not decide for"
        return
    if found["status"].item() != "found":
        # the rule asks for .6 heads: a weaker coin is not taken at any size
        assert method in ("rule", "careless") or found["searched_to"].item() < 3
        return
    n = int(found["answer"].item())
    powers = [by_hand(size, p, null, method, alternative)["power"] for size in range(max(1, n - 1), n + 20)]
    assert all(power >= 0.8 - 1e-9 for power in powers[1:] if n > 1)
    assert n == 1 or powers[0] < 0.8


@pytest.mark.parametrize("coin", COINS)
def test_the_smallest_effect_read_off_a_grid_starts_at_the_null_too(coin):
    grid = [0.1, 0.2, 0.3, 0.4, 0.5] if coin is Below else [0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9]
    effects = [next(iter(effect_of(coin, p).values())) for p in grid]
    name = "strength" if coin is Strength else "p"
    curve = simstudy.power_curve(
        coin.name, n=60, method=["test", "rule"], engine="exact", **{name: effects}, **held(coin, 0.5)
    )
    for sign in ("positive", "negative"):
        answer = simstudy.mde_from(curve, sign=sign).sel({"method": "test"})["answer"].item()
        if coin is Below and sign == "positive":
            assert math.isnan(answer)
            continue
        p = 1 / (1 + math.exp(-answer)) if coin is Strength else answer
        exact = optimize.brentq(
            lambda q: by_hand(60, q, 0.5, "test", "two-sided")["power"] - 0.8,
            *((0.5, 0.99) if sign == "positive" else (0.01, 0.5)),
        )
        assert p == pytest.approx(exact, abs=0.02)


ASKED = {
    Half: ["--p", "0.3,0.5,0.7"],
    Held: ["--p", "0.6,0.8", "--bar", "0.5,0.7"],
    Own: ["--p", "0.6,0.8", "--bar", "0.7"],
    Strength: ["--strength", "-0.5,0,0.8"],
    Below: ["--p", "0.2,0.4"],
}


def run(capsys, *words):
    """Run a command; whatever it is asked, it answers or refuses in one line."""
    code = main(list(words))
    printed = capsys.readouterr()
    assert code in (0, 2, 3), words
    assert "Traceback" not in printed.err
    if code:
        assert printed.err.startswith("simstudy: "), words
        assert len(printed.err.strip().splitlines()) == 1, printed.err
    return code, printed.out


# all methods side by side where the null is a parameter, or on another scale, and a rule alone; the rest is slow
COMMANDS = [
    pytest.param(coin, method, marks=[] if fast else pytest.mark.slow)
    for coin in COINS
    for method in (*METHODS, ",".join(METHODS))
    for fast in [(coin in (Held, Strength) and "," in method) or (coin is Below and method == "rule")]
]


@pytest.mark.parametrize(("coin", "method"), COMMANDS)
def test_every_command_answers(coin, method, tmp_path, capsys):
    saved, picture = str(tmp_path / "r.nc"), tmp_path / "r.svg"
    ask = [coin.name, *ASKED[coin], "--method", method]
    code, shown = run(capsys, "power", *ask, "--n", "20,60", "--out", saved)
    assert code == 0
    assert run(capsys, "show", saved) == (0, shown)
    code, out = run(capsys, "show", saved, "--format", "json")
    records = json.loads(out)
    chosen = method.split(",")
    assert len(records) == 2 * len(chosen) * math.prod(len(v.split(",")) for v in ASKED[coin][1::2])
    for record in records:
        p = 1 / (1 + math.exp(-record["strength"])) if coin is Strength else record["p"]
        expected = by_hand(record["n"], p, null_of(coin, record.get("bar", 0.5)), record["method"], "two-sided")
        for name, value in expected.items():
            if name in record:
                assert agree(math.nan if record[name] is None else record[name], value), (name, record)
    assert run(capsys, "power", *ask, "--n", "60", "--plot", str(picture))[0] == 0
    assert picture.stat().st_size > 1000
    effect = ["--bar", "0.5,0.7"] if coin in (Held, Own) else []
    run(capsys, "mde", coin.name, *effect, "--method", method, "--n", "40,80")
    run(capsys, "mde", coin.name, *effect, "--method", method, "--n", "40", "--sign", "both")
    run(capsys, "mde", coin.name, *effect, "--method", method, "--n", "40", "--alternative", "less")
    run(capsys, "size", *ask, "--largest", "150", "--curve")
    run(capsys, "size", *ask, "--largest", "150", "--target", "power=0.8,power_wrong=0.02")
    run(capsys, "power", *ask, "--n", "30", "--engine", "full", "--replications", "50")
    one = [word.split(",")[0] for word in ASKED[coin]]
    code, cases = run(capsys, "replay", coin.name, *one, "--n", "5", "--replication", "1")
    assert code == 0
    assert len(cases.splitlines()) == 6
    assert run(capsys, "list", coin.name)[0] == 0
