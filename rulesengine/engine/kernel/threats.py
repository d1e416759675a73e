"""Immediate wins and threats of a state, computed by the interpreter from the sets of a pass."""

from rulesengine.engine.drivers.protocol import LOST_NEXT, NO_THREAT, PARRIED, WON_NOW
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.move_execution import Steps
from rulesengine.engine.kernel.passes.threats import Threats
from rulesengine.language.ir.ops import Op
from rulesengine.state import State


def urgent(machine: Interpreter, urgency: Threats | None, state: State) -> int:
    """Implement `SearchFunctions.urgent`."""
    if urgency is None or machine.decide(state) is not None:
        return NO_THREAT
    mine, other = state.side, 1 - state.side

    def cells(op: Op, side: int) -> int:
        return machine.number_of(op, state, side)

    if cells(urgency.wins, mine):
        return WON_NOW
    if urgency.parries:
        moves = cells(urgency.parries.moves, mine)
        if not moves or not cells(urgency.parries.threats, other):
            return NO_THREAT
        return PARRIED if moves & cells(urgency.parries.cells, other) else LOST_NEXT
    lost = cells(urgency.wins, other) if urgency.answers else 0
    if not lost or urgency.answers is None:
        return NO_THREAT
    threat = lost & -lost
    moves = cells(urgency.answers.moves, mine)
    if not cells(urgency.answers.not_losing, mine) & ~threat:
        return NO_THREAT
    is_met = lost == threat and moves & threat
    return (moves & threat - 1).bit_count() if is_met else LOST_NEXT


def threats(machine: Interpreter, urgency: Threats | None, state: State) -> int:
    """Implement `SearchFunctions.threats`."""
    if urgency is None or urgency.threats is None:
        return 0
    return machine.number_of(urgency.threats, state, 1 - state.side).bit_count()


def parries(machine: Interpreter, urgency: Threats | None, state: State, move: Steps) -> bool:
    """Implement `SearchFunctions.parries`."""
    if urgency is None or urgency.parries is None:
        return True
    cells = machine.number_of(urgency.parries.cells, state, 1 - state.side)
    return bool(cells >> move[0].target & 1)
