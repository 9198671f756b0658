"""``simstudy compare``."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from simstudy.commands.output import Output, make_output, progress
from simstudy.commands.parsing import Invocation, Page, in_options, parse
from simstudy.errors import ParameterError, RefusedError, RequestError, UnknownNameError
from simstudy.options import COMPARE, FILE, PILOT, options_of, the_option
from simstudy.ranges import parse_values
from simstudy.visible import visible_json

if TYPE_CHECKING:
    from simstudy.records.compared import Asked
    from simstudy.records.evidence import Evidence
    from simstudy.records.question import Question
    from simstudy.records.read_options import ReadOptions

EXAMPLES = (
    "simstudy compare results.csv",
    "simstudy compare old.eval new.eval --margin 0.05",
    "simstudy compare --counts 29,7,4,20",
)
OF_PILOT = ("simstudy pilot results.csv --system-a old --system-b new --difference 0.05,0.1 --target 0.8",)
# options that speak of files, and are stray beside counts
OF_FILES = ("stratum", "stratum_weights", "unpaired", "list")


def command(asked: Invocation) -> int:
    """Print what people's own results say; return 0."""
    usage = f"simstudy {asked.name} FILE... [OPTIONS]"
    pages, examples = ((COMPARE, PILOT), OF_PILOT) if asked.name == PILOT else ((COMPARE,), EXAMPLES)
    page = Page(usage, asked.about, options_of(*pages), examples)
    given = parse(page, asked.tokens)
    if given is None:
        return 0
    if given.get("method") is not None:
        raise RefusedError(
            "--method has no place here any more: cases are planned for by the mid-p McNemar test. For another method: "
            f"simstudy size paired --pilot FILE --method {given['method']}."
        )
    output = make_output(given)
    lists = _lists(given["list"])
    with in_options(page):
        report = _report(given, page, output)
        _refuse_lists(report, lists)
    print(_printed(report, output.format, lists))
    if not output.for_people:
        from simstudy.pages.evidence_answer import answer  # late: start-up
        from simstudy.pages.evidence_text import how_read, listing

        listed = (
            ()
            if output.format == "markdown"
            else tuple(f"{name}: {case}" for name in lists for case in listing(report, name))
        )
        for note in (*answer(report), *how_read(report), *listed):
            output.note(note)
    return 0


def _report(given: dict[str, Any], page: Page, output: Output) -> Evidence:
    from simstudy.records.compared import compare_counts, compare_records  # late: start-up

    question = _question(given)
    if given["counts"] is not None:
        stray = [
            option.typed
            for option in page.options
            if (option.heading == FILE or option.name in OF_FILES) and given[option.name]
        ]
        if given["files"]:
            raise RefusedError(f"--counts takes the place of files: leave out --counts or {given['files'][0]}.")
        if stray:
            raise RefusedError(
                f"--counts takes the place of files, and {stray[0]} speaks of one: leave one of them out."
            )
        return compare_counts(given["counts"], question, given["against"])
    if not given["files"]:
        raise RequestError(
            f"{page.usage.partition(' FILE')[0]} needs a file of results, or --counts 29,7,4,20: {page.usage}."
        )
    from simstudy.records.reading import read_records  # late: start-up

    with progress(output.quiet) as bar:
        records = read_records(given["files"], reading(given))
        return compare_records(records, _asked(given), question, bar)


def reading(given: dict[str, Any]) -> ReadOptions:
    """Return what was typed about how files are read."""
    from simstudy.records.read_options import reading_options  # late: start-up

    systems = tuple(given[name] for name in ("system_a", "system_b") if given.get(name) is not None)
    failed = given.get("failed")
    columns = (given["stratum"],) if given.get("stratum") is not None else ()
    return reading_options(
        case_column=given["case_column"],
        system_column=given["system_column"],
        value_column=given["value_column"],
        run_column=given["run_column"],
        cluster_column=_cluster(given),
        layout=given["layout"],
        metric=given["metric"],
        filter=given["filter"],
        split_ids=given["split_ids"],
        systems=systems,
        failed=None if failed is None else frozenset(word.strip().casefold() for word in failed.split(",")),
        columns=columns,
    )


