"""Parameters taken from files, each one said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simstudy.errors import ParameterError, RecordsError
from simstudy.records.paired_values import PairedValues
from simstudy.records.parameters import moments, of_clustered, of_paired
from simstudy.records.rates import pairs_of_counts
from simstudy.scenarios.random_effects import conditional_logit
from simstudy.solve.questions import size


def pairs(
    a: Any, b: Any, cluster: Any = None, lost: int = 0, cases: Any = None, rule: str | None = None
) -> PairedValues:
    names = tuple(str(number) for number in (range(len(a)) if cases is None else cases))
    codes = None if cluster is None else np.array(cluster)
    values = np.array(a, float), np.array(b, float)
    return PairedValues("A", "B", names, *values, codes, rule, 1, 0, 0, (), (), lost)


def test_parameters_are_each_said() -> None:
    a, b = [1] * 3 + [0] * 11 + [1] * 19 + [0] * 3, [0] * 3 + [1] * 11 + [1] * 19 + [0] * 3
    taken = of_paired(pairs(a, b, lost=1), None)
    expected = {"accuracy_a": 22 / 36, "discordance": 14 / 36, "difference": 8 / 36, "unusable": 1 / 37, "n_cases": 37}
    assert taken.values == pytest.approx(expected)
    said = " ".join(taken.notes)
    for words in ("accuracy_a = 0.6111", "discordance = 0.3889", "the observed one, a noisy guess", "unusable = "):
        assert words in said
    assert "noisy" not in " ".join(of_paired(pairs(a, b), 0.1).notes)
    assert "difference" not in of_paired(pairs(a, b), None, solved=True).values
    with pytest.raises(ParameterError, match=r"it must lie in \[-0.6111, 0.3889\]"):
        of_paired(pairs(a, b), 0.5)


@pytest.mark.parametrize(
    ("cells", "difference", "words"),
    [
        ((3, 12, 0, 0), -0.1, "accuracy_a = 0.999999999: observed 1, 'A' is right on all of 15 pairs; moved inside"),
        ((0, 0, 3, 4), 0.1, "accuracy_a = 1e-09: observed 0, 'A' is wrong on all of 7 pairs; moved inside (0, 1)"),
        ((0, 1, 0, 0), -0.1, "accuracy_a = 0.999999999: observed 1, 'A' is right on all of 1 pair; moved inside"),
        ((4, 0, 3, 0), None, "on 7 pairs, 0.5714; moved by 1e-09, so that the difference keeps 'B' inside (0, 1)"),
        ((0, 3, 0, 4), None, "on 7 pairs, 0.4286; moved by 1e-09, so that the difference keeps 'B' inside (0, 1)"),
    ],
)
def test_the_accuracy_is_moved_aloud(cells: tuple[int, int, int, int], difference: float | None, words: str) -> None:
    taken = of_paired(pairs_of_counts(cells), difference)
    assert words in taken.notes[0]
    asked: dict[str, Any] = {name: taken.values[name] for name in ("accuracy_a", "discordance", "difference")}
    assert str(size("paired", method="mcnemar_midp", **asked)["status"][0].item()) == "found"


@pytest.mark.parametrize(
    ("cells", "difference", "words"),
    [
        ((0, 5, 0, 0), None, "difference is -1, the observed one; it needs one system that is right on every case"),
        ((0, 0, 5, 0), None, "difference is 1, the observed one; it needs"),
        ((0, 0, 5, 0), 1.0, "difference is 1; it needs one system"),
        ((5, 0, 0, 0), None, "No pair of the file is discordant"),
        ((0, 0, 0, 1), None, "No pair of the file is discordant"),
        ((0, 0, 0, 1), -0.1, r"accuracy of 'A', 0, it must lie in \[0, 1\]"),
    ],
)
def test_what_nothing_can_be_computed_from(
    cells: tuple[int, int, int, int], difference: float | None, words: str
) -> None:
    with pytest.raises(ParameterError, match=words):
        of_paired(pairs_of_counts(cells), difference)


def test_a_discordance_that_had_to_move() -> None:
    assert "n is a lower bound" in " ".join(of_paired(pairs_of_counts((60, 0, 0, 40)), 0.05).notes)
    high = of_paired(pairs_of_counts((40, 8, 1, 1)), 0.02)
    assert "more than the accuracies then allow" in " ".join(high.notes)


def test_clustered_pairs_carry_the_design_effect() -> None:
    a, b, cluster = [1] * 21, [int(k % 7 > 2) for k in range(21)], [k // 3 for k in range(21)]
    assert "Pairs share clusters, which this scenario does not know" in of_paired(pairs(a, b, cluster), None).notes[-1]


def test_scores_are_no_outcomes() -> None:
    with pytest.raises(RecordsError, match=r"scores from 0.5 to 1, .*--threshold .* yours to decide"):
        of_paired(pairs([0.5, 1], [1, 1]), 0.1)
    with pytest.raises(RecordsError, match="--runs first"):
        of_paired(pairs([0.5, 1], [1, 1], rule="mean"), 0.1)


@pytest.mark.parametrize(("difficulty_sd", "own_sd"), [(1.5, 0.8), (0.0, 1.0), (2.0, 0.0)])
def test_moments_by_quadrature_of_another_program(difficulty_sd: float, own_sd: float) -> None:
    a, b = 0.6, 0.7
    total = float(np.hypot(difficulty_sd, own_sd))

    # Gauss-Hermite, which meets logistic functions of such spreads to 1e-8
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)

    def mean(function: Any, sd: float) -> float:
        return float(sum(w * function(sd * x) for x, w in zip(nodes, weights, strict=True)) / weights.sum())

    def right(accuracy: float, effect: float) -> float:
        return 1 / (1 + float(np.exp(effect - conditional_logit(accuracy, total))))

    def of_case(accuracy: float, d: float) -> float:
        return mean(lambda h: right(accuracy, d + h), own_sd)

    def of_cluster(accuracy: float, h: float) -> float:
        return mean(lambda d: right(accuracy, d + h), difficulty_sd)

    both = mean(lambda d: of_case(a, d) * of_case(b, d), difficulty_sd)
    cases = sum(mean(lambda h, p=p: of_cluster(p, h) ** 2, own_sd) - p**2 for p in (a, b))
    runs = sum(mean(lambda d, p=p: mean(lambda h: right(p, d + h) ** 2, own_sd), difficulty_sd) for p in (a, b))
    found = moments((a, b), difficulty_sd, own_sd)
    assert found.discordance == pytest.approx(a + b - 2 * both, abs=1e-8)
    assert found.of_cases == pytest.approx(cases, abs=1e-8)
    assert found.of_runs == pytest.approx(runs - 2 * both - (b - a) ** 2, abs=1e-8)


def simulated(clusters: int, size: int, runs: int, sds: tuple[float, float], seed: int) -> PairedValues:
    """Draw a file from the mechanism of the scenario, accuracies .7 and .75."""
    generator = np.random.default_rng(seed)
    total = float(np.hypot(*sds))
    d = generator.normal(0, sds[0], (clusters, size, 1))
    right = []
    for accuracy in (0.7, 0.75):
        h = generator.normal(0, sds[1], (clusters, 1, 1))
        p = 1 / (1 + np.exp(d + h - conditional_logit(accuracy, total)))
        right.append((generator.random((clusters, size, runs)) < p).astype(float).ravel())
    n = clusters * size * runs
    rows = np.arange(n)
    return pairs(*right, cluster=rows // (size * runs), cases=rows // runs, rule="clustered" if runs > 1 else None)


@pytest.mark.parametrize(("size_", "runs", "clusters"), [(5, 1, 3000), (1, 4, 5000), (4, 3, 3000)])
def test_the_effects_of_a_file_are_found_again(size_: int, runs: int, clusters: int) -> None:
    taken = of_clustered(simulated(clusters, size_, runs, (1.5, 0.8), 7), 0.1, solved=False, fitted=True)
    assert (taken.values["cluster_size"], taken.values["runs"], taken.values["n_clusters"]) == (size_, runs, clusters)
    # sampling errors of this seed and sizes are near .03: a fit that mixed runs, cases or clusters up is off by more
    assert taken.values["difficulty_sd"] == pytest.approx(1.5, abs=0.15)
    assert taken.values["cluster_interaction_sd"] == pytest.approx(0.8, abs=0.1)
    assert "approximate" in " ".join(taken.notes)


def test_clusters_that_differ_no_more_than_chance_have_no_effect() -> None:
    # two cases for A and two for B in each cluster but the first, far more alike than independent cases
    a, b = [0, 0, *[1, 0] * 19], [1, 1, *[0, 1] * 19]
    taken = of_clustered(pairs(a, b, [k // 4 for k in range(40)]), None, solved=True, fitted=True)
    assert taken.values["cluster_interaction_sd"] == 0
    assert "difference" not in taken.values


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (pairs([1, 0, 1], [0, 1, 1]), "--cluster"),
        (pairs([1, 1, 1, 1], [0, 1, 1, 0], [0, 0, 1, 1]), "right on all of 4 pairs.*by hand"),
        (pairs([1, 0, 1, 0], [1, 0, 1, 0], [0, 0, 1, 1]), "do not vary.*by hand"),
        (pairs([1, 1, 1, 0, 0, 0] * 3, [0, 0, 0, 1, 1, 1] * 3, [0, 0, 0, 1, 1, 1] * 3), "No cluster_interaction_sd"),
    ],
)
def test_fits_that_cannot_be_say_what_to_give_by_hand(found: PairedValues, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        of_clustered(found, None, solved=False, fitted=True)


def test_effects_given_by_hand_are_not_fitted() -> None:
    found = pairs([1, 0, 1, 0], [1, 0, 1, 0], [0, 0, 1, 1])
    taken = of_clustered(found, 0.1, solved=False, fitted=False)
    assert set(taken.values) == {"accuracy_a", "n_clusters", "cluster_size", "runs", "difference"}
