"""Options and their refusals."""

import numpy as np
import pytest

from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.options import default_threads, make_options


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
