"""`tournament`: a tournament in a file that can be resumed, with a table of the results."""

from rulesengine.cli.contest_setup import (
    add_contest_options,
    conditions,
    live_table,
    pool_for,
    print_standings,
    write_page,
)
from rulesengine.cli.output_files import check_outputs
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import Options, Parser, whole_number
from rulesengine.cli.spec_arguments import load_game

_GAMES, _MOST_STAGES = 10, 1000


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_contest_options(command, _GAMES)
    command.add_argument(
        "--out", metavar="FILE", required=True, help="file of the games; resumed if it exists"
    )
    command.add_argument(
        "--system",
        default="round-robin",
        metavar="NAME",
        help="round-robin (the default), gauntlet (the first player against the others) or swiss",
    )
    command.add_argument(
        "--stages",
        type=whole_number(_MOST_STAGES),
        default=0,
        metavar="N",
        help="rounds of a Swiss tournament",
    )
    command.add_argument("--report", metavar="FILE", help="write a page with plots and all games")
    command.add_argument(
        "--parquet", metavar="FILE", help="write a Parquet table with a row for each game"
    )


def execute(options: Options) -> int:
    """Run or resume a tournament, print the table, and write the reports."""
    from rulesengine import contests

    check_outputs(options, "report", "parquet")
    game = load_game(options.spec, options)
    with pool_for(options) as pool, progress("tournament", engine=options.engine) as job:
        standings = contests.tournament(
            game,
            options.player,
            options.games,
            options.out,
            **conditions(options),
            spec=options.spec,
            system=options.system,
            stages=options.stages,
            executor=pool,
            each=live_table(),
            job=job,
        )
    if options.report:
        write_page(contests.html_report(standings, options.out, game), options.report)
    if options.parquet:
        contests.write_parquet(standings, options.out, options.parquet)
    return print_standings(standings, options)
