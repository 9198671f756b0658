"""Remedies that name options of the command line, as keywords of Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from simstudy.errors import RequestError

_OPTION = re.compile(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)(?: (mean|first|majority|clustered)\b)?")
SWITCHES = {"unpaired": "True", "lower_is_better": "True", "no_lower_is_better": "False", "no_split_ids": "False"}


def as_keywords(text: str) -> str:
    """Write options as keywords: runs="first" for --runs first, unpaired=True for --unpaired."""

    def keyword(found: re.Match[str]) -> str:
        name = found[1].replace("-", "_")
        if name in SWITCHES:
            return f"{name.removeprefix('no_')}={SWITCHES[name]}"
        return name if found[2] is None else f'{name}="{found[2]}"'

    return _OPTION.sub(keyword, text)


@contextmanager
def in_keywords() -> Iterator[None]:
    """Let refusals name the keywords of Python, not the options of the command line."""
    try:
        yield
    except RequestError as error:
        error.args = (as_keywords(str(error)),)
        raise
