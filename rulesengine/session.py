"""A game that changes: moves are made and taken back in place."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from rulesengine.errors import UsageError
from rulesengine.state import Move, Outcome, State

if TYPE_CHECKING:
    from types import TracebackType


class Playable(Protocol):
    """The calls of a game that a session makes."""

    @property
    def name(self) -> str: ...

    def legal_moves(self, state: State) -> Sequence[Move]: ...

    def move(self, text: str, state: State | None = None) -> Move: ...

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State: ...

    def outcome(self, state: State) -> Outcome | None: ...

    def svg(self, state: State | None = None, *, last: Move | None = None) -> str: ...


_NO_MOVE = "there is no move to take back: this is where the session began"


class Session:
    """One line of play of a game, from a state on; `game.start()` makes one.

    `push` and `pop` change it; what it gives (states, moves, outcomes) are values that do not. A
    call that raises changes nothing. After `close`, or at the end of a `with`, every call raises
    UsageError.
    """

    __slots__ = ("_game", "_line")

    def __init__(self, game: Playable, state: State) -> None:
        self._game = game
        # The state now, the move that led to it and the same before that; of a state to begin with
        # that alone. A call changes all at once or nothing, wherever an interrupt comes.
        self._line: tuple[Any, ...] = (state,)

    @property
    def game(self) -> Playable:
        """The game whose rules hold."""
        return self._game

    @property
    def state(self) -> State:
        """The state now."""
        self._check()
        now: State = self._line[0]
        return now

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that were made, the first one first."""
        self._check()
        return tuple(self._back())[::-1]

    @property
    def legal(self) -> Sequence[Move]:
        """The legal moves now, none when the game is over."""
        line = self._line
        return self._game.legal_moves(line[0] if line else self.state)

    @property
    def mover(self) -> str:
        """The name of the player to move."""
        return self.state.mover

    def push(self, move: Move | str) -> None:
        """Make a legal move, or that of a text.

        Raises IllegalMoveError for a move that is not legal, NotationError for a text that names
        no cells of this game.
        """
        line = self._line
        if type(move) is not Move or not line:
            move = self._named(move)
        self._line = (self._game.apply(line[0], move), move, line)

    def pop(self) -> Move:
        """Take the last move back, and give it. Raises UsageError at the start."""
        move: Move
        try:
            _, move, self._line = self._line
        except ValueError:
            self._check()
            raise UsageError(_NO_MOVE) from None
        return move

    def outcome(self) -> Outcome | None:
        """How the game has ended, or None while it goes on."""
        line = self._line
        return self._game.outcome(line[0] if line else self.state)

    def copy(self) -> "Session":
        """A session of its own that stands where this one does, with the same moves behind it."""
        self._check()
        made = Session(self._game, self.state)
        made._line = self._line
        return made

    def close(self) -> None:
        """Let go of all states; a session may be closed twice."""
        self._line = ()

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        self.close()

    def __reduce__(self) -> "tuple[Callable[..., Session], tuple[Playable, list[Any]]]":
        """Pickled move by move: what nests as deep as a game is long would be too deep."""
        parts, line = [], self._line
        while line:
            parts.append(line[:2])
            line = line[2] if len(line) > 2 else ()
        return _restored, (self._game, parts[::-1])

    def __len__(self) -> int:
        """How many moves were made."""
        return sum(1 for _ in self._back())

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        if not self._line:
            return f"<Session of {self._game.name}, closed>"
        return f"<Session of {self._game.name}, {len(self)} moves, {self.mover} to move>"

    def __str__(self) -> str:
        return str(self.state)

    def _repr_svg_(self) -> str:
        """The state now with the last move marked, for notebooks."""
        return self._game.svg(self.state, last=next(self._back(), None))

    def _named(self, move: Move | str) -> Move:
        """The move of a text; of a closed session there is none."""
        state = self.state
        return self._game.move(move, state) if isinstance(move, str) else move

    def _back(self) -> Iterator[Move]:
        """The moves that were made, the last one first."""
        line = self._line
        while len(line) > 1:
            _, move, line = line
            yield move

    def _check(self) -> None:
        if not self._line:
            raise _closed()


def _restored(game: Playable, parts: list[Any]) -> Session:
    """A session of the states of its line, each but the first with the move that led to it."""
    line: tuple[Any, ...] = ()
    for part in parts:
        line = (*part, line) if line else part
    session = object.__new__(Session)
    session._game, session._line = game, line
    return session


def _closed() -> UsageError:
    return UsageError("this session is closed")
