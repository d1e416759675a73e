"""Built-in players: random moves, strategies of the spec, searches, and a person."""

import sys
from typing import TYPE_CHECKING

from rulesengine.errors import RulesError
from rulesengine.play.players.base import SILENCE, BasePlayer, Fault, Turn
from rulesengine.play.players.search_players import choose
from rulesengine.play.terminal.board_view import board_text, observed_board
from rulesengine.state import Move, State
from rulesengine.support.interrupts import interruptible

if TYPE_CHECKING:
    from rulesengine.play.players.search_players import Searchers


class RandomPlayer(BasePlayer):
    """Plays each legal move with equal probability, drawn as random games draw theirs."""

    def choose(self, turn: Turn) -> Move:
        moves = self.seat.game.legal_moves(turn.state)
        return moves[turn.random.below(len(moves))]


class EnginePlayer(BasePlayer):
    """A strategy of the spec or a search; its moves depend on the state and the seed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._searchers: Searchers | None = None

    def reuse_results(self) -> None:
        """Reuse the results of searches limited by time in later moves."""
        self._searchers = {}

    def choose(self, turn: Turn) -> Move:
        seed, ply, game = self.seat.seed, len(turn.moves), self.seat.game
        move = choose(game, turn.state, self._text, seed, ply, self._searchers, job=turn.job)
        assert move is not None
        return move


class HumanPlayer(BasePlayer):
    """A person at the terminal; prompts are printed on standard error."""

    def choose(self, turn: Turn) -> Move:
        last = turn.moves[-1] if turn.moves else None
        self._write_error(self._board(turn.state, last) + "\n")
        while True:
            self._write_error(f"{self.seat.name}: ")
            with interruptible():
                line = sys.stdin.readline() if sys.stdin else ""
            if not line:
                raise Fault(SILENCE, "has left")
            try:
                return self.seat.game.move(line.strip(), turn.state)
            except RulesError as error:
                self._write_error(f"{error}\n")

    def _board(self, state: State, last: Move | None) -> str:
        """Return the board as the person sees it."""
        game = self.seat.game
        if game.is_hidden:
            return observed_board(game, state, self.seat.name)
        return board_text(game, state, last)

    def _write_error(self, text: str) -> None:
        if sys.stderr:
            sys.stderr.write(text)
            sys.stderr.flush()
