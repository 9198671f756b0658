"""Datasets to and from files."""

from __future__ import annotations

import math
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr

from simstudy import power_curve, size, store
from simstudy.errors import ComputationError, RequestError
from simstudy.pages.variables import cells_of
from simstudy.study.asked import study_of
from tests.unit.pages import factory


@pytest.fixture(scope="module")
def saved_power(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return store.save(factory.power(), tmp_path_factory.mktemp("power") / "result.nc").read_bytes()


@pytest.fixture
def power_file(tmp_path: Path, saved_power: bytes) -> Path:
    """A file of its own for each test, which it may damage."""
    path = tmp_path / "result.nc"
    path.write_bytes(saved_power)
    return path


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
            "no_numbers": ("n", np.array([math.nan, math.inf])),
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
    with pytest.raises(RequestError, match="attribute 'odd' of power is of type object"):
        store.save(factory.power().assign(power=factory.power()["power"].assign_attrs(odd=object())), tmp_path / "r.nc")
    assert os.listdir(tmp_path) == []


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = store.save(factory.mde(), tmp_path / "result.nc")
    same(factory.size(), store.load(store.save(factory.size(), path)))


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


def test_a_disk_that_is_full_while_a_result_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(target: Path, content: bytes) -> None:
        target.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ComputationError, match=r"Could not write .*result\.nc: No space left on device\."):
        store.save(factory.mde(), tmp_path / "result.nc")
    assert os.listdir(tmp_path) == []


def test_the_longest_name_that_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".nc")
    same(factory.mde(), store.load(store.save(factory.mde(), path)))
    with pytest.raises(RequestError, match=r"cannot be read: [Ff]ile name too long"):
        store.load(tmp_path / ("x" * 300 + ".nc"))


def test_others_may_read_the_file_as_far_as_the_system_lets_them(tmp_path: Path) -> None:
    plain = tmp_path / "plain.txt"
    plain.write_text("")
    path = store.save(factory.mde(), tmp_path / "result.nc")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@pytest.mark.parametrize("content", [b"", b"n_cases,power\n36,.5\n", b"\x89HDF\r\n\x1a\nbroken"])
def test_what_is_no_netcdf_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "result.nc"
    path.write_bytes(content)
    with pytest.raises(RequestError, match="not a complete netCDF file"):
        store.load(path)


def test_half_a_file_is_refused(power_file: Path) -> None:
    power_file.write_bytes(power_file.read_bytes()[: power_file.stat().st_size // 2])
    with pytest.raises(RequestError, match="not a complete netCDF file"):
        store.load(power_file)


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


def test_damaged_bytes_are_refused_or_harmless(power_file: Path) -> None:
    whole = power_file.read_bytes()
    random = np.random.default_rng(1)
    refused = 0
    for _ in range(60):
        content = np.frombuffer(whole, np.uint8).copy()
        content[random.integers(len(whole), size=10)] = random.integers(256, size=10)
        power_file.write_bytes(content.tobytes())
        try:
            store.load(power_file)
        except RequestError:
            refused += 1
    assert refused > 30  # a changed number in the data cannot be seen


@pytest.mark.parametrize(
    "change",
    [
        lambda file: file.attrs.pop("simstudy_dtypes"),
        lambda file: file.attrs.update({"simstudy_dtypes": "{"}),
        lambda file: file.attrs.update({"simstudy_dtypes": "[1]"}),
        lambda file: file.attrs.update({"simstudy_as_json": '["title"]'}),
        lambda file: file.attrs.update({"simstudy_format": "one"}),
        lambda file: file.pop("power"),
    ],
)
def test_a_file_that_was_changed_is_damaged(power_file: Path, change: Callable[[h5py.File], object]) -> None:
    with h5py.File(power_file, "r+") as file:
        change(file)
    with pytest.raises(RequestError, match=r"result\.nc is damaged: "):
        store.load(power_file)


def test_a_file_of_a_later_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = store.save(factory.mde(), tmp_path / "result.nc")
    monkeypatch.setattr(store, "FORMAT", 0)
    with pytest.raises(RequestError, match="Install a newer simstudy"):
        store.load(path)


def test_the_file_opens_in_other_programs(power_file: Path) -> None:
    with xr.open_dataset(power_file, engine="h5netcdf") as dataset:
        np.testing.assert_array_equal(dataset["power"], factory.power()["power"])
        assert dataset.attrs["title"] == factory.ATTRS["title"]


def test_errors_of_direction_need_the_power_that_they_belong_to() -> None:
    damaged = factory.power().drop_vars("power")
    with pytest.raises(RequestError, match="type_s"):
        cells_of(damaged, "type_s", study_of(damaged))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("power", -1.0, "power is -1 somewhere, and is a proportion"),
        ("power_low", 1.5, "power_low is 1.5 somewhere, and is a proportion"),
        ("power_mcse", -0.1, "power_mcse is -0.1 somewhere, and cannot be negative"),
        ("power", math.inf, "power is inf somewhere"),
        ("power_mcse", 0.6, "power_mcse is 0.6 somewhere, and the error of a proportion is at most 0.5"),
        ("power", 1.0, "power is 1 somewhere, outside its limits"),
    ],
)
def test_numbers_that_cannot_be_are_not_believed(power_file: Path, name: str, value: float, words: str) -> None:
    with h5py.File(power_file, "r+") as file:
        file[name][(0,) * file[name].ndim] = value
    with pytest.raises(RequestError, match=rf"result\.nc is damaged: {words}"):
        store.load(power_file)


