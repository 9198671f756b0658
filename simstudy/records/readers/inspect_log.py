"""Inspect AI: the log of one system on one task, as JSON or as a zip archive (.eval)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from simstudy.errors import RecordsError
from simstudy.records.cells import Reason, read_error
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import short_fields, with_columns
from simstudy.records.records import Records, RecordsBuilder, text_hash
from simstudy.records.source import Head, Source

NAME = "inspect"
SAYS = "a log of Inspect AI: JSON, or .eval (a zip archive with samples/)"
HEADERS = ("header.json", "_journal/start.json")
"""Members of an archive that say what was run; the second alone where the run broke off."""
VERSION = 2
_ATTACHED = "attachment://"


@dataclass(frozen=True)
class _Sample:
    place: int
    id: Any
    epoch: Any
    scores: dict[str, Any]
    error: str | None
    limit: str | None
    invalid: bool
    question: str | None  # its hash: a question may be long, and samples many
    fields: dict[str, Any]


def sniff(head: Head) -> float:
    """Tell an archive by its header, a JSON log by what it says of the evaluation."""
    if head.members:
        return 0.95 if any(name in head.members for name in HEADERS) else 0.0
    about = head.object.get("eval")
    if not isinstance(about, dict) or not {"task", "model"} & about.keys():
        return 0.0
    return 0.95 if {"version", "plan", "results", "stats", "samples"} & head.object.keys() else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return a record per sample and score; epochs are runs, and samples that ended in an error have no value."""
    builder = RecordsBuilder(source.name, NAME, place="sample", encoding=source.encoding)
    header, found = _of_archive(source, builder) if source.is_zip else _of_json(source)
    samples = []
    for place, value in found:
        if isinstance(value, dict):
            samples.append(_sample(place, value, options))
        else:
            builder.aside("no sample", place)
    if not samples:
        raise RecordsError(
            f"{source.name} is the header of a log without samples{_said(header)}; a log with its samples is needed."
        )
    metrics = _metrics(header, samples)
    if not metrics:
        raise RecordsError(
            f"{source.name} holds {len(samples)} samples and no score: score it first (inspect score {source.name})."
        )
    model = _part(header, "eval").get("model")
    system = model.strip() if isinstance(model, str) else ""
    several = len({str(sample.epoch) for sample in samples}) > 1
    for sample in samples:
        for metric in metrics:
            _add(builder, sample, metric, system or source.stem, sample.epoch if several else None)
    _remark(builder, header, samples)
    return with_columns(builder.records(named_systems=bool(system)), options)


def _of_json(source: Source) -> tuple[dict[str, Any], Iterator[tuple[int, Any]]]:
    log = source.json()
    if not isinstance(log, dict):
        raise RecordsError(f"{source.name} is no log of Inspect: a JSON object with eval and samples was expected.")
    samples = log.get("samples")
    return log, enumerate(samples if isinstance(samples, list) else [], start=1)


def _of_archive(source: Source, builder: RecordsBuilder) -> tuple[dict[str, Any], Iterator[tuple[int, Any]]]:
    members = source.members()
    name = next((name for name in HEADERS if name in members), None)
    header = None if name is None else source.member(name).json()
    if not isinstance(header, dict):
        raise RecordsError(f"{source.name} is no log of Inspect: its archive lacks header.json.")
    if name != HEADERS[0]:
        builder.remark("format", "The log has no header.json: the run broke off, and not all samples are there.")
    every = [member for member in members if member.startswith("samples/") and member.endswith(".json")]
    names = list(dict.fromkeys(every))
    if len(names) < len(every):
        builder.remark("doubled", f"{len(every) - len(names)} samples stand twice in the archive: the last was taken.")
    return header, _unpacked(source, builder, names)


def _unpacked(source: Source, builder: RecordsBuilder, names: list[str]) -> Iterator[tuple[int, Any]]:
    """Yield samples one after the other; only one is in memory."""
    for place, member in enumerate(source.some_members(names), start=1):
        try:
            value = member.json()
        except RecordsError as error:
            builder.aside("a sample that cannot be read", place, str(error))
            continue
        yield place, value


def _sample(place: int, sample: dict[str, Any], options: ReadOptions) -> _Sample:
    question = _question(sample)
    return _Sample(
        place,
        sample.get("id"),
        sample.get("epoch", 1),
        _scores(sample),
        _message(sample.get("error")),
        _limit(sample.get("limit")),
        sample.get("invalidation") is not None,
        None if question is None else f"{text_hash(question):x}",
        short_fields(sample.get("metadata"), options),
    )


