"""The table of options: what follows from it, and what is refused."""

import dataclasses
import inspect

import numpy as np
import pytest

from simstudy import mde, power_curve, replay, size
from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.options import (
    ALONE,
    ANSWERING,
    BY_PARAMETERS,
    COMPARE,
    DOCTOR,
    FILE,
    FROM_PILOT,
    LIST,
    OF_A_STUDY,
    OPTIONS,
    OUTPUT,
    PILOT,
    SHOW,
    STUDY_FILE,
    Options,
    default_threads,
    keywords,
    make_options,
    options_of,
    reserved_names,
    the_option,
)


def test_defaults():
    options = make_options()
    assert (options.alpha, options.alpha_swept) == ((0.05,), False)
    assert (options.alternative, options.engine) == ("two-sided", "auto")
    assert (options.replications, options.mcse, options.seed) == (10_000, None, 1)
    assert options.threads == default_threads() >= 1


@pytest.mark.parametrize("alpha", [[0.01, 0.05], (0.01, 0.05), np.array([0.01, 0.05])])
def test_a_list_of_levels_is_a_dimension(alpha):
    options = make_options(alpha=alpha, comparisons=2)
    assert options.alpha_swept
    assert options.alpha == (0.01, 0.05)
    assert options.levels == (0.005, 0.025)
    assert options.ladder == (0.005, 0.025)
    assert options.describe()["alpha"] == [0.01, 0.05]


def test_the_ladder_is_ascending():
    assert make_options(alpha=[0.1, 0.01, 0.05]).ladder == (0.01, 0.05, 0.1)


def test_threads_are_not_part_of_what_bears_on_the_numbers():
    assert make_options(threads=1).describe() == make_options(threads=7).describe()


BAD = [
    ({"alpha": 0}, ParameterError, r"\(0, 1\)"),
    ({"alpha": 1.0}, ParameterError, r"\(0, 1\)"),
    ({"alpha": float("nan")}, ParameterError, r"\(0, 1\)"),
    ({"alpha": []}, ParameterError, "empty list"),
    ({"alpha": [0.05, 2]}, ParameterError, "alpha is 2"),
    ({"alpha": "0.05,two"}, ParameterError, "'two' is no number"),
    ({"alpha": None}, ParameterError, "alpha is None"),
    ({"alternative": "two_sided"}, UnknownNameError, "Did you mean two-sided"),
    ({"engine": "exakt"}, UnknownNameError, "Did you mean exact"),
    ({"replications": 0}, ParameterError, "whole number from 1"),
    ({"replications": 1.5}, ParameterError, "whole number"),
    ({"replications": float("inf")}, ParameterError, "whole number"),
    ({"replications": float("nan")}, ParameterError, "whole number"),
    ({"replications": 100, "mcse": 0.01}, RefusedError, "cannot be given together"),
    ({"mcse": 0}, ParameterError, "mcse is 0"),
    ({"mcse": 0.0001}, ParameterError, "at most 1,024,000 replications"),
    ({"common_random_numbers": "no"}, ParameterError, "must be true or false"),
    ({"mcse": 0.5}, ParameterError, "mcse is 0.5"),
    ({"mcse": "fine"}, ParameterError, "mcse is 'fine'"),
    ({"seed": -1}, ParameterError, "seed is -1"),
    ({"seed": 2**64}, ParameterError, "seed"),
    ({"seed": "x"}, ParameterError, "seed is 'x'"),
    ({"seed": True}, ParameterError, "seed is True"),
    ({"threads": 0}, ParameterError, "threads is 0"),
    ({"comparisons": 0}, ParameterError, "comparisons is 0"),
    ({"unusable": 1.0}, ParameterError, r"\[0, 1\)"),
    ({"unusable": -0.1}, ParameterError, r"\[0, 1\)"),
]


@pytest.mark.parametrize(("given", "error", "words"), BAD, ids=[str(bad[0]) for bad in BAD])
def test_wrong_options_are_worded(given, error, words):
    with pytest.raises(error, match=words):
        make_options(**given)


