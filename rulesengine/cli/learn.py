"""`learn`: an evaluation learned from self-play, in a file."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rulesengine.cli.contest_setup import openings_of
from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.output_files import check_outputs
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    MOST_NODES,
    MOST_PLIES,
    MOST_SEED,
    MOST_WORKERS,
    Options,
    Parser,
    add_game_options,
    add_json,
    add_openings,
    add_spec,
    minutes,
    whole_number,
)
from rulesengine.cli.spec_arguments import load_game, report_missing_kernels
from rulesengine.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesengine import Game, State
    from rulesengine.job import Job

_SECONDS = 60
_PLAYOUTS = 3000
_MOST_BRIEF = 1 << 30


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument("--minutes", type=minutes, metavar="M", help="time limit")
    command.add_argument(
        "--games",
        type=whole_number(MOST_NODES),
        metavar="N",
        help="limit of games (the first limit reached ends the run)",
    )
    command.add_argument(
        "--out", metavar="FILE", required=True, help="file of the weights; resumed if it exists"
    )
    command.add_argument(
        "--seed", type=whole_number(MOST_SEED), metavar="N", help="random seed, 0 unless given"
    )
    add_openings(command)
    command.add_argument(
        "--opening",
        type=whole_number(MOST_PLIES),
        metavar="PLIES",
        help="the plies of each game of FILE, all unless given",
    )
    command.add_argument(
        "--brief", metavar="FILE", help="also write a small file with the weights for play only"
    )
    command.add_argument(
        "--threads",
        type=whole_number(MOST_WORKERS),
        metavar="N",
        help="threads that play (all cores unless given); they change no result",
    )
    command.add_argument(
        "--batch",
        type=whole_number(MOST_NODES),
        metavar="N",
        help="largest number of games played with the same weights, a power of two (128 unless"
        " given; 1 learns after each game)",
    )
    command.add_argument(
        "--correction",
        action="store_true",
        help="learn a correction that is added to the evaluation of the rules",
    )
    command.add_argument(
        "--moves",
        action="store_true",
        help="learn weights of moves for tree search, from games by tree search",
    )
    command.add_argument(
        "--playouts",
        type=whole_number(MOST_NODES),
        metavar="N",
        help=f"random games of each move with `--moves`, {_PLAYOUTS} unless given",
    )
    command.add_argument(
        "--brief-size",
        type=whole_number(_MOST_BRIEF),
        metavar="BYTES",
        help="largest size of that file, 150000 unless given; one byte an entry may take more",
    )


def execute(options: Options) -> int:
    """Learn until a limit is reached; an interrupt saves the weights."""
    if options.minutes is None and options.games is None:
        raise UsageError("learn: a limit is missing: `--minutes M` or `--games N`")
    if not options.moves and options.playouts is not None:
        raise UsageError("learn: `--playouts` is for `--moves`")
    check_outputs(options, "brief")
    game = load_game(options.spec, options)
    if options.moves:
        return _learn_moves(game, options)
    starts = _starts(game, options)
    with _resumable_run(options, "weights") as job:
        learning = game.learn(
            options.out,
            games=options.games,
            seconds=_seconds(options),
            seed=options.seed,
            brief=_brief(options),
            starts=starts,
            correction=options.correction,
            threads=options.threads,
            batch=options.batch,
            job=job,
        )
    return _report(game, learning, options)


def _learn_moves(game: Game, options: Options) -> int:
    """Learn weights of moves."""
    if options.correction or options.batch is not None or options.brief_size is not None:
        raise UsageError("learn: `--moves` takes no `--correction`, `--batch` or `--brief-size`")
    starts = _starts(game, options)
    with _resumable_run(options, "games") as job:
        learning = game.learn_moves(
            options.out,
            games=options.games,
            seconds=_seconds(options),
            playouts=options.playouts,
            seed=options.seed,
            starts=starts,
            brief=options.brief,
            threads=options.threads,
            job=job,
        )
    return _report(game, learning, options)


@contextmanager
def _resumable_run(options: Options, contents: str) -> Iterator[Job]:
    """Yield a job with progress; report after an interrupt that the file can be continued."""
    try:
        with progress("learn", "games", options.games, engine=options.engine) as job:
            yield job
    except KeyboardInterrupt:
        if Path(options.out).exists():
            print_error(
                f"{options.out}: has the {contents} so far, and the next run resumes from it"
            )
        raise


def _seconds(options: Options) -> float | None:
    """Return the time limit."""
    return None if options.minutes is None else _SECONDS * options.minutes


def _report(game: Game, learning: object, options: Options) -> int:
    """Print the numbers of a learning run."""
    facts = {name: getattr(learning, name) for name in ("games", "new", "patterns", "entries")}
    if options.json:
        json_result({**facts, "file": options.out})
    else:
        result("\n".join(f"{name}: {fact}" for name, fact in facts.items()))
    report_missing_kernels(game)
    return 0


def _brief(options: Options) -> tuple[str, int] | str | None:
    """Return the brief file, with its largest size if that is given."""
    if options.brief_size is None:
        return options.brief  # type: ignore[no-any-return]
    if options.brief is None:
        raise UsageError("learn: `--brief-size` takes a file: `--brief FILE`")
    return options.brief, options.brief_size


def _starts(game: Game, options: Options) -> tuple[State, ...]:
    """Return the states after the openings of `--openings`; none without a file."""
    openings = openings_of(options, options.opening)
    if openings is None:
        return ()
    from rulesengine.contests import opening_states

    return opening_states(game, openings, options.seed or 0)
