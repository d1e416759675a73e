"""`check`: every finding in the texts of specs."""

from rulesengine import Job
from rulesengine.cli import formats
from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import open_source
from rulesengine.errors import UsageError
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.tools import findings_cache


def check(options: Options) -> int:
    """Check all specs; 2 if one cannot be read, else 1 if one holds an error, else 0."""
    found: list[Diagnostic] = []
    unread, specs = False, tuple(dict.fromkeys(options.specs))
    with progress("check", "games", len(specs) * options.fuzz or None) as job:
        for spec in specs:
            try:
                findings = _findings(spec, options, job)
            except UsageError as error:
                complain(str(error))
                unread = True
                continue
            found += findings
            if options.format == "text":
                result(formats.text(spec, findings))
    _print(found, options.format)
    wrong = any(finding.severity == "error" for finding in found)
    return 2 if unread else int(wrong)


def _findings(spec: str, options: Options, job: Job) -> tuple[Diagnostic, ...]:
    source = open_source(spec)
    return findings_cache.findings(source, games=options.fuzz, seed=options.seed, job=job)


def _print(found: list[Diagnostic], format: str) -> None:
    """All findings at once, or behind those that are printed as text how many there are."""
    match format:
        case "json":
            json_result(formats.to_json(found))
        case "sarif":
            json_result(formats.to_sarif(found))
        case "github" if found:
            result(formats.github(found))
        case "text" if found:
            result(_count(found))


def _count(found: list[Diagnostic]) -> str:
    errors = sum(finding.severity == "error" for finding in found)
    return f"{_many(errors, 'error')}, {_many(len(found) - errors, 'warning')}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
