"""The Universal Chess Interface (Meyer-Kahlen and Huber, 2006), as an engine of any game of two."""

from collections.abc import Mapping
from types import MappingProxyType

from rulesengine.engine.drivers.search.result import LEVELS, TREES, WIN, Budget, SearchResult
from rulesengine.errors import RulesError, UsageError
from rulesengine.formats.options import is_declared, option
from rulesengine.game import Game
from rulesengine.play.engine_mode.options import (
    DEFAULT_MEMORY,
    DEFAULT_OVERHEAD,
    FULL,
    MOST_MEMORY,
    MOST_OVERHEAD,
    MOST_THREADS,
    EngineOptions,
    methods,
)
from rulesengine.play.engine_mode.protocol import Print
from rulesengine.play.engine_mode.scores import centipawns
from rulesengine.play.engine_mode.search_thread import SearchTask, SearchThread, prepare
from rulesengine.play.engine_mode.time_limits import move_seconds
from rulesengine.state import Move, State
from rulesengine.support.limits import MAX_SEARCH_PLIES
from rulesengine.version import __version__

_NONE = "(none)"
_ENDLESS = 1e6  # seconds of `go infinite`
# The numbers after words of `go`; those without a number are flags.
_NUMBERS = frozenset("wtime btime winc binc movestogo depth nodes mate movetime perft".split())
_FLAGS = frozenset({"infinite", "ponder", "searchmoves"})
_NO_NUMBERS: Mapping[str, int] = MappingProxyType({})


