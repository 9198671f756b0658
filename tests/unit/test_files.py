"""Files that are read and written, whatever their names and permissions are."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simstudy.errors import ComputationError, RequestError, StudyFileError
from simstudy.files import check_destination, check_source, path_of, replacing

ENDINGS = (".nc",)
posix = pytest.mark.skipif(sys.platform == "win32", reason="links and permissions of another kind")


@pytest.fixture
def nobody() -> Iterator[None]:
    """Run the test without the rights of root, who may read and write everything."""
    if os.name != "posix" or os.getuid() != 0:
        yield
        return
    os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def open_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that everybody may use, unlike those of pytest."""
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("result", r"it has no ending; allowed: \.nc. Did you mean result\.nc\?"),
        ("result.NC4", "it has the ending .NC4"),
        ("result.csv", r"it has the ending \.csv; allowed: \.nc\.$"),
        ("missing/result.nc", "there is no folder"),
        ("folder.nc", "it is a folder"),
        ("..", r"\.\.: it is a folder\. Name a file in it\."),
        ("result.nc.gz", r"ending \.gz; allowed: \.nc\. Did you mean result\.nc\?$"),
        (".nc", r"no ending; allowed: \.nc\.$"),
        ("x" * 300 + ".nc", "[Nn]ame too long.* Choose another name"),
        ("a\0b.nc", "null.* Choose another name"),
    ],
)
def test_a_destination_that_cannot_be_is_refused_before_work(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "folder.nc").mkdir()
    with pytest.raises(RequestError, match=words):
        check_destination(tmp_path / name, ENDINGS)


def test_endings_are_read_in_any_case(tmp_path: Path) -> None:
    assert check_destination(tmp_path / "result.NC", ENDINGS) == tmp_path / "result.NC"
    with pytest.raises(RequestError, match=r"allowed: \.png, \.svg\. Did you mean plot\.svg\?"):
        check_destination(tmp_path / "plot.svgz", (".png", ".svg"))
    with pytest.raises(RequestError, match=r"is empty; endings allowed: \.png, \.svg\."):
        check_destination("", (".png", ".svg"))


@pytest.mark.parametrize("name", [5, None, ["r.nc"]])
def test_what_is_no_name_of_a_file_is_refused(name: object) -> None:
    with pytest.raises(RequestError, match="is no name of a file; give text or a Path"):
        path_of(name)


@posix
def test_a_file_that_may_only_be_read_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "result.nc"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(RequestError, match=r"result\.nc: it may only be read\. Choose another name\."):
        check_destination(path, ENDINGS)


@posix
def test_what_is_no_ordinary_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.nc")
    (tmp_path / "device.nc").symlink_to("/dev/null")
    (tmp_path / "round.nc").symlink_to(tmp_path / "round.nc")
    for name, words in (("pipe", "a device or a pipe"), ("device", "a device or a pipe"), ("round", "symbolic links")):
        with pytest.raises(RequestError, match=words):
            check_destination(tmp_path / f"{name}.nc", ENDINGS)


@posix
def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    target, link = tmp_path / "deep" / "target.nc", tmp_path / "link.nc"
    for _ in range(2):  # first the target does not exist
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        assert check_destination(link, ENDINGS) == link
        with replacing(link) as temporary:
            assert temporary.parent == target.parent
            temporary.write_text("new")
        assert link.is_symlink()
        assert target.read_text() == "new"
    (tmp_path / "lost.nc").symlink_to(tmp_path / "nowhere" / "target.nc")
    with pytest.raises(RequestError, match=r"lost\.nc: there is no folder .*nowhere"):
        check_destination(tmp_path / "lost.nc", ENDINGS)


@posix
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "result.nc"
    path.write_text("old")
    path.chmod(0o600)
    with replacing(path) as temporary:
        temporary.write_text("new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)


def test_a_full_disk_is_said_in_words(tmp_path: Path) -> None:
    path = tmp_path / "result.nc"
    with pytest.raises(ComputationError, match=r"Could not write .*No space left"), replacing(path):
        raise OSError(28, "No space left on device")
    assert os.listdir(tmp_path) == []


def test_a_temporary_file_that_cannot_be_removed_hides_no_other_error(tmp_path: Path) -> None:
    def interrupted() -> None:
        with replacing(tmp_path / "r.nc") as temporary:
            temporary.mkdir()  # unlink fails
            raise OSError(28, "No space left on device")

    with pytest.raises(ComputationError, match="No space left"):
        interrupted()


@posix
def test_folders_and_files_that_are_locked(open_folder: Path, nobody: None) -> None:
    locked, closed, unread = open_folder / "locked", open_folder / "closed", open_folder / "unread.nc"
    locked.mkdir()
    (locked / "r.nc").write_text("old")
    closed.mkdir()
    unread.write_text("old")
    for path, mode in ((locked, 0o000), (closed, 0o555), (unread, 0o200)):
        path.chmod(mode)
    try:
        with pytest.raises(RequestError, match=r"locked/r\.nc cannot be read: Permission denied\."):
            check_source(locked / "r.nc")
        with pytest.raises(StudyFileError, match=r"unread\.nc cannot be read: Permission denied\."):
            check_source(unread, StudyFileError)
        with pytest.raises(RequestError, match=r"locked/r\.nc: Permission denied\. Choose another name\."):
            check_destination(locked / "r.nc", ENDINGS)
        with pytest.raises(RequestError, match="closed may not be written to"):
            check_destination(closed / "r.nc", ENDINGS)
    finally:
        locked.chmod(0o777)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pared.nc", r"There is no file .*pared\.nc\. Did you mean .*paired\.nc\?"),
        ("pared.csv", r"There is no file .*pared\.csv\.$"),
        ("missing/paired.nc", "folder .*missing does not exist either"),
        ("paired.nc/paired.nc", "There is no file .*does not exist either"),
        ("", "is a folder, not a file"),
        ("x" * 300 + ".nc", r"cannot be read: [Ff]ile name too long\."),
        ("a\0.nc", r"a\\x00\.nc cannot be read: .*embedded null (byte|character)"),
    ],
)
def test_a_source_that_cannot_be_read(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "paired.nc").write_text("")
    with pytest.raises(StudyFileError, match=words):
        check_source(tmp_path / name, StudyFileError)
