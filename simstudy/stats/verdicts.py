"""Reading verdicts out of replies: a reply is the verdict alone, or it is unreadable."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from simstudy.errors import ParameterError
from simstudy.stats._arrays import shown

CORRECTNESS: Mapping[str, bool] = MappingProxyType({"correct": True, "incorrect": False, "wrong": False})
"""Words for right and wrong."""

# a question mark is left out: who asks "correct?" has not decided
FINAL = ".,;:!…" + string.whitespace


def parse_verdict(reply: str, words: Mapping[str, Any] = CORRECTNESS) -> Any:
    """Return the verdict of one reply.

    Parameters
    ----------
    reply : str
        What the judge wrote.
    words : mapping of str
        Allowed words and the verdict that each stands for.

    Returns
    -------
    object or None
        The verdict, where the reply, without white space around it and without final punctuation, is one of the
        words in any case; otherwise None, unreadable.

    Raises
    ------
    ParameterError
        Where the reply is no text, no word is given, or a word is empty, stands for None or for two verdicts.

    Notes
    -----
    Nothing is searched for inside a reply: "NOT CORRECT" holds the word that it denies, and "Nothing wrong here:
    CORRECT" holds both. Unreadable replies are no wrong answers; count them on their own.
    """
    return _read(reply, _folded(words))


def read_verdicts(replies: Iterable[str], words: Mapping[str, Any] = CORRECTNESS) -> tuple[list[Any], int]:
    """Return the verdicts of several replies, and how many replies are unreadable.

    Parameters
    ----------
    replies : iterable of str
        What the judge wrote, reply by reply; a single text is refused.
    words : mapping of str
        As in `parse_verdict`.

    Returns
    -------
    verdicts : list
        A verdict for each reply, None where unreadable.
    unreadable : int
        Number of unreadable replies.

    Raises
    ------
    ParameterError
        As in `parse_verdict`, and where the replies are one text: pass [reply], or use `parse_verdict`.
    """
    if isinstance(replies, (str, bytes)):
        raise ParameterError(
            f"The replies are one text, {shown(replies)}, which would be read letter by letter: pass a list of "
            "replies, or this one to parse_verdict."
        )
    try:
        given = list(replies)
    except TypeError:
        raise ParameterError(f"The replies are {shown(replies)}; they must be a list of texts.") from None
    known = _folded(words)
    verdicts = [_read(reply, known) for reply in given]
    return verdicts, sum(verdict is None for verdict in verdicts)


def _read(reply: str, known: Mapping[str, Any]) -> Any:
    if not isinstance(reply, str):
        raise ParameterError(
            f"A reply is {shown(reply)}; it must be text. A run without a reply has no verdict to read."
        )
    return known.get(_bare(reply))


def _folded(words: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(words, Mapping):
        raise ParameterError(
            f"words is {shown(words)}; it must give the verdict of each word, as {{'yes': True}} does."
        )
    known: dict[str, Any] = {}
    for word, verdict in words.items():
        bare = _bare(word) if isinstance(word, str) else ""
        if not bare or verdict is None or known.setdefault(bare, verdict) != verdict:
            raise ParameterError(
                f"The word {shown(word)} is empty, stands for None, or stands for two verdicts: give each word its own."
            )
    if not known:
        raise ParameterError("No word is allowed, so no reply could be read: give at least one.")
    return known


def _bare(text: str) -> str:
    return text.strip().rstrip(FINAL).casefold()
