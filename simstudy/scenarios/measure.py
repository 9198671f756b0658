"""What is reported of a method: one description of each measure, from which everything else about it follows.

`MEASURES` holds those that every scenario has; a scenario declares its own in the same way (`Scenario.measures`).
Words, units, errors, where a table shows it and whether it can be a target are said here and nowhere else;
docs/measures.md is written from this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from simstudy.scenarios.parts import Call


@dataclass(frozen=True)
class Said:
    """That a part of a rule holds.

    Parameters
    ----------
    part : str
        Name of the `Part`.
    """

    part: str


@dataclass(frozen=True)
class Blocked:
    """That one part of a rule alone kept it from passing.

    Parameters
    ----------
    part : str
        Name of the `Part`.
    """

    part: str


@dataclass(frozen=True)
class Outcome:
    """That a decision has a certain outcome, by its name.

    Parameters
    ----------
    name : str
        One of the names of the method's decision (`Decision.names`).
    """

    name: str


@dataclass(frozen=True)
class Measure:
    """A number that is reported of each method at each design point.

    Parameters
    ----------
    name, words, unit : str
        Name in datasets and requests, what it is, and its unit.
    of : Call, str, Said, Blocked or Outcome, optional
        What it is the mean of: a function of a row or a column, NaN where a row has no part in it; what a part of a
        rule said; an outcome. Where not given, each method says it in ``Method.measures``; the measures of every
        scenario are computed by `simstudy.study.measures`.
    given : Call or str, optional
        Condition: a function of a row, or a column, that is not 0 where the row counts.
    at : mapping
        Parameters that have another value where this is measured: a good version beside a bad one.
    error : {"rate", "mean", "none"}
        Kind of Monte Carlo error: that of a share of replications, of a mean, or none.
    limits : bool
        Whether Wilson 95% limits stand beside it (``_low``, ``_high``).
    of_estimate : bool
        Whether its unit is that of the method's estimate.
    among : str
        Measure whose event is the condition: wrong directions are counted among rejections.
    better : {"more", "less"}, optional
        As a target: whether it has to be at least, or at most, the value; no target where not given.
    aims : mapping
        Names as a target, where they are others than its own, and what the measure is multiplied with: half of a width.
    behind_power : int
        Place in the table that stands beside the power of few design points; not shown there where 0, but for a
        scenario's own measures, which then come last.
    without_power : int
        Place among what is shown where nothing is decided; not shown there where 0.
    more : str
        What docs/measures.md adds to the words.
    """

    name: str
    words: str
    unit: str = "proportion"
    of: Call | str | Said | Blocked | Outcome | None = None
    given: Call | str | None = None
    at: Mapping[str, Any] = field(default_factory=dict, hash=False)
    error: Literal["rate", "mean", "none"] = "rate"
    limits: bool = False
    of_estimate: bool = False
    among: str = ""
    better: Literal["more", "less"] | None = None
    aims: Mapping[str, float] = field(default_factory=dict, hash=False)
    behind_power: int = 0
    without_power: int = 0
    more: str = ""

    @property
    def columns(self) -> list[str]:
        """What it reads of a row, and of the values."""
        read: list[str] = []
        for of in (self.of, self.given):
            read += of.arguments if isinstance(of, Call) else [of] if isinstance(of, str) else []
        return read

    @property
    def targets(self) -> Mapping[str, float]:
        """Names as a target, and the factor of the measure that is asked for."""
        return self.aims or ({self.name: 1.0} if self.better else {})

    @property
    def variables(self) -> dict[str, tuple[str, str]]:
        """The variables that a Dataset holds of it: name → (words, unit)."""
        found = {self.name: (self.words, self.unit)}
        if self.error != "none":
            found[f"{self.name}_mcse"] = (f"Monte Carlo standard error of {self.name}", self.unit)
        if self.limits:
            found[f"{self.name}_low"] = (f"lower Wilson 95% limit of {self.name}", self.unit)
            found[f"{self.name}_high"] = (f"upper Wilson 95% limit of {self.name}", self.unit)
        return found


MEASURES: tuple[Measure, ...] = (
    Measure(
        "power",
        "probability of rejecting; at the null effect, the type I error rate",
        limits=True,
        better="more",
        more="in either direction; for a rule: of the decisive outcome",
    ),
    Measure(
        "power_right",
        "probability of rejecting in the right direction",
        better="more",
        behind_power=1,
        more="undefined at the null, where no direction is right; of a claim or a rule: of deciding by the truth",
    ),
    Measure(
        "power_wrong",
        "probability of rejecting in the wrong direction",
        limits=True,
        better="less",
        more="shipping the worse system; of a claim or a rule: of asserting what is not so",
    ),
    Measure(
        "type_s",
        "share of rejections in the wrong direction",
        limits=True,
        among="power",
        behind_power=2,
        more="type S error, Gelman & Carlin 2014",
    ),
    Measure(
        "type_m",
        "mean absolute estimate among rejections over the true absolute difference",
        "ratio",
        error="mean",
        behind_power=3,
        more="distances are taken from the null; 2 means that a significant difference is, on average, twice the truth",
    ),
    Measure(
        "undefined",
        "probability that the method is undefined; counted as not rejecting",
        behind_power=9,
        more="its interval then does not cover",
    ),
    Measure("estimate_mean", "mean estimate, where defined", error="mean", of_estimate=True),
    Measure("bias", "mean estimate minus true value, where defined", error="mean", of_estimate=True, behind_power=4),
    Measure(
        "empirical_se",
        "standard deviation of the estimate over replications, where defined",
        error="mean",
        of_estimate=True,
    ),
    Measure(
        "coverage",
        "probability that the interval holds the true value; of the two-sided interval of level 1 − alpha, whatever "
        "the alternative; undefined ones do not",
        limits=True,
        better="more",
        behind_power=5,
        without_power=1,
    ),
    Measure("miss_below", "probability that the interval lies below the true value", without_power=3),
    Measure("miss_above", "probability that the interval lies above the true value", without_power=4),
    Measure(
        "coverage_own",
        "probability that the interval holds the mean that the estimator itself has; undefined ones do not",
        behind_power=6,
        more="given where that mean is not the truth: a biased estimate can be sure of itself",
    ),
    Measure(
        "interval_width",
        "mean width of the interval, where defined and bounded; two-sided, of level 1 − alpha, whatever the "
        "alternative",
        error="mean",
        of_estimate=True,
        better="less",
        aims={"width": 1.0, "half_width": 0.5},
        behind_power=7,
        without_power=2,
    ),
    Measure("unbounded", "probability that the interval is defined and has an end at infinity", behind_power=8),
)
BY_NAME: dict[str, Measure] = {measure.name: measure for measure in MEASURES}
