"""From tokens to what they say."""

import pytest

from simstudy.commands.parsing import Page, folded_command, in_options, parameter_options, parse, required
from simstudy.errors import ParameterError, RequestError
from simstudy.options import OUTPUT, Option
from simstudy.scenarios import get_scenario

PAGE = Page(
    "simstudy try [OPTIONS]",
    "Try options.",
    (
        Option("file", "a file", "argument", ()),
        Option("out", "where it goes", "text", (), heading=OUTPUT),
        Option("n_cases", "cases", "numbers", ()),
        Option("seed", "seed", "integer", (), low=0, high=9),
        Option("share", "share", "number", ()),
        Option("quiet", "say less", "flag", ()),
        Option("ids", "split ids", "switch", (), default=True),
        Option("set", "settings", "texts", ()),
        Option("hidden", "not shown", "text", (), hidden=True),
    ),
    ("simstudy try x.csv",),
)


def test_what_was_not_typed_is_none():
    names = ("file", "out", "n_cases", "seed", "share", "ids", "set", "hidden")
    assert parse(PAGE, []) == {**{name: None for name in names}, "quiet": False}


@pytest.mark.parametrize(
    ("tokens", "found"),
    [
        (["x.csv"], {"file": "x.csv"}),
        (["--n-cases", "-0.1,0,0.1"], {"n_cases": "-0.1,0,0.1"}),
        (["--n-cases=36,100"], {"n_cases": "36,100"}),
        (["--seed", "1e0"], {"seed": 1}),
        (["--share", "0.25"], {"share": 0.25}),
        (["--no-ids", "--quiet"], {"ids": False, "quiet": True}),
        (["--set", "a=1", "b=2", "--set", "c=3"], {"set": ["a=1", "b=2", "c=3"]}),
        (["--hidden", "x"], {"hidden": "x"}),
    ],
)
def test_what_was_typed(tokens, found):
    given = parse(PAGE, tokens)
    assert {name: value for name, value in given.items() if value not in (None, False) or name in found} == found


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["--seeed", "1"], "Did you mean --seed"),
        (
            ["--hiden", "1"],
            "Allowed: --file, --out, --n-cases, --seed, --share, --quiet, --ids, --set, --help, --no-ids",
        ),
        (["--n-cases", "1", "--n-cases", "2"], "give several values as a list"),
        (["--seed", "1", "--seed", "2"], "once is enough"),
        (["--seed", "1.5"], "--seed is '1.5'; it must be a whole number."),
        (["--share", "x"], "--share is 'x'; it must be a number."),
        (["--out"], "--out has no value. Where it goes."),
        (["--out", "--quiet"], "--out has no value: '--quiet' follows."),
        (["--set"], "--set has no value."),
        (["--quiet=3"], "--quiet is '3'; it must be left without a value."),
        (["--", "x"], "'--' stands for nothing here"),
        (["x.csv", "y.csv"], "'y.csv' belongs to no option."),
    ],
)
def test_wrong_words_are_worded(tokens, message):
    with pytest.raises(RequestError) as error:
        parse(PAGE, tokens)
    assert message in str(error.value)


def test_help_is_printed_instead(capsys):
    assert parse(PAGE, ["--help"]) is None
    page = capsys.readouterr().out
    assert page.startswith("Usage: simstudy try [OPTIONS]")
    assert page.index("--seed") < page.index(OUTPUT)
    assert "--hidden" not in page
    assert "Examples:\n  simstudy try x.csv" in page


def test_all_missing_options_are_named():
    given = {"out": None, "seed": None, "share": 1.0}
    with pytest.raises(RequestError, match=r"This needs --out and --seed\. --out: Where it goes; --seed: "):
        required(given, PAGE, "out", "seed", "share")
    required({**given, "out": "x", "seed": 1}, PAGE, "out", "seed", "share")


def test_parameters_are_options():
    scenario = get_scenario("paired")
    options = parameter_options(scenario, "difference")
    assert [option.name for option in options] == list(scenario.by_name)
    assert [option.name for option in options if option.hidden] == ["difference"]
    (sd,) = (option for option in options if option.name == "difficulty_sd")
    assert sd.help.endswith(": logits in [0, 10] (default 1.5).")


@pytest.mark.parametrize(
    ("sentence", "typed"),
    [
        ("n_cases is 0; seed must be less.", "--n-cases is 0; --seed must be less."),
        ("At n_cases 3 with share .5 the seed stays.", "At --n-cases 3 with --share .5 the seed stays."),
        ("seed: 'x' is no number", "--seed: 'x' is no number"),
        ("Write --set n_cases=3, or 'n_cases'.", "Write --set n_cases=3, or 'n_cases'."),
    ],
)
def test_refusals_name_options(sentence, typed):
    with pytest.raises(ParameterError) as error, in_options(PAGE):
        raise ParameterError(sentence)
    assert str(error.value) == typed


PAIRED = Page("simstudy try", "", parameter_options(get_scenario("paired")))


@pytest.mark.parametrize(
    ("sentence", "typed"),
    [
        (
            "discordance and correlation cannot be given together: say either difficulty_sd or discordance or "
            "correlation.",
            "--discordance and --correlation cannot be given together: say either --difficulty-sd or --discordance or "
            "--correlation.",
        ),
        (
            "paired needs margin, discordance and n_cases: margin, a number (or say correlation).",
            "paired needs --margin, --discordance and --n-cases: margin, a number (or say --correlation).",
        ),
        ("difference: the range '.1:.2:0' has step 0.", "--difference: the range '.1:.2:0' has step 0."),
        ("The difference: none, and a margin or correlation.", "The difference: none, and a margin or correlation."),
        ("It needs a difference: say which.", "It needs a difference: say which."),
    ],
)
def test_names_are_options_in_lists_of_alternatives_and_at_the_start(sentence, typed):
    with pytest.raises(ParameterError) as error, in_options(PAIRED):
        raise ParameterError(sentence)
    assert str(error.value) == typed


def test_percentages_are_read_where_a_proportion_belongs():
    page = Page("simstudy try", "", (Option("loss", "lost", "number", (), unit="proportion"),))
    assert parse(page, ["--loss", "12.3%"]) == {"loss": 0.123}
    with pytest.raises(RequestError, match="--loss is 'x%'; it must be a number"):
        parse(page, ["--loss", "x%"])


@pytest.mark.parametrize("width", [40, 60, 80])
def test_long_commands_break_before_options(width):
    command = "simstudy power paired --accuracy-a 0.7 --difference 0:0.2:0.05 --n-cases 36,100,400"
    lines = folded_command(command, width).split(" \\\n")
    assert len(lines) > 1
    assert all(len(line.strip()) <= width for line in lines)
    assert all(line.strip().startswith("--") for line in lines[1:])
    assert " ".join(line.strip() for line in lines) == command
