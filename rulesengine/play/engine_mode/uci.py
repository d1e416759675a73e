"""The Universal Chess Interface and protocols derived from it, as an engine of any game of two."""

from functools import partial
from types import MappingProxyType

from rulesengine.engine.drivers.search.result import SearchResult
from rulesengine.errors import RulesError, UsageError
from rulesengine.formats.options import option
from rulesengine.game import Game
from rulesengine.play.engine_mode.go_limits import GoLimits, read_go
from rulesengine.play.engine_mode.options import (
    DEFAULT_MEMORY,
    DEFAULT_OVERHEAD,
    FULL,
    MOST_LINES,
    MOST_MEMORY,
    MOST_OVERHEAD,
    MOST_THREADS,
    methods,
)
from rulesengine.play.engine_mode.protocol import EngineFactory, Print
from rulesengine.play.engine_mode.scores import Scored
from rulesengine.play.engine_mode.session import EngineSession
from rulesengine.play.engine_mode.uci_dialects import UCI, Dialect
from rulesengine.play.engine_mode.variant_names import variant_in_uci
from rulesengine.search.levels import LEVELS
from rulesengine.state import Move
from rulesengine.support.frozen import replace
from rulesengine.version import __version__

_IGNORED = frozenset("ponder variant analysemode clear_hash newgame batch".split())
_MILLISECONDS = "usemillisec"


