"""Every error has its place in the tree, its exit code and its words."""

import inspect

import pytest

from simstudy import errors


def public_errors():
    return [e for e in vars(errors).values() if inspect.isclass(e) and issubclass(e, Exception)]


@pytest.mark.parametrize("error", public_errors())
def test_every_error_is_in_the_drawn_tree_with_its_exit_code(error):
    assert issubclass(error, errors.SimstudyError)
    assert error.__name__ in errors.__doc__
    assert isinstance(error.exit_code, int)
    if issubclass(error, errors.RequestError):
        assert error.exit_code == 2
        assert issubclass(error, ValueError)


@pytest.mark.parametrize(
    ("given", "expected"),
    [("n_case", "n_cases"), ("n-cases", "n_cases"), ("N_CASES", "n_cases"), ("acuracy_a", "accuracy_a"), ("zzz", None)],
)
def test_the_nearest_name(given, expected):
    assert errors.nearest(given, ["n_cases", "accuracy_a", "difference"]) == expected


def test_an_unknown_name_lists_what_exists():
    message = str(errors.UnknownNameError("method", "tanga", ["tango", "newcombe"]))
    assert message == "There is no method 'tanga'. Did you mean tango? Allowed: tango, newcombe."
    assert str(errors.UnknownNameError("filter", "strict", [])) == "There is no filter 'strict'. There is none at all."
