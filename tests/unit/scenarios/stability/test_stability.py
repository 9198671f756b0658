"""Law, truths, power and refusals of scenario stability."""

import math

import numpy as np
import pytest

import simstudy
from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.stability import repetitions_needed, unstable_probability
from tests.oracle import stability_slow as slow
from tests.oracle.stats_intervals import wilson

# adaptive quadrature in the twin is asked for 1e-12
QUADRATURE = 1e-11
LAWS = [(0.0, 0.0), (1.5, 0.0), (1.5, 2.0), (-0.3, 0.05), (4.0, 0.5), (0.0, 10.0), (-30.0, 3.0)]


@pytest.mark.parametrize(("mean", "sd"), LAWS)
@pytest.mark.parametrize("k", [2, 5, 16, 101])
def test_truths_are_those_of_adaptive_quadrature(k, mean, sd):
    found = simstudy.power_curve("stability", n_prompts=3, repetitions=k, mean_logit=mean, prompt_sd=sd)
    for name, twin in (
        ("unstable_share", slow.unstable),
        ("minority_share", slow.minority_share),
        ("majority_error", slow.majority_error),
    ):
        expected = slow.over_prompts(lambda q, twin=twin: twin(k, q), mean, sd)
        assert found[name].item() == pytest.approx(expected, abs=QUADRATURE), name
    expected = slow.over_prompts(lambda q: 2 * q * (1 - q), mean, sd)
    assert found["pair_disagreement"].item() == pytest.approx(expected, abs=QUADRATURE)
    assert found["judge_calls"].item() == 3 * k


@pytest.mark.parametrize(("n", "k", "threshold"), [(1, 2, 0.1), (20, 10, 0.5), (50, 5, 0.4)])
def test_power_is_a_binomial_sum_over_wilson_limits(n, k, threshold):
    found = simstudy.power_curve("stability", n_prompts=n, repetitions=k, threshold=threshold, engine="exact")
    p = slow.over_prompts(lambda q: slow.unstable(k, q), 1.5, 2.0)
    power = math.fsum(slow.binomial(n, x, p) for x in range(n + 1) if wilson(x, n)[0] > threshold)
    assert found["power"].item() == pytest.approx(power, abs=QUADRATURE)
    assert found["unstable_share"].item() == pytest.approx(p, abs=QUADRATURE)
    assert found["bias"].item() == pytest.approx(0, abs=QUADRATURE)


@pytest.mark.parametrize(
    ("mean", "sd", "error"), [(1.5, 2.0, 0.05), (1.5, 2.0, 0.2), (0.2, 0.0, 0.3), (3.0, 0.0, 0.01)]
)
def test_the_needed_repetitions_are_the_first_odd_ones(mean, sd, error):
    def errs(k):
        return slow.over_prompts(lambda q: slow.majority_error(k, q), mean, sd) > error

    assert repetitions_needed(error, mean, sd) == next(k for k in range(1, 100, 2) if not errs(k))


def test_where_no_number_of_repetitions_is_enough():
    """Prompts at one half have no likelier verdict; 1.5 ± 10 logits leave too many near it for .0005."""
    assert math.isnan(repetitions_needed(0.05, 0.0, 0.0))
    assert math.isnan(repetitions_needed(0.0005, 1.5, 10.0))
    found = simstudy.power_curve("stability", n_prompts=5, repetitions=3, mean_logit=0, prompt_sd=0)
    assert math.isnan(found["repetitions_needed"].item())
    assert found["majority_error"].item() == pytest.approx(0.5, abs=1e-14)


def test_a_certain_judge_is_stable():
    for mean in (-30.0, 30.0):
        assert unstable_probability(1000, mean, 0.0) < 1e-9


def test_unstable_prompts_only_increase_with_the_repetitions():
    shares = [unstable_probability(k, 1.5, 2.0) for k in range(1, 60)]
    assert shares[0] == 0
    assert (np.diff(shares) > 0).all()


def test_decisions_are_about_the_threshold():
    scenario = get_scenario("stability")
    point = scenario.point(
        {"n_prompts": 5, "repetitions": 3, "mean_logit": 0, "prompt_sd": 1, "threshold": 0.3, "max_majority_error": 0.1}
    )
    assert point.null == 0.3
    found = simstudy.power_curve("stability", n_prompts=400, repetitions=5, threshold=[0.1, 0.9], engine="exact")
    # above the threshold: certain; below it: never, since the claim goes upward alone
    np.testing.assert_allclose(found["power"].values[:, 0], [1, 0], atol=1e-9)


def test_what_means_nothing_is_refused():
    with pytest.raises(ParameterError, match="repetitions is 1; it must be a whole number from 2 to 1000"):
        simstudy.power_curve("stability", n_prompts=5, repetitions=1)
    with pytest.raises(RefusedError, match="minimum detectable effect"):
        simstudy.mde("stability", n_prompts=5, repetitions=3)


def test_a_size_is_the_first_n_from_which_the_power_stays():
    answer = simstudy.size("stability", repetitions=10, prompt_sd=0, target="power=0.8")["answer"].item()
    powers = [
        simstudy.power_curve("stability", n_prompts=n, repetitions=10, prompt_sd=0, engine="exact")["power"].item()
        for n in (int(answer) - 1, int(answer))
    ]
    assert powers[0] < 0.8 <= powers[1]
