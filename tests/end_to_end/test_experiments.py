"""The experiments: their files are read, their answers come out again, and the page says what the answers say."""

from __future__ import annotations

import functools
import re

import h5py
import numba
import numpy as np
import pytest
import xarray as xr
from scipy import stats

from experiments.__main__ import answer, main, presented, thinning
from experiments.findings import FINDINGS
from experiments.readme import HERE, RESULTS, read_study, readme, study_names
from simstudy.errors import RequestError
from simstudy.pages.chart import chart_of
from simstudy.store import load

NAMES = sorted(path.stem for path in HERE.glob("*.toml"))

# Exact answers are sums of up to some thousands of products: the order of a matrix product and the last bit of
# exp, log and erfc differ between processors and libraries by far less than this.
EXACT_TOLERANCE = 1e-12
# Printed to four decimals.
ROUNDING = 5.1e-5
# A mean over 199 accuracies times 199/200 is the trapezoid rule for the integral over (0, 1), where coverage is 0 at
# the ends; with 300 cases the curve climbs to .78 within the first step of .005, which costs up to .002.
GRID_MEAN = 0.002


@functools.cache
def stored(name: str) -> xr.Dataset:
    return load(RESULTS / f"{name}.nc")


@functools.cache
def plainly(name: str) -> xr.Dataset:
    """Read values, coordinates and attributes with h5py alone: quicker by far, and another way to the figures."""
    with h5py.File(RESULTS / f"{name}.nc") as file:
        variables = {
            variable: (
                [variable] if held.is_scale and held.ndim else [dim[0].name.lstrip("/") for dim in held.dims],
                held.asstr()[()] if h5py.check_string_dtype(held.dtype) else held[()],
            )
            for variable, held in file.items()
        }
        return xr.Dataset(variables, attrs=dict(file.attrs))


def test_every_file_has_a_finding_and_every_finding_a_file():
    assert set(NAMES) == set(FINDINGS)
    assert set(study_names()) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_study_file_is_read_and_says_its_question(name):
    study = read_study(name)
    assert study.aims.endswith("?")
    assert study.question in ("power", "mde", "size")


@pytest.mark.parametrize("name", NAMES)
def test_stored_answer_is_that_of_the_file(name):
    dataset, study = plainly(name), read_study(name)
    assert dataset.attrs["scenario"] == study.scenario
    assert dataset.attrs["aims"] == study.aims
    assert dataset.attrs["command"] == f"python -m experiments {name}"
    assert "created" not in dataset.attrs
    assert dataset["method"].values.tolist() == study.method
    for ending in ("md", "png"):
        assert (RESULTS / f"{name}.{ending}").stat().st_size > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_stored_answer_is_believed_and_read_as_it_stands(name):
    xr.testing.assert_equal(stored(name).reset_coords(), plainly(name).reset_coords())


def test_page_lists_every_file_with_the_figures_of_the_answers(monkeypatch):
    monkeypatch.setattr("experiments.readme.load", lambda path: plainly(path.stem))
    page = (HERE / "README.md").read_text(encoding="utf-8")
    assert page == readme(RESULTS)
    assert all(f"({name}.toml)" in page and f"(../results/{name}.nc)" in page for name in NAMES)


def test_sentences_hold_all_their_figures():
    for name, finding in FINDINGS.items():
        places = {int(place) for place in re.findall(r"{(\d+)}", finding.sentence)}
        assert places == set(range(len(finding.figures))), name


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="takes hours uncompiled: 13.6 million simulated cases")
def test_simulation_of_every_case_comes_out_with_the_same_bits():
    again, before = answer("paired_engines"), stored("paired_engines")
    assert set(again["engine"].values.ravel()) == {"full"}
    assert set(again.variables) == set(before.variables)
    for variable in before.variables:
        if "method" in before[variable].dims:
            assert again[variable].values.tobytes() == before[variable].values.tobytes(), variable
    # what follows from the parameters comes from quadrature and roots
    xr.testing.assert_allclose(again, before, rtol=0, atol=EXACT_TOLERANCE)


