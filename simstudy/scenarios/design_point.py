"""One setting of a scenario's parameters, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simstudy.scenarios.method import Method
from simstudy.scenarios.parts import Block, Number

if TYPE_CHECKING:
    from simstudy.scenarios.declaration import Scenario


@dataclass(frozen=True, eq=False)
class DesignPoint:
    """One setting of a scenario's parameters."""

    scenario: Scenario
    values: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def truth(self) -> dict[str, float]:
        """What follows from the parameters."""
        return self.scenario.truth(self.values)

    @cached_property
    def derived(self) -> dict[str, Number]:
        """Whole numbers that methods need and that follow from the parameters."""
        return self.scenario.derived(self.values)

    @cached_property
    def estimand(self) -> float:
        """The true value that estimates aim at."""
        return self.scenario.estimand(self.values)

    @cached_property
    def null(self) -> float | None:
        """The value of the estimand that decisions are about."""
        return self.scenario.null(self.values)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of units."""
        return self.scenario.blocks_at(self.values)

    @cached_property
    def projections(self) -> Mapping[str, Mapping[str, int]]:
        """The projections of counts."""
        return self.scenario.projections_at(self.values)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names that a projection may combine."""
        return columns_of(self.scenario, self.blocks)

    @cached_property
    def vectors(self) -> dict[str, tuple[str, ...]]:
        """The classes of each block that has a name: what a function is given as one array."""
        return {block.name: block.classes for block in self.blocks if block.name}

    def reading(self, method: Method) -> tuple[str, ...]:
        """Return the projections and columns that a method reads, and the measures that it reports."""
        known = {*self.columns, *self.projections}
        read = [column for name in method.columns for column in self.vectors.get(name, (name,))]
        for measure in self.scenario.measures:
            if measure.name not in method.measures:
                read += [c for name in measure.columns for c in self.vectors.get(name, (name,))]
        return tuple(dict.fromkeys(name for name in read if name in known))

    def target(self, method: Method) -> float:
        """Return the true value that a method's estimate aims at."""
        return self.truth[method.estimand] if method.estimand else self.estimand

    @cached_property
    def laws(self) -> tuple[tuple[int, tuple[float, ...]], ...]:
        """(number of units, class probabilities) of each block."""
        numbers = {**self.derived, **self.values}
        sizes = [int(numbers[block.size]) for block in self.blocks]
        # sums of probabilities can exceed their range by rounding
        laws = [tuple(min(1.0, max(0.0, p)) for p in law) for law in self.scenario.law(self.values)]
        return tuple(zip(sizes, laws, strict=True))


def columns_of(scenario: Scenario, blocks: tuple[Block, ...]) -> tuple[str, ...]:
    """Return the classes of the blocks, or the columns of a walk, or those of the kernel."""
    if blocks:
        return tuple(name for block in blocks for name in block.classes)
    return scenario.walk_columns or (scenario.kernel.columns if scenario.kernel else ())
