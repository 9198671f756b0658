"""Simulation of ``stability``: each prompt is judged several times.

The unit is the prompt: words 0 and 1 of stream DATA give its logit; verdict k is word k mod 4 of draw k div 4 of
stream JUDGE. So more prompts or more repetitions change none of the verdicts that are there already.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, helper, kernel
from simstudy.kernels.maths import exp, normal_quantile
from simstudy.kernels.philox import LOW_32, below_odds, draw_words, uniform53
from simstudy.kernels.streams import DATA, JUDGE

LANES = 256
PROMPT_STREAM = np.uint64(DATA)
VERDICT_STREAM = np.uint64(JUDGE)
DRAW = np.uint64(0)


@kernel
def simulate(
    key: Key,
    first_replication: int,
    out: NDArray[np.int64],
    n_prompts: int,
    repetitions: int,
    mean_logit: float,
    prompt_sd: float,
    skipped: int = 0,
) -> None:
    """Count the prompts that get both verdicts, and those that get one, in each replication."""
    key64 = np.uint64(key)
    odds, correct = np.empty(LANES), np.empty(LANES, np.int64)
    unstable = np.empty(LANES, np.int64)
    for start in range(0, out.shape[0], LANES):
        first = first_replication + start
        lanes = min(LANES, out.shape[0] - start)
        unstable[:] = 0
        for prompt in range(skipped, n_prompts):
            unit = np.uint64(prompt)
            for lane in range(lanes):
                replication = np.uint64(first + lane) & LOW_32
                odds[lane] = exp(-_logit(key64, replication, unit, mean_logit, prompt_sd))
                correct[lane] = 0
            for draw in range((repetitions + 3) // 4):
                left = repetitions - 4 * draw
                for lane in range(lanes):
                    replication = np.uint64(first + lane) & LOW_32
                    correct[lane] += _verdicts(key64, replication, unit, np.uint64(draw), odds[lane], left)
            for lane in range(lanes):
                unstable[lane] += np.int64(correct[lane] > 0) & np.int64(correct[lane] < repetitions)
        for lane in range(lanes):
            out[start + lane, 0] = unstable[lane]
            out[start + lane, 1] = n_prompts - skipped - unstable[lane]


@kernel
def cases(
    key: Key,
    replication: int,
    out: NDArray[np.float64],
    n_prompts: int,
    repetitions: int,
    mean_logit: float,
    prompt_sd: float,
) -> None:
    """Replay one replication; a row is a prompt: logit, q = P("correct"), verdicts "correct", rarer verdicts."""
    key64, address = np.uint64(key), np.uint64(replication) & LOW_32
    for prompt in range(n_prompts):
        unit = np.uint64(prompt)
        logit = _logit(key64, address, unit, mean_logit, prompt_sd)
        odds = exp(-logit)
        correct = np.int64(0)
        for draw in range((repetitions + 3) // 4):
            correct += _verdicts(key64, address, unit, np.uint64(draw), odds, repetitions - 4 * draw)
        out[prompt, 0] = logit
        out[prompt, 1] = 1.0 / (1.0 + odds)
        out[prompt, 2] = np.float64(correct)
        out[prompt, 3] = np.float64(min(correct, repetitions - correct))


@helper
def _logit(key: np.uint64, replication: np.uint64, unit: np.uint64, mean_logit: float, prompt_sd: float) -> float:
    w0, w1, _, _ = draw_words(key, replication, unit, DRAW, PROMPT_STREAM)
    return mean_logit + prompt_sd * normal_quantile(uniform53(w0, w1))


@helper
def _verdicts(
    key: np.uint64, replication: np.uint64, unit: np.uint64, draw: np.uint64, odds: float, left: int
) -> np.int64:
    """Return how many of the next four verdicts, or of those that are left, are "correct"."""
    four = draw_words(key, replication, unit, draw, VERDICT_STREAM)
    correct = np.int64(0)
    for word in range(4):
        correct += np.int64(below_odds(four[word], odds)) & np.int64(word < left)
    return correct
