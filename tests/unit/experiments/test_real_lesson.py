"""Expected figures of a published lesson against a twin that lists every outcome."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats as distributions

from experiments.real import lesson_length, lesson_pairs, lesson_verdicts
from experiments.real.lesson import exercise_rows
from experiments.real.lesson_values import Value, printed_figures, truth
from simstudy.stats.agreement import kappa
from tests.oracle import lesson_slow as slow

# sums of some thousands of products in another order
ROUNDING = 1e-10
TRUTHS = np.array([1] * 3 + [-1] * 11)
WORDS = [[11, 22, 30, 42, 55, 65], [3, 14, 22, 34, 47, 57], [7, 18, 26, 38, 51, 61]]


def answer(case: str, system: str, correct: int, f1: float, exact: int = 0, **verdicts: int) -> dict[str, str]:
    judged = {f"judge_{judge}": str(verdicts.get(judge, 1)) for judge in ("lazy", "strict", "good", "rule_f1")}
    texts = {"case": case, "system": system, "correct": str(correct), "f1": str(f1), "exact": str(exact)}
    return {**texts, "lcs_f1": str(f1), "answer_words": "3", **judged}


ANSWERS = [
    answer("1", "A", 1, 1.0, 1, strict=0),
    answer("1", "A2", 1, 1.0, 1, strict=0),
    answer("1", "C", 1, 0.2),
    answer("2", "A", 0, 0.1),
    answer("2", "A2", 0, 0.1),
    answer("2", "C", 1, 0.8),
    answer("3", "A", 0, 0.0),
    answer("3", "A2", 1, 0.4),
    answer("3", "C", 0, 0.3),
]
# distinct answers: copies, right?, reworded?
DISTINCT = [(2, 1, 0), (1, 1, 1), (2, 0, 0), (1, 1, 0), (1, 0, 0), (1, 1, 1), (1, 0, 0)]


@pytest.mark.parametrize("judge", ["lazy", "strict", "good"])
def test_expected_agreement(judge):
    chances = lesson_verdicts.JUDGES[judge]
    missed = slow.errors([(k, chances.p_fn + chances.extra_fn * reworded) for k, right, reworded in DISTINCT if right])
    passed = slow.errors([(k, chances.p_fp) for k, right, _ in DISTINCT if not right])
    found = lesson_verdicts.expected_figures(ANSWERS, judge, "F1 below .5")
    assert found["FN"] == pytest.approx(slow.mean_and_sd(missed), abs=ROUNDING)
    assert found["FP"] == pytest.approx(slow.mean_and_sd(passed), abs=ROUNDING)
    law = slow.kappa_law(5, 4, missed, passed)
    assert found["kappa"] == pytest.approx(slow.mean_and_sd(law), abs=ROUNDING)
    both = slow.add(missed, passed)
    mean, sd = slow.mean_and_sd(both)
    assert found["agreement"] == pytest.approx((1 - mean / 9, sd / 9), abs=ROUNDING)


def test_errors_of_copies_come_together():
    law = lesson_verdicts.error_law([(3, 0.5), (1, 0.25)])
    np.testing.assert_allclose(law, [0.375, 0.125, 0, 0.375, 0.125])


@pytest.mark.parametrize(("judge", "system", "known"), [("strict", "A", (0.7 + 0.02 + 0.02) / 3), ("lazy", "C", 1.0)])
def test_attributed_accuracy(judge, system, known):
    values = {value.key: value for value in lesson_verdicts.attributed_values(ANSWERS)}
    assert values["attributed_accuracy", judge, system].expected == pytest.approx(known)
    spreads = {"strict": math.sqrt(0.7 * 0.3 + 2 * 0.02 * 0.98) / 3, "lazy": 0.0}
    assert values["attributed_accuracy", judge, system].spread == pytest.approx(spreads[judge])


def test_attributed_accuracy_is_that_of_the_scenario():
    known = truth(
        "judged",
        n_cases=3,
        accuracy_a=1 / 3,
        difference=1 / 3,
        reworded_b=0.5,
        p_fn=0.30,
        extra_fn=0.30,
        p_fp=0.02,
    )
    values = {value.key: value.expected for value in lesson_verdicts.attributed_values(ANSWERS)}
    assert values["attributed_accuracy", "strict", "A"] == pytest.approx(known["judged_accuracy_a"])
    assert values["attributed_accuracy", "strict", "C"] == pytest.approx(known["judged_accuracy_b"])


def test_expected_kappa_nears_that_of_the_scenario():
    """The expectation of kappa in a sample differs from the population's by a share of order 1/n."""
    many = [
        answer(str(case), "A", int(case % 4 > 0), 1.0, strict=1) | {"answer_words": str(case)} for case in range(400)
    ]
    known = truth("agreement", n_labels=400, prevalence=0.75, sensitivity=0.92, specificity=0.95)["kappa"]
    found = lesson_verdicts.expected_figures(many, "good", "F1 below .5")["kappa"][0]
    assert found == pytest.approx(known, abs=2 / 400)


@pytest.mark.parametrize("beta", [0.0, 0.7, 1.2, -1.2])
def test_expected_positions(beta):
    found = lesson_pairs.expected_position(TRUTHS, beta)
    names = {"flipped": "flipped", "first_position": "first_position"}
    names |= {"A_win_AB_only": "win_one_order", "A_win_averaged": "win_averaged"}
    for name, twin in names.items():
        assert found[name] == pytest.approx(slow.position(TRUTHS, beta, twin), abs=ROUNDING), name


def test_closed_form_of_flips():
    for value, beta in zip(lesson_pairs.flip_values(), (0.0, 0.5, 1.2, 2.0), strict=True):
        assert value.expected == pytest.approx(slow.position([1], beta, "flipped")[0], abs=ROUNDING)


