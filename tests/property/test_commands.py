"""Every command on every kind of null and of decision, with figures from sums over binomial laws.

A question is drawn: a coin with a null of ½, in a parameter, on another scale than the effect, above all effects, or
the decision's own; a two-sided test, an interval, a claim by a p-value or by an interval, a rule of two parts, or a
mistake; what is looked for, and values. Every command is asked it, each with the exit code that it has to give.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import simstudy
from simstudy.__main__ import main
from simstudy.errors import RequestError
from simstudy.pages.chart import chart_of
from simstudy.scenarios.proportion.kernel import DRAW
from tests.oracle.proportion_slow import own_answers
from tests.small.nulls import COINS, Below, Coin, Half, Held, Own, Strength

ROUNDING = 1e-9
# a p-value within this share of its level is at it
AT_LEVEL = 1e-12
SEEN_BOTH_WAYS = ("test", "limits", "careless")
METHODS = ("test", "limits", "above", "above_by_limit", "rule", "careless")


@pytest.fixture(scope="module", autouse=True)
def registered():
    """Nothing of it outlives the module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simstudy.scenarios._registered", {})
        for coin in COINS:
            simstudy.register(coin)
        yield


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
    level, greater, less = 0.05 * (1 + AT_LEVEL), alternative == "greater", alternative == "less"
    above, below = x / n > null, x / n <= null
    small = np.minimum(1.0, 2 * np.minimum(upper, lower)) <= level
    low, high = limits(x, n, 0.90 if greater or less else 0.95)
    uneven = 2 * x != n
    up, down = {
        "test": (small & above, small & below),
        "limits": (low > null, high < null),
        "above": (upper <= level, 0),
        "above_by_limit": (clopper_low(x, n, 0.05 if greater else 0.025) > null, 0),
        "rule": ((upper <= level) & (x / n >= 0.6 - 1e-12), 0),
        "careless": (uneven & above, uneven & below),
    }[method]
    one_sided = {
        "test": (upper <= level, lower <= level),
        "limits": (low > null, high < null),
        "careless": (uneven, uneven),
    }
    if method in one_sided and alternative != "two-sided":
        up, down = (one_sided[method][0], 0) if greater else (np.zeros_like(uneven), one_sided[method][1])
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


P = (0.05, 0.2, 0.3, 0.45, 0.5, 0.6, 0.75, 0.9)


@dataclass(frozen=True)
class Question:
    """What every command is asked; ``heads`` are the probabilities of heads of the power curve, in order."""

    coin: type[Coin]
    bar: float
    method: str
    alternative: str
    n: int
    heads: tuple[float, ...]
    seed: int

    @property
    def null(self) -> float:
        return self.bar if self.coin in (Held, Own) else 0.5

    @property
    def effect(self) -> str:
        return "strength" if self.coin is Strength else "p"

    @property
    def refused(self) -> str:
        """Why everything that decides is refused; empty where nothing is."""
        return "" if self.method in SEEN_BOTH_WAYS or self.alternative != "less" else "claims"

    def effects(self, heads) -> str:
        return ",".join(repr(math.log(p / (1 - p)) if self.coin is Strength else p) for p in heads)

    def words(self, *, heads=(), n: int | None = None) -> list[str]:
        """Return scenario, values and options as they are typed."""
        words = [self.coin.name, *(["--bar", repr(self.bar)] if self.coin in (Held, Own) else [])]
        words += ["--n", str(n)] if n else []
        words += [f"--{self.effect}={self.effects(heads)}"] if heads else []
        return [*words, "--method", self.method, "--alternative", self.alternative]

    def share(self, effect: float) -> float:
        return 1 / (1 + math.exp(-effect)) if self.coin is Strength else effect

    def at(self, p: float, n: int | None = None) -> dict[str, float]:
        return by_hand(n or self.n, p, self.null, self.method, self.alternative)

    def power(self, p: float) -> float:
        return self.at(p)["power"]


@st.composite
def questions(draw):
    coin = draw(st.sampled_from(COINS))
    bar = draw(st.sampled_from([0.3, 0.5, 0.7])) if coin in (Held, Own) else 0.5
    allowed = [p for p in P if coin is not Below or p <= 0.5]
    heads = draw(st.lists(st.sampled_from(allowed), min_size=2, max_size=5, unique=True))
    alternatives = st.sampled_from(["two-sided", "two-sided", "greater", "greater", "less"])
    method, alternative = draw(st.sampled_from(METHODS)), draw(alternatives)
    return Question(
        coin, bar, method, alternative, draw(st.integers(2, 80)), tuple(sorted(heads)), draw(st.integers(0, 99))
    )


