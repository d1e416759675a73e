"""The notation of moves in Portable Game Notation, by the declarations of a spec."""

from rulesengine.formats.options import is_declared
from rulesengine.formats.registry_types import MoveNotation, Notations

_NAMES = ("san", "wxf")


def declared_moves(notations: Notations) -> MoveNotation | None:
    """Return the first declared notation of moves; None for that of the game."""
    program = notations.game.program
    name = next((name for name in _NAMES if is_declared(program, name)), "")
    return notations.moves(name) if name else None
