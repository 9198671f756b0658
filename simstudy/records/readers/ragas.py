"""Ragas: the table of an evaluation, one row per question and one column per metric."""

from __future__ import annotations

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.cells import Reason, read_cell
from simstudy.records.coded import Coded
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import delimited
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.roles import Role, folded, role_of
from simstudy.records.sheet import Sheet
from simstudy.records.source import Head, Source

NAME = "ragas"
SAYS = "a table of Ragas: user_input, response, reference and a column per metric"
QUESTION = ("user_input", "question")
ANSWERS = frozenset({"response", "retrieved_contexts", "reference", "answer", "contexts", "ground_truth"})
TEXTS = ANSWERS | {
    *("user_input", "question", "reference_contexts", "multi_responses", "rubrics", "rubric", "ground_truths"),
    *("retrieved_context_ids", "reference_context_ids", "reference_topics", "reference_tool_calls", "synthesizer_name"),
    *("persona_name", "query_style", "query_length"),
}
METRICS = frozenset(
    {"faithfulness", "answer_relevancy", "context_precision", "context_recall", "answer_correctness"}
    | {"context_relevancy", "answer_similarity", "semantic_similarity", "factual_correctness", "context_entity_recall"}
)
"""By which a table without questions is told to be a summary."""
NO_METRIC = (
    *(Role.COST, Role.LATENCY, Role.TIME, Role.COUNT, Role.SPREAD, Role.RUN, Role.CLUSTER, Role.GROUP),
    *(Role.SYSTEM, Role.CASE, Role.INPUT, Role.TEXT, Role.ERROR, Role.STATUS),
)


def sniff(head: Head) -> float:
    """Tell a table of samples by the names of its columns, and a summary by those of metrics."""
    names = _header(head)
    if not names.isdisjoint(QUESTION) and not names.isdisjoint(ANSWERS) and ("user_input" in names or names & METRICS):
        return 0.9
    return 0.9 if _is_summary(names) else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return a record for each question and metric; a column that is empty throughout is a metric without a value."""
    names = _header(source.head)
    if _is_summary(names) and options.case_column is None:
        raise RecordsError(
            f"{source.name} holds metrics of Ragas and no questions, one row per version: results per question are "
            "needed (the table of to_pandas()); if a column names the cases, name it as case_column."
        )
    sheet = delimited.sheet_of(source, options)
    if not len(sheet):
        raise RecordsError(f"{source.name} has a header and no rows: there is no case in it.")
    for part, column in options.named().items():
        if column is not None and column not in sheet.columns:
            raise UnknownNameError(f"column for {part}_column", column, sheet.columns)
    metrics = [name for name, column in sheet.columns.items() if _is_metric(name, column)]
    metrics = metrics if options.value_column is None else [options.value_column]
    case = options.case_column or next((n for n in sheet.columns if folded(n) in QUESTION), None)
    if case not in sheet.columns or not metrics:
        what = f"no column '{case}'" if metrics else "no column of metrics"
        raise RecordsError(f"{source.name} has {what}. Columns: {', '.join(list(sheet.columns)[:20])}.")
    return _records(source, sheet, case, metrics, options)


def _header(head: Head) -> set[str]:
    return {folded(name) for name in delimited.header_of(head)}


def _is_summary(names: set[str]) -> bool:
    cases = {name for name in names if role_of(name) in (Role.CASE, Role.INPUT)}
    return len(names & METRICS) >= 3 and not cases and names.isdisjoint(TEXTS)


def _is_metric(name: str, column: Coded) -> bool:
    """Whether a column is one of numbers or of nothing, and its name speaks of nothing else."""
    if folded(name) in TEXTS or role_of(name) in NO_METRIC or folded(name).startswith(("unnamed:", "column_")):
        return False
    return all(read_cell(word).reason in (None, Reason.MISSING) for word in column.words)


def _records(source: Source, sheet: Sheet, case: str, metrics: list[str], options: ReadOptions) -> Records:
    builder = RecordsBuilder(source.name, NAME, place="line", encoding=source.encoding)
    systems = [name for name in sheet.columns if role_of(name) is Role.SYSTEM]
    systems = systems if options.system_column is None else [options.system_column]
    parts = {"run": options.run_column, "cluster": options.cluster_column}
    used = {case, *metrics, *parts.values(), *systems[:1]}
    rest = [name for name in sheet.columns if name not in used and folded(name) not in TEXTS]
    columns = {name: column.texts() for name, column in sheet.columns.items()}
    for row, place in enumerate(sheet.places.tolist()):
        for metric in metrics:
            builder.add(
                columns[case][row],
                (columns[systems[0]][row] if systems else None) or source.stem,
                columns[metric][row],
                metric=metric,
                place=place,
                input_text=columns[case][row],
                extra={name: columns[name][row] for name in rest},
                **{part: columns[name][row] for part, name in parts.items() if name in columns},
            )
    for reason, found in sheet.aside.items():
        for place, example in found:
            builder.aside(reason, place, example)
    for name in rest:
        role = role_of(name)
        if role is not None:
            builder.role(name, str(role))
    return builder.records(ids_from="text", named_systems=bool(systems))
