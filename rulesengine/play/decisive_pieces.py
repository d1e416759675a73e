"""The pieces that decide a finished game: a winning line, a chain between two sides.

The search needs the outcome function only. A set of pieces is decisive under three conditions:

- alone on the board it ends the game with the same result, whichever side is to move;
- no piece of it can be left out;
- as many pieces on other cells do not end the game in this way.

Where pieces belong to no side, the last mover may decide the winner: the reason must be the same.
See decision 115.
"""

from collections.abc import Callable, Iterator
from functools import partial

from rulesengine.board.geometry import bits
from rulesengine.engine.drivers.random import Generator
from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.state import Outcome, State, following

_MOST_PIECES = 400  # the search computes an outcome for each piece
_ARRANGEMENTS = 8  # of as many pieces on other cells
_MOST_NEUTRAL = 3  # a set of neutral pieces covers a third of the cells at most
_Planes = tuple[int, ...]


def decisive_cells(game: Game, state: State, outcome: Outcome) -> tuple[int, ...]:
    """Return the cells of a decisive set of pieces of a finished game; () if there is none.

    Results without a winner and results by scores have none. Neither has a result that follows
    from missing moves or from the number of pieces.
    """
    if outcome.winner is None or outcome.scores or _count(state.planes) > _MOST_PIECES:
        return ()
    for planes, is_neutral in _candidates(game, state, outcome.winner):
        holds = partial(_holds, game, state, outcome, is_neutral)
        if any(planes) and holds(planes):
            needed = _minimal(planes, holds)
            is_small = not is_neutral or _MOST_NEUTRAL * _count(needed) <= len(state.form.cells)
            is_specific = any(needed) and not all(map(holds, _arrangements(state, needed)))
            return _cells(needed) if is_small and is_specific else ()
    return ()


def _candidates(game: Game, state: State, winner: str) -> Iterator[tuple[_Planes, bool]]:
    """Yield the pieces of the winner, those of each other side, and those of no side (True)."""
    neutral = len(game.players)
    for side in sorted(range(neutral), key=lambda side: state.player(side) != winner):
        yield _of_side(state, side), False
    yield _of_side(state, neutral), True


def _of_side(state: State, side: int) -> _Planes:
    sides = len(state.form.players) + 1
    return tuple(mask if plane % sides == side else 0 for plane, mask in enumerate(state.planes))


def _minimal(planes: _Planes, holds: Callable[[_Planes], bool]) -> _Planes:
    """Remove pieces one by one as long as the result holds."""
    for cell in _cells(planes):
        without = tuple(mask & ~(1 << cell) for mask in planes)
        if holds(without):
            planes = without
    return planes


def _arrangements(state: State, planes: _Planes) -> Iterator[_Planes]:
    """Yield random arrangements of the pieces on other cells; none if there is no room."""
    taken = set(_cells(planes))
    free = [cell for cell in range(len(state.form.cells)) if cell not in taken]
    if len(free) < len(taken):
        return
    draw = Generator(1, 0)
    for _ in range(_ARRANGEMENTS):
        left = list(free)
        yield tuple(
            sum(1 << left.pop(draw.below(len(left))) for _ in bits(mask)) for mask in planes
        )


def _holds(game: Game, state: State, outcome: Outcome, is_neutral: bool, planes: _Planes) -> bool:
    """True if the pieces alone give the same result, whichever side is to move."""
    try:
        for side in range(len(game.players)):
            pieces = following(state.form, planes, side, state.registers, state.seats, state.before)
            outcome_of_pieces = game.outcome(pieces)
            if outcome_of_pieces is None or outcome_of_pieces.reason != outcome.reason:
                return False
            if not is_neutral and outcome_of_pieces.winner != outcome.winner:
                return False
    except RulesError:  # the rules do not define a result of such a position
        return False
    return True


def _cells(planes: _Planes) -> tuple[int, ...]:
    return tuple(sorted(cell for mask in planes for cell in bits(mask)))


def _count(planes: _Planes) -> int:
    return sum(mask.bit_count() for mask in planes)
