"""A built-in scenario is whole: declaration, page, slow twin, experiment with a picture, tests. Nothing lists it."""

from __future__ import annotations

from pathlib import Path

import pytest

from simstudy.scenarios import built_in, get_scenario

ROOT = Path(__file__).parents[3]
NEEDED = {
    "a declaration": "simstudy/scenarios/{name}/__init__.py",
    "a page": "docs/scenarios/{name}.md",
    "a slow twin": "tests/oracle/{name}_slow.py",
    "an experiment": "experiments/{name}*.toml",
    "the answer of an experiment": "results/{name}*.nc",
    "a picture": "results/{name}*.png",
    "tests of its declaration": "tests/unit/scenarios/{name}/test_{name}.py",
}


@pytest.mark.parametrize("name", built_in())
def test_nothing_is_missing(name):
    needed = {what: pattern.format(name=name) for what, pattern in NEEDED.items()}
    assert {what: pattern for what, pattern in needed.items() if not list(ROOT.glob(pattern))} == {}


@pytest.mark.parametrize("name", built_in())
def test_a_kernel_has_tests_of_its_own(name):
    if (ROOT / f"simstudy/scenarios/{name}/kernel.py").exists():
        assert (ROOT / f"tests/unit/scenarios/{name}/test_kernel.py").exists()


@pytest.mark.parametrize("name", built_in())
def test_the_class_holds_a_test_point_with_every_parameter_of_one_alternative(name):
    scenario = get_scenario(name)
    assert scenario.name == name
    point = scenario.point(scenario.example)
    other = {
        parameter
        for group in scenario.groups
        for names in group.alternatives
        if not set(names) <= set(scenario.example)
        for parameter in names
    }
    assert set(scenario.by_name) - other == set(point.values)


@pytest.mark.parametrize("name", built_in())
def test_the_page_speaks_of_every_method(name):
    page = (ROOT / f"docs/scenarios/{name}.md").read_text(encoding="utf-8")
    missing = [method.name for method in get_scenario(name).methods if method.name not in page]
    assert not missing
