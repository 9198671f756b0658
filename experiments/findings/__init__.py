"""What each experiment shows: a sentence or two each, in the order of the page.

Every module of this folder that holds FINDINGS has a part of the page: in the order of their names, but for those that
say a PLACE, 0 for the first, 2 for the last.
"""

import importlib
import pkgutil

from experiments.figures import Finding

MIDDLE = 1

_MODULES = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
_PARTS = sorted(_MODULES, key=lambda module: (getattr(module, "PLACE", MIDDLE), module.__name__))
FINDINGS: dict[str, Finding] = {name: finding for part in _PARTS for name, finding in part.FINDINGS.items()}
