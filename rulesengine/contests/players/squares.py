"""`uci:`: a program that speaks UCI (Meyer-Kahlen, 2006).

The words of its command may end in `--` and settings: those in small letters are limits of `go`
(`nodes=1000`, `depth=6`, `movetime=100`), all others are options of the program
(`UCI_Variant=NAME`). Moves are the names of their cells one behind the other.
"""

from collections.abc import Sequence

from rulesengine.contests.players.base import ILLEGAL, OUTPUT, Fault, Turn
from rulesengine.contests.players.talking import Talking, cut
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.state import Move

_MOST_LINES = 100_000  # that a program says before it has found a move
_LIMITS = ("nodes", "depth", "movetime")
_THINK = "movetime 100"  # without a clock, if no limit is given
_NONE = ("0000", "(none)")


class Squares(Talking):
    """A program that moves pieces; it plays all games of a unit."""

    def __init__(self, game: Game, command: str) -> None:
        program, _, settings = command.partition(" -- ")
        super().__init__(program)
        given = dict(_setting(word) for word in settings.split())
        self._go = " ".join(f"{name} {given[name]}" for name in _LIMITS if name in given)
        self._options = {name: value for name, value in given.items() if name not in _LIMITS}
        self._greeted = False
        if len(game.players) != 2:
            raise UsageError(f"uci: {game.name} is not played by two")

    def start(self) -> None:
        self.run()
        if not self._greeted:
            self.say("uci")
            self._wait_for("uciok")
            for name, value in self._options.items():
                self.say(f"setoption name {name} value {value}")
            self._greeted = True
        self.say("ucinewgame", "isready")
        self._wait_for("readyok")

    def choose(self, turn: Turn) -> Move:
        self.in_turn(turn)
        moves = " ".join(written(self.seat.game, move) for move in turn.moves)
        self.say(f"position startpos{' moves ' * bool(moves)}{moves}", f"go {self._limit(turn)}")
        words = self._wait_for("bestmove").split()
        said = words[1] if len(words) > 1 else ""
        return self._move(said, turn)

    def end(self, moves: Sequence[Move]) -> None:
        """The program waits for the next game."""

    def close(self) -> None:
        super().close()
        self._greeted = False

    def _limit(self, turn: Turn) -> str:
        """How long the program may think."""
        if self._go or turn.left is None:
            return self._go or _THINK
        white, black = (max(1, round(1000 * left)) for left in turn.clocks)
        more = round(1000 * turn.increment)
        return f"wtime {white} btime {black} winc {more} binc {more}"

    def _wait_for(self, word: str) -> str:
        """The line that begins with a word. Raises Fault."""
        for _ in range(_MOST_LINES):
            line = self.hear()
            if line.split()[0] == word:
                return line
        raise Fault(OUTPUT, f"no `{word}` in {_MOST_LINES} lines")

    def _move(self, said: str, turn: Turn) -> Move:
        for move in self.seat.game.legal_moves(turn.state):
            if said == written(self.seat.game, move) or (
                said in _NONE and move.steps[0].kind == "pass"
            ):
                return move
        raise Fault(ILLEGAL, f"`{cut(said)}` is not legal")


def written(game: Game, move: Move) -> str:
    """A move as the protocol writes it: where from, where to, and what it becomes, if anything."""
    if move.steps[0].kind == "pass":
        return _NONE[0]
    cells = game.program.form.cells
    first, last = move.steps[0].origin, move.steps[-1].target
    target = cells[last] if last >= 0 else ""
    becomes = str(move).lower().rpartition(target)[2] if target else ""
    return (cells[first] if first >= 0 else "") + target + "".join(filter(str.isalnum, becomes))


def _setting(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise UsageError(f"uci: expected NAME=VALUE behind `--`, found `{word[:40]}`")
    return name, value
