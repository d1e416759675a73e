"""Puzzles from random games: positions with exactly one winning move."""

from collections.abc import Iterator

from rulesengine.engine.drivers.random import Generator
from rulesengine.game import Game
from rulesengine.search.searches import Solved
from rulesengine.state import State
from rulesengine.support.frozen import record

_DEEPEST = 9  # plies before the end of a game that are searched for puzzles
_PLIES = 1000  # maximum length of a random game
MOST_GAMES = 10_000


@record
class Puzzle:
    """A position in which exactly one move wins."""

    state: State
    solved: Solved


def puzzles(game: Game, seed: int, nodes: int, shortest: int) -> Iterator[Puzzle]:
    """Yield puzzles from `MOST_GAMES` random games of a seed; each state occurs once.

    A win takes at least `shortest` plies. Each move is solved within `nodes` positions; a position
    with an unsolved move is skipped.
    """
    seen: set[State] = set()
    for number in range(MOST_GAMES):
        for state in reversed(_line(game, seed, number)[-_DEEPEST:]):
            puzzle = None if state in seen else _puzzle(game, state, nodes, shortest)
            seen.add(state)
            if puzzle is not None:
                yield puzzle


def _line(game: Game, seed: int, number: int) -> list[State]:
    """Return the states of a random game."""
    line, draw = [game.initial_state()], Generator(seed, number)
    for _ in range(_PLIES):
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
    is_long = solved.distance is None or solved.distance >= shortest
    if solved.value != "win" or not is_long:
        return None
    others = (game.apply(state, move) for move in moves if move != solved.move)
    return Puzzle(state, solved) if all(_holds(game, s, state, nodes) for s in others) else None


def _holds(game: Game, after: State, before: State, nodes: int) -> bool:
    """True if the move from `before` to `after` is known not to win."""
    outcome = game.outcome(after)
    if outcome is not None:
        return outcome.winner != before.mover
    if game.weights(after):
        return False
    value = game.solve(after, nodes=nodes).value
    lost = "win" if after.mover == before.mover else "loss"
    return value is not None and value != lost
