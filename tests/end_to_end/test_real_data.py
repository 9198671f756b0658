"""Real judges and a published lesson: the command, its files, and what they show."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import simstudy
from experiments.readme import RESULTS
from experiments.real import lesson, lesson_length, lesson_pairs, lesson_verdicts, llmbar
from experiments.real import scores as repeated
from experiments.real.__main__ import FILES, main
from experiments.real.lesson_values import FOLDER, printed_figures
from experiments.real.page import number, rate
from experiments.real.reading import read_json, read_rows
from experiments.real.verdicts import GROUP, Verdicts, ability_spread, check_published, grouped, is_rating
from simstudy.errors import RecordsError, RequestError
from simstudy.pages.numbers import UNDEFINED
from simstudy.scenarios import get_scenario
from simstudy.scenarios.random_effects import SD_MAX

JUDGE_TABLES = (
    *("parser", "kappa", "attributed_accuracy", "position_pairs", "position"),
    *("flip_rate_closed_form", "verbosity_slope", "self_preference"),
)
# sizes and parameters that a table repeats in its rows
INPUTS = {"verdicts", "pairs", "beta", "gamma", "cases", "bonus", "n_pairs"}
# The printed limits come from an unknown, smaller number of resamples: 1000 have a Monte Carlo error of about .004.
RESAMPLED = 0.012
# mean and standard deviation are solved to some 1e-12, and trapezoid rules with other steps agree far better
SOLVED = 1e-9


@functools.cache
def pairwise(data: Path) -> list[Verdicts]:
    rows = read_rows(data / llmbar.VERDICTS, llmbar.COLUMNS)
    return grouped((row for row in rows if not is_rating(row)), GROUP)


@pytest.fixture
def lines(shared: Path) -> list[lesson.Line]:
    folder = shared / FOLDER
    tables = (
        read_rows(folder / f"{name}.csv", module.COLUMNS)
        for name, module in (("answers", lesson_verdicts), ("pairs", lesson_pairs), ("scores", lesson_length))
    )
    return lesson.lesson_lines(read_json(folder / "figures.json"), *tables)


# ---- the command


def test_missing_folder_is_one_message(tmp_path, capsys):
    assert main(["--data", str(tmp_path / "none"), "--out", str(tmp_path / "out")]) == RequestError.exit_code == 2
    message = capsys.readouterr().err
    assert message.startswith(f"There is no folder {tmp_path / 'none'}: --data takes the folder that holds data/")
    assert message.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_missing_file_leaves_nothing_behind(tmp_path, capsys):
    assert main(["--data", str(tmp_path), "--out", str(tmp_path / "out"), "scores"]) == 2
    assert "There is no file" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_folder_must_be_said(capsys):
    with pytest.raises(SystemExit) as stopped:
        main([])
    assert stopped.value.code == 2
    assert "--data" in capsys.readouterr().err


def test_nearest_experiment_is_named(tmp_path, capsys):
    assert main(["--data", str(tmp_path), "leson"]) == 2
    assert "Did you mean lesson?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"x,y\n1,2\n", "has no rows with the columns z"),
        ("a.csv", b"x,y,z\n", "has no rows with the columns x, y, z"),
        ("a.csv.gz", b"no archive", "cannot be read"),
        ("a.csv", b"\xff\xfe\xff", "cannot be read"),
    ],
)
def test_damaged_table_is_refused(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(RecordsError, match=message):
        read_rows(tmp_path / name, ("x", "y", "z"))


def test_damaged_json_is_refused(tmp_path):
    (tmp_path / "a.json").write_text("{", encoding="utf-8")
    with pytest.raises(RecordsError, match="is not JSON"):
        read_json(tmp_path / "a.json")


def written(shared, folder):
    """Run the command; return the bytes of every file that it wrote."""
    assert main(["--data", str(shared), "--out", str(folder)]) == 0
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_command_writes_the_stored_tables(shared, tmp_path, capsys):
    made = written(shared, tmp_path / "made")
    assert capsys.readouterr().out.count(" s\n") == len(FILES)
    assert set(made) == {f"{stem}.{ending}" for stem in FILES.values() for ending in ("md", "png")}
    for name, content in made.items():
        # pictures differ between versions of matplotlib
        assert name.endswith(".png") or content == (RESULTS / name).read_bytes(), name


@pytest.mark.slow
def test_command_writes_the_same_bytes_twice(shared, tmp_path):
    assert written(shared, tmp_path / "first") == written(shared, tmp_path / "second")


def test_page_shows_the_pictures_and_only_figures_of_the_tables():
    """Every decimal figure of the page and every "k of n" stands in a stored table, or is a threshold or parameter."""
    page = (RESULTS.parent / "docs" / "real_judges.md").read_text(encoding="utf-8")
    tables = "".join((RESULTS / f"{stem}.md").read_text(encoding="utf-8") for stem in FILES.values())
    known = set(re.findall(r"\d*\.\d+", tables)) | {".05", ".5", "1.2", "1.5"}
    figures = set(re.findall(r"(?<![\w/])\d*\.\d+", re.sub(r"arXiv:\S+", "", page)))
    assert len(figures) > 50
    assert figures <= known, sorted(figures - known)
    assert set(re.findall(r"\d+ of \d+", page)) <= set(re.findall(r"\d+ of \d+", tables))
    assert all(f"(../results/{stem}.png)" in page for stem in FILES.values())


# ---- judges of LLMBar


def test_published_counts_follow_from_the_verdicts(shared):
    rows = read_rows(shared / llmbar.VERDICTS, llmbar.COLUMNS)
    check = check_published(rows, read_rows(shared / llmbar.PUBLISHED, GROUP))
    assert (check.groups, check.agreeing, check.silent) == (349, 349, 100)


def test_groups_are_complete(shared):
    groups = pairwise(shared)
    assert len(groups) == 58
    assert all(len({(row["dataset"], row["item"]) for row in group.rows}) == len(group.rows) for group in groups)


def test_one_ability_predicts_too_many_flips(shared):
    """58 tests at .05 reject at most 2.9 models that hold, on average; all that fail, fail in one direction."""
    failing = [group for group in pairwise(shared) if group.fit_p <= 0.05]
    assert len(failing) == 56
    assert all(group.flips / group.n < float(group.fit.flips_expected) for group in failing)


def test_normal_abilities_give_the_observed_verdicts(shared):
    """Accuracy and flips of a judge come out of its mean, standard deviation and beta, where these are in range."""
    position, told = get_scenario("position"), 0
    for group in pairwise(shared):
        mean, sd = ability_spread(group)
        # a negative mean is a judge for which the wrong answer is the better one
        judge = {"beta": group.beta, "ability": mean, "ability_sd": sd, "x_better": 1.0}
        if sd <= SD_MAX:
            truth = position.point({"n_pairs": group.n, "tied": 0.0, "tie_band": 0.0, **judge}).truth
            right = (group.right_first + group.right_second) / (2 * group.n)
            assert truth["win_rate_both"] == pytest.approx(right, abs=SOLVED), group.name
            if sd > 0:
                assert truth["flip_rate"] == pytest.approx(group.flips / group.n, abs=SOLVED), group.name
                told += 1
    # the two others read both orders before they decide, and have a standard deviation beyond the scenario's
    assert told == 56


@pytest.mark.parametrize("judge", ["GPT-4", "PaLM2"])
def test_command_of_the_page_gives_the_observed_flips(shared, judge):
    page = (RESULTS.parent / "docs" / "real_judges.md").read_text(encoding="utf-8")
    group = next(group for group in pairwise(shared) if group.name == (judge, "Vanilla"))
    mean, sd = map(number, ability_spread(group))
    words = f"--n-pairs {len(group.rows)} --beta {number(group.beta)} --ability {mean} --ability-sd {sd}"
    assert f"    simstudy power position {words}\n" in page
    asked = {"beta": number(group.beta), "ability": mean, "ability_sd": sd}
    answer = simstudy.power_curve("position", n_pairs=len(group.rows), method="contradiction_midp", **asked)
    # as printed: parameters to two decimals, rates to three
    assert rate(answer["flip_rate"].item()) == rate(group.flips / group.n)


def test_fitted_beta_is_nearer_to_zero(shared):
    groups = [group for group in pairwise(shared) if group.beta_p <= 0.05]
    assert all(0 < float(group.fit.beta) / group.beta < 1 for group in groups)


def test_equal_ratings_are_stored_as_the_second_shown(shared):
    rows = read_rows(shared / llmbar.VERDICTS, llmbar.COLUMNS)
    ratings = [row for row in rows if is_rating(row)]
    equal = [row for row in ratings if row["score1"] and row["score1"] == row["score2"]]
    assert len(equal) == 714
    assert {(row["w_noswap"], row["w_swap"]) for row in equal} == {("2", "1")}
    # a rating does not know the order: without a tie or a missing score both orders agree
    others = [row for row in ratings if row not in equal and row["score1"] and row["score2"]]
    assert all(row["w_noswap"] == row["w_swap"] for row in others)


# ---- repeated scores


@pytest.mark.parametrize("path", repeated.FILES.values())
def test_scores_agree_less_than_their_kappa_suggests(shared, path):
    scores = repeated.read_scores(shared / path)
    assert scores.values.shape == (320, 3)
    assert repeated.kappa(scores, "quadratic")[0] > repeated.agreement(scores)[2]


# ---- the lesson


def test_every_judge_figure_has_a_line(shared, lines):
    printed = printed_figures(read_json(shared / FOLDER / "figures.json"))
    wanted = {key for key in printed if key[0] in JUDGE_TABLES and key[2] not in INPUTS}
    assert {value.key for _, value in lines} >= wanted


def test_exercises_on_judges_are_all_there(shared):
    exercises = read_json(shared / FOLDER / "figures.json")["exercises"]
    rows = lesson.exercise_rows(exercises)
    assert len(rows) == sum(entry["exercise"] in (3, 4) for entry in exercises) == 11
    assert all(row[-1] == "exact, reproduced" for row in rows)


def test_figures_come_out_of_the_data(lines):
    """Everything but resampled limits, the loose parser and what has no data."""
    assert not [value.key for printed, value in lines if value.words(printed) == "not reproduced"]
    limits = [(float(printed), value) for printed, value in lines if value.figure.startswith("ci_")]
    assert len(limits) == 6
    assert all(abs(printed - value.recomputed) < RESAMPLED for printed, value in limits)


def far(lines: list[lesson.Line], chosen: Callable[[str], bool]) -> list[float]:
    return [abs(value.z(printed)) for printed, value in lines if chosen(value.table) and value.spread > 0]


def test_draws_are_near_their_expectation_but_for_one_table(lines):
    """43 figures of right statistics within 3.5 spreads: a false alarm in fewer than 1 of 50 such lessons."""
    right = far(lines, lambda table: table != "self_preference")
    assert len(right) == 43
    assert max(right) < 3.5
    assert max(far(lines, lambda table: table == "self_preference")) > 20


def test_wrong_statistic_explains_the_published_table(lines):
    """Twelve figures within 3 Monte Carlo errors of what a logical OR gives."""
    verdicts = [value.words(printed) for printed, value in lines if value.table == "self_preference"]
    distances = [float(re.search(r"z = (\S+)", words).group(1)) for words in verdicts]
    assert len(distances) == 12
    assert max(map(abs, distances)) < 3


def test_printed_shares_are_those_of_400_studies(shared):
    entries = read_json(shared / FOLDER / "figures.json")["self_preference_right_values"]
    shares = [entry[kind]["detected"] for entry in entries for kind in ("lesson", "corrected_same_seeds")]
    # printed with three decimals
    assert all(abs(400 * share - round(400 * share)) <= 400 * 0.0005 + 1e-9 for share in shares)


def test_lazy_judge_has_the_prevalence_as_accuracy_and_no_kappa(lines):
    known = {value.key: value for _, value in lines}
    assert known["kappa", "lazy", "agreement"].recomputed == pytest.approx(74 / 108)
    assert known["kappa", "lazy", "kappa"].recomputed == 0
    assert lesson._cells(known["parser", "The answer is correct because...", "verdict"], "1")[0] == UNDEFINED
