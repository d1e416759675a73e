"""The player protocol: a player is queried for moves and may raise a fault instead."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from rulesengine.engine.drivers.random import Generator
from rulesengine.errors import IllegalMoveError, NotationError, RulesError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.state import Move, State
from rulesengine.support.frozen import record

FindMove = Callable[[str, State], Move | None]

HUMAN, RANDOM = "human", "random"
ILLEGAL, LATE, CRASH, SILENCE, OUTPUT = "illegal move", "time", "crash", "silence", "output"
SCRIPT = "script"  # violation of the spec's own script
_MOST_SHOWN = 120  # characters of a text in a message


class Fault(Exception):
    """An error of a player that loses the game; `kind` is one of the constants above."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@record
class Seat:
    """The arguments of `Player.begin`: the game, the player's name, the first state and a seed."""

    game: Game
    name: str
    start: State
    seed: int


@record
class Turn:
    """The arguments of `Player.choose`: the state and the moves since the start of the game.

    `left` is the remaining time in seconds (None without a clock), `clocks` that of all players.
    Random players and chance nodes draw from the same generator, `random`. A `job` can cancel a
    search.
    """

    state: State
    moves: Sequence[Move]
    random: Generator
    left: float | None = None
    clocks: Sequence[float] = ()
    increment: float = 0.0
    job: Job | None = None


@runtime_checkable
class Player(Protocol):
    """A player: `begin` and `end` enclose each game, `close` follows the last one."""

    def begin(self, seat: Seat) -> None:
        """Start a new game in which this player has the name and seed of `seat`."""

    def choose(self, turn: Turn) -> Move | str:
        """Return a move, or its text in the game's notation. Raises Fault."""

    def end(self, moves: Sequence[Move]) -> None:
        """Finish the game; `moves` is the complete list."""

    def transcript(self) -> str:
        """Return the dialogue of this game if the player is a program, else an empty text."""

    def close(self) -> None:
        """Release all resources; there are no further games."""


class BasePlayer:
    """Base class of players without resources or a transcript. It stores the seat only."""

    def begin(self, seat: Seat) -> None:
        self.seat = seat

    def end(self, moves: Sequence[Move]) -> None:
        """Do nothing."""

    def transcript(self) -> str:
        return ""

    def close(self) -> None:
        """Do nothing: there are no resources."""


def legal_move(game: Game, state: State, chosen: Move | str) -> Move:
    """Return the move that a player has chosen. Raises Fault if its text is not a legal move."""
    if isinstance(chosen, Move):
        return chosen
    try:
        return game.move(chosen, state)
    except (NotationError, IllegalMoveError) as error:
        raise Fault(ILLEGAL, cut(str(error))) from None


def notated_move(find: FindMove, state: State, text: str) -> Move:
    """Return the legal move of a text that a program has written. Raises Fault."""
    try:
        move = find(text, state)
    except RulesError:
        move = None
    if move is None:
        raise Fault(ILLEGAL, f"`{cut(text)}` is not legal")
    return move


def cut(text: str, most: int = _MOST_SHOWN) -> str:
    """Return a text as one printable line of at most `most` characters, for messages."""
    shown = " ".join("".join(c if c.isprintable() else " " for c in text[: 2 * most]).split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"
