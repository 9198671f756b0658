"""The only place with numba's options, and where compiled kernels are kept.

Three decorators: :func:`kernel` for the loops that Python calls, :func:`helper` for the pieces that are inlined
into them, :func:`part` for those that are not. None sets ``fastmath``: LLVM then neither reorders floating-point
operations nor contracts a product and a sum into a fused multiply-add, so every operation is a single IEEE 754
one and the bits do not depend on the processor.

Numba's own cache does not notice when a helper in another file was edited. The folder of the cache is
therefore named after a hash of all files with kernels and of the versions that decide what is compiled. It
lies in ``NUMBA_CACHE_DIR`` where that is set, otherwise in the user's cache folder (``XDG_CACHE_HOME``,
``~/.cache``); where neither can be written to, kernels are compiled at every start and one note says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import logging
import os
import platform
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar, cast

import llvmlite
import numba
import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

Key = Annotated[int | np.uint64, np.uint64]
"""A 64-bit seed: any int in [0, 2**64)."""

STALE_AFTER_DAYS = 30
_PREFIX = "kernels-"
_decorating = threading.Lock()


def helper(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of scalars and force it inline: a call in the innermost loop keeps LLVM from vectorising."""
    return cast("Callable[P, R]", numba.njit(function, forceinline=True, error_model="numpy"))


def part(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a piece that kernels call without inlining it, cached on disk; it calls module-level functions only."""
    # What stands outside the innermost loop is a part rather than a helper: inlining it everywhere multiplies the time
    # of compilation. Numba's cache misses closures.
    folder = cache_folder()
    with _numba_cache_in(folder):
        compiled = numba.njit(function, nogil=True, error_model="numpy", cache=folder is not None)
    return cast("Callable[P, R]", compiled)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a loop that Python calls: it releases the GIL and is cached on disk; every parameter is annotated."""
    # Scalars are converted as they are annotated, or 0 in place of 0.0 would compile it anew; defaults are passed on
    # too. The compiled function itself is the `__wrapped__` of what is returned.
    compiled: Callable[..., R] = part(function)
    parameters = inspect.signature(function, eval_str=True).parameters.values()
    conversions = [_conversion(parameter.annotation) for parameter in parameters]
    defaults = function.__defaults__ or ()

    @wraps(function)
    def call(*arguments: Any) -> R:
        given = len(arguments) - len(conversions) + len(defaults)
        arguments += defaults[max(0, given) :]
        return compiled(*(convert(value) for convert, value in zip(conversions, arguments, strict=True)))

    call.__dict__["__wrapped__"] = compiled
    return cast("Callable[P, R]", call)


def _conversion(annotation: object) -> Callable[[Any], Any]:
    if annotation is int or annotation is float:
        return cast("Callable[[Any], Any]", annotation)
    metadata = getattr(annotation, "__metadata__", (_as_it_is,))
    return cast("Callable[[Any], Any]", metadata[0])


def _as_it_is(value: Any) -> Any:
    return value


@cache
def cache_folder() -> Path | None:
    """Return the folder of the compiled kernels, made if need be; None, with a note, where none can be written to."""
    for parent in _parents():
        folder = parent / f"{_PREFIX}{fingerprint()}"
        if _writable(folder):
            _remove_stale(parent, keep=folder)
            return folder
    logging.getLogger("simstudy").warning(
        "No cache folder can be written to, so kernels are compiled at every start. "
        "Set NUMBA_CACHE_DIR to a writable folder to keep them."
    )
    return None


PACKAGE = Path(__file__).resolve().parents[1]


@cache
def fingerprint(package: Path = PACKAGE) -> str:
    """Return a hash of all kernel sources, those of scenarios too, and of the versions that compile them."""
    versions = (numba.__version__, np.__version__, llvmlite.__version__, platform.python_version())
    digest = hashlib.sha256(" ".join(versions).encode())
    for file in sorted([*package.glob("kernels/*.py"), *package.glob("scenarios/*/kernel.py")]):
        digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _parents() -> Iterator[Path]:
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(given)
    if xdg := os.environ.get("XDG_CACHE_HOME"):
        yield Path(xdg) / "simstudy"
    with contextlib.suppress(RuntimeError):  # a user without a home
        yield Path.home() / ".cache" / "simstudy"


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        os.utime(folder)  # it is in use: see _remove_stale
    except OSError:
        return False
    return True


def _remove_stale(parent: Path, keep: Path) -> None:
    """Remove the folders of other versions that no process has opened for a long time."""
    oldest = time.time() - STALE_AFTER_DAYS * 86_400
    for folder in parent.glob(f"{_PREFIX}{'[0-9a-f]' * 16}"):
        with contextlib.suppress(OSError):  # another process may remove it at the same time
            if folder != keep and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _numba_cache_in(folder: Path | None) -> Iterator[None]:
    """Let numba choose `folder` for what is decorated inside, and leave its setting as it was."""
    settings: Any = numba.config
    with _decorating:
        before = settings.CACHE_DIR
        settings.CACHE_DIR = "" if folder is None else str(folder)
        try:
            yield
        finally:
            settings.CACHE_DIR = before
