"""The findings of specs, of which those without any are known again."""

from rulesengine import stored
from rulesengine.diagnostic import Diagnostic
from rulesengine.job import Job
from rulesengine.source import Source

# Of the rules for looking, and of what they look with; taken before these are loaded.
_CLEAN = stored.Verdicts("lint", "interpreter", "text")


def findings(
    source: Source, *, games: int = 0, seed: int = 0, job: Job | None = None
) -> tuple[Diagnostic, ...]:
    """As `lint.findings`, at once for texts that had none; random `games` are always played."""
    if not games and _CLEAN.is_clean(source):
        return ()
    from rulesengine import lint

    parents = stored.Parents(source)
    found = lint.findings(source, games=games, seed=seed, job=job, find=parents)
    if not found and not games:
        _CLEAN.keep_clean(parents)
    return found
