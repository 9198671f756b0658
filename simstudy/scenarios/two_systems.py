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


def check_accuracy_b(values: Values) -> None:
    """Refuse a difference that puts the accuracy of B outside (0, 1).

    Parameters
    ----------
    values : mapping
        With ``accuracy_a`` and ``difference``.

    Raises
    ------
    ParameterError
        With the admissible range of the difference.
    """
    a, difference = values["accuracy_a"], values["difference"]
    if not CLOSEST <= a <= 1.0 - CLOSEST:
        raise ParameterError(f"accuracy_a is {a:g}; it must lie in [{CLOSEST:g}, 1 − {CLOSEST:g}].")
    if not 0.0 < a + difference < 1.0:
        raise ParameterError(
            f"difference {difference:g} with accuracy_a {a:g} puts the accuracy of B at {a + difference:g}; "
            f"difference must lie in ({-a:g}, {1 - a:g})."
        )


def marginal_difference(x_a: Any, x_b: Any, n: Any) -> Any:
    """Return the difference of two accuracies from n cases each.

    Parameters
    ----------
    x_a, x_b : array_like of int
        Cases that A and B answer right.
    n : array_like of int
        Cases that each system answers.

    Returns
    -------
    array of float
        (x_b − x_a)/n, in [−1, 1].
    """
    return (x_b - x_a) / n
