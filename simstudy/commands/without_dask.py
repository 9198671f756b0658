"""Keep xarray from importing dask: it takes longer than many an answer, and nothing uses it."""
# None in the table of modules tells Python that there is no such module.

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MODULES: dict[str, Any] = sys.modules


@contextmanager
def hidden_dask() -> Iterator[None]:
    """Hide dask from an xarray that has not been imported yet; another one has looked already."""
    if "dask" not in MODULES and "xarray" not in MODULES:
        MODULES["dask"] = None
    try:
        yield
    finally:
        show_dask()


def show_dask() -> None:
    """Let dask be imported again: somebody's own scenario may use it."""
    if "dask" in MODULES and MODULES["dask"] is None:
        del MODULES["dask"]
