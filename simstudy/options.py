"""Every option, described once: `OPTIONS`; and the values of those that a study is computed with: `Options`.

Help pages, the keywords of the questions, study files, defaults, refusals, the names that a parameter may not have, and
docs/commands.md follow from the table.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, Literal

import numpy as np

from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.ranges import as_proportion, parse_values

REPLICATIONS = 10_000
FIRST_ROUND = 1000
CEILING = 1_024_000
# what the ceiling gives at a rate of one half
SMALLEST_MCSE = 0.0005
LARGEST_SIZE = 1_000_000
LARGEST_WHOLE_FLOAT = 2.0**53
LONGEST = 30  # bits of a number that is written out
# a p-value that exceeds its level by less than this share does so by rounding: Fisher's 1/20 rejects at 0.05
ROUNDING = 1e-12

# what becomes of design points that cannot exist
REFUSE, SKIP = "refuse", "skip"
# pages, each of which takes options of its own; what stands beside the parameters of a scenario comes first
POWER, MDE, SIZE, REPLAY = "power", "mde", "size", "replay"
QUESTIONS = (POWER, MDE, SIZE)
BY_PARAMETERS = (*QUESTIONS, REPLAY)
FROM_PILOT, ALONE, STUDY_FILE = "from a pilot", "power alone", "study file"
COMPUTING = (*QUESTIONS, ALONE, STUDY_FILE)
PILOT, SHOW, LIST, COMPARE, DOCTOR = "pilot", "show", "list", "compare", "doctor"
# where files of results are read, and where two systems of them are paired
READ, PAIRED = (COMPARE, DOCTOR, FROM_PILOT), (COMPARE, FROM_PILOT)
EVERYWHERE = (*COMPUTING, REPLAY, SHOW, LIST, COMPARE, DOCTOR)

# headings of a help page
PROPORTION = "proportion"
ANSWERING = "How it is answered"
FILE = "The file of results"
OUTPUT = "What comes out"

Kind = Literal[
    "text", "texts", "list", "choice", "number", "numbers", "integer", "flag", "switch", "argument", "arguments"
]


@dataclass(frozen=True)
class Option:
    """One option of some commands, and mostly a keyword of the same name in Python and in study files."""

    # texts may be repeated; list and numbers hold several values parted by commas; a switch also has a --no- form; an
    # argument is typed without its name, and so are arguments, of which there may be several. Ranges, choices and the
    # default make up the line of help; `unsaid` says in words what holds where the default is None, `remark` follows
    # what is allowed, also in messages.

    name: str
    words: str
    kind: Kind
    takes: tuple[str, ...]
    default: Any = None
    unsaid: str = ""
    low: float | None = None
    high: float | None = None
    open_low: bool = False
    open_high: bool = False
    choices: tuple[str, ...] = ()
    unit: str = "number"
    allowed: str = ""
    remark: str = ""
    heading: str = ANSWERING
    typed_only: bool = False
    bears_on_numbers: bool = True
    hidden: bool = False

    @property
    def typed(self) -> str:
        """The option as it is typed."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def several(self) -> bool:
        """Whether it holds several values parted by commas."""
        return self.kind in ("list", "numbers")

    @property
    def range(self) -> str:
        """What is allowed, in words; empty where anything is."""
        if self.allowed:
            return self.allowed
        if self.choices:
            return f"{', '.join(self.choices[:-1])} or {self.choices[-1]}"
        if self.low is None:
            return {"integer": "a whole number", "switch": "true or false"}.get(self.kind, "")
        if self.kind == "integer":
            return f"a whole number from {self.low} to {_end(int(self.high or 0))}"
        left, right = "(" if self.open_low else "[", ")" if self.open_high else "]"
        return f"a {self.unit} in {left}{self.low:g}, {self.high:g}{right}{self.remark}"

    @property
    def help(self) -> str:
        """The line of a help page."""
        words = f"{self.words[0].upper()}{self.words[1:]}"
        shown = self.range if self.kind not in ("flag", "switch") else ""
        default = self.unsaid or ("" if self.default is None or self.default is False else str(self.default))
        return f"{words}{f': {shown}' if shown else ''}{f' (default {default})' if default else ''}."

    def read(self, text: str) -> Any:
        """Return what was typed in its proper type; ranges are checked where it is used."""
        if self.kind == "integer":
            return whole_number(self.name, text)
        if self.kind in ("number", "numbers"):
            return parse_values(self.name, text, proportion=self.unit == PROPORTION)
        if self.kind in ("flag", "switch"):
            if text.strip() not in ("true", "false"):
                raise ParameterError(f"{self.name} is {text!r}; it must be true or false.")
            return text.strip() == "true"
        return text.strip().strip("\"'")

    def check(self, value: Any) -> Any:
        """Return a value in its proper type, or refuse it; None stands for the default where that is None."""
        if value is None and self.default is None:
            return None
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if self.kind == "numbers":
            return self._numbers(self.read(value) if isinstance(value, str) else value)
        if self.kind in ("integer", "number"):
            return self._number(value)
        if self.kind in ("flag", "switch"):
            if not isinstance(value, bool | np.bool_):
                raise ParameterError(f"{self.name} is {value!r}; it must be true or false.")
            return bool(value)
        if self.choices and value not in self.choices:
            raise UnknownNameError(self.name, str(value), self.choices)
        return value

    def _numbers(self, value: Any) -> float | tuple[float, ...]:
        if not isinstance(value, Sequence) or isinstance(value, bytes):
            return float(self._number(value))
        if not len(value):
            raise ParameterError(f"{self.name} is an empty list; give at least one value: {self.range}.")
        return tuple(float(self._number(number)) for number in value)

    def _number(self, value: Any) -> float:
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not number or not self._holds(value) or (self.kind == "integer" and value != int(value)):
            proportion = number and self.unit == PROPORTION and self.low is not None and self.high is not None
            hint = as_proportion(value, self.low, self.high) if proportion else ""  # type: ignore[arg-type]
            raise ParameterError(f"{self.name} is {value!r}; it must be {self.range}.{hint}")
        return int(value) if self.kind == "integer" else float(value)

    def _holds(self, value: Any) -> bool:
        if self.low is None or self.high is None:
            return bool(abs(value) <= sys.float_info.max)
        above = value > self.low if self.open_low else value >= self.low
        return bool(above and (value < self.high if self.open_high else value <= self.high))


