"""Decision rules: claims that are made where several conditions hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simstudy.errors import RequestError
from simstudy.options import ROUNDING
from simstudy.scenarios.decisions import DOWN, UP, Bools, Bound, Codes, Decided, Decision, Evidence, coded
from simstudy.scenarios.parts import Call, Values

if TYPE_CHECKING:
    from simstudy.scenarios.declaration import DesignPoint, Scenario
    from simstudy.scenarios.method import Method

# what a part of a rule says: it holds, it does not, or it leaves the question open
HOLDS, OPEN, FAILS = 1, 0, -1


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
        """Return what the part says of each row, and where it is undefined.

        Parameters
        ----------
        evidence : Evidence
            What is known of the rows at one level.

        Returns
        -------
        code : array of int8, shape (rows,)
            `HOLDS`, `OPEN` or `FAILS`.
        undefined : array of bool, shape (rows,)
            Where what it reads is NaN; the code is `OPEN` there.
        """
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
        if self.holds is None:
            return 1 if super().direction(point, method) > 0 else -1
        true = self.holds(point.values)
        if not isinstance(true, bool | np.bool_):
            raise RequestError(
                f"Scenario {point.scenario.name}, method '{method.name}', holds() returns {true!r}; it must return "
                "True or False."
            )
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


def blocked_by(said: dict[str, Codes], part: str) -> Bools:
    """Return the rows on which one part alone kept a rule from passing.

    Parameters
    ----------
    said : dict of str to array of int8, shape (rows,)
        What each part said.
    part : str
        Name of the part.

    Returns
    -------
    array of bool, shape (rows,)
    """
    blocked: Bools = said[part] != HOLDS
    for name, codes in said.items():
        if name != part:
            blocked = blocked & (codes == HOLDS)
    return blocked
