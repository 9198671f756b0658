"""The scenario in the docs works as the docs say."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "own_scenarios.md").read_text(encoding="utf-8")
(CODE,) = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.M | re.S)
COMMANDS = [line for line in PAGE.splitlines() if line.startswith("simstudy ")]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_of_the_page(line: str, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simstudy.scenarios._registered", {})
    (tmp_path / "mystudy.py").write_text(CODE, encoding="utf-8")
    outcome = run(*shlex.split(line)[1:])
    sys.modules.pop("mystudy", None)
    assert outcome.code == 0, outcome.err
    assert "two reviewers flag bad answers" in outcome.flat


# what is changed in the page's scenario, and what is said of it
REGISTERED = [
    (
        'source="Wilson 1927",',
        'source="Wilson 1927", claim="exceds",',
        "Scenario two_reviewers, method 'wilson': claim is 'exceds'; it must be difference or exceeds or "
        "non_inferiority or equivalence or a Decision. Did you mean exceeds?",
    ),
    (
        'source="Wilson 1927",',
        'source="Wilson 1927", claim="exceeds",',
        "Scenario two_reviewers, method 'wilson' claims that the null is exceeded, and the scenario has no null to "
        "decide about",
    ),
    (
        'source="Wilson 1927",',
        'source="Wilson 1927", exact="no",',
        "Scenario two_reviewers, method 'wilson': exact is 'no'; it must be True or False.",
    ),
    (
        'source="Wilson 1927",',
        'source="Wilson 1927", discordant=("both", "not_both", "n_answers"),',
        "method 'wilson': discordant is ('both', 'not_both', 'n_answers'); it must be two different counts",
    ),
    (
        'source="Wilson 1927",',
        'source="Wilson 1927", discordant="both",',
        "method 'wilson': discordant is 'both'; it must be a tuple of names, as in ('x', 'n').",
    ),
    (
        'source="Wilson 1927",',
        'source="Wilson 1927", discordant=("not_both", "bothh"),',
        "method 'wilson', discordant: there is no 'bothh'. Did you mean both? Allowed: both, not_both.",
    ),
    (
        'source="Wilson 1927",',
        'source="Wilson 1927", discordant=("not_both", "both"),',
        "it needs a p-value that takes these two alone, in this order, and alternative, with claim 'difference'.",
    ),
    (
        'source="Wilson 1927",',
        'source="Wilson 1927", estimand="gap",',
        "method 'wilson', estimand among the units of truth(): there is no 'gap'. Allowed: none.",
    ),
    (
        'source="Wilson 1927",',
        'source="Wilson 1927", own_target="gap",',
        "method 'wilson', own_target among the units of truth(): there is no 'gap'. Allowed: none.",
    ),
    (
        "low=0, high=1, default=0.9),",
        'kind="integer", role="size", low=0, high=1, default=1),',
        "Scenario two_reviewers: n_answers and sensitivity have the role 'size'; one parameter can have it.",
    ),
    (
        "low=0, high=1, default=0.9),",
        "low=0, high=1, default=9),",
        "Scenario two_reviewers, default of 'sensitivity': sensitivity is 9; it must be a number in [0, 1].",
    ),
    (
        "low=0, high=1, required=True),",
        'low=0, high=1, required=True, role="effect", null="thresh"),',
        "Scenario two_reviewers, null of 'bad': there is no 'thresh'. Allowed: n_answers, sensitivity.",
    ),
    (
        "low=0, high=1, required=True),",
        'low=0, high=1, required=True, role="effect", null="bad"),',
        "Scenario two_reviewers, null of 'bad': there is no 'bad'. Allowed: n_answers, sensitivity.",
    ),
    (
        "low=0, high=1, required=True),",
        'low=0, high=1, required=True, role="effect", null=2),',
        "Scenario two_reviewers, null of 'bad': it is 2; it must be a number in [0, 1].",
    ),
    (
        'target_variable = "coverage"',
        'target_variable = "coverag"',
        "Scenario two_reviewers, target_variable: there is no 'coverag'. Did you mean coverage?",
    ),
    (
        'target_variable = "coverage"',
        'target_variable = "coverage"\n    shows = ("coverag",)',
        "Scenario two_reviewers, shows: there is no 'coverag'. Did you mean coverage?",
    ),
    (
        'target_variable = "coverage"',
        'target_variable = "coverage"\n    kernel = Kernel(print, ("both",), print, ("bad",), real=("nope",))',
        "Scenario two_reviewers, real columns of the kernel: there is no 'nope'. Allowed: both.",
    ),
    (
        'Call(flagged_share, ("both", "n_answers"))',
        'Call(flagged_share, ("booth", "n_answers"))',
        "method 'wilson', arguments of a function: there is no 'booth'. Did you mean both?",
    ),
]
AT_A_POINT = [
    (
        "simstudy.stats.proportions:wilson",
        "simstudy.stats.proportions:wilsn",
        "method 'wilson': there is no function 'wilsn' in the module simstudy.stats.proportions. Did you mean "
        "simstudy.stats.proportions:wilson?",
    ),
    (
        "simstudy.stats.proportions:wilson",
        "simstudy.stats.proportion:wilson",
        "method 'wilson': the function 'simstudy.stats.proportion:wilson' cannot be imported: No module named "
        "'simstudy.stats.proportion'.",
    ),
    (
        "Call(flagged_share,",
        'Call("mystudy:flaged_share",',
        "there is no function 'flaged_share' in the module mystudy. Did you mean mystudy:flagged_share?",
    ),
    (
        'target_variable = "coverage"',
        'target_variable = "coverage"\n\n    def truth(self, values):\n        return {"gap": 0.1}',
        "Scenario two_reviewers: truth() returns 'gap', which units does not describe; add 'gap': (words, unit) there.",
    ),
    (
        'target_variable = "coverage"',
        'target_variable = "coverage"\n\n    def null(self, values):\n        return float("nan")',
        "Scenario two_reviewers, null() returns nan; it must return a finite number or None.",
    ),
]


def refused(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: tuple[str, str], words: str) -> str:
    """Return what is said of the page's scenario with one change."""
    monkeypatch.setattr("simstudy.scenarios._registered", {})
    assert CODE.count(change[0]) == 1
    code = CODE.replace(*change).replace("import Block, Call,", "import Block, Call, Kernel,")
    (tmp_path / "mystudy.py").write_text(code, encoding="utf-8")
    outcome = run(*shlex.split(words))
    sys.modules.pop("mystudy", None)
    assert (outcome.code, outcome.out) == (2, "")
    return " ".join(outcome.err.split())


@pytest.mark.parametrize(("old", "new", "message"), REGISTERED)
def test_what_means_nothing_is_refused_when_it_is_loaded(
    old: str, new: str, message: str, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert message in refused(run, tmp_path, monkeypatch, (old, new), "list mystudy.py")


@pytest.mark.parametrize(("old", "new", "message"), AT_A_POINT)
@pytest.mark.parametrize("more", ["", " --dry-run"])
def test_what_cannot_be_computed_is_refused_at_the_first_point(
    old: str, new: str, message: str, more: str, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = f"power mystudy.py:TwoReviewers --n-answers 50,200 --bad 0.3{more}"
    assert message in refused(run, tmp_path, monkeypatch, (old, new), words)
