"""From a file to text: gzip, encodings, members of a zip archive. Nothing is executed, and what unpacks is bounded."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from simstudy.errors import RecordsError
from simstudy.files import check_source, path_of
from simstudy.records.json_text import Element, beginning, decoded, elements, load
from simstudy.records.records import Remark, stem_of

HEAD = 1 << 18
"""Bytes by which a format is told."""
MOST_UNPACKED = 16 << 30
"""Bytes that a compressed file may unpack to."""
MOST_MEMBER = 2 << 30
"""Bytes that a member of a zip archive may unpack to."""
MOST_MEMBERS = 1_000_000
ZSTANDARD = 93
MARKS = {
    codecs.BOM_UTF8: "UTF-8",
    codecs.BOM_UTF32_LE: "UTF-32 LE",
    codecs.BOM_UTF32_BE: "UTF-32 BE",
    codecs.BOM_UTF16_LE: "UTF-16 LE",
    codecs.BOM_UTF16_BE: "UTF-16 BE",
}
CODECS = {
    "UTF-8": "utf-8-sig",
    "UTF-16 LE": "utf-16-le",
    "UTF-16 BE": "utf-16-be",
    "UTF-32 LE": "utf-32-le",
    "UTF-32 BE": "utf-32-be",
    "cp1252": "cp1252",
}
NO_CP1252 = frozenset(b"\x81\x8d\x8f\x90\x9d\0")
"""Bytes that cp1252 does not have."""
BINARY = {
    b"\x80\x02": "a pickle, which is never opened: save the table as CSV or JSON",
    b"\x80\x03": "a pickle, which is never opened: save the table as CSV or JSON",
    b"\x80\x04": "a pickle, which is never opened: save the table as CSV or JSON",
    b"\x80\x05": "a pickle, which is never opened: save the table as CSV or JSON",
    b"SQLite format 3": "a database: export the table as CSV",
    b"\x93NUMPY": "a NumPy array: save a table with a header as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel file: save the sheet as CSV",
    b"\x89HDF": "an HDF5 file: save the table as CSV",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"ARROW1": "an Arrow file: save it as Parquet",
    b"\x28\xb5\x2f\xfd": "packed by Zstandard: unpack it, or use gzip",
    b"BZh": "packed by bzip2: unpack it, or use gzip",
    b"\xfd7zXZ": "packed by xz: unpack it, or use gzip",
}


@dataclass(frozen=True)
class Head:
    """The beginning of a file, by which a reader tells its format."""

    name: str
    raw: bytes
    text: str | None  # None where the file is no text
    members: tuple[str, ...] = ()  # of a zip archive

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """The first objects of a JSON array or of JSON lines, as far as they are whole; else none."""
        text = (self.text or "").lstrip("\ufeff \t\r\n")
        if text.startswith("["):
            found = beginning(text)
            return [value for value in found if isinstance(value, dict)] if isinstance(found, list) else []
        if not text.startswith("{") or "\n" not in text.rstrip():
            value = decoded(text)[0] if text.startswith("{") else None
            return [value] if isinstance(value, dict) else []
        lines = text.split("\n")
        first = decoded(lines[0])[0]
        if not isinstance(first, dict):
            return []
        rest = (decoded(line)[0] for line in lines[1:50] if line.strip())
        return [first, *(value for value in rest if isinstance(value, dict))]

    @cached_property
    def object(self) -> dict[str, Any]:
        """The beginning of a file that is one JSON object, closed where it breaks off; else empty."""
        text = (self.text or "").lstrip("\ufeff \t\r\n")
        found = beginning(text) if text.startswith("{") and len(self.records) < 2 else None
        return found if isinstance(found, dict) else {}


class Source:
    """A file of results, or bytes that stand for one."""

    def __init__(self, name: str, raw: bytes | None = None, path: Path | None = None) -> None:
        self.name = name
        self.stem = stem_of(name)
        self._raw = raw
        self.path = path

    @classmethod
    def of_path(cls, path: str | os.PathLike[str]) -> Source:
        """Return the source of a file; refuse one that cannot be opened."""
        place = path_of(path, RecordsError)
        check_source(place, RecordsError)
        return cls(str(place), path=place)

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    @cached_property
    def _start(self) -> bytes:
        with self._packed() as stream:
            try:
                return stream.read(512)
            except OSError as error:
                # some files open and cannot be read: directories of devices, memory of processes
                raise RecordsError(f"{self.name} cannot be read: {error.strerror or error}.") from None

    def _packed(self) -> BinaryIO:
        if self.path is None:
            return io.BytesIO(self._raw or b"")
        try:
            return open(self.path, "rb")
        except OSError as error:
            raise RecordsError(f"{self.name} cannot be read: {error.strerror}.") from None

    @property
    def is_zip(self) -> bool:
        """Whether the file is a zip archive."""
        return self._start.startswith(b"PK\x03\x04")

    @property
    def is_gzip(self) -> bool:
        """Whether the file is packed by gzip."""
        return self._start.startswith(b"\x1f\x8b")

    def chunks(self, size: int = 1 << 20) -> Iterator[bytes]:
        """Yield the unpacked bytes."""
        with self._packed() as packed:
            stream = gzip.GzipFile(fileobj=packed) if self.is_gzip else packed
            total = 0
            try:
                while chunk := stream.read(size):
                    total += len(chunk)
                    if self.is_gzip and total > MOST_UNPACKED:
                        raise RecordsError(
                            f"{self.name} unpacks to more than {MOST_UNPACKED >> 30} GiB; unpack it first."
                        )
                    yield chunk
            except (EOFError, gzip.BadGzipFile, zlib.error):
                raise RecordsError(f"{self.name} is packed by gzip and is damaged or cut off.") from None
            except OSError as error:
                raise RecordsError(f"{self.name} cannot be read: {error.strerror or error}.") from None

    @cached_property
    def head(self) -> Head:
        """The beginning, decoded."""
        if self.is_zip:
            return Head(self.name, self._start, None, tuple(self.members()))
        raw = next(self.chunks(HEAD), b"")
        if not raw:
            raise RecordsError(f"{self.name} is empty.")
        if raw.startswith((b"PAR1", *BINARY)):
            return Head(self.name, raw, None)
        text = codecs.getincrementaldecoder(CODECS[self.encoding])("replace").decode(raw)
        text = text.lstrip("\ufeff")
        if "\0" in text:
            return Head(self.name, raw, None)
        if not text.strip():
            raise RecordsError(f"{self.name} is empty.")
        return Head(self.name, raw, text)

    @cached_property
    def encoding(self) -> str:
        """UTF-8 (checked to the end), UTF-16, UTF-32 or cp1252; other bytes are refused with their place."""
        start = next(self.chunks(HEAD), b"")
        for mark, name in MARKS.items():
            if start.startswith(mark):
                return name
        for parity, name in ((1, "UTF-16 LE"), (0, "UTF-16 BE")):
            zeros = start[parity::2].count(0)
            if zeros > 0.4 * len(start[parity::2]) and start[1 - parity :: 2].count(0) == 0:
                return name
        if b"\0" in start:
            return "UTF-8"
        return self._utf8_or_cp1252()

    def _utf8_or_cp1252(self) -> str:
        """Tell the two apart: cp1252 where nothing before the first byte that is no UTF-8 speaks for UTF-8."""
        decoder = codecs.getincrementaldecoder("utf-8")("strict")
        done, lines, plain = 0, 1, True
        failed: tuple[int, int, int] | None = None  # place, line and byte that is no UTF-8
        for chunk in chain(self.chunks(), [b""]):
            if failed is None:
                looked = decoder.getstate()[0] + chunk
                try:
                    plain = decoder.decode(chunk, final=not chunk).isascii() and plain
                except UnicodeDecodeError as error:
                    before = looked[: error.start]
                    place = done + error.start - (len(looked) - len(chunk))
                    failed = place, lines + before.count(b"\n"), looked[error.start]
                    plain = plain and before.isascii()
                done, lines = done + len(chunk), lines + chunk.count(b"\n")
            if failed is not None and not (plain and NO_CP1252.isdisjoint(chunk)):
                place, line, byte = failed
                raise RecordsError(
                    f"{self.name} is not text that can be read: line {line} has the byte {byte:#04x} (at {place}), "
                    "which is no UTF-8. Save the file as UTF-8."
                )
        return "UTF-8" if failed is None else "cp1252"

    def remarks(self) -> list[Remark]:
        """Return what is to be said of how the bytes became text."""
        said = []
        if self.is_gzip:
            said.append(Remark("encoding", f"{self.name} was unpacked (gzip)."))
        if self.encoding != "UTF-8":
            guessed = self.encoding == "cp1252"
            why = ", because it is not UTF-8: a guess" if guessed else ""
            said.append(Remark("encoding", f"{self.name} was read as {self.encoding}{why}.", not guessed))
        return said

    def text(self) -> TextIO:
        """Open the whole as text; ends of lines are as they stand."""
        self.refuse_binary()
        raw = io.BufferedReader(_Chunks(self.chunks()), 1 << 20)
        stream = io.TextIOWrapper(raw, encoding=CODECS[self.encoding], errors="surrogatepass", newline="")
        if self.encoding in MARKS.values() and self.encoding != "UTF-8":
            first = stream.read(1)
            if first != "\ufeff":
                stream.close()
                raw = io.BufferedReader(_Chunks(self.chunks()), 1 << 20)
                stream = io.TextIOWrapper(raw, encoding=CODECS[self.encoding], errors="surrogatepass", newline="")
        return stream

    def elements(self) -> Iterator[Element]:
        """Yield the elements of a JSON array or of JSON lines, streamed."""
        with self.text() as stream:
            try:
                yield from elements(stream)
            except UnicodeDecodeError as error:
                raise RecordsError(f"{self.name} cannot be read as {self.encoding}: {error.reason}.") from None

    def json(self) -> Any:
        """Return the whole file as one JSON value."""
        with self.text() as stream:
            try:
                text = stream.read()
            except UnicodeDecodeError as error:
                raise RecordsError(f"{self.name} cannot be read as {self.encoding}: {error.reason}.") from None
        return load(text, self.name)

    def refuse_binary(self) -> None:
        """Refuse a file that is no text, and say what it is as far as that is known."""
        if self.head.text is None:
            raise RecordsError(f"{self.name} is no text: it is {self.kind()}.")

    def kind(self) -> str:
        """Return in words what a file is that is no text."""
        if self.is_zip:
            if any(member.startswith("xl/") for member in self.head.members):
                return "an Excel file: save the sheet as CSV"
            shown = ", ".join(self.head.members[:3])
            return f"a zip archive of {len(self.head.members)} files ({shown})"
        found = next((words for mark, words in BINARY.items() if self.head.raw.startswith(mark)), None)
        return found or f"binary data (it begins with {self.head.raw[:8].hex(' ')})"

    def members(self) -> list[str]:
        """Return the names of the members of a zip archive."""
        with self._archive() as archive:
            if len(archive.infolist()) > MOST_MEMBERS:
                raise RecordsError(f"{self.name} holds more than {MOST_MEMBERS} files.")
            return [member.filename for member in archive.infolist()]

    def member(self, name: str) -> Source:
        """Return one member of a zip archive, unpacked; Zstandard too, where the extra `files` is installed."""
        (source,) = self.some_members([name])
        return source

    def some_members(self, names: list[str]) -> Iterator[Source]:
        """Yield members of a zip archive one after the other; the archive is opened once."""
        with self._archive() as archive:
            for name in names:
                info = archive.getinfo(name)
                if info.file_size > MOST_MEMBER:
                    raise RecordsError(f"{self.name}: '{name}' unpacks to more than {MOST_MEMBER >> 30} GiB.")
                if info.flag_bits & 1:
                    raise RecordsError(f"{self.name}: '{name}' is locked by a password.")
                try:
                    if info.compress_type == ZSTANDARD:
                        raw = self._zstandard(archive, info)
                    else:
                        with archive.open(info) as stream:
                            raw = stream.read(MOST_MEMBER + 1)
                except RecordsError:
                    raise
                except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
                    # ValueError: a damaged directory may name a place before the file
                    raise RecordsError(f"{self.name}: '{name}' cannot be unpacked ({error}).") from None
                if len(raw) > MOST_MEMBER:
                    raise RecordsError(f"{self.name}: '{name}' unpacks to more than {MOST_MEMBER >> 30} GiB.")
                yield Source(f"{self.name}:{name}", raw=raw)

    def _archive(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self.path if self.path is not None else io.BytesIO(self._raw or b""))
        except (zipfile.BadZipFile, OSError, ValueError):
            raise RecordsError(
                f"{self.name} begins like a zip archive, and has no end of one: it is damaged or cut off."
            ) from None

    def _zstandard(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
        """Unpack a member that Python's zipfile cannot (before 3.14): the local header tells where its bytes are."""
        try:
            import zstandard
        except ImportError:
            raise RecordsError(
                f"{self.name} is packed by Zstandard; install simstudy[files] to read it, or write the log as JSON."
            ) from None
        stream = archive.fp
        if stream is None:
            raise RecordsError(f"{self.name} is closed.")
        stream.seek(info.header_offset)
        header = stream.read(30)
        if len(header) < 30:
            raise RecordsError(f"{self.name} is damaged or cut off.")
        name_length, extra_length = struct.unpack("<HH", header[26:30])
        stream.seek(info.header_offset + 30 + name_length + extra_length)
        packed = stream.read(info.compress_size)
        try:
            with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed), read_across_frames=True) as reader:
                raw: bytes = reader.read(MOST_MEMBER + 1)
        except zstandard.ZstdError as error:
            raise RecordsError(f"{self.name}: '{info.filename}' cannot be unpacked ({error}).") from None
        if len(raw) <= MOST_MEMBER and zlib.crc32(raw) != info.CRC:
            raise RecordsError(f"{self.name}: '{info.filename}' is damaged (its checksum is wrong).")
        return raw


class _Chunks(io.RawIOBase):
    """Chunks of bytes as a stream."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._kept = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._kept:
            self._kept = memoryview(next(self._chunks, b""))
        size = min(len(buffer), len(self._kept))
        buffer[:size] = self._kept[:size]
        self._kept = self._kept[size:]
        return size
