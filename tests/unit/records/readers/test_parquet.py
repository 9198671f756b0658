from __future__ import annotations

import sys
from pathlib import Path

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, parquet
from simstudy.records.source import Source


def test_told_from_content(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="the extra files is not installed")
    from pyarrow import parquet as writer

    columns = {
        "id": [1, 2, 3],
        "scores": [{"correct": True}, {"correct": False}, {"correct": None}],
        "model": ["m", "m", "m"],
    }
    path = tmp_path / "anything"
    writer.write_table(pa.table(columns), path)
    for source in (Source.of_path(path), Source("x", path.read_bytes())):
        reader, certainty = find_reader(source)
        assert (reader.NAME, certainty) == ("parquet", 1.0)
        records = reader.read(source, ReadOptions())
        assert records.case.words == ("1", "2", "3")
        assert records.value[:2].tolist() == [1, 0]
        assert records.unreadable() == {"m": {"missing": 1}}


def test_told_by_its_first_bytes() -> None:
    assert parquet.sniff(Source("x", b"PAR1\0\0\0").head) == 1
    assert parquet.sniff(Source("x", b"a,b\n1,2\n").head) == 0


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(RecordsError, match=r"install simstudy\[files\]"):
        parquet.read(Source("x.parquet", b"PAR1\0\0"), ReadOptions())


def test_refused_where_it_is_damaged() -> None:
    pytest.importorskip("pyarrow", reason="the extra files is not installed")
    with pytest.raises(RecordsError, match="cannot be read as Parquet"):
        parquet.read(Source("x.parquet", b"PAR1 and no more"), ReadOptions())
