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
# what a part of a rule says: it holds, it does not, or it leaves the question open
HOLDS, OPEN, FAILS = 1, 0, -1

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
        """Return the interval of a confidence level."""

    def value(self, call: Call | str, **extra: Any) -> Any:
        """Return a column, or what a function says of the rows."""

    def bound(self, bound: Bound) -> float:
        """Return a bound that may be named, or follow from the values."""


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
        Part of a rule → array of int8: `HOLDS`, `OPEN` or `FAILS`.
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
    """

    null: float | str | None = None

    # whether an estimate among decisions can be compared with the true distance from the null (type M)
    measures_size: ClassVar[bool] = False
    # whether the decision is about a margin, so that the null effect is no null of it
    about_margin: ClassVar[bool] = False
    # whether decisions in both directions exist
    two_directions: ClassVar[bool] = False
    # whether there is a smallest effect from which the decision is made
    has_smallest_effect: ClassVar[bool] = True
    # what a list of methods says of the claim, and what a refusal says; empty for a plain difference
    claims: ClassVar[str] = ""

    def names(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the names of the outcomes, by code."""
        return ("no decision", scenario.directions[1])

    @property
    def decisive(self) -> tuple[int, ...]:
        """The codes whose probability is the power."""
        return (UP,)

    def null_at(self, point: DesignPoint) -> float | None:
        """Return the null on the scale of what the method estimates, or None where nothing is decided."""
        if self.null is None:
            return point.null
        if not isinstance(self.null, str):
            return self.null
        return float({**point.truth, **point.derived, **point.values}[self.null])

    def direction(self, point: DesignPoint, method: Method) -> int:
        """Return on which side of the null the truth lies: 1, −1, or 0 at the null itself.

        A decision with a null of its own is about what the method estimates, another about the scenario's estimand.
        """
        own = self.null is not None
        null = self.null_at(point) if own else point.null
        if null is None:
            return 0
        distance = (point.target(method) if own else point.estimand) - null
        return 0 if abs(distance) <= AT_NULL else int(np.sign(distance))

    def truth(self, point: DesignPoint, method: Method) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Return the codes that are right and those that are wrong; None at the null, where no direction is right."""
        direction = self.direction(point, method)
        if not direction:
            return None
        return ((UP,), (DOWN,)) if direction > 0 else ((DOWN,), (UP,))

    def start(self, values: Values, scenario: Scenario, method: Method) -> float:
        """Return the effect from which a smallest detectable one is searched, on the scale of the effect.

        That is the null of the effect; a null of the decision's own where what is estimated is the effect itself.
        """
        if self.null is None or method.estimand or not scenario.estimates_effect:
            return scenario.effect_null(values)
        return float(values.get(self.null, scenario.effect_null(values)) if isinstance(self.null, str) else self.null)

    def level_of(self, method: Method, alpha: float, alternative: str) -> float | None:
        """Return the nominal error rate at the null; None where the method has no level."""
        return alpha if method.test else None

    def level_words(self, method: Method, alternative: str) -> str:
        """Return how the level is meant where the study's own words do not say it; empty where they do."""
        return ""

    def allows(self, alternative: str) -> bool:
        """Return whether an alternative fits the claim."""
        return self.two_directions or alternative != "less"

    def sees(self, direction: int, alternative: str) -> bool:
        """Return whether a true direction is one that can be decided for."""
        upward, downward = alternative != "less", alternative != "greater" and self.two_directions
        return (direction > 0 and upward) or (direction < 0 and downward)

    def looks_for(self, side: int, alternative: str) -> bool:
        """Return whether effects on a side of their null, 1 or −1, are what is to be found."""
        return self.sees(side, alternative)

    def decide(self, evidence: Evidence) -> Decided:
        """Return the decisions on rows."""
        if evidence.p is not None:
            undefined = np.isnan(evidence.p)
            code = self.by_p_value(evidence, evidence.p <= evidence.level * (1.0 + ROUNDING))
        else:
            low, high = evidence.limits(1.0 - evidence.level)
            undefined = np.isnan(low) | np.isnan(high)
            code = self.by_interval(evidence, low, high)
        return Decided(code, undefined, {})

    def by_p_value(self, evidence: Evidence, reject: Bools) -> Codes:
        """Return the codes of rows whose p-value is small, or not."""
        return coded(reject)

    def by_interval(self, evidence: Evidence, low: Floats, high: Floats) -> Codes:
        """Return the codes of rows with these two-sided limits."""
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


@dataclass(frozen=True)
class Part:
    """One condition of a rule.

    Parameters
    ----------
    name : str
        What it is called in measures: ``said_NAME``, ``blocked_by_NAME``.
    words : str
        What it says where it holds, as the end of "the rule asks that ...".
    of : Call or str
        A function that yields a number for each row, or a column. With ``interval``, one that takes ``level`` and
        yields two limits.
    at_least, at_most : float, str or callable, optional
        The bound: a number, the name of a parameter or of a derived number, "alpha", or a function of the values.
    interval : bool
        Whether the part holds where the whole interval lies on the right side of the bound, fails where it lies on the
        wrong side, and is open in between.
    opens : bool
        Whether a part that does not hold leaves the question open instead of failing: a p-value above its level.
    alternative : str
        What the function is given as ``alternative``; nothing where empty.
    """

    name: str
    words: str
    of: Call | str
    at_least: Bound | None = None
    at_most: Bound | None = None
    interval: bool = False
    opens: bool = False
    alternative: str = ""

    def said(self, evidence: Evidence) -> tuple[Codes, Bools]:
        """Return what the part says of each row, and where it is undefined."""
        bound = evidence.bound(self.at_least if self.at_least is not None else self.at_most)  # type: ignore[arg-type]
        extra = {"alternative": self.alternative} if self.alternative else {}
        if self.interval:
            low, high = evidence.value(self.of, level=1.0 - evidence.level, **extra)
        else:
            low = high = np.asarray(evidence.value(self.of, **extra), np.float64)
        # a number that meets its bound but for rounding meets it
        slack = ROUNDING * max(1.0, abs(bound)) if self.at_most != "alpha" else ROUNDING * bound
        if self.at_least is not None:
            holds, fails = low >= bound - slack, high < bound - slack
        else:
            holds, fails = high <= bound + slack, low > bound + slack
        open_ = ~fails if not self.opens else np.ones_like(fails)
        undefined = np.isnan(low) | np.isnan(high)
        code = np.where(holds, HOLDS, np.where(open_, OPEN, FAILS))
        return np.where(undefined, OPEN, code).astype(np.int8), undefined


