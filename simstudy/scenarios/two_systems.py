"""What scenarios that compare two systems share: their accuracies and the estimate of the difference."""

from __future__ import annotations

from typing import Any

from simstudy.errors import ParameterError
from simstudy.scenarios.declaration import Parameter, Values
from simstudy.scenarios.random_effects import SD_MAX

# accuracies nearer to 0 or 1 are beyond what the integrals over the difficulty resolve
CLOSEST = 1e-12
ACCURACY_A = Parameter(
    "accuracy_a",
    "accuracy of system A over all cases",
    "proportion",
    low=0,
    high=1,
    open_low=True,
    open_high=True,
    required=True,
)
DIFFERENCE = Parameter(
    "difference",
    "accuracy of B minus accuracy of A",
    "proportion",
    low=-1,
    high=1,
    open_low=True,
    open_high=True,
    required=True,
    role="effect",
    null=0.0,
)

DIFFICULTY_SD = Parameter(
    "difficulty_sd",
    "standard deviation of the difficulty that both systems share; 0 = independent errors",
    "logits",
    low=0,
    high=SD_MAX,
    default=1.5,
)

MARGIN = Parameter(
    "margin",
    "largest loss (or difference) that does not matter, for non-inferiority and equivalence",
    "proportion",
    low=0,
    high=1,
    open_low=True,
    open_high=True,
    of_methods=True,
)


def check_accuracy_b(values: Values) -> None:
    """Refuse a difference that puts the accuracy of B outside (0, 1), with the admissible range."""
    a, difference = values["accuracy_a"], values["difference"]
    if not CLOSEST <= a <= 1.0 - CLOSEST:
        raise ParameterError(f"accuracy_a is {a:g}; it must lie in [{CLOSEST:g}, 1 − {CLOSEST:g}].")
    if not 0.0 < a + difference < 1.0:
        raise ParameterError(
            f"difference {difference:g} with accuracy_a {a:g} puts the accuracy of B at {a + difference:g}; "
            f"difference must lie in ({-a:g}, {1 - a:g})."
        )


def marginal_difference(x_a: Any, x_b: Any, n: Any) -> Any:
    """Return the difference B − A of two accuracies from n cases each."""
    return (x_b - x_a) / n


def difference_of_rates(x_a: Any, n_a: Any, x_b: Any, n_b: Any) -> Any:
    """Return x_b/n_b − x_a/n_a with a single rounding: with equal sizes it is `marginal_difference` to the last bit."""
    return (x_b * float(n_a) - x_a * float(n_b)) / (float(n_a) * float(n_b))
