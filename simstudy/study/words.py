"""What was asked, in words."""

from __future__ import annotations

from collections.abc import Sequence

from simstudy.scenarios.declaration import Number
from simstudy.study.grid import Grid
from simstudy.study.options import Options
from simstudy.study.plan import Study


def number(value: Number) -> str:
    """Return a number as it is said: whole ones without a point, others to ten digits.

    Parameters
    ----------
    value : int or float

    Returns
    -------
    str
    """
    return str(value) if isinstance(value, int) else f"{value:.10g}"


def listing(values: Sequence[Number], most: int = 8) -> str:
    """Return values as a list in words, shortened in the middle.

    Parameters
    ----------
    values : sequence of numbers
    most : int
        How many are written out.

    Returns
    -------
    str
    """
    if len(values) <= most:
        return ", ".join(number(v) for v in values)
    head = ", ".join(number(v) for v in values[:2])
    return f"{head}, …, {number(values[-1])} ({len(values)} values)"


def setting(grid: Grid) -> str:
    """Return the parameters of a grid in words.

    Parameters
    ----------
    grid : Grid

    Returns
    -------
    str
        For example ``"n_cases 36, 100; accuracy_a 0.7; difficulty_sd 1.5 (default)"``.
    """
    parts = []
    for parameter in grid.scenario.parameters:
        name = parameter.name
        if name in grid.swept:
            parts.append(f"{name} {listing(grid.swept[name])}")
        elif name in grid.fixed:
            parts.append(f"{name} {number(grid.fixed[name])}" + (" (default)" if name in grid.defaults else ""))
    return "; ".join(parts)


def level(options: Options) -> str:
    """Return level and alternative in words.

    Parameters
    ----------
    options : Options

    Returns
    -------
    str
        For example ``"alpha 0.05, two-sided"``.
    """
    words = f"alpha {listing(options.alpha)}"
    if options.comparisons > 1:
        words += f" divided by {options.comparisons} comparisons (Bonferroni)"
    sides = {"two-sided": "two-sided", "greater": "one-sided (B better)", "less": "one-sided (A better)"}
    words += f", {sides[options.alternative]}"
    if options.unusable:
        words += f"; {options.unusable:.4g} of the units unusable"
    return words


def question(study: Study, asked: str) -> str:
    """Return the sentence that opens a result.

    Parameters
    ----------
    study : Study
    asked : str
        What is asked, for example ``"Power"``.

    Returns
    -------
    str
    """
    methods = ", ".join(method.name for method in study.methods)
    margins = [method.name for method in study.methods if method.claim != "difference"]
    if margins:
        methods += f" ({'all' if len(margins) == len(study.methods) else ', '.join(margins)} one-sided at the margin)"
    title, name = study.scenario.title, study.scenario.name
    return f"{asked}: {title} ({name}); {setting(study.grid)}; {level(study.options)}; {methods}."
