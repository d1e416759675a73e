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

    def report(tried: MutantResult) -> None:
        job.advance(1)
        if tried.status == "survived" and not options.json:
            result(f"{location(tried.site)}: survived: {shortened(tried.change)}")

    with progress("mutate", "changes") as job:
        found = mutation(source, run_test, games=options.games, seed=options.seed, each=report)
    report_failed(found.failed)
    if options.json:
        json_result(_to_json(found))
    else:
        result(_status_counts(found, options.games))
    return int(found.count("survived") > 0)


def _status_counts(report: MutationReport, games: int) -> str:
    tried = len(report.tried) - report.count("broken") - report.count("same")
    shown = (
        f"{counted(tried, 'mutant')}: {report.count('killed')} killed,"
        f" {report.count('survived')} survived"
    )
    alike = report.count("alike")
    return shown + (f", {alike} without effect in {counted(games, 'random game')}" if alike else "")


def _to_json(report: MutationReport) -> dict[str, object]:
    statuses: tuple[MutantStatus, ...] = ("killed", "survived", "alike", "same", "broken")
    changes = [
        {**site_to_json(t.site), "change": t.change, "status": t.status} for t in report.tried
    ]
    counts: dict[str, object] = {status: report.count(status) for status in statuses}
    return {"tests": report.tests, "failed": report.failed, **counts, "changes": changes}
