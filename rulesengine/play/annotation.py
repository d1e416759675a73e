"""Annotation of a finished game: the value of each move and the best alternative, by search."""

from collections.abc import Iterator, Sequence

from rulesengine.game import Game
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.play.single_player import value_for_single
from rulesengine.search.searches import WIN, Value
from rulesengine.state import Move, State
from rulesengine.support.frozen import record

_EXACT = ("points", "plies", "payoff", "result")


@record
class Note:
    """The annotation of one move: the value before it, the best move, and the value after it.

    Both values are from the mover's point of view, in the units of `Game.search`. If several moves
    have the best value, and the move is one of them, it is `best` itself. So is a move with an
    estimate that is not below the one before it.
    """

    ply: int
    player: str
    move: Move
    before: Value
    best: Move
    after: Value

    @property
    def turns(self) -> bool:
        """True if the move threw away a certain win or draw, or a payoff of a single player."""
        if self.before.unit == self.after.unit == "payoff":
            return self.loss is not None
        are_sure = not {"estimate", "mean", "chance"} & {self.before.unit, self.after.unit}
        return are_sure and _sign(self.after) < _sign(self.before)

    @property
    def loss(self) -> Value | None:
        """Return the difference to the best move in points; None if there is none."""
        units, lost = {self.before.unit, self.after.unit}, self.before.number - self.after.number
        is_counted = len(units) == 1 and units <= {"points", "payoff"}
        return Value(lost, "payoff") if is_counted and lost > 0 else None


def annotated(
    game: Game, states: Sequence[State], moves: Sequence[Move], nodes: int
) -> Iterator[Note]:
    """Yield a note for each move of a player, from searches of `nodes` positions each.

    `states` has one more entry than `moves`: the first state, and the state after each move. Chance
    events have no note. Raises UsageError for a game that hides something.
    """
    require_perfect_information(game.rules, "an annotation of moves")
    note = _single_note if len(game.players) == 1 else _note
    for ply, move in enumerate(moves):
        state, following = states[ply], states[ply + 1]
        if not game.weights(state):
            # A record may go on where a player could have claimed the end of the game.
            ongoing = game if game.outcome(state) is None else game.without_claims
            yield note(ongoing, ply, state, following, move, nodes)


def _note(game: Game, ply: int, state: State, following: State, move: Move, nodes: int) -> Note:
    result = game.search(state, nodes=nodes, ties=True)
    after = _value_after(game, state, following, nodes)
    before = result.moves[0][1]
    is_best = move in result.best or _is_estimated_as_good(after, before)
    best = move if is_best else result.move
    return Note(ply + 1, state.mover, move, before, best, after)


def _single_note(
    game: Game, ply: int, state: State, following: State, move: Move, nodes: int
) -> Note:
    """Return the note of a move of a single player, by the values of the positions."""
    before, best = value_for_single(game, state, nodes)
    after, _ = value_for_single(game, following, nodes)
    if best is None or _is_as_good(after, before):
        best = move
    return Note(ply + 1, state.mover, move, before, best, after)


def _is_estimated_as_good(after: Value, before: Value) -> bool:
    """True if the estimate after a move is at least the one before it."""
    return before.unit == after.unit == "estimate" and after.number >= before.number


def _is_as_good(after: Value, before: Value) -> bool:
    """True if the exact value after a move is the one before it; a win is one ply nearer."""
    if before.unit != "plies" or before.number <= 0:
        return before.unit in _EXACT and after == before
    if after.unit == "result":
        return after.number > 0 and before.number == WIN - 1
    return after == Value(before.number + 1, "plies")


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
