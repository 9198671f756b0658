"""Flat records, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from simstudy.pages.json_csv import flat_records, to_csv, to_json
from tests.unit.pages import factory

MAKERS = [factory.power, factory.coverage, factory.mde, factory.size]


def test_one_record_per_point_and_method_in_order() -> None:
    dataset = factory.power()
    records = flat_records(dataset)
    assert len(records) == dataset["power"].size
    assert list(records[0])[:6] == ["difficulty_sd", "n_cases", "difference", "accuracy_a", "alpha", "method"]
    assert [record["method"] for record in records[:4]] == [*factory.METHODS, factory.METHODS[0]]


@pytest.mark.parametrize("make", MAKERS)
def test_every_record_holds_the_value_of_its_point(make) -> None:
    dataset = make()
    main = "answer" if "answer" in dataset else "power" if "power" in dataset else "coverage"
    label = dataset.attrs.get("solved_for", main)
    for record in flat_records(dataset):
        place = {name: record[name] for name in dataset[main].dims}
        value = dataset[main].sel(place).item()
        assert record[label] == (None if np.isnan(value) else value)


def test_the_order_of_dimensions_does_not_matter() -> None:
    dataset = factory.power()
    turned = dataset.transpose("method", "difference", "difficulty_sd", "n_cases")

    def place(record):
        return tuple(str(record[name]) for name in dataset["power"].dims)

    assert sorted(flat_records(turned), key=place) == sorted(flat_records(dataset), key=place)


def test_whole_numbers_stay_whole_and_nan_is_none() -> None:
    dataset = factory.power({"n_cases": (36, 100)})
    dataset["type_s"][0, 0] = np.nan
    record = flat_records(dataset)[0]
    assert type(record["n_cases"]) is int
    assert type(record["replications"]) is int
    assert record["type_s"] is None


def test_truths_are_repeated_for_each_method() -> None:
    assert {record["discordance"] for record in flat_records(factory.power())} == {0.35}


@pytest.mark.parametrize("make", MAKERS)
def test_json_reads_back_as_the_records(make) -> None:
    assert json.loads(to_json(make())) == flat_records(make())


@pytest.mark.parametrize("make", MAKERS)
def test_csv_has_the_columns_of_json_and_full_precision(make) -> None:
    dataset = make()
    rows = list(csv.DictReader(io.StringIO(to_csv(dataset))))
    records = json.loads(to_json(dataset))
    assert list(rows[0]) == list(records[0])
    for row, record in zip(rows, records, strict=True):
        for name, value in record.items():
            assert row[name] == ("" if value is None else str(value))


def test_nan_is_null_and_infinity_too() -> None:
    dataset = factory.mde()
    dataset["high"][0, 1, 0] = np.inf
    text = to_json(dataset)
    assert '"mde": null' in text
    assert '"high": null' in text
    assert "Infinity" not in text
    assert "inf" not in to_csv(dataset)


def test_an_answer_bears_the_name_of_what_was_solved_for() -> None:
    names = list(flat_records(factory.size())[0])
    assert names[-7:] == ["n_cases", "low", "high", "status", "first", "reason", "engine"]
    assert "answer" not in names


def test_a_solved_size_is_a_whole_number() -> None:
    found = [record for record in flat_records(factory.size()) if record["status"] == "found"]
    assert all(type(record[name]) is int for record in found for name in ("n_cases", "low", "high", "first"))


def test_a_solved_effect_stays_a_float() -> None:
    dataset = factory.mde()
    dataset["answer"][0, 1, 0] = 1.0
    assert '"mde": 1.0' in to_json(dataset)


def test_bools_are_written_alike_in_json_and_csv() -> None:
    dataset = factory.power({"n_cases": (36, 100)}).assign_coords(clipped=True)
    assert '"clipped": true' in to_json(dataset)
    assert next(csv.DictReader(io.StringIO(to_csv(dataset))))["clipped"] == "true"


def test_a_curve_beside_the_answers_is_left_out() -> None:
    dataset = factory.size()
    with_curve = dataset.assign(curve_size=((*dataset["answer"].dims, "step"), np.zeros((2, 4, 3, 5))))
    assert flat_records(with_curve) == flat_records(dataset)


def test_a_dataset_without_dimensions_is_one_record() -> None:
    dataset = factory.power({"n_cases": (36,)}).isel(n_cases=0, method=0)
    (record,) = flat_records(dataset)
    assert record["n_cases"] == 36
    assert record["method"] == "mcnemar_exact"
