"""Files that are read and written: refusals in words, and replacement in one step."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from simstudy.errors import ComputationError, RequestError, nearest

# of tables, which are printed: no other spelling of the name of a saved result
TABLES = (".csv", ".tsv", ".json", ".jsonl", ".md", ".txt", ".html", ".xlsx", ".parquet")
ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def path_of(name: object, error: type[RequestError] = RequestError) -> Path:
    """Return the name of a file as a path; refuse what is none."""
    if not isinstance(name, str | os.PathLike):
        raise error(f"{name!r} is no name of a file; give text or a Path.")
    return Path(os.fsdecode(name))


def check_source(path: Path, error: type[RequestError] = RequestError) -> None:
    """Refuse a file that cannot be read: missing, a folder, locked, or with a name that no system takes."""
    try:
        if path.is_dir():
            raise error(f"{path} is a folder, not a file.")
        os.close(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)))  # nobody may write to a pipe yet
    except (FileNotFoundError, NotADirectoryError):
        raise error(f"There is no file {path}.{_neighbour(path)}") from None
    except (OSError, ValueError) as problem:
        if isinstance(problem, RequestError):
            raise
        raise error(f"{path} cannot be read: {getattr(problem, 'strerror', None) or problem}.") from None


def _neighbour(path: Path) -> str:
    """Propose the file with the nearest name and the same ending; or say that there is no such folder."""
    with contextlib.suppress(OSError):  # folders that may not be listed
        if not path.parent.is_dir():
            return f" The folder {path.parent} does not exist either."
        # without the ending, which would make any two names alike
        stems = {other.stem: other.name for other in sorted(path.parent.glob(f"*{path.suffix}")) if other.is_file()}
        close = nearest(path.stem, stems)
        return f" Did you mean {path.with_name(stems[close])}?" if close else ""
    return ""


def check_destination(path: str | os.PathLike[str], endings: Sequence[str]) -> Path:
    """Refuse a file name that could not be written, before the work is done; endings with their dot, in lower case."""
    destination = path_of(path)
    if not os.fspath(path):
        raise RequestError(f"The name of the file to write is empty; endings allowed: {', '.join(endings)}.")
    _check_ending(destination, endings)
    old = _old_file(destination)
    folder = _target(destination).parent
    if not folder.is_dir():
        raise RequestError(f"Cannot write {destination}: there is no folder {folder}. Make it first.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise RequestError(f"Cannot write {destination}: the folder {folder} may not be written to.")
    if old is None:
        return destination
    if stat.S_ISDIR(old.st_mode):
        raise RequestError(f"Cannot write {destination}: it is a folder. Name a file in it.")
    if not stat.S_ISREG(old.st_mode):
        raise RequestError(f"Cannot write {destination}: it is a device or a pipe. Name an ordinary file.")
    if not (old.st_mode & ANY_WRITE and os.access(destination, os.W_OK)):
        raise RequestError(f"Cannot write {destination}: it may only be read. Choose another name.")
    return destination


def _target(path: Path) -> Path:
    """Return the file itself where a name is a link to it."""
    return path.resolve() if path.is_symlink() else path


def _old_file(destination: Path) -> os.stat_result | None:
    """Return what is known of a file that stands there; refuse what the system takes for no name at all."""
    try:
        return destination.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RequestError(f"Cannot write {destination}: {reason}. Choose another name.") from error


def _check_ending(path: Path, endings: Sequence[str]) -> None:
    if path.name in ("", ".."):
        raise RequestError(f"Cannot write {path}: it is a folder. Name a file in it.")
    ending = path.suffix.lower()
    if ending in endings:
        return
    given = f"the ending {path.suffix}" if ending else "no ending"
    close = _with_ending(path, endings)
    hint = f" Did you mean {close}?" if close else ""
    raise RequestError(f"Cannot write {path}: it has {given}; allowed: {', '.join(endings)}.{hint}")


def _with_ending(path: Path, endings: Sequence[str]) -> str | None:
    """Propose a name: without a second ending (``x.nc.gz``), with the nearest that is allowed, or with the only one."""
    if path.with_suffix("").suffix.lower() in endings:
        return path.with_suffix("").name
    close = nearest(path.suffix.lower(), endings)
    if close is None and len(endings) == 1 and path.suffix.lower() not in TABLES:
        close = endings[0]
    stem = path.stem.strip(".")
    return f"{stem}{close}" if close and stem and f".{stem}" not in endings else None


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary name beside a file, and rename it to the file once it is complete; a link stays a link."""
    # However the block is left, no half-written file stays behind; an older file keeps its content until the new one is
    # complete, and its permissions.
    # A plain name instead of tempfile's, whose files nobody but the owner could read after the rename; and a
    # short one, because the name of the file may be as long as the system allows.
    target = _target(path)
    temporary = target.with_name(f".simstudy-{os.getpid()}-{os.urandom(4).hex()}{path.suffix}")
    try:
        yield temporary
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except OSError as error:
        raise ComputationError(f"Could not write {path}: {error.strerror or error}.") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
