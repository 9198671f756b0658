"""What is asked of a comparison, and what means nothing."""

import dataclasses
import inspect
import math

import numpy as np
import pytest

import simstudy
from simstudy.errors import ParameterError
from simstudy.options import COMPARE, the_option
from simstudy.records.paired_values import PairedValues
from simstudy.records.question import Question, check

SCORES = np.random.default_rng(2).normal(0.2, 1.0, (2, 30)).round(2)


def pairs(a, b, cluster=None, rule=None):
    a, b = np.array(a, float), np.array(b, float)
    cases = tuple(str(number) for number in range(len(a)))
    return PairedValues("A", "B", cases, a, b, cluster, rule, 1, 0, 0, (), ())


@pytest.mark.parametrize(
    ("setting", "value"),
    [("alpha", 0.0), ("level", 1.0), ("power", 0.01), ("margin", 0.0), ("margin", math.nan), ("differences", (0.0,))],
)
def test_settings_that_mean_nothing_are_refused(setting, value):
    with pytest.raises(ParameterError):
        check(dataclasses.replace(Question(), **{setting: value}))


def test_defaults_are_those_of_the_options_and_of_python():
    names = {"alpha": "alpha", "level": "level", "power": "target", "seed": "seed", "draws": "draws"}
    keywords = inspect.signature(simstudy.compare).parameters
    for field, option in names.items():
        assert getattr(Question(), field) == the_option(option, COMPARE).default == keywords[option].default
