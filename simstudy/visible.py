"""Text from outside made safe to look at: names of systems, cases, columns and files may hold anything."""

from __future__ import annotations

import json
import re
from typing import Any

# what moves the cursor, sets colours or titles (C0, C1), breaks lines or turns the direction of writing, and
# half characters, which no encoding can write
_UNSEEN = "\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
_IN_TEXT = re.compile(f"[{_UNSEEN}]")
_IN_LINE = re.compile(f"[\n{_UNSEEN}]")
LONGEST_WORD = 500
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")
_ENDS = 60


def visible(text: str) -> str:
    r"""Return text for eyes: what cannot be seen is written out (``\x1b``); line breaks stay."""
    return _IN_TEXT.sub(_written_out, text)


def visible_line(text: str) -> str:
    """Return a line for eyes: line breaks are written out too, and words beyond 500 characters cut in the middle."""
    return _LONG_WORD.sub(_cut, _IN_LINE.sub(_written_out, text))


def visible_json(value: Any, indent: int | None = None) -> str:
    r"""Return JSON that every terminal shows and every encoding writes: what cannot be seen stands as ``\u001b``."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _IN_TEXT.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _written_out(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


def _cut(found: re.Match[str]) -> str:
    word = found[0]
    return f"{word[:_ENDS]}...({len(word)} characters)...{word[-_ENDS:]}"
