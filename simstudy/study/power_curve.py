"""Power curves: the question that simstudy answers first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import xarray as xr

from simstudy.scenarios.declaration import Scenario
from simstudy.study.exact_points import exact_grid
from simstudy.study.measures import Cell
from simstudy.study.methods_on_rows import Evaluator, by_reading
from simstudy.study.plan import Study, make_study
from simstudy.study.results import to_dataset
from simstudy.study.simulated_points import Job, Progress, interruptible, reporting, simulate


def power_of(study: Study, progress: Progress | None = None) -> xr.Dataset:
    """Return the power at every design point of a study, each method by its engine."""
    report = reporting(progress)
    evaluator = Evaluator(study.options)
    cells: list[dict[str, Cell]] = [{} for _ in study.points]
    by_engine = [
        {engine: [m for m, e in zip(study.methods, engines, strict=True) if e == engine] for engine in engines}
        for engines in study.engines
    ]
    exact = [index for index, asked in enumerate(by_engine) if "exact" in asked]
    with interruptible(lambda: f"{sum(map(bool, cells))} of {len(cells)} design points were done"):
        points, methods = [study.points[i] for i in exact], [by_engine[i]["exact"] for i in exact]
        for done, (at, found) in enumerate(exact_grid(points, methods, evaluator), 1):
            cells[exact[at]].update(found)
            report(done, len(exact), "design points")
    jobs = [
        Job(index, point, engine, asked[engine], list(by_reading(point, asked[engine])))
        for index, (point, asked) in enumerate(zip(study.points, by_engine, strict=True))
        for engine in ("counts", "full")
        if engine in asked
    ]
    for index, found in simulate(jobs, study.options, evaluator, report):
        cells[index].update(found)
    return to_dataset(study, cells)


def power_curve(
    scenario: str | Scenario,
    *,
    method: str | Sequence[str] | None = None,
    engine: str = "auto",
    replications: int | None = None,
    mcse: float | None = None,
    seed: int = 1,
    alpha: float | Sequence[float] = 0.05,
    alternative: str = "two-sided",
    threads: int | None = None,
    common_random_numbers: bool = True,
    comparisons: int = 1,
    unusable: float = 0.0,
    impossible: str = "refuse",
    progress: Progress | None = None,
    **parameters: Any,
) -> xr.Dataset:
    """Return the power of methods over a grid of design points.

    Parameters
    ----------
    scenario : str or Scenario
        For example ``"paired"``; `simstudy.scenario_names` lists them.
    method : str or sequence of str, optional
        Methods of the scenario; its default methods where not given.
    engine : {"auto", "exact", "counts", "full"}
        auto: exact where that costs about a second or less per point and method, else counts, else full.
    replications : int, optional
        Replications per design point of the simulating engines, 10,000 where not given.
    mcse : float, optional
        Instead of replications: double them from 1000 until half the Wilson 95% interval over 1.96 is at most this, in
        (0, 0.5), or 1,024,000 are reached.
    seed : int
        64-bit seed.
    alpha : float or sequence of float
        Level of the tests, in (0, 1); a sequence becomes a dimension.
    alternative : {"two-sided", "greater", "less"}
        "greater": B better than A.
    threads : int, optional
        All processors where not given; changes no number.
    common_random_numbers : bool
        Whether design points share their draws (full engine).
    comparisons : int
        Number of comparisons among which alpha is divided (Bonferroni).
    unusable : float
        Share of units lost to errors or unreadable output, in [0, 1).
    impossible : {"refuse", "skip"}
        What becomes of design points of a grid that cannot exist: with "skip" they are NaN and the variable ``status``
        says which.
    progress : callable, optional
        Called with (done, total, unit).
    **parameters
        Parameters of the scenario: a number, a sequence (which becomes a dimension), or text such as "0:0.2:0.05".

    Returns
    -------
    xarray.Dataset
        Dimensions: swept parameters, alpha if it is a sequence, method. Variables: power, power_mcse, ... (see the
        attributes of each). NaN means undefined; the variable ``undefined`` says how often.

    Raises
    ------
    RequestError
        For anything that does not fit the scenario: the message says what is allowed.
    InterruptedStudyError
        If the user stops it.

    Examples
    --------
    >>> import simstudy
    >>> result = simstudy.power_curve("paired", n_cases=100, logit_a=0.847, logit_b=1.386, difficulty_sd=[0, 1.5, 3])
    >>> result.power.sel({"method": "mcnemar_exact"}).round(4).values.tolist()
    [0.3105, 0.2513, 0.1734]
    """
    study = make_study(
        scenario,
        parameters,
        method=method,
        engine=engine,
        replications=replications,
        mcse=mcse,
        seed=seed,
        alpha=alpha,
        alternative=alternative,
        threads=threads,
        common_random_numbers=common_random_numbers,
        comparisons=comparisons,
        unusable=unusable,
        impossible=impossible,
    )
    return power_of(study, progress)
