"""Where a script plays: a game and its state, input and output, and the values of its names."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from rulesengine.engine.interpreter import DECIDED, JUDGE, KEPT, LAST_MOVE
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.language.ir.ops import ON_BOARD, Op
from rulesengine.language.ir.rules import Site, Statement, Template
from rulesengine.script.game_view import View
from rulesengine.script.tokens import Readable, Reading, Words, number
from rulesengine.state import Move, State

if TYPE_CHECKING:
    from rulesengine.engine.drivers.random import Generator

T = TypeVar("T")
Heard = Callable[[str, Site | None], None]


class Failed(Exception):
    """A read or a play that did not succeed; the message is for input without an `else`.

    `given_at` is the line of the input, if it is not the last one that was read.
    """

    def __init__(self, message: str, given_at: int = 0) -> None:
        super().__init__(message)
        self.given_at = given_at


class Stage:
    """What statements read and change.

    `at` is the statement that is being carried out; `words` is the input; `heard` is told all that
    is printed, with the place in the spec of the statement that printed it; `accepted` is the
    range of numbers outside of which words are ignored; `separator` what stands before the next
    output of a round; `free` when the last choice was made, before the first one when the program
    began; `moves` how many have been made in all games, `plies` in this one.
    """

    def __init__(
        self, game: Game, source: Readable, target: BinaryIO, seed: int, age: float = 0.0
    ) -> None:
        self.free = monotonic() - age
        self.loaded = game
        self._seed = seed
        self.words: Reading = Words(source, target.flush)
        self.target = target
        self.heard: Heard | None = None
        self.variables: dict[str, Any] = {"move": "", "word": ""}
        self.on_board: set[str] = set()
        self.accepted: tuple[int, int] | None = None
        self.separator = ""
        self.printed = 0
        self.moves = 0
        self.at: Statement | None = None
        self.take(game)

    @cached_property
    def random(self) -> "Generator":
        """What chance draws from."""
        from rulesengine.engine.drivers.random import Generator  # here: few games have chance

        return Generator(self._seed, 0)

    def take(self, game: Game) -> None:
        """Go on with a game, from its start."""
        self.game, self.view = game, View(game)
        self.variables[JUDGE] = self.view.decide
        self.begin(game.initial_state())

    def begin(self, state: State) -> None:
        """Start a game anew: nothing of the one before is left."""
        self.state = state
        self.plies = 0
        self.variables |= {"move": "", "from": -1, "to": -1}
        self.variables.pop(DECIDED, None)
        self.variables.pop(LAST_MOVE, None)

    def bind(self, **values: int | str) -> None:
        """Go on with the game for other values of parameters. Raises Failed."""
        try:
            game = self.loaded.bind(**{**self.game.parameters, **values})
        except UsageError as error:
            raise Failed(str(error)) from None
        for of_before in self.on_board & self.variables.keys():
            del self.variables[of_before]
        self.take(game)

    @contextmanager
    def local(self, *names: str) -> Iterator[None]:
        """Names that have values of their own for a while; a board takes its cells with it."""
        game, held = self.game, self.on_board & {*names}
        outer = {name: self.variables.get(name) for name in names}
        try:
            yield
        finally:
            self.on_board = self.on_board - {*names} | held
            for name, value in outer.items():
                self.variables.pop(name, None)
                if value is not None and (self.game is game or name not in held):
                    self.variables[name] = value

    def note(self, name: str, op: Any) -> None:
        """Note whether a name has a value that is one of the board."""
        if isinstance(op, Op) and op.type in ON_BOARD:
            self.on_board.add(name)

    @property
    def due(self) -> float:
        """From when on one could think: since input arrived, or since the last choice."""
        return max(self.free, self.words.arrived)

    @property
    def progress(self) -> tuple[object, ...]:
        """How much has been read, printed and played; it never comes again once there is more."""
        return self.words.place, self.printed, self.moves

    def value(self, op: Any, move: Move | None = None) -> Any:
        assert isinstance(op, Op)
        return self.view.value(op, self.state, self.variables, move)

    def text(self, template: Any, move: Move | None = None) -> str:
        """A template filled in."""
        assert isinstance(template, Template)
        return self.view.text(template, self.state, self.variables, move)

    def members(self, domain: str, op: Any) -> list[int]:
        """What a loop goes through, in order."""
        assert isinstance(op, Op)
        return self.view.members(domain, op, self.state, self.variables)

    def asked(self, part: T, *names: str) -> T:
        """A part of a statement that is asked for many values of some variables, from now on."""
        self.variables[KEPT] = {}
        return self.view.asked(part, *names)

    def write(self, text: str) -> None:
        if self.separator:
            text, self.separator = self.separator + text, ""
        self.target.write(text.encode("utf-8"))
        self.printed += 1
        if self.heard:
            self.heard(text, self.site)

    @property
    def site(self) -> Site | None:
        """Where the statement stands that is being carried out."""
        if self.at is None or self.at.site < 0:
            return None
        return self.game.rules.sites[self.at.site]

    def word(self) -> str:
        """The next word that is not to be ignored; raises EndOfInput."""
        word = self.words.word()
        while self._ignores(word):
            word = self.words.word()
        self.variables["word"] = word
        return word

    def line(self) -> str:
        """The words of the next line that has some, with a blank between; raises EndOfInput."""
        words = self.words.line().split()
        while not words:
            words = self.words.line().split()
        self.variables["word"] = " ".join(words)
        return " ".join(words)

    def words_of_line(self) -> Iterator[str]:
        """The words up to the end of the line on which the next one stands."""
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


def cut(text: str) -> str:
    """A text as messages quote it."""
    shown = "".join(c if c.isprintable() else "?" for c in text[:41])
    return shown if len(shown) <= 40 else shown[:39] + "…"


def pairs_of(words: tuple[str, ...]) -> dict[str, str]:
    """Words of a statement that come in pairs."""
    return dict(zip(words[::2], words[1::2], strict=True))
