"""Lint findings of specs; a result without findings is cached."""

from rulesengine.job import Job
from rulesengine.language import rules_cache
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.source import Source

# The stamp covers the lint code and its dependencies; it is computed before they are imported.
_CLEAN = rules_cache.CleanCache("tools/lint", "engine", "notation")


def findings(
    source: Source, *, games: int = 0, seed: int = 0, job: Job | None = None
) -> tuple[Diagnostic, ...]:
    """Return the findings of `lint.findings`, immediately for a text that is cached as clean.

    Random `games` are always played.
    """
    if not games and _CLEAN.is_clean(source):
        return ()
    from rulesengine.tools import lint

    parents = rules_cache.Parents(source)
    diagnostics = lint.findings(source, games=games, seed=seed, job=job, find=parents)
    if not diagnostics and not games:
        _CLEAN.mark_clean(parents)
    return diagnostics
