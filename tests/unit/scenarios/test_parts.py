"""Parameters word what they refuse, and groups choose."""

import math

import numpy as np
import pytest

from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios.declaration import Group, Parameter


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        ("3", "integer", "whole number from 1 to 9"),
        (3.5, "integer", "whole number from 1 to 9"),
        (10, "integer", "whole number from 1 to 9"),
        (math.inf, "integer", "whole number"),
        (True, "real", r"a number in \[1, 9\)"),
        (9, "real", r"a number in \[1, 9\)"),
        (None, "real", r"a number in \[1, 9\)"),
        (np.array([1, 2]), "real", r"a number in \[1, 9\)"),
    ],
)
def test_values_outside_a_parameter_are_worded(value, kind, words):
    with pytest.raises(ParameterError, match=words):
        Parameter("x", "", "", kind, 1, 9, open_high=kind == "real").validate(value)


def test_groups_choose():
    group = Group((("a", "b"), ("c",)))
    assert group.chosen([]) == ("a", "b")
    assert group.chosen(["c", "d"]) == ("c",)
    with pytest.raises(RefusedError, match="b and c cannot be given together: say either a and b or c"):
        group.chosen(["b", "c"])