class UciEngine:
    """An engine of one game: `handle` takes the lines of a client."""

    def __init__(self, game: Game, write: Print) -> None:
        if len(game.players) != 2:
            raise UsageError(f"uci: {game.name} is not played by two")
        self._game = game
        self._write = write
        self._options = EngineOptions()
        self._state = game.initial_state()
        self._ply = 0
        self._thread: SearchThread | None = None
        self._numbers = _NO_NUMBERS
        self._notation = game.formats.moves("uci") if is_declared(game.program, "uci") else None
        self._is_debugging = self._is_prepared = False

    def handle(self, line: str) -> bool:
        """Handle a line; return False after `quit`. Unknown commands are ignored."""
        command, _, rest = line.partition(" ")
        rest = rest.strip()
        match command:
            case "uci":
                self._introduce()
            case "isready":
                self._prepare()
                self._write("readyok")
            case "setoption":
                self._set_option(rest)
            case "position":
                self._finish()
                self._set_position(rest.split())
            case "go":
                self._finish()
                self._go(rest.split())
            case "stop":
                self._finish()
            case "ponderhit":
                self._ponder_hit()
            case "ucinewgame":
                self._finish()
                self._state, self._ply = self._game.initial_state(), 0
            case "debug":
                self._is_debugging = rest == "on"
            case "quit":
                return False
            case _:
                self._debug(f"unknown command `{command[:40]}`")
        return True

    def close(self) -> None:
        """End a search in progress."""
        self._finish()

    def join(self) -> None:
        """Wait until a search in progress has reported its move."""
        if self._thread is not None:
            self._thread.join()

    # commands

    def _introduce(self) -> None:
        game = self._game
        self._write(f"id name rulesengine {__version__} {game.name}")
        self._write("id author the rulesengine contributors")
        spin = "option name {} type spin default {} min {} max {}".format
        self._write(spin("Threads", 1, 1, MOST_THREADS))
        self._write(spin("Hash", DEFAULT_MEMORY, 1, MOST_MEMORY))
        self._write(spin("Level", FULL, FULL, LEVELS))
        self._write(spin("Move Overhead", DEFAULT_OVERHEAD, 0, MOST_OVERHEAD))
        self._write("option name Ponder type check default false")
        known = "".join(f" var {name}" for name in methods(game))
        self._write(f"option name Method type combo default auto{known}")
        (variant,) = option(game.program, "uci", "variant", (_as_word(game.name),))
        self._write(f"option name UCI_Variant type combo default {variant} var {variant}")
        self._write("uciok")

    def _prepare(self) -> None:
        """Compile the kernels of searches, once and before the clocks run."""
        if not self._is_prepared and self._thread is None:
            self._is_prepared = True
            prepare(self._game)

    def _set_option(self, text: str) -> None:
        name, _, value = text.removeprefix("name ").partition(" value ")
        name = name.strip().lower()
        if name in ("ponder", "uci_variant", "uci_analysemode", "clear hash"):
            return
        try:
            self._options.set(name, value.strip(), self._game)
        except UsageError as error:
            self._say(str(error))

    def _set_position(self, words: list[str]) -> None:
        """Set the position; moves after an illegal one are ignored."""
        texts: list[str] = []
        if "moves" in words:
            at = words.index("moves")
            words, texts = words[:at], words[at + 1 :]
        try:
            state = self._game.initial_state()
            if words[:1] == ["fen"]:
                state = self._game.state_from(" ".join(words[1:]))
            elif words[:1] != ["startpos"]:
                self._say("expected `startpos` or `fen`")
                return
        except RulesError as error:
            self._say(str(error))
            return
        ongoing = self._game.without_claims
        self._state, self._ply = state, 0
        for text in texts:
            move = self._find(text)
            if move is None:
                self._say(f"illegal move `{text[:40]}`")
                return
            self._state = ongoing.apply(self._state, move)
            self._ply += 1

    def _go(self, words: list[str]) -> None:
        numbers, among, flags = self._limits(words)
        if "perft" in numbers:
            self._perft(numbers["perft"])
            return
        endless = "infinite" in flags or "ponder" in flags
        limits = self._budget({} if endless else numbers)
        game = self._ongoing(self._state)
        budget = self._options.budget(game, limits, self._ply)
        self._numbers = numbers
        task = SearchTask(game, self._state, budget, self._options, among, self._ply, endless)
        self._thread = SearchThread(task, self._report, self._done)
        self._thread.start()

    def _ponder_hit(self) -> None:
        if self._thread is not None:
            budget = self._budget(self._numbers)
            self._thread.release(budget.seconds or _ENDLESS)

    def _finish(self) -> None:
        """End a search in progress; its move is reported first."""
        if self._thread is not None:
            self._thread.stop()
            self._thread = None

    def _perft(self, depth: int) -> None:
        """Print the count of each first move, and their sum."""
        counts = self._ongoing(self._state).divide(max(depth, 1), self._state)
        for text, count in counts.items():
            self._write(f"{text}: {count}")
        self._write(f"\nNodes searched: {sum(counts.values())}\n")

    # limits

    def _limits(self, words: list[str]) -> tuple[dict[str, int], frozenset[Move], set[str]]:
        """Return the numbers, the moves of `searchmoves` and the flags of `go`."""
        numbers: dict[str, int] = {}
        flags, among, at = set[str](), list[Move](), 0
        while at < len(words):
            word, at = words[at], at + 1
            if word in _NUMBERS and at < len(words) and words[at].lstrip("-").isdigit():
                numbers[word], at = int(words[at][:18]), at + 1
            elif word in _FLAGS:
                flags.add(word)
            elif "searchmoves" in flags and (move := self._find(word)) is not None:
                among.append(move)
        return numbers, frozenset(among), flags

    def _budget(self, numbers: Mapping[str, int]) -> Budget:
        """Return the limits of a search; without any, it is endless."""
        options, side = self._options, "wb"[self._state.side]
        seconds = None
        if "movetime" in numbers:
            seconds = max(numbers["movetime"] - options.overhead, 5) / 1000
        elif f"{side}time" in numbers:
            left, more = numbers[f"{side}time"], numbers.get(f"{side}inc", 0)
            to_go = numbers.get("movestogo")
            seconds = move_seconds(left / 1000, more / 1000, to_go, options.overhead / 1000)
        nodes = max(numbers["nodes"], 1) if "nodes" in numbers else None
        plies = numbers.get("depth") or (2 * numbers["mate"] - 1 if numbers.get("mate") else None)
        if plies is not None:
            plies = min(max(plies, 1), MAX_SEARCH_PLIES)
        if seconds is nodes is plies is None:
            seconds = _ENDLESS
        method = options.method if options.method not in self._game.strategies else "auto"
        if method in TREES:  # these count random games
            return Budget(seconds or (None if nodes else _ENDLESS), None, None, nodes, method)
        return Budget(seconds, nodes, plies, None, method)

    def _ongoing(self, state: State) -> Game:
        """Return the game, or the game without claims where a claim would end it."""
        return self._game if self._game.outcome(state) is None else self._game.without_claims

    # answers

    def _report(self, found: SearchResult) -> None:
        line = " ".join(map(self._text, found.line or (found.move,)))
        milliseconds = round(1000 * found.seconds)
        rate = round(found.nodes / found.seconds) if found.seconds > 0 else found.nodes
        counts = f"nodes {found.nodes} nps {rate} time {milliseconds}"
        self._write(f"info depth {found.depth} score {_score(found)} {counts} pv {line}")

    def _done(self, move: Move | None, found: SearchResult | None, error: str) -> None:
        if error:
            self._say(error)
        best = self._text(move) if move is not None else _NONE
        ponder = ""
        if found is not None and len(found.line) > 1 and found.line[0] == move:
            ponder = f" ponder {self._text(found.line[1])}"
        self._write(f"bestmove {best}{ponder}")

    def _find(self, text: str) -> Move | None:
        try:
            if self._notation is not None:
                return self._notation.find(text, self._state)
            return self._game.without_claims.find(text, self._state)
        except RulesError:
            return None

    @staticmethod
    def _text(move: Move) -> str:
        return str(move)

    def _say(self, text: str) -> None:
        self._write(f"info string {text}")

    def _debug(self, text: str) -> None:
        if self._is_debugging:
            self._say(text)


def _score(found: SearchResult) -> str:
    """Return the value of a search as a score of UCI."""
    if found.unit == "plies" and found.value != 0:
        plies = WIN - abs(found.value)
        moves = (plies + 1) // 2
        return f"mate {moves if found.value > 0 else -moves}"
    return f"cp {centipawns(found)}"


def _as_word(name: str) -> str:
    return "-".join(name.lower().split())
