"""JSON as people have it: streamed element by element, numbers as written, a beginning that is cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TextIO

from simstudy.errors import RecordsError

CHUNK = 1 << 16
_BLANK = re.compile(r"[ \t\r\n\ufeff]*")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],"]', re.DOTALL)
_MOST_DIGITS = 4000
_DEEPEST = 200  # of brackets that are looked into, to tell a format


class Written(float):
    """A number with a point or an exponent that knows how it was written: an id 1.10 is not 1.1."""

    __slots__ = ("written",)
    written: str

    def __new__(cls, text: str) -> Written:
        """Keep the text beside the number."""
        number = super().__new__(cls, text)
        number.written = text
        return number


class TwiceError(ValueError):
    """A name stands twice in one object."""


class Element(NamedTuple):
    """An element of an array or a line: its number and its line, from 1; `problem` where it cannot be read."""

    number: int
    line: int
    value: Any
    problem: str = ""


def _integer(text: str) -> int | float:
    return int(text) if len(text) < _MOST_DIGITS else float("inf")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # blanks around names are dropped where columns are told, so names that differ in them alone are one
    names = [name.strip() for name, _ in pairs]
    if len(set(names)) != len(names):
        raise TwiceError(f"'{next(n for n in names if names.count(n) > 1)}' stands twice in one object")
    return dict(pairs)


DECODER = json.JSONDecoder(parse_float=Written, parse_int=_integer, object_pairs_hook=_object)
_LENIENT = json.JSONDecoder()


def load(text: str, name: str) -> Any:
    """Return a whole JSON value; refuse in one sentence what is none."""
    try:
        return DECODER.decode(text.lstrip("\ufeff"))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        cut = " It seems to be cut off." if error.pos >= len(text.rstrip()) - 1 else ""
        raise RecordsError(f"{name} is not JSON: {error.msg.lower()} at {where}.{cut}") from None
    except TwiceError as error:
        raise RecordsError(f"{name} cannot be read: {error}.") from None
    except RecursionError:
        raise RecordsError(f"{name} cannot be read: lists or objects are nested too deep.") from None


def elements(stream: TextIO) -> Iterator[Element]:
    """Yield the elements of a JSON array, or of JSON lines, one at a time; what is broken comes with its problem."""
    # The file is never held in memory as a whole. An array that breaks off yields its problem last.
    window = _Window(stream)
    window.skip()
    if window.text[window.at : window.at + 1] == "[":
        yield from _array(window)
    else:
        yield from _lines(window)


def _lines(window: _Window) -> Iterator[Element]:
    number = 0
    while (line := window.read_line()) is not None:
        start = window.line
        window.line += 1
        if not line.strip(" \t\r\n\ufeff"):
            continue
        number += 1
        value, problem = decoded(line)
        yield Element(number, start, value, problem)


def decoded(text: str) -> tuple[Any, str]:
    """Return a JSON value and "", or None and what is wrong with it."""
    try:
        return DECODER.decode(text.strip("\ufeff")), ""
    except TwiceError as error:
        return None, str(error)
    except json.JSONDecodeError as error:
        cut = "cut off" if error.pos >= len(text.rstrip()) - 1 or "Unterminated" in error.msg else "not JSON"
        return None, f"{cut}: {error.msg.lower()}"
    except RecursionError:
        return None, "nested too deep"


def _array(window: _Window) -> Iterator[Element]:
    window.at += 1
    number = 0
    while True:
        window.skip()
        sign = window.text[window.at : window.at + 1]
        if sign == "]":
            return
        number += 1
        if not sign:
            yield Element(number, window.line, None, "cut off: the array is not closed")
            return
        start = window.line
        value, problem, whole = window.value()
        yield Element(number, start, value, problem)
        if not whole:
            return
        window.skip()
        if window.text[window.at : window.at + 1] == ",":
            window.at += 1
        elif window.text[window.at : window.at + 1] not in ("]", ""):
            yield Element(number + 1, window.line, None, "not JSON: a comma is missing; the rest cannot be read")
            return


class _Window:
    """The part of a stream that is looked at now."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._ended = False
        self.text = ""
        self.at = 0
        self.line = 1
        self._more()

    def _more(self) -> None:
        """Read on, more the more is kept, so that one huge element costs no more than a few passes."""
        self.text = self.text[self.at :]
        self.at = 0
        found = self._stream.read(max(CHUNK, len(self.text)))
        self._ended = not found
        self.text += found

    def skip(self) -> None:
        """Pass over blanks."""
        while True:
            match = _BLANK.match(self.text, self.at)
            end = match.end() if match else self.at
            self.line += self.text.count("\n", self.at, end)
            self.at = end
            if self.at < len(self.text) or self._ended:
                return
            self._more()

    def read_line(self) -> str | None:
        """Return the text up to the end of the line, None at the end."""
        looked = self.at
        while (end := self.text.find("\n", looked)) < 0 and not self._ended:
            kept = len(self.text) - self.at
            self._more()
            looked = kept
        if end < 0:
            end = len(self.text) - 1
        line, self.at = self.text[self.at : end + 1], end + 1
        return line or None

    def value(self) -> tuple[Any, str, bool]:
        """Return the next value, its problem, and whether one can go on after it."""
        while True:
            try:
                try:
                    value, end = DECODER.raw_decode(self.text, self.at)
                    problem = ""
                except TwiceError as error:
                    value, problem = None, str(error)
                    _, end = _LENIENT.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                if self._ended:
                    cut = "cut off" if error.pos >= len(self.text.rstrip()) - 1 else "not JSON"
                    return None, f"{cut}: {error.msg.lower()}", False
            except (RecursionError, ValueError):
                return None, "nested too deep, or a number is too long", False
            else:
                if end < len(self.text) or self._ended:
                    self.line += self.text.count("\n", self.at, end)
                    self.at = end
                    return value, problem, True
            self._more()


def beginning(text: str) -> Any:
    """Return what the beginning of a JSON text holds, as if closed where it breaks off; None if it is no JSON."""
    # of a list or an object that breaks off, the elements that are whole are there
    end, closers = _last_whole(text)
    try:
        return _LENIENT.decode(text[:end].lstrip("\ufeff \t\r\n") + closers) if end else None
    except (ValueError, RecursionError):
        return None


def _last_whole(text: str) -> tuple[int, str]:
    """Return where the last whole element of a JSON text ends, and what closes it there."""
    closers: list[str] = []
    end, closing = 0, ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign == '"' or len(closers) > _DEEPEST or (sign in "}]" and (not closers or closers.pop() != sign)):
            break
        if sign in "{[":
            closers.append("}" if sign == "{" else "]")
        if sign in "{[}],":
            end, closing = token.start() if sign == "," else token.end(), "".join(reversed(closers))
        if end and not closers:
            break
    return end, closing


def flat(record: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Return the fields of nested objects under names with dots; lists stay."""
    found: dict[str, Any] = {}
    stack = [(before, record)]
    while stack:
        prefix, part = stack.pop()
        for name, value in part.items():
            if isinstance(value, dict):
                stack.append((f"{prefix}{name}.", value))
            else:
                found[f"{prefix}{name}"] = value
    return found