@pytest.fixture(scope="module")
def preferences():
    right = [
        {
            "bonus": bonus,
            "n_pairs": n,
            "closed_form_gap": 0,
            "lesson": {"mean_gap": 0, "detected": 0},
            "corrected_same_seeds": {"mean_gap": 0, "detected": 0},
        }
        for bonus, n in itertools.product((0.0, 0.5, 1.0), (14, 140))
    ]
    values, _ = lesson_pairs.preference_values(right)
    return {value.key: value for value in values}


@pytest.mark.parametrize("bonus", [0.0, 0.5, 1.0])
def test_expected_gaps(preferences, bonus):
    mean, sd = slow.mean_and_sd(slow.gap_law(bonus, published=False))
    for n in (14, 140):
        value = preferences["self_preference", f"bonus={bonus},n={n}", "mean_gap"]
        assert (value.expected, value.spread) == pytest.approx((mean, sd / math.sqrt(n * 400)), abs=1e-8)
        published = slow.mean_and_sd(slow.gap_law(bonus, published=True))[0]
        assert f"exact {published:.4f}".replace("0.", ".").replace("-", "") in value.verdict


@pytest.mark.parametrize("bonus", [0.5, 1.0])
def test_power_of_both_statistics(preferences, bonus):
    value = preferences["self_preference", f"bonus={bonus},n=14", "detected"]
    power = slow.gap_power(bonus, 14, published=False)
    assert (value.expected, value.spread) == pytest.approx((power, math.sqrt(power * (1 - power) / 400)), abs=1e-8)
    assert f"exact {slow.gap_power(bonus, 14, published=True):.4f}".replace("0.", ".") in value.verdict


@pytest.mark.parametrize("gamma", [0.0, 0.6, -0.4])
def test_expected_slope(gamma):
    found = lesson_length.expected_slope(np.array(WORDS, float), gamma)
    assert found == pytest.approx(slow.slope(WORDS, gamma), abs=ROUNDING)


def test_slope_is_that_of_one_line_and_weights_are_copies():
    generator = np.random.Generator(np.random.Philox(5))
    lengths = lesson_length.Lengths(np.array(WORDS, float), generator.integers(1, 6, (3, 6)).astype(float))
    often = np.array([[1, 1, 1], [2, 0, 1]])
    known = [
        np.polyfit(
            np.log2(np.repeat(lengths.words, k, axis=0)).ravel(), np.repeat(lengths.scores, k, axis=0).ravel(), 1
        )[0]
        for k in often
    ]
    np.testing.assert_allclose(lesson_length.slopes(lengths, often), known, rtol=1e-10)


def test_moments_of_a_score():
    """The score of a right answer of 20 words at gamma .6: normal about 4.6, rounded, never above 5."""
    mean, variance = slow.score_moments(0.6, 20)
    cut = distributions.norm.cdf([1.5, 2.5, 3.5, 4.5], 4.6, 0.5)
    assert mean == pytest.approx(5 - cut.sum())
    assert variance == pytest.approx(25 - (cut @ [3, 5, 7, 9]) - mean**2)


# ---- exercises and verdicts


def test_exercises_in_fractions():
    known = {
        "judge1_po": "4/5",
        "judge1_pe": "23/40",
        "judge1_kappa": "9/17",
        "judge2_po": "3/4",
        "judge2_pe": "3/4",
        "judge2_kappa": "0",
        "flip_rate": "1/3",
        "first_position_share": "2/3",
        "win_X_AB_only": "5/6",
        "win_X_averaged": "2/3",
        "gap": "1/6",
    }
    found = {**lesson_verdicts.kappa_exercise(), **lesson_pairs.position_exercise()}
    assert found == {name: Fraction(text) for name, text in known.items()}
    assert float(kappa(60, 15, 5, 20)) == pytest.approx(9 / 17)
    rows = exercise_rows(
        [{"exercise": 4, "name": "gap", "fraction": "1/5"}, {"exercise": 1, "name": "step", "fraction": "1"}]
    )
    assert rows == [("exercise 4", "", "gap", "1/5", "1/6", "1/6", "0", "not reproduced")]


@pytest.mark.parametrize(
    ("value", "printed", "words"),
    [
        (Value("t", "r", "f", expected=0.1402), "0.140", "exact, reproduced"),
        (Value("t", "r", "f", expected=0.1412), "0.140", "not reproduced"),
        (Value("t", "r", "f", 5.0, 3.0, 2.0), "5", "one draw: z = 1.0"),
        (Value("t", "r", "f", 4.0, 3.0, 2.0), "5", "not reproduced"),
        (Value("t", "r", "f", math.nan, 0.3, 0.1, simulated=True), "0.15", "Monte Carlo noise: z = -1.5"),
        (Value("t", "r", "f", verdict="mistake"), "1", "mistake"),
    ],
)
def test_verdict_in_words(value, printed, words):
    assert value.words(printed) == words


def test_replies():
    printed = {("parser", reply, "verdict"): "1" for reply in ("CORRECT", "WRONG.", "The answer is correct because...")}
    values = lesson_verdicts.parser_values({**printed, ("kappa", "lazy", "FN"): "0"})
    assert [value.expected for value in values[:2]] == [1.0, 0.0]
    assert values[2].words("1").startswith("mistake: unreadable")


def test_printed_figures_by_key():
    entries = {"figures": [{"table": "kappa", "row": "good", "column": "FN", "printed": "13", "kind": []}]}
    assert printed_figures(entries) == {("kappa", "good", "FN"): "13"}
