"""Values of the positions of a single player: exact if possible, else by a search."""

from rulesengine.engine.drivers.search.result import WIN
from rulesengine.game import Game
from rulesengine.language.ir.score_decided import SCALE, has_payoff
from rulesengine.search.searches import Solved, Value
from rulesengine.state import Move, State

_PLAYOUT = 20  # positions of a search per playout of a tree search


def value_for_single(game: Game, state: State, nodes: int) -> tuple[Value, Move | None]:
    """Return the value of a position for a single player, and a best move if there is one.

    It is exact if `nodes` positions suffice to solve it.
    """
    has_points = has_payoff(game.program.rules)
    outcome = game.outcome(state)
    if outcome is not None:
        paid = outcome.payoffs[game.players[0]]
        return Value(paid, "payoff" if has_points else "result"), None
    if not game.legal_moves(state):
        return Value(-1 if has_points else 0, "result"), None
    solved = game.solve(state, nodes=nodes)
    if solved.value is not None:
        return _exact(solved, has_points), solved.move
    if game.weights(state):
        return Value(0, "mean" if has_points else "chance"), None
    if has_points:
        result = game.search(state, playouts=max(nodes // _PLAYOUT, 1))
    else:
        result = game.search(state, nodes=nodes)
    return result.moves[0][1], result.move


def _exact(solved: Solved, has_points: bool) -> Value:
    if solved.score is not None:
        return Value(solved.score, "payoff")
    if solved.expected is not None:
        return Value(round(SCALE * solved.expected), "mean" if has_points else "chance")
    if solved.distance is not None:
        return Value(WIN - solved.distance, "plies")
    return Value({"win": 1, "draw": 0, "loss": -1}[solved.value or "draw"], "result")
