"""`selfplay`: games of batches as files to learn from."""

from contextlib import nullcontext

from rulesengine import contests
from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import load_game, tell_problems
from rulesengine.contests.selfplay import Terms, write_selfplay
from rulesengine.errors import UsageError


def selfplay(options: Options) -> int:
    """Write the parts that are not there yet; an interrupt leaves those that are whole."""
    if options.workers < 1:
        raise UsageError("--workers: at least 1")
    game = load_game(options.spec, options)
    terms = Terms(options.games, options.seed, options.part, options.playouts, options.format)
    opened = contests.processes(options.workers) if options.workers > 1 else nullcontext()
    try:
        with opened as pool, progress("selfplay", "games", options.games) as job:
            executor = pool.executor if pool else None
            new = write_selfplay(game, options.out, terms, executor=executor, job=job)
    except KeyboardInterrupt:
        complain(f"{options.out}: has the parts that were finished, and goes on from there")
        raise
    facts = {"games": terms.games, "parts": terms.parts, "new": new}
    if options.json:
        json_result({**facts, "folder": options.out})
    else:
        result("\n".join(f"{name}: {fact}" for name, fact in facts.items()))
    tell_problems(game)
    return 0
