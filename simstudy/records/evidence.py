"""Evidence: a report of the answer, the figures and how files of results were read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from simstudy.records.many_systems import ManyCompared
from simstudy.records.one_system import OneSystem
from simstudy.records.planners import Seen
from simstudy.records.question import Question
from simstudy.records.two_compared import TwoCompared

if TYPE_CHECKING:
    import pandas as pd


PAIR = (
    "system_a",
    "system_b",
    "n_cases",
    "n_runs",
    "mean_a",
    "mean_b",
    "difference",
    "se",
    "low",
    "high",
    "p_value",
    "test",
    "both_right",
    "only_a",
    "only_b",
    "neither",
    "p_mcnemar_exact",
    "p_mcnemar_midp",
    "tango_low",
    "tango_high",
    "p_paired_t",
    "p_wilcoxon",
    "p_sign_flip",
    "bootstrap_t_low",
    "bootstrap_t_high",
    "p_sign_flip_mcse",
    "bootstrap_t_low_mcse",
    "bootstrap_t_high_mcse",
    "p_cluster_t",
    "n_clusters",
    "se_rows",
    "p_holm",
    "unreadable_a",
    "unreadable_b",
    "left_out",
    "mde_positive",
    "mde_negative",
    "cases_recommended",
    "cases_median",
    "cases_recommended_mcse",
    "cases_median_mcse",
    "margin",
    "noninferior_p",
    "equivalent_p",
    "rerun_band",
    "icc",
)
"""Keys that every record has, None where they mean nothing."""


@dataclass(frozen=True)
class Rates:
    """One rate, or two rates of different cases."""

    record: dict[str, Any]
    seen: tuple[Seen, ...]
    against: float | None = None


@dataclass(frozen=True)
class Evidence:
    """What people's own results say: the answer first, then figures, then how the files were read.

    Parameters
    ----------
    found : TwoCompared, OneSystem, ManyCompared or Rates
        The comparison.
    question : Question
        What was asked.
    remarks : tuple of str
        How the files were read, one sentence each.
    metric : str or None
        The metric compared, where files have names for it.
    flips : str or None
        A warning where the answer turns between threshold and mean.
    unreadable : mapping of str to mapping of str to int
        System → reason → rows without a value.
    lost : tuple of tuple of str
        Case, system and reason of each such row, where two systems are not compared case by case.

    Notes
    -----
    ``print`` shows the report as text; notebooks show it as tables; :meth:`to_dict` and :meth:`to_dataframe` give the
    figures with the names of the documentation.
    """

    found: TwoCompared | OneSystem | ManyCompared | Rates
    question: Question
    remarks: tuple[str, ...] = ()
    metric: str | None = None
    flips: str | None = None
    unreadable: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    lost: tuple[tuple[str, str, str], ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """Return the figures as flat records, one per comparison.

        Returns
        -------
        list of dict
            None for what is undefined or has no place.
        """
        found = self.found
        if isinstance(found, ManyCompared):
            return [_flat(two.record) for two in found.pairs]
        return [_flat(found.record)]

    def to_dict(self) -> dict[str, Any]:
        """Return the whole report as plain values.

        Returns
        -------
        dict
            ``answer`` (sentences), ``records`` (as :meth:`records`), ``remarks`` (how the files were read), and of more
            than two systems ``not_told_from_best`` (names).
        """
        from simstudy.pages.evidence_answer import answer

        plain = {"answer": answer(self), "records": self.records(), "remarks": list(self.remarks)}
        if isinstance(self.found, ManyCompared):
            plain["not_told_from_best"] = list(self.found.not_told_from_best)
        return plain

    def to_dataframe(self) -> pd.DataFrame:
        """Return the figures as a table, one row per comparison.

        Returns
        -------
        pandas.DataFrame
            Columns as the keys of :meth:`records`.
        """
        import pandas as pd

        return pd.DataFrame(self.records())

    def __str__(self) -> str:
        from simstudy.pages.evidence_text import text

        return text(self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from simstudy.pages.evidence_text import html

        return html(self)


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(name, value) for name, value in (dict.fromkeys(PAIR) | dict(record)).items()}


def _plain(name: str, value: Any) -> Any:
    """Return None for what is undefined, and cases as whole numbers."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    whole = name in ("cases_recommended", "cases_median") and value is not None
    return int(value) if whole else value
