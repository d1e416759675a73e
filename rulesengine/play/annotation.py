"""Annotation of a finished game: the value of each move and the best alternative, by search."""

from collections.abc import Iterator, Sequence

from rulesengine.game import Game
from rulesengine.search.searches import Value
from rulesengine.state import Move, State
from rulesengine.support.frozen import record


@record
class Note:
    """The annotation of one move: the value before it, the best move, and the value after it.

    Both values are from the mover's point of view, in the units of `Game.search`.
    """

    ply: int
    player: str
    move: Move
    before: Value
    best: Move
    after: Value

    @property
    def turns(self) -> bool:
        """True if the move threw away a certain win or draw."""
        are_sure = "estimate" not in (self.before.unit, self.after.unit)
        return are_sure and _sign(self.after) < _sign(self.before)


def annotated(
    game: Game, states: Sequence[State], moves: Sequence[Move], nodes: int
) -> Iterator[Note]:
    """Yield a note for each move of a player, from searches of `nodes` positions each.

    `states` has one more entry than `moves`: the first state, and the state after each move. Chance
    events have no note.
    """
    for ply, move in enumerate(moves):
        state, following = states[ply], states[ply + 1]
        if not game.weights(state):
            found = game.search(state, nodes=nodes)
            after = _value_after(game, state, following, nodes)
            before = found.moves[0][1]
            yield Note(ply + 1, state.mover, move, before, found.move, after)


def _value_after(game: Game, state: State, following: State, nodes: int) -> Value:
    """Return the value of a position for the player of the move that led to it."""
    outcome = game.outcome(following)
    if outcome is not None:
        won = outcome.winner == state.mover
        return Value(0 if outcome.winner is None else 1 if won else -1, "result")
    if game.weights(following) or not game.legal_moves(following):
        return Value(0, "estimate")
    value = game.search(following, nodes=nodes).moves[0][1]
    return value if following.mover == state.mover else Value(-value.number, value.unit)


def _sign(value: Value) -> int:
    return (value.number > 0) - (value.number < 0)
