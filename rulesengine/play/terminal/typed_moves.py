"""The legal move that a typed text means: exactly, apart from case and signs, or by a part."""

import re
from collections.abc import Callable, Sequence

from rulesengine.errors import IllegalMoveError, NotationError
from rulesengine.game import Game
from rulesengine.state import Move, State

_MOST_SHOWN = 6


def typed_move(game: Game, state: State, text: str) -> Move:
    """Return the legal move that a text means.

    Case, blanks, hyphens and other signs do not matter, nor does an `x`, if one legal move remains.
    The beginning or the end of a move is enough if no other legal move has it: `d` for `d1`, `e4`
    for `e2e4`. Raises NotationError and IllegalMoveError as `Game.move` does, and NotationError for
    a part of several moves.
    """
    try:
        return game.move(text, state)
    except (NotationError, IllegalMoveError):
        moves = game.legal_moves(state)
        matches = _meant(moves, text)
        if not matches:
            raise
    if len(matches) > 1:
        some = " or ".join(f"`{move}`" for move in matches[:_MOST_SHOWN])
        more = " or others" if len(matches) > _MOST_SHOWN else ""
        raise NotationError(f"`{text}` is part of several moves: {some}{more}")
    return matches[0]


def _meant(moves: Sequence[Move], text: str) -> list[Move]:
    """Return the moves of the first comparison that has some."""
    comparisons: tuple[Callable[[str, str], bool], ...] = (_equals, _begins, _ends)
    for compare in comparisons:
        for fold in (_plain, _without_x):
            folded = fold(text)
            matches = [move for move in moves if folded and compare(fold(str(move)), folded)]
            if matches:
                return matches
    return []


def _equals(move: str, typed: str) -> bool:
    return move == typed


def _begins(move: str, typed: str) -> bool:
    """True if a move begins with a text and goes on with another kind of character."""
    return move.startswith(typed) and not _is_one_word(typed[-1], move[len(typed) : len(typed) + 1])


def _ends(move: str, typed: str) -> bool:
    """True if a move ends with a text of two characters or more that begins a name."""
    before = move[: -len(typed)][-1:]
    return len(typed) > 1 and move.endswith(typed) and not _is_one_word(before, typed[0])


def _is_one_word(left: str, right: str) -> bool:
    """True if two characters are both letters or both digits, as within a name."""
    return (left.isdigit() and right.isdigit()) or (left.isalpha() and right.isalpha())


def _plain(text: str) -> str:
    return re.sub(r"[\W_]", "", text.casefold())


def _without_x(text: str) -> str:
    return _plain(text).replace("x", "")