class UciEngine:
    """An engine of one game: `handle` takes the lines of a client."""

    def __init__(self, game: Game, write: Print, dialect: Dialect = UCI) -> None:
        self._session = EngineSession(game, dialect.name)
        self._dialect = dialect
        self._write = write
        self._unit = dialect.time_unit or 1
        self._go_limits: GoLimits | None = None
        self._banned: frozenset[Move] = frozenset()
        self._is_debugging = False
        self._flags: tuple[str, ...] = option(game.program, "uci", "flags", ())

    def handle(self, line: str) -> bool:
        """Handle a line; return False after `quit`. Unknown commands are ignored."""
        command, _, arguments = line.partition(" ")
        arguments, session = arguments.strip(), self._session
        match command:
            case self._dialect.name:
                self._introduce()
            case "isready":
                session.prepare()
                self._write("readyok")
            case "setoption":
                self._set_option(arguments)
            case "position":
                session.finish()
                self._set_position(arguments.split())
            case "banmoves":
                self._ban(arguments.split())
            case "go":
                session.finish()
                self._go(arguments.split())
            case "stop":
                session.finish()
            case "ponderhit":
                if self._go_limits is not None:
                    session.release(self._go_limits.after_hit)
            case self._dialect.new_game:
                session.finish()
                session.reset()
            case "debug":
                self._is_debugging = arguments == "on"
            case "quit":
                session.finish()
                if self._dialect.quit_reply:
                    self._write(self._dialect.quit_reply)
                return False
            case _:
                self._debug(f"unknown command `{command[:40]}`")
        return True

    def close(self) -> None:
        """End a search in progress."""
        self._session.finish()

    def join(self) -> None:
        """Wait until a search in progress has reported its move."""
        self._session.join()

    # commands

    def _introduce(self) -> None:
        game, dialect = self._session.game, self._dialect
        self._write(f"id name rulesengine {__version__} {game.name}")
        self._write("id author the rulesengine contributors")
        self._spin("Threads", 1, 1, MOST_THREADS)
        self._spin("Hash", DEFAULT_MEMORY, 1, MOST_MEMORY)
        self._spin("MultiPV", 1, 1, MOST_LINES)
        self._spin("Level", FULL, FULL, LEVELS)
        self._spin("Move Overhead", DEFAULT_OVERHEAD, 0, MOST_OVERHEAD)
        self._offer("Ponder", "type check default false")
        known = "".join(f" var {name}" for name in methods(game))
        self._offer("Method", f"type combo default auto{known}")
        if dialect.time_unit == 0:
            self._offer(_MILLISECONDS, "type check default false")
        if dialect.prefix:
            variant = variant_in_uci(game)
            self._offer(f"{dialect.prefix}Variant", f"type combo default {variant} var {variant}")
        for name in self._flags:
            self._offer(name, "type check default true")
        self._write(f"{dialect.name}ok")

    def _offer(self, name: str, description: str) -> None:
        """Print an option."""
        dialect = self._dialect
        shown = name.replace(" ", dialect.separator)
        word = "name " if dialect.prefix else ""
        self._write(f"option {word}{shown} {description}")

    def _spin(self, name: str, default: int, least: int, most: int) -> None:
        self._offer(name, f"type spin default {default} min {least} max {most}")

    def _set_option(self, text: str) -> None:
        if text.startswith("name "):
            name, _, value = text.removeprefix("name ").partition(" value ")
        else:
            name, _, value = text.partition(" ")
        name, value = name.strip().lower(), value.strip()
        prefix = self._dialect.prefix.lower()
        plain = (name.removeprefix(prefix) if prefix else name).replace(" ", "_")
        if plain in _IGNORED or name in map(str.lower, self._flags):
            return
        if plain == _MILLISECONDS:
            self._unit = 1000 if value == "true" else 1
            return
        name = _OWN_NAMES.get(plain.replace("_", ""), name)
        try:
            self._session.options.set(name, value, self._session.game)
        except UsageError as error:
            self._write_info(str(error))

    def _set_position(self, words: list[str]) -> None:
        """Set the position; moves after an illegal one are ignored."""
        texts: list[str] = []
        session, positions = self._session, self._dialect.positions
        if "moves" in words:
            at = words.index("moves")
            words, texts = words[:at], words[at + 1 :]
        try:
            if words[:1] and words[0] in positions:
                session.reset(session.game.state_from(" ".join(words[1:])))
            elif words[:1] == ["startpos"]:
                session.reset()
            else:
                self._write_info(f"expected `startpos` or `{positions[0]}`")
                return
        except RulesError as error:
            self._write_info(str(error))
            return
        self._banned = frozenset()
        if illegal := session.play_all(texts):
            self._write_info(f"illegal move `{illegal[:40]}`")

    def _ban(self, words: list[str]) -> None:
        """Exclude moves from the next search."""
        moves = (self._session.find(word) for word in words)
        self._banned = frozenset(move for move in moves if move is not None)

    def _go(self, words: list[str]) -> None:
        session = self._session
        go = read_go(words, self._dialect, session.state.side, self._unit, session.find)
        if go.perft:
            self._perft(go.perft)
            return
        self._go_limits, limits = go, go.search
        if self._banned:
            among = limits.among or frozenset(session.ongoing.legal_moves(session.state))
            limits = replace(limits, among=among - self._banned)
        session.search(limits, self._report, self._done)

    def _perft(self, depth: int) -> None:
        """Print the count of each first move, and their sum."""
        counts = self._session.ongoing.divide(depth, self._session.state)
        for text, count in counts.items():
            self._write(f"{text}: {count}")
        self._write(f"\nNodes searched: {sum(counts.values())}\n")

    # answers

    def _report(self, result: SearchResult) -> None:
        """Print the best line, or as many as the option `MultiPV` requests."""
        milliseconds = round(1000 * result.seconds)
        rate = round(result.nodes / result.seconds) if result.seconds > 0 else result.nodes
        counts = f"nodes {result.nodes} nps {rate} time {milliseconds}"
        several = self._session.options.lines > 1
        found: tuple[Scored, ...] = result.lines if several and result.lines else (result,)
        for rank, scored in enumerate(found, 1):
            number = f"multipv {rank} " if several else ""
            score = self._dialect.score(scored)
            line = " ".join(self._line(scored.line or (scored.move,)))
            self._write(f"info depth {scored.depth} {number}score {score} {counts} pv {line}")

    def _done(self, move: Move | None, result: SearchResult | None, error: str) -> None:
        if error:
            self._write_info(error)
        if move is None:
            self._write(self._dialect.no_move)
            return
        texts = list(self._line((move,)))
        if result is not None and len(result.line) > 1 and result.line[0] == move:
            texts = list(self._line(result.line[:2]))
        self._write(f"bestmove {' ponder '.join(texts)}")

    def _line(self, moves: tuple[Move, ...]) -> list[str]:
        """Return moves from the position on as texts."""
        return [self._session.text(move) for move in moves]

    def _write_info(self, text: str) -> None:
        self._write(f"info string {text}")

    def _debug(self, text: str) -> None:
        if self._is_debugging:
            self._write_info(text)


def uci_engine(dialect: Dialect) -> EngineFactory:
    """Return the constructor of engines that speak a protocol of the family."""
    return partial(UciEngine, dialect=dialect)


# The options by their names without blanks, lines and capital letters.
_OWN_NAMES = MappingProxyType(
    {
        "moveoverhead": "move overhead",
        "hashsize": "hash",
        "hash": "hash",
        "threads": "threads",
        "level": "level",
        "multipv": "multipv",
        "method": "method",
    }
)
