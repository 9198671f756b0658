"""What holds for slopes on length and for the verbosity kernel at any seed, scores and lengths."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from simstudy import stats
from simstudy.scenarios.verbosity import kernel as verbosity

BASE = np.array([11, 13, 9, 14, 7, 7, 10])
FILLERS = np.array([11, 8, 12, 13, 10])
COLUMNS = verbosity.COLUMNS
ROUNDED = 4e-12
# the maximum is found within 1e-9 standard errors, which are below 10 where they are defined; separated scores that
# are close to having no maximum are less well conditioned
LIKELIHOOD = 1e-6

seeds = st.integers(0, 2**64 - 1)
indices = st.integers(0, 2**32 - 1)
gammas = st.floats(-10, 10)
spreads = st.sampled_from([0.0, 0.3, 0.5, 2.0])
quickly = settings(deadline=None, max_examples=40)


@st.composite
def tables(draw):
    """Lengths and scores of 2 to 8 cases in 2 to 6 versions, from a judge with noise."""
    n, k = draw(st.integers(2, 8)), draw(st.integers(2, 6))
    base = draw(st.lists(st.integers(1, 60), min_size=n, max_size=n))
    steps = draw(st.lists(st.integers(1, 40), min_size=k - 1, max_size=k - 1))
    words = np.array(base)[:, None] + np.cumsum([0, *steps])
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    latent = 3 + draw(st.floats(-1, 1)) * np.log2(words / 20) + rng.normal(size=words.shape)
    return words, np.clip(np.rint(latent), 1, 5)


def summaries(words, scores):
    fit = stats.interval_regression(words, scores)
    return (
        np.array([*stats.mean_slope(stats.case_slopes(words, scores))[:2], *stats.pooled_slope(words, scores)[:2]]),
        np.array(fit[:3]),
    )


@quickly
@given(tables())
def test_turning_the_scale_round_turns_every_slope_round(table):
    words, scores = table
    linear, latent = summaries(words, scores)
    turned_linear, turned_latent = summaries(words, 6 - scores)
    signs = np.array([-1, 1, -1, 1])
    np.testing.assert_allclose(turned_linear, signs * linear, atol=1e-9)
    np.testing.assert_allclose(turned_latent, [-1, 1, 1] * latent, rtol=LIKELIHOOD, atol=LIKELIHOOD)


@quickly
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_cases_and_versions_changes_nothing(table, random):
    words, scores = table
    linear, latent = summaries(words, scores)
    rows = random.sample(range(len(words)), len(words))
    columns = random.sample(range(words.shape[1]), words.shape[1])
    moved_linear, moved_latent = summaries(words[rows][:, columns], scores[rows][:, columns])
    np.testing.assert_allclose(moved_linear, linear, atol=1e-9)
    np.testing.assert_allclose(moved_latent, latent, rtol=LIKELIHOOD, atol=LIKELIHOOD)


@quickly
@given(tables(), st.integers(2, 100))
def test_a_doubling_is_one_whatever_the_unit_of_length(table, factor):
    words, scores = table
    for found, expected in zip(summaries(words * factor, scores), summaries(words, scores), strict=True):
        np.testing.assert_allclose(found, expected, rtol=LIKELIHOOD, atol=LIKELIHOOD)


@quickly
@given(st.integers(1, 1000).flatmap(lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n))))
def test_percentile_p_values(counts):
    below, above, resamples = counts
    one_sided = [stats.percentile_p(below, above, resamples, a) for a in ("greater", "less")]
    assert stats.percentile_p(below, above, resamples) == min(1.0, 2 * min(one_sided))
    assert all(0 <= p <= 1 for p in one_sided)


@quickly
@given(seeds, indices, st.integers(1, 9), st.integers(2, 6), gammas, spreads, spreads, st.integers(0, 1))
def test_rows_are_what_the_statistics_say_of_the_replayed_scores(
    key, replication, n, k, gamma, noise_sd, case_sd, right
):
    effects = (n, k, BASE, FILLERS, gamma, noise_sd, case_sd, right)
    row = np.empty((1, COLUMNS), np.int64)
    verbosity.simulate(key, replication, row, np.ones(COLUMNS, np.bool_), *effects, 50, 0.05)
    units = np.empty((n * k, 4))
    verbosity.cases(key, replication, units, *effects)
    linear, latent = summaries(*units[:, 2:].T.reshape(2, n, k))
    found = np.where(row[0] == verbosity.UNDEFINED, np.nan, row[0] / verbosity.FIXED)
    np.testing.assert_allclose(found[:4], linear, atol=ROUNDED, rtol=0)
    np.testing.assert_allclose(found[12:], latent, atol=LIKELIHOOD, rtol=LIKELIHOOD)
    if np.isfinite(found[4]):
        assert found[4] <= found[5]
        assert found[6] + found[7] >= 50


@quickly
@given(seeds, indices, gammas, st.floats(0, 3))
def test_a_stronger_preference_lowers_no_score_of_an_answer_above_ten_words(key, replication, gamma, gain):
    """Design points share their draws."""
    scores = []
    for strength in (gamma, min(gamma + gain, 10.0)):
        units = np.empty((36, 4))
        verbosity.cases(key, replication, units, 6, 6, BASE, FILLERS, strength, 0.5, 0.3, 0)
        scores.append(units[units[:, 2] >= 10, 3])
    assert (scores[1] >= scores[0]).all()


@quickly
@given(seeds, indices, st.lists(st.integers(1, 5), max_size=3, unique=True).map(sorted), gammas)
def test_blocks_of_replications_give_the_same_rows(key, first, cuts, gamma):
    def run(start, count):
        out = np.empty((count, COLUMNS), np.int64)
        arguments = (3, 4, BASE, FILLERS, gamma, 0.5, 0.2, 1, 9, 0.1)
        verbosity.simulate(key, first + start, out, np.ones(COLUMNS, np.bool_), *arguments)
        return out

    parts = [run(a, b - a) for a, b in zip([0, *cuts], [*cuts, 6], strict=True)]
    np.testing.assert_array_equal(np.concatenate(parts), run(0, 6))
