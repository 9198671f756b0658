"""Arguments of the functions that users call: what has the wrong type is refused in a sentence, before any work."""

from __future__ import annotations

import functools
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import simstudy
from simstudy.options import BY_PARAMETERS, keywords
from simstudy.study.asked import study_of

PAIRED = {"n_cases": 20, "accuracy_a": 0.7, "difference": 0.1}
OF_A_STUDY = {"engine": "exact", "method": "mcnemar_exact"}


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in PAIRED.items() if key != name}


@functools.cache
def curve() -> xr.Dataset:
    return simstudy.power_curve("paired", **{**PAIRED, "difference": [0.0, 0.1, 0.2]}, **OF_A_STUDY)


ASKED: dict[str, dict[str, Any]] = {
    "power_curve": {"scenario": "paired", **PAIRED, **OF_A_STUDY},
    "mde": {"scenario": "paired", **without("difference"), **OF_A_STUDY},
    "size": {"scenario": "paired", **without("n_cases"), **OF_A_STUDY, "largest": 500},
    "replay": {"scenario": "paired", **PAIRED, "replication": 0},
    "mde_from": {},
}
NUMBERS = ("replications", "mcse", "seed", "comparisons", "unusable", "threads", "replication", "largest")
OPTIONS = (
    "scenario",
    "method",
    "engine",
    "alpha",
    "alternative",
    "common_random_numbers",
    "impossible",
    "progress",
    *NUMBERS[:6],
)
ARGUMENTS = {
    "power_curve": (*OPTIONS, *PAIRED),
    "mde": (*OPTIONS, *without("difference"), "target", "sign"),
    "size": (*OPTIONS, *without("n_cases"), "target", "curve", "largest"),
    "replay": ("scenario", "replication", "seed", "common_random_numbers", "unusable", *PAIRED),
    "mde_from": ("dataset", "target", "sign"),
}
MASKED = np.ma.array([0.1, 0.2], mask=[False, True])
# no argument of any function may be one of these
WRONG = {
    "bytes": b"36",
    "object": object(),
    "dict": {"a": 1},
    "set": {1},
    "nested": [["a"]],
    "a list of None": [None],
    "a list of truth values": [True, False],
    "masked": MASKED,
    "a masked number": np.ma.masked,
    "an array of arrays": np.array([[1.0]]),
    "an array of an object": np.array(object()),
    "an empty array": np.array([]),
    "complex": 1 + 2j,
    "nan": float("nan"),
    "infinite": float("inf"),
    "beyond floats": 10**400,
    "date": np.datetime64("2020"),
    "nothing typed": "",
    "unknown": "no such thing",
    "unseen": "\x00",
}
# and these are wrong for some
OF_KIND: dict[str, tuple[tuple[Any, ...], tuple[str, ...]]] = {
    "truth values as numbers": ((True, np.True_), (*NUMBERS, "alpha", "target", *PAIRED)),
    "numbers as truth values": ((1, 0.0, np.array(1.0)), ("common_random_numbers", "curve")),
    "fractions": ((1.5, np.float64(0.5)), ("replications", "seed", "comparisons", "threads", "replication", "n_cases")),
    "numbers as names": ((5, 1.5, None), ("engine", "alternative", "impossible", "scenario")),
    "lists": ((["power", 0.8], (0.8,)), ("target", "sign", *NUMBERS)),
    "numbers as functions": ((5, True), ("progress",)),
    "too many": ((10**30,), ("replications", "comparisons", "threads", "replication", "n_cases", "seed")),
    "none": ((None,), ("seed", "alpha", "comparisons", "unusable", "common_random_numbers", "replication")),
}


def call(function: str, argument: str, value: Any) -> Any:
    asked = {"dataset": curve()} if function == "mde_from" else ASKED[function]
    # an error that is aimed at is one of simulations
    engine = {"engine": "counts"} if argument in ("mcse", "replications") else {}
    return getattr(simstudy, function)(**{**asked, **engine, argument: value})


CASES = [(f, a, label, value) for f, names in ARGUMENTS.items() for a in names for label, value in WRONG.items()]
CASES += [
    (f, a, label, value)
    for label, (values, arguments) in OF_KIND.items()
    for f, names in ARGUMENTS.items()
    for a in names
    for value in values
    if a in arguments
]


