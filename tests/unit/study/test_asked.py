"""The study that a result answers, read back from its attributes."""

import json

import pytest
import xarray as xr

import simstudy
from simstudy import scenarios
from simstudy.errors import RequestError
from simstudy.pages.page import to_table
from simstudy.scenarios import get_scenario
from simstudy.scenarios.decisions import DIFFERENCE, Exceeds, NonInferiority
from simstudy.store import load, save
from simstudy.study.asked import beside_of, is_stand_in, study_of
from simstudy.study.plan import ask
from simstudy.study.results import recorded
from simstudy.study.words import Beside, asked
from tests.small.families import Families
from tests.small.nulls import Half, Own
from tests.small.weeks import Weeks

PAIRED = {"n_cases": [20, 40], "accuracy_a": 0.6, "difference": [0.1, 0.2]}
QUESTIONS = [
    ("power", "paired", PAIRED, {}),
    ("power", "paired", {**PAIRED, "alpha": [0.05, 0.01], "engine": "counts", "replications": 50}, {"method": "tango"}),
    (
        "power",
        "paired",
        {**PAIRED, "engine": "counts", "mcse": 0.03, "seed": 2**64 - 1},
        {"method": "tango,unpaired_z"},
    ),
    ("power", "paired", {**PAIRED, "alternative": "greater", "comparisons": 2, "unusable": 0.1}, {}),
    ("power", "proportion", {"n_cases": 10, "accuracy": 0.5}, {}),
    ("mde", "paired", {"n_cases": 30, "accuracy_a": 0.6}, {"target": "power_right=0.7", "method": "mcnemar_midp"}),
    ("size", "paired", {"accuracy_a": 0.6, "difference": 0.3}, {"target": "half_width=0.2", "method": "newcombe"}),
    ("size", "proportion", {"accuracy": 0.5}, {"target": "coverage=0.9", "method": "clopper_pearson"}),
]


def result_of(question, scenario, asked, own):
    function = {"power": simstudy.power_curve, "mde": simstudy.mde, "size": simstudy.size}[question]
    return function(scenario, **asked, **own)


@pytest.mark.parametrize(("question", "scenario", "asked", "own"), QUESTIONS)
def test_the_study_is_the_one_that_was_asked(question, scenario, asked, own):
    study = study_of(result_of(question, scenario, asked, own))
    expected = ask(scenario, question, asked, **own)
    assert study.describe() == expected.describe()
    assert study.options == expected.options
    assert study.grid.swept == expected.grid.swept
    assert study.methods == expected.methods
    assert study.target == expected.target or study.solved is None


def test_every_built_in_scenario_can_be_read_back():
    for name in simstudy.scenario_names():
        scenario = get_scenario(name)
        every = [method.name for method in scenario.methods]
        found = simstudy.power_curve(name, method=every, engine="full", replications=20, **scenario.example)
        assert json.dumps(study_of(found).describe()) == found.attrs["study"], name


def test_files_and_parts_answer_the_same_study(tmp_path):
    found = result_of(*QUESTIONS[0])
    found.to_netcdf(tmp_path / "r.nc", engine="h5netcdf")
    with xr.open_dataset(tmp_path / "r.nc", engine="h5netcdf") as saved:
        assert study_of(saved).describe() == study_of(found).describe()
    part = found.isel(n_cases=0).sel({"method": ["tango"]})
    assert study_of(part).describe() == study_of(found).describe()


def test_an_answer_read_off_a_grid_answers_for_the_smallest_effect():
    grid = simstudy.power_curve("paired", n_cases=50, accuracy_a=0.6, difference="0:0.3:0.05", method="mcnemar_midp")
    study = study_of(simstudy.mde_from(grid, 0.9))
    assert (study.question, study.solved.name, study.target.words) == ("mde", "difference", "power=0.9")
    # the grid is still that of the power question
    assert study.grid.swept == study_of(grid).grid.swept


@pytest.fixture
def unregistered():
    """Results of scenarios that are not registered where they are read."""
    coin = simstudy.power_curve(Half(), n=[10, 20], p=0.7, method=["test", "above", "careless"])
    weeks = simstudy.power_curve(Weeks(), n_cases=40, accuracy=0.8, loss=[0.0, 0.1])
    return coin, weeks


def test_somebodys_own_scenario_is_stood_in_for(unregistered):
    coin, weeks = unregistered
    study = study_of(coin)
    assert (study.scenario.name, study.effect, study.size) == ("coin_half", "p", "n")
    assert study.scenario.effect_null({}) == 0.5
    assert [m.name for m in study.methods] == ["test", "above", "careless"]
    assert study.method("test").decision == DIFFERENCE
    assert study.method("above").decision == Exceeds()
    assert study.misused == ("careless",)
    assert study.describe()["parameters"] == json.loads(coin.attrs["study"])["parameters"]
    looks = study_of(weeks)
    assert looks.scenario.target_variable == "detected"
    assert looks.scenario.shows == ("false_alarm", "detected", "delay")
    assert {"false_alarm", "detected", "delay"} <= set(looks.scenario.measure)
    assert looks.scenario.measure["delay"].error == "mean"
    # looks and onset are defaults, and stay ones
    assert set(looks.grid.defaults) == {"looks", "onset"}


