"""Figures as text."""

from __future__ import annotations

import math

import pytest

from simstudy.pages import numbers


@pytest.mark.parametrize(
    ("value", "rate", "text"),
    [
        (0.31052, True, ".3105"),
        (0.0, True, ".0000"),
        (1.0, True, "1.0000"),
        (1e-9, True, "<.0001"),
        (1 - 1e-9, True, ">.9999"),
        (-0.0375, True, "-.0375"),
        (-1e-9, True, ".0000"),
        (1.11584, False, "1.1158"),
        (0.152, False, ".1520"),
        (math.nan, True, "–"),
    ],
)
def test_exact_figures(value: float, rate: bool, text: str) -> None:
    assert numbers.exact(value, rate) == text


def test_counts_have_no_decimals() -> None:
    assert numbers.exact(7200.0, rate=False, whole=True) == "7200"


@pytest.mark.parametrize(
    ("value", "mcse", "text"),
    [
        (0.3123, 0.0046, ".312 ±.005"),
        (0.9982, 0.0004, ".9982 ±.0004"),
        # an error that three decimals show exactly
        (0.5, 0.001, ".500 ±.001"),
        (0.5, 0.00001, ".5000 ±<.0001"),
        (0.3123, math.nan, "~.312"),
        (math.nan, math.nan, "–"),
    ],
)
def test_simulated_figures_carry_their_error(value: float, mcse: float, text: str) -> None:
    assert numbers.simulated(value, mcse, rate=True, trials=10_000) == text


@pytest.mark.parametrize(("value", "text"), [(0.0, ".000 ≤.004"), (1.0, "1.000 ≥.996")])
def test_a_rate_at_its_edge_carries_its_wilson_limit(value: float, text: str) -> None:
    # z²/(R + z²) at R = 1000: 3.8415/1003.8415 = .003827
    assert numbers.simulated(value, 0.0, rate=True, trials=1000) == text


def test_the_limit_of_few_trials() -> None:
    # z²/(R + z²) at R = 10: 3.8415/13.8415 = .27753
    assert numbers.simulated(0.0, 0.0, rate=True, trials=10) == ".000 ≤.278"


def test_an_edge_without_trials_has_no_limit() -> None:
    assert numbers.simulated(0.0, 0.0, rate=True, trials=0) == ".0000 ±.0000"


def test_parameters_line_up() -> None:
    assert numbers.parameters([0.05, 0.1, 0.15000000000000002]) == ["0.05", "0.10", "0.15"]
    assert numbers.parameters([36, 1251]) == ["36", "1251"]
    assert numbers.parameters(["one_order", "averaged"]) == ["one_order", "averaged"]
    assert numbers.parameters([1e-9, 0.5]) == ["1e-09", "0.5"]


def test_a_parameter_is_written_as_it_was_typed() -> None:
    assert numbers.pair("difficulty_sd", 1.5) == "difficulty_sd = 1.5"
    assert numbers.parameter(True) == "True"
