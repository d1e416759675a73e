"""`xboard:` players: programs that speak the Chess Engine Communication Protocol, version 2.

The command may end in `--` and settings `NAME=VALUE`: `depth=6` and `movetime=1000` (milliseconds)
are limits, all others are options of the program; `_` may replace a blank. Between the moves the
program is in force mode, so that it moves on `go` only.
"""

from collections.abc import Sequence

from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.play.engine_mode.cell_texts import MoveTexts
from rulesengine.play.engine_mode.variant_names import declared_variant, variant_in_xboard
from rulesengine.play.players.base import OUTPUT, Fault, Turn, cut, notated_move
from rulesengine.play.players.settings import split_command
from rulesengine.play.players.subprocess_player import SubprocessPlayer
from rulesengine.state import Move

_MOST_LINES = 100_000  # lines that a program may print before its move
_NO_VARIANT = ("", "normal")  # those without a command
_DONE = "done=1"
_LIMITS = ("depth", "movetime")
_THINK = "st 0.1"  # without a clock and without limits


class XboardPlayer(SubprocessPlayer):
    """A program that moves pieces; one process plays all games of a unit."""

    def __init__(self, game: Game, command: str) -> None:
        program, options = split_command(command, "xboard", _LIMITS)
        super().__init__(program)
        if len(game.players) != 2:
            raise UsageError(f"xboard: {game.name} is not played by two")
        self._own_limits = {name: options.pop(name) for name in _LIMITS if name in options}
        self._options = {name.replace("_", " "): value for name, value in options.items()}
        self._texts = MoveTexts(game, "xboard")
        self._variant = variant_in_xboard(declared_variant(game))
        self._greeted = False
        self._takes_words = False  # the program expects `usermove` before moves

    def start(self) -> None:
        self.run()
        if not self._greeted:
            self.send("xboard", "protover 2")
            self._read_features()
            self.send(*(f"option {name}={value}" for name, value in self._options.items()))
            self._greeted = True
        self.send("new", "force")
        if self._variant not in _NO_VARIANT:
            self.send(f"variant {self._variant}")
        game, start = self.seat.game, self.seat.start
        if start != game.initial_state():
            self.send(f"setboard {game.export(start, 'fen')}")
        self.send("easy")
        self._sent = 0
        self._has_limits = False

    def choose(self, turn: Turn) -> Move:
        self.in_turn(turn)
        if not self._has_limits:
            self.send(*self._limit_lines(turn))
            self._has_limits = True
        self._send_moves(turn)
        if turn.left is not None and not self._own_limits:
            other = turn.clocks[1 - turn.state.side]
            self.send(f"time {round(100 * turn.left)}", f"otim {round(100 * other)}")
        self.send("go")
        move = self._answer(turn)
        self._sent = len(turn.moves) + 1
        self.send("force")
        return move

    def end(self, moves: Sequence[Move]) -> None:
        """Leave the process running for the next game."""

    def close(self) -> None:
        super().close()
        self._greeted = False

    def _read_features(self) -> None:
        """Read the features of the program up to `done=1`. Raises Fault."""
        for _ in range(_MOST_LINES):
            words = self.read_line().split()
            if words[0] != "feature":
                continue
            self._takes_words |= "usermove=1" in words
            if _DONE in words:
                return
        raise Fault(OUTPUT, f"no `feature {_DONE}` in {_MOST_LINES} lines")

    def _limit_lines(self, turn: Turn) -> list[str]:
        """Return the given limits; without any, the clock of the game or a short time."""
        lines = []
        if depth := self._own_limits.get("depth"):
            lines.append(f"sd {depth}")
        if time := self._own_limits.get("movetime"):
            lines.append(f"st {int(time) / 1000:g}")
        if not lines and turn.left is not None:
            minutes, seconds = divmod(max(round(turn.left), 1), 60)
            lines.append(f"level 0 {minutes}:{seconds:02} {turn.increment:g}")
        return lines or [_THINK]

    def _send_moves(self, turn: Turn) -> None:
        word = "usermove " if self._takes_words else ""
        texts = (self._texts.write(move, turn.state) for move in turn.moves[self._sent :])
        self.send(*(word + text for text in texts))

    def _answer(self, turn: Turn) -> Move:
        """Return the move of the program. Raises Fault."""
        for _ in range(_MOST_LINES):
            line = self.read_line()
            word, _, move_text = line.partition(" ")
            if word == "move":
                return notated_move(self._texts.find, turn.state, move_text.strip())
            if word == "resign":
                raise Fault(word, "has resigned")
            if word == "Illegal":
                raise Fault(OUTPUT, cut(line))
        raise Fault(OUTPUT, f"no `move` in {_MOST_LINES} lines")
