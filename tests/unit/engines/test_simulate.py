"""Addresses of draws, blocks, and the choice of engine."""

import numpy as np
import pytest

from simstudy.engines import simulate as engines
from simstudy.engines.tally import merge
from simstudy.errors import RefusedError, RequestError
from simstudy.options import make_options
from simstudy.scenarios import get_scenario

PAIRED = get_scenario("paired")
POINT = PAIRED.point({"n_cases": 40, "accuracy_a": 0.7, "difference": 0.05, "difficulty_sd": 1.5})
READINGS = [("n10", "n01"), ("x_a", "x_b"), ("n10", "n01", "n11")]
OPTIONS = make_options(seed=5)


def same(one, other):
    assert all((a.rows == b.rows).all() and (a.counts == b.counts).all() for a, b in zip(one, other, strict=True))


def full_block(readings, first, size):
    return engines.histograms(POINT, readings, engines.full_rows(POINT, readings, OPTIONS, first, size))


def joined(first, second):
    return [merge([a, b]) for a, b in zip(first, second, strict=True)]


def test_the_full_engine_is_extended():
    whole = full_block(READINGS, 0, 2000)
    same(
        whole,
        joined(
            full_block(READINGS, 0, 1000),
            full_block(READINGS, 1000, 1000),
        ),
    )


@pytest.mark.parametrize("scenario", ["paired", "independent"])
def test_the_counts_engine_is_extended(scenario):
    point = POINT
    readings = READINGS
    if scenario == "independent":
        point = get_scenario("independent").point({"n_per_system": 40, "accuracy_a": 0.7, "difference": 0.05})
        readings = [("x_a", "x_b")]
    whole = engines.counts_block(point, readings, OPTIONS, 0, 0, 2000)
    same(
        whole,
        joined(
            engines.counts_block(point, readings, OPTIONS, 0, 0, 1000),
            engines.counts_block(point, readings, OPTIONS, 0, 1000, 1000),
        ),
    )


def test_blocks_of_the_counts_engine_differ():
    first, second = (engines.counts_block(POINT, READINGS[:1], OPTIONS, block, 0, 1000)[0] for block in (0, 1))
    assert first.rows.shape != second.rows.shape or (first.counts != second.counts).any()


def test_blocks_of_units_of_the_counts_engine_are_independent_streams():
    """With one stream for both systems, equal accuracies would give equal counts."""
    point = get_scenario("independent").point({"n_per_system": 40, "accuracy_a": 0.5, "difference": 0.0})
    rows = engines.counts_block(point, [("x_a", "x_b")], OPTIONS, 0, 0, 2000)[0]
    centred = rows.rows - 20
    correlation = (rows.counts * centred[:, 0] * centred[:, 1]).sum() / 2000 / 10
    # standard error 1/√2000 = .022; false-alarm rate below 1e-5
    assert abs(correlation) < 0.1


def test_block_sizes():
    assert engines.block_size(POINT, "counts") == engines.COUNTS_BLOCK
    assert engines.block_size(POINT, "full") == engines.LARGEST_BLOCK
    large = PAIRED.point({**POINT.values, "n_cases": 10**7})
    assert engines.block_size(large, "full") == engines.SMALLEST_BLOCK


def choice(point, method, **options):
    return engines.choose_engine(point, point.scenario.method(method), make_options(**options))


def test_auto_takes_exact_where_it_is_cheap():
    assert choice(POINT, "mcnemar_midp") == "exact"
    assert choice(POINT, "mcnemar_midp", mcse=0.01) == "counts"
    large = PAIRED.point({**POINT.values, "n_cases": 100_000})
    assert choice(large, "newcombe") == "counts"
    clustered = get_scenario("clustered").point(
        {"n_clusters": 5, "cluster_size": 2, "runs": 1, "accuracy_a": 0.5, "difference": 0.1, "difficulty_sd": 0}
        | {"cluster_sd": 0, "cluster_interaction_sd": 0, "interaction_sd": 0}
    )
    assert choice(clustered, "cluster_t") == "full"
    with pytest.raises(RefusedError, match="it has full"):
        choice(clustered, "cluster_t", engine="exact")


def test_auto_takes_exact_up_to_a_second():
    method, seconds = PAIRED.method("newcombe"), []
    for n in (50, 100, 150, 200, 300, 400, 600, 800):
        point = PAIRED.point({**POINT.values, "n_cases": n})
        seconds.append(engines.exact_seconds(point, method))
        assert (choice(point, "newcombe") == "exact") == (seconds[-1] <= 1.0)
    # some lie beyond it, by less than ten times
    assert seconds[0] < 1.0
    assert any(1.0 < one < 5.0 for one in seconds)


