"""Where draws begin depends on the seed and on a point's parameters, not on its place or on how it was asked for."""

from __future__ import annotations

from simstudy.engines.addresses import canonical, full_key, point_hash
from simstudy.options import make_options
from simstudy.scenarios import get_scenario

PAIRED = get_scenario("paired")
POINT = PAIRED.point({"n_cases": 9, "accuracy_a": 0.5, "difference": 0, "difficulty_sd": 1.5})


def test_a_point_is_the_same_text_however_it_was_asked_for():
    assert canonical(POINT) == canonical(PAIRED.point({**dict(reversed(POINT.values.items())), "difference": 0.0}))
    other = PAIRED.point({**POINT.values, "difference": 0.1})
    assert point_hash(POINT) != point_hash(other)
    assert 0 <= point_hash(POINT) < 2**64


def test_the_hash_is_pinned():
    """Another one would change every study whose points do not share their draws."""
    text = '["paired",{"accuracy_a":0.5,"difference":0.0,"difficulty_sd":1.5,"n_cases":9.0}]'
    assert canonical(POINT) == text
    assert point_hash(POINT) == PINNED


def test_points_share_their_draws_unless_told():
    other = PAIRED.point({**POINT.values, "difference": 0.1})
    assert full_key(POINT, make_options(seed=5)) == full_key(other, make_options(seed=5)) == 5
    apart = make_options(seed=5, common_random_numbers=False)
    assert full_key(POINT, apart) == 5 ^ point_hash(POINT) != full_key(other, apart)
    assert full_key(POINT, make_options(seed=2**64 - 1)) == 2**64 - 1


PINNED = 2230012150000437259
