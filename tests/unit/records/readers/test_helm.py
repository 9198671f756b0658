from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, helm
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

FILES = Path(__file__).resolve().parents[5] / "shared/data/files/helm/evaleval+every_eval_ever"
ABSENT = pytest.mark.skipif(not FILES.exists(), reason="the shared folder is not here")
TYPOS = {"name": "typos", "prob": 0.1, "computed_on": "perturbed"}


def stat(name: str, mean: float | None = 1.0, split: str = "test", count: int = 1, **more: Any) -> dict[str, Any]:
    """Return a statistic as HELM serializes it."""
    total = 0 if mean is None else mean * count
    numbers = {} if mean is None else {"min": mean, "max": mean, "mean": mean, "variance": 0.0, "stddev": 0.0}
    about = {"name": name, "split": split, **more}
    return {"name": about, "count": count if mean is not None else 0, "sum": total, "sum_squared": total, **numbers}


def entry(name: str, *stats: Any, trial: int = 0, **more: Any) -> dict[str, Any]:
    return {"instance_id": name, "train_trial_index": trial, "stats": list(stats), **more}


def read(*entries: Any, name: str = "mine.json", **options: Any) -> Records:
    return helm.read(Source(name, json.dumps(entries).encode()), ReadOptions(**options))


def said(records: Records) -> str:
    return " ".join(remark.says for remark in records.remarks)


def test_told_from_content() -> None:
    for whole in ([entry("id1", stat("em")), entry("id2")], [entry("id1")], [stat("em"), stat("f1")]):
        reader, certainty = find_reader(Source("x.txt", json.dumps(whole, indent=2).encode()))
        assert (reader.NAME, certainty > 0.85) == ("helm", True)
    assert helm.sniff(Source("x", b'[{"instance_id": 1, "stats": 3}, {"name": "n", "count": 1, "sum": 2}]').head) == 0


def test_scores_are_metrics_and_the_course_of_the_run_is_not() -> None:
    stats = [stat("num_references", 4), stat("inference_runtime", 2.5), stat("exact_match", 0.0), stat("f1_score", 0.5)]
    records = read(entry("id1", *stats), entry("id2", *stats))
    assert list(records.metrics) == ["exact_match", "f1_score"]
    assert records.of_metric("f1_score").value.tolist() == [0.5, 0.5]
    assert "2 statistics are no scores" in said(records)
    asked = read(entry("id1", *stats), metric="num_references")
    assert asked.of_metric("num_references").value.tolist() == [4]


def test_entries_of_one_instance_belong_together() -> None:
    records = read(
        entry("id1", stat("exact_match", 0.0)),
        entry("id1", stat("bleu", 0.25), stat("exact_match", 0.0)),
        entry("id2"),
        entry("id2", stat("exact_match", None), 7),
        entry("id3", stat("exact_match", 0.5, count=2)),
    )
    assert records.of_metric("exact_match").case.texts() == ["id1", "id2", "id3"]
    np.testing.assert_equal(records.of_metric("exact_match").value, [0, np.nan, 0.5])
    assert records.of_metric("bleu").value.tolist() == [0.25]
    assert records.doubled() == []
    assert {aside.reason for aside in records.aside} == {
        "the same statistic again",
        "no statistics",
        "statistics without a name",
    }


def test_an_instance_with_two_values_is_named() -> None:
    assert read(entry("id1", stat("em", 0.0)), entry("id1", stat("em", 1.0))).doubled() == ["id1"]


def test_a_mean_that_is_not_written() -> None:
    plain = {"name": {"name": "em", "split": "test"}, "count": 4, "sum": 3}
    assert read(entry("id1", plain)).value.tolist() == [0.75]


def test_perturbed_inputs_have_metrics_of_their_own() -> None:
    records = read(
        entry("id1", stat("em", 0.0, perturbation=TYPOS), perturbation=TYPOS),
        entry("id1", stat("em", 1.0)),
        entry("id1", stat("em", 0.5), perturbation={"name": "typos", "computed_on": "worst"}),
    )
    assert {name: records.of_metric(name).value.tolist() for name in records.metrics} == {
        "em": [1],
        "em,typos": [0],
        "em,typos worst": [0.5],
    }
    assert next(iter(records.metrics)) == "em"


def test_trials_are_runs_and_splits_are_said() -> None:
    records = read(
        entry("id1", stat("em", 1.0), trial=0),
        entry("id1", stat("em", 0.0), trial=1),
        entry("id2", stat("em", 0.0, split="valid")),
    )
    assert records.further["run"].texts() == ["0", "1", "0"]
    assert records.doubled() == []
    assert records.extra["split"].texts() == ["test", "test", "valid"]
    assert "1 of test, 1 of valid" in said(records)
    assert read(entry("id1", stat("em")), cluster_column="split").further["cluster"].words == ("test",)


@pytest.mark.parametrize(
    ("name", "system", "named"),
    [
        ("runs/v1/mmlu:subject=anatomy,model=openai_gpt2/per_instance_stats.json", "openai_gpt2", True),
        ("mmlu:model=org_m-1.5,groups=x/per_instance_stats.json", "org_m-1.5", True),
        ("a\\my run\\per_instance_stats.json", "my run", True),
        ("a/mine.json", "mine", False),
    ],
)
def test_the_folder_names_the_model(name: str, system: str, named: bool) -> None:
    records = read(entry("id1", stat("em")), name=name)
    assert (records.systems, records.named_systems) == ((system,), named)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([stat("em")], "holds HELM's totals.*per_instance_stats"),
        ([entry("id1", stat("num_bytes"))], r"no score per instance; its statistics are num_bytes"),
        ([entry("id1")], "statistics are none"),
        ([7], "no record that can be read"),
    ],
)
def test_refusals(entries: list[Any], words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read(*entries)


@ABSENT
@pytest.mark.parametrize(
    ("start", "system", "right", "splits"),
    [
        ("mmlu", "openai_gpt2", 1, {"test": 9, "valid": 1}),
        ("commonsense", "eleutherai_pythia-1b-v0", 3, {"valid": 10}),
    ],
)
def test_real_runs(start: str, system: str, right: int, splits: dict[str, int]) -> None:
    (path,) = FILES.glob(f"{start}*per_instance_stats.json")
    records = read_records(path)
    assert records.systems == (system,)
    first = records.of_metric("exact_match")
    assert (len(first), float(first.value.sum())) == (10, right)
    assert first.extra["split"].counts() == splits
    assert len(records.metrics) == 8  # of 27 statistics
    assert records.doubled() == []


@ABSENT
def test_real_totals() -> None:
    (path,) = FILES.glob("mmlu*__stats.json")
    with pytest.raises(RecordsError, match="totals"):
        read_records(path)