def _end(high: int) -> str:
    """Return the end of a range, short where it is that of the numbers of a computer."""
    bits = high.bit_length()
    return f"2^{bits} - 1" if bits > LONGEST and high == 2**bits - 1 else f"{high}"


def _output(name: str, words: str, kind: Kind, takes: tuple[str, ...], **more: Any) -> Option:
    return Option(name, words, kind, takes, heading=OUTPUT, typed_only=True, bears_on_numbers=False, **more)


def _proportion_of_evidence(name: str, words: str, default: float) -> Option:
    return Option(
        name,
        words,
        "number",
        (COMPARE,),
        default=default,
        unit=PROPORTION,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
    )


def _column_read(part: str, words: str) -> Option:
    return Option(f"{part}_column", f"name of the column of {words}; guessed", "text", READ, heading=FILE)


# what is asked of people's own results
OF_EVIDENCE = (
    Option(
        "files", "files of results in any format that is known, mixed", "arguments", (COMPARE, DOCTOR), heading=FILE
    ),
    Option("system_a", "system A, as the file calls it", "text", PAIRED, unsaid="the first", heading=FILE),
    Option("system_b", "system B; a difference is B minus A", "text", PAIRED, unsaid="the second", heading=FILE),
    Option("metric", "which metric of the file", "text", READ, unsaid="the first, said aloud", heading=FILE),
    Option("filter", "which answers, where a file has several per case", "text", READ, heading=FILE),
    Option(
        "runs",
        "repeated runs of a case; clustered keeps all of them, cases as clusters",
        "choice",
        PAIRED,
        unsaid="mean, where the file has a column of runs",
        choices=("first", "majority", "mean", "clustered"),
        heading=FILE,
    ),
    Option("threshold", "values at or above it count as right", "number", PAIRED, unsaid="none", heading=FILE),
    Option("failed", "words that count as failed, not as unreadable: timeout,error", "list", PAIRED, heading=FILE),
    _column_read("case", "cases"),
    _column_read("system", "systems"),
    _column_read("value", "outcomes"),
    _column_read("run", "runs"),
    Option("cluster", "column of clusters: cases of one source", "text", READ, heading=FILE),
    Option("cluster_column", "the same as --cluster", "text", READ, heading=FILE, typed_only=True),
    Option(
        "layout",
        "of a table: a row per case and system, or a column per system; guessed",
        "choice",
        READ,
        choices=("long", "wide"),
        heading=FILE,
    ),
    Option(
        "split_ids",
        "whether ids such as 1, 1.1, 1.2 are runs of case 1",
        "switch",
        READ,
        default=True,
        unsaid="yes",
        heading=FILE,
    ),
    Option(
        "counts",
        "counts in place of files: 29,7,4,20 (both right, only A, only B, neither), 193/358 or 78/100,82/100",
        "text",
        (COMPARE,),
    ),
    Option("against", "a rate or mean to compare one system with", "number", (COMPARE,)),
    Option("unpaired", "compare as sets of different cases", "flag", (COMPARE,), default=False),
    Option("lower_is_better", "low values are good", "switch", (COMPARE,), unsaid="by the name of the metric"),
    Option("stratum", "column of strata, whose means are weighed", "text", (COMPARE,)),
    Option("stratum_weights", "weights of the strata: a=0.5/b=0.5", "text", (COMPARE,), unsaid="all alike"),
    Option("margin", "a loss of B that would still be accepted", "number", (COMPARE,)),
    Option(
        "difference",
        "differences that matter: 0.05,0.1",
        "numbers",
        (COMPARE,),
        unsaid="0.05,0.1; of scores .2 and .5 standard deviations",
    ),
    Option(
        "target",
        "power of the smallest difference seen and of the cases needed",
        "text",
        (COMPARE,),
        default=0.8,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
    ),
    _proportion_of_evidence("alpha", "two-sided level; margins are tested one-sided at it", 0.05),
    _proportion_of_evidence("level", "confidence level of the intervals", 0.95),
    Option("seed", "seed of what is drawn", "integer", (COMPARE,), default=1, low=0, high=2**64 - 1),
    Option("draws", "posterior draws", "integer", (COMPARE,), default=2000, low=100, high=1_000_000),
    Option(
        "list",
        "also list cases: regressed, improved, unreadable or left_out",
        "list",
        (COMPARE,),
        heading=OUTPUT,
        typed_only=True,
    ),
)

