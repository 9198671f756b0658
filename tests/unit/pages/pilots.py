"""Pilots written to files, for the tests of their report."""

from __future__ import annotations

from pathlib import Path

from simstudy.records.pilot_report import PilotReport, pilot


def report(folder: Path, counts: tuple[int, int, int, int], **options: object) -> PilotReport:
    """Analyse a pilot with so many cases that A alone, B alone, both and neither get right."""
    rows = [row for row, count in zip(("1,0", "0,1", "1,1", "0,0"), counts, strict=True) for _ in range(count)]
    path = folder / "pilot.csv"
    path.write_text("case,A,B\n" + "".join(f"c{k},{row}\n" for k, row in enumerate(rows)), encoding="utf-8")
    return pilot(path, "A", "B", draws=100, **options)  # type: ignore[arg-type]


def text(lines: list[str]) -> str:
    """Join lines as if none had been wrapped."""
    return " ".join(" ".join(lines).split())