@pytest.mark.parametrize("function", ARGUMENTS)
def test_the_wrong_type_is_refused_in_one_sentence(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def worked(*_: Any, **__: Any) -> None:
        raise AssertionError("work was begun")

    curve()
    monkeypatch.setattr("simstudy.study.methods_on_rows.Evaluator.on_rows", worked)
    monkeypatch.setattr("simstudy.engines.simulate.full_rows", worked)
    wrong = []
    for _, argument, label, value in (case for case in CASES if case[0] == function):
        try:
            call(function, argument, value)
        except simstudy.RequestError as error:
            if "\n" in str(error) or not str(error).strip().endswith((".", "?")):
                wrong.append((argument, label, str(error)))
        except Exception as error:
            wrong.append((argument, label, repr(error)))
        else:
            wrong.append((argument, label, "taken"))
    assert wrong == []


def test_functions_of_files_and_scenarios_refuse_it_too(tmp_path: Path) -> None:
    rows = [f"{case},{system},{case % right != 0:d}" for case in range(30) for system, right in (("a", 3), ("b", 5))]
    (tmp_path / "runs.csv").write_text("\n".join(["case,system,correct", *rows]) + "\n", encoding="utf-8")
    simstudy.save(curve(), tmp_path / "curve.nc")
    asked: dict[str, dict[str, Any]] = {
        "pilot": {"path": tmp_path / "runs.csv", "system_a": "a", "system_b": "b", "draws": 100},
        "compare": {"source": tmp_path / "runs.csv", "draws": 100},
        "save": {"dataset": curve(), "path": tmp_path / "curve.nc"},
        "load": {"path": tmp_path / "curve.nc"},
        "register": {"scenario": None},
    }
    numbers = {"difference", "target", "alpha", "level", "seed", "draws", "threshold", "against", "margin"}
    # a dict is what weights are, and no differences are those by default
    right = [("compare", "stratum_weights", WRONG["dict"]), ("compare", "difference", WRONG["an empty array"])]
    # a filter of a file that does not ask for one says nothing
    right += [("compare", "filter", WRONG[label]) for label in ("nothing typed", "unknown", "unseen")]
    taken = []
    for function, known in asked.items():
        arguments = [p for p in inspect.signature(getattr(simstudy, function)).parameters if p != "asked"]
        for argument in arguments:
            for value in (*WRONG.values(), *((True, np.True_) if argument in numbers else ())):
                try:
                    getattr(simstudy, function)(**{**known, argument: value})
                except simstudy.SimstudyError:
                    continue
                except Exception as error:
                    taken.append((function, argument, value, repr(error)))
                else:
                    if not any((function, argument) == fit[:2] and value is fit[2] for fit in right):
                        taken.append((function, argument, value, "taken"))
    assert taken == []


TAKEN = [
    ("mcse", np.float32(0.1)),
    ("alpha", np.array(0.05)),
    ("alpha", np.float32(0.05)),
    ("seed", np.int8(5)),
    ("seed", np.uint64(2**64 - 1)),
    ("comparisons", np.array(2)),
    ("unusable", np.float64(0.1)),
    ("common_random_numbers", np.False_),
    ("n_cases", np.int64(20)),
    ("n_cases", np.array([10, 20])),
    ("difference", np.float32(0.25)),
    ("method", np.array(["mcnemar_exact", "tango"])),
    ("method", ("mcnemar_exact",)),
    ("replications", None),
    ("progress", None),
]


@pytest.mark.parametrize(("argument", "value"), TAKEN)
def test_numbers_of_numpy_are_numbers(argument: str, value: Any) -> None:
    plain = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    xr.testing.assert_equal(call("power_curve", argument, value), call("power_curve", argument, plain))


def test_every_argument_is_asked_for() -> None:
    """Options, from their table, of every function."""
    for function, question in zip(("power_curve", "mde", "size", "replay"), BY_PARAMETERS, strict=True):
        assert set(keywords(question)) <= {*ARGUMENTS[function]}, function


def test_a_question_that_is_none() -> None:
    result = curve().assign_attrs(study=curve().attrs["study"].replace('"power"', '"powder"'))
    with pytest.raises(simstudy.RequestError, match=r"no question 'powder'\. Did you mean power\?"):
        study_of(result)
