"""Commands on win_rate as a user types them: answers, and one sentence for what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.conftest import Run

W = ("win_rate", "--n-pairs", "150", "--strength", "0.3")


def with_value(option: str, value: str) -> tuple[str, ...]:
    """W with an option of another value."""
    given = dict(zip(W[1::2], W[2::2], strict=True))
    given[option] = value
    return ("win_rate", *(word for pair in given.items() for word in pair))


REFUSED = [
    (with_value("--n-pairs", "0"), "--n-pairs is 0; it must be a whole number from 1"),
    (with_value("--n-pairs", "1/2/3"), "--n-pairs: '1/2/3' is no number"),
    (with_value("--strength", "nan"), "strength is nan; it must be a number in [-10, 10]"),
    (with_value("--strength", "-inf"), "strength is -inf"),
    (with_value("--strength", "abc"), "strength: 'abc' is no number"),
    (with_value("--strength", "1/2/3"), "strength: '1/2/3' is no number"),
    (with_value("--beta", "1/2/3"), "beta: '1/2/3' is no number"),
    (with_value("--tie-band", "-0.1"), "--tie-band is -0.1; it must be a number in [0, 10]"),
    (with_value("--min-win-rate", "0"), "--min-win-rate is 0; it must be a number in (0, 1)"),
    (with_value("--min-win-rate", "1"), "--min-win-rate is 1"),
    (with_value("--min-win-rate", "55"), "--min-win-rate is 55"),
    (with_value("--min-win-rate", "1/2/3"), "--min-win-rate: '1/2/3' is no number"),
    ((*W, "--method", "one_ordr"), "Did you mean one_order?"),
    ((*W, "--method", "both_orders"), "There is no method of win_rate 'both_orders'."),
    ((*W, "--alternative", "less"), "alternative less does not fit it"),
    (("win_rate", "--strength", "0.3"), "win_rate needs --n-pairs"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=[" ".join(words[1:]) for words, _ in REFUSED])
def test_refused_in_one_sentence_with_nothing_written_over(
    run: Run, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    kept = {name: f"kept {name}" for name in ("r.nc", "r.png")}
    for name, text in kept.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = run("power", *words, "--out", "r.nc", "--plot", "r.png")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == kept


@pytest.mark.parametrize("question", [("mde", "--n-pairs", "20"), ("size", "--strength", "0.3")])
@pytest.mark.parametrize(
    ("option", "value"), [("--min-win-rate", "1.2"), ("--tie-band", "-1"), ("--method", "averagd")]
)
def test_questions_refuse_the_same(run: Run, question: tuple[str, ...], option: str, value: str) -> None:
    command, *words = question
    done = run(command, "win_rate", *words, option, value)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_only_b_can_be_adopted(run: Run) -> None:
    done = run("mde", "win_rate", "--n-pairs", "20", "--sign", "negative")
    assert (done.code, done.out) == (2, "")
    assert "sign negative does not fit it" in done.err


def test_power_says_the_rule_and_what_its_parts_said(run: Run) -> None:
    page = run("power", *W).flat
    assert "(all by a rule: test and rate)" in page
    assert "the rule asks for test, the one-sided exact test of more wins than losses has p ≤ alpha; rate, the" in page
    for name in ("adopt_by_test", "adopt_by_rate", "decisive_share", "judge_calls", "blocked"):
        assert name in page
    assert "the claim that B is stronger" in page


def test_records_name_every_measure(run: Run) -> None:
    one, averaged = run("power", *W, "--method", "one_order,averaged", "--format", "json").records
    assert (one["judge_calls"], averaged["judge_calls"]) == (150, 300)
    assert one["adopt"] == pytest.approx(one["power"], abs=1e-12)
    for record in (one, averaged):
        assert record["power_right"] == record["power"]
        assert record["win_rate"] == pytest.approx(record[f"win_rate_{record['method']}"], abs=1e-11)
        assert 0.5 < record["win_rate"] < 0.65


def test_counting_passes_is_named_a_mistake(run: Run) -> None:
    words = ("--strength", "0", "--strength-sd", "1.5", "--method", "averaged,averaged_passes")
    page = run("power", "win_rate", "--n-pairs", "150", *words).flat
    assert "A mistake in this design, so its power is not comparable with the others: averaged_passes." in page
    assert "'adopt B' is an error" in page
    assert ".0704" in page


def test_size_says_what_each_protocol_pays(run: Run) -> None:
    done = run("size", "win_rate", "--strength", "1.5", "--method", "one_order,averaged", "--format", "json")
    assert [(r["n_pairs"], r["judge_calls"]) for r in done.records] == [(21, 21), (15, 30)]
    assert "judge_calls" in run("size", "win_rate", "--strength", "1.5", "--method", "averaged").out


def test_list_and_replay(run: Run) -> None:
    page = run("list", "win_rate").flat
    assert "each pass a trial (a mistake)" in page
    assert "adopt_by_rate" in page
    lines = run("replay", *W, "--tie-band", "0.5", "--replication", "2").out.splitlines()
    assert lines[0] == "x,verdict_1,verdict_2"
    assert len(lines) == 151
    assert {word for line in lines[1:] for word in line.split(",")[1:]} == {"-1", "0", "1"}


def test_a_saved_result_is_shown_again(run: Run) -> None:
    printed = run("power", *W, "--out", "r.nc").out
    shown = run("show", "r.nc").out
    assert "adopt_by_test" in shown
    assert printed.splitlines()[0] == shown.splitlines()[0]
