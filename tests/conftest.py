"""What every test may use."""

from __future__ import annotations

import gc
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

SHARED = Path(__file__).resolve().parents[1].parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real evaluation data beside the checkout; a plain clone has none."""
    if not SHARED.is_dir():
        pytest.skip("the folder of real evaluation data is not beside this checkout")
    return SHARED


# examples of a property in the fast set, where it does not say itself how many; the whole set draws 100
FEW_EXAMPLES = 40


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("markexpr") == "not slow":
        from hypothesis import settings

        settings.register_profile("fast", max_examples=FEW_EXAMPLES)
        settings.load_profile("fast")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the search for garbage what stays to the end: libraries and collected tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20)
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Keep the tests of a module in one process: they share what they have computed, and few kernels are met twice."""
    from xdist.scheduler import LoadScopeScheduling

    return LoadScopeScheduling(config, log)
