"""Players of our own: chance, the strategies of the spec, searches, and a person."""

import sys

from rulesengine.errors import RulesError
from rulesengine.play.players.base import SILENCE, Fault, Quiet, Turn
from rulesengine.play.players.controllers import choose
from rulesengine.play.terminal.board_view import board_text
from rulesengine.state import Move
from rulesengine.support.interrupts import interruptible


class Random(Quiet):
    """Each legal move as likely as any other, drawn as random games draw theirs."""

    def choose(self, turn: Turn) -> Move:
        moves = self.seat.game.legal_moves(turn.state)
        return moves[turn.random.below(len(moves))]


class Choosing(Quiet):
    """A strategy of the spec or a search, which decide by the state and the seed."""

    def __init__(self, who: str) -> None:
        self._who = who

    def choose(self, turn: Turn) -> Move:
        seed, ply = self.seat.seed, len(turn.moves)
        move = choose(self.seat.game, turn.state, self._who, seed, ply, job=turn.job)
        assert move is not None
        return move


class Person(Quiet):
    """Somebody at the terminal; what is asked goes to standard error."""

    def choose(self, turn: Turn) -> Move:
        last = turn.moves[-1] if turn.moves else None
        self._say(board_text(self.seat.game, turn.state, last) + "\n")
        while True:
            self._say(f"{self.seat.name}: ")
            with interruptible():
                line = sys.stdin.readline() if sys.stdin else ""
            if not line:
                raise Fault(SILENCE, "has left")
            try:
                return self.seat.game.move(line.strip(), turn.state)
            except RulesError as error:
                self._say(f"{error}\n")

    def _say(self, text: str) -> None:
        if sys.stderr:
            sys.stderr.write(text)
            sys.stderr.flush()
