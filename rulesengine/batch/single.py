"""The memories of a batch of one game, and the step in them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from struct import Struct
from typing import Any, Protocol

from rulesengine.batch.histories import Histories, HistoryNode
from rulesengine.batch.kernel_arguments import kernel_arguments
from rulesengine.batch.memory_layout import plan_of
from rulesengine.batch.player_views import Views
from rulesengine.batch.protocol import BatchGame
from rulesengine.batch.runner import Functions
from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.batch.memories import GameRange, StateMemories, StepMemories
from rulesengine.engine.drivers.batch.observation import step_viewed, view
from rulesengine.engine.drivers.batch.step import show_games, step_games
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.engine.drivers.random import generator, word
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.move_execution import Steps
from rulesengine.engine.interpreter_driver import move_functions
from rulesengine.engine.kernel.backends.protocol import CompiledModule
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.state import State

RANDOM_SIZE = WORD  # the generator is the first word of a record


class Batch(Protocol):
    def stepper(self) -> Any: ...


class Batchable(BatchGame, Protocol):
    """A game that makes steppers; positions in a pickle are rebuilt from one."""

    def batch(self, n: int, /) -> Batch: ...


class GameMemory:
    """One game in memory: `record` is its state, `shown` the output derived from it.

    A step reads one of two records and writes the other, then they are swapped. With `views` it
    also writes the observation of the player to move, or those of all players at the end.
    """

    def __init__(self, game: Batchable, dispatcher: Dispatcher, *, is_viewed: bool = False) -> None:
        start, players = game.initial_state(), len(game.program.form.players)
        assert start.packed is not None
        plan = plan_of(game.actions, start.packed, players, games=1, shares=1, restarts=False)
        self.places = plan.cells > 0
        self.game, self.actions, self.begin = game, plan.actions, plan.state * WORD
        self._players = players
        self._splits = game.actions.splits
        self.end = plan.width * WORD
        self._plan = plan.memory(game.actions.words())
        self.records = plan.records(), plan.records()
        self.views = Views(game.program, plan) if is_viewed else None
        self.shown, self._requested = plan.observation_memory(self._plan), Memory(1)
        self.lists, self.masks = (self._plan.numbers[place] for place in (at.LISTS, at.MASKS))
        self.read_outputs = Struct(f"<{at.PAID + players}q").unpack_from
        interpreted = dispatcher.interpreted
        self._functions = _listing_once(interpreted.machine, interpreted.stepped(self._splits))
        self.lines = Histories(game.program, 1)
        self._has_history = self.lines.is_active
        self.past: HistoryNode | None = None  # the history before the game
        self._dispatcher = dispatcher
        self._mark, self._place = plan.mark(0), plan.state
        self.turn = 0  # the index of the current record
        self._calls: list[Callable[[], bool]] = []
        self._view_calls: list[list[Callable[[], bool]]] = []  # by record and player
        self._is_settled = False
        self._functions.saved(start, self.record, self._place)
        self.show()

    @property
    def record(self) -> Memory:
        return self.records[self.turn]

    def viewed(self) -> "GameMemory":
        """Return separate memories for the same game, at its start, with `views`."""
        return GameMemory(self.game, self._dispatcher, is_viewed=True)

    def snapshot(self) -> tuple[bytes, bytes, HistoryNode | None]:
        """Return the arguments of `put`: record, output and history."""
        return bytes(self.record.bytes[: self.end]), bytes(self.shown.bytes), self.past

    def put(self, record: bytes, shown: bytes, past: HistoryNode | None) -> None:
        """Load a game into the memories."""
        if past is not self.past:
            self._grow_history(past.count if past else 0)
            self.lines.turn(self.past, past)
            self.past = past
        self.record.bytes[: self.end], self.shown.bytes[:] = record, shown

    def show(self) -> None:
        """Recompute the output from the record."""
        self.shown.bytes[:] = bytes(len(self.shown.bytes))
        states = StateMemories(self._plan, self.lines.memory, self.record)
        show_games(self._functions, GameRange(0, 1, self._mark), states, self.shown)

    def step(self, action: int) -> None:
        """Take a legal action or `at.DRAWN`, by the kernel if there is one.

        Falls back to the interpreter if the kernel fails. Raises EvaluationError and LimitError
        with the ply.
        """
        self._requested.numbers[0], turn, keeps = action, self.turn, self._has_history
        if keeps:
            self._grow_history(self.records[turn].numbers[at.BEFORE] + 1)
        calls = self._calls if self._is_settled else self._bound()
        if not calls:
            self._step_without(turn)
        elif not calls[turn]():
            self.show()  # the kernel's partial output is invalid
            self._step_without(turn)
        if keeps:
            count = self.records[1 - turn].numbers[at.BEFORE]
            self.past, self.turn = self.lines.lengthened(self.past, count), 1 - turn
        else:
            self.turn = 1 - turn

    def view(self, player: int) -> None:
        """Write the view of a player into `views`."""
        looks = self._view_calls if self._is_settled else self._bound() and self._view_calls
        if not (looks and looks[self.turn][player]()):
            assert self.views
            view(player, self._plan, self.record, self.shown, self.views.memory)

    def _grow_history(self, count: int) -> None:
        """Grow the history to `count` positions."""
        if self.lines.grow(count, lambda: [self.past.count if self.past else 0]):
            self._is_settled = False  # calls are bound to the old memory

    def _step_without(self, turn: int) -> None:
        memories = self._memories(turn)
        try:
            if self.views:
                step_viewed(self._functions, self._mark, memories, self.views.memory)
            else:
                step_games(self._functions, GameRange(0, 1, self._mark), memories)
        except (EvaluationError, LimitError) as error:
            ply = self.record.numbers[at.PLIES] + 1
            raise type(error)(f"{error} (ply {ply})") from None

    def _bound(self) -> list[Callable[[], bool]]:
        """Return the bound calls of the kernel compiled so far, from either record to the other."""
        self._is_settled = self._dispatcher.is_batch_settled(self._splits)
        part = self._dispatcher.batch(self._splits)
        self._calls = [self._call_of(part, turn) for turn in (0, 1)] if part else []
        self._view_calls = [self._bind_views(part, turn) for turn in (0, 1)] if part else []
        return self._calls

    def _call_of(self, part: CompiledModule, turn: int) -> Callable[[], bool]:
        arguments = kernel_arguments([self._memories(turn)])
        if self.views:
            views = self.views.memory.bytes
            return part.bound(step_viewed.__name__, (self._mark, *arguments, views))
        return part.bound(step_games.__name__, (0, 1, self._mark, *arguments))

    def _bind_views(self, part: CompiledModule, turn: int) -> list[Callable[[], bool]]:
        if not self.views:
            return []
        memories = self._plan, self.records[turn], self.shown, self.views.memory
        arguments = [memory.bytes for memory in memories]
        return [part.bound(view.__name__, (k, *arguments)) for k in range(self._players)]

    def _memories(self, turn: int) -> StepMemories:
        records = self.records[turn], self.records[1 - turn]
        return StepMemories(self._plan, self.lines.memory, *records, self.shown, self._requested)


def sown(seed: int) -> bytes:
    """Return the generator of the first game of a new batch with a seed."""
    return generator(word(seed), 0).to_bytes(RANDOM_SIZE, "little")


def _listing_once(machine: Interpreter, functions: Functions) -> Functions:
    """Wrap the rules so that the legal moves of the last state are cached."""
    last: list[tuple[State, Sequence[Steps]]] = []

    def legal(state: State) -> Sequence[Steps]:
        if not last or last[0][0] != state:
            last[:] = [(state, functions.legal(state))]
        return last[0][1]

    return replace(functions, legal=legal, **move_functions(machine, legal))