@pytest.mark.parametrize("name", ["paired_lesson", "paired_lesson_size"])
def test_exact_answer_comes_out_again(name):
    again, before = answer(name), stored(name)
    assert set(again.variables) == set(before.variables)
    xr.testing.assert_allclose(again, before, rtol=0, atol=EXACT_TOLERANCE)


def test_command_writes_the_same_bytes_twice(tmp_path, capsys):
    page = (HERE / "README.md").read_bytes()
    for folder in ("first", "second"):
        assert main(["paired_lesson_size", "--out", str(tmp_path / folder)]) == 0
    assert capsys.readouterr().out.count("paired_lesson_size: ") == 2
    files = sorted(path.name for path in (tmp_path / "first").iterdir())
    assert files == [f"paired_lesson_size.{ending}" for ending in ("md", "nc", "png")]
    for file in files:
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes(), file
    assert (HERE / "README.md").read_bytes() == page


def test_command_names_the_nearest_experiment(tmp_path, capsys):
    assert main(["paired_leson", "--out", str(tmp_path / "out")]) == RequestError.exit_code
    assert "Did you mean paired_lesson?" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("name", "whole"), [("paired", True), ("size_of_tests", False), ("paired_coverage", False)])
def test_small_rates_are_drawn_on_a_scale_of_their_own(name, whole):
    finding = FINDINGS[name]
    dataset = stored(name)
    chart = chart_of(dataset, finding.draws or finding.shows[:1], presented(dataset, finding))
    assert chart.y_is_rate == whole
    assert any(value == 0.8 for value, _ in chart.references) == whole


@pytest.mark.parametrize(("size", "step"), [(199, 22), (99, 14), (41, 5), (42, 41)])
def test_thinning_keeps_both_ends(size, step):
    assert thinning(size) == step
    assert (size - 1) % step == 0


# ---- figures that other programs found by enumeration, quadrature or a closed form


def test_lesson_has_its_known_power():
    power = stored("paired_lesson")["power"].sel(difficulty_sd=[0, 1.5, 3])
    known = {
        "mcnemar_exact": [0.3105, 0.2513, 0.1734],
        "mcnemar_midp": [0.3631, 0.3032, 0.2219],
        "unpaired_z": [0.3708, 0.2125, 0.0553],
    }
    for method, values in known.items():
        np.testing.assert_allclose(power.sel({"method": method}), values, rtol=0, atol=ROUNDING)


def test_smallest_differences_are_the_known_ones():
    answers = stored("paired_mde")["answer"].sel(n_cases=[36, 100, 400, 1251])
    known = {
        0.0: ([0.2606, 0.1712, 0.0887, 0.0508], [0.2468, 0.1637, 0.0866, 0.0500]),
        1.5: ([0.2474, 0.1537, 0.0772, 0.0437], [0.2304, 0.1461, 0.0750, 0.0430]),
        3.0: ([0.2274, 0.1293, 0.0637, 0.0357], [0.2058, 0.1216, 0.0615, 0.0350]),
    }
    for sd, rows in known.items():
        for method, values in zip(("mcnemar_exact", "mcnemar_midp"), rows, strict=True):
            found = answers.sel({"difficulty_sd": sd, "method": method})
            np.testing.assert_allclose(found, values, rtol=0, atol=ROUNDING)


def test_sample_sizes_are_the_known_ones():
    lesson = stored("paired_lesson_size")["answer"].sel(difficulty_sd=[0, 1.5, 3])
    assert lesson.sel({"method": "mcnemar_exact"}).values.tolist() == [313, 375, 534]
    assert lesson.sel({"method": "mcnemar_midp"}).values.tolist() == [295, 354, 503]
    paired = stored("paired_size")["answer"].sel(difference=0.05)
    assert paired.sel({"method": "mcnemar_exact"}).values.tolist() == [1291, 956, 644]
    discordance = stored("paired_size_discordance")["answer"].sel(discordance=[0.375, 0.15, 0.07])
    assert discordance.sel({"method": "mcnemar_midp"}).values.tolist() == [1173, 461, 199]