def test_the_largest_seed_is_allowed():
    assert make_options(seed=2**64 - 1).seed == 2**64 - 1


KEYS = [(option.name, page) for option in OPTIONS for page in option.takes]


def test_a_page_has_each_option_once():
    assert len(set(KEYS)) == len(KEYS)
    assert {page for _, page in KEYS} <= {
        *BY_PARAMETERS,
        ALONE,
        FROM_PILOT,
        STUDY_FILE,
        PILOT,
        SHOW,
        LIST,
        COMPARE,
        DOCTOR,
    }


def test_every_option_is_described():
    for option in OPTIONS:
        name, default = f"{option.name} of {option.takes[0]}", option.default
        assert option.words[0].islower() or option.words[0].isdigit() or option.words.startswith("McNemar"), name
        assert not option.words.endswith("."), name
        assert option.heading in (ANSWERING, FILE, OUTPUT), name
        assert default is None or option.kind in ("text", "list") or option.check(default) == default, name


@pytest.mark.parametrize("function", [power_curve, mde, size, replay], ids=lambda function: function.__name__)
def test_signatures_are_those_of_the_table(function):
    """Every keyword that a function names stands in the table, with its default; what it names not it takes as **."""
    page = {"power_curve": "power"}.get(function.__name__, function.__name__)
    known = {option.name: option for option in options_of(page) if option.kind != "argument"}
    named = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    for parameter in named:
        if parameter.name == "progress":
            continue
        expected = inspect.Parameter.empty if parameter.name == "replication" else known[parameter.name].default
        assert parameter.default == expected, parameter.name
    unnamed = {*keywords(page), "method"} - {parameter.name for parameter in named}
    assert unnamed <= {"method", *OF_A_STUDY}
    if function in (power_curve, replay):
        assert unnamed <= {"method"}


def test_the_values_are_those_of_the_table():
    assert [field.name for field in dataclasses.fields(Options) if field.name != "alpha_swept"] == list(OF_A_STUDY)
    assert set(OF_A_STUDY) <= {option.name for option in options_of("power") if not option.typed_only}


def test_names_that_parameters_may_not_have():
    assert {"seed", "target", "replication", "pilot", "set", "dry_run", "quiet"} <= reserved_names()
    # what says how a file is read gives way: a scenario may have runs and a threshold of its own
    assert not {"runs", "threshold", "difference", "level", "layout"} & reserved_names()


def test_help_says_what_is_allowed_and_the_default():
    assert the_option("unusable", "power").help.endswith(": a proportion in [0, 1) (default 0).")
    assert "auto, exact, counts or full (default auto)" in the_option("engine", "size").help
    assert "2^64" in the_option("seed", "power").help
    assert the_option("quiet", "show").help == "No progress bar and no notes."


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("seed", "1e4", 10_000),
        ("seed", str(2**64 - 1), 2**64 - 1),
        ("alpha", "0.01,0.05", [0.01, 0.05]),
        ("mcse", "0.01", 0.01),
        ("engine", '"full"', "full"),
        ("common_random_numbers", "false", False),
    ],
)
def test_options_are_read_by_their_kind(name, text, value):
    assert the_option(name, "power").read(text) == value


@pytest.mark.parametrize("text", ["1.5", "x", "", "1\n2", str(2.0**64)])
def test_whole_numbers_are_not_rounded(text):
    with pytest.raises(ParameterError, match="it must be a whole number"):
        the_option("seed", "power").read(text)


def test_an_option_that_does_not_exist_is_named():
    with pytest.raises(UnknownNameError, match="Did you mean seed"):
        make_options(sead=1)


def test_no_level_is_left_of_nothing():
    with pytest.raises(ParameterError, match="among 1000000 comparisons nothing is left of it"):
        make_options(alpha=1e-320, comparisons=10**6)
    assert make_options(alpha=1e-300, comparisons=10**6).levels == (1e-300 / 10**6,)
