"""`perft`: the number of move sequences of a given depth."""

from collections.abc import Sequence

from rulesengine import Game, Job, Move
from rulesengine.cli.output import json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    Options,
    Parser,
    add_device,
    add_game_options,
    add_json,
    add_spec,
    whole_number,
)
from rulesengine.cli.spec_arguments import load_game, report_missing_kernels
from rulesengine.support.limits import MAX_PLIES


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument("depth", metavar="DEPTH", type=whole_number(MAX_PLIES))
    command.add_argument("--divide", action="store_true", help="print the count of each first move")
    command.add_argument(
        "--ended",
        choices=("drop", "keep"),
        default="drop",
        help="drop (the default) or keep games that end before DEPTH",
    )
    command.add_argument(
        "--passes",
        choices=("ply", "free"),
        default="ply",
        help="count a pass as a ply (the default), or as free",
    )
    add_device(command)


def execute(options: Options) -> int:
    """Print the number of move sequences, in total or for each first move."""
    game = load_game(options.spec, options)
    with progress("perft", "positions", engine=options.engine) as job:
        firsts = _first_moves(game, options) if options.divide or options.json else ()
        divided = {str(move): _count(game, options, job, move) for move in firsts}
        nodes = sum(divided.values()) if divided else _count(game, options, job)
    if options.json:
        json_result({"depth": options.depth, "nodes": nodes, "divide": divided})
    else:
        lines = [f"{text} {count}" for text, count in divided.items()]
        result("\n".join([*lines, str(nodes)]))
    report_missing_kernels(game)
    return 0


def _first_moves(game: Game, options: Options) -> Sequence[Move]:
    return game.legal_moves(game.initial_state()) if options.depth else ()


def _count(game: Game, options: Options, job: Job, first: Move | None = None) -> int:
    """Count from the initial position, or after a first move."""
    state, depth = game.initial_state(), options.depth
    if first is not None:
        free = options.passes == "free" and first.steps[0].kind == "pass"
        free = free or game.machine.is_free(state)
        state, depth = game.apply(state, first), depth - (not free)
    ended, passes, device = options.ended, options.passes, options.device
    return game.perft(depth, state, ended=ended, passes=passes, device=device, job=job)
