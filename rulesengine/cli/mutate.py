"""`mutate`: mutation testing of a spec; it lists the surviving mutants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.clause_text import (
    add_random_games,
    location,
    report_failed,
    shortened,
    site_to_json,
)
from rulesengine.cli.output import counted, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import Options, Parser, add_json
from rulesengine.cli.spec_arguments import open_source

if TYPE_CHECKING:
    from rulesengine.tools.mutation import MutantResult, MutantStatus, MutationReport


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_random_games(command, "also compare N random games")


def execute(options: Options) -> int:
    """Print the mutants that survive the tests; return 1 if there is one, else 0."""
    from rulesengine.tools.mutation import mutation
    from rulesengine.tools.spectests import run_test

    source = open_source(options.spec)

    def report(mutant: MutantResult) -> None:
        job.advance(1)
        if mutant.status == "survived" and not options.json:
            result(f"{location(mutant.site)}: survived: {shortened(mutant.change)}")

    with progress("mutate", "changes") as job:
        summary = mutation(source, run_test, games=options.games, seed=options.seed, each=report)
    report_failed(summary.failed)
    if options.json:
        json_result(_to_json(summary))
    else:
        result(_status_counts(summary, options.games))
    return int(summary.count("survived") > 0)


def _status_counts(report: MutationReport, games: int) -> str:
    tested = len(report.results) - report.count("invalid") - report.count("equivalent")
    shown = (
        f"{counted(tested, 'mutant')}: {report.count('killed')} killed,"
        f" {report.count('survived')} survived"
    )
    equal = report.count("likely_equivalent")
    return shown + (f", {equal} without effect in {counted(games, 'random game')}" if equal else "")


def _to_json(report: MutationReport) -> dict[str, object]:
    statuses: tuple[MutantStatus, ...] = (
        "killed",
        "survived",
        "equivalent",
        "likely_equivalent",
        "invalid",
    )
    changes = [
        {**site_to_json(m.site), "change": m.change, "status": m.status} for m in report.results
    ]
    counts: dict[str, object] = {status: report.count(status) for status in statuses}
    return {"tests": report.tests, "failed": report.failed, **counts, "changes": changes}
