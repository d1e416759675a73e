"""The root moves of a search, as a caller gives them."""

from collections.abc import Callable, Iterable

from rulesengine.engine.observation import InformationState
from rulesengine.errors import UsageError
from rulesengine.state import Move, State


def root_moves_of(
    state: State | InformationState,
    moves: Iterable[Move | str],
    find: Callable[[State, Move | str], Move],
) -> frozenset[Move]:
    """Return moves of a state as a set; `find` returns the move of a text.

    Raises UsageError and the errors of `find`.
    """
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise UsageError(f"expected a list of moves, found {moves!r:.40}")
    found = tuple(moves)
    if isinstance(state, State):
        return frozenset(find(state, move) for move in found)
    if found:
        raise UsageError("root moves are those of a state, not of an information state")
    return frozenset()
