"""`match`: a match between players, with a table of the results."""

from __future__ import annotations

from contextlib import AbstractContextManager

from rulesengine.cli.contest_setup import (
    add_contest_options,
    conditions,
    live_table,
    pool_for,
    print_standings,
)
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import Options, Parser
from rulesengine.cli.spec_arguments import load_game
from rulesengine.job import Job

_GAMES = 100


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_contest_options(command, _GAMES)
    command.add_argument(
        "--sprt",
        metavar="ELO0,ELO1",
        help="stop when a sequential test decides between ELO0 and ELO1"
        " (optionally ,ALPHA,BETA; 0.05,0.05 unless given)",
    )


def execute(options: Options) -> int:
    """Play a match and print the table."""
    from rulesengine import contests

    test = None if options.sprt is None else contests.read_sprt(options.sprt)
    game = load_game(options.spec, options)
    with pool_for(options) as pool, _job(options) as job:
        standings = contests.match(
            game,
            options.player,
            options.games,
            **conditions(options),
            sprt=test,
            executor=pool,
            each=live_table(),
            job=job,
        )
    return print_standings(standings, options)


def _job(options: Options) -> AbstractContextManager[Job]:
    """Show the number of random games, which a kernel counts; others update the table."""
    from rulesengine import contests

    players = {entrant.player for entrant in contests.read_entrants(options.player)}
    is_random = players <= {"random"}
    return (
        progress("match", "games", options.games, engine=options.engine)
        if is_random
        else progress("match", engine=options.engine)
    )
