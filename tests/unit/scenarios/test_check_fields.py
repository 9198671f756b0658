"""Fields of the parts of a declaration hold what their types say; names exist."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pytest

from simstudy.errors import RequestError
from simstudy.scenarios.check_fields import check_fields, check_names, check_parts, check_texts
from simstudy.scenarios.parts import Call


@dataclass(frozen=True)
class Thing:
    """A part with a field of every kind."""

    name: str = "thing"
    whole: int = 1
    number: float = 0.5
    truth: bool = False
    texts: tuple[str, ...] = ()
    tuples: tuple[tuple[str, ...], ...] = ()
    choice: Literal["left", "right"] | None = None
    function: Callable[..., Any] | str = "a:b"
    call: Call | None = None
    table: Mapping[str, Any] = field(default_factory=dict, hash=False)
    default: Any = None


FITS = [
    {"whole": np.int64(3)},
    {"number": 3},
    {"number": np.float64(0.1)},
    {"number": float("nan")},
    {"texts": ("a", "b")},
    {"tuples": (("a",), ())},
    {"choice": "right"},
    {"function": len},
    {"call": Call(len, ("x",))},
    {"table": {"a": 1}},
    # validated by the kind of its parameter
    {"default": frozenset({"anything"})},
]


@pytest.mark.parametrize("fields", FITS, ids=lambda fields: "{}={!r}".format(*next(iter(fields.items()))))
def test_what_fits_is_accepted(fields):
    check_fields("part", Thing(**fields))


WRONG = [
    ({"name": 3}, "name is 3; it must be a text."),
    ({"whole": 0.5}, "whole is 0.5; it must be a whole number."),
    ({"whole": True}, "whole is True; it must be a whole number."),
    ({"number": "0.5"}, "number is '0.5'; it must be a number."),
    ({"number": False}, "number is False; it must be a number."),
    ({"truth": 1}, "truth is 1; it must be True or False."),
    ({"texts": "ab"}, "texts is 'ab'; it must be a tuple of names, as in ('x', 'n')."),
    ({"texts": ["a"]}, "texts is ['a']; it must be a tuple of names"),
    ({"texts": ("a", 1)}, "texts is ('a', 1); it must be a tuple of names"),
    ({"tuples": ("a", "b")}, "tuples is ('a', 'b'); it must be a tuple of tuples of names."),
    ({"choice": "lft"}, "choice is 'lft'; it must be left or right or None. Did you mean left?"),
    ({"choice": ["left"]}, "choice is ['left']; it must be left or right or None."),
    ({"function": 3}, "function is 3; it must be a function or a text."),
    ({"call": "a:b"}, "call is 'a:b'; it must be a Call or None."),
    ({"table": ("a",)}, "table is ('a',); it must be a dict."),
]


@pytest.mark.parametrize(("fields", "message"), WRONG)
def test_what_does_not_fit_is_said_with_what_would(fields, message):
    with pytest.raises(RequestError, match=re.escape(f"part: {message}")):
        check_fields("part", Thing(**fields))


def test_parts_are_a_tuple_or_a_list_of_one_kind():
    check_parts("Scenario x", "things", [Thing()], Thing)
    for wrong in (Thing(), "thing", (Thing(), "thing"), None):
        with pytest.raises(RequestError, match=re.escape("things must be a tuple of Thing, as in (Thing(...),).")):
            check_parts("Scenario x", "things", wrong, Thing)
    with pytest.raises(RequestError, match="Scenario x, thing 'bad': truth is 'no'"):
        check_parts("Scenario x", "things", (Thing(), Thing("bad", truth="no")), Thing)


def test_a_text_is_no_list_of_texts():
    check_texts("shows", ["a"])
    check_texts("shows", ())
    for wrong in ("coverage", ("a", 1), None):
        with pytest.raises(RequestError, match=re.escape(f"shows is {wrong!r}; it must be a tuple of names")):
            check_texts("shows", wrong)


def test_unknown_names_come_with_the_nearest_and_all_that_exist():
    check_names("here", ["a"], iter(["a", "b"]))
    with pytest.raises(
        RequestError, match=re.escape("here: there is no 'cuont'. Did you mean count? Allowed: x, count.")
    ):
        check_names("here", ["x", "cuont"], ["x", "count", "x"])
    with pytest.raises(RequestError, match=re.escape("here: there is no 'a'. Allowed: none.")):
        check_names("here", ["a"], [])
