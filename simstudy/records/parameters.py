"""Parameters of scenarios paired and clustered taken from two systems on the same cases, each one said."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from simstudy.errors import ParameterError, RecordsError
from simstudy.records.mean_error import clustering, mean_of_clusters
from simstudy.records.paired_values import PairedValues
from simstudy.records.planning import EDGE, design_point
from simstudy.scenarios.random_effects import SD_MAX, conditional_logit, normal_nodes

DIGITS = 3
"""Decimals of what is fitted: far more than the cases of a file tell."""
TOLERANCE = 0.002
"""A discordance that is nearer than this is that of the file: it moves by less with the last decimal of the sd."""


@dataclass(frozen=True)
class Taken:
    """What a question takes from a file: values by name, and a sentence on each."""

    values: dict[str, float]
    notes: tuple[str, ...]


def right_or_wrong(pairs: PairedValues) -> None:
    """Refuse values other than 0 and 1."""
    if pairs.binary:
        return
    if pairs.rule == "mean":
        raise RecordsError(
            "The runs of a case do not agree, and their mean is neither right nor wrong: --runs first or --runs "
            "majority takes one outcome per case, --runs clustered keeps them all."
        )
    values = np.concatenate([pairs.a, pairs.b])
    raise RecordsError(
        f"The values are scores from {values.min():g} to {values.max():g}, and this scenario needs right or wrong: "
        "--threshold counts values at or above it as right, and which one is yours to decide (another may turn the "
        "answer)."
    )


def of_paired(pairs: PairedValues, difference: float | None, *, solved: bool = False) -> Taken:
    """Take accuracy, discordance, lost pairs and, where none is named, the difference; or none if it is solved for."""
    # The scenario knows no accuracy of 0 or 1. Where the file shows one of A, or the difference would give B one, A's
    # accuracy is moved by 1e-9, and the sentence on it says so.
    right_or_wrong(pairs)
    n, a = len(pairs.a), float(pairs.a.mean())
    observed, shown = float((pairs.b - pairs.a).mean()), float(np.mean(pairs.a != pairs.b))
    wanted = 0.0 if solved else observed if difference is None else difference
    if shown == 0 and difference is None:
        raise ParameterError(
            "No pair of the file is discordant, so it does not tell how far the systems differ: name the difference "
            "that matters, or for mde the discordance (without --pilot)."
        )
    point = design_point(a, shown, wanted)
    if point is None:
        raise ParameterError(_no_point(a, wanted, difference is None, pairs.system_a))
    values = {"accuracy_a": point[0], "discordance": point[1]}
    notes = [_accuracy_note(a, point[0], pairs), _discordance_note(shown, point[1], n)]
    if not solved:
        values["difference"] = wanted
    if not solved and difference is None:
        notes.append(_observed_note(wanted))
    values["n_cases"] = n + pairs.lost
    notes.append(f"n_cases = {n + pairs.lost}: as many as in the file.")
    if pairs.lost:
        values["unusable"] = pairs.lost / (n + pairs.lost)
        notes.append(f"unusable = {values['unusable']:.4g}: {pairs.lost} pairs had to be left out.")
    if pairs.cluster is not None:
        main = mean_of_clusters(pairs.b - pairs.a, pairs.cluster)
        notes.append(
            f"Pairs share clusters, which this scenario does not know: multiply n by {clustering(pairs, main):.3g}, "
            f"the design effect, for rows ({n / main.units:.3g} per cluster); this is approximate. Scenario clustered "
            "takes them along."
        )
    return Taken(values, tuple(notes))


def _observed_note(wanted: float) -> str:
    return (
        f"difference = {wanted:.4g}: the observed one, a noisy guess; an n computed from it can be wrong by an order "
        "of magnitude. Name the difference that matters instead."
    )


def _no_point(a: float, wanted: float, observed: bool, system_a: str) -> str:
    if observed or -a <= wanted <= 1 - a:
        return (
            f"difference is {wanted:g}{', the observed one' if observed else ''}; it needs one system that is right "
            "on every case and one that is right on none, so no n can be computed from it: name the difference "
            "that matters."
        )
    low = f"{-a:.4g}" if a else "0"
    return (
        f"difference is {wanted:g}; at the file's accuracy of '{system_a}', {a:.4g}, it must lie in "
        f"[{low}, {1 - a:.4g}]."
    )


def _accuracy_note(shown: float, used: float, pairs: PairedValues) -> str:
    name, n = pairs.system_a, "1 pair" if len(pairs.a) == 1 else f"{len(pairs.a)} pairs"
    if shown in (0, 1):
        return (
            f"accuracy_a = {used:.9g}: observed {shown:g}, '{name}' is {'right' if shown else 'wrong'} on all of "
            f"{n}; moved inside (0, 1) by {EDGE:g}, as the scenario needs."
        )
    if used != shown:
        return (
            f"accuracy_a = {used:.9g}: accuracy of '{name}' on {n}, {shown:.4g}; moved by {EDGE:g}, so that the "
            f"difference keeps '{pairs.system_b}' inside (0, 1), as the scenario needs."
        )
    return f"accuracy_a = {used:.4g}: accuracy of '{name}' on {n}."


def _discordance_note(shown: float, used: float, n: int) -> str:
    if used > shown + 1e-6:
        return (
            f"discordance = {used:.4g}: the file's is {shown:.4g}, and a difference brings at least as "
            "much; so n is a lower bound."
        )
    if used < shown - 1e-6:
        return f"discordance = {used:.4g}: the file's is {shown:.4g}, more than the accuracies then allow."
    return f"discordance = {used:.4g}: share of {n} pairs on which exactly one system is right."


@dataclass(frozen=True)
class Moments:
    """What random effects make of 0/1 differences B − A."""

    discordance: float
    of_cases: float  # covariance of two cases of a cluster
    of_runs: float  # covariance of two runs of a case


def moments(accuracies: tuple[float, float], difficulty_sd: float, own_sd: float) -> Moments:
    """Return them at a shared effect of the case and each system's own effect of the cluster, by quadrature."""
    d, weights_d = normal_nodes(difficulty_sd)
    h, weights_h = normal_nodes(own_sd)
    total = math.hypot(difficulty_sd, own_sd)
    effects = d[:, None] + h[None, :]
    right = [1 / (1 + np.exp(effects - conditional_logit(accuracy, total))) for accuracy in accuracies]
    of_a_case = [system @ weights_h for system in right]
    of_a_cluster = [weights_d @ system for system in right]
    both = float(weights_d @ (of_a_case[0] * of_a_case[1]))
    a, b = accuracies
    squares = sum(float(weights_d @ system**2 @ weights_h) for system in right)
    of_cases = sum(
        float(weights_h @ system**2) - accuracy**2 for system, accuracy in zip(of_a_cluster, accuracies, strict=True)
    )
    return Moments(a + b - 2 * both, of_cases, squares - 2 * both - (b - a) ** 2)