def _cluster(given: dict[str, Any]) -> str | None:
    if given["cluster"] is not None and given["cluster_column"] is not None:
        raise RefusedError("--cluster and --cluster-column name the same column: leave one of them out.")
    column: str | None = given["cluster_column"] if given["cluster"] is None else given["cluster"]
    return column


def _question(given: dict[str, Any]) -> Question:
    from simstudy.records.question import Question  # late: start-up

    def of(name: str) -> Any:
        return the_option(name, COMPARE).default if given[name] is None else given[name]

    return Question(
        alpha=the_option("alpha", COMPARE).check(of("alpha")),
        level=the_option("level", COMPARE).check(of("level")),
        power=_power(given["target"]),
        differences=_differences(given["difference"]),
        margin=given["margin"],
        seed=the_option("seed", COMPARE).check(of("seed")),
        draws=the_option("draws", COMPARE).check(of("draws")),
    )


def _power(text: str | None) -> float:
    if text is None:
        return float(the_option("target", COMPARE).default)
    name, _, value = text.rpartition("=")
    found = parse_values("target", value, proportion=True) if name.strip() in ("", "power") else []
    if isinstance(found, list):
        raise ParameterError(f"target is '{text}'; it is one power, such as --target 0.8.")
    return float(found)


def _differences(text: str | None) -> tuple[float, ...]:
    if text is None:
        return ()
    found = parse_values("difference", text)
    return tuple(float(value) for value in found) if isinstance(found, list) else (float(found),)


def _asked(given: dict[str, Any]) -> Asked:
    from simstudy.records.compared import Asked  # late: start-up

    names = ("system_a", "system_b", "metric", "runs", "threshold", "stratum", "unpaired", "lower_is_better", "against")
    weights = _weights(given["stratum_weights"])
    return Asked(**{name: given[name] for name in names}, stratum_weights=weights, cluster=_cluster(given))


def _weights(text: str | None) -> dict[str, float] | None:
    if text is None:
        return None
    weights: dict[str, float] = {}
    for part in text.split("/"):
        name, equals, value = part.rpartition("=")
        try:
            weights[name.strip()] = float(value)
        except ValueError:
            equals = ""
        if not equals or not 0 < weights[name.strip()] < float("inf"):
            raise ParameterError(f"stratum_weights is '{text}'; give positive weights such as a=0.5/b=0.5.")
    return weights


def _lists(text: str | None) -> tuple[str, ...]:
    from simstudy.pages.evidence_text import LISTS  # late: start-up

    names = () if text is None else tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in LISTS:
            raise UnknownNameError("list", name, LISTS)
    return names


def _refuse_lists(report: Evidence, lists: tuple[str, ...]) -> None:
    from simstudy.records.two_compared import TwoCompared  # late: start-up

    beyond = [name for name in lists if name != "unreadable"]
    if beyond and not isinstance(report.found, TwoCompared):
        raise RefusedError(
            f"--list {beyond[0]} needs two systems compared on the same cases: name two (--system-a, "
            "--system-b), without --unpaired."
        )


def _printed(report: Evidence, chosen: str, lists: tuple[str, ...]) -> str:
    from simstudy.pages import evidence_text  # late: start-up

    if chosen == "json":
        return visible_json(report.records(), indent=2)
    if chosen == "csv":
        text = io.StringIO()
        records = report.records()
        writer = csv.DictWriter(
            text, list(dict.fromkeys(name for record in records for name in record)), lineterminator="\n"
        )
        writer.writeheader()
        writer.writerows(records)
        return text.getvalue().removesuffix("\n")
    return (evidence_text.markdown if chosen == "markdown" else evidence_text.text)(report, lists)
