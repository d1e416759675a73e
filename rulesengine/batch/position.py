"""Immutable positions of single games, equal to a batch of one game.

A position consists of two byte strings, the record of a game and its output. A step uses the kernel
of a batch, in memory that is allocated once.
"""

from collections.abc import Callable, Sequence
from struct import unpack_from
from threading import Lock
from typing import Any

from rulesengine.batch.histories import HistoryNode, history_of
from rulesengine.batch.protocol import BatchGame
from rulesengine.batch.single import RANDOM_SIZE, Batchable, GameMemory, sown
from rulesengine.engine.actions import Path
from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.memory import WORD
from rulesengine.errors import UsageError
from rulesengine.state import State, packed_state
from rulesengine.support.validate import check_number

CHANCE = -1


class Position:
    """A state of a game, the actions taken of its next move, and the state of its generator.

    Actions are numbered by `game.actions`: each is a step of a move. `mover` is the number of the
    player to move in `game.players`, -1 at a chance node, -2 if the game is over. `payoffs` are
    those of the players, 0 while the game continues; `plies` is the number of plies so far.
    """

    __slots__ = (
        "_alone",
        "_count",
        "_stepper",
        "mover",
        "past",
        "payoffs",
        "plies",
        "record",
        "shown",
    )

    def __init__(
        self, stepper: "Stepper", record: bytes, shown: bytes, past: HistoryNode | None
    ) -> None:
        self._stepper, self._alone = stepper, stepper.alone
        self.record, self.shown, self.past = record, shown, past
        self.mover: int
        self.plies: int
        self.payoffs: list[int]
        self.mover, self.plies, self._count, _, _, *self.payoffs = self._alone.read_outputs(shown)

    @property
    def game(self) -> BatchGame:
        return self._stepper.game

    @property
    def over(self) -> bool:
        return self.mover == at.NOBODY

    @property
    def packed(self) -> bytes:
        """Return the packed bytes of the state."""
        return self.record[self._alone.begin :]

    @property
    def state(self) -> State:
        """Return the state, or the state before the unfinished move."""
        form, past = self.game.program.form, self.past
        return packed_state(form, self.packed, past.state(form) if past else None)

    @property
    def taken(self) -> Path:
        """Return the actions taken so far of the unfinished move."""
        (count,) = unpack_from("<q", self.record, at.TAKEN * WORD)
        return unpack_from(f"<{count}q", self.record, at.PATH * WORD)

    @property
    def legal(self) -> Path:
        """Return the legal actions in the order of their numbers; none at the end."""
        if self._alone.places:
            return tuple(action for action, flag in enumerate(self.mask) if flag)
        return tuple(sorted(unpack_from(f"<{self._count}H", self.shown, self._alone.lists)))

    @property
    def mask(self) -> bytes:
        """Return a byte for each action, 1 if it is legal."""
        return self.shown[self._alone.masks : self._alone.masks + self._alone.actions]

    def is_legal(self, action: int) -> bool:
        alone = self._alone
        try:
            return 0 <= action < alone.actions and self.shown[alone.masks + action] == 1
        except TypeError:
            raise UsageError(f"an action is a whole number, found {action!r:.40}") from None

    def weights(self) -> dict[int, int]:
        """Return the weight of each legal action of a chance node; divide by the sum for
        probabilities.
        """
        counts, taken = dict.fromkeys(self.legal, 0), self.taken
        paths = self.game.actions.paths(self.state)
        for path, weight in zip(paths, self.game.weights(self.state), strict=True):
            if path[: len(taken)] == taken:
                counts[path[len(taken)]] += weight
        return counts

    def after(self, action: int) -> "Position":
        """Return the position after an action. Raises UsageError if it is not legal.

        Raises EvaluationError and LimitError if the rules fail.
        """
        position = self.step_if_legal(action)
        if position is None:
            raise UsageError(f"action {action} is not legal here")
        return position

    def step_if_legal(self, action: int) -> "Position | None":
        """Return the position after an action, or None if it is not legal."""
        return self._stepper.step(self, action) if self.is_legal(action) else None

    def drawn(self) -> "Position":
        """Return the position after a random action, chance events drawn by weight."""
        return self._stepper.step(self, at.DRAWN)

    def restarted(self, seed: int | None = None) -> "Position":
        """Return the initial position; a seed resets the generator to that of a new batch."""
        check_number("seed", 0 if seed is None else seed)
        drawing = self.record[:RANDOM_SIZE] if seed is None else sown(seed)
        return self._stepper.initial(drawing)

    def __str__(self) -> str:
        steps = [f"taken: {self.game.actions[number]}" for number in self.taken]
        return "\n".join([str(self.state), *steps])

    def __reduce__(self) -> tuple[Callable[..., "Position"], tuple[Any, ...]]:
        entries = self.past.entries() if self.past else []
        return _position_of, (self._stepper, self.record, self.shown, entries)

    def __deepcopy__(self, memo: Any) -> "Position":
        return self


class Stepper:
    """Advances positions of one game; `start` is the initial position.

    Threads are serialised by a lock on its memories.
    """

    def __init__(self, game: Batchable, dispatcher: Dispatcher) -> None:
        self.game, self.alone = game, GameMemory(game, dispatcher)
        self._lock = Lock()
        self._loaded: Position | None = None  # the position in the memories, if known
        self._start = self._current()
        self.start = self.initial(sown(0))

    def __reduce__(self) -> tuple[Callable[..., "Stepper"], tuple[Batchable]]:
        return _stepper_of, (self.game,)

    def initial(self, drawing: bytes) -> Position:
        """Return the initial position with a given state of the generator."""
        record = drawing + self._start.record[len(drawing) :]
        return Position(self, record, self._start.shown, self._start.past)

    def step(self, position: Position, action: int) -> Position:
        """Return the position after a legal action or after `at.DRAWN`."""
        with self._lock:
            if self._loaded is not position:
                self.alone.put(position.record, position.shown, position.past)
            self._loaded = None
            self.alone.step(action)
            self._loaded = position_after = self._current()
            return position_after

    def _current(self) -> Position:
        """Return the position in the memories."""
        return Position(self, *self.alone.snapshot())


def _position_of(
    stepper: Stepper, record: bytes, shown: bytes, entries: Sequence[bytes]
) -> Position:
    return Position(stepper, record, shown, history_of(entries))


def _stepper_of(game: Batchable) -> Stepper:
    stepper: Stepper = game.batch(1).stepper()
    return stepper
