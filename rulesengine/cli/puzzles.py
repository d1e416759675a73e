"""`puzzles`: positions with a single winning move, from random games."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    Options,
    Parser,
    add_game_options,
    add_json,
    add_nodes,
    add_seed,
    add_spec,
    whole_number,
)
from rulesengine.cli.spec_arguments import load_game

if TYPE_CHECKING:
    from rulesengine.play import Puzzle

_NODES, _MOST_PUZZLES, _MOST_PLIES = 20_000, 10_000, 127


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--count",
        type=whole_number(_MOST_PUZZLES),
        default=1,
        metavar="N",
        help="number of puzzles, 1 unless given",
    )
    add_seed(command)
    command.add_argument(
        "--shortest",
        type=whole_number(_MOST_PLIES),
        default=3,
        metavar="N",
        help="minimal number of plies to the win, 3 unless given",
    )
    add_nodes(command, _NODES)


def execute(options: Options) -> int:
    """Print positions with one winning move, each with its solution."""
    from rulesengine.play import MOST_GAMES, puzzles

    game = load_game(options.spec, options)
    generated = puzzles(game, options.seed, options.nodes, options.shortest)
    with progress("puzzles", "puzzles", options.count) as job:
        shown = []
        for number, puzzle in enumerate(islice(generated, options.count), start=1):
            shown.append(puzzle)
            job.advance(1)
            if not options.json:
                result(_text(number, puzzle))
    if options.json:
        json_result({"puzzles": [_as_json(puzzle) for puzzle in shown]})
    if len(shown) < options.count:
        print_error(
            f"{len(shown)} puzzles in {MOST_GAMES} random games: a larger `--nodes` may find more"
        )
    return int(len(shown) < options.count)


def _text(number: int, puzzle: Puzzle) -> str:
    line = " ".join(map(str, puzzle.solved.line))
    points = _points(puzzle)
    gain = f"gets {points}" if points else "wins"
    return f"{number}.\n{puzzle.state}\n{puzzle.state.mover} {gain} by: {line}\n"


def _points(puzzle: Puzzle) -> str:
    """Return the payoff of a single player as text; empty in other games."""
    from rulesengine.search.searches import points_text

    solved = puzzle.solved
    return points_text(solved.score) if solved.is_single and solved.score is not None else ""


def _as_json(puzzle: Puzzle) -> dict[str, object]:
    solved = puzzle.solved
    return {
        "position": str(puzzle.state),
        "mover": puzzle.state.mover,
        "move": str(solved.move),
        "line": [str(move) for move in solved.line],
        "distance": solved.distance,
        "score": solved.score,
    }
