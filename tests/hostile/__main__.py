"""``python -m tests.hostile``: run every hostile request and print the classes, and whatever is not fine."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

from tests.hostile.classify import CLASSES, classify, watched
from tests.hostile.folder import fill
from tests.hostile.generated import generated
from tests.hostile.request import Request
from tests.hostile.requests import BY_HAND


def main() -> int:
    """Return how many requests are not fine, at most 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the requests that are generated")
    parser.add_argument("--number", type=int, default=200, help="how many are generated")
    parser.add_argument("--only", default="", help="those whose words hold this")
    parser.add_argument("--verbose", action="store_true", help="show every sentence")
    asked = parser.parse_args()
    warnings.simplefilter("error")
    parts = {"by hand": BY_HAND, "generated": generated(asked.seed, asked.number)}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder)
        found = {
            name: Counter(_tried(request, folder, asked.verbose) for request in requests if asked.only in request.name)
            for name, requests in parts.items()
        }
    print(f"{'':24}{''.join(f'{name:>12}' for name in found)}")
    for label in CLASSES:
        print(f"{label:24}{''.join(f'{counts[label]:12}' for counts in found.values())}")
    return int(any(counts.total() > counts["fine"] for counts in found.values()))


def _tried(request: Request, filled: Path, verbose: bool) -> str:
    """Run a request in a copy of the folder, say what is not fine, and return its class."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "folder"
        shutil.copytree(filled, folder)
        outcome = watched(request, folder)
    label = classify(request, outcome)
    if verbose or label != "fine":
        print(f"{label}: {outcome.code}, {outcome.seconds:.1f} s, {outcome.peak / 2**20:.0f} MB: {request.name}")
        print(f"    {outcome.err[-600:]!r}", flush=True)
    return label


if __name__ == "__main__":
    sys.exit(main())
