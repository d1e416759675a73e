"""A player that searches its information state: it knows nothing but what it has observed."""

from typing import TYPE_CHECKING

from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.errors import LimitError, UsageError
from rulesengine.play.players.base import Quiet, Seat, Turn
from rulesengine.state import Move

if TYPE_CHECKING:
    from rulesengine.search.searches import Searcher


class InformationPlayer(Quiet):
    """IS-MCTS with a budget for each move; the moves depend on the information state and the seed.

    If no determinization is found, the move is random.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def begin(self, seat: Seat) -> None:
        """Start a new game. Raises UsageError for another state than the initial one."""
        super().begin(seat)
        if seat.start != seat.game.initial_state():
            raise UsageError("a player with hidden information begins at the initial state")
        limits = self._budget
        self._searcher: Searcher = seat.game.searcher(
            seconds=limits.seconds,
            playouts=limits.playouts,
            nodes=limits.nodes,
            plies=limits.plies,
            method=limits.method,
            seed=seat.seed,
        )

    def choose(self, turn: Turn) -> str | Move:
        """Return the text of the best move."""
        game, name = self.seat.game, self.seat.name
        information = game.information_state(turn.moves, name)
        try:
            return self._searcher.search(information, job=turn.job).move
        except LimitError:
            moves = game.legal_moves(turn.state)
            return moves[Generator(self.seat.seed, len(turn.moves)).below(len(moves))]
