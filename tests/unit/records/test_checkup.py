"""Findings on a file, from records made by hand."""

from simstudy.errors import RecordsError
from simstudy.records.checkup import checkup, refused
from simstudy.records.records import RecordsBuilder


def test_findings_are_counted():
    builder = RecordsBuilder("f.csv", "test")
    for case in range(3):
        for run in range(2):
            builder.add(str(case), "s", case + run, metric="m", run=str(run), cluster=f"c{case % 2}")
    builder.add("3", "s", None, metric="m", run="0")
    builder.aside("a total", 8, "mean")
    found = checkup(builder.records())
    assert (found["n_records"], found["n_cases"], found["runs"], found["clusters"]) == (7, 4, 2, 2)
    assert found["metrics"]["m"] == {
        "values": 6,
        "unreadable": 1,
        "lowest": 0.0,
        "highest": 3.0,
        "mean": 1.5,
        "lower_is_better": False,
    }
    assert found["left_aside"] == {"a total": 1}
    assert found["can"] == ["compare"]
    assert "second system" in found["missing"][0]


def of_two_systems(values, times=1):
    builder = RecordsBuilder("f.csv", "test")
    for case, pair in enumerate(values):
        for system, value in zip("ab", pair, strict=True):
            for _ in range(times):
                builder.add(str(case), system, value, metric="m")
    return checkup(builder.records())


def test_commands_that_can_run_depend_on_the_values():
    right_or_wrong = of_two_systems([(0, 1), (1, 1)])
    assert (right_or_wrong["can"], right_or_wrong["missing"]) == (["compare", "power", "mde", "size"], [])
    scores = of_two_systems([(0.5, 1), (1, 1)])
    assert scores["can"] == ["compare"]
    assert any("--threshold" in sentence for sentence in scores["missing"])


def test_cases_that_are_there_twice_need_a_rule():
    assert any("--runs" in sentence for sentence in of_two_systems([(0, 1), (1, 1)], times=2)["missing"])


def test_labels_without_values_need_another_command():
    builder = RecordsBuilder("f.csv", "test")
    builder.add("1", "s", None, metric="m", label="1", verdict="0")
    assert any("judge" in sentence for sentence in checkup(builder.records())["missing"])


def test_what_no_reader_understood_says_why():
    found = refused("x", RecordsError("No format."))
    assert (found["can"], found["missing"]) == ([], ["No format."])
