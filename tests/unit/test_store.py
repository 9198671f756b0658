"""Datasets to and from files."""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr

from simstudy import store
from simstudy.errors import ComputationError, RequestError
from simstudy.pages.cells import cells_of
from simstudy.study.asked import study_of
from tests.unit.pages import factory


def same(saved: xr.Dataset, loaded: xr.Dataset) -> None:
    """Compare more strictly than xarray: dtypes, types and order of attributes too."""
    xr.testing.assert_identical(saved, loaded)
    assert list(saved.variables) == list(loaded.variables)
    assert list(saved.dims) == list(loaded.dims)
    for name in saved.variables:
        assert saved[name].dtype == loaded[name].dtype
        assert repr(saved[name].attrs) == repr(loaded[name].attrs)
    assert repr(saved.attrs) == repr(loaded.attrs)


@pytest.mark.parametrize("make", [factory.power, factory.coverage, factory.mde, factory.size])
def test_what_is_read_is_what_was_written(make, tmp_path: Path) -> None:
    dataset = make()
    path = store.save(dataset, tmp_path / "result.nc")
    same(dataset, store.load(path))
    assert os.listdir(tmp_path) == ["result.nc"]


def test_awkward_values_and_attributes_survive(tmp_path: Path) -> None:
    dataset = xr.Dataset(
        {
            "padded": ("n", np.array(["exact", ""], dtype="<U17")),
            "empty": ("n", np.array(["", ""])),
            "objects": ("n", np.array(["a", "bé"], dtype=object)),
            "flags": ("n", np.array([True, False])),
            "small": ("n", np.array([1, 2], dtype=np.int32)),
            "large": ((), np.uint64(2**64 - 1)),
            "undefined": ("n", np.array([math.nan, math.inf])),
            "elapsed": ("n", np.array([1.0, 2.0]), {"units": "seconds"}),
            "since": ("n", np.array([1.0, 2.0]), {"units": "days since 2000-01-01"}),
        },
        coords={"n": ("n", [36, 100], {"units": "cases"}), "fixed": 0.7, "word": "both", "on": True},
        attrs={
            "one": ["mcnemar_exact"],
            "none": None,
            "no": [],
            "flag": False,
            "numbers": [1, 2.5],
            "nested": {"a": [1, None]},
            "seed": 2**64 - 1,
            "share": 0.1,
            "count": 3,
            "blank": "",
            "long": "x" * 100_000,
            "lines": "a\tb\r\n é",
            "cut": "a\0b",
        },
    )
    same(dataset, store.load(store.save(dataset, tmp_path / "result.nc")))


def test_numpy_numbers_in_attributes_become_plain(tmp_path: Path) -> None:
    dataset = xr.Dataset(attrs={"count": np.int64(3), "share": np.float64(0.5), "flag": np.bool_(True)})
    assert store.load(store.save(dataset, tmp_path / "result.nc")).attrs == {"count": 3, "share": 0.5, "flag": True}


def test_saving_changes_nothing_and_what_was_read_can_be_saved_again(tmp_path: Path) -> None:
    dataset = factory.power()
    before = dataset.copy(deep=True)
    once = store.load(store.save(dataset, tmp_path / "once.nc"))
    same(before, dataset)
    same(dataset, store.load(store.save(once, tmp_path / "twice.nc")))


def test_an_attribute_that_no_file_can_hold_is_named(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="attribute 'odd' of power is a object"):
        store.save(factory.power().assign(power=factory.power()["power"].assign_attrs(odd=object())), tmp_path / "r.nc")
    assert os.listdir(tmp_path) == []


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = store.save(factory.mde(), tmp_path / "result.nc")
    same(factory.size(), store.load(store.save(factory.size(), path)))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("result.csv", r"it has the ending \.csv; allowed: \.nc. Did you mean result\.nc\?"),
        ("result", r"it has no ending; allowed: \.nc. Did you mean result\.nc\?"),
        ("result.NC4", "it has the ending .NC4"),
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
        store.check_destination(tmp_path / name)


def test_a_folder_that_may_not_be_written_to_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(RequestError, match="may not be written to"):
        store.check_destination(tmp_path / "result.nc")


def test_endings_are_read_in_any_case_and_others_can_be_allowed(tmp_path: Path) -> None:
    assert store.check_destination(tmp_path / "result.NC") == tmp_path / "result.NC"
    assert store.check_destination(tmp_path / "plot.svg", (".png", ".svg")).name == "plot.svg"
    with pytest.raises(RequestError, match=r"allowed: \.png, \.svg\. Did you mean plot\.svg\?"):
        store.check_destination(tmp_path / "plot.svgz", (".png", ".svg"))


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interruption: type[BaseException]
) -> None:
    path = store.save(factory.mde(), tmp_path / "result.nc")
    before = path.read_bytes()

    def interrupted(target: Path, content: bytes) -> None:
        target.write_text("half")
        raise interruption

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", interrupted)
        with pytest.raises(interruption):
            store.save(factory.size(), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["result.nc"]


def test_a_full_disk_is_said_in_words(tmp_path: Path) -> None:
    path = tmp_path / "result.nc"
    with pytest.raises(ComputationError, match=r"Could not write .*No space left"), store.replacing(path):
        raise OSError(28, "No space left on device")
    assert os.listdir(tmp_path) == []


def test_a_disk_that_is_full_while_a_result_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(target: Path, content: bytes) -> None:
        target.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ComputationError, match=r"Could not write .*result\.nc: No space left on device\."):
        store.save(factory.mde(), tmp_path / "result.nc")
    assert os.listdir(tmp_path) == []


