"""Whether the fields of a declaration's parts hold what their types say, and whether names exist."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from simstudy.errors import RequestError, nearest

# what a default may be depends on the kind of its parameter, which validates it
ELSEWHERE = ("default",)
WORDS = {bool: "True or False", str: "a text", int: "a whole number", float: "a number", types.NoneType: "None"}


def check_parts(where: str, name: str, parts: object, kind: type) -> None:
    """Refuse anything but a tuple, or list, of parts of one kind whose fields hold what their types say."""
    if not isinstance(parts, tuple | list) or not all(isinstance(part, kind) for part in parts):
        raise RequestError(f"{where}: {name} must be a tuple of {kind.__name__}, as in ({kind.__name__}(...),).")
    for part in parts:
        called = f" '{part.name}'" if getattr(part, "name", "") else ""
        check_fields(f"{where}, {kind.__name__.lower()}{called}", part)


def check_fields(where: str, part: Any) -> None:
    """Refuse a part of a declaration with a field that holds something else than its type says."""
    hints = get_type_hints(type(part))
    for field in (declared.name for declared in dataclasses.fields(part)):
        value, hint = getattr(part, field), hints[field]
        if field in ELSEWHERE or _fits(value, hint):
            continue
        choices = _choices(hint)
        close = nearest(value, [c for c in choices if isinstance(c, str)]) if isinstance(value, str) else None
        proposal = f" Did you mean {close}?" if close else ""
        raise RequestError(f"{where}: {field} is {value!r}; it must be {_words(hint)}.{proposal}")


def check_texts(where: str, value: object) -> None:
    """Refuse anything but a tuple, or list, of texts: a text alone would be taken for a sequence of letters."""
    if not isinstance(value, tuple | list) or not all(isinstance(text, str) for text in value):
        raise RequestError(f"{where} is {value!r}; it must be {_words(tuple[str, ...])}.")


def check_names(where: str, names: Iterable[str], allowed: Iterable[str]) -> None:
    """Refuse a name that does not exist, with the nearest that does; ``where`` begins the message."""
    known = list(dict.fromkeys(allowed))
    for name in names:
        if name not in known:
            close = nearest(str(name), known)
            proposal = f" Did you mean {close}?" if close else ""
            raise RequestError(f"{where}: there is no '{name}'.{proposal} Allowed: {', '.join(known) or 'none'}.")


def _is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType)


def _fits(value: object, hint: Any) -> bool:
    """Return whether a value is of a declared type; whole numbers count as numbers, truth values do not."""
    origin, arguments = get_origin(hint), get_args(hint)
    if _is_union(hint):
        return any(_fits(value, one) for one in arguments)
    if origin is Literal:
        return isinstance(value, str | int | None) and value in arguments
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(item, arguments[0]) for item in value)
    if hint in (int, float):
        return hasattr(value, "__index__" if hint is int else "__float__") and not isinstance(value, bool)
    return callable(value) if origin is Callable else isinstance(value, origin or hint)


def _choices(hint: Any) -> tuple[Any, ...]:
    """Return the values that a declared type lists."""
    if _is_union(hint):
        return tuple(choice for one in get_args(hint) for choice in _choices(one))
    if get_origin(hint) is Literal:
        return get_args(hint)
    return ()


def _words(hint: Any) -> str:
    """Return a declared type in words."""
    if _is_union(hint):
        return " or ".join(_words(one) for one in get_args(hint))
    if get_origin(hint) is Literal:
        return " or ".join(map(str, get_args(hint)))
    if get_origin(hint) is tuple:
        return "a tuple of names, as in ('x', 'n')" if get_args(hint)[0] is str else "a tuple of tuples of names"
    if get_origin(hint) is Callable:
        return "a function"
    if get_origin(hint) is Mapping:
        return "a dict"
    return WORDS.get(hint, f"a {getattr(hint, '__name__', hint)}")
