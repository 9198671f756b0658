"""Judges of LLMBar, each pair read in both orders: contradictions, position bias, and where the position model fails.

Zeng et al. (2024), "Evaluating large language models at evaluating instruction following", arXiv:2310.07641. The label
of a pair says which answer is better, so the model of the scenario `position` can be fitted and held against what it
did not see: how often the judge contradicts itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.real.page import COLOURS, MARKERS, Page, between, number, p_value, rate, section, sheet
from experiments.real.reading import Row, read_rows
from experiments.real.verdicts import (
    ALPHA,
    GROUP,
    Check,
    Verdicts,
    ability_spread,
    cell,
    check_published,
    grouped,
    is_rating,
    within_sets,
)
from simstudy import stats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

VERDICTS = "data/llmbar/llmbar_verdicts_both_orders.csv.gz"
PUBLISHED = "data/llmbar/llmbar_published_statistics.csv"
COLUMNS = ("dataset", "item", "label", "w_noswap", "w_swap", "score1", "score2", *GROUP)
EVERYWHERE = "Vanilla_NoRules"
"""The plainest strategy, with verdicts on all eight sets of pairs."""


# ---- the page


def page(data: Path) -> Page:
    """Return tables and picture."""
    rows = read_rows(data / VERDICTS, COLUMNS)
    check = check_published(rows, read_rows(data / PUBLISHED, ("dataset", *GROUP, "equal")))
    pairwise = grouped((row for row in rows if not is_rating(row)), GROUP)
    ratings = grouped((row for row in rows if is_rating(row)), GROUP)
    by_set = grouped((row for row in rows if row["strategy"] == EVERYWHERE), ("judge", "dataset"))
    parts = [
        "# Judges of LLMBar: contradictions and position bias\n",
        _reading(rows, check),
        _contradictions(pairwise),
        _model(pairwise),
        _sets(by_set),
        _ratings(ratings),
    ]
    return Page("\n".join(parts), lambda: picture(pairwise))


def _reading(rows: Sequence[Row], check: Check) -> str:
    unread = Verdicts((), tuple(rows))
    return (
        f"{len(rows)} pairs of verdicts, each on one pair of answers in both orders; in {unread.one_unreadable} of "
        f"them one verdict is unreadable and in {unread.both_unreadable} both are. They are counted in the tables and "
        "left out of all rates. The four published counts (right in either order, right in both, the same in both) "
        f"come out in {check.agreeing} of {check.groups} groups of one set, judge and strategy. They score an "
        f"unreadable verdict as wrong, and {check.silent} pairs without any readable verdict as agreement of the two "
        "orders.\n"
    )


def _contradictions(groups: Sequence[Verdicts]) -> str:
    ruled_out = sum(group.beta_p <= ALPHA for group in groups)
    intro = (
        "Flips are pairs on which the judge picked the same position in both orders: AA the first shown, BB the "
        "second. beta is ½·log((AA + ½)/(BB + ½)) in logits with mid-p limits; p is that of the exact test of AA "
        f"against BB (beta = 0), at most {ALPHA} for {ruled_out} of {len(groups)}; {_expected(len(groups))}."
    )
    heads = ("pairs", "one / both unreadable", "flips", "flip rate [95%]", "AA", "BB", "beta [95%]", "p")
    return section("Contradictions", intro, GROUP, heads, [_contradiction_row(group) for group in groups])


def _contradiction_row(group: Verdicts) -> tuple[str, ...]:
    return (
        *group.name,
        str(len(group.rows)),
        f"{group.one_unreadable} / {group.both_unreadable}",
        str(group.flips),
        _flip_rate(group),
        str(group.cells["first"]),
        str(group.cells["second"]),
        f"{number(group.beta)} {between(*group.beta_limits, 2)}",
        p_value(group.beta_p),
    )


def _flip_rate(group: Verdicts) -> str:
    low, high = stats.wilson(group.flips, group.n)
    return f"{rate(group.flips / group.n)} {between(float(low), float(high))}"


def _expected(count: int) -> str:
    return f"{ALPHA * count:.1f} are expected at most where the null hypothesis holds for all"


def _model(groups: Sequence[Verdicts]) -> str:
    failing = [group for group in groups if group.fit_p <= ALPHA]
    fewer = sum(group.flips / group.n < group.fit.flips_expected for group in failing)
    surely = sum(group.fit_p <= ALPHA / len(groups) for group in groups)
    intro = (
        "One ability and one beta for all pairs, fitted to the labels. Predicted is the flip rate of the fitted model, "
        "within sets that of a model fitted to each of the sets apart; range is the central 95% of the first, given "
        "how often the judge is right in either order; fit p is Fisher's exact test of the same. "
        f"The model fails at {ALPHA} for {len(failing)} of {len(groups)} ({_expected(len(groups))}), and for {surely} "
        f"at {ALPHA}/{len(groups)} (if the model held for all, at most one such table in twenty would show any); "
        f"{fewer} of the {len(failing)} contradict themselves less often than it predicts. The last columns are "
        "mean and standard deviation that normal abilities of the pairs must have, in logits, to give the observed "
        "flips and verdicts."
    )
    estimates = ("right, better first", "right, better second", "ability", "beta fitted", "beta of flips")
    flips = ("observed [95%]", "predicted", "within sets", "range", "fit p")
    spread = ("mean ability", "sd of ability")
    return section(
        "The position model", intro, GROUP, estimates + flips + spread, [_model_row(group) for group in groups]
    )


def _model_row(group: Verdicts) -> tuple[str, ...]:
    return (
        *group.name,
        rate(group.right_first / group.n),
        rate(group.right_second / group.n),
        number(float(group.fit.ability)),
        number(float(group.fit.beta)),
        number(group.beta),
        _flip_rate(group),
        rate(float(group.fit.flips_expected)),
        rate(within_sets(group)),
        between(*group.fit_range),
        p_value(group.fit_p),
        *(number(figure) for figure in ability_spread(group)),
    )


def _sets(groups: Sequence[Verdicts]) -> str:
    failing = sum(group.fit_p <= ALPHA for group in groups)
    intro = (
        f"The same by set of pairs, for the strategy {EVERYWHERE}. On the adversarial sets the worse answer was chosen "
        "to look better: an ability below 0 is a judge that falls for it. A model for each set alone fails at "
        f"{ALPHA} for {failing} of {len(groups)} ({_expected(len(groups))})."
    )
    heads = ("pairs", "unreadable", "flips", "AA", "BB", "beta of flips", "p")
    model = ("ability", "beta fitted", "observed", "predicted", "fit p")
    return section("By set of pairs", intro, ("judge", "set"), heads + model, [_set_row(group) for group in groups])


def _set_row(group: Verdicts) -> tuple[str, ...]:
    return (
        *group.name,
        str(len(group.rows)),
        str(len(group.rows) - group.n),
        str(group.flips),
        str(group.cells["first"]),
        str(group.cells["second"]),
        number(group.beta),
        p_value(group.beta_p),
        number(float(group.fit.ability)),
        number(float(group.fit.beta)),
        rate(group.flips / group.n),
        rate(within_sets(group)),
        p_value(group.fit_p),
    )


def _ratings(groups: Sequence[Verdicts]) -> str:
    intro = (
        "These strategies score each answer alone and have no order. Equal scores are stored as a win of answer 2 in "
        "the first pass and of answer 1 in the second, which is BB: a tie read as a verdict. Taken for position bias "
        "it would give the beta of the last column. A missing score is stored as AA."
    )
    heads = ("pairs", "equal scores", "of them stored as BB", "score missing", "stored as AA", "beta if misread")
    return section("Ratings are no pairwise verdicts", intro, GROUP, heads, [_rating_row(group) for group in groups])


def _rating_row(group: Verdicts) -> tuple[str, ...]:
    missing = [row for row in group.rows if not (row["score1"] and row["score2"])]
    equal = [row for row in group.rows if row["score1"] and row["score1"] == row["score2"]]
    return (
        *group.name,
        str(len(group.rows)),
        str(len(equal)),
        str(sum(cell(row) == "second" for row in equal)),
        str(len(missing)),
        str(sum(cell(row) == "first" for row in missing)),
        number(group.beta),
    )


# ---- the picture


def picture(groups: Sequence[Verdicts]) -> Figure:
    """Draw observed against predicted flip rates, and the two estimates of beta."""
    figure = sheet(7.2, 4.0)
    flips, betas = figure.subplots(1, 2)
    judges = sorted({group.name[0] for group in groups})
    for index, judge in enumerate(judges):
        own = [group for group in groups if group.name[0] == judge]
        _draw_flips(flips, own, index)
        _draw_betas(betas, own, index)
    _frame(flips, (0, 0.95), "flip rate that the fitted model predicts", "flip rate observed, 95% interval")
    _frame(betas, (-3.2, 3.5), "beta fitted to all verdicts", "beta of the contradictions, logits")
    figure.legend(*flips.get_legend_handles_labels(), loc="outside lower center", ncols=len(judges), frameon=False)
    figure.suptitle("Judges contradict themselves less often than one ability for all pairs predicts", fontsize=9.5)
    return figure


def _draw_flips(axes: Axes, groups: Sequence[Verdicts], index: int) -> None:
    predicted = np.array([float(group.fit.flips_expected) for group in groups])
    flips, n = np.array([(group.flips, group.n) for group in groups]).T
    observed = flips / n
    low, high = stats.wilson(flips, n)
    axes.errorbar(
        predicted, observed, (observed - low, high - observed), label=groups[0].name[0], elinewidth=0.7, **_look(index)
    )


def _draw_betas(axes: Axes, groups: Sequence[Verdicts], index: int) -> None:
    fitted = [float(group.fit.beta) for group in groups]
    axes.plot(fitted, [group.beta for group in groups], **_look(index))


def _look(index: int) -> dict[str, Any]:
    return {
        "linestyle": "none",
        "marker": MARKERS[index],
        "color": COLOURS[index],
        "markersize": 4,
        "markerfacecolor": COLOURS[index] if index % 2 == 0 else "white",
    }


def _frame(axes: Axes, limits: tuple[float, float], across: str, up: str) -> None:
    axes.axline((0, 0), slope=1, color="#777777", linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    axes.set(xlim=limits, ylim=limits, xlabel=across, ylabel=up, aspect="equal")
    axes.grid(color="#e6e6e6", linewidth=0.5)
    axes.set_axisbelow(True)
