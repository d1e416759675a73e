"""`uci:` players: programs that speak UCI (Meyer-Kahlen, 2006).

The command may end in `--` and settings `NAME=VALUE`:
- `nodes=1000`, `depth=6` and `movetime=100` are limits of `go`.
- `drop=P` is the letter of placed pieces.
- `pass=stay` encodes a pass as a move from a piece's cell to the same cell.
- All others, such as `UCI_Variant=NAME`, are options of the program.

Moves are the names of their cells, concatenated; `P@b7` places a piece, `0000` passes. A further
placement, such as an arrow or a wall, follows a comma with the cell before it: `d1d7,d7g7`. This is
the notation of Fairy-Stockfish. Its pass is `a4a4`, with the first piece of the mover, rank by rank
from the first.
"""

from collections.abc import Iterator, Sequence

from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.play.players.base import ILLEGAL, OUTPUT, Fault, Turn, cut
from rulesengine.play.players.subprocess_player import SubprocessPlayer
from rulesengine.state import Move, State

_MOST_LINES = 100_000  # lines that a program may print before its move
_LIMITS = ("nodes", "depth", "movetime")
_DROP, _PASS, _STAY = "drop", "pass", "stay"
_THINK = "movetime 100"  # without a clock and without limits
_NONE = ("0000", "(none)")


class UciPlayer(SubprocessPlayer):
    """A program that moves pieces; one process plays all games of a unit."""

    def __init__(self, game: Game, command: str) -> None:
        program, _, settings = command.partition(" -- ")
        super().__init__(program)
        given = dict(_setting(word) for word in settings.split())
        self._go = " ".join(f"{name} {given[name]}" for name in _LIMITS if name in given)
        self._letter = given.get(_DROP, "")
        self._stays = given.get(_PASS) == _STAY
        if given.get(_PASS, _STAY) != _STAY:
            raise UsageError(f"uci: expected `pass={_STAY}`, found `pass={given[_PASS][:40]}`")
        own = (*_LIMITS, _DROP, _PASS)
        self._options = {name: value for name, value in given.items() if name not in own}
        self._greeted = False
        if len(game.players) != 2:
            raise UsageError(f"uci: {game.name} is not played by two")

    def start(self) -> None:
        self.run()
        if not self._greeted:
            self.send("uci")
            self._wait_for("uciok")
            for name, value in self._options.items():
                self.send(f"setoption name {name} value {value}")
            self._greeted = True
        self.send("ucinewgame", "isready")
        self._wait_for("readyok")

    def choose(self, turn: Turn) -> Move:
        self.in_turn(turn)
        moves = " ".join(self._line(turn.moves))
        position = f"position {self._start()}{' moves ' * bool(moves)}{moves}"
        self.send(position, f"go {self._limit(turn)}")
        words = self._wait_for("bestmove").split()
        said = words[1] if len(words) > 1 else ""
        return self._move(said, turn)

    def end(self, moves: Sequence[Move]) -> None:
        """Leave the process running for the next game."""

    def close(self) -> None:
        super().close()
        self._greeted = False

    def _start(self) -> str:
        """Return the first position of the game."""
        seat = self.seat
        is_initial = seat.start == seat.game.initial_state()
        return "startpos" if is_initial else f"fen {seat.game.export(seat.start)}"

    def _limit(self, turn: Turn) -> str:
        """Return the arguments of `go`: the limits, or the clocks."""
        if self._go or turn.left is None:
            return self._go or _THINK
        white, black = (max(1, round(1000 * left)) for left in turn.clocks)
        more = round(1000 * turn.increment)
        return f"wtime {white} btime {black} winc {more} binc {more}"

    def _wait_for(self, word: str) -> str:
        """Return the next line that starts with a word. Raises Fault."""
        for _ in range(_MOST_LINES):
            line = self.hear()
            if line.split()[0] == word:
                return line
        raise Fault(OUTPUT, f"no `{word}` in {_MOST_LINES} lines")

    def _move(self, said: str, turn: Turn) -> Move:
        passes = said in _NONE or (self._stays and said[: len(said) // 2] * 2 == said)
        for move in self.seat.game.legal_moves(turn.state):
            if said == self._written(move) or (passes and move.steps[0].kind == "pass"):
                return move
        raise Fault(ILLEGAL, f"`{cut(said)}` is not legal")

    def _line(self, moves: Sequence[Move]) -> Iterator[str]:
        """Yield the moves from the start as UCI; a pass becomes a null move of a piece if
        `pass=stay`.
        """
        game = self.seat.game
        state = self.seat.start if self._stays else None
        for move in moves:
            if state and move.steps[0].kind == "pass":
                yield first_piece(state) * 2
            else:
                yield self._written(move)
            state = state and game.apply(state, move)

    def _written(self, move: Move) -> str:
        return written(self.seat.game, move, self._letter)


def written(game: Game, move: Move, letter: str = "") -> str:
    """Return a move in UCI notation: origin, target, and the promoted piece if there is one."""
    first, *more = move.steps
    if first.kind == "pass":
        return _NONE[0]
    cells = game.program.form.cells
    if first.origin < 0:
        return (f"{letter}@" if letter else "") + (cells[first.target] if first.target >= 0 else "")
    beside = [step.target for step in more if step.origin < 0]
    last = [step.target for step in move.steps if step.origin >= 0][-1]
    text = cells[first.origin] + cells[last]
    if beside:
        return text + "".join(f",{cells[last]}{cells[each]}" for each in beside)
    becomes = str(move).lower().rpartition(cells[last])[2]
    return text + "".join(filter(str.isalnum, becomes))


def first_piece(state: State) -> str:
    """Return the cell of the mover's first piece, rank by rank from the first, or an empty text."""
    # each kind has one plane per player and a last one for neutral pieces
    sides = len(state.form.players) + 1
    own = 0
    for mask in state.planes[state.side :: sides]:
        own |= mask
    cells = [cell for number, cell in enumerate(state.form.cells) if own >> number & 1]
    return min(cells, key=_by_rank, default="")


def _by_rank(cell: str) -> tuple[int, str]:
    file = cell.rstrip("0123456789")
    return int(cell[len(file) :] or 0), file


def _setting(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise UsageError(f"uci: expected NAME=VALUE behind `--`, found `{word[:40]}`")
    return name, value
