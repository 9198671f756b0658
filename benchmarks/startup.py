"""Fresh processes: help, first start (compiling) and second start."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.timing import Line


def seconds(arguments: list[str], cache: str | None = None, path: str | None = None) -> float:
    """Return how long a fresh process takes."""
    changed = {"NUMBA_CACHE_DIR": cache, "PYTHONPATH": path}
    environment = {**os.environ, **{name: value for name, value in changed.items() if value}}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", *arguments], check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


def dask_line() -> Line:
    """Time a study beside a dask that takes a second to import: nothing of it is to be seen."""
    small = ["simstudy.power", "paired", "--n-cases", "20", "--accuracy-a", "0.7", "--difference", "0.1"]
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "dask")
        package.mkdir()
        Path(package, "__init__.py").write_text("import time\ntime.sleep(1)\n")
        path = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
        beside = statistics.median(seconds(small, path=path) for _ in range(3))
    alone = statistics.median(seconds(small) for _ in range(3))
    return Line("a small study beside a slow dask, minus alone", beside - alone, "s", 0.5)


def startup_lines() -> list[Line]:
    """Time the help, the default study, and a study that compiles the kernel."""
    full = ["simstudy.power", "paired", "--n-cases", "100", "--accuracy-a", "0.7", "--difference", "0.1"]
    full += ["--engine", "full", "--replications", "1000"]
    with tempfile.TemporaryDirectory() as cache:
        first, first_full = seconds(["simstudy.power"], cache), seconds(full, cache)
        second = statistics.median(seconds(["simstudy.power"], cache) for _ in range(3))
        second_full = statistics.median(seconds(full, cache) for _ in range(3))
    help_time = statistics.median(seconds(["simstudy.power", "--help"]) for _ in range(5))
    return [
        Line("--help", help_time, "s", 0.5),
        Line("default study, first start", first, "s", 10.0),
        Line("default study, second start", second, "s", 2.0),
        Line("full engine, first start (compiles the kernel)", first_full, "s", 10.0),
        Line("full engine, second start", second_full, "s", 2.0),
        dask_line(),
    ]
