"""``python -m simstudy.power`` is ``simstudy power``."""

from __future__ import annotations

import sys

from simstudy.__main__ import main

if __name__ == "__main__":
    raise SystemExit(main(["power", *sys.argv[1:]]))