def test_a_stand_in_tells_margins_and_levels():
    class Mine(type(get_scenario("paired"))):
        name = "mine"

    found = simstudy.power_curve(Mine(), margin=0.1, method="noninferiority_tango,bootstrap_percentile", **PAIRED)
    study = study_of(found)
    assert isinstance(study.method("noninferiority_tango").decision, NonInferiority)
    assert study.scenario.effect.unit == "proportion"


def test_nothing_is_computed_with_a_stand_in(unregistered):
    coin, _ = unregistered
    with pytest.raises(RequestError, match="is not registered, so nothing can be computed"):
        study_of(coin).method("test").interval.resolve()()


def words_of(dataset):
    return " ".join(to_table(dataset).split())


def test_what_a_stand_in_does_not_know_is_not_said(monkeypatch):
    """Which outcome of a rule its power is, what its parts ask, and which null a decision of its own has."""
    rules = words_of(simstudy.power_curve(Families(), n_other=8, loss=[0.0, 0.2]))
    own = simstudy.power_curve(Own(), n=50, p=[0.5, 0.7, 0.8], bar=0.7, method=["test", "rule"])
    unknown = ("rule asks for", "is the probability of", "is an error")
    assert not [words for words in unknown if words in rules + words_of(own)]
    assert study_of(own).method("test").decision.null is not None
    assert "type I error" not in words_of(own)
    monkeypatch.setitem(scenarios._registered, "coin_own", Own())
    assert "is the probability of 'take it'" in words_of(own)


@pytest.mark.parametrize(
    "damage",
    [
        lambda told: told.clear(),
        lambda told: told.update(study="{"),
        lambda told: told.update(study="[]"),
        lambda told: told.update(study="null"),
        lambda told: told.update(study=3),
        lambda told: told.update(study=told["study"].replace('"tango"', '"tanga"')),
        lambda told: told.update(study=told["study"].replace('"accuracy_a"', '"accuracy_q"')),
        lambda told: told.update(study=told["study"].replace('"seed": 1', '"seed": "one"')),
        lambda told: told.update(study=told["study"].replace('"options"', '"choices"')),
        lambda told: told.update(study=told["study"].replace("[20, 40]", "[20, true]")),
        lambda told: told.update(solved_for="mde"),
    ],
    ids=range(11),
)
def test_damaged_attributes_are_refused_in_a_sentence(damage):
    found = result_of(*QUESTIONS[0])
    damage(found.attrs)
    with pytest.raises(RequestError, match="does not say which study it answers"):
        study_of(found)


def test_what_was_asked_is_said_as_the_file_says_it(unregistered):
    """A stand-in does not know how its methods decide; the file tells."""
    for found in unregistered:
        assert asked(study_of(found)).sentence == found.attrs["question"]
    coin, _ = unregistered
    assert "(above one-sided by a p-value: nominal size alpha)" in asked(study_of(coin)).details
    del coin.attrs["details"]
    assert asked(study_of(coin)).heading == coin.attrs["question"].partition(";")[0]


@pytest.mark.parametrize("scenario", [Half(), "paired"], ids=["stand-in", "registered"])
def test_answers_read_off_a_grid_say_their_own_question(scenario):
    own = {"n": 20, "p": [0.5, 0.7, 0.9], "method": "test"}
    paired = {**PAIRED, "difference": [0, 0.1, 0.3], "method": "tango"}
    grid = simstudy.power_curve(scenario, **(paired if scenario == "paired" else own))
    read = simstudy.mde_from(recorded(grid, "typed", Beside("Above.", ("Below.",))), 0.6)
    what, colon, rest = read.attrs["question"].partition(":")
    assert what == "Smallest detectable effect for power=0.6"
    assert colon + rest == grid.attrs["question"].removeprefix("Power")
    assert asked(study_of(read)).sentence == read.attrs["question"]
    # what stood beside the power was said of the power
    assert beside_of(read) == Beside()
    assert read.attrs["command"] == "typed"


def test_a_stand_in_tells_units_and_which_methods_have_a_variable():
    class Mine(type(get_scenario("paired"))):
        name = "mine"

    found = simstudy.power_curve(Mine(), method="tango,mcnemar_exact", **PAIRED)
    known, stand_in = get_scenario("paired"), study_of(found).scenario
    assert is_stand_in(stand_in)
    assert stand_in.units["discordance"] == known.units["discordance"]
    assert stand_in.estimate_unit == known.estimate_unit
    assert stand_in.applies_to["coverage"] == {"tango"}
    assert "power" not in stand_in.applies_to


def test_paragraphs_beside_a_result_come_back(tmp_path):
    found = result_of(*QUESTIONS[0])
    assert beside_of(found) == Beside()
    beside = Beside("What is asked.", ("One.", "a  b\nc  d"))
    assert beside_of(load(save(recorded(found, "typed", beside), tmp_path / "r.nc"))) == beside