def agree(found: float | None, expected: float) -> bool:
    found = math.nan if found is None else found
    return (math.isnan(found) and math.isnan(expected)) or abs(found - expected) <= ROUNDING * max(1.0, abs(expected))


def run(*words: str, code: int = 0, because: str = "") -> str:
    """Run a command in this process, hold it to its exit code and, where it refuses, to one sentence with a reason."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        found = main([*words, *(["--quiet"] if words[0] != "list" else [])])
    assert found == code, (words, found, err.getvalue())
    if code:
        assert out.getvalue() == ""
        assert err.getvalue().startswith("simstudy: ")
        assert err.getvalue().count("\n") == 1
        assert because in err.getvalue(), (words, err.getvalue())
    return out.getvalue()


def every_command(q: Question, folder: Path) -> None:
    saved, picture = str(folder / "r.nc"), folder / "r.svg"
    ask = q.words(heads=q.heads, n=q.n)
    if q.refused:
        run("power", *ask, code=2, because=q.refused)
        run("mde", *q.words(n=q.n), code=2, because=q.refused)
        run("size", *q.words(heads=q.heads[:1]), code=2, because=q.refused)
        return
    shown = run("power", *ask, "--engine", "exact", "--out", saved)
    assert run("show", saved) == shown
    _power(q, json.loads(run("show", saved, "--format", "json", "--plot", str(picture))))
    assert "<svg" in picture.read_text()[:1000]
    curve = simstudy.load(saved)
    _drawn(q, curve)
    _read_off(q, curve)
    _smallest_effect(q)
    _size(q)
    _replay(q, folder)


def _power(q: Question, records) -> None:
    assert len(records) == len(q.heads)
    for record, p in zip(records, q.heads, strict=True):
        assert record[q.effect] == pytest.approx(math.log(p / (1 - p)) if q.coin is Strength else p, abs=1e-12)
        for name, value in q.at(p).items():
            if name in record:
                assert agree(record[name], value), (q, name, record[name], value)
        assert ("type_m" in record) == (q.method not in ("above", "above_by_limit"))


def _drawn(q: Question, curve: xr.Dataset) -> None:
    (panel,) = chart_of(curve).panels
    (line,) = panel.lines
    assert [q.share(x) for x in line.x] == pytest.approx(q.heads, abs=1e-12)
    assert list(line.y) == pytest.approx([q.power(p) for p in q.heads], abs=ROUNDING)


def _read_off(q: Question, curve: xr.Dataset) -> None:
    """By interpolation of probit(power) between the neighbours of the first effect that reaches the target."""
    for side, sign in ((1, "positive"), (-1, "negative")):
        grid = sorted((p for p in q.heads if side * (p - q.null) >= -1e-12), key=lambda p: side * p)
        if not grid:
            with pytest.raises(RequestError, match="the grid has no"):
                simstudy.mde_from(curve, sign=sign)
            continue
        found = simstudy.mde_from(curve, sign=sign)["answer"].item()
        powers = [q.power(p) for p in grid]
        reached = next((i for i, power in enumerate(powers) if power >= 0.8), 0)
        if not reached:
            assert math.isnan(found), (q, sign, found)
            continue
        x = [math.log(p / (1 - p)) if q.coin is Strength else p for p in grid[reached - 1 : reached + 1]]
        z = stats.norm.ppf(np.clip([*powers[reached - 1 : reached + 1], 0.8], 1e-12, 1 - 1e-12))
        expected = x[0] + (z[2] - z[0]) / (z[1] - z[0]) * (x[1] - x[0])
        # powers are summed with an error of up to 1e-15, and the probit is steep near 0 and 1
        near = ROUNDING + 1e-15 / stats.norm.pdf(max(abs(z)))
        assert found == pytest.approx(expected, abs=near), (q, sign, found)


def _smallest_effect(q: Question) -> None:
    (found,) = json.loads(run("mde", *q.words(n=q.n), "--engine", "exact", "--format", "json"))
    side = -1 if q.alternative == "less" else 1
    assert q.share(found["searched_from"]) == pytest.approx(q.null, abs=1e-6)
    if found["status"] == "found":
        p = q.share(found["mde"])
        assert side * (p - q.null) > 0
        assert q.power(p) == pytest.approx(0.8, abs=1e-5)
        assert all(q.power(r) <= 0.8 + 1e-6 for r in np.linspace(q.null, p, 50)[1:-1])
    elif q.coin is Below and side > 0:
        assert found["reason"] == "no effect on this side can exist"
    elif found["reason"] == "the least effect reaches the target":
        assert q.power(q.null + side * 1e-9) >= 0.8 - 1e-6
    else:
        end = 5 if side > 0 else -5
        top = (
            q.share(end)
            if q.coin is Strength
            else (0.5 if q.coin is Below and side > 0 else (1 + side) / 2 - side * 1e-9)
        )
        assert found["reason"] == "no effect reaches the target"
        assert q.power(top) < 0.8 + 1e-6


def _size(q: Question) -> None:
    """The first size from which power stays, up to 400 tosses; refused where a one-sided test looks away."""
    p = q.heads[-1]
    ask = ["size", *q.words(heads=(p,)), "--engine", "exact", "--largest", "400", "--format", "json"]
    distance = round(p - q.null, 12)
    away = distance * {"greater": 1, "less": -1, "two-sided": 0}[q.alternative] < 0
    if away and q.method in SEEN_BOTH_WAYS:
        run(*ask, code=2, because="looks for")
        return
    (found,) = json.loads(run(*ask))
    if distance == 0 and q.method != "rule":
        assert found["reason"] == "the effect is the null"
    elif distance <= 0 and (q.method not in SEEN_BOTH_WAYS):
        assert found["reason"] == "the effect lies on the side that the method does not decide for"
    elif found["status"] == "found":
        n = int(found["n"])
        powers = {size: q.at(p, size)["power"] for size in range(max(1, n - 1), n + 20)}
        assert all(power >= 0.8 - 1e-9 for size, power in powers.items() if size >= n)
        assert n == 1 or powers[n - 1] < 0.8
    else:
        # some size at the end of those that were looked at misses it
        assert min(q.at(p, size)["power"] for size in range(300, 401)) < 0.8


def _replay(q: Question, folder: Path) -> None:
    """The tosses of a replication come from plain Philox words; what they decide is the power of that replication."""
    p = q.heads[0]
    one = [
        "--n",
        str(q.n),
        f"--{q.effect}={q.effects([p])}",
        *(["--bar", repr(q.bar)] if q.coin in (Held, Own) else []),
    ]
    for replication in (0, 7):
        asked = ["replay", q.coin.name, *one, "--seed", str(q.seed), "--replication", str(replication)]
        head, *tosses = run(*asked).split()
        assert head == "right"
        drawn = own_answers(q.seed, replication, q.n, p, DRAW)
        assert [toss == "1" for toss in tosses] == drawn
    heads = sum(own_answers(q.seed, 0, q.n, p, DRAW))
    up, down = decisions(q.n, q.null, q.method, q.alternative)
    full = [*q.words(heads=(p,), n=q.n), "--engine", "full", "--replications", "1", "--seed", str(q.seed)]
    (record,) = json.loads(run("power", *full, "--format", "json"))
    assert record["power"] == float(up[heads] or down[heads])


FIXED = [
    Question(Held, 0.7, "rule", "two-sided", 60, (0.5, 0.6, 0.75, 0.9), 3),
    Question(Strength, 0.5, "above", "two-sided", 50, (0.3, 0.5, 0.6, 0.75), 1),
    Question(Own, 0.3, "careless", "greater", 35, (0.2, 0.3, 0.45, 0.6), 4),
    Question(Half, 0.5, "rule", "less", 30, (0.5, 0.6), 0),
]
ALSO_FIXED = [
    Question(Held, 0.3, "limits", "two-sided", 30, (0.05, 0.2, 0.45, 0.75), 8),
    Question(Below, 0.5, "test", "two-sided", 40, (0.2, 0.3, 0.45, 0.5), 2),
    Question(Half, 0.5, "limits", "less", 30, (0.05, 0.2, 0.45, 0.6), 5),
    Question(Own, 0.7, "above_by_limit", "two-sided", 80, (0.6, 0.75, 0.9), 6),
]
CASES = [*FIXED, *(pytest.param(question, marks=pytest.mark.slow) for question in ALSO_FIXED)]


@pytest.mark.parametrize("question", CASES, ids=lambda q: f"{q.coin.name}-{q.method}-{q.alternative}")
def test_every_command_on_questions_of_each_kind(question, tmp_path):
    every_command(question, tmp_path)


@settings(max_examples=2, deadline=None)
@given(questions())
def test_every_command_on_drawn_questions(question):
    with tempfile.TemporaryDirectory() as folder:
        every_command(question, Path(folder))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(questions())
def test_every_command_on_many_drawn_questions(question):
    with tempfile.TemporaryDirectory() as folder:
        every_command(question, Path(folder))
