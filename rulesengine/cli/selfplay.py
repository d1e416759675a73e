"""`selfplay`: random games in files of training data."""

from contextlib import nullcontext

from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    MOST_SEED,
    MOST_WORKERS,
    Options,
    Parser,
    add_game_options,
    add_json,
    add_spec,
    whole_number,
)
from rulesengine.cli.spec_arguments import load_game, report_missing_kernels
from rulesengine.errors import UsageError

_MOST_GAMES, _MOST_PLAYOUTS = 10**9, 10**6


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--out", metavar="DIR", required=True, help="folder of the parts; resumed if it exists"
    )
    for name, most, default, help in (
        ("--games", _MOST_GAMES, 1000, "number of games"),
        ("--part", _MOST_GAMES, 1024, "games of one file"),
        ("--playouts", _MOST_PLAYOUTS, 0, "playouts that estimate the value of each position"),
        ("--seed", MOST_SEED, 0, "random seed"),
    ):
        command.add_argument(
            name,
            type=whole_number(most),
            default=default,
            metavar="N",
            help=f"{help}, {default} unless given",
        )
    command.add_argument(
        "--format",
        default="npz",
        choices=("npz", "parquet"),
        help="npz (NumPy, the default) or parquet, which needs the extra `data`",
    )
    command.add_argument(
        "--workers",
        type=whole_number(MOST_WORKERS),
        default=1,
        metavar="N",
        help="worker processes that play",
    )


def execute(options: Options) -> int:
    """Write the missing parts; an interrupt leaves complete parts."""
    from rulesengine.contests import processes
    from rulesengine.contests.selfplay import Terms, write_selfplay

    if options.workers < 1:
        raise UsageError("--workers: at least 1")
    game = load_game(options.spec, options)
    terms = Terms(options.games, options.seed, options.part, options.playouts, options.format)
    opened = processes(options.workers) if options.workers > 1 else nullcontext()
    try:
        with (
            opened as pool,
            progress("selfplay", "games", options.games, engine=options.engine) as job,
        ):
            executor = pool.executor if pool else None
            new = write_selfplay(game, options.out, terms, executor=executor, job=job)
    except KeyboardInterrupt:
        print_error(f"{options.out}: has the complete parts, and the next run resumes from them")
        raise
    facts = {"games": terms.games, "parts": terms.parts, "new": new}
    if options.json:
        json_result({**facts, "folder": options.out})
    else:
        result("\n".join(f"{name}: {fact}" for name, fact in facts.items()))
    report_missing_kernels(game)
    return 0
