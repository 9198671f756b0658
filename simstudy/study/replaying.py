"""The simulated units of a single replication."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.engines.simulate import replay_units
from simstudy.errors import GridError, ParameterError
from simstudy.options import REPLAY, the_option
from simstudy.scenarios.declaration import Scenario
from simstudy.study.plan import make_study


def replay(
    scenario: str | Scenario,
    *,
    replication: int,
    seed: int = 1,
    common_random_numbers: bool = True,
    unusable: float = 0.0,
    **parameters: Any,
) -> dict[str, NDArray[np.float64]]:
    """Return the units that one replication of the full engine simulated.

    Parameters
    ----------
    scenario : str or Scenario
    replication : int
        Which one, from 0.
    seed : int
        64-bit seed of the study.
    common_random_numbers : bool
        As in the study.
    unusable : float
        As in the study.
    **parameters
        Parameters of the scenario, one value each.

    Returns
    -------
    dict
        Column → array of float64, shape (n_units,).

    Raises
    ------
    RequestError
        For anything that does not fit the scenario; a list of values; a scenario without units.
    """
    chosen: int | None = the_option("replication", REPLAY).check(replication)
    if chosen is None:
        raise ParameterError("replication is None; it must be a whole number.")
    study = make_study(
        scenario,
        parameters,
        question="replay",
        engine="full",
        seed=seed,
        common_random_numbers=common_random_numbers,
        unusable=unusable,
    )
    if study.grid.swept:
        names: Sequence[str] = list(study.grid.swept)
        raise GridError(f"replay shows one design point: give {' and '.join(names)} one value each.")
    columns, units = replay_units(study.points[0], study.options, chosen)
    return {name: units[:, i] for i, name in enumerate(columns)}
