"""Words and figures of the pilot report: proportions, p-values, limits, wrapped sentences, tables."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

from simstudy.records.comparison import Estimate
from simstudy.records.sizes import LARGEST_N

WIDTH = 100
LABELS = {
    "mcnemar_exact": "exact McNemar",
    "mcnemar_midp": "mid-p McNemar",
    "mcnemar_chi2": "asymptotic McNemar",
    "mcnemar_cc": "McNemar with continuity correction",
    "paired_z": "paired z",
    "tango": "Tango score",
    "newcombe": "Newcombe score",
    "bootstrap_percentile": "ideal bootstrap",
    "tango interval": "Tango's interval",
    "newcombe interval": "Newcombe's interval",
    "bootstrap_percentile interval": "the bootstrap interval",
    "cluster t": "cluster t",
    "cluster sign flips": "cluster sign flips",
}


def share(value: float, digits: int = 3) -> str:
    """Write a proportion without its leading zero, such as ``-.183``; an en dash where undefined."""
    if math.isnan(value):
        return "–"
    size = f"{abs(value):.{digits}f}"
    sign = "-" if value < 0 and float(size) > 0 else ""
    return sign + size.removeprefix("0")


def p_words(value: float) -> str:
    """Write a p-value: ``p = .0352``, ``p < .0001`` or ``p undefined``."""
    if math.isnan(value):
        return "p undefined"
    return "p < .0001" if value < 1e-4 else f"p = {share(value, 4)}"


def limits(estimate: Estimate) -> str:
    """Write confidence limits: ``[.020, .411]`` or ``undefined``."""
    if math.isnan(estimate.low):
        return "undefined"
    return f"[{share(estimate.low)}, {share(estimate.high)}]"


def cases(n: float) -> str:
    """Write a number of cases: ``1,236``, ``> 100,000`` or an en dash."""
    if math.isnan(n):
        return "–"
    return f"> {LARGEST_N:,}" if math.isinf(n) else f"{n:,.0f}"


def say(text: str, indent: int = 2) -> list[str]:
    """Wrap a sentence to 100 columns."""
    pad = " " * indent
    return textwrap.wrap(text, WIDTH, initial_indent=pad, subsequent_indent=pad, break_long_words=False)


def table(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Align columns: the first `left` to the left, the others to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:left], widths[:left], strict=True)]
        cells += [cell.rjust(width) for cell, width in zip(row[left:], widths[left:], strict=True)]
        lines.append("  " + "   ".join(cells).rstrip())
    return lines
