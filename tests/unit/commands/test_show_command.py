"""Saved results shown again."""

import pytest

from simstudy import power_curve, save
from simstudy.commands.parsing import Invocation
from simstudy.commands.show_command import command
from simstudy.errors import RequestError


def test_a_saved_result_is_printed_as_it_was(tmp_path, capsys):
    path = tmp_path / "r.nc"
    save(power_curve("paired", n_cases=[10, 20], accuracy_a=0.6, difference=0.1, method="mcnemar_exact"), path)
    assert command(Invocation("show", (str(path),), "", "About.")) == 0
    assert capsys.readouterr().out.startswith("Power: two systems answer the same cases (paired)")
    picture = tmp_path / "r.svg"
    assert command(Invocation("show", (str(path), "--plot", str(picture), "--format", "csv"), "", "About.")) == 0
    assert picture.exists()


def test_a_file_is_needed():
    with pytest.raises(RequestError, match="simstudy show needs a saved result"):
        command(Invocation("show", (), "", "About."))
