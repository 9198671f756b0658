from __future__ import annotations

from simstudy.records.read_options import ReadOptions


def test_named_columns_by_part() -> None:
    named = ReadOptions(case_column="q", cluster_column="doc").named()
    assert named == {"case": "q", "system": None, "value": None, "run": None, "cluster": "doc"}
