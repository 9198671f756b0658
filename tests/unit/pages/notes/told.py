"""What a note says of a Dataset, asked for by name."""

from __future__ import annotations

from unittest.mock import patch

import xarray as xr

from simstudy.pages.notes import note, result_of
from simstudy.pages.page import page_of
from simstudy.study.asked import study_of


def told(name: str, dataset: xr.Dataset) -> str:
    """Return what the note says of a result, as text; empty where it does not apply."""
    study = study_of(dataset)
    with patch("simstudy.pages.page.notes_of", return_value=[]):  # the tables alone: all other notes cost half the time
        tables = page_of(dataset, None, study).tables
    result = result_of(study, dataset, tables)
    found = note(name)
    return " ".join(found.says(result)) if found.applies(result) else ""
