"""EvalPlus: eval_results.json, the outcome of each task's samples on the base tests and on the further ones."""

from __future__ import annotations

from typing import Any, NamedTuple

from simstudy.errors import RecordsError
from simstudy.records.cells import TIMEOUTS, Reason, read_cell
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import with_columns
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.source import Head, Source

NAME = "evalplus"
SAYS = "results of EvalPlus: eval, with base and plus states of the samples of each task"


class Sample(NamedTuple):
    """The states of a sample; `plus` is None where the further tests were not run."""

    base: Any
    plus: Any


def sniff(head: Head) -> float:
    """Tell results by the states of the first task."""
    tasks = head.object.get("eval")
    first = next(iter(tasks.values()), None) if isinstance(tasks, dict) else None
    if isinstance(first, list):
        return 0.95 if first and isinstance(first[0], dict) and "base_status" in first[0] else 0.0
    return 0.95 if isinstance(first, dict) and isinstance(first.get("base"), list) else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return whether each sample passes, samples of a task being its runs; plus asks for the base tests, too."""
    whole = source.json()
    tasks = whole.get("eval") if isinstance(whole, dict) else None
    if not isinstance(tasks, dict):
        raise RecordsError(f"{source.name} has no field 'eval' with the tasks.")
    builder = RecordsBuilder(source.name, NAME, place="record", encoding=source.encoding)
    found = {task: _samples(outcome) for task, outcome in tasks.items()}
    several = any(len(samples) > 1 for samples in found.values())
    with_plus = any(sample.plus is not None for samples in found.values() for sample in samples)
    if with_plus:
        builder.metric("plus", lower_is_better=False)
    builder.metric("base", lower_is_better=False)
    times_out = 0
    for place, (task, samples) in enumerate(found.items(), start=1):
        if not samples:
            builder.aside("a task without a sample", place, task)
        for number, sample in enumerate(samples):
            run = str(number) if several else None
            states = {"base": _passes(sample.base)}
            if with_plus:
                states = {"plus": _both(states["base"], _passes(sample.plus)), **states}
            for metric, (value, reason) in states.items():
                builder.add(task, source.stem, value, metric=metric, place=place, reason=reason, run=run)
            times_out += any(_timed_out(state) for state in sample)
    if times_out:
        builder.remark("timeout", f"{times_out} samples ran out of time, which EvalPlus counts as failed: 0.")
    if not any(found.values()):
        raise RecordsError(f"{source.name} holds no sample of a task.")
    return with_columns(builder.records(named_systems=False), options)


def _samples(outcome: Any) -> list[Sample]:
    """Return the samples of a task, in the newer layout or the older one."""
    if isinstance(outcome, list):
        return [
            Sample(one.get("base_status"), one.get("plus_status")) if isinstance(one, dict) else Sample(one, None)
            for one in outcome
        ]
    if not isinstance(outcome, dict) or not isinstance(outcome.get("base"), list):
        return []
    base = [_status(one) for one in outcome["base"]]
    listed = outcome.get("plus")
    plus = [_status(one) for one in listed] if isinstance(listed, list) else []
    return [Sample(one, plus[place] if place < len(plus) else None) for place, one in enumerate(base)]


def _status(pair: Any) -> Any:
    return pair[0] if isinstance(pair, list) and pair else pair


def _timed_out(state: Any) -> bool:
    return isinstance(state, str) and any(word in state.casefold() for word in TIMEOUTS)


def _passes(state: Any) -> tuple[Any, str | None]:
    """Return 1 or 0, or what stands there and why it is neither."""
    if _timed_out(state):
        return 0.0, None
    read = read_cell(state) if isinstance(state, str) else None
    if read is None:
        return state, str(Reason.MISSING if state is None else Reason.NOT_A_VALUE)
    return (state, str(read.reason)) if read.reason else (read.value, None)


def _both(base: tuple[Any, str | None], plus: tuple[Any, str | None]) -> tuple[Any, str | None]:
    """Return the outcome on all tests: failed where the base tests fail, whatever the further ones say."""
    return base if base[1] is not None or base[0] == 0 else plus
