"""The bootstrap of kappa draws from the registered stream of resampling, whose number `stats` cannot import."""

from simstudy.kernels import streams
from simstudy.stats import agreement


def test_resampling_is_the_registered_stream():
    assert agreement.RESAMPLING == streams.RESAMPLING
