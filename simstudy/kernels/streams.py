"""The registry of random-number streams.

A stream is the last word of an address (see :mod:`simstudy.kernels.philox`): draws of different streams are
independent at equal seed, replication, unit and draw. A number, once given to a stream, is never given to
another: results would change.
"""

from __future__ import annotations

from typing import Final

DATA: Final = 0
"""Difficulties, answers and verdicts of the units of a scenario."""

CLUSTER: Final = 1
"""Effects of a cluster: the shared one and the one of each system."""

RUNS: Final = 2
"""Answers of repeated runs, where the effects of the unit are in DATA."""

RESAMPLING: Final = 3
"""Bootstrap resamples and random permutations of a method."""

POSTERIOR: Final = 4
"""Draws from a posterior distribution of a method."""

COUNTS: Final = 5
"""Class counts drawn directly, without units (engine ``counts``)."""

JUDGE: Final = 6
"""What a judge adds to a unit: its errors, its noise, its position bias."""

LABELS: Final = 7
"""Which units are labelled, and label errors."""

POINT: Final = 8
"""Keys of design points that do not share their draws with other points."""