@pytest.mark.parametrize("engine", ["exact", "counts", "full"])
def test_an_engine_that_was_asked_for_is_taken(engine):
    assert choice(POINT, "tango", engine=engine) == engine


def test_a_reading_names_what_a_method_needs():
    assert POINT.reading(PAIRED.method("newcombe")) == ("n10", "n01", "n11")
    assert POINT.reading(PAIRED.method("unpaired_z")) == ("x_a", "x_b")
    assert POINT.reading(PAIRED.method("tango")) == ("n10", "n01")


def test_replayed_units_are_the_tally_of_their_replication():
    for replication in (0, 1, 777):
        columns, units = engines.replay_units(POINT, OPTIONS, replication)
        right_a, right_b = (units[:, columns.index(name)] == 1 for name in ("right_a", "right_b"))
        counts = [(right_a & ~right_b).sum(), (~right_a & right_b).sum(), (right_a & right_b).sum()]
        (found,) = full_block(READINGS[2:], replication, 1)
        assert found.rows.tolist() == [counts]


@pytest.mark.parametrize("replication", [-1, 2**32])
def test_a_replication_out_of_range_is_refused(replication):
    with pytest.raises(RequestError, match="whole number from 0"):
        engines.replay_units(POINT, OPTIONS, replication)


def test_more_units_than_anybody_looks_at_are_not_shown():
    values = {"accuracy_a": 0.7, "difference": 0.1, "difficulty_sd": 1.5, "n_cases": 10**9}
    with pytest.raises(RefusedError, match="One replication has 1000000000 units here; replay shows at most 10000000"):
        engines.replay_units(get_scenario("paired").point(values), OPTIONS, 0)


def test_the_prefix_property():
    """n = 36 is the first 36 cases of n = 100, and design points share their draws."""
    small, large = (PAIRED.point({**POINT.values, "n_cases": n}) for n in (36, 100))
    (columns, few), (_, many) = (engines.replay_units(point, OPTIONS, 3) for point in (small, large))
    assert (few == many[:36]).all()
    easier = PAIRED.point({**small.values, "difference": 0.2})
    better = engines.replay_units(easier, OPTIONS, 3)[1]
    right = columns.index("right_b")
    assert (better[:, 0] == few[:, 0]).all()
    assert (better[:, right] >= few[:, right]).all()


def test_counts_come_from_numpys_generator_at_the_stated_address():
    """Pins the address: key (seed, hash of the point), counter (0, class, block of units, block of replications)."""
    key = np.array([5, engines.point_hash(POINT)], np.uint64)

    def stream(index: int) -> np.random.Generator:
        return np.random.Generator(np.random.Philox(key=key, counter=np.array([0, index, 0, 2], np.uint64)))

    p10, p01, p11, _ = POINT.laws[0][1]
    n10 = stream(0).binomial(40, p10, size=10)
    n01 = stream(1).binomial(40 - n10, p01 / (1 - p10), size=10)
    n11 = stream(2).binomial(40 - n10 - n01, p11 / (1 - p10 - p01), size=10)
    expected = np.column_stack([n10, n01, n11])
    (found,) = engines.counts_block(POINT, READINGS[2:], OPTIONS, 2, 0, 10)
    assert found.rows.repeat(found.counts, axis=0).tolist() == sorted(expected.tolist())


def test_a_count_is_the_same_whatever_else_is_drawn():
    (alone,) = engines.counts_block(POINT, [("n10",)], OPTIONS, 0, 0, 500)
    _, together = engines.counts_block(POINT, [("x_a", "x_b"), ("n10",)], OPTIONS, 0, 0, 500)
    assert (alone.rows == together.rows).all()
    assert (alone.counts == together.counts).all()


def test_what_a_method_costs_grows_with_the_rows_and_with_what_it_lists():
    scenario = get_scenario("independent")
    fisher, pooled = scenario.method("fisher_exact"), scenario.method("z_pooled")
    few, many = (
        scenario.point({"n_per_system": n, "accuracy_a": 0.7, "difference": 0.1, "ratio": 1.0}) for n in (10, 10**9)
    )
    assert engines.analysis_seconds(many, fisher, 10_000) > 30.0
    assert engines.analysis_seconds(many, pooled, 10_000) < 0.1
    # 121 rows can occur
    assert engines.analysis_seconds(few, pooled, 10**6) == engines.analysis_seconds(few, pooled, 1000)