def _scores(sample: dict[str, Any]) -> dict[str, Any]:
    """Return the values by metric; a scorer that gives several is named with a dot."""
    scores = sample.get("scores")
    if scores is None and "score" in sample:
        scores = {"score": sample["score"]}  # before there were several scorers
    found: dict[str, Any] = {}
    for name, score in scores.items() if isinstance(scores, dict) else ():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            found |= {f"{name}.{part}": within for part, within in value.items()}
        else:
            found[name] = value
    return found


def _message(error: Any) -> str | None:
    if error is None:
        return None
    text = error.get("message") if isinstance(error, dict) else error
    return text if isinstance(text, str) and text.strip() else "error"


def _limit(limit: Any) -> str | None:
    kind = limit.get("type") if isinstance(limit, dict) else limit
    return None if kind is None else str(kind)


def _question(sample: dict[str, Any]) -> str | None:
    """Return the text of the input, without the ids of its messages, which differ from log to log."""
    given = sample.get("input")
    attached = sample.get("attachments")
    texts = attached if isinstance(attached, dict) else {}
    if isinstance(given, str):
        return _resolved(given, texts)
    if not isinstance(given, list):
        return None
    messages = [message for message in given if isinstance(message, dict)]
    return "\n".join(f"{message.get('role')}: {_content(message.get('content'), texts)}" for message in messages)


def _content(content: Any, texts: dict[str, Any]) -> str:
    if isinstance(content, str):
        return _resolved(content, texts)
    parts = content if isinstance(content, list) else []
    return " ".join(_resolved(str(part.get("text", "")), texts) for part in parts if isinstance(part, dict))


def _resolved(text: str, texts: dict[str, Any]) -> str:
    whole = texts.get(text.removeprefix(_ATTACHED)) if text.startswith(_ATTACHED) else text
    return whole if isinstance(whole, str) else text


def _metrics(header: dict[str, Any], samples: list[_Sample]) -> list[str]:
    """Return the metrics in the order of the samples; where none was scored, those that the header names."""
    found = list(dict.fromkeys(name for sample in samples for name in sample.scores))
    if found or not any(sample.error or sample.limit for sample in samples):
        return found
    listed = _part(header, "results").get("scores") or _part(header, "eval").get("scorers")
    names = [score.get("name") for score in listed if isinstance(score, dict)] if isinstance(listed, list) else []
    return list(dict.fromkeys(name for name in names if isinstance(name, str))) or ["score"]


def _add(builder: RecordsBuilder, sample: _Sample, metric: str, system: str, run: Any) -> None:
    value, reason = sample.scores.get(metric), None
    if sample.invalid:
        reason = "invalidated"
    elif sample.error is not None:
        reason = str(read_error(sample.error) or Reason.ERROR)
    elif metric not in sample.scores and sample.limit is not None:
        reason = f"stopped by a limit ({sample.limit})"
    elif value == "P":
        value = 0.5  # of this scale, where nothing else was given too
    extra = sample.fields | ({} if sample.limit is None else {"limit": sample.limit})
    builder.add(
        sample.id,
        system,
        value,
        metric=metric,
        place=sample.place,
        run=run,
        reason=reason,
        error=sample.error,
        input_text=sample.question,
        extra=extra,
    )


def _part(header: dict[str, Any], name: str) -> dict[str, Any]:
    part = header.get(name)
    return part if isinstance(part, dict) else {}


def _said(header: dict[str, Any]) -> str:
    total = _part(header, "results").get("total_samples")
    return f" (it says there were {total})" if isinstance(total, int) and total else ""


def _remark(builder: RecordsBuilder, header: dict[str, Any], samples: list[_Sample]) -> None:
    """Say what a mean over these samples must not hide."""
    version, status = header.get("version"), header.get("status")
    if version != VERSION:
        builder.remark("format", f"The log is of version {version}; it was read as version {VERSION}.", certain=False)
    if status not in (None, "success"):
        builder.remark("format", f"The log says '{status}': the run did not come to its end.")
    total = _part(header, "results").get("total_samples")
    data = _part(_part(header, "eval"), "dataset").get("samples")
    ids = len({str(sample.id) for sample in samples})
    if isinstance(total, int) and total != len(samples):
        builder.remark("cases", f"The log says that there were {total} samples; {len(samples)} stand in it.")
    elif isinstance(data, int) and data > ids:
        builder.remark("cases", f"{ids} of the {data} samples of the data set were run.")
    limits = Counter(sample.limit for sample in samples if sample.limit and sample.scores and not sample.error)
    for limit, times in limits.items():
        builder.remark("limit", f"{times} samples were stopped by a limit ({limit}); their scores count.")
    scored = sum(bool(sample.scores) and sample.error is not None for sample in samples)
    if scored:
        builder.remark("error", f"{scored} samples ended in an error and bear a score: they were left unreadable.")
    if any(value == "P" for sample in samples for value in sample.scores.values()):
        builder.remark("value", "C, P, I and N count as 1, 0.5, 0 and 0.")