OPTIONS: tuple[Option, ...] = (
    *OF_EVIDENCE,
    # an option that pilot had, understood to be refused
    Option("method", "the McNemar test to plan for", "text", (PILOT,), typed_only=True, hidden=True),
    Option("file", "a result that was saved with --out: .nc", "argument", (SHOW,), bears_on_numbers=False),
    # what is asked
    Option(
        "set",
        "replace a parameter or an option of the study file: --set n_cases=36,100 seed=2",
        "texts",
        (STUDY_FILE,),
        typed_only=True,
    ),
    Option(
        "target",
        "the power from which an effect counts as seen in the closing lines, or conditions as mde takes them: "
        "power_right=0.8",
        "list",
        (POWER, ALONE),
        unsaid="0.8",
        typed_only=True,
        bears_on_numbers=False,
    ),
    Option(
        "target",
        "what to reach: a power, power_right=0.8, or several that all have to hold, power=0.8,power_wrong=0.01",
        "list",
        (MDE,),
        unsaid="0.8",
    ),
    Option(
        "target",
        "what to reach: a power, half_width=0.05, width=0.1, coverage=0.95, power_right=0.8, or several that all have "
        "to hold, power=0.8,power_wrong=0.01",
        "list",
        (SIZE,),
        unsaid="0.8",
    ),
    Option(
        "sign",
        "which effects",
        "choice",
        (MDE,),
        unsaid="positive; negative with alternative less",
        choices=("positive", "negative", "both"),
    ),
    Option("curve", "add the target's measure at the sizes around each answer", "flag", (SIZE,), default=False),
    Option("largest", "largest size that is considered", "integer", (SIZE,), unsaid=f"{LARGEST_SIZE}"),
    Option("replication", "which replication", "integer", (REPLAY,), low=0, high=2**63 - 1),
    Option(
        "pilot",
        "take the parameters from these files of results, in any format that compare reads, unless they are given: "
        "paired takes accuracy_a, discordance, unusable, difference and n_cases, clustered accuracy_a, n_clusters, "
        "cluster_size, runs, difference, difficulty_sd and cluster_interaction_sd",
        "texts",
        (FROM_PILOT,),
        heading=FILE,
        typed_only=True,
    ),
    # how a study is computed
    Option("method", "methods, parted by commas", "list", QUESTIONS, unsaid="those marked in simstudy list SCENARIO"),
    Option(
        "engine",
        "the engine; auto takes exact where that costs about a second or less per point and method, else counts, "
        "else full",
        "choice",
        QUESTIONS,
        default="auto",
        choices=("auto", "exact", "counts", "full"),
    ),
    Option(
        "replications",
        "replications per design point where it is simulated",
        "integer",
        QUESTIONS,
        unsaid=f"{REPLICATIONS}",
        low=1,
        high=2**31 - 1,
    ),
    Option(
        "mcse",
        "instead of --replications: simulate until the Monte Carlo standard error is at most this",
        "number",
        QUESTIONS,
        unit=PROPORTION,
        low=SMALLEST_MCSE,
        high=0.5,
        open_high=True,
        remark=f", since at most {CEILING:,} replications are made",
    ),
    Option("seed", "seed of the simulation", "integer", (*BY_PARAMETERS, ALONE), default=1, low=0, high=2**64 - 1),
    Option(
        "alpha",
        "level of the tests; a list becomes a dimension",
        "numbers",
        QUESTIONS,
        default=0.05,
        unit=PROPORTION,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
    ),
    Option(
        "alternative",
        "two-sided tests, or one-sided ones that look for greater (positive) effects or for less (negative ones)",
        "choice",
        QUESTIONS,
        default="two-sided",
        choices=("two-sided", "greater", "less"),
    ),
    Option(
        "comparisons",
        "comparisons among which alpha is divided (Bonferroni)",
        "integer",
        QUESTIONS,
        default=1,
        low=1,
        high=10**6,
    ),
    Option(
        "unusable",
        "share of units lost to errors or unreadable output",
        "number",
        BY_PARAMETERS,
        default=0.0,
        unsaid="0",
        unit=PROPORTION,
        low=0,
        high=1,
        open_high=True,
    ),
    Option(
        "impossible",
        "what becomes of design points of a grid that cannot exist",
        "choice",
        QUESTIONS,
        default=REFUSE,
        choices=(REFUSE, SKIP),
    ),
    Option(
        "threads",
        "threads; changes no number",
        "integer",
        QUESTIONS,
        unsaid="all processors",
        low=1,
        high=1024,
        bears_on_numbers=False,
    ),
    Option(
        "common_random_numbers",
        "whether design points share their draws in engine full",
        "switch",
        BY_PARAMETERS,
        default=True,
        unsaid="they do",
    ),
    # where an answer goes
    _output("out", "save the result to this file: .nc (netCDF)", "text", COMPUTING),
    _output("out", "write to this file: .csv; standard output where not given", "text", (REPLAY,)),
    _output("plot", "draw the result to this file: .png, .svg or .pdf", "text", (*COMPUTING, SHOW)),
    _output(
        "select",
        "show these values alone: NAME=VALUE,NAME=VALUE, several as n_cases=36/100; also of method, alpha and sign",
        "text",
        (*COMPUTING, SHOW),
    ),
    _output("x", "parameter on the axis of the plot", "text", (*COMPUTING, SHOW)),
    _output(
        "panels", "parameters across and down the panels of the plot: NAME or NAME,NAME", "text", (*COMPUTING, SHOW)
    ),
    _output(
        "format",
        "how the result is printed",
        "choice",
        (*COMPUTING, SHOW, COMPARE),
        default="table",
        choices=("table", "csv", "json", "markdown"),
    ),
    _output("format", "how it is printed", "choice", (LIST, DOCTOR), default="table", choices=("table", "json")),
    _output("dry_run", "show the grid, the engines and a cost estimate; compute nothing", "flag", COMPUTING),
    _output("quiet", "no progress bar and no notes", "flag", (*COMPUTING, REPLAY, SHOW, COMPARE)),
    _output("debug", "show the traceback of an error", "flag", EVERYWHERE),
)


