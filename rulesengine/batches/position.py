"""Games under way, each by itself: positions that never change, as a batch of one would hold them.

A position is two strings of bytes, the record of a game and what is shown of it. The step to the
next one is that of a batch, by the same kernel, in memory that is there before the call.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from struct import Struct, unpack_from
from threading import Lock
from typing import Any, Protocol

from rulesengine.actions import Path
from rulesengine.batch import layout as at
from rulesengine.batch.stepping import show_games, step_games
from rulesengine.batches.given import check_number
from rulesengine.batches.plan import plan_of
from rulesengine.batches.playable import Playable, functions_of
from rulesengine.batches.work import Functions
from rulesengine.dispatch import Dispatcher
from rulesengine.drivers import generator, word
from rulesengine.errors import EvaluationError, LimitError, UsageError
from rulesengine.interpreter.moving import Steps
from rulesengine.kernel.backends.protocol import Compiled
from rulesengine.memory import WORD, Memory
from rulesengine.state import State, packed_state

CHANCE = -1

_RANDOM = Struct("<Q")  # the first word of a record


class Position:
    """A state of a game, the actions taken so far of its next move, and what it draws by.

    An action is what `game.actions` numbers: a step of a move. `mover` is the number of the player
    to move in `game.players`, -1 where chance is and -2 where the game is over; `payoffs` are what
    the players get, nothing while it goes on; `plies` are those behind it.
    """

    __slots__ = ("_count", "_stepper", "held", "mover", "payoffs", "plies", "record", "shown")

    def __init__(self, stepper: "Stepper", record: bytes, shown: bytes, held: State | None) -> None:
        self._stepper, self.record, self.shown, self.held = stepper, record, shown, held
        self.mover: int
        self.plies: int
        self.payoffs: list[int]
        self.mover, self.plies, self._count, _, _, *self.payoffs = stepper.told(shown)

    @property
    def game(self) -> Playable:
        return self._stepper.game

    @property
    def over(self) -> bool:
        return self.mover == at.NOBODY

    @property
    def packed(self) -> bytes:
        """The bytes of the state."""
        return self.record[self._stepper.begin :]

    @property
    def state(self) -> State:
        """The state; where a move is in hand, that before the move."""
        return self.held or packed_state(self.game.program.form, self.packed)

    @property
    def taken(self) -> Path:
        """The actions taken so far of the move in hand."""
        (count,) = unpack_from("<q", self.record, at.TAKEN * WORD)
        return unpack_from(f"<{count}q", self.record, at.PATH * WORD)

    @property
    def legal(self) -> Path:
        """The actions that may be next, in the order of their numbers; none at the end."""
        return tuple(sorted(unpack_from(f"<{self._count}H", self.shown, self._stepper.lists)))

    @property
    def mask(self) -> bytes:
        """A byte for each action, 1 where it may be next."""
        return self.shown[self._stepper.masks : self._stepper.masks_end]

    def is_legal(self, action: int) -> bool:
        stepper = self._stepper
        return 0 <= action < stepper.actions and self.shown[stepper.masks + action] == 1

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
        drawing = self.record[: _RANDOM.size] if seed is None else _sown(seed)
        return self._stepper.begun(drawing)

    def __str__(self) -> str:
        steps = [f"taken: {self.game.actions[number]}" for number in self.taken]
        return "\n".join([str(self.state), *steps])

    def __reduce__(self) -> tuple[type["Position"], tuple[Any, ...]]:
        return Position, (self._stepper, self.record, self.shown, self.held)

    def __deepcopy__(self, memo: Any) -> "Position":
        return self


class Batch(Protocol):
    def stepper(self) -> "Stepper": ...


class Batchable(Playable, Protocol):
    """A game whose batches give steppers, also to a position that is pickled."""

    def batch(self, n: int, /) -> Batch: ...


class Stepper:
    """Takes positions of one game a step further; `start` is the first one.

    Threads take turns with its memories.
    """

    def __init__(self, game: Batchable, dispatcher: Dispatcher) -> None:
        start, players = game.initial_state(), len(game.program.form.players)
        assert start.packed is not None
        plan = plan_of(game.actions, start.packed, players, games=1, shares=1, restarts=False)
        self.game, self.actions, self.begin = game, plan.actions, plan.state * WORD
        self._plan = plan.memory(game.actions.words())
        self._records = plan.records(), plan.records()
        self._shown, self._given = plan.shown(self._plan), Memory(1)
        self.lists, self.masks = (self._plan.numbers[place] for place in (at.LISTS, at.MASKS))
        self.masks_end = self.masks + self.actions
        self.told = Struct(f"<{at.PAID + players}q").unpack_from
        self._keeps = game.program.keeps_history
        self._functions = _listing_once(functions_of(game.program, dispatcher))
        self._dispatcher = dispatcher
        self._mark, self._place, self._lock = plan.mark(0), plan.state, Lock()
        # What the memories hold: which of the records, and of which position.
        self._turn = 0
        self._held: Position | None = None
        self._calls: list[Callable[[], bool]] = []
        self._is_settled = False
        self._functions.saved(start, self._records[0], self._place)
        show_games(self._functions, 0, 1, self._mark, self._plan, self._records[0], self._shown)
        self._start = self._found(0)
        self.start = self.begun(_sown(0))

    def __reduce__(self) -> tuple[Callable[..., "Stepper"], tuple[Batchable]]:
        return _stepper_of, (self.game,)

    def begun(self, drawing: bytes) -> Position:
        """The start, with the generator in this state."""
        record = drawing + self._start.record[len(drawing) :]
        return Position(self, record, self._start.shown, self._start.held)

    def step(self, position: Position, action: int) -> Position:
        """The position after an action that is legal, or after one that is drawn."""
        with self._lock:
            if self._held is not position:
                self._put(position)
            self._held, self._given.numbers[0] = None, action
            try:
                self._make(self._turn)
            except (EvaluationError, LimitError) as error:
                raise type(error)(f"{error} (ply {position.plies + 1})") from None
            self._turn = 1 - self._turn
            self._held = found = self._found(self._turn)
            return found

    def _put(self, position: Position) -> None:
        """Let the memories hold a position."""
        record = self._records[self._turn]
        record.bytes[:], self._shown.bytes[:] = position.record, position.shown
        if self._keeps:
            self._functions.saved(position.state, record, self._place)

    def _found(self, turn: int) -> Position:
        """The position that the memories hold."""
        record = self._records[turn]
        held = self._functions.loaded(record, self._place) if self._keeps else None
        return Position(self, bytes(record.bytes), bytes(self._shown.bytes), held)

    def _make(self, turn: int) -> None:
        """Make the step: by the kernel, and where there is none or it fails without it."""
        calls = self._calls if self._is_settled else self._bound()
        if not calls or not calls[turn]():
            step_games(self._functions, 0, 1, self._mark, *self._memories(turn))

    def _bound(self) -> list[Callable[[], bool]]:
        """The calls of the kernel that there is by now, from either record to the other."""
        self._is_settled, part = self._dispatcher.is_batch_settled, self._dispatcher.batch()
        self._calls = [self._call_of(part, turn) for turn in (0, 1)] if part else []
        return self._calls

    def _call_of(self, part: Compiled, turn: int) -> Callable[[], bool]:
        given = [memory.bytes for memory in self._memories(turn)]
        return part.bound(step_games.__name__, (0, 1, self._mark, *given))

    def _memories(self, turn: int) -> tuple[Memory, ...]:
        was, now = self._records[turn], self._records[1 - turn]
        return self._plan, was, now, self._shown, self._given


def _listing_once(functions: Functions) -> Functions:
    """The same rules, whose moves of a state are not listed again for the next questions."""
    last: list[tuple[State, Sequence[Steps]]] = []

    def legal(state: State) -> Sequence[Steps]:
        if not last or last[0][0] != state:
            last[:] = [(state, functions.legal(state))]
        return last[0][1]

    return replace(functions, legal=legal)


def _stepper_of(game: Batchable) -> Stepper:
    return game.batch(1).stepper()


def _sown(seed: int) -> bytes:
    """A generator as a new batch has it in its first game."""
    return _RANDOM.pack(generator(word(seed), 0))
