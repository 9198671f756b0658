"""Many systems: all pairs, Holm over all and over those with the best, by peers."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from simstudy.errors import RecordsError
from simstudy.records.many_systems import compare_many
from simstudy.records.paired_values import pair
from simstudy.records.question import Question
from simstudy.records.records import RecordsBuilder
from simstudy.records.two_compared import compare_pairs


def records(n=60, rates=(0.9, 0.5, 0.55, 0.85)):
    generator, builder = np.random.default_rng(4), RecordsBuilder("file", "test")
    for case in range(n):
        for name, rate in zip("pqrs", rates, strict=True):
            builder.add(str(case), name, int(generator.random() < rate))
    return builder.records()


TABLE = records()


def test_every_pair_is_that_of_two_with_holm_over_all():
    found = compare_many(TABLE, TABLE.systems, None, Question())
    assert len(found.pairs) == 6
    p = []
    for two in found.pairs:
        alone = compare_pairs(pair(TABLE, two.record["system_a"], two.record["system_b"], None), Question())
        for name in ("p_value", "low", "high", "difference", "mde_positive"):
            assert two.record[name] == alone.record[name]
        p.append(alone.record["p_value"])
    np.testing.assert_allclose([two.record["p_holm"] for two in found.pairs], multipletests(p, method="holm")[1])


def test_the_best_is_compared_with_the_others_alone():
    found = compare_many(TABLE, TABLE.systems, None, Question())
    means = [one.record["mean_a"] for one in found.systems]
    assert means == sorted(means, reverse=True)
    assert found.best == found.systems[0].record["system_a"]
    p = [two.record["p_value"] for two in found.pairs if two.record["system_a"] == found.best]
    others = [two.record["system_b"] for two in found.pairs if two.record["system_a"] == found.best]
    told = multipletests(p, alpha=0.05, method="holm")[0]
    assert set(found.not_told_from_best) == {name for name, yes in zip(others, told, strict=True) if not yes}
    assert "s" in found.not_told_from_best or found.best == "s"


def test_lower_is_better_turns_the_order():
    found = compare_many(TABLE, TABLE.systems, None, Question(lower_is_better=True))
    means = [one.record["mean_a"] for one in found.systems]
    assert means == sorted(means)


def test_a_pair_without_common_cases_is_told_and_the_rest_stays():
    builder = RecordsBuilder("file", "test")
    for case in range(10):
        builder.add(str(case), "a", case % 2)
        builder.add(str(case), "b", 1)
        builder.add(f"other {case}", "c", 1)
    found = compare_many(builder.records(), ("a", "b", "c"), None, Question())
    assert len(found.pairs) == 1
    assert len(found.refused) == 2
    assert (found.best, found.not_compared_with_best) == ("b", ("c",))
    assert "c" not in found.not_told_from_best
    with pytest.raises(RecordsError, match="100 are compared"):
        compare_many(TABLE, [str(n) for n in range(101)], None, Question())
