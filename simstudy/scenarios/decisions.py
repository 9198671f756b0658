"""What a method decides: a few named outcomes, which of them are right, and the null that they are about.

A row of counts is decided to one outcome. Outcome 0 decides nothing; the others have the numbers 1, 2, ... `power` is
the probability of the decisive ones, `power_right` and `power_wrong` that of those that are right and wrong at the
parameters of a design point. A null is a value of what the method estimates; the null of the *effect*, from which a
minimum detectable effect is searched, is the scenario's and may lie on another scale (a win rate of ½ at strength 0).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RefusedError
from simstudy.options import ROUNDING
from simstudy.scenarios.parts import Call, Values

if TYPE_CHECKING:
    from simstudy.scenarios.declaration import DesignPoint, Scenario
    from simstudy.scenarios.method import Method

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Codes = NDArray[np.int8]

# codes of outcomes: nothing, the positive or affirmed one, the negative one
NOTHING, UP, DOWN = 0, 1, 2
# a true value this near to its null is at it
AT_NULL = 1e-12

Bound = float | str | Callable[[Values], float]


class Evidence(Protocol):
    """What is known of some rows at one level, as a decision asks for it.

    Attributes
    ----------
    rows : int
        Number of rows.
    level : float
        Level of the test.
    alternative : {"two-sided", "greater", "less"}
    null : float or None
        Null of what the method estimates.
    p, estimate : array of float64, shape (rows,), optional
        NaN where undefined.
    """

    @property
    def rows(self) -> int: ...  # noqa: D102
    @property
    def level(self) -> float: ...  # noqa: D102
    @property
    def alternative(self) -> str: ...  # noqa: D102
    @property
    def null(self) -> float | None: ...  # noqa: D102
    @property
    def p(self) -> Floats | None: ...  # noqa: D102
    @property
    def estimate(self) -> Floats | None: ...  # noqa: D102

    def limits(self, level: float) -> tuple[Floats, Floats]:
        """Return the interval of a confidence level.

        Parameters
        ----------
        level : float
            Confidence level, in (0, 1).

        Returns
        -------
        low, high : array of float64, shape (rows,)
            NaN where undefined, infinite where unbounded.
        """

    def value(self, call: Call | str, **extra: Any) -> Any:
        """Return a column, or what a function says of the rows.

        Parameters
        ----------
        call : Call or str
            A function, or the name of a column.
        **extra
            What the function takes beside the columns: ``level``, ``alternative``.

        Returns
        -------
        array, shape (rows,), or a tuple of them
        """

    def bound(self, bound: Bound) -> float:
        """Return a bound that may be named, or follow from the values.

        Parameters
        ----------
        bound : float, str or callable
            A number, the name of what holds it, "alpha", or a function of the values.

        Returns
        -------
        float
        """


@dataclass(frozen=True)
class Decided:
    """Decisions on some rows.

    Attributes
    ----------
    code : array of int8, shape (rows,), optional
        Number of the outcome; None where there is no null to decide about.
    undefined : array of bool, shape (rows,)
        Where nothing could be decided because something is undefined; the code is 0 there.
    said : dict
        Part of a rule → array of int8: what it says of each row (`simstudy.scenarios.rules`).
    """

    code: Codes | None
    undefined: Bools
    said: dict[str, Codes]


@dataclass(frozen=True)
class Decision:
    """What a rejection asserts; subclasses are the kinds of assertion.

    Parameters
    ----------
    null : float or str, optional
        Value of the method's estimate that the decision is about, or the name of the parameter, or of the truth, that
        holds it. The scenario's null where not given.

    Attributes
    ----------
    measures_size : bool
        Whether an estimate among decisions can be compared with the true distance from the null (type M).
    about_margin : bool
        Whether the decision is about a margin, so that the null effect is no null of it.
    two_directions : bool
        Whether decisions in both directions exist.
    has_smallest_effect : bool
        Whether there is a smallest effect from which the decision is made.
    claims : str
        What a list of methods, and a refusal, says of the claim; empty for a plain difference.
    """

    null: float | str | None = None

    measures_size: ClassVar[bool] = False
    about_margin: ClassVar[bool] = False
    two_directions: ClassVar[bool] = False
    has_smallest_effect: ClassVar[bool] = True
    claims: ClassVar[str] = ""

    def names(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the names of the outcomes, by code.

        Parameters
        ----------
        scenario : Scenario

        Returns
        -------
        tuple of str
            The name of outcome 0 first: the one that decides nothing.
        """
        return ("no decision", scenario.directions[1])

    @property
    def decisive(self) -> tuple[int, ...]:
        """The codes whose probability is the power."""
        return (UP,)

    def null_at(self, point: DesignPoint) -> float | None:
        """Return the null on the scale of what the method estimates, or None where nothing is decided.

        Parameters
        ----------
        point : DesignPoint

        Returns
        -------
        float or None
        """
        if self.null is None:
            return point.null
        if not isinstance(self.null, str):
            return self.null
        return float({**point.truth, **point.derived, **point.values}[self.null])

    def direction(self, point: DesignPoint, method: Method) -> int:
        """Return on which side of the null the truth lies: 1, −1, or 0 at the null itself.

        A decision with a null of its own is about what the method estimates, another about the scenario's estimand.

        Parameters
        ----------
        point : DesignPoint
        method : Method

        Returns
        -------
        int
        """
        own = self.null is not None
        null = self.null_at(point) if own else point.null
        if null is None:
            return 0
        distance = (point.target(method) if own else point.estimand) - null
        # 0 also where the truth is undefined
        return int(np.sign(distance)) if abs(distance) > AT_NULL else 0

    def truth(self, point: DesignPoint, method: Method) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Return the codes that are right and those that are wrong; None at the null, where no direction is right.

        Parameters
        ----------
        point : DesignPoint
        method : Method

        Returns
        -------
        tuple of tuple of int, or None
            (right, wrong).
        """
        direction = self.direction(point, method)
        if not direction:
            return None
        return ((UP,), (DOWN,)) if direction > 0 else ((DOWN,), (UP,))

    def start(self, values: Values, scenario: Scenario, method: Method) -> float:
        """Return the effect from which a smallest detectable one is searched, on the scale of the effect.

        That is the null of the effect; a null of the decision's own where what is estimated is the effect itself.

        Parameters
        ----------
        values : mapping
            Every parameter in force but the effect.
        scenario : Scenario
        method : Method

        Returns
        -------
        float

        Raises
        ------
        RefusedError
            If there is no smallest effect.
        """
        if self.null is None or method.estimand or not scenario.estimates_effect:
            return scenario.effect_null(values)
        return float(values.get(self.null, scenario.effect_null(values)) if isinstance(self.null, str) else self.null)

    def level_of(self, method: Method, alpha: float, alternative: str) -> float | None:
        """Return the nominal error rate at the null; None where the method has no level.

        Parameters
        ----------
        method : Method
        alpha : float
            Level of the test, in (0, 1).
        alternative : {"two-sided", "greater", "less"}

        Returns
        -------
        float or None
        """
        return alpha if method.test else None

    def level_words(self, method: Method, alternative: str) -> str:
        """Return how the level is meant where the study's own words do not say it; empty where they do.

        Parameters
        ----------
        method : Method
        alternative : {"two-sided", "greater", "less"}

        Returns
        -------
        str
            As in "one-sided at the margin".
        """
        return ""

    def allows(self, alternative: str) -> bool:
        """Return whether an alternative fits the claim.

        Parameters
        ----------
        alternative : {"two-sided", "greater", "less"}

        Returns
        -------
        bool
        """
        return self.two_directions or alternative != "less"

    def sees(self, direction: int, alternative: str) -> bool:
        """Return whether a true direction is one that can be decided for.

        Parameters
        ----------
        direction : int
            1, -1 or 0, as `direction` returns it.
        alternative : {"two-sided", "greater", "less"}

        Returns
        -------
        bool
        """
        upward, downward = alternative != "less", alternative != "greater" and self.two_directions
        return (direction > 0 and upward) or (direction < 0 and downward)

    def looks_for(self, side: int, alternative: str) -> bool:
        """Return whether effects on a side of their null, 1 or −1, are what is to be found.

        Parameters
        ----------
        side : int
            1 above the null, -1 below it.
        alternative : {"two-sided", "greater", "less"}

        Returns
        -------
        bool
        """
        return self.sees(side, alternative)

    def decide(self, evidence: Evidence) -> Decided:
        """Return the decisions on rows.

        Parameters
        ----------
        evidence : Evidence
            What is known of the rows at one level.

        Returns
        -------
        Decided

        Raises
        ------
        RefusedError
            If the method has neither a p-value nor an interval, or they cannot decide at this level.
        """
        if evidence.p is not None:
            undefined = np.isnan(evidence.p)
            code = self.by_p_value(evidence, evidence.p <= evidence.level * (1.0 + ROUNDING))
        else:
            low, high = evidence.limits(1.0 - evidence.level)
            undefined = np.isnan(low) | np.isnan(high)
            code = self.by_interval(evidence, low, high)
        return Decided(code, undefined, {})

    def by_p_value(self, evidence: Evidence, reject: Bools) -> Codes:
        """Return the codes of rows whose p-value is small, or not.

        Parameters
        ----------
        evidence : Evidence
            What is known of the rows at one level.
        reject : array of bool, shape (rows,)
            Where the p-value is at most the level.

        Returns
        -------
        array of int8, shape (rows,)
        """
        return coded(reject)

    def by_interval(self, evidence: Evidence, low: Floats, high: Floats) -> Codes:
        """Return the codes of rows with these two-sided limits.

        Parameters
        ----------
        evidence : Evidence
            What is known of the rows at one level.
        low, high : array of float64, shape (rows,)
            Limits of the 1 − alpha interval.

        Returns
        -------
        array of int8, shape (rows,)
        """
        null = evidence.bound(0.0 if evidence.null is None else evidence.null)
        if evidence.alternative == "two-sided":
            return coded(low > null, high < null if self.two_directions else None)
        low, high = evidence.limits(1.0 - 2.0 * _one_sided(evidence))
        return coded(low > null) if evidence.alternative == "greater" else coded(np.zeros_like(low > 0), high < null)


@dataclass(frozen=True)
class Difference(Decision):
    """Which side of the null the truth lies on; two-sided unless the study's alternative is not."""

    measures_size = True
    two_directions = True

    def names(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the names of the outcomes, by code."""
        return ("no decision", scenario.directions[1], scenario.directions[0])

    @property
    def decisive(self) -> tuple[int, ...]:
        """Both directions."""
        return (UP, DOWN)

    def by_p_value(self, evidence: Evidence, reject: Bools) -> Codes:
        """Return the codes; the estimate gives two-sided rejections their direction."""
        if evidence.alternative == "greater":
            return coded(reject)
        if evidence.alternative == "less":
            return coded(np.zeros_like(reject), reject)
        if evidence.estimate is None or evidence.null is None:
            raise RefusedError("A two-sided p-value needs an estimate and a null, which give rejections a direction.")
        return coded(reject & (evidence.estimate > evidence.null), reject & (evidence.estimate <= evidence.null))


@dataclass(frozen=True)
class Exceeds(Decision):
    """That the null is exceeded; upwards alone."""

    claims = "that the null is exceeded"

    def level_of(self, method: Method, alpha: float, alternative: str) -> float | None:
        """Return the nominal error rate: half of alpha for the lower limit of a two-sided interval."""
        if method.test and method.p_value is None and alternative == "two-sided":
            return alpha / 2
        return super().level_of(method, alpha, alternative)

    def level_words(self, method: Method, alternative: str) -> str:
        """Return by what the claim is made."""
        if not method.test:
            return super().level_words(method, alternative)
        if method.p_value is not None:
            return "one-sided by a p-value: nominal size alpha"
        limit = "the two-sided interval: nominal size alpha/2" if alternative == "two-sided" else "a one-sided interval"
        return f"by the lower limit of {limit}"


@dataclass(frozen=True)
class NonInferiority(Decision):
    """That the estimand lies above −margin, one-sided at alpha.

    Parameters
    ----------
    margin : str
        Parameter that holds the margin.
    """

    margin: str = "margin"
    about_margin = True
    claims = "non-inferiority"

    def null_at(self, point: DesignPoint) -> float | None:
        """Return −margin."""
        return -float(point.values[self.margin])

    def direction(self, point: DesignPoint, method: Method) -> int:
        """Return on which side of −margin the truth lies."""
        return int(np.sign(point.estimand + point.values[self.margin]))

    def start(self, values: Values, scenario: Scenario, method: Method) -> float:
        """Return −margin: the effect at which the claim ceases to be true."""
        return -float(values.get(self.margin, 0.0))

    def level_words(self, method: Method, alternative: str) -> str:
        """Return that such claims are one-sided."""
        return "one-sided at the margin"

    def by_interval(self, evidence: Evidence, low: Floats, high: Floats) -> Codes:
        """Return the codes by the lower limit of the 1 − 2·alpha interval."""
        low, _ = evidence.limits(1.0 - 2.0 * _one_sided(evidence))
        return coded(low > -evidence.bound(self.margin))


@dataclass(frozen=True)
class Equivalence(NonInferiority):
    """That the estimand lies between −margin and margin: two one-sided tests at alpha each."""

    claims = "equivalence"
    has_smallest_effect = False

    def direction(self, point: DesignPoint, method: Method) -> int:
        """Return whether the truth lies within the margins."""
        return int(np.sign(point.values[self.margin] - abs(point.estimand)))

    def start(self, values: Values, scenario: Scenario, method: Method) -> float:
        """Refuse: equivalence is most likely at no difference."""
        raise RefusedError("mde: equivalence is most likely at no difference; it has no smallest effect.")

    def by_interval(self, evidence: Evidence, low: Floats, high: Floats) -> Codes:
        """Return the codes by the 1 − 2·alpha interval, which must lie within the margins."""
        low, high = evidence.limits(1.0 - 2.0 * _one_sided(evidence))
        margin = evidence.bound(self.margin)
        return coded((low > -margin) & (high < margin))


DIFFERENCE = Difference()
READY_MADE: dict[str, Decision] = {
    "difference": DIFFERENCE,
    "exceeds": Exceeds(),
    "non_inferiority": NonInferiority(),
    "equivalence": Equivalence(),
}


def coded(up: Bools, down: Bools | None = None) -> Codes:
    """Return the codes of rows decided up, down, or not at all.

    Parameters
    ----------
    up : array of bool, shape (rows,)
        Where the positive or affirmed outcome is decided for.
    down : array of bool, shape (rows,), optional
        Where the negative one is, if it exists; ``up`` goes before it.

    Returns
    -------
    array of int8, shape (rows,)
        `UP`, `DOWN` or `NOTHING`.
    """
    code = up.astype(np.int8)
    if down is not None:
        code[down & ~up] = DOWN
    return code


def _one_sided(evidence: Evidence) -> float:
    if evidence.level >= 0.5:
        raise RefusedError("A one-sided decision by an interval needs an alpha below 0.5.")
    return evidence.level
