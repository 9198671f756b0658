"""What a column of a table is, by its name: an id, a system, a metric, a judge, a label, a cost.

A column is a system only if it is said or certain; so all that can be something else is recognised first.
"""

from __future__ import annotations

import re
from enum import StrEnum

from simstudy.records.cells import the_words
from simstudy.records.records import LOWER_IS_BETTER


class Role(StrEnum):
    """What a column is."""

    CASE = "case"
    SYSTEM = "system"
    METRIC = "metric"
    RUN = "run"
    CLUSTER = "cluster"
    GROUP = "group"  # perhaps a cluster, if it is said
    FAMILY = "family"
    CRITICAL = "critical"
    JUDGE = "judge"  # who judged, or a judge's verdict
    LABEL = "label"
    VERDICT = "verdict"
    FIRST = "first"
    SECOND = "second"
    ERROR = "error"
    STATUS = "status"
    INPUT = "input"
    TEXT = "text"
    COST = "cost"
    LATENCY = "latency"
    TIME = "time"
    COUNT = "count"
    SPREAD = "standard error"
    SETTING = "setting"
    ID = "id"  # of something else than the case


CASE_NAMES = (
    *("case", "case_id", "id", "question_id", "qid", "item", "item_id", "example_id", "task_id", "sample_id"),
    *("prompt_id", "doc_id", "instance_id", "problem_id", "test_id", "pair_id", "vote_id", "uid", "uuid", "example"),
    *("task", "sample", "problem", "test", "test_name", "pair", "vote", "index", "idx", "question", "key", "name"),
)
"""Usual names of ids, the surest first."""
SYSTEM_NAMES = (
    "system",
    "system_name",
    "model",
    "model_name",
    "model_id",
    "generator",
    "llm",
    "provider",
    "agent",
    "version",
)
VALUE_NAMES = (
    *("correct", "is_correct", "right", "score", "value", "outcome", "exact_match", "accuracy", "acc"),
    *("success", "passed", "pass", "result", "reward", "resolved", "solved", "rating", "points"),
)
INPUT_NAMES = (
    "input",
    "question",
    "prompt",
    "instruction",
    "query",
    "user_input",
    "problem_statement",
    "inputs",
    "text",
)
_WHOLE: dict[Role, tuple[str, ...]] = {
    Role.SYSTEM: SYSTEM_NAMES,
    Role.METRIC: VALUE_NAMES,
    Role.INPUT: INPUT_NAMES,
    Role.SETTING: (
        *("threshold", "weight", "temperature", "top_p", "max_tokens", "k"),
        *("turn", "order", "position", "step", "rank"),
    ),
    Role.RUN: ("run", "run_id", "epoch", "trial", "repeat", "repetition", "replicate", "attempt", "seed"),
    Role.CLUSTER: ("cluster", "cluster_id"),
    Role.FAMILY: ("family",),
    Role.GROUP: (
        "group",
        "source",
        "category",
        "topic",
        "subject",
        "document",
        "domain",
        "language",
        "split",
        "difficulty",
    ),
    Role.CRITICAL: ("critical", "is_critical"),
    Role.LABEL: (
        "label",
        "labels",
        "human",
        "human_score",
        "human_label",
        "human_ok",
        "human_rating",
        "gold",
        "truth",
        "ground_truth",
        "expert",
        "annotation",
        "y_true",
        "consensus",
    ),
    Role.VERDICT: ("verdict", "winner", "preference", "decision", "judgment", "judgement", "grade", "chosen"),
    Role.JUDGE: (
        "judge",
        "annotator",
        "grader",
        "rater",
        "evaluator",
        "judge_model",
        "judge_name",
        "worker",
        "worker_id",
    ),
    Role.FIRST: ("first", "model_a", "model_1", "system_a", "generator_1", "system_1", "first_model", "model_x"),
    Role.SECOND: ("second", "model_b", "model_2", "system_b", "generator_2", "system_2", "second_model", "model_y"),
    Role.ERROR: (
        "error",
        "errors",
        "exception",
        "error_message",
        "error_msg",
        "parse_error",
        "traceback",
        "failure_reason",
    ),
    Role.STATUS: ("status", "state"),
    Role.TEXT: (
        *("answer", "response", "output", "completion", "prediction", "expected", "target", "reference", "context"),
        *(
            "retrieved_contexts",
            "reasoning",
            "explanation",
            "comment",
            "notes",
            "note",
            "filtered_resps",
            "resps",
            "doc",
        ),
    ),
    Role.COUNT: (
        "n",
        "count",
        "total",
        "num",
        "size",
        "samples",
        "n_samples",
        "num_samples",
        "tokens",
        "length",
        "words",
    ),
    Role.SPREAD: (
        "standard_error",
        "std_error",
        "stderr",
        "se",
        "std",
        "sd",
        "ci",
        "ci_low",
        "ci_high",
        "low",
        "high",
        "variance",
    ),
}
_TOKENS: dict[Role, frozenset[str]] = {
    Role.COST: the_words("cost costs price usd eur dollar dollars fee cents"),
    Role.TIME: the_words("timestamp tstamp ts date datetime created updated started finished"),
    Role.LATENCY: the_words("latency duration elapsed ms msec seconds secs sec runtime ttft e2e time"),
    Role.COUNT: the_words("tokens token chars characters words length len n num count"),
    Role.SPREAD: the_words("stderr std variance"),
    Role.ERROR: the_words("error exception traceback"),
    Role.LABEL: the_words("human expert gold label truth"),
    Role.JUDGE: the_words("judge grader rater annotator verdict"),
    Role.METRIC: the_words(
        "score scores rate accuracy acc f1 em bleu rouge match correct correctness pass passed success quality "
        "rating relevance relevancy faithfulness precision recall similarity helpfulness fluency "
        "coherence reward groundedness"
    )
    | LOWER_IS_BETTER,
    Role.TEXT: the_words("response output completion answer explanation reasoning text hash sha md5"),
}
_ID_WORDS = the_words("id ids idx index uuid")
SURE = the_words("judge label")
"""Words that no system has in its name."""
_WORD = re.compile(r"[a-z]+[0-9]*|[0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def folded(name: str) -> str:
    """Return the name of a column in one way of writing: isCorrect and Is Correct are is_correct."""
    return re.sub(r"[\s\-/]+", "_", _CAMEL.sub("_", name.strip())).casefold()


def role_of(name: str) -> Role | None:
    """Return what a column of this name is, None where its name says nothing; nested fields go by their last part."""
    plain = folded(name)
    last = plain.rsplit(".", 1)[-1]
    if last in CASE_NAMES and last not in INPUT_NAMES:
        return Role.CASE if last == plain else None
    exact = next((role for role, names in _WHOLE.items() if last in names), None)
    return exact or _by_words(_WORD.findall(last))


def _by_words(words: list[str]) -> Role | None:
    if words and words[-1] in _ID_WORDS:
        return Role.ID
    return next((role for role, its in _TOKENS.items() if its.intersection(words)), None)


def is_exact(name: str) -> bool:
    """Whether the role of a column follows from its whole name, not from a word in it that may be part of a name."""
    last = folded(name).rsplit(".", 1)[-1]
    known = (CASE_NAMES, *_WHOLE.values())
    said = not SURE.isdisjoint(_WORD.findall(last))
    return said or any(last in names for names in known) or last in LOWER_IS_BETTER


def are_counts(names: list[str]) -> bool:
    """Whether the columns are the four counts of two systems."""
    found = {folded(name) for name in names}
    return {"both_right", "neither"} <= found or {"n11", "n10", "n01"} <= found
