"""Histograms of blocks are merged seldom where that shortens nothing, and come out the same."""

import numpy as np
import pytest

from simstudy.engines import tally as engine
from simstudy.study import evaluation
from simstudy.study.evaluation import _Job

RNG = np.random.default_rng(1)


@pytest.mark.parametrize(("values", "merges"), [(2**60, 7), (5, 65)])
def test_rows_that_are_all_distinct_are_merged_seldom(monkeypatch, values, merges):
    seen = []
    monkeypatch.setattr(evaluation, "FEW", 1)
    monkeypatch.setattr(evaluation, "merge", lambda parts: seen.append(len(parts)) or engine.merge(parts))
    blocks = [RNG.integers(0, values, (50, 2)) for _ in range(64)]
    job = _Job(0, None, "full", [], [("a", "b")])
    for block in blocks:
        job.add([engine.tally(block)])
    job.merge()
    whole = engine.tally(np.concatenate(blocks))
    assert (job.tallies[0].rows == whole.rows).all()
    assert (job.tallies[0].counts == whole.counts).all()
    assert len(seen) <= merges


def test_rows_that_turn_out_to_repeat_are_merged_in_time(monkeypatch):
    """A support of 1000 rows looks distinct for the first blocks; what waits stays bounded."""
    monkeypatch.setattr(evaluation, "FEW", 1)
    job, most = _Job(0, None, "full", [], [("a",)]), 0
    for _ in range(400):
        job.add([engine.tally(2**52 * RNG.integers(0, 1000, (50, 1)))])
        most = max(most, evaluation._rows(job.waiting) + evaluation._rows([job.tallies]))
    assert most < 9 * 1000 + 50