def test_independent_sizes_are_near_the_closed_form():
    answers = stored("independent_size")["answer"].sel({"method": "z_pooled"}).values
    # the normal approximation is off by a few cases where there are few
    np.testing.assert_allclose(answers, [1251, 294, 62], rtol=0, atol=3)


def test_wald_coverage_averages_as_known():
    wald = stored("proportion_coverage")["coverage"].sel({"method": "wald"})
    means = wald.mean("accuracy").sel(n_cases=[10, 30, 100, 300]) * 199 / 200
    np.testing.assert_allclose(means, [0.769, 0.875, 0.922, 0.939], rtol=0, atol=GRID_MEAN)


def test_proportion_coverage_agrees_with_a_sum_over_outcomes():
    n, z = 36, stats.norm.ppf(0.975)
    x = np.arange(n + 1)
    share = x / n
    half = z * np.sqrt(share * (1 - share) / n)
    found = stored("proportion_coverage")["coverage"].sel({"n_cases": n, "method": "wald"})
    accuracies = found["accuracy"].values
    holds = np.abs(accuracies[:, None] - share) <= half
    expected = (holds * stats.binom.pmf(x, n, accuracies[:, None])).sum(axis=1)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("n", [20, 36, 50])
def test_one_sided_bootstrap_coverage_follows_by_hand(n):
    """With p10 = 0 the resampled difference is Binomial(n, x/n)/n, whose quantiles are the limits."""
    x = np.arange(n + 1)
    low, high = (stats.binom.ppf(q, n, x / n) / n for q in (0.025, 0.975))
    # scipy answers -1 for the quantile of a binomial that is certain to be 0
    low, high = np.maximum(low, 0), np.maximum(high, 0)
    expected = stats.binom.pmf(x, n, 0.05)[(low <= 0.05 + 1e-12) & (high >= 0.05 - 1e-12)].sum()
    found = stored("paired_coverage_one_sided")["coverage"].sel({"n_cases": n, "method": "bootstrap_percentile"})
    assert float(found) == pytest.approx(expected, abs=1e-10)


# ---- what the sentences claim beyond their figures


def test_only_the_exact_tests_never_exceed_their_level():
    largest = stored("size_of_tests")["power"].max(("n_cases", "difficulty_sd"))
    holds = [str(method) for method in largest["method"].values if float(largest.sel({"method": method})) <= 0.05]
    assert {"mcnemar_exact", "sign_flip_exact"} <= set(holds)
    assert not {"paired_z", "mcnemar_chi2"} & set(holds)


def test_margin_tests_differ_most_where_few_cases_are_discordant():
    largest = stored("margin_size")["power"].max("n_cases")
    excess = largest.sel({"method": "noninferiority_wald"}) - largest.sel({"method": "noninferiority_tango"})
    assert float(excess.idxmax("discordance")) == 0.05
    assert float(largest.sel({"method": "noninferiority_wald"}).max()) > 0.1


@pytest.mark.parametrize("clusters", [20, 50])
def test_robust_t_and_sign_flips_alone_hold_the_level(clusters):
    """Within four Monte Carlo errors: a method of size .05 is above in 3 of 100,000 seeds."""
    dataset = stored("clustered_size").sel(n_clusters=clusters, cluster_interaction_sd=1)
    least = dataset["power"] - 4 * dataset["power_mcse"]
    holds = {str(method) for method in dataset["method"].values if float(least.sel({"method": method})) <= 0.05}
    assert holds == {"cluster_t", "cluster_sign_flip"}


def test_simulated_power_agrees_with_exact_power():
    """Forty figures within 4.5 standard errors: a false alarm in about 3 of 10,000 seeds."""
    simulated = stored("paired_engines")
    exact = stored("paired")["power"].sel(
        {"difficulty_sd": 1.5, **{name: simulated[name] for name in ("n_cases", "difference", "method")}}
    )
    error = np.sqrt(exact * (1 - exact) / simulated["replications"])
    assert float((abs(simulated["power"] - exact) / error).max()) < 4.5
