"""A batch in the memory of a GPU. Experimental.

Steps, samples, observations and copies of games run on the GPU; all else runs on the CPU, after the
games have been copied there. If a kernel fails in a game, the CPU repeats the step of all games. So
results and errors are those of a batch on the CPU.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from rulesengine.batch.batch import Batch, Batchable
from rulesengine.batch.copies import Copies, check_pairs, is_like
from rulesengine.batch.observations import View
from rulesengine.batch.validate import game_numbers, view_of
from rulesengine.engine.actions import Path
from rulesengine.engine.dispatch import AUTO, CPU, Dispatcher
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.state import State
from rulesengine.support.validate import check_text

if TYPE_CHECKING:
    from typing import TypeGuard

    from rulesengine.batch.validate import Ints, Where, Which
    from rulesengine.engine.kernel.backends.cuda.arrays import DeviceArray
    from rulesengine.engine.kernel.backends.cuda.batch_run import BatchRun, Rows

_FLAG, _NUMBER = "|b1", "<i8"


def batch_of(
    game: Batchable,
    dispatcher: Dispatcher,
    n: int,
    seed: int,
    threads: int,
    restart: bool,
    device: str,
) -> Batch:
    """Return a batch on a device. Raises DeviceError if a named GPU is missing or fails."""
    if check_text("`device`", device) != CPU:
        from rulesengine.engine.kernel.backends.cuda.driver import DeviceError

        try:
            return DeviceBatch(game, dispatcher, n, seed, restart, device)
        except DeviceError as error:
            if device != AUTO:
                raise
            dispatcher.record_device_problem(str(error))
    return Batch(game, dispatcher, n, seed, threads, restart)


class DeviceBatch(Batch):
    """Games in the memory of a GPU; `game.batch(n, device="cuda")` creates them.

    `mover`, `mask`, `over`, `payoffs` and `plies`, and the results of `sample` and `observe`, are
    `DeviceArray`s, which the next call changes. Actions may be an array on the same GPU.
    """

    def __init__(
        self,
        game: Batchable,
        dispatcher: Dispatcher,
        n: int,
        seed: int,
        restart: bool,
        device: str,
    ) -> None:
        self._run: "BatchRun | None" = None
        super().__init__(game, dispatcher, n, seed, 1, restart)
        run = dispatcher.device_batch(device, n, game.actions.splits)
        if run is None:
            from rulesengine.engine.kernel.backends.cuda.driver import DeviceError

            raise DeviceError(dispatcher.device_problem)
        plan = self._plan
        self._plan_at = run.allocate(len(self._own.bytes))
        self._records_at = [run.allocate(len(self._was.bytes)) for _ in range(2)]
        self._shown_at = run.allocate(len(self._shown.bytes))
        self._actions_at, self._sampled_at = (run.allocate(n * WORD) for _ in range(2))
        self._lines_at, self._lines_size = 0, 0
        self._observed_at = self._table_at = 0
        run.put(self._plan_at, self._own.bytes)
        self._taken_on_device = False
        self._is_on_device, self._is_on_host = False, True
        self._run, self._masks_at = run, self._own.numbers[at.MASKS]
        self._move_to_device()
        assert plan.games == n

    # arrays

    @property
    def mover(self) -> Any:
        return self._column(at.MOVERS)

    @property
    def plies(self) -> Any:
        return self._column(at.LENGTHS)

    @property
    def over(self) -> Any:
        place = at.OVER * len(self) * WORD
        return self._array(self._shown_at + place, (len(self),), (WORD,), _FLAG)

    @property
    def payoffs(self) -> Any:
        place, players = at.PAID * len(self) * WORD, self._plan.players
        shape = len(self), players
        return self._array(self._shown_at + place, shape, (players * WORD, WORD), _NUMBER)

    @property
    def mask(self) -> Any:
        shape = len(self), self._plan.actions
        place = self._shown_at + self._masks_at
        return self._array(place, shape, (self._plan.stride, 1), _FLAG)

    def observe(self, view: View | int = "mover") -> Any:
        if self.game.program.hiding:  # players see what the interpreter computes
            return super().observe(view)
        viewer, planes = view_of(view, self._plan.players), self._observed_planes()
        with self._on_device() as run:
            rows, cells = planes.places(), len(self.game.program.form.cells)
            count = len(rows[0])
            if not self._observed_at:
                table = Memory(max(1, len(rows) * count))
                for place, offset in enumerate(offset for row in rows for offset in row):
                    table.numbers[place] = offset
                self._table_at = run.allocate(len(table.bytes))
                run.put(self._table_at, table.bytes)
                self._observed_at = run.allocate(len(self) * count * cells)
            swap = planes.swap_offset if isinstance(viewer, int) else -1
            player = viewer if isinstance(viewer, int) else -1 if viewer == "mover" else 0
            words = self._records_at[0], self._plan.width, count, cells, self._table_at
            sides = planes.side_offset, swap, player, self._observed_at
            if count:
                run.observe(len(self) * count, (*words, *sides))
        strides = count * cells, cells, 1
        return self._array(self._observed_at, (len(self), count, cells), strides, _FLAG)

    def _column(self, number: int) -> "DeviceArray":
        place = number * len(self) * WORD
        return self._array(self._shown_at + place, (len(self),), (WORD,), _NUMBER)

    def _array(
        self, address: int, shape: tuple[int, ...], strides: tuple[int, ...], kind: str
    ) -> "DeviceArray":
        from rulesengine.engine.kernel.backends.cuda.arrays import DeviceArray

        self._move_to_device()
        run = self._used()
        return DeviceArray(address, shape, strides, kind, run.device.number, run.read, run.share)

    # steps on the GPU

    def step(self, actions: Any = None, *, where: "Where" = None) -> "Ints":
        with self._on_device():
            self._request(actions, where)
            return self._advance()

    def sample(self) -> Any:
        with self._on_device() as run:
            memories = self._plan_at, self._lines_at, self._records_at[0], self._shown_at
            done = run.run("sample_games", (*memories, self._sampled_at))
        if done.failed:
            self._move_to_host()
            return super().sample()
        return self._array(self._sampled_at, (len(self),), (WORD,), _NUMBER)

    def _request(self, actions: Any, where: "Where") -> None:
        run = self._used()
        from rulesengine.engine.kernel.backends.cuda.arrays import is_on_gpu

        has_address = is_on_gpu(actions)
        self._taken_on_device = has_address and where is None
        if self._taken_on_device:
            run.take(actions, self._plan.actions, self._actions_at)
        else:
            if has_address:
                import numpy as np

                numbers = run.copied(actions)
                actions = np.frombuffer(numbers, f"<i{len(numbers) // len(self)}")
            self._requests.put(actions, where)
            run.put(self._actions_at, self._requested.bytes)

    def _advance(self) -> "Ints":
        import numpy as np

        run = self._used()
        self._lengthen()
        memories = self._plan_at, self._lines_at, *self._records_at, self._shown_at
        refused_at = self._shown_at + at.REFUSED * len(self) * WORD
        done = run.run("step_games", (*memories, self._actions_at), refused_at)
        if done.failed:
            return self._advance_on_host()
        self._records_at.reverse()
        self._is_on_host = False
        self.refused = self.failed = np.zeros(0, np.int64)
        if done.refused:
            column = run.read(refused_at, len(self) * WORD)
            self.refused = np.frombuffer(column, np.int64).nonzero()[0]
        return self.refused

    def _advance_on_host(self) -> "Ints":
        """Make the step of the requested actions on the CPU, from the records before it."""
        run = self._used()
        run.get(self._actions_at, self._requested.bytes)
        self._is_on_host = False
        self._move_to_host(shown=False)
        self._show_all()
        try:
            return super()._advance()
        finally:
            self._is_on_device = False

    def _lengthen(self) -> None:
        """Make room for one more position in each history."""
        if not self._lines.is_active:
            return
        if self._longest >= self._lines.capacity:
            self._move_to_host()
            self._lengthened()
            self._is_on_device = False
            self._move_to_device()
        else:
            self._longest += 1

    # copies between host and GPU

    def _used(self) -> "BatchRun":
        assert self._run is not None
        return self._run

    @contextmanager
    def _on_device(self) -> "Iterator[BatchRun]":
        """Lock the batch for work on the GPU."""
        with super()._exclusive():
            self._move_to_device()
            yield self._used()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Lock the batch for work on the CPU, which may change the games."""
        with super()._exclusive():
            self._move_to_host()
            try:
                yield
            finally:
                self._is_on_device = False

    def _move_to_device(self) -> None:
        """Copy the games to the GPU, unless they are there."""
        if self._is_on_device:
            return
        run, lines = self._used(), self._lines.memory.bytes
        if len(lines) != self._lines_size:
            if self._lines_size:
                run.release(self._lines_at)
            self._lines_at, self._lines_size = run.allocate(len(lines)), len(lines)
        run.put(self._lines_at, lines)
        run.put(self._records_at[0], self._was.bytes)
        run.put(self._shown_at, self._shown.bytes)
        self._is_on_device = True

    def _move_to_host(self, *, shown: bool = True) -> None:
        """Copy the games to the host, unless they are there."""
        if self._run is None or self._is_on_host:
            return
        run = self._run
        run.get(self._records_at[0], self._was.bytes)
        if self._lines.is_active:
            run.get(self._lines_at, self._lines.memory.bytes)
        if shown:
            run.get(self._shown_at, self._shown.bytes)
        self._is_on_host = True

    def copy_games(self, to: "Which", of: "Which", source: Batch | None = None) -> None:
        other = self if source is None else source
        if not self._shares_gpu(other):
            super().copy_games(to, of, source)
            return
        targets, origins = game_numbers(to, len(self)), game_numbers(of, len(other))
        check_pairs(targets, origins, len(self))
        if not len(targets):
            return
        from rulesengine.engine.kernel.backends.cuda.driver import DeviceMemoryError

        words = targets.tobytes(), origins.tobytes()
        pairs = zip(self._rows(), other._rows(), strict=True)
        rows = [(one, two, size) for (one, size), (two, _) in pairs]
        try:
            with self._on_device() as run, nullcontext() if other is self else other._on_device():
                run.copy_games(*words, rows)
                self._is_on_host = False
        except DeviceMemoryError:  # for the rows, which are read before any is written
            super().copy_games(to, of, source)

    def _shares_gpu(self, other: object) -> "TypeGuard[DeviceBatch]":
        """True if the games of another batch are copied without the host."""
        return (
            isinstance(other, DeviceBatch)
            and is_like(self.game.program, other.game.program)
            and not self._lines.is_active
            and self._used().device is other._used().device
        )

    def _rows(self) -> "list[tuple[Rows, int]]":
        """Return the memory of each part of a game, and its bytes: all but its generator."""
        from rulesengine.engine.kernel.backends.cuda.batch_run import Rows

        plan, shown, games = self._plan, self._shown_at, len(self)
        record = plan.width * WORD
        after = (at.RANDOM + 1) * WORD
        rows = [(Rows(self._records_at[0] + after, record), record - after)]
        columns = range(at.PAID)
        rows += [(Rows(shown + k * games * WORD, WORD), WORD) for k in columns]
        paid, lists = plan.players * WORD, plan.list_size
        rows.append((Rows(shown + at.PAID * games * WORD, paid), paid))
        rows.append((Rows(shown + self._own.numbers[at.LISTS], lists), lists))
        stored_bytes = plan.stored_actions * WORD
        rows.append(
            (Rows(shown + self._own.numbers[at.KEPT_AT] * WORD, stored_bytes), stored_bytes)
        )
        return [*rows, (Rows(shown + self._masks_at, plan.stride), plan.stride)]

    # reads on the CPU

    def numbers(self, view: View | int = "mover") -> "Ints":
        self._move_to_host()
        return super().numbers(view)

    def state(self, number: int) -> State:
        self._move_to_host()
        return super().state(number)

    def taken(self, number: int) -> Path:
        self._move_to_host()
        return super().taken(number)

    def _read_games(self, numbers: "Ints") -> Copies:
        self._move_to_host()
        return super()._read_games(numbers)

    def __reduce__(self) -> tuple[Callable[..., Batch], tuple[Any, ...]]:
        """Return the parts of a pickle, which restores a batch on the CPU."""
        self._move_to_host()
        return super().__reduce__()
