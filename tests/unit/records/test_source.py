from __future__ import annotations

import gzip
import io
import pickle
import zipfile
from pathlib import Path

import pytest

from simstudy.errors import RecordsError
from simstudy.records import source as module
from simstudy.records.source import Source

TABLE = "id,wert\né0,1\né1,0\n"


def test_a_file_that_opens_and_cannot_be_read_is_refused(monkeypatch, tmp_path):
    class Unreadable(io.BytesIO):
        def read(self, size=-1):
            raise OSError(5, "Input/output error")

    path = tmp_path / "x.csv"
    path.write_text(TABLE)
    source = Source.of_path(path)
    monkeypatch.setattr(Source, "_packed", lambda self: Unreadable())
    with pytest.raises(RecordsError, match=r"x\.csv cannot be read: Input/output error\."):
        source.is_zip  # noqa: B018  # reads the beginning


def text_of(raw: bytes) -> str:
    with Source("x.csv", raw).text() as stream:
        return stream.read()


@pytest.mark.parametrize(
    ("codec", "encoding", "mark"),
    [
        ("utf-8", "UTF-8", ""),
        ("utf-8-sig", "UTF-8", ""),
        ("utf-16", "UTF-16 LE", ""),
        ("utf-16-be", "UTF-16 BE", "\ufeff"),
        ("utf-16-le", "UTF-16 LE", ""),
        ("utf-32", "UTF-32 LE", ""),
        ("cp1252", "cp1252", ""),
    ],
)
def test_encodings_are_found_and_said(codec: str, encoding: str, mark: str) -> None:
    source = Source("x.csv", (mark + TABLE).encode(codec))
    assert source.encoding == encoding
    with source.text() as stream:
        assert stream.read() == TABLE
    assert source.head.text == TABLE
    said = [remark.says for remark in source.remarks()]
    assert any(encoding in words for words in said) == (encoding != "UTF-8")


def test_gzip_is_unpacked_and_said() -> None:
    source = Source("x.csv.gz", gzip.compress(TABLE.encode()))
    with source.text() as stream:
        assert stream.read() == TABLE
    assert "gzip" in source.remarks()[0].says
    assert source.stem == "x"


def test_ends_of_lines_stay() -> None:
    assert text_of(b"a,b\r\n1,2\r3,4\n") == "a,b\r\n1,2\r3,4\n"


def test_what_unpacks_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_UNPACKED", 1000)
    with pytest.raises(RecordsError, match="unpacks to more than"):
        list(Source("x.csv.gz", gzip.compress(b"0" * 10_000)).chunks(100))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (pickle.dumps({"a": 1}), "a pickle, which is never opened"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a picture"),
        (b"\x7fELF\0\0\1\2\3", "binary data"),
        ("ü,1\n".encode() + b"a,\xff\n", "line 2 has the byte 0xff"),
        (b"a,b\nx,\x81\n", "line 2 has the byte 0x81"),
        (gzip.compress(b"a,b\n1,2\n" * 1000)[:-20], "damaged or cut off"),
        (b"PK\x03\x04 and no more", "damaged or cut off"),
    ],
    ids=["nothing", "blanks", "pickle", "picture", "program", "no UTF-8", "no cp1252", "cut gzip", "cut zip"],
)
def test_refusals_are_one_sentence(raw: bytes, words: str) -> None:
    with pytest.raises(RecordsError, match=words) as refused, Source("x.csv", raw).text() as stream:
        stream.read()
    assert "\n" not in str(refused.value)


def test_a_break_between_two_reads_is_no_error() -> None:
    raw = b"a" * ((1 << 20) - 1) + "é".encode() + b"b" * 10
    assert text_of(raw) == raw.decode()
    late = b"a" * ((1 << 20) - 1) + b"\xe9" + b"b" * 10
    assert text_of(late) == late.decode("cp1252")


def archive(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        for name, raw in files.items():
            out.writestr(name, raw)
    return packed.getvalue()


def test_members_of_an_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("log.eval", archive({"header.json": b'{"a": 1}', "samples/1.json": b"0" * 5000}))
    assert source.head.members == ("header.json", "samples/1.json")
    assert source.head.text is None
    assert source.member("header.json").json() == {"a": 1}
    with pytest.raises(RecordsError, match="a zip archive of 2 files"):
        source.text()
    monkeypatch.setattr(module, "MOST_MEMBER", 1000)
    with pytest.raises(RecordsError, match="unpacks to more than"):
        source.member("samples/1.json")


def test_a_directory_that_names_a_place_before_the_file() -> None:
    raw = archive({"a.json": b"1", "b.json": b"2"})
    source = Source("log.eval", raw[:4] + raw[20:])
    with pytest.raises(RecordsError, match="cannot be unpacked"):
        source.member("a.json")


def test_an_excel_file_is_named_for_what_it_is() -> None:
    with pytest.raises(RecordsError, match="save the sheet as CSV"):
        Source("x.xlsx", archive({"xl/workbook.xml": b"<x/>"})).text()


def test_members_packed_by_zstandard() -> None:
    path = Path(__file__).resolve().parents[4] / "shared/cases/old_zstd.eval"
    if not path.exists():
        pytest.skip("the shared folder is not here")
    source = Source.of_path(path)
    try:
        import zstandard  # noqa: F401
    except ImportError:
        with pytest.raises(RecordsError, match=r"install simstudy\[files\]"):
            source.member(source.members()[0])
    else:
        assert all(found.json() is not None for found in source.some_members(source.members()))


def test_heads_of_json() -> None:
    lines = Source("x", b'{"a": 1}\n{"a": 2}\n').head
    assert lines.records == [{"a": 1}, {"a": 2}]
    assert lines.object == {}
    assert Source("x", b'[{"a": 1}, {"a": 2}, {"a": ').head.records == [{"a": 1}, {"a": 2}, {}]
    whole = Source("x", b'{\n "a": {"b": [1, 2]},\n "c": "abc').head
    assert whole.object == {"a": {"b": [1, 2]}}
    assert whole.records == []
    assert Source("x", b"a,b\n1,2\n").head.records == []


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="There is no file"):
        Source.of_path(tmp_path / "none.csv")


def test_a_file_and_its_elements(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": 2}\n')
    assert [element.value for element in Source.of_path(path).elements()] == [{"a": 1}, {"a": 2}]
