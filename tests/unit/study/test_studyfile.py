"""Study files: what they may hold, what is refused, and that the answer is that of the call."""

import pytest

import simstudy
from simstudy.errors import RequestError, StudyFileError, UnknownNameError
from simstudy.options import keywords
from simstudy.solve.questions import answer
from simstudy.study.studyfile import parse_study

TEXT = """
scenario = "paired"
question = "power"
aims = "to see what 20 cases show"
method = ["mcnemar_exact", "tango"]
[parameters]
n_cases = [10, 20]
accuracy_a = 0.6
difference = "0:0.2:0.1"
[options]
alpha = 0.1
seed = 7
"""


def test_a_file_is_the_call():
    study = parse_study(TEXT, "a.toml")
    answered = answer(study.study())
    call = simstudy.power_curve(
        "paired",
        method=["mcnemar_exact", "tango"],
        n_cases=[10, 20],
        accuracy_a=0.6,
        difference=[0, 0.1, 0.2],
        alpha=0.1,
        seed=7,
    )
    assert answered.attrs["aims"] == "to see what 20 cases show"
    assert all(answered[name].equals(call[name]) for name in call.data_vars)


@pytest.mark.parametrize(
    ("question", "rest", "name"),
    [
        ("mde", "n_cases = 50\naccuracy_a = 0.6\n[options]\nsign = 'both'\ntarget = 0.5", "answer"),
        ("size", "difference = 0.3\naccuracy_a = 0.6\n[options]\ncurve = true\ntarget = 'power=0.5'", "curve_size"),
    ],
)
def test_the_other_questions(question, rest, name):
    head = f"scenario = 'paired'\nquestion = '{question}'\nmethod = 'tango'\n[parameters]\n"
    study = parse_study(head + rest, "b.toml")
    assert name in answer(study.study())


def test_each_question_has_its_own_options():
    assert "sign" in keywords("mde")
    assert {"curve", "largest", "target"} <= set(keywords("size"))
    assert not {"sign", "curve", "target"} & set(keywords("power"))


BAD = [
    ("scenario = ", "no valid TOML"),
    ("question = 'power'", "names no scenario"),
    ("scenario = 'pared'", "Did you mean paired"),
    ("scenario = 'paired'\nmethods = ['tango']", "Did you mean method"),
    ("scenario = 'paired'\nquestion = 'pwer'", "Did you mean power"),
    ("scenario = 'paired'\n[parameters]\nn_case = 3", "Did you mean n_cases"),
    ("scenario = 'paired'\n[options]\nsead = 3", "Did you mean seed"),
    ("scenario = 'paired'\n[options]\nsign = 'both'", "no option 'sign'"),
    ("scenario = 'paired'\nparameters = 3", r"begins with \[parameters\]"),
    ("scenario = 'paired'\noptions = [1]", r"begins with \[options\]"),
    ("scenario = 'paired'\nmethod = 3", "a list of names"),
    ("scenario = 'paired'\nmethod = [1, 2]", "a list of names"),
]


@pytest.mark.parametrize(("text", "words"), BAD, ids=range(len(BAD)))
def test_wrong_files_are_worded(text, words):
    with pytest.raises(StudyFileError, match=words):
        parse_study(text, "bad.toml")


def test_a_wrong_value_is_refused_when_it_is_asked():
    parameters = "n_cases = 'many'\naccuracy_a = 0.5\ndifference = 0"
    study = parse_study(f"scenario = 'paired'\n[parameters]\n{parameters}", "c.toml")
    with pytest.raises(RequestError, match="'many' is no number"):
        study.study()


SETTINGS = [
    ("n_cases=36,100", "parameters", "n_cases", "36,100"),
    ("n-cases = 36", "parameters", "n_cases", "36"),
    ("seed=9", "options", "seed", 9),
    ("alpha=0.05,0.01", "options", "alpha", [0.05, 0.01]),
    ("alpha=.5", "options", "alpha", 0.5),
    ("alternative=greater", "options", "alternative", "greater"),
    ("common_random_numbers=false", "options", "common_random_numbers", False),
]


@pytest.mark.parametrize(("setting", "where", "name", "value"), SETTINGS, ids=[s[0] for s in SETTINGS])
def test_settings_replace(setting, where, name, value):
    changed = parse_study(TEXT, "a.toml").with_settings([setting])
    assert getattr(changed, where)[name] == value


def test_a_method_and_several_settings():
    changed = parse_study(TEXT, "a.toml").with_settings(["method=tango, newcombe", "seed=2"])
    assert changed.method == ["tango", "newcombe"]
    assert changed.options["seed"] == 2
    assert parse_study(TEXT, "a.toml").options["seed"] == 7


def test_a_target_keeps_its_own_sign_of_equality():
    size = parse_study("scenario = 'paired'\nquestion = 'size'", "d.toml")
    assert size.with_settings(["target=power=0.9"]).options["target"] == "power=0.9"


def test_wrong_settings_are_worded():
    study = parse_study(TEXT, "a.toml")
    with pytest.raises(StudyFileError, match="more than once: 1 and 2"):
        study.with_settings(["seed=1", "seed=2"])
    with pytest.raises(RequestError, match="common_random_numbers is 'no'; it must be true or false"):
        study.with_settings(["common_random_numbers=no"])
    with pytest.raises(StudyFileError, match="has no '='"):
        study.with_settings(["n_cases"])
    with pytest.raises(UnknownNameError, match="Did you mean n_cases"):
        study.with_settings(["n_case=3"])
