"""What nobody would wait for."""

from __future__ import annotations

import pytest

from simstudy.commands.affordable import check_affordable
from simstudy.errors import RefusedError
from simstudy.study.plan import make_study

PAIRED = {"accuracy_a": 0.7, "difference": 0.1}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"n_cases": 10**9, "engine": "exact", "method": "mcnemar_midp"},
            r"^Engine exact would take roughly \S+ h for mcnemar_midp at n_cases 1000000000: ask for engine auto or "
            r"counts, or for a smaller n_cases\.$",
        ),
        (
            {"n_cases": 10**11, "engine": "full"},
            r"^Engine full would take roughly \S+ h at n_cases 100000000000: ask for a smaller n_cases, fewer "
            r"replications or engine counts\.$",
        ),
        ({"n_cases": [36, 10**11], "engine": "full"}, "at n_cases 100000000000"),
    ],
)
def test_years_are_refused(asked, message):
    study = make_study("paired", {**PAIRED, "n_cases": asked.pop("n_cases")}, **asked)
    with pytest.raises(RefusedError, match=message):
        check_affordable(study)


@pytest.mark.parametrize(
    "asked",
    [
        {"n_cases": 10**12},
        {"n_cases": 10**9, "engine": "counts"},
        {"n_cases": 10**9, "engine": "full", "replications": 100},
        {"n_cases": 1000, "engine": "exact"},
    ],
)
def test_what_is_done_in_a_night_is_not(asked):
    check_affordable(make_study("paired", {**PAIRED, "n_cases": asked.pop("n_cases")}, **asked))


def test_solving_chooses_for_itself():
    check_affordable(make_study("paired", {**PAIRED}, question="size", engine="full"))


def test_where_no_other_engine_is_none_is_proposed():
    values = {**PAIRED, "n_clusters": 10**9, "cluster_size": 1000}
    with pytest.raises(RefusedError, match=r"fewer replications\.$"):
        check_affordable(make_study("clustered", values))
