"""The NBoard protocol, version 2, as an engine of any game of two that declares `formats: ggf`.

Source: NBoard Protocol (Welty, 2014). A move of the engine changes no position: the client sends it
back.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from rulesengine.engine.drivers.search.result import SearchResult
from rulesengine.errors import RulesError
from rulesengine.formats.ggf import Ggf
from rulesengine.formats.values import RecordedGame
from rulesengine.game import Game
from rulesengine.play.engine_mode.protocol import Print
from rulesengine.play.engine_mode.scores import centipawns, to_centipawns
from rulesengine.play.engine_mode.session import Clock, EngineSession, SearchLimits
from rulesengine.state import Move
from rulesengine.version import __version__

_TIME = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{1,4}):([0-9]{2})")
_SPENT = re.compile(r"\[%ggf [^/\]]*/([0-9]{1,6}(?:\.[0-9]{1,6})?)")
_MOST_DEPTH = 60
_HINT, _MOVE = "hint", "move"


class NboardEngine:
    """An engine of one game: `handle` takes the lines of a client."""

    def __init__(self, game: Game, write: Print) -> None:
        self._session = EngineSession(game, "nboard")
        self._ggf = Ggf(game.formats)
        game.formats.games("ggf")  # raises UsageError in games without the format
        self._write = write
        self._depth = _MOST_DEPTH
        self._clocks: dict[str, float] = {}
        self._hints = 1
        self._is_move_due = False

    def handle(self, line: str) -> bool:
        """Handle a line; return False after `quit`. Unknown commands are ignored."""
        command, _, arguments = line.partition(" ")
        if command == "quit":
            return False
        if run := _COMMANDS.get(command):
            run(self, arguments.strip())
        return True

    def close(self) -> None:
        """End a search in progress."""
        self._session.finish()

    def join(self) -> None:
        """Wait until a search in progress has reported its move."""
        self._session.join()

    # commands

    def _introduce(self, arguments: str) -> None:
        self._write(f"set myname rulesengine-{__version__}")
        self._session.prepare()
        self._status("waiting")

    def _set(self, arguments: str) -> None:
        name, _, value = arguments.partition(" ")
        match name:
            case "game":
                self._session.finish()
                self._set_game(value)
            case "depth" if value.isascii() and value.isdigit():
                self._depth = max(1, min(int(value[:9]), _MOST_DEPTH))
            case "contempt":
                pass
            case _:
                self._set_option(name, value)

    def _set_option(self, name: str, value: str) -> None:
        """Set an option of engine mode such as `threads 2`."""
        try:
            self._session.options.set(name.replace("_", " ").lower(), value, self._session.game)
        except RulesError as error:
            self._status(str(error))

    def _set_game(self, text: str) -> None:
        game = next(iter(self._ggf.read(text)), None)
        if game is None or any(problem.ply == 0 for problem in game.problems):
            reason = game.problems[0].reason if game else "expected a game of GGF"
            self._status(f"unknown game: {reason}")
            return
        self._session.reset(game.start.state)
        for move in game.moves:
            self._session.apply(move)
        self._clocks = self._times_left(game)

    def _move(self, arguments: str) -> None:
        """Play a move, with its evaluation and seconds after strokes."""
        session = self._session
        session.finish()
        text, _, value = arguments.partition("/")
        try:
            move = self._ggf.find(text.strip(), session.state)
        except RulesError:
            move = None
        if move is None:
            self._status(f"illegal move {text[:20]}")
            return
        player = session.state.mover
        if player in self._clocks:
            self._clocks[player] -= _seconds(value.rpartition("/")[2])
        session.apply(move)

    def _hint(self, arguments: str) -> None:
        self._hints = int(arguments[:4]) if arguments.isascii() and arguments.isdigit() else 1
        self._start(SearchLimits(plies=self._depth), is_move=False)

    def _go(self, arguments: str) -> None:
        left = self._clocks.get(self._session.state.mover)
        clock = None if left is None else Clock(max(left, 0.0))
        self._hints = 1
        self._start(SearchLimits(None, clock, None, self._depth), is_move=True)

    def _ping(self, arguments: str) -> None:
        self._session.finish()
        self._write(f"pong {arguments}".rstrip())

    def _learn(self, arguments: str) -> None:
        self._write("learned")

    def _analyze(self, arguments: str) -> None:
        """Print the value of each position of the game, from the last one to the first."""
        session = self._session
        session.finish()
        for ply in range(session.ply, -1, -1):
            state = session.start
            for move in session.moves[:ply]:
                state = session.game.without_claims.apply(state, move, check=False)
            if session.game.legal_moves(state):
                result = session.game.search(state, seconds=_ANALYSIS_SECONDS, seed=ply)
                self._write(f"analysis {ply} {_points(result):.2f}")

    # searches

    def _start(self, limits: SearchLimits, *, is_move: bool) -> None:
        self._session.finish()
        self._is_move_due = is_move
        self._status("thinking")
        self._session.search(limits, self._report, self._done)

    def _report(self, result: SearchResult) -> None:
        line = "".join(self._moves_text(result.line or (result.move,)))
        self._write(f"search {line} {_points(result):.2f} 0 {_depth_text(result)}")
        if self._is_move_due or result.bounded:
            return
        others = [each for each in result.moves if each[0] != result.move]
        for move, value in others[: self._hints - 1]:
            points = to_centipawns(value.number, value.unit) / 100
            self._write(f"search {self._text(move)} {points:.2f} 0 {_depth_text(result)}")

    def _done(self, move: Move | None, result: SearchResult | None, error: str) -> None:
        if error:
            self._status(error)
        elif self._is_move_due:
            text = "PA" if move is None else self._text(move)
            extra = f"/{_points(result):.2f}/{result.seconds:.2f}" if result else ""
            if result and result.seconds > 0:
                self._write(f"nodestats {result.nodes} {result.seconds:.2f}")
            self._write(f"=== {text}{extra}")
        self._status("waiting")

    # texts

    def _text(self, move: Move) -> str:
        return self._ggf.move_text(move, self._session.state)

    def _moves_text(self, moves: tuple[Move, ...]) -> list[str]:
        """Return moves from the position on as texts without blanks."""
        return [self._text(move) for move in moves]

    def _status(self, text: str) -> None:
        self._write(f"status {text}")

    def _times_left(self, game: RecordedGame) -> dict[str, float]:
        """Return the time of each player; empty if the game has no clock."""
        match = _TIME.match(game.header("TI"))
        if match is None:
            return {}
        seconds = 3600.0 * int(match[1] or 0) + 60.0 * int(match[2]) + int(match[3])
        left = dict.fromkeys(self._session.game.players, seconds)
        state = game.start.state
        for ply, move in enumerate(game.moves, start=1):
            if ply in game.notes:
                spent = _SPENT.match(" ".join(game.notes[ply].comments))
                left[state.mover] -= float(spent[1]) if spent else 0.0
            state = self._session.game.without_claims.apply(state, move, check=False)
        return left


_ANALYSIS_SECONDS = 0.1  # for each position of a whole game


def _points(result: SearchResult) -> float:
    """Return the value of a search in points, the unit of the protocol."""
    return centipawns(result) / 100


def _depth_text(result: SearchResult) -> str:
    """Return the depth; `100%` if nothing was estimated."""
    return "100%" if result.whole else str(result.depth)


def _seconds(text: str) -> float:
    return float(text) if re.fullmatch(r"[0-9]{1,6}(?:\.[0-9]{1,6})?", text) else 0.0


_COMMANDS: Mapping[str, Callable[[NboardEngine, str], None]] = MappingProxyType(
    {
        "nboard": NboardEngine._introduce,
        "set": NboardEngine._set,
        "move": NboardEngine._move,
        "hint": NboardEngine._hint,
        "go": NboardEngine._go,
        "ping": NboardEngine._ping,
        "learn": NboardEngine._learn,
        "analyze": NboardEngine._analyze,
    }
)
