"""Tables of a folder of evaluation data."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

from simstudy.errors import RecordsError, RequestError

Row = dict[str, str]


def check_folder(folder: Path) -> Path:
    """Refuse a folder that is not there."""
    if not folder.is_dir():
        raise RequestError(
            f"There is no folder {folder}: --data takes the folder that holds data/ and reference/ "
            "(docs/real_judges.md lists the files)."
        )
    return folder


def read_rows(path: Path, columns: tuple[str, ...]) -> list[Row]:
    """Return the rows of a CSV file, plain or compressed, that has at least these columns."""
    rows = list(csv.DictReader(io.StringIO(_text(path), newline="")))
    missing = [column for column in columns if not rows or column not in rows[0]]
    if missing:
        raise RecordsError(f"{path} has no rows with the columns {', '.join(missing)}.")
    return rows


def read_json(path: Path) -> Any:
    """Return what a JSON file holds."""
    try:
        return json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise RecordsError(f"{path} is not JSON: {error}.") from error


def _text(path: Path) -> str:
    if not path.is_file():
        raise RequestError(f"There is no file {path}; docs/real_judges.md lists the files of the data folder.")
    content = path.read_bytes()
    try:
        return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise RecordsError(f"{path} cannot be read: {error}.") from error
