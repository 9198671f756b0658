"""Which parameters are in force, and which may be missing."""

import pytest

from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.in_force import in_force

PAIRED = get_scenario("paired")


def test_defaults_are_in_force_unless_another_alternative_is_said():
    said = ["n_cases", "accuracy_a", "difference"]
    assert in_force(PAIRED, said, "power") == (*said, "difficulty_sd")
    for other in ("discordance", "correlation"):
        assert in_force(PAIRED, [*said, other], "power") == (*said, other)


def test_what_is_spared_may_be_missing():
    said = ["n_cases", "difference", "discordance"]
    with pytest.raises(ParameterError, match=r"paired needs accuracy_a: .* \(or say logit_a and logit_b\)"):
        in_force(PAIRED, said, "power")
    assert in_force(PAIRED, said, "power", spared=("accuracy_a",)) == tuple(said)


def test_a_missing_parameter_names_every_other_way_to_say_it():
    with pytest.raises(RefusedError, match="say either difficulty_sd or discordance or correlation"):
        in_force(PAIRED, ["difficulty_sd", "correlation"], "power")


def test_what_is_solved_for_is_not_said():
    with pytest.raises(RefusedError, match="difference is what mde solves for"):
        in_force(PAIRED, ["difference"], "mde", "difference")
    with pytest.raises(RefusedError, match="takes the place of logit_a"):
        in_force(PAIRED, ["logit_a"], "mde", "difference")
