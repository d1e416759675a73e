"""Exact values of positions for scripts. See decision 185."""

from time import monotonic
from typing import TYPE_CHECKING

from rulesengine.engine.interpreter import DECIDED
from rulesengine.script.runtime import ScriptState, StatementError
from rulesengine.state import Move

if TYPE_CHECKING:
    from rulesengine.engine.drivers.search.result import Solved


def exact_value(stage: ScriptState, nodes: int, needs_distance: bool) -> tuple[int, int]:
    """Return the side that wins under best play, -1 for a draw, and the plies to the end.

    The plies of a draw are 0. Raises StatementError if the nodes do not suffice.
    """
    decided = stage.variables.get(DECIDED) or stage.view.decide(stage.state)
    if decided is not None:
        return decided[0], 0
    result = _solved(stage, nodes)
    if result.value == "draw":
        return -1, 0
    if needs_distance and result.score is not None:
        raise StatementError("a game that is decided by points has no distance to its end")
    if needs_distance and result.distance is None:
        raise _too_few(nodes)
    side = stage.state.side
    return side if result.value == "win" else 1 - side, result.distance or 0


def best_move(stage: ScriptState, nodes: int) -> Move | None:
    """Return a move with the best exact value, of wins a fastest one; None if there is no move.

    Raises StatementError if the nodes do not suffice.
    """
    if DECIDED in stage.variables or stage.game.outcome(stage.state) is not None:
        return None
    if not stage.game.legal_moves(stage.state):
        return None
    result = _solved(stage, nodes)
    if result.move is None or (result.value != "draw" and not _ranks_wins(result)):
        raise _too_few(nodes)
    return result.move


def _ranks_wins(result: "Solved") -> bool:
    """True if a move of a won or lost position is chosen by the distance or by the score."""
    return result.distance is not None or result.score is not None


def _solved(stage: ScriptState, nodes: int) -> "Solved":
    """Solve the current position with a budget of nodes, which makes the result deterministic."""
    if nodes < 1:
        raise StatementError(f"an exact value takes 1 node or more, not {nodes}")
    result = stage.game.solve(stage.state, nodes=nodes, score=True)
    stage.free = monotonic()
    if result.value is None:
        raise _too_few(nodes)
    return result


def _too_few(nodes: int) -> StatementError:
    """Return the failure of a budget that does not suffice."""
    counted = f"{nodes} node{'' if nodes == 1 else 's'}"
    return StatementError(f"the exact value is not found within {counted}")
