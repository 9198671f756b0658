"""Where the random numbers of a design point begin."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from simstudy.options import Options
from simstudy.scenarios.declaration import DesignPoint, profile_text


def canonical(point: DesignPoint) -> str:
    """Return a design point as JSON that does not depend on how it was asked for."""
    # a parameter that came later is left out at its default: such a point keeps the numbers that it had
    later = {p.name: p.default for p in point.scenario.parameters if p.since}
    values = {
        name: profile_text(value) if isinstance(value, tuple) else float(value)
        for name, value in sorted(point.values.items())
        if name not in later or value != later[name]
    }
    return json.dumps([point.scenario.name, values], separators=(",", ":"))


def point_hash(point: DesignPoint) -> int:
    """Return 64 bits that depend on the parameters of a point and not on its place in a grid."""
    return int.from_bytes(hashlib.blake2b(canonical(point).encode(), digest_size=8).digest(), "little")


def full_key(point: DesignPoint, options: Options) -> np.uint64:
    """Return the key of a point's draws: the seed, mixed with the point where points do not share their draws."""
    return np.uint64(options.seed if options.common_random_numbers else options.seed ^ point_hash(point))
