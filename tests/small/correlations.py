"""The difference of two rank correlations with the same human scores, with a bootstrap in plain NumPy."""

import numpy as np

from simstudy import Call, Method, Parameter, Sample, Scenario

RESAMPLES = 199


def draw(generator, values):
    a, b, ab = values["rho_a"], values["rho_a"] + values["delta_rho"], values["rho_ab"]
    covariance = np.array([[1.0, a, b], [a, 1.0, ab], [b, ab, 1.0]])
    return generator.standard_normal((values["n_items"], 3)) @ np.linalg.cholesky(covariance).T


def spearman_difference(items):
    """Return ρ(human, B) − ρ(human, A); items has shape (..., n, 3)."""
    ranks = items.argsort(axis=-2).argsort(axis=-2).astype(np.float64)
    ranks -= ranks.mean(axis=-2, keepdims=True)
    products = np.einsum("...ni,...nj->...ij", ranks, ranks)
    spread = np.sqrt(np.einsum("...ii->...i", products))
    with np.errstate(invalid="ignore", divide="ignore"):
        rho = products[..., 0, 1:] / (spread[..., :1] * spread[..., 1:])
    return rho[..., 1] - rho[..., 0]


def analyse(items, generator, values, alphas):
    n = len(items)
    drawn = spearman_difference(items[generator.integers(n, size=(RESAMPLES, n))])
    low, high = np.quantile(drawn, [alphas[0] / 2, 1.0 - alphas[0] / 2])
    return spearman_difference(items), low, high


def limits(low, high, level):
    return low, high


def itself(value):
    return value


class Correlations(Scenario):
    """Human score and two judges, trivariate normal."""

    name = "correlations"
    title = "which of two judges ranks more like people"
    unit = "item"
    aims = "How often a bootstrap sees that one judge ranks more like people than another"
    mechanism = "human score and the scores of two judges on an item are trivariate normal"
    estimand_words = "difference of the rank correlations with the human scores"
    parameters = (
        Parameter("n_items", "items", "items", "integer", 4, 10_000, required=True, role="size"),
        Parameter("rho_a", "correlation of judge A with people", "1", low=-1, high=1, default=0.5),
        Parameter(
            "delta_rho", "correlation of B minus that of A", "1", low=-1, high=1, required=True, role="effect", null=0.0
        ),
        Parameter("rho_ab", "correlation of the judges", "1", low=-1, high=1, default=0.5),
    )
    kernel = Sample(
        draw,
        analyse,
        ("difference", "low_limit", "high_limit"),
        ("human", "a", "b"),
        ("difference", "low_limit", "high_limit"),
    )
    methods = (
        Method(
            "percentile",
            "percentile bootstrap",
            "Efron 1979",
            interval=Call(limits, ("low_limit", "high_limit")),
            estimate=Call(itself, ("difference",)),
            one_level=True,
        ),
    )
    default_methods = ("percentile",)
    directions = ("A ranks better", "B ranks better")

    def effect_range(self, values):
        return -0.4, 0.4

    def estimand(self, values):
        a = values["rho_a"]
        spearman = [6.0 / np.pi * np.arcsin(rho / 2.0) for rho in (a, a + values["delta_rho"])]
        return float(spearman[1] - spearman[0])

    def null(self, values):
        return 0.0
