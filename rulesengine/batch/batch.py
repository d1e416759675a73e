"""A batch: as many games as are asked for, each a state and the steps taken of a move in hand."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from rulesengine.batch.failures import Failure
from rulesengine.batch.histories import Lines
from rulesengine.batch.memory_layout import Arrays, plan_of
from rulesengine.batch.observations import Planes, View
from rulesengine.batch.position import Stepper
from rulesengine.batch.protocol import Playable
from rulesengine.batch.runner import Work, shares_of
from rulesengine.batch.validate import (
    check_game,
    chosen_games,
    let_rest,
    put_actions,
    view_of,
)
from rulesengine.engine.actions import Path
from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.batch.step import play_games, sample_games, show_games, step_games
from rulesengine.engine.drivers.memory import Memory, signed
from rulesengine.engine.drivers.random import generator, word
from rulesengine.errors import EvaluationError, LimitError, UsageError
from rulesengine.state import State
from rulesengine.support.limits import MAX_PLAYOUTS
from rulesengine.support.validate import check_flag, check_number

if TYPE_CHECKING:
    from rulesengine.batch.validate import Actions as Taken
    from rulesengine.batch.validate import Flags, Ints, Where, Which


class Batchable(Playable, Protocol):
    """A game that makes a batch again from its pickle."""

    def batch(
        self, n: int, *, seed: int = 0, threads: int = 1, restart: bool = False
    ) -> "Batch": ...


class Batch:
    """So many games of one kind side by side; `game.batch` makes one.

    The arrays cannot be written, and change with each step: copy what is to stay. `mover` is the
    number of the player to move, -1 where chance is and -2 where the game is over; `mask` tells
    which actions are legal, `over` which games are over, `payoffs` what each player of these gets
    (else 0), `plies` how many plies a game has had. `refused` are the games whose action was not
    legal at the last step, `failed` those that the rules failed in. A call that raises changes
    nothing, but for games that the rules themselves have failed in, which stay as they were while
    others go on. One thread at a time may use a batch.
    """

    def __init__(
        self,
        game: Batchable,
        dispatcher: Dispatcher,
        n: int,
        seed: int,
        threads: int,
        restart: bool,
    ) -> None:
        _require_numpy()
        import numpy as np

        check_number("number of games", n, 1)
        check_number("number of threads", threads, 1)
        check_number("seed", seed)
        check_flag("`restart`", restart)
        self.game, self.seed, self.restart = game, seed, restart
        self._dispatcher = dispatcher
        self.threads = min(threads, os.cpu_count() or 1, n)
        actions, start = game.actions, game.initial_state()
        players = len(game.program.form.players)
        assert start.packed is not None
        self._plan = plan_of(actions, start.packed, players, n, shares_of(n, self.threads), restart)
        self._was, self._now = self._plan.records(), self._plan.records()
        self._own = self._plan.memory(actions.words())
        self._shown, self._given = self._plan.shown(self._own), Memory(n)
        self._arrays = Arrays(self._plan, self._own, self._shown)
        self._functions = dispatcher.interpreted.stepped(actions.splits)
        self._lines = Lines(game.program, n)
        self._longest = 0  # no line has more positions
        marks = [self._plan.mark(share) for share in range(self._plan.shares)]
        kernels = partial(dispatcher.batch, actions.splits)
        beside = partial(dispatcher.batch_runs_beside, actions.splits)
        self._work = Work(self._functions, kernels, beside, self.threads, marks, self._own)
        self._lock = Lock()
        self.refused, self.failed = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self._planes: Planes | None = None
        self._functions.saved(start, self._own, self._own.numbers[at.START])
        for number in range(n):
            self._write(number, start)
            self._sow(number, seed)
        self._raise(self._show_all())

    def __len__(self) -> int:
        return self._plan.games

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} x {self.game.name!r}>"

    def __reduce__(self) -> tuple[Callable[..., "Batch"], tuple[Any, ...]]:
        states = tuple(map(self.state, range(len(self))))
        options = (len(self), self.seed, self.threads, self.restart)
        return _restored, (self.game, options, bytes(self._was.bytes[:]), states)

    # what is there to see

    @property
    def mover(self) -> "Ints":
        return self._arrays.mover

    @property
    def mask(self) -> "Flags":
        return self._arrays.mask

    @property
    def over(self) -> "Flags":
        return self._arrays.over

    @property
    def payoffs(self) -> "Ints":
        return self._arrays.payoffs

    @property
    def plies(self) -> "Ints":
        return self._arrays.plies

    def observe(self, view: View | int = "mover") -> "Flags":
        """The sets of cells of all states, as flags: games, planes, cells in reading order.

        `planes` names them. Those of a player come before the next one's: from the mover's side,
        or that of a player by the number, its own are the first, absolutely the first side's.
        """
        asked = view_of(view, self._plan.players)
        if isinstance(asked, int):
            return self._looked().of_player(self._was, asked)
        return self._looked().observed(self._was, asked)

    def numbers(self) -> "Ints":
        """What else the states hold: games, and the registers that are no sets, in their order."""
        return self._looked().numbers(self._was)

    def planes(self, view: View | int = "mover") -> tuple[str, ...]:
        """What each plane of `observe` shows, in words."""
        return self._looked().names(view_of(view, self._plan.players))

    def state(self, number: int) -> State:
        """The state of a game; where a move is in hand, that before the move."""
        check_game(number, len(self))
        place, line = self._place(number), self._lines.at(number)
        before = self._was.numbers[place + at.BEFORE]
        return self._functions.loaded(
            self._was, place + self._plan.state, self._lines.memory, line, before
        )

    def taken(self, number: int) -> Path:
        """The actions taken so far of the move in hand."""
        check_game(number, len(self))
        place = self._place(number)
        count = self._was.numbers[place + at.TAKEN]
        return tuple(self._was.numbers[place + at.PATH : place + at.PATH + count])

    def stepper(self) -> Stepper:
        """What takes single games from action to action, as a batch of one does, without arrays.

        Its `start` is a position, which gives those after it.
        """
        return Stepper(self.game, self._dispatcher)

    # what changes it

    def step(
        self,
        actions: "Taken" = None,
        *,
        where: "Where" = None,
    ) -> "Ints":
        """Take an action in each game; gives those where it is not legal, as `refused` does.

        These stay as they are. Flags may tell `where`: all other games rest. -1 stands for no
        action, in a game that is over or where chance is to move: it is drawn. Without actions
        those are taken that `sample` gives. A game that is over rests, or with `restart` begins
        anew, whatever its action. Raises EvaluationError and LimitError where the rules fail in a
        game, for the first one of those that `failed` tells; all others have gone on.
        """
        import numpy as np

        with self._alone():
            given = np.frombuffer(self._given.bytes, np.int64)
            put_actions(actions, self._plan.actions, given)
            let_rest(where, given)
            ended = self._ended()
            try:
                lines = self._lengthened()
                memories = (self._own, lines, self._was, self._now, self._shown, self._given)
                failures = self._work.games(step_games, len(self), *memories, mend=self._mend)
                for failure in failures:
                    self._stay(failure.game)
                self._was, self._now = self._now, self._was
            except BaseException:
                self._show_all()
                raise
            self.refused = self._arrays.refused.nonzero()[0]
            self.failed = np.array([failure.game for failure in failures], np.int64)
            for failure in failures:
                self._show(failure.game)
            self._lines.leave(number for number in ended if not self._arrays.over[number])
            self._raise(failures)
            return self.refused

    def sample(self) -> "Ints":
        """An action for each game, drawn from those that are legal, each as likely as another.

        What chance does is drawn by its weights; in a game that is over it is -1. The actions are
        those of the next step: a second call gives the same.
        """
        import numpy as np

        with self._alone():
            memories = (self._own, self._lines.memory, self._was, self._shown, self._given)
            self._raise(self._work.games(sample_games, len(self), *memories))
            return np.frombuffer(self._given.bytes, np.int64).copy()

    def playouts(self, games: int, *, seed: int = 0) -> "Ints":
        """What each player gets in all of so many random games from each state, in sum."""
        import numpy as np

        check_number("number of random games", games, 0, MAX_PLAYOUTS)
        check_number("seed", seed)
        with self._alone():
            totals = Memory(len(self) * self._plan.players)
            memories = (self._own, self._lines.memory, self._was, totals, games, word(seed))
            self._raise(self._work.games(play_games, len(self), *memories, is_long=True))
            found = np.frombuffer(totals.bytes, np.int64)
            return found.reshape(len(self), self._plan.players).copy()

    def reset(self, which: "Which" = None, *, seed: int | None = None) -> None:
        """Begin games anew, by their numbers or a flag for each; all of them if none are told.

        With a seed they draw from then on what those of a new batch would.
        """
        check_number("seed", 0 if seed is None else seed)
        with self._alone():
            start = self.game.initial_state()
            numbers = chosen_games(which, len(self))
            for number in numbers:
                self._write(number, start)
                if seed is not None:
                    self._sow(number, seed)
            self._lines.leave(numbers)
            if len(numbers) == 1:
                self._show(numbers[0])
            else:
                self._raise(self._show_whole())

    def set_state(self, number: int, state: State) -> None:
        """Let a game go on from a state. Raises UsageError for a state of another game."""
        check_game(number, len(self))
        if not isinstance(state, State) or state.form != self.game.program.form:
            raise UsageError(f"expected a state of {self.game.name}, found {state!r:.60}")
        if state.packed is None:
            raise UsageError("the state holds a piece that has no symbol")
        with self._alone():
            place = self._place(number)
            before = self.state(number)
            kept = self._was.numbers[place : place + self._plan.state].tolist()
            try:
                self._write(number, state)
                self._show(number)
            except BaseException:
                self._write(number, before)
                for k, value in enumerate(kept):
                    self._was.numbers[place + k] = value
                self._show(number)
                raise

    # inside

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Raises UsageError where another thread is at work with this batch."""
        if not self._lock.acquire(blocking=False):
            raise UsageError("another thread is at work with this batch: give each its own")
        try:
            yield
        finally:
            self._lock.release()

    def _take(self, records: bytes, states: Sequence[State]) -> None:
        """Go on from what a pickle holds."""
        self._was.bytes[:] = records
        for number, state in enumerate(states):
            self._put(number, state)
        self._raise(self._show_all())

    def _place(self, number: int) -> int:
        return number * self._plan.width

    def _write(self, number: int, state: State) -> None:
        """Let a game be at the begin of a move in a state, with no plies behind it."""
        place = self._place(number)
        self._was.numbers[place + at.PLIES] = self._was.numbers[place + at.TAKEN] = 0
        self._put(number, state)

    def _put(self, number: int, state: State) -> None:
        """Let a record and a line have a state and the positions before it."""
        place = self._place(number)
        count = self._lines.put(number, state.history, self._counts)
        self._longest = max(self._longest, count)
        self._was.numbers[place + at.BEFORE] = count
        self._functions.saved(state, self._was, place + self._plan.state)

    def _counts(self) -> list[int]:
        """How many positions the line of each game has."""
        width = self._plan.width
        return self._was.numbers[at.BEFORE :: width].tolist()

    def _lengthened(self) -> Memory:
        """The lines, with room for one more position in each."""
        if self._lines.keeps:
            if self._longest >= self._lines.capacity:
                self._longest = max(self._counts())
                self._lines.make_room(self._longest + 1, self._counts)
            self._longest += 1
        return self._lines.memory

    def _ended(self) -> list[int]:
        """The games that may begin anew, and leave positions behind."""
        if not (self.restart and self._lines.keeps):
            return []
        found: list[int] = self._arrays.over.nonzero()[0].tolist()
        return found

    def _sow(self, number: int, seed: int) -> None:
        """Let a game draw what it does of a seed."""
        random = generator(word(seed), number)
        self._was.numbers[self._place(number) + at.RANDOM] = signed(random)

    def _stay(self, number: int) -> None:
        """Let a game be after a step what it was before it."""
        place = self._place(number)
        end = place + self._plan.width
        self._now.numbers[place:end] = self._was.numbers[place:end]

    def _show(self, number: int) -> None:
        self._arrays.forget(number)
        self._raise(self._work.game(show_games, number, *self._seen()))

    def _mend(self, number: int, mark: int) -> None:
        """Show a game as it was before the step that a kernel has failed in."""
        self._arrays.forget(number)
        show_games(self._functions, number, number + 1, mark, *self._seen())

    def _show_all(self) -> list[Failure]:
        """Show all games as their records are."""
        self._arrays.forget()
        return self._work.games(show_games, len(self), *self._seen())

    def _show_whole(self) -> list[Failure]:
        """The same; an interrupt is heard when all are shown."""
        try:
            return self._show_all()
        except BaseException:
            self._show_all()
            raise

    def _seen(self) -> tuple[Memory, ...]:
        """What a game is shown from, and where."""
        return self._own, self._lines.memory, self._was, self._shown

    def _told(self, failure: Failure) -> EvaluationError | LimitError:
        """What has failed, with the game and the ply."""
        ply = self._was.numbers[self._place(failure.game) + at.PLIES] + 1
        return type(failure.error)(f"{failure.error} (game {failure.game}, ply {ply})")

    def _raise(self, failures: list[Failure]) -> None:
        for failure in failures:
            raise self._told(failure)

    def _looked(self) -> Planes:
        if self._planes is None:
            self._planes = Planes(self.game.program, self._plan)
        return self._planes


def _restored(
    game: Batchable, options: tuple[int, int, int, bool], records: bytes, states: Sequence[State]
) -> Batch:
    """A batch from its pickle."""
    n, seed, threads, restart = options
    batch = game.batch(n, seed=seed, threads=threads, restart=restart)
    batch._take(records, states)
    return batch


def _require_numpy() -> None:
    from importlib.util import find_spec

    if find_spec("numpy") is None:
        raise UsageError("batches need numpy: install the extra `arrays` of this package")
