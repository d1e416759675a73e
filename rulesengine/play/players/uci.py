"""`uci:`, `ucci:` and `usi:` players: programs that speak UCI (Meyer-Kahlen, 2006) or a dialect.

The command may end in `--` and settings `NAME=VALUE`:
- `nodes=1000`, `depth=6` and `movetime=100` are limits of `go`.
- `drop=P` is the letter of placed pieces.
- `pass=stay` encodes a pass as a move from a piece's cell to the same cell.
- All others, such as `UCI_Variant=NAME`, are options of the program; `_` may replace a blank.

Moves are those of `formats: uci` if the spec declares it. The option for the variant is set to the
declared one. In other games moves are the names of their cells, concatenated; `P@b7` places a
piece, `0000` passes. A further placement, such as an arrow or a wall, follows a comma with the cell
before it: `d1d7,d7g7`. This is the notation of Fairy-Stockfish. Its pass is `a4a4`, with the first
piece of the mover, rank by rank from the first. See decision 137.
"""

import re
from collections.abc import Iterator, Sequence

from rulesengine.errors import UsageError
from rulesengine.formats.options import is_declared
from rulesengine.game import Game
from rulesengine.play.engine_mode.cell_texts import MoveTexts
from rulesengine.play.engine_mode.uci_dialects import UCI, Dialect
from rulesengine.play.engine_mode.variant_names import declared_variant
from rulesengine.play.players.base import ILLEGAL, OUTPUT, Fault, Turn, cut, notated_move
from rulesengine.play.players.settings import split_command
from rulesengine.play.players.subprocess_player import SubprocessPlayer
from rulesengine.state import Move, State

_MOST_LINES = 100_000  # lines that a program may print before its move
_LIMITS = ("nodes", "depth", "movetime")
_DROP, _PASS, _STAY = "drop", "pass", "stay"
_THINK = "movetime 100"  # without a clock and without limits
_NONE = ("0000", "(none)")
_NO_MOVE = "nobestmove"
_RESIGN = ("resign", "(none)", _NO_MOVE)
_CHOICE = re.compile(r"\bvar (\S+)")
_DEFAULT = re.compile(r"\bdefault (\S+)")
_OPTION = re.compile(r"option (?:name )?(.+?) type (.*)")
_MILLISECONDS, _VARIANT = "usemillisec", "variant"