def options_of(*pages: str) -> tuple[Option, ...]:
    """Return the options of a page, or of several that are shown as one, in the order of the table."""
    return tuple(option for option in OPTIONS if any(page in option.takes for page in pages))


def the_option(name: str, page: str) -> Option:
    """Return an option of a page by name."""
    return next(option for option in OPTIONS if option.name == name and page in option.takes)


def keywords(question: str) -> tuple[str, ...]:
    """Return the options that a question takes in Python and in study files, beside its methods."""
    return tuple(option.name for option in options_of(question) if not option.typed_only and option.name != "method")


def reserved_names() -> frozenset[str]:
    """Return the names that no parameter may have; a file of results is read by options that may give way."""
    beside = options_of(*BY_PARAMETERS, FROM_PILOT, STUDY_FILE)
    return frozenset(option.name for option in beside if option.heading != FILE or option.typed_only)


@dataclass(frozen=True)
class Options:
    """Everything about a study but its question, its parameters and its methods; see `OPTIONS`."""

    alpha: tuple[float, ...]
    # whether alpha is a dimension of the result
    alpha_swept: bool
    alternative: str
    engine: str
    replications: int
    mcse: float | None
    seed: int
    threads: int
    common_random_numbers: bool
    comparisons: int
    unusable: float
    impossible: str

    @property
    def levels(self) -> tuple[float, ...]:
        """The level of each single comparison."""
        return tuple(alpha / self.comparisons for alpha in self.alpha)

    @property
    def ladder(self) -> tuple[float, ...]:
        """The levels in ascending order, each once."""
        return tuple(sorted(set(self.levels)))

    def describe(self) -> dict[str, Any]:
        """Return the options that bear on the numbers, as plain values."""
        plain = {name: getattr(self, name) for name, option in OF_A_STUDY.items() if option.bears_on_numbers}
        if self.impossible == REFUSE:
            del plain["impossible"]  # what refuses computes nothing else
        return {**plain, "alpha": list(self.alpha) if self.alpha_swept else self.alpha[0]}


