"""The state of a running script: game, position, input, output and variables."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from rulesengine.engine.interpreter import DECIDED, JUDGE, LAST_MOVE, MEMO
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.language.ir.ops import ON_BOARD, Op
from rulesengine.language.ir.rules import Site, Statement, Template
from rulesengine.script.game_view import GameView
from rulesengine.script.tokens import ByteReader, InputReader, Tokenizer, number
from rulesengine.state import Move, State

if TYPE_CHECKING:
    from rulesengine.engine.drivers.random import Generator

T = TypeVar("T")
OutputListener = Callable[[str, Site | None], None]


class StatementError(Exception):
    """A failed read or play; the message is printed if the statement has no `else`.

    `given_at` is the input line of the error, 0 for the line that was read last.
    """

    def __init__(self, message: str, given_at: int = 0) -> None:
        super().__init__(message)
        self.given_at = given_at


class ScriptState:
    """The state that statements read and change.

    `at` is the current statement and `words` the input. `on_output` is called with each printed
    text and the site of its statement. Words outside the number range `accepted` are ignored.
    `began` is the number of bytes of input before the current statement; `on_end` is called with a
    message if the input ends too early. `separator` is printed before the next output of a round.
    If the script takes moves back, `played` has the moves of the current game with the positions
    before them. `taken_back` has the moves that can be replayed, the next one last. `free` is the
    time of the last choice, at first of the program start. `moves` counts the moves of all games,
    `plies` those of the current game.
    """

    def __init__(
        self, game: Game, source: ByteReader, target: BinaryIO, seed: int, age: float = 0.0
    ) -> None:
        self.free = monotonic() - age
        self.loaded = game
        self._seed = seed
        self.words: InputReader = Tokenizer(source, target.flush)
        self.target = target
        self.on_output: OutputListener | None = None
        self.variables: dict[str, Any] = {"move": "", "word": ""}
        self.on_board: set[str] = set()
        self.accepted: tuple[int, int] | None = None
        self.separator = ""
        self.printed = 0
        self.moves = 0
        self.played: list[tuple[State, Move]] = []
        self.taken_back: list[Move] = []
        self.at: Statement | None = None
        self.began = 0
        self.on_end: Callable[[ScriptState], None] | None = None
        self.take(game)

    @cached_property
    def random(self) -> "Generator":
        """Return the random number generator of chance events."""
        from rulesengine.engine.drivers.random import Generator  # here: few games have chance

        return Generator(self._seed, 0)

    def enter(self, statement: Statement) -> None:
        """Begin a statement."""
        self.at = statement
        if isinstance(self.words, Tokenizer):
            self.began = self.words.consumed

    def report_end(self) -> None:
        """Report the end of the input."""
        if self.on_end is not None:
            self.on_end(self)

    def take(self, game: Game) -> None:
        """Continue with a game, from its initial position."""
        self.game, self.view = game, GameView(game)
        self.variables[JUDGE] = self.view.decide
        self.begin(game.initial_state())

    def begin(self, state: State) -> None:
        """Start a new game at a position; variables of the previous game are reset."""
        self.state = state
        self.plies = 0
        self.played, self.taken_back = [], []
        self.variables |= {"move": "", "from": -1, "to": -1}
        self.variables.pop(DECIDED, None)
        self.variables.pop(LAST_MOVE, None)

    def bind(self, **values: int | str) -> None:
        """Continue with the game for other parameter values. Raises StatementError."""
        try:
            game = self.loaded.bind(**{**self.game.parameters, **values})
        except UsageError as error:
            raise StatementError(str(error)) from None
        for of_before in self.on_board & self.variables.keys():
            del self.variables[of_before]
        self.take(game)

    @contextmanager
    def local(self, *names: str) -> Iterator[None]:
        """Make names local; on exit, values of a board are dropped if the board has changed."""
        game, shadowed = self.game, self.on_board & {*names}
        outer = {name: self.variables.get(name) for name in names}
        try:
            yield
        finally:
            self.on_board = self.on_board - {*names} | shadowed
            for name, value in outer.items():
                self.variables.pop(name, None)
                if value is not None and (self.game is game or name not in shadowed):
                    self.variables[name] = value

    def note(self, name: str, op: Any) -> None:
        """Record a name if its value belongs to the board."""
        if isinstance(op, Op) and op.type in ON_BOARD:
            self.on_board.add(name)

    @property
    def due(self) -> float:
        """Return when thinking time started: the later of input arrival and last choice."""
        return max(self.free, self.words.arrived)

    @property
    def progress(self) -> tuple[object, ...]:
        """Return a measure of the input, output and moves so far; it never returns to an earlier
        value.
        """
        return self.words.place, self.printed, self.moves

    def value(self, op: Any, move: Move | None = None) -> Any:
        assert isinstance(op, Op)
        return self.view.value(op, self.state, self.variables, move)

    def text(self, template: Any, move: Move | None = None) -> str:
        """Fill in a template."""
        assert isinstance(template, Template)
        return self.view.text(template, self.state, self.variables, move)

    def members(self, domain: str, op: Any) -> list[int]:
        """Return the values of a loop's domain, in order."""
        assert isinstance(op, Op)
        return self.view.members(domain, op, self.state, self.variables)

    def prepare(self, part: T, *names: str) -> T:
        """Prepare a part of a statement for many values of some variables in the current state."""
        self.variables[MEMO] = {}
        return self.view.prepare(part, *names)

    def write(self, text: str) -> None:
        if self.separator:
            text, self.separator = self.separator + text, ""
        self.target.write(text.encode("utf-8"))
        self.printed += 1
        if self.on_output:
            self.on_output(text, self.site)

    @property
    def site(self) -> Site | None:
        """Return the site of the current statement in the spec."""
        if self.at is None or self.at.site < 0:
            return None
        return self.game.rules.sites[self.at.site]

    def word(self) -> str:
        """Return the next word that is not ignored. Raises EndOfInput."""
        word = self.words.word()
        while self._ignores(word):
            word = self.words.word()
        self.variables["word"] = word
        return word

    def line(self) -> str:
        """Return the words of the next non-blank line, joined by blanks. Raises EndOfInput."""
        words = self.words.line().split()
        while not words:
            words = self.words.line().split()
        self.variables["word"] = " ".join(words)
        return " ".join(words)

    def words_of_line(self) -> Iterator[str]:
        """Yield the words from the next one to the end of its line."""
        yield self.word()
        while not self.words.ends_line():
            word = self.words.word()
            if not self._ignores(word):
                self.variables["word"] = word
                yield word

    def _ignores(self, word: str) -> bool:
        if self.accepted is None:
            return False
        value = number(word)
        return value is None or not self.accepted[0] <= value <= self.accepted[1]


def shortened(text: str) -> str:
    """Shorten a text for a message."""
    shown = "".join(c if c.isprintable() else "?" for c in text[:41])
    return shown if len(shown) <= 40 else shown[:39] + "…"


def to_pairs(words: tuple[str, ...]) -> dict[str, str]:
    """Return the alternating words of a statement as a dictionary."""
    return dict(zip(words[::2], words[1::2], strict=True))
