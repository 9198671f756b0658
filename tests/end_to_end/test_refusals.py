"""Wrong requests: one message, exit code 2, nothing computed and nothing written."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from simstudy import load
from simstudy.errors import CheckFailedError, ComputationError
from tests.end_to_end.conftest import Run

P = ("power", "paired", "--accuracy-a", "0.7", "--n-cases", "100")
D = (*P, "--difference", "0.1")

REFUSED = [
    (("pwer", "paired"), "There is no command 'pwer'. Did you mean power?"),
    (("paired", "--n-cases", "4"), "'paired' is no command. Did you mean simstudy power paired?"),
    (("study.toml",), "Did you mean simstudy power study.toml?"),
    (("--seed", "1", "power"), "simstudy begins with a command, not with the option '--seed'."),
    (("power", "pared"), "There is no scenario 'pared'. Did you mean paired?"),
    (("power", "--n-cases", "36"), "Name a scenario first, as in simstudy power paired --n-cases VALUE."),
    (("mde",), "simstudy mde needs a scenario"),
    (("size", "--target", "0.8"), "simstudy size needs a scenario"),
    ((*D, "--methd", "tango"), "There is no option '--methd' in simstudy power paired [OPTIONS]. Did you mean --met"),
    ((*D, "--no-qiet"), "There is no option '--no-qiet'"),
    ((*D, "--method", "tanog"), "There is no method of paired 'tanog'. Did you mean tango?"),
    ((*D, "--engine", "ful"), "There is no engine 'ful'. Did you mean full?"),
    ((*D, "--alternative", "grater"), "Did you mean greater?"),
    ((*D, "--format", "jason"), "There is no format 'jason'. Did you mean json?"),
    (("power", "paired", "--n-cases"), "--n-cases has no value. Cases that both systems answer"),
    (("power", "paired", "--n-cases", "--quiet"), "--n-cases has no value: '--quiet' follows."),
    ((*D, "--seed"), "--seed has no value."),
    (("power", "paired", "--n-cases", "36", "100"), "'100' belongs to no option."),
    ((*D, "--n-cases", "3"), "--n-cases is given more than once"),
    ((*D, "--seed", "x"), "--seed is 'x'; it must be a whole number."),
    ((*D, "--mcse", "x"), "--mcse is 'x'; it must be a number."),
    ((*D, "--seed", "-1"), "seed is -1"),
    ((*D, "--alpha", "2"), "alpha is 2"),
    ((*D, "--alpha", "x"), "alpha: 'x' is no number"),
    ((*D, "--mcse", "0.01", "--replications", "100"), "cannot be given together"),
    ((*P, "--difference", "x"), "difference: 'x' is no number"),
    ((*P, "--difference", "0:0.2:0.03"), "does not reach its end"),
    ((*P, "--difference", "0.1,0.4,0.5"), "at --difference 0.4: --difference 0.4 with --accuracy-a 0.7"),
    ((*P, "--difference", "0.1,0.4,0.5"), "--difference must lie in (-0.7, 0.3)"),
    ((*D, "--discordance", "0.05"), "discordance 0.05 cannot occur"),
    ((*D, "--discordance", "0.2", "--difficulty-sd", "1"), "cannot be given together"),
    ((*D, "--discordance", "0.45", "--engine", "full"), "independent errors give 0.38"),
    ((*D, "--method", "equivalence_tango"), "equivalence_tango needs --margin"),
    (("power", "paired", "--accuracy-a", "0.7", "--difference", "0.1"), "paired needs --n-cases"),
    (
        ("power", "paired", "--logit-a", "1", "--logit-b", "2", "--discordance", "0.2", "--n-cases", "9"),
        "--logit-a and --discordance cannot be given together",
    ),
    ((*D, "--target", "adopt=0.8"), "no target 'adopt'"),
    ((*D, "--target", "0.8,0.9"), "names power more than once"),
    ((*D, "--method", "tango", "--target", "coverage=0.9"), "target coverage is a question about size"),
    (("size", "paired", *P[2:4], "--difference", "0.1", "--target", "coverage=0.9"), "mcnemar_exact has no interval"),
    ((*D, "--target", "1.8"), "target power is 1.8"),
    (("power", "--target", "x"), "it must be a number"),
    (("mde", "paired", "--logit-a", "1", "--n-cases", "9"), "give --accuracy-a instead of logits"),
    (("mde", *D[1:]), "difference is what mde solves for: do not give it."),
    (("mde", *P[1:], "--sign", "bth"), "Did you mean both?"),
    (("mde", *P[1:], "--target", "half_width=0.05"), "half_width"),
    (("mde", "proportion", "--accuracy", "0.7", "--n-cases", "9"), "no parameter that is an effect"),
    (("mde", "proportion", "--accuracy", "0.7", "--n-cases", "9", "--dry-run"), "no parameter that is an effect"),
    (("size", *D[1:]), "--n-cases is what size solves for: do not give it."),
    (("size", "proportion", "--accuracy", "0.7"), "needs a target"),
    (("size", "proportion", "--accuracy", "0.7", "--target", "halfwidth=0.1"), "Did you mean half_width?"),
    (("power", "clustered", "--n-clusters", "9", "--cluster-size", "2", *D[2:4], "--engine", "exact"), ""),
    ((*D, "--out", "r.csv"), "a table is printed: --format csv > r.csv"),
    ((*D, "--out", "nowhere/r.nc"), "there is no folder nowhere"),
    ((*D, "--plot", "r.gif"), "it has the ending .gif"),
    ((*D, "--plot", "r.png"), "There is nothing to plot against"),
    (
        ("power", "paired", "--accuracy-a", "80", *D[4:]),
        "--accuracy-a is 80; it must be a number in (0, 1). Did you mean 0.8",
    ),
    ((*D, "--unusable", "5"), "--unusable is 5.0; it must be a proportion in [0, 1). Did you mean 0.05, or 5%?"),
    ((*D, "--target", "80"), "Did you mean 0.8, or 80%?"),
    (("power", "paired", *D[2:4], "--difference", "0.1", "--n-cases", "1,000"), "'1,000' is a list"),
    (("power", "paired", *D[2:4], "--difference", "0.1", "--n-cases", "5%"), "--n-cases is '5%'; it is no proportion"),
    ((*D, "--replications", "10,000"), "Write it as 10000"),
    (
        ("power", "paired", *D[2:4], "--difference", "0.1", "--n-cases", "0"),
        "--n-cases is 0; it must be a whole number",
    ),
    (("list", "--format", "jso"), "Did you mean json?"),
    (("show",), "simstudy show needs a saved result"),
    (("show", "r.nc"), "There is no file r.nc."),
    (("show", "README.md"), ""),
    (("replay", *D[1:]), "This needs --replication."),
    (("replay", *P[1:], "--difference", "0,0.1", "--replication", "1"), "give difference one value each"),
    (("replay", *D[1:], "--replication", "1", "--out", "c.txt"), "it has the ending .txt"),
    (("list", "pared"), "Did you mean paired?"),
    ((*D, "--replications", "0.9"), "--replications is '0.9'; it must be a whole number."),
    ((*D, "--comparisons", "2.5"), "--comparisons is '2.5'; it must be a whole number."),
    ((*D, "--threads", "1.5"), "--threads is '1.5'; it must be a whole number."),
    ((*D, "--seed", "1.5"), "--seed is '1.5'; it must be a whole number."),
    ((*D, "--seed", "nan"), "--seed is 'nan'; it must be a whole number."),
    ((*D, "--seed", "18446744073709551614.0"), "it must be a whole number"),
    ((*D, "--seed", "--quiet"), "--seed has no value."),
    (("size", *P[1:4], "--difference", "0.1", "--largest", "1.5"), "--largest is '1.5'"),
    (("replay", *D[1:], "--replication", "1.5"), "--replication is '1.5'; it must be a whole number."),
    (("pilot", "r.csv", "--draws", "2.5"), "--draws is '2.5'; it must be a whole number."),
    ((*D, "--seed", "1", "--seed", "2"), "--seed is given more than once; once is enough."),
    ((*D, "--quiet", "--quiet"), "--quiet is given more than once; once is enough."),
    ((*D, "--", "--seed", "3"), "'--' stands for nothing here"),
    (("power", ""), "The name of the scenario is empty."),
    (("list", ""), "The name of the scenario is empty."),
    (("--help", "foo"), "There is no command 'foo'."),
    (("--version", "power"), "--version stands alone; 'power' follows."),
]


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=[" ".join(words)[:70] for words, _ in REFUSED])
def test_refused_in_one_message(run: Run, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("simstudy: ")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert list(tmp_path.iterdir()) == []


def test_debug_shows_the_traceback(run: Run) -> None:
    done = run(*P, "--difference", "x", "--debug")
    assert done.code == 2
    assert done.err.startswith("Traceback")
    assert done.err.rstrip().splitlines()[-1].startswith("simstudy: --difference: 'x' is no number")


@pytest.mark.parametrize(("error", "code"), [(ComputationError, 3), (CheckFailedError, 1)])
def test_other_exit_codes(run: Run, monkeypatch: pytest.MonkeyPatch, error: type[Exception], code: int) -> None:
    def fails(*given: object) -> None:
        raise error("this is why")

    monkeypatch.setattr("simstudy.solve.questions.answer", fails)
    done = run(*D)
    assert (done.code, done.err) == (code, "simstudy: this is why\n")


def test_too_little_memory_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: object) -> None:
        raise MemoryError

    monkeypatch.setattr("simstudy.solve.questions.answer", fails)
    done = run(*D)
    assert done.code == 3
    assert "not enough memory" in done.err


def test_options_may_come_before_the_scenario(run: Run) -> None:
    words = ("--n-cases", "36", "--difference", "0.1", "--method", "mcnemar_exact", "--format", "json")
    first = run("power", "--accuracy-a", "0.7", *words, "paired")
    assert first.records == run("power", "paired", "--accuracy-a", "0.7", *words).records


def test_whole_numbers_may_be_written_with_an_exponent(run: Run) -> None:
    words = (*D, "--method", "mcnemar_midp", "--engine", "counts", "--format", "json", "--replications")
    assert [record["replications"] for record in run(*words, "1e4").records] == [10_000]


def test_seeds_keep_every_digit(run: Run) -> None:
    words = (*D, "--method", "mcnemar_midp", "--engine", "counts", "--format", "json", "--replications", "100")
    done = run(*words, "--seed", str(2**64 - 2), "--out", "r.nc")
    assert done.code == 0
    assert str(2**64 - 2) in load("r.nc").attrs["study"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--target", "0.9"), "A study file takes target with mde and size alone."),
        (("--n-cases", "9"), "Beside a study file it is written --set n_cases=VALUE."),
        (("--set",), "--set has no value."),
        (("--set", "--quiet"), "--set has no value."),
        (("--set", "n_cases=36", "--set", "n_cases=100"), "--set gives n_cases more than once: 36 and 100."),
        (("--set", "seed=1", "seed=1"), "--set gives seed more than once"),
        (("--set", 'seed=1\nengine="full"'), "it must be a whole number"),
    ],
)
def test_only_settings_that_are_taken_are_proposed(
    run: Run, study_file: Path, words: tuple[str, ...], message: str
) -> None:
    done = run("power", study_file.name, *words)
    assert done.code == 2
    assert message in done.err
    assert ("--set target" in done.err) is False


def test_files_with_another_name_are_not_proposed(run: Run, study_file: Path) -> None:
    assert "Did you mean" not in run("power", "nul.toml").err
    assert "Did you mean study.toml?" in run("power", "stdy.toml").err


def test_study_files_may_begin_with_a_byte_order_mark(run: Run, study_file: Path) -> None:
    plain = run("power", "study.toml", "--format", "csv").out
    study_file.write_text(study_file.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert run("power", "study.toml", "--format", "csv").out == plain


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise KeyError('a')", "KeyError: 'a'"),
        ("x = (", "SyntaxError"),
    ],
)
def test_python_files_that_cannot_be_loaded(run: Run, tmp_path: Path, code: str, message: str) -> None:
    (tmp_path / "broken.py").write_text(code, encoding="utf-8")
    done = run("power", "broken.py")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.startswith(f"simstudy: broken.py cannot be loaded: {message}")
    assert "broken" not in sys.modules


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("return x / n", "return x / None", "TypeError: unsupported operand"),
        ("return x / n", "raise SystemExit(0)", "SystemExit: 0"),
        ('return ((values["p"]', 'return ((values["q"]', "KeyError: 'q'"),
    ],
)
def test_failures_of_own_scenarios_name_their_file(
    run: Run, own_scenario: Path, before: str, after: str, message: str
) -> None:
    text = own_scenario.read_text(encoding="utf-8").replace('"mystudy:share"', "share")
    own_scenario.write_text(text.replace(before, after), encoding="utf-8")
    words = ("power", "mystudy.py", "--n-tosses", "20", "--p", "0.5")
    done = run(*words)
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert done.err.startswith(f"simstudy: Scenario coin of mystudy.py failed: {message}")
    assert run(*words, "--debug").err.startswith("Traceback")


@pytest.mark.parametrize("name", ["colorsys", "json"])  # one that nothing has loaded, and one that everything has
def test_own_scenarios_take_no_module_away(run: Run, own_scenario: Path, name: str) -> None:
    text = own_scenario.read_text(encoding="utf-8").replace('"mystudy:share"', "share")
    (own_scenario.parent / f"{name}.py").write_text(text, encoding="utf-8")
    before = sys.modules.get(name)
    try:
        assert run("power", f"{name}.py", "--n-tosses", "20", "--p", "0.5").code == 0
        assert sys.modules.get(name) is before
    finally:
        sys.modules.pop(f"_study_{name}", None)
