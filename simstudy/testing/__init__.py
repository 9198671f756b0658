"""Hypothesis strategies and checks with which others property-test their own statistics.

They need Hypothesis: ``pip install 'simstudy[test]'``.
"""

from __future__ import annotations

from simstudy.testing.checks import check_paired_interval, check_paired_test, check_proportion_interval
from simstudy.testing.strategies import (
    accuracies,
    cells,
    cluster_sums,
    levels,
    paired_counts,
    paired_outcomes,
    proportion_counts,
)

__all__ = [
    "accuracies",
    "cells",
    "check_paired_interval",
    "check_paired_test",
    "check_proportion_interval",
    "cluster_sums",
    "levels",
    "paired_counts",
    "paired_outcomes",
    "proportion_counts",
]
