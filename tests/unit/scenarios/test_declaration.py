"""Scenarios, small ones and whole ones, and what they say of themselves."""

import pytest

import simstudy
from simstudy.errors import RefusedError, UnknownNameError
from simstudy.scenarios import get_scenario
from tests.small.coin import Coin


def test_a_scenario_without_law_or_kernel_has_no_engine():
    with pytest.raises(RefusedError, match="no law of counts"):
        Coin().law({"n": 3, "p": 0.5})
    with pytest.raises(RefusedError, match="no full engine"):
        Coin().kernel_arguments({}, (), "two-sided")
    with pytest.raises(RefusedError, match="no single units"):
        simstudy.replay(Coin(), replication=0, n=3, p=0.5)
    assert Coin().effect_range({}) == (0, 1)


def test_the_null_of_the_effect_is_on_its_own_scale():
    """A coin is fair at one half, not at 0."""
    assert Coin().effect_null({"p": 0.7}) == 0.5
    assert Coin().size.name == "n"
    assert Coin().effect.name == "p"


def test_a_name_that_is_none_of_the_parameters():
    with pytest.raises(UnknownNameError, match="Did you mean n_cases"):
        get_scenario("paired").parameter("n_case")
