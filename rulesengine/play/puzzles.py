"""Puzzles from random games: positions with exactly one winning move.

In games of one player with payoffs or scores it is the only move that leads to the greatest one.
"""

from collections.abc import Iterator

from rulesengine.engine.drivers.random import Generator
from rulesengine.game import Game
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.language.ir.score_decided import has_payoff
from rulesengine.search.searches import Solved
from rulesengine.state import State
from rulesengine.support.frozen import record

_DEEPEST = 9  # plies before the end of a game that are searched for puzzles
_FIRST = 40  # plies of a game of one player that are searched
_PLIES = 1000  # maximum length of a random game
MOST_GAMES = 10_000


@record
class Puzzle:
    """A position in which exactly one move wins, or leads to the greatest payoff."""

    state: State
    solved: Solved


def puzzles(game: Game, seed: int, nodes: int, shortest: int) -> Iterator[Puzzle]:
    """Yield puzzles from `MOST_GAMES` random games of a seed; each state occurs once.

    A win takes at least `shortest` plies. Each move is solved within `nodes` positions; a position
    with an unsolved move is skipped. Raises UsageError for a game that hides something.
    """
    require_perfect_information(game.rules, "a search for puzzles")
    seen: set[State] = set()
    for number in range(MOST_GAMES):
        for state in _searched(game, _line(game, seed, number)):
            puzzle = None if state in seen else _puzzle(game, state, nodes, shortest)
            seen.add(state)
            if puzzle is not None:
                yield puzzle


def _searched(game: Game, line: list[State]) -> list[State]:
    """Return the states of a random game that may be puzzles, the last one first.

    All states of a single player may be, because that player may play on forever.
    """
    return line[-_DEEPEST:][::-1] if len(game.players) > 1 else line[::-1]


def _line(game: Game, seed: int, number: int) -> list[State]:
    """Return the states of a random game."""
    line, draw = [game.initial_state()], Generator(seed, number)
    most = _PLIES if len(game.players) > 1 else _FIRST
    for _ in range(most):
        moves = game.legal_moves(line[-1])
        if not moves:
            break
        weights = game.weights(line[-1])
        chosen = draw.among(weights) if weights else draw.below(len(moves))
        line.append(game.apply(line[-1], moves[chosen]))
    return line


def _puzzle(game: Game, state: State, nodes: int, shortest: int) -> Puzzle | None:
    moves = game.legal_moves(state)
    if len(moves) < 2 or game.weights(state):
        return None
    solved = game.solve(state, nodes=nodes)
    has_points = len(game.players) == 1 and has_payoff(game.program.rules)
    plies = len(solved.line) if has_points else solved.distance
    is_good = solved.score is not None if has_points else solved.value == "win"
    if not is_good or (plies is not None and plies < shortest):
        return None
    others = (game.apply(state, move) for move in moves if move != solved.move)
    if has_points:
        is_only = all(_pays_less(game, s, solved.score or 0, nodes) for s in others)
    else:
        is_only = all(_holds(game, s, state, nodes) for s in others)
    return Puzzle(state, solved) if is_only else None


def _pays_less(game: Game, after: State, payoff: int, nodes: int) -> bool:
    """True if the greatest payoff of a single player is known to be less."""
    outcome = game.outcome(after)
    if outcome is not None:
        return outcome.payoffs[game.players[0]] < payoff
    if game.weights(after):
        return False
    if not game.legal_moves(after):
        return True
    solved = game.solve(after, nodes=nodes)
    return solved.value is not None and (solved.score is None or solved.score < payoff)


def _holds(game: Game, after: State, before: State, nodes: int) -> bool:
    """True if the move from `before` to `after` is known not to win."""
    outcome = game.outcome(after)
    if outcome is not None:
        return outcome.winner != before.mover
    if game.weights(after):
        return False
    if not game.legal_moves(after):
        return True
    value = game.solve(after, nodes=nodes).value
    lost = "win" if after.mover == before.mover else "loss"
    return value is not None and value != lost
