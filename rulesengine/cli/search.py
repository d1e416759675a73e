"""`search`: the best move of a position, and the values of all moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    MOST_NODES,
    Options,
    Parser,
    add_game_options,
    add_json,
    add_position,
    add_search_limits,
    add_seed,
    add_spec,
    whole_number,
)
from rulesengine.cli.spec_arguments import load_game, report_missing_kernels, subject_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesengine import Move
    from rulesengine.search.searches import SearchResult, Value

    Chance = Callable[[Value, str], float | None]

_SECONDS = 1.0
_MOST_DEPTH = 127
_MOST_LINES = 1000


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    add_position(command)
    add_search_limits(command)
    command.add_argument("--plies", type=whole_number(_MOST_DEPTH), metavar="N", help="depth limit")
    command.add_argument(
        "--playouts", type=whole_number(MOST_NODES), metavar="N", help="limit of playouts"
    )
    command.add_argument(
        "--method",
        default="auto",
        metavar="NAME",
        help="auto (the default), alpha-beta, or a tree search with playouts: mcts, uct, grave,"
        " is-mcts, duct",
    )
    command.add_argument(
        "--lines",
        type=whole_number(_MOST_LINES),
        default=1,
        metavar="N",
        help="report the N best moves with exact values and lines (1 unless given)",
    )
    command.add_argument(
        "--root-move",
        action="append",
        default=[],
        metavar="MOVE",
        dest="root_moves",
        help="search this move alone, or several with further such options",
    )
    add_seed(command)
    command.add_argument(
        "--learned",
        nargs="?",
        const="",
        metavar="FILE",
        help="evaluate by a file of `learn`, or by the bundled one",
    )
    command.add_argument(
        "--evaluation",
        default="",
        metavar="NAME",
        help="rules, fitted (to self-play first), or learned; the default is learned if the package"
        " has weights for these rules, else rules",
    )


def execute(options: Options) -> int:
    """Print the best move, its value, the principal variation and the values of all moves.

    An interrupt prints the last result.
    """
    game = load_game(options.spec, options)
    state = subject_of(game, options.position, options.game)
    limits = {"nodes": options.nodes, "plies": options.plies, "playouts": options.playouts}
    limits["seconds"] = options.seconds
    if all(limit is None for limit in limits.values()):
        limits["seconds"] = _SECONDS
    known: list[SearchResult] = []
    chance = _unknown if options.learned else game.win_chance
    try:
        with progress("search", "positions", engine=options.engine) as job:
            each = known.append
            settings = _settings(options)
            learned = game.bundled_learning if options.learned == "" else options.learned
            search_result = game.search(
                state, **limits, **settings, learned=learned, job=job, each=each
            )
    except KeyboardInterrupt:
        if known:
            _print(known[-1], options, chance)
        report_missing_kernels(game)
        raise
    _print(search_result, options, chance)
    report_missing_kernels(game)
    if limits["seconds"] is not None:
        if _is_empty(search_result):
            again = ", or search again: its code is compiled then" * (game.engine == "auto")
            print_error(f"no position was searched in time: give more `--seconds`{again}")
        game.finish_compiling(search_result.seconds)
    return 0


def _settings(options: Options) -> dict[str, Any]:
    resources = {"memory": options.memory, "threads": options.threads}
    named = {"method": options.method, "evaluation": options.evaluation}
    moves = {"lines": options.lines, "root_moves": options.root_moves}
    return {**resources, **named, **moves, "seed": options.seed}


def _print(search_result: SearchResult, options: Options, chance: Chance) -> None:
    if options.json:
        json_result(_as_json(search_result, chance))
    else:
        result("\n".join(_lines(search_result, chance)))


def _lines(search_result: SearchResult, chance: Chance) -> list[str]:
    """Format the result and a table of the moves, where bounds are marked."""
    from rulesengine.search.searches import Value

    first = search_result.moves[0][1]
    lines = [
        f"move: {search_result.move}",
        f"value: {first}{_estimated(first, search_result, chance)}",
        f"line: {' '.join(map(str, search_result.line))}",
        f"depth: {search_result.depth}",
        f"nodes: {search_result.nodes}",
    ]
    width = max(len(str(move)) for move, _ in search_result.moves)
    rows = [
        f"  {move!s:{width}}  {_mark(search_result, move)}{value}"
        for move, value in search_result.moves
    ]
    found = search_result.lines
    several = [
        f"  {line.move!s:{width}}  {Value(line.value, line.unit)}: {' '.join(map(str, line.line))}"
        for line in (found if len(found) > 1 else ())
    ]
    return [*lines, *(["lines:"] if several else []), *several, "moves:", *rows]


def _estimated(value: Value, search_result: SearchResult, chance: Chance) -> str:
    """Return a remark on an estimate, with its chance to win if that is known."""
    if _is_empty(search_result):
        return " (not searched)"
    if value.unit != "estimate":
        return ""
    share = chance(value, search_result.evaluation)
    return " (estimated)" if share is None else f" (estimated; a chance of {share:.0%})"


def _is_empty(search_result: SearchResult) -> bool:
    """True if the time was up before a choice of several moves was searched."""
    return not (search_result.nodes or search_result.whole) and len(search_result.moves) > 1


def _unknown(value: Value, evaluation: str) -> None:
    """Return no chance: calibrations are for bundled evaluations, not for those of a file."""


def _mark(search_result: SearchResult, move: Move) -> str:
    return "at most " if search_result.is_bound(move) else ""


def _as_json(search_result: SearchResult, chance: Chance) -> dict[str, object]:
    return {
        "move": str(search_result.move),
        "value": search_result.value,
        "unit": search_result.unit,
        "chance": None
        if _is_empty(search_result)
        else chance(search_result.moves[0][1], search_result.evaluation),
        "line": [str(move) for move in search_result.line],
        "depth": search_result.depth,
        "nodes": search_result.nodes,
        "quiescence_nodes": search_result.quiescence_nodes,
        "seconds": search_result.seconds,
        "whole": search_result.whole,
        "evaluation": search_result.evaluation,
        "lines": [
            {
                "move": str(line.move),
                "value": line.value,
                "unit": line.unit,
                "depth": line.depth,
                "line": [str(move) for move in line.line],
            }
            for line in search_result.lines
        ],
        "moves": [
            _move_as_json(search_result, number) for number in range(len(search_result.moves))
        ],
    }


def _move_as_json(search_result: SearchResult, number: int) -> dict[str, object]:
    """Return the value of a move; the depth is that of the round that the value is from."""
    move, value = search_result.moves[number]
    return {
        "move": str(move),
        "value": value.number,
        "unit": value.unit,
        "at_most": search_result.is_bound(move),
        "depth": search_result.depths[number] if search_result.depths else None,
    }
