"""What a player is: someone who is asked for moves, and may fail to give one."""

from collections.abc import Sequence
from typing import Protocol

from rulesengine.engine.drivers.random import Generator
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.state import Move, State
from rulesengine.support.frozen import record

ILLEGAL, LATE, CRASH, SILENCE, OUTPUT = "illegal move", "time", "crash", "silence", "output"
SCRIPT = "script"  # what the spec's own script does not let a program do


class Fault(Exception):
    """What a player has done by which it loses; `kind` is one of those above."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind = kind


@record
class Seat:
    """Where a player sits in a game: the player's name, the first state, and a seed."""

    game: Game
    name: str
    start: State
    seed: int


@record
class Turn:
    """What a player is asked: the state, the moves that led there from the start of the game.

    `left` is how many seconds there are, None without a clock, `clocks` those of all seats, and
    `random` what players at random draw from, together with chance. A `job` can stop who thinks.
    """

    state: State
    moves: Sequence[Move]
    random: Generator
    left: float | None = None
    clocks: Sequence[float] = ()
    increment: float = 0.0
    job: Job | None = None


class Player(Protocol):
    """Who makes moves. A player is told of each game before, and closed at the end of all."""

    def begin(self, seat: Seat) -> None:
        """A new game begins; this player has the seat of that name in it."""

    def choose(self, turn: Turn) -> Move | str:
        """A move, or its text in the game's notation. Raises Fault."""

    def end(self, moves: Sequence[Move]) -> None:
        """The game is over, after these moves."""

    def transcript(self) -> str:
        """What was said in this game, if it was said by a program."""

    def close(self) -> None:
        """There are no further games; nothing of the player is left."""


class Quiet:
    """A player that keeps nothing beside its seat: the parts that it does not need."""

    def begin(self, seat: Seat) -> None:
        self.seat = seat

    def end(self, moves: Sequence[Move]) -> None:
        """Nothing is to be told."""

    def transcript(self) -> str:
        return ""

    def close(self) -> None:
        """Nothing is held."""
