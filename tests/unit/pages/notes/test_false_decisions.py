"""Rules and mistakes that decide where there is no effect."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

import simstudy
from simstudy import scenarios
from tests.small.nulls import Half
from tests.unit.pages.notes.told import told


def adopts(n: int, beta: float) -> float:
    """P(adopt B) of one pass with B second, at strength 0: the rule written out on a binomial law."""
    p = integrate.quad(lambda x: stats.norm.pdf(x) / (1 + np.exp(beta - x)), -12, 12)[0]
    wins = np.arange(n + 1)
    takes = (stats.binom.sf(wins - 1, n, 0.5) <= 0.05) & (wins / n >= 0.55)
    return float(stats.binom.pmf(wins, n, p)[takes].sum())


def test_a_small_answer_of_a_rule_that_errs_is_told() -> None:
    words = told("false decisions", simstudy.mde("win_rate", n_pairs=[20, 40], beta=-0.5))
    assert words == (
        "With strength 0, where 'adopt B' is an error, it is more frequent than alpha, 0.05: "
        f"one_order {f'{adopts(40, -0.5):.4f}'[1:]} (n_pairs 40)."
    )


def test_a_size_is_looked_at_where_it_is() -> None:
    found = simstudy.size("win_rate", strength=0.8, beta=-0.5, method="one_order,averaged")
    n = int(found["answer"].sel({"method": "one_order"}))
    words = told("false decisions", found)
    assert words.endswith(f"one_order {f'{adopts(n, -0.5):.4f}'[1:]} (n_pairs {n}).")


def test_of_power_and_of_simulated_answers() -> None:
    asked = {"n_pairs": 40, "strength": 0.5, "beta": -0.5, "method": "one_order"}
    assert f"one_order {f'{adopts(40, -0.5):.4f}'[1:]}." in told(
        "false decisions", simstudy.power_curve("win_rate", **asked)
    )
    drawn = simstudy.power_curve("win_rate", engine="counts", replications=2000, **asked)
    said = float(told("false decisions", drawn).split("one_order ")[1].rstrip("."))
    # four standard errors: false alarms 6e-5
    assert abs(said - adopts(40, -0.5)) <= 4 * (0.33 * 0.67 / 2000) ** 0.5


def test_a_mistake_without_a_rule_rejects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(scenarios._registered, "coin_half", Half())
    words = told("false decisions", simstudy.mde("coin_half", n=31, method=["test", "careless", "rule"], target=0.999))
    # an odd number of tosses always has a majority
    assert words == "With p 0.5, where a rejection is an error, it is more frequent than alpha, 0.05: careless 1.0000."


@pytest.mark.parametrize(
    ("asked", "method"),
    [({"n_pairs": 40}, "one_order,consistent,averaged"), ({"n_pairs": list(range(20, 33)), "beta": -0.5}, "one_order")],
)
def test_no_word_where_errors_are_rare_or_points_many(asked, method) -> None:
    assert told("false decisions", simstudy.mde("win_rate", method=method, **asked)) == ""


def test_a_mistake_that_a_paragraph_speaks_of_is_told_once() -> None:
    found = simstudy.power_curve("win_rate", n_pairs=50, strength=0.5, method="averaged,averaged_passes")
    assert told("mistakes", found)
    assert "averaged_passes" not in told("false decisions", found)
