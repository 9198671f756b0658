"""Wrong requests: one message, exit code 2, nothing computed and nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    ((*P, "--difference", "0.1,0.4,0.5"), "at difference 0.4: difference 0.4 with accuracy_a 0.7"),
    ((*P, "--difference", "0.1,0.4,0.5"), "difference must lie in (-0.7, 0.3)"),
    ((*D, "--discordance", "0.05"), "discordance 0.05 cannot occur"),
    ((*D, "--discordance", "0.2", "--difficulty-sd", "1"), "cannot be given together"),
    ((*D, "--discordance", "0.45", "--engine", "full"), "independent errors give 0.38"),
    ((*D, "--method", "equivalence_tango"), "equivalence_tango needs --margin"),
    (("power", "paired", "--accuracy-a", "0.7", "--difference", "0.1"), "paired needs n_cases"),
    (
        ("power", "paired", "--logit-a", "1", "--logit-b", "2", "--discordance", "0.2", "--n-cases", "9"),
        "logit_a and discordance cannot be given together",
    ),
    ((*D, "--target", "power_right=0.8"), "the power from which an effect counts as seen"),
    ((*D, "--target", "1.8"), "target power is 1.8"),
    (("power", "--target", "x"), "it must be a number"),
    (("mde", "paired", "--logit-a", "1", "--n-cases", "9"), "give accuracy_a instead of logits"),
    (("mde", *D[1:]), "difference is what mde solves for: do not give it."),
    (("mde", *P[1:], "--sign", "bth"), "Did you mean both?"),
    (("mde", *P[1:], "--target", "half_width=0.05"), "half_width"),
    (("mde", "proportion", "--accuracy", "0.7", "--n-cases", "9"), "compares nothing"),
    (("mde", "proportion", "--accuracy", "0.7", "--n-cases", "9", "--dry-run"), "nothing that mde could solve for"),
    (("size", *D[1:]), "n_cases is what size solves for: do not give it."),
    (("size", "proportion", "--accuracy", "0.7"), "needs a target"),
    (("size", "proportion", "--accuracy", "0.7", "--target", "halfwidth=0.1"), "Did you mean half_width?"),
    (("power", "clustered", "--n-clusters", "9", "--cluster-size", "2", *D[2:4], "--engine", "exact"), ""),
    ((*D, "--out", "r.csv"), "it has the ending .csv; allowed: .nc. Did you mean r.nc?"),
    ((*D, "--out", "nowhere/r.nc"), "there is no folder nowhere"),
    ((*D, "--plot", "r.gif"), "it has the ending .gif"),
    (("show",), "simstudy show needs a saved result"),
    (("show", "r.nc"), "There is no file r.nc."),
    (("show", "README.md"), ""),
    (("replay", *D[1:]), "This needs --replication."),
    (("replay", *P[1:], "--difference", "0,0.1", "--replication", "1"), "give difference one value each"),
    (("replay", *D[1:], "--replication", "1", "--out", "c.txt"), "it has the ending .txt"),
    (("list", "pared"), "Did you mean paired?"),
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
    assert done.err.rstrip().splitlines()[-1].startswith("simstudy: difference: 'x' is no number")


@pytest.mark.parametrize(("error", "code"), [(ComputationError, 3), (CheckFailedError, 1)])
def test_other_exit_codes(run: Run, monkeypatch: pytest.MonkeyPatch, error: type[Exception], code: int) -> None:
    def fails(*given: object) -> None:
        raise error("this is why")

    monkeypatch.setattr("simstudy.study.studyfile.StudyFile.answer", fails)
    done = run(*D)
    assert (done.code, done.err) == (code, "simstudy: this is why\n")


def test_too_little_memory_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: object) -> None:
        raise MemoryError

    monkeypatch.setattr("simstudy.study.studyfile.StudyFile.answer", fails)
    done = run(*D)
    assert done.code == 3
    assert "not enough memory" in done.err


def test_options_may_come_before_the_scenario(run: Run) -> None:
    words = ("--n-cases", "36", "--difference", "0.1", "--method", "mcnemar_exact", "--format", "json")
    first = run("power", "--accuracy-a", "0.7", *words, "paired")
    assert first.records == run("power", "paired", "--accuracy-a", "0.7", *words).records
