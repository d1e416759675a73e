"""`coverage`: the clauses of a spec that never held in random games or tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.clause_text import (
    add_random_games,
    location,
    report_failed,
    shortened,
    site_to_json,
)
from rulesengine.cli.output import counted, json_result, print_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import Options, Parser, add_json
from rulesengine.cli.spec_arguments import open_source

if TYPE_CHECKING:
    from rulesengine.tools.coverage import ClauseCoverage, Coverage


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_random_games(command, "play N random games")


def execute(options: Options) -> int:
    """Print the clauses that never held; always 0 for a spec without errors."""
    from rulesengine.tools.coverage import coverage
    from rulesengine.tools.spectests import run_test

    source = open_source(options.spec)
    with progress("coverage", "games", options.games) as job:
        report = coverage(source, run_test, games=options.games, seed=options.seed, job=job)
    report_failed(report.failed)
    if report.problem:
        print_error(f"the random games stopped: {report.problem}")
    if options.json:
        json_result(_to_json(report))
        return 0
    for one in report.clauses:
        if not one.in_tests:
            result(_uncovered(one))
    result(_totals(report))
    return 0


def _uncovered(one: ClauseCoverage) -> str:
    never = "not in the tests" if one.is_covered else "never"
    predicate = "had no step" if one.key == "moves" else "did not hold"
    return f"{location(one.site)}: {never}: `{one.key}` {predicate}: {shortened(one.site.text)}"


def _totals(report: Coverage) -> str:
    games = sum(one.in_games for one in report.clauses)
    tests = sum(one.in_tests for one in report.clauses)
    never = sum(not one.is_covered for one in report.clauses)
    return (
        f"{counted(len(report.clauses), 'clause')}: {games} held in"
        f" {counted(report.games, 'random game')}, {tests} in {counted(report.tests, 'test')},"
        f" {never} never"
    )


def _to_json(report: Coverage) -> dict[str, object]:
    clauses = [
        {**site_to_json(c.site), "key": c.key, "games": c.in_games, "tests": c.in_tests}
        for c in report.clauses
    ]
    never = sum(not one.is_covered for one in report.clauses)
    return {"games": report.games, "seed": report.seed, "tests": report.tests,
            "failed": report.failed, "never": never, "clauses": clauses}  # fmt: skip
