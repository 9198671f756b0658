"""Verdicts about pairs of answers: who won, whichever was shown first."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from simstudy.records.cells import read_verdict
from simstudy.records.coded import Coded


class Tally(NamedTuple):
    """What the verdicts say of each system; `unreadable` counts verdicts by their words."""

    won: dict[str, int]
    tied: dict[str, int]
    lost: dict[str, int]
    unreadable: dict[str, int]

    def says(self) -> str:
        """Return the tally as one sentence."""
        each = [
            f"{name} wins {self.won.get(name, 0)}, loses {self.lost.get(name, 0)}, ties {self.tied.get(name, 0)} "
            f"(win rate {self.rate(name):.3f} with ties as halves)"
            for name in sorted({*self.won, *self.tied, *self.lost})[:4]
        ]
        unread = f"; {sum(self.unreadable.values())} verdicts cannot be read" if self.unreadable else ""
        return f"Verdicts about pairs: {'; '.join(each)}{unread}."

    def rate(self, name: str) -> float:
        """Return the win rate of a system that stands in some pair, a tie being half a win."""
        won, tied, lost = (found.get(name, 0) for found in (self.won, self.tied, self.lost))
        return (won + tied / 2) / (won + tied + lost)


def tally(first: Coded, second: Coded, verdict: Coded) -> Tally:
    """Count wins, ties and losses of every system; a verdict may name the place or the system itself."""
    won, tied, lost, unreadable = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    pairs = Counter(zip(first.texts(), second.texts(), verdict.texts(), strict=True))
    for (one, other, word), times in pairs.items():
        if one is None or other is None:
            continue
        said = "first" if word == one else "second" if word == other else read_verdict(word or "")[0]
        if said is None:
            unreadable[word or "(empty)"] += times
        elif said == "tie":
            tied[one] += times
            tied[other] += times
        else:
            better, worse = (one, other) if said == "first" else (other, one)
            won[better] += times
            lost[worse] += times
    return Tally(dict(won), dict(tied), dict(lost), dict(unreadable))
