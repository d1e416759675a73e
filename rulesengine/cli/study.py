"""`study`: variants of a game compared by games between players."""

from rulesengine.cli.contest_setup import openings_of, pool_for, write_page
from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.output_files import check_outputs
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    MOST_PLIES,
    MOST_SEED,
    Options,
    Parser,
    add_game_options,
    add_json,
    add_openings,
    add_spec,
    add_workers,
    whole_number,
)

_MOST_GAMES, _MOST_PLAYOUTS = 10**6, 10**6


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--out", metavar="FILE", required=True, help="file of the games; resumed if it exists"
    )
    command.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME=PLAYER",
        help="from the weakest on; mcts:playouts=10, 40 and 160 unless given (may be repeated)",
    )
    for name, most, default, help in (
        ("--games", _MOST_GAMES, 100, "games of equals, and of each player against the next one"),
        ("--samples", _MOST_GAMES, 200, "random games that estimate the size of the tree"),
        ("--judge", _MOST_PLAYOUTS, 100, "playouts that evaluate a position, 0 for none"),
        ("--seed", MOST_SEED, 0, "random seed"),
        ("--plies", MOST_PLIES, MOST_PLIES, "limit of plies of a game"),
    ):
        command.add_argument(
            name,
            type=whole_number(most),
            default=default,
            metavar="N",
            help=f"{help}; {default} unless given",
        )
    command.add_argument(
        "--opening",
        type=whole_number(MOST_PLIES),
        metavar="PLIES",
        help="random plies at the start of each game, as few as the players need unless given;"
        " with --openings the plies of each game of FILE",
    )
    add_openings(command)
    add_workers(command)
    command.add_argument("--report", metavar="FILE", help="write a page with tables and plots")


def execute(options: Options) -> int:
    """Play or resume the games of all variants, print the metrics, and write the report."""
    from rulesengine.contests import study as studies

    check_outputs(options, "report")
    openings = openings_of(options, options.opening)
    variants = studies.grid(options.spec, options.set, options.transforms)
    design = studies.Design(
        players=tuple(options.player) or studies.LADDER,
        games=options.games,
        samples=options.samples,
        judge=options.judge,
        seed=options.seed,
        opening=None if openings else options.opening,
        openings=openings,
        plies=options.plies,
    )
    with pool_for(options) as pool, progress("study", "games", engine=options.engine) as job:
        study = studies.study(
            variants, design, options.out, engine=options.engine, executor=pool, job=job
        )
    for one in study.refused:
        print_error(f"{one.variant.label}: {one.refused}")
    if options.report:
        write_page(studies.study_page(study), options.report)
    if options.json:
        json_result(studies.as_json(study))
    else:
        result(studies.study_text(study))
    return 0
