"""What a hostile request is: words, the exit codes that are right, and what its sentence has to name."""

from __future__ import annotations

from dataclasses import dataclass

REFUSED = (2,)
ANSWERED = (0,)
EITHER = (0, 2, 3)  # extreme, and yet allowed: an answer, or a sentence on why there is none


@dataclass(frozen=True)
class Request:
    """A request: ``says`` are words of the sentence; of several parted by ``|`` one is enough."""

    words: tuple[str, ...]
    codes: tuple[int, ...]
    says: tuple[str, ...] = ()
    kind: str = "by hand"

    @property
    def name(self) -> str:
        """The request on one short line, for the name of a test."""
        typed = " ".join(self.words).encode("unicode_escape").decode()
        return typed if len(typed) <= 150 else f"{typed[:100]}...{typed[-45:]}"
