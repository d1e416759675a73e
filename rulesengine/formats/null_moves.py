"""Null moves in lines of analysis: the side to move passes, which no rule of the game allows.

`Move` values for them have no group. Registers that describe the last move are reset, as in
searches. See decision 153.
"""

from rulesengine.engine.evaluation.null_moves import resets_of_null_moves
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.refusals import refuse
from rulesengine.state import Move, State, Step

NULL_TEXT = "--"
_TEXTS = frozenset({NULL_TEXT, "Z0", "0000", "@@@@"})
_NO_GROUP = -1
NULL_MOVE = Move((Step("pass", -1, -1, -1, _NO_GROUP, -1),), NULL_TEXT)


def is_null_text(text: str) -> bool:
    """True if a text is a null move."""
    return text in _TEXTS


def is_null(move: Move) -> bool:
    """True if a move is a null move."""
    return str(move) == NULL_TEXT and move.steps[0].group == _NO_GROUP


def after_null(game: FormatGame, state: State) -> State:
    """Return the state after a null move.

    Raises NotationError if the position after it is impossible by the conditions of the spec, for
    example if the side to move is in check.
    """
    program = game.program
    registers = list(state.registers)
    for slot, value in resets_of_null_moves(program):
        registers[slot] = value
    if program.keeps_plies:
        registers[-1] += 1
    if program.keeps_last:
        registers[-1 - program.keeps_plies] = state.side
    side = (state.side + 1) % len(program.form.players)
    after = State(state.planes, side, tuple(registers), (), program.form, state.seats)
    refuse(game, after)
    return after


def after_noted(game: FormatGame, state: State, move: Move) -> State:
    """Return the state after a move of a line of analysis: a legal move or a null move."""
    return after_null(game, state) if is_null(move) else game.apply(state, move, check=False)
