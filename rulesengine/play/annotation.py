"""A game that was played, move by move: what each was worth, and what would have been better."""

from collections.abc import Iterator, Sequence

from rulesengine.game import Game
from rulesengine.search.searches import Value
from rulesengine.state import Move, State
from rulesengine.support.frozen import record


@record
class Note:
    """A move, what its player could have had with the best one, and what was left after it.

    Both values are the player's, as `Game.search` tells them; `best` is the best move.
    """

    ply: int
    player: str
    move: Move
    before: Value
    best: Move
    after: Value

    @property
    def turns(self) -> bool:
        """Whether the move has thrown away a win or a draw that was certain."""
        are_sure = "estimate" not in (self.before.unit, self.after.unit)
        return are_sure and _sign(self.after) < _sign(self.before)


def annotated(
    game: Game, states: Sequence[State], moves: Sequence[Move], nodes: int
) -> Iterator[Note]:
    """A note for each move of a player, by searches of so many positions each.

    `states` has one more than `moves`: the first, and those after each move. Throws of chance
    have no note.
    """
    for ply, move in enumerate(moves):
        state, following = states[ply], states[ply + 1]
        if not game.weights(state):
            found = game.search(state, nodes=nodes)
            after = _value_after(game, state, following, nodes)
            before = found.moves[0][1]
            yield Note(ply + 1, state.mover, move, before, found.move, after)


def _value_after(game: Game, state: State, following: State, nodes: int) -> Value:
    """What a position is worth to the player who has moved to it."""
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