def test_replications_and_coordinates_that_cannot_be_are_not_believed(tmp_path: Path) -> None:
    made = power_curve("paired", n_cases=[10, 20], accuracy_a=0.6, difference=0.1, method="mcnemar_exact")
    changes = {
        "replications is -5 somewhere": {"replications": made["replications"] * 0 - 5},
        "alpha is 5.0, which its study did not ask for": {"alpha": 5.0},
        "n_cases is 11, which": {"n_cases": [11, 20]},
        "method is exact, which": {"method": ["exact"]},
    }
    for words, change in changes.items():
        with pytest.raises(RequestError, match=words):
            store.load(store.save(made.assign(change), tmp_path / "result.nc"))
    part = made.sel({"n_cases": 20, "method": "mcnemar_exact"})
    same(part, store.load(store.save(part, tmp_path / "result.nc")))


@pytest.fixture(scope="module")
def simulated() -> xr.Dataset:
    asked = {"n_cases": [10, 20], "accuracy_a": 0.6, "difference": 0.1, "engine": "counts", "replications": 100}
    return power_curve("paired", method="tango", **asked)


@pytest.fixture(scope="module")
def simulated_file(simulated: xr.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return store.save(simulated, tmp_path_factory.mktemp("simulated") / "result.nc")


def test_what_a_study_leaves_is_believed(simulated: xr.Dataset, simulated_file: Path) -> None:
    same(simulated, store.load(simulated_file))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("engine", "zzz", "engine is zzz; there are exact, counts, full"),
        ("replications", 5, "replications is 5, which its study did not ask for"),
        ("replications", 10**9, "replications is 1000000000, which its study did not ask for"),
        ("type_m", -1.0, "type_m is -1 somewhere, and cannot be negative"),
        ("interval_width", -1.0, "interval_width is -1 somewhere, and cannot be negative"),
        ("interval_width", math.inf, "interval_width is infinite somewhere"),
        ("bias", -math.inf, "bias is infinite somewhere"),
        ("coverage", 0.1, r"coverage is 0\.1 somewhere, outside its limits"),
        ("undefined_mcse", 2.0, "undefined_mcse is 2 somewhere"),
        ("labels", -1.0, "labels is -1 somewhere, and cannot be negative"),
    ],
)
def test_nothing_that_no_study_leaves_is_believed(
    tmp_path: Path, simulated_file: Path, name: str, value: object, words: str
) -> None:
    path = Path(shutil.copy(simulated_file, tmp_path))
    with h5py.File(path, "r+") as file:
        file[name][...] = value
    with pytest.raises(RequestError, match=words):
        store.load(path)


def test_no_size_is_negative(tmp_path: Path) -> None:
    made = size("proportion", accuracy=0.6, method="wilson", target="half_width=0.2")
    same(made, store.load(store.save(made, tmp_path / "result.nc")))
    with pytest.raises(RequestError, match="answer is -24 somewhere, and cannot be negative"):
        store.load(store.save(made.assign(answer=made["answer"] * 0 - 24), tmp_path / "result.nc"))


@pytest.mark.parametrize(
    "attributes", [{1: "a"}, {"nested": {"a": {2: "b"}}}, {"list": [{None: 1}]}, {"tuple": ({(1, 2): 1},)}]
)
def test_keys_that_would_become_text_are_refused(tmp_path: Path, attributes: dict[object, object]) -> None:
    with pytest.raises(RequestError, match="An attribute of the dataset has the key"):
        store.save(xr.Dataset(attrs=attributes), tmp_path / "r.nc")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("thing", [None, 5, xr.DataArray([1.0], name="power"), {"power": 0.5}])
def test_what_is_no_dataset_is_not_saved(tmp_path: Path, thing: object) -> None:
    with pytest.raises(RequestError, match="is no Dataset; save takes a result"):
        store.save(thing, tmp_path / "r.nc")


@pytest.mark.parametrize("name", [5, None, 1.5])
def test_what_is_no_name_is_refused(name: object) -> None:
    for act in (store.load, lambda name: store.save(factory.mde(), name)):
        with pytest.raises(RequestError, match="is no name of a file"):
            act(name)


def test_arrays_in_attributes(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="'odd' of the dataset is of type ndarray, which no file can hold"):
        store.save(xr.Dataset(attrs={"odd": np.arange(3)}), tmp_path / "r.nc")
    path = store.save(factory.power(), tmp_path / "result.nc")
    with h5py.File(path, "r+") as file:  # another program may write them
        file.attrs["odd"] = np.arange(3)
        file["power"].attrs["odd"] = np.array([1.5, 2.5])
    assert store.load(path).attrs["odd"].tolist() == [0, 1, 2]
    with h5py.File(path, "r+") as file:
        file.attrs["simstudy_format"] = np.arange(3)
    with pytest.raises(RequestError, match="its file format is no number"):
        store.load(path)


@pytest.mark.parametrize("scale", ["n_cases", "method"])
def test_without_a_dimension_scale_a_file_is_damaged(power_file: Path, scale: str) -> None:
    with h5py.File(power_file, "r+") as file:
        if scale in file:
            del file[scale]
    with pytest.raises(RequestError, match=r"result\.nc"):
        store.load(power_file)


@pytest.mark.parametrize("swept", [True, False])
def test_parameters_that_their_scenario_does_not_allow_are_not_believed(tmp_path: Path, swept: bool) -> None:
    made = power_curve(
        "paired", n_cases=10, discordance=[0.2, 0.3] if swept else 0.2, difference=0.1, method="mcnemar_exact"
    )
    made.attrs["study"] = made.attrs["study"].replace("0.2", "7.0")
    made = made.assign_coords(discordance=[7.0, 0.3] if swept else 7.0)
    path = store.save(made, tmp_path / "r.nc")
    with pytest.raises(RequestError, match=r"r\.nc is damaged: discordance is 7; it must be a number in"):
        store.load(path)
