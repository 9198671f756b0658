"""The comparison of a pilot's pairs, against slow twins and published figures."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from simstudy.records.comparison import compare, implied_difficulty
from simstudy.records.pairing import PairedOutcomes

ROUNDING = 1e-12
"""Both routes end in a few dozen floating-point operations."""
PRINTED = 5e-4
"""The source prints three decimals."""


def twins() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "oracle" / "records.py"
    spec = importlib.util.spec_from_file_location("oracle_records", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ORACLE = twins()


def outcomes(a: list[int], b: list[int], clusters: list[str] | None = None) -> PairedOutcomes:
    labels = clusters or [str(i) for i in range(len(a))]
    return PairedOutcomes(
        system_a="A",
        system_b="B",
        cases=np.array([str(i) for i in range(len(a))]),
        runs=np.array([""] * len(a)),
        right_a=np.array(a, dtype=bool),
        right_b=np.array(b, dtype=bool),
        clusters=np.array(labels),
        clustered=clusters is not None,
        run_rule=None,
        unusable=0,
        only_a=(),
        only_b=(),
        notes=(),
    )


def from_counts(n10: int, n01: int, n11: int, n00: int) -> PairedOutcomes:
    a = [1] * n10 + [0] * n01 + [1] * n11 + [0] * n00
    b = [0] * n10 + [1] * n01 + [1] * n11 + [0] * n00
    return outcomes(a, b)


@pytest.mark.parametrize("counts", [(3, 11, 19, 3), (12, 1, 44, 3), (0, 4, 20, 6), (5, 5, 2, 0), (0, 1, 0, 7)])
def test_every_figure_against_its_twin(counts: tuple[int, int, int, int]) -> None:
    n10, n01, n11, _ = counts
    n = sum(counts)
    c = compare(from_counts(*counts))
    d = np.array([-1] * n10 + [1] * n01 + [0] * (n - n10 - n01))
    se = float(np.std(d, ddof=1)) / math.sqrt(n)
    assert c.p_values["mcnemar_exact"] == pytest.approx(ORACLE.exact_p(n10, n01), abs=ROUNDING)
    assert c.p_values["mcnemar_midp"] == pytest.approx(ORACLE.midp(n10, n01), abs=ROUNDING)
    assert c.standard_error == pytest.approx(se, abs=ROUNDING)
    assert c.p_values["paired_z"] == pytest.approx(2 * stats.norm.sf(abs(d.mean()) / se), abs=ROUNDING)
    assert c.accuracy_a.value == (n10 + n11) / n
    z = float(stats.norm.ppf(0.975))
    assert c.accuracy_b[1:] == pytest.approx(ORACLE.wilson(n01 + n11, n, z), abs=1e-9)
    assert (c.difference, c.discordance) == pytest.approx((d.mean(), (n10 + n01) / n), abs=ROUNDING)
    assert c.clustered is None


def test_the_published_lesson() -> None:
    c = compare(from_counts(3, 11, 19, 3))
    assert c.p_values["mcnemar_exact"] == pytest.approx(0.0574, abs=5e-5)
    assert c.p_values["mcnemar_midp"] == pytest.approx(0.0352, abs=5e-5)
    assert c.intervals["bootstrap_percentile"][1:] == pytest.approx((0.028, 0.417), abs=PRINTED)
    assert c.intervals["tango"][1:] == pytest.approx((0.020, 0.411), abs=PRINTED)
    assert c.intervals["newcombe"][1:] == pytest.approx((0.017, 0.405), abs=PRINTED)


def test_without_discordant_pairs_the_score_intervals_have_width() -> None:
    c = compare(from_counts(0, 0, 60, 40))
    assert c.intervals["tango"].low < 0 < c.intervals["tango"].high
    assert c.intervals["newcombe"].low < 0 < c.intervals["newcombe"].high
    assert c.intervals["bootstrap_percentile"][1:] == (0, 0)
    assert c.p_values["mcnemar_midp"] == 1
    assert math.isnan(c.p_values["paired_z"])


def test_implied_difficulty_by_quadrature() -> None:
    sd = implied_difficulty(0.7, 0.75, 0.3)

    def mean(function: object, logit: float, other: float) -> float:
        def integrand(d: float) -> float:
            a, b = 1 / (1 + math.exp(d - logit)), 1 / (1 + math.exp(d - other))
            value = a * (1 - b) + b * (1 - a) if function == "discordance" else a
            return value * float(stats.norm.pdf(d, scale=sd))

        return float(integrate.quad(integrand, -12 * sd, 12 * sd, epsabs=1e-11, limit=200)[0])

    logits = [optimize.brentq(lambda x, p=p: mean("accuracy", x, 0.0) - p, -10, 10, xtol=1e-10) for p in (0.7, 0.75)]
    assert mean("discordance", *logits) == pytest.approx(0.3, abs=1e-7)
    assert math.isnan(implied_difficulty(0.7, 0.75, 0.45))  # independent errors give .40
    assert math.isnan(implied_difficulty(1.0, 0.9, 0.1))


def test_clusters_against_a_loop() -> None:
    a = [1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1]
    b = [0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1]
    labels = list("uuuvvwwwxxyy")
    k = compare(outcomes(a, b, labels)).clustered
    assert k is not None
    sums, sizes = [-2, 0, 0, -1, 0], [3, 2, 3, 2, 2]
    mean = -3 / 12
    v = 5 / 4 * sum((s - size * mean) ** 2 for s, size in zip(sums, sizes, strict=True)) / 12**2
    t = abs(mean) / math.sqrt(v)
    assert (k.clusters, k.degrees_of_freedom, k.mean_size) == (5, 4, 2.4)
    assert k.standard_error == pytest.approx(math.sqrt(v), abs=ROUNDING)
    assert k.p_t == pytest.approx(2 * stats.t.sf(t, 4), abs=ROUNDING)
    half = float(stats.t.ppf(0.975, 4)) * math.sqrt(v)
    assert k.interval == pytest.approx((mean, mean - half, mean + half), abs=1e-9)
    assert k.p_sign_flip == pytest.approx(ORACLE.sign_flips([s for s in sums if s]), abs=ROUNDING)
    naive = float(np.var(np.array(b) - np.array(a), ddof=1)) / 12
    assert k.design_effect == pytest.approx(v / naive, abs=1e-9)
    assert k.n_effective == pytest.approx(12 / max(1.0, v / naive), abs=1e-9)


def test_clusters_that_say_nothing_count_as_one_case_each() -> None:
    k = compare(outcomes([1, 1, 0, 0], [1, 1, 0, 0], list("uuvv"))).clustered
    assert k is not None
    assert math.isnan(k.design_effect)
    assert math.isnan(k.p_t)
    assert (k.factor, k.n_effective, k.p_sign_flip) == (2, 2, 1)


def test_a_single_cluster_is_undefined() -> None:
    k = compare(outcomes([1, 1, 0], [0, 1, 1], list("uuu"))).clustered
    assert k is not None
    assert math.isnan(k.standard_error)
    assert math.isnan(k.p_t)
    assert math.isnan(k.interval.low)
