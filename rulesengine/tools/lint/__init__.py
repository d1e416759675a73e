"""Lint: findings in specs that load without errors, proved from the rules or shown by games."""

from collections.abc import Callable

from rulesengine.job import Job
from rulesengine.language.pipeline import analyse, find_parent, relocated
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.source import Source
from rulesengine.tools.lint.fuzz import fuzzed
from rulesengine.tools.lint.short_games import from_games
from rulesengine.tools.lint.static_rules import from_rules

__all__ = ["findings"]


def findings(
    source: Source,
    *,
    games: int = 0,
    seed: int = 0,
    job: Job | None = None,
    find: Callable[[str, Source], Source] = find_parent,
) -> tuple[Diagnostic, ...]:
    """Return every finding of a spec, warnings included, in text order.

    A finding in a parent that is right by itself is reported in this spec.

    Besides a few short games, `games` random games are played to their end; each problem is shown
    by the shortest game found. `job` counts the games. `find` loads the parents.
    """
    analysis = analyse(source, find)
    if analysis.checked is None:
        return analysis.findings
    diagnostics = [*analysis.findings, *from_rules(analysis)]
    if not any(finding.severity == "error" for finding in diagnostics):
        from_play = fuzzed(analysis, games, seed, job or Job()) if games else from_games(analysis)
        proved = {(finding.code, finding.span) for finding in diagnostics}
        diagnostics += [f for f in from_play if (f.code, f.span) not in proved]
    return relocated(source, diagnostics, find)
