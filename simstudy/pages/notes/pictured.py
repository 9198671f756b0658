"""Notes below a picture: what its bands and signs mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simstudy.pages.notes.below_tables import ENGINES, FIXED, MISUSED
from simstudy.pages.notes.note import Note, Result, said
from simstudy.pages.variables import EXACT

if TYPE_CHECKING:
    from simstudy.pages.chart import Line


def of_lines(result: Result, lines: Sequence[Line]) -> list[str]:
    """Return the notes of a picture with these lines."""
    simulated = "engine" in result.dataset and bool((result.dataset["engine"] != EXACT).any())
    limits = "the answer's" if "answer" in result.dataset else "95%"
    signs = (
        Note(
            "bands",
            lambda _: simulated and any((line.high > line.low).any() for line in lines),
            lambda _: [f"Bands: {limits} limits, from Monte Carlo error."],
        ),
        Note(
            "unreachable",
            lambda _: any(len(line.unreachable) for line in lines),
            lambda _: [f"×: unreachable, no {result.solved_name} reaches {result.target}."],
        ),
        Note(
            "outside",
            lambda _: any(len(line.outside) for line in lines),
            lambda _: ["△: no answer in the range that was searched."],
        ),
    )
    above = [" ".join(said([note], result)) for note in (FIXED, ENGINES, MISUSED)]
    return [*filter(None, above), *said(signs, result)]
