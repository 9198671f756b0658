"""What every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[1].parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real evaluation data beside the checkout; a plain clone has none."""
    if not SHARED.is_dir():
        pytest.skip("the folder of real evaluation data is not beside this checkout")
    return SHARED
