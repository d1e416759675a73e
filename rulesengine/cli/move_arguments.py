"""Arguments and output that `rules`, `why` and `trace` share: a move, and boards in text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.shared_options import (
    Parser,
    add_game_options,
    add_json,
    add_position,
    add_spec,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesengine import Game, State


def add_move_in_position(command: Parser) -> None:
    """Add SPEC, MOVE and `--position`."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument("move", metavar="MOVE", help="in the game's notation")
    add_position(command)


def board_drawer(game: Game) -> Callable[[State, int], str]:
    """Return a function that draws the board of a state with the cells of a mask marked."""
    from rulesengine.play import marked_board

    def draw(state: State, mask: int) -> str:
        marked = frozenset(i for i in range(mask.bit_length()) if mask >> i & 1)
        return marked_board(game, state, marked)

    return draw
