from __future__ import annotations

import pytest

from simstudy.records.roles import Role, are_counts, folded, is_exact, role_of


@pytest.mark.parametrize(
    ("name", "role"),
    [
        *((name, Role.CASE) for name in ("case", "id", "Question ID", "task", "pair", "instance_id")),
        *((name, Role.SYSTEM) for name in ("system", "Model", "modelName", "provider")),
        *(
            (name, Role.METRIC)
            for name in ("correct", "isCorrect", "exact_match", "f1", "answer_relevancy", "hallucination")
        ),
        *((name, Role.COST) for name in ("cost_usd", "price")),
        *((name, Role.LATENCY) for name in ("latency_s", "metrics.e2e_ms", "duration")),
        *((name, Role.COUNT) for name in ("tokens", "n", "prompt_tokens")),
        *((name, Role.TIME) for name in ("timestamp", "created_at")),
        *((name, Role.LABEL) for name in ("label", "human_ok", "gold")),
        *((name, Role.JUDGE) for name in ("judge", "judge_score")),
        *((name, Role.VERDICT) for name in ("verdict", "winner")),
        *((name, Role.ERROR) for name in ("error", "parse_error")),
        *((name, Role.INPUT) for name in ("question", "prompt", "user_input")),
        *((name, Role.TEXT) for name in ("response", "expected", "answer")),
        *((name, Role.RUN) for name in ("run", "epoch", "trial")),
        ("model_a", Role.FIRST),
        ("generator_2", Role.SECOND),
        ("source", Role.GROUP),
        *((name, Role.SPREAD) for name in ("stderr", "standard_error")),
        *((name, Role.ID) for name in ("event_id", "train_trial_index")),
        *((name, Role.SETTING) for name in ("turn", "threshold")),
        *((name, None) for name in ("old", "new", "gpt-4", "cites_source", "doc.id")),
    ],
)
def test_roles_by_name(name: str, role: Role | None) -> None:
    assert role_of(name) is role


@pytest.mark.parametrize(
    ("name", "plain"), [("isCorrect", "is_correct"), (" Is Correct ", "is_correct"), ("GPT-4", "gpt_4")]
)
def test_one_way_of_writing(name: str, plain: str) -> None:
    assert folded(name) == plain


def test_counts() -> None:
    assert are_counts(["both_right", "only_old", "only_new", "neither"])
    assert are_counts(["n11", "n10", "n01", "n00"])
    assert not are_counts(["id", "old", "new"])


def test_a_whole_name_says_more_than_a_word_in_it() -> None:
    assert all(map(is_exact, ["label", "latency.error", "Correct", "hallucination", "human_score"]))
    assert not any(map(is_exact, ["gold-7b", "text-davinci", "old"]))
