"""Games under way, each by itself: positions that never change, as a batch of one would hold them.

A position is two strings of bytes, the record of a game and what is shown of it. The step to the
next one is that of a batch, by the same kernel, in memory that is there before the call.
"""

from collections.abc import Callable, Sequence
from struct import unpack_from
from threading import Lock
from typing import Any

from rulesengine.batch.histories import Past, past_of
from rulesengine.batch.protocol import Playable
from rulesengine.batch.single import RANDOM_SIZE, Alone, Batchable, sown
from rulesengine.engine.actions import Path
from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.memory import WORD
from rulesengine.errors import UsageError
from rulesengine.state import State, packed_state
from rulesengine.support.validate import check_number

CHANCE = -1


class Position:
    """A state of a game, the actions taken so far of its next move, and what it draws by.

    An action is what `game.actions` numbers: a step of a move. `mover` is the number of the player
    to move in `game.players`, -1 where chance is and -2 where the game is over; `payoffs` are what
    the players get, nothing while it goes on; `plies` are those behind it.
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

    def __init__(self, stepper: "Stepper", record: bytes, shown: bytes, past: Past | None) -> None:
        self._stepper, self._alone = stepper, stepper.alone
        self.record, self.shown, self.past = record, shown, past
        self.mover: int
        self.plies: int
        self.payoffs: list[int]
        self.mover, self.plies, self._count, _, _, *self.payoffs = self._alone.told(shown)

    @property
    def game(self) -> Playable:
        return self._stepper.game

    @property
    def over(self) -> bool:
        return self.mover == at.NOBODY

    @property
    def packed(self) -> bytes:
        """The bytes of the state."""
        return self.record[self._alone.begin :]

    @property
    def state(self) -> State:
        """The state; where a move is in hand, that before the move."""
        form, past = self.game.program.form, self.past
        return packed_state(form, self.packed, past.state(form) if past else None)

    @property
    def taken(self) -> Path:
        """The actions taken so far of the move in hand."""
        (count,) = unpack_from("<q", self.record, at.TAKEN * WORD)
        return unpack_from(f"<{count}q", self.record, at.PATH * WORD)

    @property
    def legal(self) -> Path:
        """The actions that may be next, in the order of their numbers; none at the end."""
        return tuple(sorted(unpack_from(f"<{self._count}H", self.shown, self._alone.lists)))

    @property
    def mask(self) -> bytes:
        """A byte for each action, 1 where it may be next."""
        return self.shown[self._alone.masks : self._alone.masks + self._alone.actions]

    def is_legal(self, action: int) -> bool:
        alone = self._alone
        try:
            return 0 <= action < alone.actions and self.shown[alone.masks + action] == 1
        except TypeError:
            raise UsageError(f"an action is a whole number, found {action!r:.40}") from None

    def weights(self) -> dict[int, int]:
        """How often chance takes each action that may be next, by the sum of all."""
        found, taken = dict.fromkeys(self.legal, 0), self.taken
        paths = self.game.actions.paths(self.state)
        for path, weight in zip(paths, self.game.weights(self.state), strict=True):
            if path[: len(taken)] == taken:
                found[path[len(taken)]] += weight
        return found

    def after(self, action: int) -> "Position":
        """The position after an action. Raises UsageError for one that is not legal.

        EvaluationError and LimitError where the rules fail.
        """
        found = self.tried(action)
        if found is None:
            raise UsageError(f"action {action} is not legal here")
        return found

    def tried(self, action: int) -> "Position | None":
        """The same; None for an action that is not legal."""
        return self._stepper.step(self, action) if self.is_legal(action) else None

    def drawn(self) -> "Position":
        """The position after an action that is drawn, by chance with the weights of the rules."""
        return self._stepper.step(self, at.DRAWN)

    def anew(self, seed: int | None = None) -> "Position":
        """The start: with a seed it draws what that of any batch of it would, else it goes on."""
        check_number("seed", 0 if seed is None else seed)
        drawing = self.record[:RANDOM_SIZE] if seed is None else sown(seed)
        return self._stepper.begun(drawing)

    def __str__(self) -> str:
        steps = [f"taken: {self.game.actions[number]}" for number in self.taken]
        return "\n".join([str(self.state), *steps])

    def __reduce__(self) -> tuple[Callable[..., "Position"], tuple[Any, ...]]:
        entries = self.past.entries() if self.past else []
        return _position_of, (self._stepper, self.record, self.shown, entries)

    def __deepcopy__(self, memo: Any) -> "Position":
        return self


class Stepper:
    """Takes positions of one game a step further; `start` is the first one.

    Threads take turns with its memories.
    """

    def __init__(self, game: Batchable, dispatcher: Dispatcher) -> None:
        self.game, self.alone = game, Alone(game, dispatcher)
        self._lock = Lock()
        self._held: Position | None = None  # what the memories hold, if that is known
        self._start = self._found()
        self.start = self.begun(sown(0))

    def __reduce__(self) -> tuple[Callable[..., "Stepper"], tuple[Batchable]]:
        return _stepper_of, (self.game,)

    def begun(self, drawing: bytes) -> Position:
        """The start, with the generator in this state."""
        record = drawing + self._start.record[len(drawing) :]
        return Position(self, record, self._start.shown, self._start.past)

    def step(self, position: Position, action: int) -> Position:
        """The position after an action that is legal, or after one that is drawn."""
        with self._lock:
            if self._held is not position:
                self.alone.put(position.record, position.shown, position.past)
            self._held = None
            self.alone.step(action)
            self._held = found = self._found()
            return found

    def _found(self) -> Position:
        """The position that the memories hold."""
        return Position(self, *self.alone.kept())


def _position_of(
    stepper: Stepper, record: bytes, shown: bytes, entries: Sequence[bytes]
) -> Position:
    return Position(stepper, record, shown, past_of(entries))


def _stepper_of(game: Batchable) -> Stepper:
    found: Stepper = game.batch(1).stepper()
    return found
