"""The exceptions of simstudy.

::

    SimstudyError                 everything simstudy raises on purpose
    ├── RequestError              the request was wrong            (exit code 2, also a ValueError)
    │   ├── UnknownNameError      a name that does not exist, with the nearest one that does
    │   ├── ParameterError        a value outside what its parameter allows
    │   ├── GridError             a grid with a design point that cannot exist
    │   ├── StudyFileError        a study file that cannot be read
    │   ├── RecordsError          a file of results that cannot be read or paired
    │   └── RefusedError          a combination that would mean nothing
    ├── ComputationError          it could not be computed         (exit code 3)
    ├── CheckFailedError          a gate or a check failed         (exit code 1)
    └── InterruptedStudyError     stopped by the user              (exit code 130)
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from simstudy.visible import visible_line


class SimstudyError(Exception):
    """Base of every error that simstudy raises on purpose."""

    exit_code = 3

    def __str__(self) -> str:
        """Return the message as one line, whatever the names in it hold."""
        return visible_line(super().__str__())


class RequestError(SimstudyError, ValueError):
    """The request was wrong; the message says what was given, what is allowed and what to do."""

    exit_code = 2


class UnknownNameError(RequestError):
    """A name that does not exist; the nearest of those that do is proposed."""

    def __init__(self, kind: str, given: object, allowed: Iterable[str]) -> None:
        names = list(allowed)
        close = nearest(str(given), names)
        hint = f" Did you mean {close}?" if close else ""
        those = f" Allowed: {', '.join(names)}." if names else " There is none at all."
        super().__init__(f"There is no {kind} '{given}'.{hint}{those}")


class ParameterError(RequestError):
    """A value outside what its parameter allows."""


class GridError(RequestError):
    """A grid with a design point that cannot exist."""


class StudyFileError(RequestError):
    """A study file that cannot be read or understood."""


class RecordsError(RequestError):
    """A file of results that cannot be read, validated or paired."""


class RefusedError(RequestError):
    """A combination of choices that would mean nothing."""


class ComputationError(SimstudyError):
    """The request was sound and yet could not be computed."""


class CheckFailedError(SimstudyError):
    """A gate or a check failed."""

    exit_code = 1


class InterruptedStudyError(SimstudyError):
    """The user stopped the study before it was done."""

    exit_code = 130


def nearest(given: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed name that is closest to a given one, or None where nothing is close."""
    by_folded = {name.casefold().replace("-", "_"): name for name in allowed}
    matches = difflib.get_close_matches(given.casefold().replace("-", "_"), list(by_folded), n=1, cutoff=0.6)
    return by_folded[matches[0]] if matches else None
