"""What is given in Python, and what means nothing there."""

import pandas as pd
import pytest

import simstudy
from simstudy.errors import ParameterError
from simstudy.records.records import RecordsBuilder


def wide(values, metric="score"):
    """Return records of {system: values by case}."""
    builder = RecordsBuilder("file.csv", "test")
    for system, row in values.items():
        for case, value in enumerate(row):
            builder.add(str(case), system, value, metric=metric)
    return builder.records()


TWO = {"old": [1, 0, 1, 0, 1, 0, 0, 0], "new": [1, 1, 1, 0, 1, 1, 0, 1]}


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), "a", True])
def test_weights_that_are_none_are_refused(weight):
    table = pd.DataFrame({"case": range(4), "old": [1, 0, 1, 0], "new": [1, 1, 0, 0], "task": [1, 1, 2, 2]})
    with pytest.raises(ParameterError, match="stratum_weights"):
        simstudy.compare(table, "old", "new", stratum="task", stratum_weights={"1": 1.0, "2": weight})
    report = simstudy.compare(table, "old", "new", stratum="task", stratum_weights={1: 1, 2: 3})
    assert report.records()[0]["difference"] == pytest.approx(0.25 * 0.5 - 0.75 * 0.5)


def test_files_counts_and_tables_are_compared_alike(tmp_path):
    import pandas as pd

    rows = [(case, case % 2, int(case % 3 > 0)) for case in range(12)]
    frame = pd.DataFrame(rows, columns=["case", "old", "new"])
    frame.to_csv(tmp_path / "r.csv", index=False)
    cells = [sum((a, b) == pair for _, a, b in rows) for pair in ((1, 1), (1, 0), (0, 1), (0, 0))]
    found = [simstudy.compare(tmp_path / "r.csv"), simstudy.compare(frame), simstudy.compare(counts=cells)]
    assert len({report.records()[0]["p_value"] for report in found}) == 1
    assert simstudy.pilot(tmp_path / "r.csv", "old", "new").records() == found[0].records()


def test_one_source_is_needed():
    for given in ({}, {"source": "r.csv", "counts": "1,2,3,4"}):
        with pytest.raises(ParameterError, match="one of them, and not both"):
            simstudy.compare(**given)
