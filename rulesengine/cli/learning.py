"""`learn`: an evaluation from games against itself, in a file."""

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import load_game, tell_problems
from rulesengine.errors import UsageError

_SECONDS = 60


def learn(options: Options) -> int:
    """Learn until the time or the games are over; an interrupt keeps what has been learned."""
    if options.minutes is None and options.games is None:
        raise UsageError("learn: say how long, by `--minutes M` or `--games N`")
    game = load_game(options.spec, options)
    seconds = None if options.minutes is None else _SECONDS * options.minutes
    try:
        with progress("learn", "games", options.games) as job:
            found = game.learn(
                options.out,
                games=options.games,
                seconds=seconds,
                seed=options.seed,
                brief=options.brief,
                job=job,
            )
    except KeyboardInterrupt:
        complain(f"{options.out}: has what was learned by now, and goes on from there")
        raise
    facts = {name: getattr(found, name) for name in ("games", "new", "patterns", "entries")}
    if options.json:
        json_result({**facts, "file": options.out})
    else:
        result("\n".join(f"{name}: {fact}" for name, fact in facts.items()))
    tell_problems(game)
    return 0
