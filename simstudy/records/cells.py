"""What a single cell means: right, wrong, a score, or no value and for which reason.

All readers share these decisions. Nothing that stands for "no value" is ever 0, and nothing is guessed from a sentence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Reason(StrEnum):
    """Why a record has no value that counts."""

    MISSING = "missing"
    ERROR = "error"
    TIMEOUT = "timeout"
    SKIPPED = "skipped"
    REFUSAL = "refusal of the judge"
    NOT_FINITE = "not finite"
    CODE = "code for no value"
    NOT_A_VALUE = "not a value"
    NO_CASE = "no id of the case"
    HARNESS = "error of the harness"


def the_words(text: str) -> frozenset[str]:
    """Return the words of a line as a set."""
    return frozenset(text.split())


RIGHT = the_words(
    "true correct yes y t right pass passed passes success succeeded successful ok solved resolved accepted win won c"
)
WRONG = the_words(
    "false incorrect no n f wrong fail failed fails failure unsuccessful unsolved unresolved rejected loss lost i"
)
HALF = frozenset({"tie", "draw", "partial", "partially correct", "partially_correct"})
MISSING = frozenset(
    {"", "na", "n/a", "n.a.", "<na>", "nan", "null", "none", "nil", "nat", "-", "--", "—", "–", ".", "?", "missing"}
    | {"undefined", "unknown", "#n/a", "not available", "no value", "no answer", "empty", "(empty)", "[]", "{}"}
)
SKIPPED = the_words(
    "skip skipped pending cancelled canceled aborted ignored disabled incomplete unfinished not_run"
) | {"not run"}
TIMEOUTS = ("timeout", "timed out", "timed_out", "time out", "time limit", "deadline exceeded")
ERRORS = ("error", "err:", "$error", "exception", "traceback", "failed to ", "crash", "unreadable", "invalid")
SHEET_ERRORS = ("#err", "#div", "#value", "#ref", "#name", "#num", "#null")
ERRORS_WITHIN = ("parse error", "parsing error", "unparseable", "unparsable", "rate limit", "api error")
REFUSALS = ("refus", "i'm sorry", "i’m sorry", "i am sorry", "i cannot", "i can't", "i can’t", "as an ai")
CODES = (-1.0, -9.0, -99.0, -999.0, -9999.0)
"""Negative numbers by which programs write "no score"."""

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,6})?")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
_INFINITE = re.compile(r"[+-]?(inf|infinity|1\.?#inf)")
_AROUND = " \t.!:;\"'`*_()[]"


class Read(NamedTuple):
    """A number, or NaN and the reason."""

    value: float
    reason: Reason | None


def read_cell(text: str, *, decimal_comma: bool = False, letters: Collection[str] = ()) -> Read:
    """Return what a cell says, NaN and the reason where it says no value."""
    # `letters`: the single letters that the column holds; P is half right beside C and I (Inspect), else a pass
    folded = text.strip().casefold()
    number = folded.replace(",", ".") if decimal_comma and _COMMA.fullmatch(folded) else folded
    percent = number.endswith("%")
    if _NUMBER.fullmatch(number[:-1].strip() if percent else number):
        value = float(number[:-1]) / 100 if percent else float(number)
        return Read(value, None) if math.isfinite(value) else Read(math.nan, Reason.NOT_FINITE)
    if folded in MISSING:
        return Read(math.nan, Reason.MISSING)
    if _INFINITE.fullmatch(folded):
        return Read(math.nan, Reason.NOT_FINITE)
    word = _value_of_word(folded.strip(_AROUND), letters)
    return Read(math.nan, why_not(folded)) if word is None else Read(word, None)


def _value_of_word(word: str, letters: Collection[str]) -> float | None:
    if word == "p":
        return 0.5 if {"c", "i"} & set(letters) else 1.0
    return next((value for words, value in ((RIGHT, 1.0), (WRONG, 0.0), (HALF, 0.5)) if word in words), None)


def why_not(text: str) -> Reason:
    """Return the reason that a text without a value gives: an error, a time limit, a refusal, or none that is known."""
    folded = text.strip().casefold()
    bare = folded.strip(_AROUND)
    if bare in MISSING:
        return Reason.MISSING
    if bare in SKIPPED:
        return Reason.SKIPPED
    if any(word in folded for word in TIMEOUTS) or bare == "tle":
        return Reason.TIMEOUT
    if folded.startswith(REFUSALS):
        return Reason.REFUSAL
    if (
        bare.startswith(ERRORS)
        or folded.startswith((*ERRORS, *SHEET_ERRORS))
        or any(word in folded for word in ERRORS_WITHIN)
    ):
        return Reason.ERROR
    return Reason.NOT_A_VALUE


def read_error(text: str) -> Reason | None:
    """Return the reason that a cell of an error column gives; None where it reports no error."""
    # no error: an empty cell, a word for missing, 0, or a word for false or for success
    folded = text.strip().casefold()
    if folded in MISSING or folded.strip(_AROUND) in WRONG - {"failure", "fail", "failed"} or folded in {"0", "0.0"}:
        return None
    if folded in {"ok", "success", "no error"}:
        return None
    reason = why_not(folded)
    return Reason.ERROR if reason in (Reason.NOT_A_VALUE, Reason.MISSING) else reason


def letters_of(words: Iterable[str]) -> frozenset[str]:
    """Return the single letters among the words of a column."""
    return frozenset(word.strip().casefold() for word in words if len(word.strip()) == 1 and word.strip().isalpha())


def has_decimal_comma(words: Collection[str]) -> bool:
    """Whether numbers are written 0,375: some are, and none is written with a point."""
    some = any(_COMMA.fullmatch(word.strip()) for word in words)
    return some and not any("." in word and _NUMBER.fullmatch(word.strip()) for word in words)


def codes_in(values: NDArray[np.float64]) -> tuple[float, ...]:
    """Return the numbers that stand for "no score": -1, -9, ... where no other value of the column is negative."""
    negative = np.unique(values[values < 0])
    return tuple(negative.tolist()) if len(negative) and np.isin(negative, CODES).all() else ()


FIRST = the_words("a first 1 left model_a model_1 system_a output_1 response_a assistant_a a>b a>>b") | {"assistant a"}
SECOND = the_words("b second 2 right model_b model_2 system_b output_2 response_b assistant_b b>a b>>a") | {
    "assistant b"
}
TIE = the_words("c tie ties tied draw equal both neither a=b b=a tie_bothbad both_bad bothbad same") | {
    "tie (bothbad)",
    "both bad",
    "tie (both bad)",
}


def read_verdict(text: str) -> tuple[str | None, Reason | None]:
    """Return "first", "second" or "tie" for the verdict of a pair as it was shown, or None and the reason."""
    folded = text.strip().casefold()
    bare = folded.strip(_AROUND.replace("_", ""))
    for word in (folded, bare):
        for names, verdict in ((FIRST, "first"), (SECOND, "second"), (TIE, "tie")):
            if word in names:
                return verdict, None
    return None, why_not(text)