def test_a_temporary_file_that_cannot_be_removed_hides_no_other_error(tmp_path: Path) -> None:
    def interrupted() -> None:
        with store.replacing(tmp_path / "r.nc") as temporary:
            temporary.mkdir()  # unlink fails
            raise OSError(28, "No space left on device")

    with pytest.raises(ComputationError, match="No space left"):
        interrupted()


def test_an_empty_name_is_refused() -> None:
    with pytest.raises(RequestError, match=r"is empty; endings allowed: \.png, \.svg, \.pdf\."):
        store.check_destination("", (".png", ".svg", ".pdf"))


def test_the_longest_name_that_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".nc")
    same(factory.mde(), store.load(store.save(factory.mde(), path)))
    with pytest.raises(RequestError, match="There is no file"):
        store.load(tmp_path / ("x" * 300 + ".nc"))


def test_others_may_read_the_file_as_far_as_the_system_lets_them(tmp_path: Path) -> None:
    plain = tmp_path / "plain.txt"
    plain.write_text("")
    path = store.save(factory.mde(), tmp_path / "result.nc")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_a_missing_file_is_said_with_the_nearest(tmp_path: Path) -> None:
    store.save(factory.mde(), tmp_path / "paired.nc")
    with pytest.raises(RequestError, match=r"There is no file .*pared\.nc\. Did you mean .*paired\.nc\?"):
        store.load(tmp_path / "pared.nc")
    with pytest.raises(RequestError, match=r"folder .* does not exist either"):
        store.load(tmp_path / "missing" / "paired.nc")


@pytest.mark.parametrize("content", [b"", b"n_cases,power\n36,.5\n", b"\x89HDF\r\n\x1a\nbroken"])
def test_what_is_no_netcdf_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "result.nc"
    path.write_bytes(content)
    with pytest.raises(RequestError, match="not a complete netCDF file"):
        store.load(path)


def test_half_a_file_is_refused(tmp_path: Path) -> None:
    path = store.save(factory.power(), tmp_path / "result.nc")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(RequestError, match="not a complete netCDF file"):
        store.load(path)


def test_a_netcdf_file_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weather.nc"
    xr.Dataset({"rain": ("day", [1.0, 2.0])}).to_netcdf(path, engine="h5netcdf")
    with pytest.raises(RequestError, match="not one that simstudy wrote"):
        store.load(path)


def test_a_plain_hdf5_file_is_refused_without_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "plain.nc"
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(5)
    with pytest.raises(RequestError, match="not one that simstudy wrote"):
        store.load(path)


def test_damaged_bytes_are_refused_or_harmless(tmp_path: Path) -> None:
    path = store.save(factory.power(), tmp_path / "result.nc")
    whole = path.read_bytes()
    random = np.random.default_rng(1)
    refused = 0
    for _ in range(60):
        content = np.frombuffer(whole, np.uint8).copy()
        content[random.integers(len(whole), size=10)] = random.integers(256, size=10)
        path.write_bytes(content.tobytes())
        try:
            store.load(path)
        except RequestError:
            refused += 1
    assert refused > 30  # a changed number in the data cannot be seen


@pytest.mark.parametrize(
    "change",
    [
        lambda file: file.attrs.pop("simstudy_dtypes"),
        lambda file: file.attrs.update({"simstudy_dtypes": "{"}),
        lambda file: file.attrs.update({"simstudy_dtypes": "[1]"}),
        lambda file: file.attrs.update({"simstudy_as_json": '["question"]'}),
        lambda file: file.attrs.update({"simstudy_format": "one"}),
        lambda file: file.pop("power"),
    ],
)
def test_a_file_that_was_changed_is_damaged(tmp_path: Path, change: Callable[[h5py.File], object]) -> None:
    path = store.save(factory.power(), tmp_path / "result.nc")
    with h5py.File(path, "r+") as file:
        change(file)
    with pytest.raises(RequestError, match=r"result\.nc is damaged: "):
        store.load(path)


def test_a_file_of_a_later_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = store.save(factory.mde(), tmp_path / "result.nc")
    monkeypatch.setattr(store, "FORMAT", 0)
    with pytest.raises(RequestError, match="Install a newer simstudy"):
        store.load(path)


def test_the_file_opens_in_other_programs(tmp_path: Path) -> None:
    path = store.save(factory.power(), tmp_path / "result.nc")
    with xr.open_dataset(path, engine="h5netcdf") as dataset:
        np.testing.assert_array_equal(dataset["power"], factory.power()["power"])
        assert dataset.attrs["question"] == factory.ATTRS["question"]


def test_errors_of_direction_need_the_power_that_they_belong_to() -> None:
    damaged = factory.power().drop_vars("power")
    with pytest.raises(RequestError, match="type_s"):
        cells_of(damaged, "type_s", study_of(damaged))
