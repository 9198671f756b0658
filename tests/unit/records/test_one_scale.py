"""Right and wrong beside scores, from one file and from two."""

import pytest

from simstudy.errors import RecordsError
from simstudy.records.one_scale import scale_remarks
from simstudy.records.records import RecordsBuilder, join


def of_file(system, values, format="table"):
    builder = RecordsBuilder(f"{system}.csv", format)
    for case, value in enumerate(values):
        builder.add(str(case), system, value, metric="score")
    return builder.records()


@pytest.mark.parametrize(
    ("first", "second"), [([0, 1, 1], [0.25, 1, 0.5]), ([0.25, 1, 0.5], [0, 1, 1]), ([0, 1, 0], [1, 5, 3])]
)
def test_right_and_wrong_beside_scores_of_another_file_are_refused(first, second):
    with pytest.raises(RecordsError, match=r"0 and 1 alone, .* scores from .*--threshold; .* one file\.$"):
        scale_remarks(join([of_file("a", first), of_file("b", second)]), ["a", "b"])


def test_a_remedy_is_one_file():
    builder = RecordsBuilder("f.csv", "table")
    for case, (a, b) in enumerate([(0, 0.5), (1, 1), (1, 0.25)]):
        builder.add(str(case), "a", a, metric="score")
        builder.add(str(case), "b", b, metric="score")
    assert scale_remarks(builder.records(), ["a", "b"]) == []


@pytest.mark.parametrize(
    ("first", "second"), [([0, 1, 1], [1, 0, 1]), ([0, 0, 0], [0.5, 1, 0]), ([3, 4, 5], [1, 5, 2]), ([0, 1], [])]
)
def test_values_that_may_be_of_one_scale_are_not_spoken_of(first, second):
    assert scale_remarks(join([of_file("a", first), of_file("b", second)]), ["a", "b"]) == []


def test_logs_of_a_tool_may_have_partial_scores_in_one_alone():
    [remark] = scale_remarks(
        join([of_file("a", [0, 1, 1], "inspect"), of_file("b", [0, 1, 0.5], "inspect")]), ["a", "b"]
    )
    assert "taken for scores of one scale" in remark.says
    with pytest.raises(RecordsError, match="scores from 0 to 7"):
        scale_remarks(join([of_file("a", [0, 1, 1], "inspect"), of_file("b", [0, 7, 3], "inspect")]), ["a", "b"])
