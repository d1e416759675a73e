"""The Chess Engine Communication Protocol, version 2, as an engine of any game of two.

Source: Chess Engine Communication Protocol (Mann and Muller, 2009). The first player is white.
"""

from collections.abc import Callable, Mapping
from threading import Event, Lock
from types import MappingProxyType

from rulesengine.engine.drivers.search.result import SearchResult
from rulesengine.errors import RulesError, UsageError
from rulesengine.game import Game
from rulesengine.play.engine_mode.protocol import Print
from rulesengine.play.engine_mode.session import EngineSession, SearchLimits
from rulesengine.play.engine_mode.xboard_clock import XboardClock
from rulesengine.play.engine_mode.xboard_texts import greeting, read_number, result_text, score
from rulesengine.state import Move
from rulesengine.support.frozen import replace
from rulesengine.support.limits import MAX_SEARCH_PLIES

_FORCE, _ANALYSIS, _PLAY = "force", "analysis", "play"
_IGNORED = frozenset(
    "xboard accepted rejected computer name rating ics random bk nps draw white black otim . edit"
    " egtpath pause resume variant".split()
)


class XboardEngine:
    """An engine of one game: `handle` takes the lines of a client."""

    def __init__(self, game: Game, write: Print) -> None:
        self._session = EngineSession(game, "xboard")
        self._write = write
        self._clock = XboardClock()
        self._mode = _PLAY
        self._side = 1  # the number of the engine's player
        self._plies: int | None = None
        self._shows = self._ponders = self._is_discarded = False
        self._expected: Move | None = None  # the reply on which the engine ponders
        self._hint: Move | None = None
        self._pings: list[str] = []
        self._lock = Lock()  # of `_pings` and `_idle`
        self._idle = Event()  # set unless the engine is to move
        self._idle.set()

    def handle(self, line: str) -> bool:
        """Handle a line; return False after `quit`."""
        command, _, arguments = line.partition(" ")
        words = arguments.split()
        if command == "quit":
            self._abandon()
            return False
        if run := _COMMANDS.get(command):
            run(self, words)
        elif command and command not in _IGNORED:
            if self._session.find(command) is not None:
                self._user_move([command])
            else:
                self._write(f"Error (unknown command): {command[:40]}")
        return True

    def close(self) -> None:
        """End a search in progress."""
        self._abandon()

    def join(self) -> None:
        """Wait until the engine has moved if it is to move."""
        self._idle.wait()

    # set-up

    def _introduce(self, words: list[str]) -> None:
        for line in greeting(self._session.game):
            self._write(line)

    def _new(self, words: list[str]) -> None:
        self._abandon()
        self._session.reset()
        self._session.prepare()
        self._clock.restart()
        self._mode, self._side, self._plies, self._hint = _PLAY, 1, None, None

    def _set_board(self, words: list[str]) -> None:
        self._abandon()
        try:
            self._session.reset(self._session.game.state_from(" ".join(words)))
        except RulesError as error:
            self._write(f"tellusererror Illegal position: {error}")
        self._resume()

    def _level(self, words: list[str]) -> None:
        if not self._clock.set_level(words):
            self._write("Error (bad time control): level")

    def _time_of_move(self, words: list[str]) -> None:
        if seconds := read_number(words):
            self._clock.for_move = float(seconds)

    def _depth(self, words: list[str]) -> None:
        self._plies = read_number(words)

    def _time_left(self, words: list[str]) -> None:
        if (hundredths := read_number(words)) is not None:
            self._clock.set_left(hundredths / 100)

    def _set_option(self, words: list[str]) -> None:
        name, _, value = " ".join(words).partition("=")
        self._set(name.strip().lower(), value.strip())

    def _memory(self, words: list[str]) -> None:
        self._set("hash", " ".join(words))

    def _cores(self, words: list[str]) -> None:
        self._set("threads", " ".join(words))

    def _set(self, name: str, value: str) -> None:
        try:
            self._session.options.set(name, value, self._session.game)
        except UsageError as error:
            self._write(f"Error ({error}): {name[:40]}")

    def _show(self, words: list[str]) -> None:
        self._shows = True

    def _hide(self, words: list[str]) -> None:
        self._shows = False

    def _hard(self, words: list[str]) -> None:
        self._ponders = True

    def _easy(self, words: list[str]) -> None:
        self._ponders = False
        if self._expected is not None:
            self._abandon()

    # moves

    def _force(self, words: list[str]) -> None:
        self._abandon()
        self._mode = _FORCE

    def _go(self, words: list[str]) -> None:
        self._abandon()
        self._mode, self._side = _PLAY, self._session.state.side
        self._think()

    def _play_other(self, words: list[str]) -> None:
        self._abandon()
        self._mode, self._side = _PLAY, 1 - self._session.state.side

    def _user_move(self, words: list[str]) -> None:
        text = words[0] if words else ""
        session = self._session
        self._idle.wait()  # a client may reply while the end of a search is being handled
        if self._is_expected(text):
            self._expected = None
            self._idle.clear()
            session.release(self._limits())
            return
        self._abandon()
        move = session.find(text)
        if move is None:
            self._write(f"Illegal move: {text[:40]}")
        else:
            self._hint = None
            session.apply(move)
            self._print_end()
        self._resume()

    def _is_expected(self, text: str) -> bool:
        """True if a text is the move on which the engine ponders."""
        session = self._session
        if self._expected is None or not session.moves:
            return False
        return session.text(self._expected) == text

    def _undo(self, words: list[str]) -> None:
        self._abandon()
        self._session.undo()
        self._resume()

    def _remove(self, words: list[str]) -> None:
        self._abandon()
        self._session.undo()
        self._session.undo()
        self._resume()

    def _move_now(self, words: list[str]) -> None:
        if not self._idle.is_set():
            self._session.interrupt()

    def _ping(self, words: list[str]) -> None:
        """Reply at once, or after the move if the engine is to move."""
        answer = " ".join(["pong", *words[:1]])
        with self._lock:
            if self._idle.is_set():
                self._write(answer)
            else:
                self._pings.append(answer)

    def _suggest(self, words: list[str]) -> None:
        if self._hint is not None:
            self._write(f"Hint: {self._session.text(self._hint)}")

    def _result(self, words: list[str]) -> None:
        self._abandon()
        self._mode = _FORCE

    # analysis

    def _analyze(self, words: list[str]) -> None:
        self._abandon()
        self._mode, self._shows = _ANALYSIS, True
        self._resume()

    def _exit(self, words: list[str]) -> None:
        self._abandon()
        self._mode = _FORCE

    # searches

    def _resume(self) -> None:
        """Continue after a change of the position: analyse, or move if it is the engine's turn."""
        state = self._session.state
        if self._mode == _ANALYSIS:
            self._is_discarded = False
            self._session.search(SearchLimits(waits=True), self._report, self._ignore, self._settle)
        elif self._mode == _PLAY and state.side == self._side:
            self._think()

    def _think(self) -> None:
        self._idle.clear()
        self._is_discarded = False
        self._session.search(self._limits(), self._report, self._done)

    def _ponder(self) -> None:
        """Search the position after the expected reply, until the client moves."""
        session = self._session
        if self._hint is None or not self._ponders or self._is_discarded:
            return
        session.apply(self._hint)
        if session.game.outcome(session.state) is not None:
            session.undo()
            return
        self._expected = self._hint
        session.search(SearchLimits(plies=self._plies, waits=True), self._report, self._done)

    def _limits(self) -> SearchLimits:
        clock, plies = self._clock, self._plies
        if clock.for_move is not None:
            return SearchLimits(clock.for_move, None, None, plies)
        return SearchLimits(None, clock.clock(self._session.ply // 2), None, plies)

    def _abandon(self) -> None:
        """End a search in progress without playing its move."""
        self._is_discarded = True
        self._session.finish()
        if self._expected is not None:
            self._session.undo()
            self._expected = None

    def _done(self, move: Move | None, result: SearchResult | None, error: str) -> None:
        """Play the move of a search unless it was abandoned; called on the thread of the search."""
        if error:
            self._write(f"tellusererror {error}")
        if not self._is_discarded:
            self._play(move, result)
        with self._lock:
            self._idle.set()
            while self._pings:
                self._write(self._pings.pop(0))

    def _play(self, move: Move | None, result: SearchResult | None) -> None:
        session = self._session
        if move is None:
            self._print_end()
            return
        self._clock.spend(result.seconds if result else 0.0)
        self._write(f"move {session.text(move)}")
        session.apply(move)
        reply = (
            result.line[1] if result and len(result.line) > 1 and result.line[0] == move else None
        )
        self._hint = reply
        self._print_end()
        self._ponder()

    def _ignore(self, move: Move | None, result: SearchResult | None, error: str) -> None:
        """Ignore the result of an analysis: its lines have been printed."""

    def _settle(self, result: SearchResult) -> None:
        """Print the result of an analysis that ended by itself: it is exact at every depth."""
        self._report(replace(result, depth=MAX_SEARCH_PLIES))

    def _print_end(self) -> None:
        """Print the result if the game is over by the rules."""
        session = self._session
        outcome = session.game.outcome(session.state)
        if outcome is not None and session.game.without_claims.outcome(session.state) is not None:
            self._write(result_text(session.game, outcome))

    def _report(self, result: SearchResult) -> None:
        if self._shows:
            line = " ".join(map(self._session.text, result.line or (result.move,)))
            hundredths = round(100 * result.seconds)
            self._write(f"{result.depth} {score(result)} {hundredths} {result.nodes} {line}")


_COMMANDS: Mapping[str, Callable[[XboardEngine, list[str]], None]] = MappingProxyType(
    {
        "protover": XboardEngine._introduce,
        "new": XboardEngine._new,
        "setboard": XboardEngine._set_board,
        "level": XboardEngine._level,
        "st": XboardEngine._time_of_move,
        "sd": XboardEngine._depth,
        "time": XboardEngine._time_left,
        "option": XboardEngine._set_option,
        "memory": XboardEngine._memory,
        "cores": XboardEngine._cores,
        "post": XboardEngine._show,
        "nopost": XboardEngine._hide,
        "hard": XboardEngine._hard,
        "easy": XboardEngine._easy,
        "force": XboardEngine._force,
        "go": XboardEngine._go,
        "playother": XboardEngine._play_other,
        "usermove": XboardEngine._user_move,
        "undo": XboardEngine._undo,
        "remove": XboardEngine._remove,
        "?": XboardEngine._move_now,
        "ping": XboardEngine._ping,
        "hint": XboardEngine._suggest,
        "result": XboardEngine._result,
        "analyze": XboardEngine._analyze,
        "exit": XboardEngine._exit,
    }
)