@dataclass(frozen=True)
class Rule(Decision):
    """A rule of several parts: it passes where all hold; it fails, if it can, where one of them fails.

    Parameters
    ----------
    parts : tuple of Part
    passes, otherwise : str
        Names of the outcome where all parts hold, and of the one that decides nothing.
    fails : str
        Name of the outcome where a part fails; none where empty: then that decides nothing either.
    power_is : str
        Name of the outcome whose probability is the power; the one that passes where empty.
    claim : str
        What is asserted where the rule passes, as in "that B wins more often".
    holds : callable, optional
        ``holds(values)``: whether the claim is true; whether the effect lies above its null where not given.
    """

    parts: tuple[Part, ...] = ()
    passes: str = "pass"
    otherwise: str = "no decision"
    fails: str = ""
    power_is: str = ""
    claim: str = ""
    holds: Callable[[Values], bool] | None = None

    @property
    def measures_size(self) -> bool:  # type: ignore[override]
        """Whether the rule is about an estimate with a null of its own."""
        return self.null is not None

    @property
    def claims(self) -> str:  # type: ignore[override]
        """The rule in words."""
        asks = " and ".join(part.words for part in self.parts)
        return f"{self.claim or self.passes}, by a rule: it asks that {asks}"

    @property
    def bounds(self) -> tuple[str, ...]:
        """Names of the parameters that hold bounds of parts."""
        named = [bound for part in self.parts for bound in (part.at_least, part.at_most)]
        return tuple(bound for bound in named if isinstance(bound, str) and bound != "alpha")

    def names(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the names of the outcomes, by code."""
        return (self.otherwise, self.passes, *([self.fails] if self.fails else []))

    @property
    def decisive(self) -> tuple[int, ...]:
        """The outcome whose probability is the power."""
        return (DOWN,) if self.power_is and self.power_is == self.fails else (UP,)

    def direction(self, point: DesignPoint, method: Method) -> int:
        """Return 1 where the claim is true and −1 where it is false, as at the null of a claim that says no more."""
        true = bool(self.holds(point.values)) if self.holds else super().direction(point, method) > 0
        return 1 if true else -1

    def truth(self, point: DesignPoint, method: Method) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Return the codes that are right and wrong by the truth of the claim."""
        fails = (DOWN,) if self.fails else ()
        return ((UP,), fails) if self.direction(point, method) > 0 else (fails, (UP,))

    def sees(self, direction: int, alternative: str) -> bool:
        """Return whether the outcome that counts as power is the right one where the claim is true, or false."""
        seen = direction > 0 if self.decisive == (UP,) else direction < 0
        return seen and self.allows(alternative)

    def looks_for(self, side: int, alternative: str) -> bool:
        """Return whether effects are positive, whichever outcome they lead to."""
        return side > 0 and self.allows(alternative)

    def level_of(self, method: Method, alpha: float, alternative: str) -> float | None:
        """Return no level: parts have levels, and together they make less of it."""
        return None

    def level_words(self, method: Method, alternative: str) -> str:
        """Return that it is a rule, and of which parts."""
        return f"by a rule: {' and '.join(part.name for part in self.parts)}"

    def decide(self, evidence: Evidence) -> Decided:
        """Return the decisions, with what each part said."""
        said, undefined = {}, np.zeros(evidence.rows, np.bool_)
        for part in self.parts:
            said[part.name], unknown = part.said(evidence)
            undefined |= unknown
        table = np.stack(list(said.values()))
        passed = (table == HOLDS).all(axis=0)
        failed = (table == FAILS).any(axis=0) & bool(self.fails)
        return Decided(coded(passed, failed), undefined, said)


DIFFERENCE = Difference()
READY_MADE: dict[str, Decision] = {
    "difference": DIFFERENCE,
    "exceeds": Exceeds(),
    "non_inferiority": NonInferiority(),
    "equivalence": Equivalence(),
}


def coded(up: Bools, down: Bools | None = None) -> Codes:
    """Return the codes of rows decided up, down, or not at all."""
    code = up.astype(np.int8)
    if down is not None:
        code[down & ~up] = DOWN
    return code


def _one_sided(evidence: Evidence) -> float:
    if evidence.level >= 0.5:
        raise RefusedError("A one-sided decision by an interval needs an alpha below 0.5.")
    return evidence.level


def blocked_by(said: dict[str, Codes], part: str) -> Bools:
    """Return the rows on which one part alone kept a rule from passing."""
    blocked: Bools = said[part] != HOLDS
    for name, codes in said.items():
        if name != part:
            blocked = blocked & (codes == HOLDS)
    return blocked
