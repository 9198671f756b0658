"""Whatever is saved is read back as it was."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from simstudy import store

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
ATTRIBUTES = st.dictionaries(
    st.from_regex(r"a_[a-z]{1,8}", fullmatch=True),
    SCALARS | st.lists(SCALARS, max_size=4) | st.dictionaries(st.text(max_size=4), SCALARS, max_size=3),
    max_size=5,
)
DTYPES = ("float64", "float32", "int64", "int32", "uint8", "bool")


@st.composite
def datasets(draw: st.DrawFn) -> xr.Dataset:
    """Draw a Dataset of up to three dimensions with variables of every dtype that results have."""
    sizes = draw(st.dictionaries(st.sampled_from(["n_cases", "difference", "method"]), st.integers(1, 4), max_size=3))
    coords: dict[str, object] = {"fixed": draw(st.floats(allow_nan=False)), "word": draw(WORDS)}
    for name, size in sizes.items():
        labels = WORDS if name == "method" else st.integers(-(2**40), 2**40)
        coords[name] = draw(st.lists(labels, min_size=size, max_size=size, unique=True))
    variables = {}
    for number in range(draw(st.integers(0, 4))):
        dims = draw(st.permutations(sorted(sizes)))[: draw(st.integers(0, len(sizes)))]
        shape = tuple(sizes[name] for name in dims)
        values = draw(
            arrays.arrays(draw(st.sampled_from(DTYPES)), shape)
            | arrays.arrays("U5", shape, elements=WORDS.map(lambda word: word[:5]))
        )
        variables[f"v{number}"] = (dims, values, draw(ATTRIBUTES))
    return xr.Dataset(variables, coords=coords, attrs=draw(ATTRIBUTES))


@settings(max_examples=25, deadline=None)
@given(datasets())
def test_round_trip(dataset: xr.Dataset) -> None:
    with tempfile.TemporaryDirectory() as folder:
        loaded = store.load(store.save(dataset, Path(folder) / "result.nc"))
    assert list(dataset.dims) == list(loaded.dims)
    assert list(dataset.variables) == list(loaded.variables)
    assert list(dataset.data_vars) == list(loaded.data_vars)
    for name, variable in dataset.variables.items():
        assert loaded[name].dims == variable.dims
        assert loaded[name].dtype == variable.dtype
        np.testing.assert_array_equal(loaded[name].values, variable.values)
        assert repr(loaded[name].attrs) == repr(variable.attrs)
    assert repr(dataset.attrs) == repr(loaded.attrs)
