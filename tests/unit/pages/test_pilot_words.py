"""Words and figures of the pilot report."""

from __future__ import annotations

from simstudy.pages.pilot_words import cases, limits, p_words, say, share, table
from simstudy.records.comparison import Estimate

NAN = float("nan")


def test_words_and_figures() -> None:
    assert [share(x) for x in (0.5, -0.1834, -0.0001, 1.0, NAN)] == [".500", "-.183", ".000", "1.000", "–"]
    assert [p_words(x) for x in (0.03515, 1.0, 1e-9, NAN)] == [
        "p = .0352",
        "p = 1.0000",
        "p < .0001",
        "p undefined",
    ]
    assert limits(Estimate(0.1, -0.2, 0.3)) == "[-.200, .300]"
    assert limits(Estimate(0.1, NAN, NAN)) == "undefined"
    assert [cases(x) for x in (1236.0, float("inf"), NAN)] == ["1,236", "> 100,000", "–"]
    assert say("a b", 4) == ["    a b"]
    assert table([("a", "1"), ("bb", "22")]) == ["  a     1", "  bb   22"]
