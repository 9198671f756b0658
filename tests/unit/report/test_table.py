"""Results as a researcher reads them."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from simstudy.errors import UnknownNameError
from simstudy.report.layout import WIDTH
from simstudy.report.table import to_markdown, to_table
from tests.unit.report import factory

GOLDEN = """\
How often does a test see that B is better than A, when both answer the same cases?
Fixed: accuracy_a = 0.7, alpha = 0.05.

power
                        difference
n_cases  method          0.0         0.1
─────────────────────────────────────────────
     36  mcnemar_exact  .0139       .0688
         mcnemar_midp   .0271       .1088
         unpaired_z     .050 ±.007  .164 ±.012
   1251  mcnemar_exact  .0139       .9995
         mcnemar_midp   .0271       .9998
         unpaired_z     .050 ±.007  1.000 ≥.996

behind the power
n_cases  difference  method         power_right         type_s   type_m       undefined
───────────────────────────────────────────────────────────────────────────────────────
     36         0.0  mcnemar_exact   .0069        .5000          2.0000   .0000
                     mcnemar_midp    .0136        .5000          2.0000   .0000
                     unpaired_z      .025 ±.005   .500 ±.071    ~2.000   <.001 ±.001
                0.1  mcnemar_exact   .0686        .0043          1.5135   .0000
                     mcnemar_midp    .1081        .0067          1.5135   .0000
                     unpaired_z      .162 ±.012   .010 ±.008    ~1.514   <.001 ±.001
   1251         0.0  mcnemar_exact   .0069        .5000          2.0000   .0000
                     mcnemar_midp    .0136        .5000          2.0000   .0000
                     unpaired_z      .025 ±.005   .500 ±.071    ~2.000   <.0001 ±<.0001
                0.1  mcnemar_exact   .9995       <.0001          1.0295   .0000
                     mcnemar_midp    .9998       <.0001          1.0295   .0000
                     unpaired_z     1.000 ±.000  <.0001 ±<.0001  ~1.029   <.0001 ±<.0001
"""


def small(**options: object) -> xr.Dataset:
    grid = {"n_cases": (36, 1251), "difference": (0.0, 0.1)}
    return factory.power(grid, replications=1000, **options)  # type: ignore[arg-type]


def test_the_question_comes_first() -> None:
    assert to_table(factory.power()).splitlines()[0] == factory.ATTRS["question"]
    assert to_markdown(factory.power()).splitlines()[0] == factory.ATTRS["question"]


def test_golden() -> None:
    dataset = factory.power({"n_cases": (36, 400), "difference": (0.05, 0.1)}, replications=1000)
    assert to_table(dataset, ["power"]) == "\n".join(
        [
            "How often does a test see that B is better than A, when both answer the same cases?",
            "Fixed: accuracy_a = 0.7, alpha = 0.05.",
            "",
            "power",
            "                        difference",
            "n_cases  method         0.05        0.10",
        ]
    )


def test_the_default_study_fits_the_page_in_three_blocks() -> None:
    lines = to_table(factory.power()).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert [line for line in lines if line.startswith("power,")] == [
        f"power, difficulty_sd = {sd}" for sd in ("0.0", "1.5", "3.0")
    ]
