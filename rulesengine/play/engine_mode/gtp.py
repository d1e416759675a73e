"""The Go Text Protocol, version 2, as an engine of any game of two.

Source: Specification of the Go Text Protocol, version 2, draft 2 (Farnebäck, 2002).
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from rulesengine.engine.drivers.search.result import Budget, SearchResult
from rulesengine.errors import RulesError, UsageError
from rulesengine.formats.encoding import decode
from rulesengine.formats.options import option
from rulesengine.game import Game
from rulesengine.play.engine_mode.gtp_clock import GtpClock
from rulesengine.play.engine_mode.gtp_game import COLOURS, NAME, PASS, GtpGame
from rulesengine.play.engine_mode.protocol import Print
from rulesengine.play.engine_mode.search_thread import SearchTask
from rulesengine.play.engine_mode.session import EngineSession
from rulesengine.state import Move
from rulesengine.support.files import read_game_file
from rulesengine.version import __version__

_SYNTAX = "syntax error"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_ID = re.compile(r"([0-9]{1,10})\s*(.*)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,6})?")
_QUIT = "quit"

_Words = list[str]


class GtpEngine:
    """An engine of one game: `handle` takes the lines of a client, each with one answer."""

    def __init__(self, game: Game, write: Print) -> None:
        self._session = EngineSession(game, NAME)
        self._position = GtpGame(game)
        self._write = write
        self._clock = GtpClock()
        self._found: tuple[Move | None, SearchResult | None, str] = (None, None, "")

    def handle(self, line: str) -> bool:
        """Reply to a line; return False after `quit`. Empty lines and comments have no answer."""
        plain = _CONTROL.sub("", line).partition("#")[0].strip()
        match = _ID.fullmatch(plain)
        number, rest = (match[1], match[2]) if match else ("", plain)
        if not rest:
            return True
        command, *words = rest.split()
        run = _COMMANDS.get(command)
        try:
            answer = run(self, words) if run else None
            text = f"={number} {answer}" if run else f"?{number} unknown command"
        except RulesError as error:
            text = f"?{number} {error}"
        lines = (line.rstrip() for line in text.splitlines())
        self._write("\n".join(line for line in lines if line) + "\n")
        return command != _QUIT

    def close(self) -> None:
        """End a search in progress."""
        self._session.finish()

    # administration

    def quit(self, words: _Words) -> str:
        return ""

    def protocol_version(self, words: _Words) -> str:
        return "2"

    def name(self, words: _Words) -> str:
        return f"rulesengine {self._position.game.name}"

    def version(self, words: _Words) -> str:
        return __version__

    def known_command(self, words: _Words) -> str:
        return "true" if words[:1] and words[0] in _COMMANDS else "false"

    def list_commands(self, words: _Words) -> str:
        return "\n".join(_COMMANDS)

    def set_option(self, words: _Words) -> str:
        """Set an option of engine mode such as `threads 2` or `level 3`."""
        if len(words) < 2:
            raise UsageError(_SYNTAX)
        name = " ".join(words[:-1]).replace("_", " ").lower()
        self._session.options.set(name, words[-1], self._position.game)
        return ""

    # set-up

    def boardsize(self, words: _Words) -> str:
        self._position.resize(_whole(words, 0))
        return ""

    def clear_board(self, words: _Words) -> str:
        self._position.clear()
        self._clock.reset()
        self._prepare()
        return ""

    def komi(self, words: _Words) -> str:
        self._position.set_komi(_real(words, 0))
        self._prepare()
        return ""

    def fixed_handicap(self, words: _Words) -> str:
        return " ".join(self._position.fixed_handicap(_whole(words, 0)))

    def set_free_handicap(self, words: _Words) -> str:
        self._position.set_handicap(words)
        return ""

    # play

    def play(self, words: _Words) -> str:
        if len(words) != 2:
            raise UsageError("invalid color or coordinate" if words else _SYNTAX)
        self._position.play(*words)
        return ""

    def genmove(self, words: _Words) -> str:
        return self._chosen(words, plays=True)

    def reg_genmove(self, words: _Words) -> str:
        return self._chosen(words, plays=False)

    def undo(self, words: _Words) -> str:
        self._position.undo()
        return ""

    def time_settings(self, words: _Words) -> str:
        self._clock.set(_real(words, 0), _real(words, 1), _whole(words, 2))
        return ""

    def time_left(self, words: _Words) -> str:
        if len(words) != 3:
            raise UsageError(_SYNTAX)
        player = self._position.colour(words[0])
        self._clock.set_left(player, _real(words, 1), _whole(words, 2))
        return ""

    # the end

    def final_score(self, words: _Words) -> str:
        """Return the result by the rules: points where the game has scores."""
        position = self._position
        game, state = position.game, position.state
        scores = game.scores(state)
        if scores:
            unit = int(next(iter(option(game.program, NAME, "scale", ())), 1))
            first, second = (position.colour(colour) for colour in COLOURS)
            margin = (scores[first] - scores[second]) / unit
            return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"
        outcome = game.outcome(state)
        if outcome is None:
            raise UsageError("cannot score")
        return "0" if outcome.winner is None else f"{position.colour_of(outcome.winner)}+"

    def final_status_list(self, words: _Words) -> str:
        """Return the stones with a status: all are alive, as the rules count them."""
        if words[:1] not in (["alive"], ["dead"], ["seki"]):
            raise UsageError(_SYNTAX)
        return self._position.stones() if words[0] == "alive" else ""

    # regression and debugging

    def loadsgf(self, words: _Words) -> str:
        """Load the main line of a file, up to before a move with a number."""
        if not words:
            raise UsageError(_SYNTAX)
        most = _whole(words, 1) - 1 if len(words) > 1 else None
        position = self._position
        try:
            game = next(iter(position.game.read_games(decode(read_game_file(words[0])))))
        except (RulesError, StopIteration):
            raise UsageError("cannot load file") from None
        if game.problems:
            raise UsageError(f"cannot load file: {game.problems[0]}")
        position.load(game.start.state, game.moves[:most])
        return ""

    def showboard(self, words: _Words) -> str:
        return self._position.picture()

    # helpers

    def _chosen(self, words: _Words, *, plays: bool) -> str:
        """Return the move of a search for a colour, and play it unless it is a regression."""
        if len(words) != 1:
            raise UsageError("invalid color" if words else _SYNTAX)
        position = self._position
        position.give_turn(words[0])
        player = position.state.mover
        move = self._searched()
        if move is None:
            if plays:
                position.pass_after_end()
            return PASS
        text = position.text(move)
        if plays:
            result = self._found[1]
            self._clock.spend(player, result.seconds if result else 0.0)
            position.apply(move)
        return text

    def _searched(self) -> Move | None:
        """Return the best move of the position; None if the game is over. Raises RulesError."""
        position, session = self._position, self._session
        options = session.options
        game, state = position.game, position.state
        if game.outcome(state) is not None:
            game = game.without_claims
        self._prepare()
        seconds = self._clock.seconds(state.mover, options.overhead / 1000)
        method = "auto" if options.strategy(game) else options.method
        budget = options.budget(game, Budget(seconds, method=method), position.ply)
        task = SearchTask(game, state, budget, options, seed=position.ply)
        session.start_task(task, _ignore, self._done)
        session.join()
        move, _, error = self._found
        if error:
            raise UsageError(error)
        return move

    def _prepare(self) -> None:
        """Compile the kernels of searches before a clock runs."""
        self._session.prepare(self._position.game)

    def _done(self, move: Move | None, result: SearchResult | None, error: str) -> None:
        self._found = (move, result, error)


def _ignore(result: SearchResult) -> None:
    """Ignore a result of an iteration: the protocol has no place for it."""


def _whole(words: _Words, at: int) -> int:
    """Return a whole number among the arguments. Raises UsageError."""
    if at >= len(words) or not words[at].isascii() or not words[at].isdigit():
        raise UsageError(_SYNTAX)
    return int(words[at][:9])


def _real(words: _Words, at: int) -> float:
    """Return a number among the arguments. Raises UsageError."""
    if at >= len(words) or not _NUMBER.fullmatch(words[at]):
        raise UsageError(_SYNTAX)
    return float(words[at])


_COMMANDS: Mapping[str, Callable[[GtpEngine, _Words], str]] = MappingProxyType(
    {
        "protocol_version": GtpEngine.protocol_version,
        "name": GtpEngine.name,
        "version": GtpEngine.version,
        "known_command": GtpEngine.known_command,
        "list_commands": GtpEngine.list_commands,
        _QUIT: GtpEngine.quit,
        "boardsize": GtpEngine.boardsize,
        "clear_board": GtpEngine.clear_board,
        "komi": GtpEngine.komi,
        "fixed_handicap": GtpEngine.fixed_handicap,
        "place_free_handicap": GtpEngine.fixed_handicap,
        "set_free_handicap": GtpEngine.set_free_handicap,
        "play": GtpEngine.play,
        "genmove": GtpEngine.genmove,
        "undo": GtpEngine.undo,
        "time_settings": GtpEngine.time_settings,
        "time_left": GtpEngine.time_left,
        "final_score": GtpEngine.final_score,
        "final_status_list": GtpEngine.final_status_list,
        "loadsgf": GtpEngine.loadsgf,
        "reg_genmove": GtpEngine.reg_genmove,
        "showboard": GtpEngine.showboard,
        "rulesengine-option": GtpEngine.set_option,
    }
)