def of_clustered(pairs: PairedValues, difference: float | None, *, solved: bool, fitted: bool) -> Taken:
    """Take accuracy, sizes, runs, where none is named the difference, and unless they are given by hand the effects."""
    right_or_wrong(pairs)
    if pairs.cluster is None:
        raise RecordsError(
            "The file was read without clusters and without repeated runs: name the column of clusters (--cluster), or "
            "take scenario paired, which is for independent cases."
        )
    n, clusters = len(pairs.a), int(pairs.cluster.max()) + 1
    a, b = float(pairs.a.mean()), float(pairs.b.mean())
    if not (0 < a < 1 and 0 < b < 1):
        name, shown = (pairs.system_b, b) if 0 < a < 1 else (pairs.system_a, a)
        raise RecordsError(
            f"'{name}' is {'right' if shown else 'wrong'} on all of {n} pairs, so the file does not tell how cases "
            "differ: leave out --pilot and give --accuracy-a, --difficulty-sd and --cluster-interaction-sd by hand."
        )
    size, runs = max(1, round(pairs.n_cases / clusters)), max(1, round(n / pairs.n_cases))
    values: dict[str, float] = {"accuracy_a": a, "n_clusters": clusters, "cluster_size": size, "runs": runs}
    notes = [
        f"accuracy_a = {a:.4g}: accuracy of '{pairs.system_a}' on {n} pairs of {pairs.n_cases} cases.",
        f"n_clusters = {clusters}: as many as in the file.",
        f"cluster_size = {size}: {pairs.n_cases} cases in {clusters} clusters, {pairs.n_cases / clusters:.3g} each.",
    ]
    if runs > 1:
        notes.append(f"runs = {runs}: {n / pairs.n_cases:.3g} pairs of runs of each case.")
    if not solved:
        values["difference"] = b - a if difference is None else difference
    if not solved and difference is None:
        notes.append(_observed_note(b - a))
    if fitted:
        found, said = _effects(pairs, (a, b), (size, runs))
        values |= found
        notes += said
    if pairs.lost:
        notes.append(f"{pairs.lost} pairs had to be left out: cluster_size is that of the pairs that are left.")
    return Taken(values, tuple(notes))


