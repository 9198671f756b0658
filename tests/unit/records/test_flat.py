"""The pilot report as plain values and flat rows."""

from __future__ import annotations

import json
from pathlib import Path

from simstudy.records.pilot_report import pilot


def write(folder: Path, n10: int, n01: int, n11: int, n00: int) -> Path:
    rows = ["1,0"] * n10 + ["0,1"] * n01 + ["1,1"] * n11 + ["0,0"] * n00
    path = folder / "pilot.csv"
    path.write_text("case,A,B\n" + "".join(f"c{k},{row}\n" for k, row in enumerate(rows)), encoding="utf-8")
    return path


def test_plain_values(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 0, 0, 30, 0), "A", "B", difference=0.1, draws=200)
    text = json.dumps(report.as_dict(), allow_nan=False)
    assert json.loads(text)["comparison"]["p_values"]["paired_z"] is None
    rows = report.to_records()
    assert all(list(row) == ["quantity", "of", "value", "low", "high", "status"] for row in rows)
    json.dumps(rows, allow_nan=False)
    by_name = {(row["quantity"], row["of"]): row for row in rows}
    assert by_name["n11", ""]["value"] == 30
    assert by_name["mde", "B worse"]["value"] == report.smallest[1].difference
    assert by_name["n_needed", "0.1"]["status"] == "impossible"


def test_clustered_rows_are_in_the_records(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("case,run,A,B\n" + "".join(f"{k},{r},1,{(k + r) % 2}\n" for k in range(8) for r in (1, 2)))
    report = pilot(path, "A", "B", runs="clustered", draws=100)
    by_name = {(row["quantity"], row["of"]): row["value"] for row in report.to_records()}
    assert by_name["clusters", "clusters"] == 8
    assert ("clusters_needed", "observed -0.5") in by_name
    assert report.as_dict()["clusters_per_case"] == report.clusters_per_case
