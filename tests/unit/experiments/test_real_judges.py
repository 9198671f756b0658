"""Real judges: verdicts in both orders, the position model and where it fails, repeated scores."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as distributions

from experiments.real import scores as repeated
from experiments.real.page import between, number, rate
from experiments.real.verdicts import (
    Verdicts,
    ability_spread,
    cell,
    check_published,
    is_rating,
    published_counts,
    steady_shares,
    within_sets,
)
from simstudy.errors import RecordsError

# (label, winner in the pass that shows answer 1 first, winner in the other) → what the judge did
CODING = {
    ("1", "1", "1"): "right",
    ("2", "2", "2"): "right",
    ("1", "2", "2"): "wrong",
    ("2", "1", "1"): "wrong",
    ("1", "1", "2"): "first",
    ("2", "1", "2"): "first",
    ("1", "2", "1"): "second",
    ("2", "2", "1"): "second",
}
# brentq stops within 2e-12 of the root; cells of a million pairs are rounded to whole pairs
ROUNDED_CELLS = 2e-4


def row(label: str, normal: str, swapped: str, **more: str) -> dict[str, str]:
    fixed = {"dataset": "set", "judge": "judge", "strategy": "Vanilla", "item": "0", "score1": "", "score2": ""}
    return {**fixed, "label": label, "w_noswap": normal, "w_swap": swapped, **more}


def rows_of(right: int, first: int, second: int, wrong: int, **more: str) -> list[dict[str, str]]:
    """Pairs by what the judge did, every other one with answer 2 the better."""
    wanted = {"right": right, "first": first, "second": second, "wrong": wrong}
    rows = []
    for did, count in wanted.items():
        codes = [code for code, name in CODING.items() if name == did]
        rows += [row(*codes[index % 2], **more) for index in range(count)]
    return rows


def verdicts(*cells: int) -> Verdicts:
    return Verdicts(("judge", "Vanilla"), tuple(rows_of(*cells)))


def simulated(generator: np.random.Generator, n: int, mean: float, sd: float, beta: float) -> Verdicts:
    """Verdicts of a judge whose ability differs from pair to pair."""
    ability = generator.normal(mean, sd, n)
    shown_first = generator.random(n) < 1 / (1 + np.exp(-ability - beta))
    shown_second = generator.random(n) < 1 / (1 + np.exp(-ability + beta))
    return verdicts(
        int((shown_first & shown_second).sum()),
        int((shown_first & ~shown_second).sum()),
        int((~shown_first & shown_second).sum()),
        int((~shown_first & ~shown_second).sum()),
    )


# ---- reading the verdicts


@pytest.mark.parametrize(("code", "did"), CODING.items())
def test_letter_follows_from_winner_and_order(code, did):
    assert cell(row(*code)) == did
    # the letters by hand: answer 1 is A in the first pass and B in the other
    letters = {"1": "A", "2": "B"}[code[1]], {"1": "B", "2": "A"}[code[2]]
    assert (letters == ("A", "A")) == (did == "first")
    assert (letters == ("B", "B")) == (did == "second")


def test_unreadable_verdicts_are_counted_and_left_out():
    group = Verdicts((), (*rows_of(5, 2, 1, 1), row("1", "", "1"), row("1", "2", ""), row("2", "", "")))
    assert (group.one_unreadable, group.both_unreadable, group.n, group.flips) == (2, 1, 9, 3)
    assert (group.right_first, group.right_second) == (7, 6)


def test_published_counts_score_unreadable_verdicts():
    group = Verdicts((), (row("1", "1", "1"), row("2", "", ""), row("2", "2", ""), row("1", "2", "2")))
    assert published_counts(group) == (2, 1, 1, 3)


def test_check_finds_what_does_not_follow():
    rows = [*rows_of(3, 1, 0, 1), *rows_of(1, 0, 0, 0, judge="other"), row("1", "", "")]
    said = {"dataset": "set", "strategy": "Vanilla"}
    published = [
        {
            **said,
            "judge": "judge",
            "correct_False": "4 / 6 = 66.7%",
            "correct_True": "3",
            "correct_both": "3",
            "equal": "5",
        },
        {**said, "judge": "other", "correct_False": "0", "correct_True": "1", "correct_both": "1", "equal": "1"},
    ]
    check = check_published(rows, published)
    assert (check.groups, check.agreeing, check.silent) == (2, 1, 1)


def test_ratings_are_told_apart():
    assert is_rating(row("1", "1", "1", strategy="Rating_NoRules"))
    assert not is_rating(row("1", "1", "1", strategy="Vanilla_NoRules"))


# ---- the position model


def test_fit_by_hand():
    group = verdicts(40, 30, 10, 20)
    logit = {share: math.log(share / (1 - share)) for share in (0.7, 0.5)}
    assert float(group.fit.ability) == pytest.approx((logit[0.7] + logit[0.5]) / 2)
    assert float(group.fit.beta) == pytest.approx((logit[0.7] - logit[0.5]) / 2)
    assert float(group.fit.flips_expected) == pytest.approx(0.7 * 0.5 + 0.3 * 0.5)
    assert group.beta == pytest.approx(0.5 * math.log(30.5 / 10.5))
    assert group.beta_limits[0] < 0.5 * math.log(3) < group.beta_limits[1]


@pytest.mark.parametrize("cells", [(40, 30, 10, 20), (9, 1, 2, 8), (5, 5, 5, 5), (3, 0, 0, 0), (30, 40, 0, 1)])
def test_fit_p_is_fishers(cells):
    right, first, second, wrong = cells
    known = distributions.fisher_exact([[right, first], [second, wrong]])[1]
    assert verdicts(*cells).fit_p == pytest.approx(known, rel=1e-9)
    known = distributions.binomtest(first, first + second).pvalue if first + second else 1.0
    assert verdicts(*cells).beta_p == pytest.approx(known, rel=1e-9)


def test_range_holds_the_central_tables():
    group = verdicts(12, 6, 4, 8)
    tables = {}
    for both in range(16 + 1):
        flips = group.right_first + group.right_second - 2 * both
        ways = math.comb(18, both) * math.comb(12, 16 - both)
        tables[flips] = ways / math.comb(30, 16)
    low, high = (round(end * 30) for end in group.fit_range)
    assert sum(p for flips, p in tables.items() if flips < low) <= 0.025
    assert sum(p for flips, p in tables.items() if flips <= low) > 0.025
    assert sum(p for flips, p in tables.items() if flips > high) <= 0.025
    assert sum(p for flips, p in tables.items() if flips >= high) > 0.025


def test_model_is_seldom_refused_where_it_holds():
    """300 judges, each refused with probability .05 at most: 15 + 5 sd = 34 is exceeded in fewer than 1 of 100,000."""
    generator = np.random.Generator(np.random.Philox(7))
    assert sum(simulated(generator, 200, 1.0, 0.0, 0.8).fit_p <= 0.05 for _ in range(300)) <= 34


def test_different_abilities_give_fewer_flips_and_shrink_the_fitted_beta():
    """100 judges on 800 pairs: predicted flips lie some ten standard errors above, the betas apart by .4."""
    generator = np.random.Generator(np.random.Philox(8))
    groups = [simulated(generator, 800, 0.5, 3.0, 1.2) for _ in range(100)]
    assert all(group.fit_p < 0.05 and group.flips / group.n < float(group.fit.flips_expected) for group in groups)
    # mean of 100 estimates with a standard error of about .08 each
    assert np.mean([group.beta for group in groups]) == pytest.approx(1.2, abs=0.05)
    assert np.mean([float(group.fit.beta) for group in groups]) < 0.8


@pytest.mark.parametrize(("mean", "sd", "beta"), [(1.5, 3.0, 0.5), (-0.5, 1.5, -1.0), (0.0, 6.0, 2.0)])
def test_spread_of_abilities_is_found_again(mean, sd, beta):
    right, wrong = steady_shares(mean, sd, beta)
    n, flips = 10**6, 1 - right - wrong
    first = flips / (1 + math.exp(-2 * beta))
    group = Verdicts((), ())
    shares = {"right": right, "first": first, "second": flips - first, "wrong": wrong}
    # set without a million rows
    vars(group).update(cells={name: round(n * share) for name, share in shares.items()}, read=range(n))
    assert ability_spread(group) == pytest.approx((mean, sd), rel=ROUNDED_CELLS, abs=ROUNDED_CELLS * sd)


def test_spread_is_nothing_where_one_ability_gives_the_flips():
    mean, sd = ability_spread(verdicts(30, 40, 20, 10))
    assert sd == 0
    assert math.isfinite(mean)


@pytest.mark.parametrize(("mean", "sd", "beta"), [(1.0, 0.0, 0.0), (0.7, 2.0, 1.1)])
def test_steady_shares_by_simulation(mean, sd, beta):
    """50,000 pairs: four standard errors are .009 at most, a false alarm in 8,000 seeds over both shares."""
    group = simulated(np.random.Generator(np.random.Philox(9)), 50_000, mean, sd, beta)
    shares = [group.cells[name] / group.n for name in ("right", "wrong")]
    np.testing.assert_allclose(steady_shares(mean, sd, beta), shares, rtol=0, atol=0.009)


def test_sets_of_their_own_predict_their_own_flips():
    rows = [*rows_of(90, 10, 0, 0, dataset="easy"), *rows_of(0, 10, 0, 90, dataset="hard")]
    # both sets: the judge is always (never) right in one order, so the flips follow exactly
    assert within_sets(Verdicts((), tuple(rows))) == pytest.approx(0.1)
    assert float(Verdicts((), tuple(rows)).fit.flips_expected) == pytest.approx(0.55 * 0.55 + 0.45 * 0.45)


@given(
    abilities=st.lists(st.floats(-15, 15), min_size=1, max_size=6),
    beta=st.floats(-4, 4),
)
def test_any_mixture_of_abilities_flips_less_and_shrinks_beta(abilities, beta):
    """Chances with the better answer shown first and second, averaged over pairs of equal weight."""
    chances = 1 / (1 + np.exp(-(np.array(abilities)[:, None] + np.array([beta, -beta]))))
    first, second = chances.T
    flips = (first * (1 - second) + second * (1 - first)).mean()
    p, q = chances.mean(axis=0)
    slack = 1e-12
    assert flips <= p * (1 - q) + q * (1 - p) + slack
    fitted = 0.5 * (np.log(p / (1 - p)) - np.log(q / (1 - q)))
    # logits near certainty lose digits: 1 − p is as small as 1e-8
    assert abs(fitted) <= abs(beta) + 1e-6
    odds = (first * (1 - second)).sum() / (second * (1 - first)).sum()
    assert odds == pytest.approx(math.exp(2 * beta), rel=1e-6)


@given(cells=st.tuples(*[st.integers(0, 12)] * 4))
def test_numbering_of_the_answers_does_not_matter(cells):
    """Answer 1 becomes answer 2: the labels, the winners and the two passes change places."""
    group = verdicts(*cells)
    other = {"1": "2", "2": "1"}
    renamed = tuple(row(other[old["label"]], other[old["w_swap"]], other[old["w_noswap"]]) for old in group.rows)
    assert Verdicts((), renamed).cells == group.cells
    if sum(cells):
        np.testing.assert_allclose(float(Verdicts((), renamed).fit.beta), float(group.fit.beta))


# ---- repeated scores


@pytest.fixture
def scores() -> repeated.Scores:
    generator = np.random.Generator(np.random.Philox(3))
    question, system = (np.array(codes) for codes in zip(*itertools.product(range(12), range(3)), strict=True))
    words = generator.integers(5, 400, 36).astype(float)
    values = np.clip(np.round(generator.normal(3, 1, (36, 1)) + generator.normal(0, 0.7, (36, 3))), 1, 5)
    return repeated.Scores(values.astype(np.int64), question, system, words)


def test_agreement_and_spread_by_counting(scores):
    pairs = [(a, b) for row in scores.values for a, b in itertools.combinations(row, 2)]
    assert repeated.agreement(scores)[0] == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
    assert repeated.agreement(scores, [(0, 2)])[0] == pytest.approx(np.mean(scores.values[:, 0] == scores.values[:, 2]))
    assert repeated.spread(scores, 1)[0] == pytest.approx(np.mean([len(set(row)) > 1 for row in scores.values]))
    assert repeated.spread(scores, 5)[0] == 0
    assert repeated.within_sd(scores)[0] == pytest.approx(math.sqrt(scores.values.var(axis=1, ddof=1).mean()))


def test_cluster_interval_of_a_share(scores):
    """Questions of one size: the t interval of the means of the questions."""
    means = np.array([np.mean(np.ptp(scores.values[scores.question == q], axis=1) > 0) for q in range(12)])
    known = distributions.t.interval(0.95, 11, means.mean(), means.std(ddof=1) / math.sqrt(12))
    assert repeated.spread(scores, 1)[1:] == pytest.approx((max(known[0], 0), min(known[1], 1)))


@pytest.mark.parametrize("within_system", [False, True])
def test_slope_agrees_with_statsmodels(scores, within_system):
    """Dummies instead of centring, and the sandwich of statsmodels without its own small-sample factor."""
    dummies = [scores.question[:, None] == np.arange(12)]
    if within_system:
        dummies.append(scores.system[:, None] == np.arange(1, 3))
    design = np.column_stack([np.log2(scores.words), *dummies]).astype(float)
    fit = sm.OLS(scores.values.mean(axis=1), design).fit(
        cov_type="cluster", cov_kwds={"groups": scores.question, "use_correction": False}
    )
    margin = distributions.t.ppf(0.975, 11) * fit.bse[0] * math.sqrt(12 / 11)
    known = (fit.params[0], fit.params[0] - margin, fit.params[0] + margin)
    assert repeated.slope(scores, within_system) == pytest.approx(known, rel=1e-8)


def test_resamples_keep_multiplicities(scores):
    drawn = scores.resamples()
    assert drawn.shape == (repeated.RESAMPLES, 12)
    assert (drawn.sum(axis=1) == 12).all()
    assert drawn.max() > 2
    assert (scores.resamples() == drawn).all()


def test_kappa_and_alpha_agree_with_a_loop_over_resamples(scores, monkeypatch):
    monkeypatch.setattr(repeated, "RESAMPLES", 40)
    drawn = []
    for often in scores.resamples():
        values = np.concatenate([np.tile(scores.values[scores.question == q], (k, 1)) for q, k in enumerate(often)])
        kappas = []
        for a, b in repeated.PAIRS:
            gaps = np.subtract.outer(values[:, a], values[:, b]) ** 2
            kappas.append(1 - np.mean((values[:, a] - values[:, b]) ** 2) / gaps.mean())
        drawn.append(np.mean(kappas))
    ordered = sorted(drawn)
    # smallest values with a cumulative share of at least .025 and .975
    assert repeated.kappa(scores, "quadratic")[1:] == pytest.approx((ordered[0], ordered[38]))
    low, high = repeated.alpha(scores)[1:]
    assert low < repeated.alpha(scores)[0] < high


def test_missing_score_is_refused(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("idx,response_source,response_words,s1,s2,s3\n1,a,10,3,4,\n1,b,12,3,4,5\n", encoding="utf-8")
    with pytest.raises(RecordsError, match="1 responses with fewer than 3 scores"):
        repeated.read_scores(path)


# ---- how figures are written


def test_writing():
    assert between(-math.inf, 1.5, 2) == "[-∞, 1.50]"
    assert between(-0.25, math.inf, 2) == "[-.25, ∞]"
    assert (rate(0.5), rate(0.00001), number(-0.001), number(math.nan)) == (".500", "<.001", ".00", "–")
