"""Parameters of scenario paired taken from a pilot, each one said."""

from __future__ import annotations

from dataclasses import dataclass

from simstudy.errors import ParameterError
from simstudy.records.comparison import compare
from simstudy.records.pairing import PairedOutcomes
from simstudy.records.planning import EDGE, design_point


@dataclass(frozen=True)
class PilotParameters:
    """What a question about scenario paired takes from a pilot: values by name, and a sentence on each."""

    values: dict[str, float]
    notes: tuple[str, ...]


def pilot_parameters(outcomes: PairedOutcomes, difference: float | None = None) -> PilotParameters:
    """Take accuracy, discordance and the share of lost pairs from a pilot; the difference too where none is named."""
    # The scenario knows no accuracy of 0 or 1. Where the pilot shows one of A, or the difference would give B one, A's
    # accuracy is moved by 1e-9, and the sentence on it says so.
    comparison = compare(outcomes)
    a, wanted = comparison.accuracy_a.value, comparison.difference if difference is None else difference
    point = design_point(a, comparison.discordance, wanted)
    if point is None:
        raise ParameterError(_no_point(a, wanted, difference is None, outcomes.system_a))
    if difference is None and comparison.discordance == 0:
        raise ParameterError(
            "No pair of the pilot is discordant, so the observed difference is 0 and no n can be computed from it: "
            "name the difference that matters."
        )
    values = {"accuracy_a": point[0], "discordance": point[1], "difference": wanted}
    notes = [
        _accuracy_note(a, point[0], outcomes),
        _discordance_note(comparison.discordance, point[1], outcomes.n),
    ]
    if difference is None:
        notes.append(
            f"difference = {wanted:.4g}: the observed one, a noisy guess; an n computed from it can be wrong "
            "by an order of magnitude. Name the difference that matters instead."
        )
    if outcomes.unusable:
        values["unusable"] = outcomes.unusable_share
        notes.append(f"unusable = {outcomes.unusable_share:.4g}: {outcomes.unusable} pairs had to be left out.")
    if comparison.clustered is not None:
        notes.append(
            f"Pairs share clusters: multiply n by {comparison.clustered.factor:.3g}, the design effect, for "
            f"rows ({comparison.clustered.mean_size:.3g} per cluster); this is approximate."
        )
    return PilotParameters(values, tuple(notes))


def _no_point(a: float, wanted: float, observed: bool, system_a: str) -> str:
    if observed or -a <= wanted <= 1 - a:
        return (
            f"difference is {wanted:g}{', the observed one' if observed else ''}; it needs one system that is right "
            "on every case and one that is right on none, so no n can be computed from it: name the difference "
            "that matters."
        )
    low = f"{-a:.4g}" if a else "0"
    return (
        f"difference is {wanted:g}; at the pilot's accuracy of '{system_a}', {a:.4g}, it must lie in "
        f"[{low}, {1 - a:.4g}]."
    )


def _accuracy_note(shown: float, used: float, outcomes: PairedOutcomes) -> str:
    name, pairs = outcomes.system_a, "1 pair" if outcomes.n == 1 else f"{outcomes.n} pairs"
    if shown in (0, 1):
        return (
            f"accuracy_a = {used:.9g}: observed {shown:g}, '{name}' is {'right' if shown else 'wrong'} on all of "
            f"{pairs}; moved inside (0, 1) by {EDGE:g}, as the scenario needs."
        )
    if used != shown:
        return (
            f"accuracy_a = {used:.9g}: accuracy of '{name}' on {pairs}, {shown:.4g}; moved by {EDGE:g}, so that the "
            f"difference keeps '{outcomes.system_b}' inside (0, 1), as the scenario needs."
        )
    return f"accuracy_a = {used:.4g}: accuracy of '{name}' on {pairs}."


def _discordance_note(shown: float, used: float, n: int) -> str:
    if used > shown + 1e-6:
        return (
            f"discordance = {used:.4g}: the pilot's is {shown:.4g}, and a difference brings at least as "
            "much; so n is a lower bound."
        )
    if used < shown - 1e-6:
        return f"discordance = {used:.4g}: the pilot's is {shown:.4g}, more than the accuracies then allow."
    return f"discordance = {used:.4g}: share of {n} pairs on which exactly one system is right."
