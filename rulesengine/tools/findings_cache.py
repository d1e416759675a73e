"""The findings of specs, of which those without any are known again."""

from rulesengine.job import Job
from rulesengine.language import rules_cache
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.source import Source

# Of the rules for looking, and of what they look with; taken before these are loaded.
_CLEAN = rules_cache.Verdicts("tools/lint", "engine", "notation")


def findings(
    source: Source, *, games: int = 0, seed: int = 0, job: Job | None = None
) -> tuple[Diagnostic, ...]:
    """As `lint.findings`, at once for texts that had none; random `games` are always played."""
    if not games and _CLEAN.is_clean(source):
        return ()
    from rulesengine.tools import lint

    parents = rules_cache.Parents(source)
    found = lint.findings(source, games=games, seed=seed, job=job, find=parents)
    if not found and not games:
        _CLEAN.keep_clean(parents)
    return found
