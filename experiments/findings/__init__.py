"""What each experiment shows: a sentence or two each, in the order of the page."""

from experiments.figures import Finding
from experiments.findings import agreement, judged, position, self_preference, stability, two_systems, verbosity

_PARTS = (two_systems, agreement, judged, position, self_preference, verbosity, stability)
FINDINGS: dict[str, Finding] = {name: finding for part in _PARTS for name, finding in part.FINDINGS.items()}
