"""The way of one command: the functions and files of simstudy that it passes, room by room.

``python benchmarks/path.py [COMMAND ...]``; without words the simulated power of 36 paired cases.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import sys
import threading
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FrameType

PACKAGE = Path(__import__("simstudy").__file__).parent
COMMAND = "power paired --accuracy-a 0.7 --difference 0.1 --n-cases 36 --engine full"


def passed(words: Sequence[str]) -> tuple[set[CodeType], set[CodeType]]:
    """Run a command; return the functions that it called, and those that only importing modules called."""
    from simstudy.__main__ import main

    called: set[CodeType] = set()
    importing: set[CodeType] = set()

    def notice(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and _is_function(code) and str(PACKAGE) in code.co_filename:
            (importing if _while_importing(frame) else called).add(code)

    threading.setprofile(notice)
    sys.setprofile(notice)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            code = main(words)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    if code:
        raise SystemExit(code)
    return called, importing - called


def _is_function(code: CodeType) -> bool:
    """Tell functions from module and class bodies, lambdas and comprehensions."""
    return bool(code.co_flags & inspect.CO_OPTIMIZED) and not code.co_name.startswith("<")


def _while_importing(frame: FrameType) -> bool:
    above: FrameType | None = frame
    while above is not None:
        if above.f_code.co_name == "<module>" and str(PACKAGE) in above.f_code.co_filename:
            return True
        above = above.f_back
    return False


def main(words: Sequence[str]) -> None:
    """Print functions and files per room."""
    called, importing = passed(words or COMMAND.split())
    rooms: dict[str, list[CodeType]] = defaultdict(list)
    for code in called:
        place = Path(code.co_filename).relative_to(PACKAGE)
        rooms[place.parts[0].removesuffix(".py")].append(code)
    for room, codes in sorted(rooms.items(), key=lambda item: -len(item[1])):
        print(f"{room:<12} {len(codes):>4} functions  {len(_files(codes)):>3} files")
    print(f"{'all':<12} {len(called):>4} functions  {len(_files(called)):>3} files")
    print(f"and while modules are imported {len(importing)} functions more")


def _files(codes: Sequence[CodeType] | set[CodeType]) -> set[str]:
    return {code.co_filename for code in codes}


if __name__ == "__main__":
    main(sys.argv[1:])