class UciPlayer(SubprocessPlayer):
    """A program that moves pieces; one process plays all games of a unit."""

    def __init__(self, game: Game, command: str, dialect: Dialect = UCI) -> None:
        program, options = split_command(command, dialect.name, _LIMITS)
        super().__init__(program)
        self._go = " ".join(f"{name} {options[name]}" for name in _LIMITS if name in options)
        self._letter = options.get(_DROP, "")
        self._stays = options.get(_PASS) == _STAY
        if options.get(_PASS, _STAY) != _STAY:
            raise UsageError(
                f"{dialect.name}: expected `pass={_STAY}`, found `pass={options[_PASS][:40]}`"
            )
        own = (*_LIMITS, _DROP, _PASS)
        self._options = {name: value for name, value in options.items() if name not in own}
        self._greeted = False
        self._dialect = dialect
        self._known: dict[str, tuple[str, str]] = {}  # options of the program by plain names
        is_other = dialect.name != UCI.name
        has_format = is_other or is_declared(game.program, "uci")
        self._texts = MoveTexts(game, dialect.name) if has_format else None
        self._variant = declared_variant(game)
        if len(game.players) != 2:
            raise UsageError(f"{dialect.name}: {game.name} is not played by two")

    def start(self) -> None:
        dialect = self._dialect
        self.run()
        if not self._greeted:
            self.send(dialect.name)
            self._read_options()
            self._set_options()
            self._greeted = True
        self.send(dialect.new_game, "isready")
        self._wait_for("readyok")

    def choose(self, turn: Turn) -> Move:
        self.in_turn(turn)
        moves = " ".join(self._line(turn.moves))
        self.send(
            f"position {self._start_text()}{' moves ' * bool(moves)}{moves}",
            f"go {self._limit(turn)}",
        )
        words = self._wait_for("bestmove", _NO_MOVE).split()
        return self._move(words[1] if len(words) > 1 else words[0], turn)

    def _start_text(self) -> str:
        """Return the first position of the game."""
        game, start = self.seat.game, self.seat.start
        if start == game.initial_state():
            return "startpos"
        return f"{self._dialect.positions[0]} {game.export(start, 'fen')}"

    # options

    def _read_options(self) -> None:
        """Read the options that the program offers, up to the end of its greeting."""
        last = f"{self._dialect.name}ok"
        for _ in range(_MOST_LINES):
            line = self.read_line()
            if line.split()[0] == last:
                return
            if match := _OPTION.fullmatch(line):
                self._known[_plain(match[1])] = (match[1], match[2])
        raise Fault(OUTPUT, f"no `{last}` in {_MOST_LINES} lines")

    def _set_options(self) -> None:
        """Send the settings as options, and the variant and the unit of time if offered."""
        options = {_plain(name): (name, value) for name, value in self._options.items()}
        if _MILLISECONDS in self._known:
            options.setdefault(_MILLISECONDS, (_MILLISECONDS, "true"))
        for name, (_, description) in self._known.items():
            variants = _CHOICE.findall(description) if name.endswith(_VARIANT) else []
            if self._variant in variants and _default(description) != self._variant:
                options.setdefault(name, (name, self._variant))
        for plain, (name, value) in options.items():
            shown = self._known.get(plain, (name, ""))[0]
            if self._dialect.prefix:
                self.send(f"setoption name {shown} value {value}")
            else:
                self.send(f"setoption {shown} {value}")

    def end(self, moves: Sequence[Move]) -> None:
        """Leave the process running for the next game."""

    def close(self) -> None:
        super().close()
        self._greeted = False

    def _limit(self, turn: Turn) -> str:
        """Return the arguments of `go`: the limits, or the clocks."""
        if self._go or turn.left is None:
            return self._go or _THINK
        times = [max(1, round(1000 * left)) for left in turn.clocks]
        if self._dialect.own_clock:
            side = turn.state.side
            times = [times[side], times[1 - side]]
        first, second, first_more, second_more = self._dialect.clocks
        more = round(1000 * turn.increment)
        return f"{first} {times[0]} {second} {times[1]} {first_more} {more} {second_more} {more}"

    def _wait_for(self, *expected: str) -> str:
        """Return the next line that starts with one of some words. Raises Fault."""
        for _ in range(_MOST_LINES):
            line = self.read_line()
            if line.split()[0] in expected:
                return line
        raise Fault(OUTPUT, f"no `{expected[0]}` in {_MOST_LINES} lines")

    def _move(self, answer: str, turn: Turn) -> Move:
        if self._texts is not None:
            if answer in _RESIGN:
                raise Fault(_RESIGN[0], "has resigned")
            return notated_move(self._texts.find, turn.state, answer)
        passes = answer in _NONE or (self._stays and answer[: len(answer) // 2] * 2 == answer)
        for move in self.seat.game.legal_moves(turn.state):
            if answer == self._written(move) or (passes and move.steps[0].kind == "pass"):
                return move
        raise Fault(ILLEGAL, f"`{cut(answer)}` is not legal")

    def _line(self, moves: Sequence[Move]) -> Iterator[str]:
        """Yield the moves from the start; a pass becomes a null move of a piece if `pass=stay`."""
        game, texts = self.seat.game, self._texts
        if texts is not None:
            yield from (texts.write(move, self.seat.start) for move in moves)
            return
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
    placed = [step.target for step in more if step.origin < 0]
    last = [step.target for step in move.steps if step.origin >= 0][-1]
    text = cells[first.origin] + cells[last]
    if placed:
        return text + "".join(f",{cells[last]}{cells[each]}" for each in placed)
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


def _default(description: str) -> str:
    """Return the default of an option, as a program describes it; empty without one."""
    match = _DEFAULT.search(description)
    return match[1] if match else ""


def _plain(name: str) -> str:
    """Return the name of an option in small letters, with `_` for blanks."""
    return name.lower().replace(" ", "_")