def _effects(
    pairs: PairedValues, accuracies: tuple[float, float], shape: tuple[int, int]
) -> tuple[dict[str, float], list[str]]:
    """Fit difficulty_sd to the discordance and cluster_interaction_sd to the variance of the cluster means."""
    assert pairs.cluster is not None
    (size, runs), n = shape, len(pairs.a)
    discordance = float(np.mean(pairs.a != pairs.b))
    error = mean_of_clusters(pairs.b - pairs.a, pairs.cluster).error
    variance = discordance - (accuracies[1] - accuracies[0]) ** 2
    # n times the variance of the mean difference, in the file; in the scenario it is `inflated`
    wanted = error**2 * n
    if not (variance > 0 and error > 0):
        why = "do not vary" if error >= 0 else "are those of one cluster"
        raise RecordsError(
            f"The differences of the clusters {why}, so nothing can be fitted to them: give --difficulty-sd and "
            "--cluster-interaction-sd by hand."
        )

    def shared(own_sd: float) -> float:
        return _falls_to_0(lambda sd: moments(accuracies, sd, own_sd).discordance - discordance)

    def missing(own_sd: float) -> float:
        found = moments(accuracies, shared(own_sd), own_sd)
        inflated = variance + (runs - 1) * found.of_runs + (size - 1) * runs * found.of_cases
        return wanted - inflated

    own_sd = _falls_to_0(missing)
    if own_sd == SD_MAX:
        raise RecordsError(
            f"No cluster_interaction_sd up to {SD_MAX:g} makes clusters differ as in this file (design effect "
            f"{wanted / variance:.2f}, {size} cases each): give --difficulty-sd and --cluster-interaction-sd by hand."
        )
    difficulty_sd = round(shared(own_sd), DIGITS)
    given = moments(accuracies, difficulty_sd, own_sd).discordance
    misfit = f", the nearest to it that can be, {given:.4g}" if abs(given - discordance) > TOLERANCE else ""
    return {"difficulty_sd": difficulty_sd, "cluster_interaction_sd": round(own_sd, DIGITS)}, [
        f"difficulty_sd = {difficulty_sd:.{DIGITS}f}: gives the file's discordance, {discordance:.4g}{misfit}.",
        f"cluster_interaction_sd = {own_sd:.{DIGITS}f}: gives the mean difference the variance that it has in the file "
        f"(design effect {wanted / variance:.2f} over {n} rows); a fit of moments, approximate, from "
        f"{int(pairs.cluster.max()) + 1} clusters.",
    ]


def _falls_to_0(function: Callable[[float], float]) -> float:
    """Return the sd at which a falling function is 0; 0 or the largest sd where it is so nowhere between."""
    from scipy import optimize

    if function(0.0) <= 0:
        return 0.0
    if function(SD_MAX) >= 0:
        return SD_MAX
    return float(optimize.brentq(function, 0.0, SD_MAX, xtol=1e-5))
