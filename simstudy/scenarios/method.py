"""A statistical method, or a decision rule, of a scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from simstudy.scenarios.decisions import READY_MADE, Decision
from simstudy.scenarios.parts import Call, Values
from simstudy.scenarios.rules import Rule


@dataclass(frozen=True)
class Method:
    """A statistical method: what it reads of the counts and what it yields.

    Parameters
    ----------
    name, label, source : str
        Name in requests, words for tables, and where the formula comes from.
    p_value, interval, estimate : Call, optional
        ``p_value(..., alternative=)`` → p; ``interval(..., level=)`` → (low, high); ``estimate(...)`` → number. Without
        a p-value the decision is whether the interval excludes the null.
    claim : {"difference", "exceeds", "non_inferiority", "equivalence"} or Decision
        What a rejection asserts (`simstudy.scenarios.decisions`). "exceeds" decides upwards alone: the lower limit of
        the two-sided 1 − alpha interval lies above the null, or the p-value is small. A `Rule` has parts of its own.
    needs : tuple of str
        Parameters that must be set for this method.
    discordant : tuple of str
        Two projections (against, for) such that the decision depends on them alone, through a McNemar-type p-value
        that is monotone in the second at a fixed sum: then power is a sum over the discordant total.
    estimand : str
        Name of the truth variable that the estimate aims at; the scenario's estimand where empty.
    own_target : str
        Name of the truth variable that the estimator has as its mean, where that is not the estimand: its coverage is
        reported beside.
    unit : str
        Unit of the estimate; the scenario's where empty.
    one_level : bool
        Whether the kernel computes the limits for a single level, so that alpha cannot be a list.
    exact : bool
        Whether there is an exact law of what the method reads.
    nanoseconds : float
        Rough cost per distinct row, for the choice of engine.
    nanoseconds_per_root : float
        What a row costs more, in the estimate of a plan, for each square root of the number of units: a method that
        lists the counts that can occur.
    test : bool
        Whether alpha bounds its errors; a rule that always decides has no level.
    misuse : bool
        Whether the method ignores the design (shown because people use it).
    note : str
        A remark for `simstudy list`.
    instead : str
        Method of the scenario that is defined where this one is not.
    measures : mapping
        Measure that the scenario declares → the function of a row that it is the mean of, with this method.
    costs : mapping
        Cost, described in the scenario's ``units`` → ``cost(values)``: judge calls and labels that this method needs.
        Costs that all methods share are the scenario's truth.
    """

    name: str
    label: str
    source: str
    p_value: Call | None = None
    interval: Call | None = None
    estimate: Call | None = None
    claim: Literal["difference", "exceeds", "non_inferiority", "equivalence"] | Decision = "difference"
    needs: tuple[str, ...] = ()
    discordant: tuple[str, ...] = ()
    estimand: str = ""
    own_target: str = ""
    unit: str = ""
    one_level: bool = False
    exact: bool = True
    nanoseconds: float = 200.0
    nanoseconds_per_root: float = 0.0
    test: bool = True
    misuse: bool = False
    note: str = ""
    instead: str = ""
    measures: Mapping[str, Call] = field(default_factory=dict, hash=False)
    costs: Mapping[str, Callable[[Values], float]] = field(default_factory=dict, hash=False)

    @property
    def decision(self) -> Decision:
        """What a rejection asserts."""
        return READY_MADE[self.claim] if isinstance(self.claim, str) else self.claim

    def reads(self, name: str) -> bool:
        """Return whether the method takes a parameter.

        Parameters
        ----------
        name : str

        Returns
        -------
        bool
        """
        bounds = self.decision.bounds if isinstance(self.decision, Rule) else ()
        return name in (*self.needs, *bounds) or any(name in call.arguments for call in self.calls)

    @property
    def resamples(self) -> bool:
        """Whether the method itself draws random numbers."""
        return self.reads("seed")

    @property
    def calls(self) -> tuple[Call, ...]:
        """The functions of this method."""
        own = (self.p_value, self.interval, self.estimate, *self.measures.values())
        return (*(call for call in own if call is not None), *(c for c in self._of_parts if isinstance(c, Call)))

    @property
    def columns(self) -> tuple[str, ...]:
        """Counts, projections and other names that its functions and the parts of its rule read."""
        named = [name for call in self.calls for name in call.arguments]
        return tuple(dict.fromkeys([*named, *(c for c in self._of_parts if isinstance(c, str))]))

    @property
    def _of_parts(self) -> tuple[Call | str, ...]:
        return tuple(part.of for part in self.decision.parts) if isinstance(self.decision, Rule) else ()
