"""`check`: every finding in the texts of specs."""

from rulesengine import trial
from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, json_result, result
from rulesengine.cli.specs import open_source
from rulesengine.diagnostic import Diagnostic, render_all
from rulesengine.errors import UsageError


def check(options: Options) -> int:
    """Check all specs; 2 if one cannot be read, else 1 if one holds an error, else 0."""
    found: list[Diagnostic] = []
    unread = False
    for spec in dict.fromkeys(options.specs):
        try:
            findings = trial.findings(open_source(spec))
        except UsageError as error:
            complain(str(error))
            unread = True
            continue
        found += findings
        if not options.json:
            result(f"{render_all(findings)}\n\n" if findings else f"{spec}: ok")
    if options.json:
        json_result({"diagnostics": [finding.to_json() for finding in found]})
    elif found:
        result(_count(found))
    wrong = any(finding.severity == "error" for finding in found)
    return 2 if unread else int(wrong)


def _count(found: list[Diagnostic]) -> str:
    errors = sum(finding.severity == "error" for finding in found)
    return f"{_many(errors, 'error')}, {_many(len(found) - errors, 'warning')}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
