"""``python -m simstudy.power`` is ``simstudy power``; there is nothing here to import.

Importing it would put a module where the package has, or will have, a function of that name.
"""

from __future__ import annotations

import sys

if __name__ != "__main__":
    raise ImportError("simstudy.power is no module to import: import simstudy, and call simstudy.power_curve.")

from simstudy.__main__ import main

raise SystemExit(main(["power", *sys.argv[1:]]))
