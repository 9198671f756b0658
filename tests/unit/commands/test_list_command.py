"""What is told of a scenario."""

import json

import pytest

from simstudy.commands.list_command import WIDTH, declared, described, ways_of
from simstudy.scenarios import get_scenario, scenario_names
from simstudy.scenarios.declaration import Rule


def flat(name):
    return " ".join(" ".join(described(get_scenario(name))).split())


@pytest.mark.parametrize("name", scenario_names())
def test_everything_that_is_declared_is_told(name):
    scenario, told = get_scenario(name), flat(name)
    assert max(map(len, described(scenario))) <= 2 * WIDTH
    for method in scenario.methods:
        if isinstance(method.decision, Rule):
            assert all(f"{part.words} ({part.name})" in told for part in method.decision.parts)
        assert all(f"pays {cost}, {scenario.units[cost][0]}" in told for cost in method.costs)
    for measure in scenario.measures:
        assert measure.words in told
        assert all(f"--target {aim}=VALUE" in told for aim in measure.targets)
    assert all(f"Say either {ways_of(group.alternatives)}." in told for group in scenario.groups)


def test_a_protocol_pays_its_own_calls():
    told = flat("win_rate")
    assert "pays judge_calls, readings by the judge: 8 at n_pairs 8" in told
    assert "pays judge_calls, readings by the judge: 16 at n_pairs 8" in told
    assert "win_rate mean win rate among decisive pairs, where there are any; unit: proportion; no target." in told


def test_a_declaration_as_plain_values():
    told = json.loads(json.dumps(declared(get_scenario("paired"))))
    assert [p["name"] for p in told["parameters"]] == list(get_scenario("paired").by_name)
    assert next(p for p in told["parameters"] if p["name"] == "difficulty_sd")["default"] == 1.5
    assert [m["name"] for m in told["methods"] if m["by_default"]] == ["mcnemar_exact", "mcnemar_midp", "tango"]
    assert [["accuracy_a", "difference"], ["logit_a", "logit_b"]] in told["alternatives"]