OF_A_STUDY = {field.name: the_option(field.name, POWER) for field in fields(Options) if field.name != "alpha_swept"}


def make_options(**given: Any) -> Options:
    """Return validated options: those given by name, the others by default."""
    for name in given:
        if name not in OF_A_STUDY:
            raise UnknownNameError("option", name, OF_A_STUDY)
    if given.get("replications") is not None and given.get("mcse") is not None:
        raise RefusedError("replications and mcse cannot be given together: mcse decides the number of replications.")
    made = {name: option.check(given.get(name, option.default)) for name, option in OF_A_STUDY.items()}
    swept = isinstance(made["alpha"], tuple)
    made["alpha"] = made["alpha"] if swept else (made["alpha"],)
    if min(made["alpha"]) / made["comparisons"] == 0.0:
        raise ParameterError(
            f"alpha is {min(made['alpha']):g}; among {made['comparisons']} comparisons nothing is left of it."
        )
    made["replications"] = made["replications"] or REPLICATIONS
    made["threads"] = made["threads"] or default_threads()
    return Options(alpha_swept=swept, **made)


def default_threads() -> int:
    """Return the number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def whole_number(name: str, text: str) -> int:
    """Read a whole number, also where it is written as 1e4 or 100.0; a fraction is not rounded."""
    # from 2^53 on only digits are read: a float no longer tells neighbours apart there
    with contextlib.suppress(ValueError):
        return int(text)
    with contextlib.suppress(ValueError):
        value = float(text)
        if value.is_integer() and abs(value) < LARGEST_WHOLE_FLOAT:
            return int(value)
    plain = text.replace(",", "")
    hint = f" Write it as {plain}: commas part the values of a list." if plain != text and plain.isdecimal() else ""
    raise ParameterError(f"{name} is '{text}'; it must be a whole number.{hint}")
