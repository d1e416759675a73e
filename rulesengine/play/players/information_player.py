"""A player that searches its information state, so it uses only its own observations."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.errors import LimitError, UsageError
from rulesengine.play.players.base import BasePlayer, Seat, Turn
from rulesengine.state import Move

if TYPE_CHECKING:
    from rulesengine.search.searches import Searcher


_BEGINS = "a player that searches an information state begins at the initial state"


class InformationPlayer(BasePlayer):
    """IS-MCTS with a budget for each move; the moves depend on the information state and the seed.

    If no determinization is found, the move is random.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def begin(self, seat: Seat) -> None:
        """Start a new game. Raises UsageError for another state than the initial one."""
        super().begin(seat)
        if seat.start != seat.game.initial_state():
            raise UsageError(_BEGINS)
        vars(self).pop("_searcher", None)  # that of the game before
        # the information state after the moves so far, and the state that they lead to
        self._moves: tuple[Move, ...] = ()
        self._state = seat.start
        self._information = seat.game.information_state((), seat.name)

    def choose(self, turn: Turn) -> Move:
        """Return the best move. Raises UsageError if the moves do not lead to the state."""
        self._follow(tuple(turn.moves))
        if self._state != turn.state:
            raise UsageError(_BEGINS)
        try:
            return self._searcher.search(self._information, job=turn.job).move
        except LimitError:
            moves = self.seat.game.legal_moves(turn.state)
            return moves[Generator(self.seat.seed, len(turn.moves)).below(len(moves))]

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes without the searcher, which is created again."""
        return {name: value for name, value in vars(self).items() if name != "_searcher"}

    @cached_property
    def _searcher(self) -> "Searcher":
        limits = self._budget
        return self.seat.game.searcher(
            seconds=limits.seconds,
            playouts=limits.playouts,
            method=limits.method,
            noise=limits.noise,
            seed=self.seat.seed,
        )

    def _follow(self, moves: tuple[Move, ...]) -> None:
        """Continue the information state, or begin again after a move was taken back."""
        game = self.seat.game
        if moves[: len(self._moves)] != self._moves:
            self._moves, self._state = (), self.seat.start
            self._information = game.information_state((), self.seat.name)
        for move in moves[len(self._moves) :]:
            after = game.apply(self._state, move, check=False)
            self._information = self._information.after(self._state, move, after)
            self._state = after
        self._moves = moves
