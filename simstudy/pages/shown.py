"""Which part of a result is shown: values of its dimensions, the axis of a plot and its panels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simstudy.errors import ParameterError, RefusedError, RequestError, UnknownNameError
from simstudy.pages import numbers
from simstudy.ranges import percentage

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.study.plan import Study

METHOD = "method"
MAX_PANELS = 24
MAX_ACROSS = 6
_MAX_PANEL_PARAMETERS = 2
NO_AXIS = (
    "There is nothing to plot against: no numeric parameter takes more than one value. Sweep one, or read the table."
)


@dataclass(frozen=True)
class Shown:
    """What was asked to be shown: dimension → values, the axis of a plot, and what goes across and down its panels."""

    selected: Mapping[str, tuple[str, ...]]
    x: str | None = None
    panels: tuple[str, ...] = ()

    def labels(self, labels: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """Return what is left of the labels of each dimension, or refuse names and values that are not there."""
        for name in self.selected:
            if name not in labels:
                raise UnknownNameError("dimension of this result", name, labels)
        return {name: _chosen(name, self.selected.get(name), list(values)) for name, values in labels.items()}

    def of(self, dataset: xr.Dataset) -> xr.Dataset:
        """Return the part of a result that is shown; dimensions stay, perhaps with one value."""
        labels = {str(name): dataset[name].values.tolist() for name in dataset.dims if name in dataset.coords}
        left = self.labels(labels)
        return dataset.sel({name: left[name] for name in self.selected}) if self.selected else dataset


EVERYTHING = Shown({})


def read_shown(select: str | None, x: str | None, panels: str | None) -> Shown:
    """Read NAME=VALUE,NAME=VALUE, several values of a name parted by strokes, and the names of axis and panels."""
    selected: dict[str, tuple[str, ...]] = {}
    for part in (select or "").split(",") if select is not None else ():
        name, equals, text = part.partition("=")
        name = name.strip().replace("-", "_")
        if not (name and equals and text.strip()):
            raise ParameterError(f"select is '{select}'; write NAME=VALUE, as in n_cases=36/100,method=tango.")
        if name in selected:
            raise ParameterError(f"select names {name} more than once; write its values as {name}=a/b.")
        selected[name] = tuple(value.strip() for value in text.split("/"))
    names = tuple(name.strip().replace("-", "_") for name in panels.split(",")) if panels else ()
    if len(names) > _MAX_PANEL_PARAMETERS or len(set(names)) < len(names):
        raise ParameterError(f"panels is '{panels}'; it names one parameter, or two different ones.")
    return Shown(selected, x.replace("-", "_") if x else None, names)


def _chosen(name: str, wanted: tuple[str, ...] | None, labels: list[Any]) -> list[Any]:
    if wanted is None:
        return labels
    found = []
    for text in wanted:
        same = [label for label in labels if _is(text, label)]
        if not same:
            there = ", ".join(numbers.parameters(labels[:8])) + (", ..." if len(labels) > 8 else "")
            raise RequestError(f"select: this result has no {name} {text}; it has {there}.")
        found += [label for label in same if label not in found]
    return [label for label in labels if label in found]


def _is(text: str, label: Any) -> bool:
    """Whether a label is what was typed: numbers also as a table shows them."""
    if isinstance(label, str):
        return text == label
    try:
        value = percentage("select", text, proportion=True) if text.endswith("%") else float(text)
    except ValueError:
        return False
    return math.isclose(value, label, rel_tol=1e-9, abs_tol=1e-12) or text == numbers.parameter(label)


def axis_of(shown: Shown, numeric: Sequence[str], wishes: Sequence[str]) -> str:
    """Return what a plot is drawn against: what was asked for, else the first wish, of what takes several values."""
    if not numeric:
        raise RefusedError(NO_AXIS)
    if shown.x is not None:
        if shown.x not in numeric:
            raise UnknownNameError("parameter with several values to plot against", shown.x, numeric)
        return shown.x
    return next(name for name in (*wishes, *numeric) if name in numeric)


def panels_of(shown: Shown, sizes: Mapping[str, int], x: str, size: str) -> tuple[str | None, str | None]:
    """Say which parameter goes across the panels and which down: sizes across, from few cases to many."""
    rest = [name for name in sizes if name != x]
    for name in shown.panels:
        if not rest:
            raise RefusedError(f"panels is '{name}'; beside {x}, on the axis, no parameter has several values.")
        if name not in rest:
            raise UnknownNameError("parameter for panels", name, rest)
    rest.sort(key=lambda name: name != size)
    kept = [*shown.panels, *([] if shown.panels else rest)]
    left_over = [name for name in rest if name not in kept] or rest[_MAX_PANEL_PARAMETERS:]
    if left_over:
        raise RefusedError(
            f"A plot shows up to {_MAX_PANEL_PARAMETERS} parameters beside the one on its axis ({x}) and the "
            f"methods; this result has {len(rest)}: {', '.join(rest)}. "
            f"--select {','.join(f'{name}=VALUE' for name in left_over)} fixes {' and '.join(left_over)}; --x and "
            "--panels choose which ones are drawn."
        )
    across, down = [*kept, None, None][:2]
    count = math.prod(sizes[name] for name in kept)
    if count > MAX_PANELS or (down is not None and max(sizes[name] for name in kept) > MAX_ACROSS):
        longest = max(kept, key=lambda name: sizes[name])
        raise RefusedError(
            f"A plot shows up to {MAX_PANELS} panels, {MAX_ACROSS} across and {MAX_ACROSS} down; {' and '.join(kept)} "
            f"would need {count}. --x {longest} puts {longest} on the axis, --select {longest}=VALUE/VALUE keeps some "
            "of its values."
        )
    return across, down


def left_of(study: Study, shown: Shown) -> dict[str, list[Any]]:
    """Return what will be shown of the dimensions of a study, or refuse what they do not have."""
    from simstudy.study.results import dimensions  # late: start-up

    labels: dict[str, list[Any]] = {**dimensions(study), METHOD: [method.name for method in study.methods]}
    if study.question == "mde" and study.sign == "both":
        labels["sign"] = ["positive", "negative"]
    return shown.labels(labels)


def refuse_plot(study: Study, shown: Shown) -> None:
    """Refuse a plot that could not be drawn, before the study is computed."""
    sizes = {name: len(values) for name, values in left_of(study, shown).items() if name != METHOD and len(values) > 1}
    numeric = [name for name in sizes if name != "sign"]
    variable = "answer" if study.solved else [*study.scenario.shows, study.scenario.target_variable][0]
    panels_of(shown, sizes, axis_of(shown, numeric, wishes(study, variable, sizes, numeric)), study.size)


def wishes(study: Study, variable: str, sizes: Mapping[str, int], numeric: Sequence[str]) -> list[str]:
    """Return what a variable is best drawn against, in order."""
    effect, size = study.effect, study.size
    others = [name for name in numeric if name not in (effect, size)]
    by_length = sorted(others, key=lambda name: -sizes[name])
    wish = {
        "power": [effect, size, *others],
        "power_right": [effect, size, *others],
        "coverage": [*by_length, size, effect],
        "answer": [effect if study.question == "size" else size, *others],
        "power_wrong": [size, effect, *others],
    }
    return wish.get(variable, sorted(numeric, key=lambda name: -sizes[name]))
