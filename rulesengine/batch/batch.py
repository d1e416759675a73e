"""The batch: games stored as records, each a state and the actions taken of its next move."""

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from rulesengine.batch.bound_steps import BoundSteps
from rulesengine.batch.copies import Copies, check_pairs, is_like
from rulesengine.batch.exclusive_use import ExclusiveUse
from rulesengine.batch.failures import Failure
from rulesengine.batch.histories import Histories
from rulesengine.batch.memory_layout import Arrays, plan_of
from rulesengine.batch.observations import Planes, View
from rulesengine.batch.player_observer import PlayerObserver, observed
from rulesengine.batch.position import Stepper
from rulesengine.batch.protocol import BatchGame
from rulesengine.batch.requests import Requests
from rulesengine.batch.runner import BatchKernels, Work, shares_of
from rulesengine.batch.validate import check_game, chosen_games, game_numbers, view_of
from rulesengine.engine.actions import Path
from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.batch.memories import GameRange, StateMemories
from rulesengine.engine.drivers.batch.step import play_games, sample_games, show_games
from rulesengine.engine.drivers.memory import Memory, signed
from rulesengine.engine.drivers.random import generator, word
from rulesengine.errors import EvaluationError, LimitError, UsageError
from rulesengine.state import State
from rulesengine.support.limits import MAX_PLAYOUTS
from rulesengine.support.validate import check_flag, check_number

if TYPE_CHECKING:
    from rulesengine.batch.validate import Actions as Taken
    from rulesengine.batch.validate import Flags, Ints, Where, Which


class Batchable(BatchGame, Protocol):
    """A game that rebuilds a batch from its pickle."""

    def batch(
        self, n: int, *, seed: int = 0, threads: int = 1, restart: bool = False
    ) -> "Batch": ...


