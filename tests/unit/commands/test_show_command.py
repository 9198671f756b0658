"""Saved results shown again."""

import pytest

from simstudy import mde, power_curve, save, size
from simstudy.commands.parsing import Invocation
from simstudy.commands.show_command import command
from simstudy.errors import RequestError
from tests.small.protocols import Protocols


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


def test_a_study_that_lacks_a_part_is_refused_with_the_name_of_the_file(tmp_path):
    result = power_curve("paired", n_cases=10, accuracy_a=0.6, difference=0.1, method="mcnemar_exact")
    result.attrs["study"] = '{"scenario": "paired"}'
    save(result, tmp_path / "r.nc")
    with pytest.raises(RequestError, match=r"r\.nc does not say which study it answers: 'parameters' is missing\.$"):
        command(Invocation("show", (str(tmp_path / "r.nc"),), "", "About."))


def test_what_was_dropped_from_a_part_is_named_where_no_page_can_be_made(tmp_path, capsys):
    whole = power_curve("paired", n_cases=[10, 20], accuracy_a=0.6, difference=0.1, method="mcnemar_exact")
    solved = mde("paired", n_cases=[10, 20], accuracy_a=0.5, method="mcnemar_exact")
    parts = {"few": whole.drop_vars(["type_s", "power_low"]), "method": whole.drop_vars("method")}
    parts["status"] = solved.drop_vars("status")
    for name, part in parts.items():
        path = tmp_path / f"{name}.nc"
        save(part, path)
        asked = Invocation("show", (str(path),), "", "About.")
        if name == "few":
            assert command(asked) == 0
            assert "type_m" in capsys.readouterr().out
        else:
            with pytest.raises(RequestError, match=f"without what was dropped from it: {name}"):
                command(asked)


def test_costs_of_methods_are_shown_of_a_scenario_that_is_not_registered(tmp_path, capsys):
    for name, result in (
        ("p", power_curve(Protocols(), n_pairs=[8, 9], strength=0.5)),
        ("s", size(Protocols(), strength=2.0)),
    ):
        save(result, tmp_path / f"{name}.nc")
        assert command(Invocation("show", (str(tmp_path / f"{name}.nc"),), "", "About.")) == 0
        shown = capsys.readouterr().out
        assert "judge_calls" in shown
        # until_decided reads the second pass after a tie alone
        assert f"{result['judge_calls'].values.ravel()[2]:.4f}" in shown


def test_a_value_that_is_not_there_names_the_option(tmp_path):
    save(
        power_curve("paired", n_cases=[10, 20], accuracy_a=0.6, difference=0.1, method="mcnemar_exact"),
        tmp_path / "r.nc",
    )
    asked = (str(tmp_path / "r.nc"), "--select", "n_cases=15")
    with pytest.raises(RequestError, match=r"^--select: this result has no n_cases 15; it has 10, 20"):
        command(Invocation("show", asked, "", "About."))
