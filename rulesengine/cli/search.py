"""`search`: the best move of a position, and the values of all moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesengine.cli.output import complain, json_result, result
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
            found = game.search(state, **limits, **settings, learned=learned, job=job, each=each)
    except KeyboardInterrupt:
        if known:
            _print(known[-1], options, chance)
        report_missing_kernels(game)
        raise
    _print(found, options, chance)
    report_missing_kernels(game)
    if limits["seconds"] is not None:
        if _is_empty(found):
            again = ", or search again: its code is compiled then" * (game.engine == "auto")
            complain(f"no position was searched in time: give more `--seconds`{again}")
        game.finish_compiling(found.seconds)
    return 0


def _settings(options: Options) -> dict[str, Any]:
    resources = {"memory": options.memory, "threads": options.threads}
    named = {"method": options.method, "evaluation": options.evaluation}
    return {**resources, **named, "seed": options.seed}


def _print(found: SearchResult, options: Options, chance: Chance) -> None:
    if options.json:
        json_result(_as_json(found, chance))
    else:
        result("\n".join(_lines(found, chance)))


def _lines(found: SearchResult, chance: Chance) -> list[str]:
    """Format the result and a table of the moves, where bounds are marked."""
    first = found.moves[0][1]
    lines = [
        f"move: {found.move}",
        f"value: {first}{_estimated(first, found, chance)}",
        f"line: {' '.join(map(str, found.line))}",
        f"depth: {found.depth}",
        f"nodes: {found.nodes}",
    ]
    width = max(len(str(move)) for move, _ in found.moves)
    rows = [f"  {move!s:{width}}  {_mark(found, move)}{value}" for move, value in found.moves]
    return [*lines, "moves:", *rows]


def _estimated(value: Value, found: SearchResult, chance: Chance) -> str:
    """Return a remark on an estimate, with its chance to win if that is known."""
    if _is_empty(found):
        return " (not searched)"
    if value.unit != "estimate":
        return ""
    share = chance(value, found.evaluation)
    return " (estimated)" if share is None else f" (estimated; a chance of {share:.0%})"


def _is_empty(found: SearchResult) -> bool:
    """True if the time was up before a choice of several moves was searched."""
    return not (found.nodes or found.whole) and len(found.moves) > 1


def _unknown(value: Value, evaluation: str) -> None:
    """Return no chance: calibrations are for bundled evaluations, not for those of a file."""


def _mark(found: SearchResult, move: Move) -> str:
    return "at most " if found.is_bound(move) else ""


def _as_json(found: SearchResult, chance: Chance) -> dict[str, object]:
    return {
        "move": str(found.move),
        "value": found.value,
        "unit": found.unit,
        "chance": None if _is_empty(found) else chance(found.moves[0][1], found.evaluation),
        "line": [str(move) for move in found.line],
        "depth": found.depth,
        "nodes": found.nodes,
        "quiescence_nodes": found.quiescence_nodes,
        "seconds": found.seconds,
        "whole": found.whole,
        "evaluation": found.evaluation,
        "moves": [_move_as_json(found, number) for number in range(len(found.moves))],
    }


def _move_as_json(found: SearchResult, number: int) -> dict[str, object]:
    """Return the value of a move; the depth is that of the round that the value is from."""
    move, value = found.moves[number]
    return {
        "move": str(move),
        "value": value.number,
        "unit": value.unit,
        "at_most": found.is_bound(move),
        "depth": found.depths[number] if found.depths else None,
    }