class Batch:
    """Many games of one kind in parallel arrays; `game.batch` creates one.

    The arrays are read-only and change with each step: copy values to keep. One thread at a time
    may use a batch. A call that raises changes nothing, except that a step continues the other
    games when the rules fail in some.

    - `mover`: the number of the player to move, -1 at a chance node, -2 if the game is over.
    - `mask`: the legal actions of each game.
    - `over`: which games are over; `payoffs` are the players' payoffs of these, otherwise 0.
    - `plies`: the plies of each game.
    - `refused`: the games with an illegal action in the last step.
    - `failed`: the games in which the rules failed in the last step; these are unchanged.
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
        self._shown, self._requested = self._plan.observation_memory(self._own), Memory(n)
        self._arrays = Arrays(self._plan, self._own, self._shown)
        self._requests = Requests(self._requested, self._plan.actions)
        self._functions = dispatcher.interpreted.stepped(actions.splits)
        self._lines = Histories(game.program, n)
        self._has_history = self._lines.is_active
        self._longest = 0  # upper bound of the positions in any history
        records, memories = (self._was, self._now), (self._shown, self._requested)
        self._steps = BoundSteps(self._own, records, *memories, self._lines.memory)
        marks = [self._plan.mark(share) for share in range(self._plan.shares)]
        kernels = BatchKernels(dispatcher, actions.splits)
        self._work = Work(self._functions, kernels, self.threads, marks, self._own)
        self._lock, self._none = ExclusiveUse(), np.zeros(0, np.int64)
        self.refused = self.failed = self._none
        self._planes: Planes | None = None
        self._player_observer = PlayerObserver(game) if game.program.hiding else None
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

    # queries

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
        """Return the cell sets of all states as flags: games, planes, cells in reading order.

        `planes` returns their names. Planes of one player precede those of the next. With `mover`
        or a player's number that player's own planes come first, with `absolute` those of the first
        player. In a game with hidden information, planes have only the part that this player sees,
        and with `absolute` that of a spectator.
        """
        viewer = view_of(view, self._plan.players)
        if self._player_observer:
            return self._observed(viewer)[0]
        if isinstance(viewer, int):
            return self._observed_planes().of_player(self._was, viewer)
        return self._observed_planes().observed(self._was, viewer)

    def numbers(self, view: View | int = "mover") -> "Ints":
        """Return the other registers of all states: games, and registers in their order.

        In a game with hidden information, a register that `view` does not see has its initial
        value.
        """
        viewer = view_of(view, self._plan.players)
        if self._player_observer:
            return self._observed(viewer)[1]
        return self._observed_planes().numbers(self._was)

    def planes(self, view: View | int = "mover") -> tuple[str, ...]:
        """Return the names of the planes of `observe`."""
        return self._observed_planes().names(view_of(view, self._plan.players))

    def state(self, number: int) -> State:
        """Return the state of a game, or the state before its unfinished move."""
        check_game(number, len(self))
        place, line = self._place(number), self._lines.at(number)
        before = self._was.numbers[place + at.BEFORE]
        return self._functions.loaded(
            self._was, place + self._plan.state, self._lines.memory, line, 0, before
        )

    def taken(self, number: int) -> Path:
        """Return the actions taken so far of the unfinished move."""
        check_game(number, len(self))
        place = self._place(number)
        count = self._was.numbers[place + at.TAKEN]
        return tuple(self._was.numbers[place + at.PATH : place + at.PATH + count])

    def stepper(self) -> Stepper:
        """Return a stepper, which advances single games action by action without arrays.

        Its `start` is the first position; each position returns its successors.
        """
        return Stepper(self.game, self._dispatcher)

    # mutations

    def step(
        self,
        actions: "Taken" = None,
        *,
        where: "Where" = None,
    ) -> "Ints":
        """Take an action in each game; return the games with an illegal one, as in `refused`.

        Games with an illegal action are unchanged, as are those without their flag in `where`. -1
        is no action. It is for a game that is over, and for a chance node, at which a branch is
        drawn. Without actions those of `sample` are taken. A game that is over is unchanged or,
        with `restart`, restarted, whatever its action. Raises EvaluationError and LimitError for
        the first game in `failed`, after the others have advanced.
        """
        lock = self._lock
        lock.take()
        try:
            self._requests.put(actions, where)
            return self._advance()
        finally:
            lock.release()

    def sample(self) -> "Ints":
        """Draw an action for each game uniformly from the legal ones.

        Chance events are drawn by weight; the action of a game that is over is -1. These are the
        actions of the next step: a second call returns the same.
        """
        with self._exclusive():
            args = (self._states(), self._shown, self._requested)
            self._raise(self._work.games(sample_games, len(self), *args))
            return self._requests.array.copy()

    def playouts(self, games: int, *, seed: int = 0) -> "Ints":
        """Return the total payoff of each player over `games` random games from each state."""
        import numpy as np

        check_number("number of random games", games, 0, MAX_PLAYOUTS)
        check_number("seed", seed)
        with self._exclusive():
            totals = Memory(len(self) * self._plan.players)
            args = (self._states(), totals, games, word(seed))
            self._raise(self._work.games(play_games, len(self), *args, is_long=True))
            payoffs = np.frombuffer(totals.bytes, np.int64)
            return payoffs.reshape(len(self), self._plan.players).copy()

    def reset(self, which: "Which" = None, *, seed: int | None = None) -> None:
        """Restart games, given by number or by a flag each; by default all of them.

        With a seed they then draw as the games of a new batch with this seed.
        """
        check_number("seed", 0 if seed is None else seed)
        with self._exclusive():
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
        """Set the state of a game. Raises UsageError for a state of another game."""
        check_game(number, len(self))
        if not isinstance(state, State) or state.form != self.game.program.form:
            raise UsageError(f"expected a state of {self.game.name}, found {state!r:.60}")
        if state.packed is None:
            raise UsageError("the state has a piece without a symbol")
        with self._exclusive():
            place = self._place(number)
            before = self.state(number)
            current = self._was.numbers[place : place + self._plan.state].tolist()
            try:
                self._write(number, state)
                self._show(number)
            except BaseException:
                self._write(number, before)
                for k, value in enumerate(current):
                    self._was.numbers[place + k] = value
                self._show(number)
                raise

    def copy_games(self, to: "Which", of: "Which", source: "Batch | None" = None) -> None:
        """Set the games `to` to copies of the games `of` of a batch, by default of this one.

        Both are numbers of games or a flag for each game. Each target keeps its own generator. A
        copy includes the number of plies, the actions of an unfinished move and the history. Raises
        UsageError for a batch of another game, for different numbers of games, and for a target
        that occurs twice.
        """
        other = self if source is None else source
        if not isinstance(other, Batch) or not is_like(self.game.program, other.game.program):
            raise UsageError(f"expected a batch of {self.game.name}, found {other!r:.60}")
        targets, origins = game_numbers(to, len(self)), game_numbers(of, len(other))
        check_pairs(targets, origins, len(self))
        with self._exclusive(), nullcontext() if other is self else other._exclusive():
            copies = other._read_games(origins)
            longest = max(self._longest, copies.longest)
            self._lines.grow(longest, self._counts)
            try:
                self._paste(targets, copies)
            except BaseException:
                self._paste(targets, copies)  # an interrupt is raised after completion
                raise
            finally:
                self._longest = longest

    # helpers

    def _advance(self) -> "Ints":
        """Make the step of the requested actions; return the games with an illegal one."""
        ended = self._restarting() if self._has_history else None
        try:
            lines = self._lengthened() if self._has_history else self._lines.memory
            step = self._steps.of(self._was, lines)
            failures = self._work.step(step, self._plan.games, self._restore_output)
            for failure in failures:
                self._copy_unchanged(failure.game)
            self._was, self._now = self._now, self._was
        except BaseException:
            # In this thread: the failure may be that no thread can be started.
            self._arrays.forget()
            self._work.alone(show_games, len(self), self._states(), self._shown)
            raise
        self.refused, self.failed = self._arrays.refused(), self._none
        if failures:
            self._record_failures(failures)
        if ended:
            self._lines.leave(number for number in ended if not self._arrays.over[number])
        if failures:
            self._raise(failures)
        return self.refused

    def _record_failures(self, failures: list[Failure]) -> None:
        """Set `failed`, and update the output of these games."""
        import numpy as np

        self.failed = np.array([failure.game for failure in failures], np.int64)
        for failure in failures:
            self._show(failure.game)

    def _read_games(self, numbers: "Ints") -> Copies:
        """Return the records, outputs and histories of games."""
        records = self._arrays.records(self._was)[numbers]
        lengths = zip(numbers.tolist(), records[:, at.BEFORE].tolist(), strict=True)
        lines = [self._lines.read(*one) for one in lengths] if self._lines.is_active else []
        return Copies(records, self._arrays.outputs(numbers), lines)

    def _paste(self, numbers: "Ints", copies: Copies) -> None:
        """Overwrite games by copies, except their generators."""
        records = self._arrays.records(self._was)
        records[numbers, at.RANDOM + 1 :] = copies.records[:, at.RANDOM + 1 :]
        self._arrays.put_outputs(numbers, copies.outputs)
        for number, line in zip(numbers.tolist(), copies.lines, strict=False):
            self._lines.write(number, 0, [line])

    def _exclusive(self) -> AbstractContextManager[None]:
        """Lock the batch. Raises UsageError if another thread is using it."""
        return self._lock

    def _take(self, records: bytes, states: Sequence[State]) -> None:
        """Restore the contents of a pickle."""
        self._was.bytes[:] = records
        for number, state in enumerate(states):
            self._put(number, state)
        self._raise(self._show_all())

    def _place(self, number: int) -> int:
        return number * self._plan.width

    def _write(self, number: int, state: State) -> None:
        """Set a game to the start of a move in a state, with ply 0."""
        place = self._place(number)
        self._was.numbers[place + at.PLIES] = self._was.numbers[place + at.TAKEN] = 0
        self._put(number, state)

    def _put(self, number: int, state: State) -> None:
        """Write a state into the record of a game, and its history into the game's line."""
        place = self._place(number)
        count = self._lines.put(number, state.history, self._counts)
        self._longest = max(self._longest, count)
        self._was.numbers[place + at.BEFORE], self._was.numbers[place + at.SINCE] = count, 0
        self._functions.saved(state, self._was, place + self._plan.state)

    def _counts(self) -> list[int]:
        """Return the number of positions in the history of each game."""
        width = self._plan.width
        return self._was.numbers[at.BEFORE :: width].tolist()

    def _lengthened(self) -> Memory:
        """Return the histories, with room for one more position in each."""
        if self._has_history:
            if self._longest >= self._lines.capacity:
                self._longest = max(self._counts())
                self._lines.grow(self._longest + 1, self._counts)
            self._longest += 1
        return self._lines.memory

    def _restarting(self) -> list[int]:
        """Return the games that the next step may restart, if they have a history to release."""
        retained = self._lines.retained
        if not self.restart or self._lines.capacity <= retained:
            return []
        games: list[int] = self._arrays.over.nonzero()[0].tolist()
        counts = self._was.numbers
        return [game for game in games if counts[self._place(game) + at.BEFORE] > retained]

    def _sow(self, number: int, seed: int) -> None:
        """Seed the generator of a game."""
        random = generator(word(seed), number)
        self._was.numbers[self._place(number) + at.RANDOM] = signed(random)

    def _copy_unchanged(self, number: int) -> None:
        """Copy the record of a game before the step to the one after it."""
        place = self._place(number)
        end = place + self._plan.width
        self._now.numbers[place:end] = self._was.numbers[place:end]

    def _show(self, number: int) -> None:
        self._arrays.forget(number)
        self._raise(self._work.game(show_games, number, self._states(), self._shown))

    def _restore_output(self, number: int, mark: int) -> None:
        """Restore the output of a game after a kernel has failed in it."""
        self._arrays.forget(number)
        games = GameRange(number, number + 1, mark)
        show_games(self._functions, games, self._states(), self._shown)

    def _show_all(self) -> list[Failure]:
        """Update the output of all games from their records."""
        self._arrays.forget()
        return self._work.games(show_games, len(self), self._states(), self._shown)

    def _show_whole(self) -> list[Failure]:
        """Update the output of all games; an interrupt is raised after completion."""
        try:
            return self._show_all()
        except BaseException:
            self._show_all()
            raise

    def _states(self) -> StateMemories:
        """Return the memories that the outputs are computed from."""
        return StateMemories(self._own, self._lines.memory, self._was)

    def _located_error(self, failure: Failure) -> EvaluationError | LimitError:
        """Return the error of a failure, with game and ply."""
        ply = self._was.numbers[self._place(failure.game) + at.PLIES] + 1
        return type(failure.error)(f"{failure.error} (game {failure.game}, ply {ply})")

    def _raise(self, failures: list[Failure]) -> None:
        for failure in failures:
            raise self._located_error(failure)

    def _observed(self, view: View | int) -> "tuple[Flags, Ints]":
        """Return the planes and registers that the players of a view see."""
        assert self._player_observer
        return observed(self._player_observer, [*map(self.state, range(len(self)))], view)

    def _observed_planes(self) -> Planes:
        if self._planes is None:
            self._planes = Planes(self.game.program, self._plan)
        return self._planes


def _restored(
    game: Batchable, options: tuple[int, int, int, bool], records: bytes, states: Sequence[State]
) -> Batch:
    """Rebuild a batch from its pickle."""
    n, seed, threads, restart = options
    batch = game.batch(n, seed=seed, threads=threads, restart=restart)
    batch._take(records, states)
    return batch


def _require_numpy() -> None:
    from importlib.util import find_spec

    if find_spec("numpy") is None:
        raise UsageError("batches need numpy: install the extra `arrays` of this package")
