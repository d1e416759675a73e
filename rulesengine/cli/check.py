"""`check`: the findings of specs, in several formats."""

from rulesengine import Job
from rulesengine.cli.output import counted, json_result, print_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import SPEC_OR_STDIN, Options, Parser, add_seed, whole_number
from rulesengine.cli.spec_arguments import open_source
from rulesengine.errors import UsageError
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.source import Source

_MOST_GAMES = 1_000_000


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    command.add_argument(
        "--format",
        choices=("text", "json", "github", "sarif"),
        default="text",
        help="text (the default), json, github (workflow commands) or sarif (2.1.0)",
    )
    command.add_argument(
        "--json", action="store_const", const="json", dest="format", help="the same as json"
    )
    command.add_argument("specs", metavar="SPEC", nargs="+", help=SPEC_OR_STDIN)
    command.add_argument(
        "--fuzz",
        type=whole_number(_MOST_GAMES),
        default=0,
        metavar="N",
        help="play N random games of each spec, and report the shortest that fails;"
        " from 100 games on also report clauses that never apply",
    )
    command.add_argument(
        "--cost",
        action="store_true",
        help="also print the clauses that kernels evaluate cell by cell, group by group or move by"
        " move (text only)",
    )
    add_seed(command)


def execute(options: Options) -> int:
    """Check all specs; return 2 if one is unreadable, else 1 if one has an error, else 0."""
    from rulesengine.cli import finding_formats

    if options.cost and options.format != "text":
        raise UsageError("check: `--cost` prints text; `doctor SPEC --json` has the same clauses")
    diagnostics: list[Diagnostic] = []
    unread, specs = False, tuple(dict.fromkeys(options.specs))
    with progress(
        "check", "games" if options.fuzz else "", len(specs) * options.fuzz or None
    ) as job:
        for spec in specs:
            try:
                source = open_source(spec)
                findings = _findings(source, options, job)
            except UsageError as error:
                print_error(str(error))
                unread = True
                continue
            diagnostics += findings
            if options.format == "text":
                result(finding_formats.text(spec, findings))
            if options.cost and not any(one.severity == "error" for one in findings):
                _print_slow(source)
    _print(diagnostics, options.format)
    wrong = any(finding.severity == "error" for finding in diagnostics)
    return 2 if unread else int(wrong)


def _findings(source: Source, options: Options, job: Job) -> tuple[Diagnostic, ...]:
    from rulesengine.tools import findings_cache

    return findings_cache.findings(source, games=options.fuzz, seed=options.seed, job=job)


def _print_slow(source: Source) -> None:
    """Print the clauses that are not evaluated as sets, at the default values of parameters."""
    from rulesengine.tools import inspect

    text = inspect.slow_text(inspect.slow_clauses(source, {}), source.name)
    result(text.rstrip("\n") or "all clauses are evaluated as sets")


def _print(diagnostics: list[Diagnostic], format: str) -> None:
    """Print all findings in a machine format, or their number after the text format."""
    from rulesengine.cli import finding_formats

    match format:
        case "json":
            json_result(finding_formats.to_json(diagnostics))
        case "sarif":
            json_result(finding_formats.to_sarif(diagnostics))
        case "github" if diagnostics:
            result(finding_formats.github(diagnostics))
        case "text" if diagnostics:
            result(_count(diagnostics))


def _count(diagnostics: list[Diagnostic]) -> str:
    errors = sum(finding.severity == "error" for finding in diagnostics)
    return f"{counted(errors, 'error')}, {counted(len(diagnostics) - errors, 'warning')}"
