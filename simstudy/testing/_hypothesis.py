"""The one place where Hypothesis is imported: it is an extra."""

from __future__ import annotations

import importlib
import types

from simstudy.errors import RequestError


def load(module: str) -> types.ModuleType:
    """Return a module of Hypothesis, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise RequestError(
            "simstudy.testing needs Hypothesis, which is not installed: pip install 'simstudy[test]'."
        ) from None
