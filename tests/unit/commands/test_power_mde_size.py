"""The pages of the three questions."""

import pytest

from simstudy.commands.parsing import Invocation, parse
from simstudy.commands.power_mde_size import (
    ALONE_METHODS,
    ALONE_PARAMETERS,
    alone_page,
    command,
    file_page,
    scenario_page,
)
from simstudy.options import keywords
from simstudy.scenarios import get_scenario, scenario_names
from simstudy.study.plan import make_study


@pytest.mark.parametrize("question", ["power", "mde", "size"])
@pytest.mark.parametrize("name", scenario_names())
def test_a_page_has_every_parameter_and_every_keyword(question, name):
    scenario = get_scenario(name)
    options = {option.name: option for option in scenario_page(question, scenario).options}
    assert {*scenario.by_name, "method", "target", *keywords(question)} <= set(options)
    solved = {"mde": scenario.effect, "size": scenario.size}.get(question)
    assert [n for n, option in options.items() if option.hidden] == ([solved.name] if solved else [])
    assert options["method"].unsaid == ", ".join(scenario.default_methods)


def test_targets_are_those_of_the_scenario():
    def help_of(question, name):
        page = scenario_page(question, get_scenario(name))
        return next(option.help for option in page.options if option.name == "target")

    assert "(default power_right=0.8)" in help_of("size", "judged")
    assert "(default" not in help_of("size", "proportion")
    assert "adopt, adopt_by_test" in help_of("mde", "win_rate")


def test_scenarios_that_are_taken_from_a_pilot():
    def has_pilot(question, name):
        return any(option.name == "pilot" for option in scenario_page(question, get_scenario(name)).options)

    assert has_pilot("size", "paired")
    assert has_pilot("mde", "clustered")
    assert not has_pilot("size", "judged")


def test_pages_without_a_scenario():
    assert parse(file_page("mde", "a.toml"), ["--set", "n_cases=3"])["set"] == ["n_cases=3"]
    assert {option.name for option in alone_page("").options} >= {"seed", "target", "out", "plot", "format"}


def test_the_default_study_can_be_asked():
    study = make_study("paired", ALONE_PARAMETERS, method=ALONE_METHODS)
    assert study.grid.shape == (4, 4, 3)
    assert study.misused == ("unpaired_z",)


def test_an_invocation_is_the_whole_command():
    asked = Invocation("power", ("paired",), "simstudy power paired", "Power.")
    assert asked.typed.split()[1] == asked.name


@pytest.mark.parametrize("more", [(), ("--dry-run",), ("--format", "json")])
@pytest.mark.parametrize(("sizes", "told"), [("1,250", True), ("36,100", False)])
def test_a_list_of_sizes_that_could_be_one_number_is_told(more, sizes, told, capsys):
    asked = ("paired", "--n-cases", sizes, "--accuracy-a", "0.6", "--difference", "0.1", "--method", "mcnemar_exact")
    assert command(Invocation("power", (*asked, *more), "simstudy power", "About.")) == 0
    printed = "".join(capsys.readouterr())
    assert ("n_cases is 1, 250: a comma parts values; 1250 is written without it." in printed) == told
