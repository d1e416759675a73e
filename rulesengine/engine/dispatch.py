"""Dispatch of the calls of a game to the interpreter or to compiled kernels. See decision 015."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, TypeVar

from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.move_execution import Steps
from rulesengine.engine.interpreter_driver import InterpreterFunctions
from rulesengine.engine.kernel.selection import ENGINES, Engine, Selector, unknown_engine
from rulesengine.engine.moves import packed_moves, packed_words
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language import rules_cache
from rulesengine.state import (
    GOES_ON,
    WINNERS,
    Outcome,
    Playouts,
    Record,
    State,
)
from rulesengine.support.frozen import record, replace
from rulesengine.support.validate import check_choice, check_kind, check_text

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.cuda.batch_run import BatchRun
    from rulesengine.engine.kernel.backends.cuda.driver import Driver
    from rulesengine.engine.kernel.backends.protocol import CompiledModule
    from rulesengine.engine.kernel.device_runs import DeviceRuns
    from rulesengine.engine.kernel.kernels import Fasts, Kernels

T = TypeVar("T")

# With two moves a ply, more plies than these are worth every kernel.
_DEEP = 40
CPU, AUTO = "cpu", "auto"  # devices
_LANES = "cuda lanes"  # the part of the code of a GPU
_BATCH = "batch", "halves"  # the parts of batches, without and with split steps


@record
class PlayoutSettings:
    """The settings of random games.

    - `games`: their number.
    - `seed`: that of their random generators.
    - `threads`: the threads of native kernels.
    - `device`: `cpu`, a GPU (`cuda`, `cuda:1`), or `auto` for the first GPU if there is one.
    """

    games: int
    seed: int
    threads: int = 1
    device: str = CPU


@record
class PerftSettings:
    """The settings of a perft count.

    - `depth`: its plies.
    - `keep`: True if games that end earlier count.
    - `free`: True if a pass takes no ply.
    - `bulk`: True if the last moves are counted without being made.
    - `device`: as for `PlayoutSettings`.
    """

    depth: int
    keep: bool = False
    free: bool = False
    bulk: bool = True
    device: str = CPU


def engine_named(name: str) -> Engine:
    """Return the engine of a name. Raises UsageError."""
    for engine in ENGINES:
        if engine == name:
            return engine
    check_text("engine", name)
    raise UsageError(unknown_engine(name))


class Dispatcher:
    """The calls of a game, run by the interpreter or by kernels with the same results.

    Single calls move to kernels once such calls have taken long. Counts and random games use
    kernels if they have many steps. `quick` is the kernel code with built-in functions, if `fasts`
    describes any. `tables` has the transposition tables that searches keep from move to move.
    `method` is the search method by time alone, once a trial has chosen it. `open_driver` replaces
    the driver of GPUs.
    """

    def __init__(self, machine: Interpreter, engine: Engine, fasts: "Fasts | None" = None) -> None:
        self.machine = machine
        self.interpreted = InterpreterFunctions(machine)
        self.selector = Selector(machine, engine, rules_cache.KernelCache(), fasts=fasts)
        self.quick: "CompiledModule | None" = None
        self.tables: dict[str, Memory] = {}
        self.method = ""
        self.open_driver: "Callable[[], Driver] | None" = None
        self._devices: dict[str, "DeviceRuns"] = {}

    def legal(self, state: State, origins: int = -1, targets: int = -1) -> tuple[bytes, bytes]:
        """Return the words of the legal moves in order, and the end of each, counted in words.

        Moves that do not start on `origins` and end on `targets` may be left out to save work.
        """
        return self._timed(lambda: self._listed(state, origins, targets))

    def play(self, state: State, steps: Steps, side: int) -> tuple[State, Record]:
        """Return the state after a move by a side, and the record of its changes."""
        return self._timed(lambda: (self._singles() or self.machine).play(state, steps, side))

    def apply(self, state: State, steps: Steps, *, check: bool) -> State | None:
        """Return the state after a move; None if `check` is set and the move is not legal."""
        return self._timed(lambda: self._after(state, steps, check))

    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome of a state; None while the game is not over."""
        return self._timed(lambda: self._outcome(state))

    def weights(self, state: State) -> tuple[int, ...]:
        """Return the weights of the legal moves if chance is to move, else ()."""
        return self.machine.weights(state) if self.outcome(state) is None else ()

    def scores_by_player(self, state: State) -> dict[str, int]:
        """Return the scores of a state by player, in the order of the players."""
        by_player = {state.player(side): score for side, score in enumerate(self.scores(state))}
        return {name: by_player[name] for name in state.form.players if by_player}

    def scores(self, state: State) -> Sequence[int]:
        """Return the score of each side; () if the rules have none."""
        return self._timed(lambda: self._scores(state))

    def mask(self, state: State) -> int | None:
        """Return the cells of legal placements; None if no kernel computes them."""
        kernels = self._singles()
        return kernels.mask(state) if kernels else None

    def choose(self, state: State, number: int) -> Steps | None:
        """Return the move of the strategy of a number; None if there is no legal move."""
        return self._timed(lambda: self._choose_steps(state, number))

    def perft(self, start: State, settings: PerftSettings, job: Job) -> int:
        """Return the result of `drivers.perft`; without `bulk` kernels make the last moves too.

        Raises DeviceError as `playouts` does.
        """
        from rulesengine.engine.drivers import perft, protocol

        depth, keep, free = settings.depth, settings.keep, settings.free
        if settings.device != CPU and depth > 1:
            counted = self._device_count(start, settings, job)
            if counted is not None:
                return counted
        kernels = self.selector.for_work("perft", self._plies_of(start, depth))
        functions = protocol.interruptible(
            self.interpreted.functions(), job, counts=kernels is None
        )
        with self.selector.measured("perft", kernels):
            if kernels is None:
                return perft.perft(functions, start, depth, keep=keep, free=free)
            from rulesengine.engine.kernel.parallel_runs import PerftRun

            bulk = settings.bulk
            count = PerftRun(kernels, functions, job, keep=keep, free=free, bulk=bulk)
            return count.below(start, depth)

    def _device_count(self, start: State, settings: PerftSettings, job: Job) -> int | None:
        """Return the perft count by a GPU.

        Under `auto`, return None if it fails, or while its code is compiled.
        """
        from rulesengine.engine.drivers import protocol
        from rulesengine.engine.kernel.backends.cuda.count_run import Depth

        kernels = self.selector.for_call("singles")
        functions = self.interpreted.functions()
        if kernels is not None:
            functions = replace(functions, legal=kernels.legal, apply=kernels.apply)
        functions = protocol.interruptible(functions, job)
        depth = Depth(settings.depth, settings.keep, settings.free, settings.bulk)

        def call(runs: "DeviceRuns") -> int | None:
            if settings.device == AUTO and not runs.prepare_count():
                return None
            return runs.perft(functions, start, depth, job)

        return self._on_device(settings.device, call)

    def _on_device(self, name: str, call: "Callable[[DeviceRuns], T]") -> T | None:
        """Return the result of work on a GPU; None if it fails under `auto`.

        Raises DeviceError if it fails and was named.
        """
        from rulesengine.engine.kernel.backends.cuda.driver import DeviceError, LostContextError
        from rulesengine.engine.kernel.device_runs import DeviceRuns

        try:
            if name not in self._devices:
                store = rules_cache.KernelCache()
                self._devices[name] = DeviceRuns(self.machine, name, store, self.open_driver)
            runs = self._devices[name]
            result = call(runs)
            if runs.is_lost:
                self._devices.pop(name, None)
            return result
        except DeviceError as error:
            if isinstance(error, LostContextError):
                self._devices.pop(name, None)
            if name != AUTO:
                raise
            self.record_device_problem(str(error))
            return None

    @property
    def device_problem(self) -> str:
        """Return the last reason why `auto` did not use a GPU; empty if there is none."""
        return self.selector.problems.get(_LANES, "")

    def record_device_problem(self, problem: str) -> None:
        """Record the reason why `auto` does not use a GPU."""
        self.selector.problems[_LANES] = problem

    def playouts(self, start: State, run: PlayoutSettings, job: Job) -> Playouts:
        """Return the result of `drivers.playouts`; native kernels use threads.

        Raises DeviceError if the device of the settings is missing or fails. Under `auto` the CPU
        then does the work.
        """
        from rulesengine.engine.drivers import playouts

        if run.device == AUTO and run.games:
            return self._shared_playouts(start, run, job)
        if run.device != CPU:
            repeat = partial(self._tally, start, run, job)
            call = lambda runs: runs.totals(start, run.games, run.seed, job, repeat)  # noqa: E731
            totals = self._on_device(run.device, call)
            if totals is not None:
                return playouts.summary(self.machine.program.form.players, run.games, totals)
        players, games = self.machine.program.form.players, range(run.games)
        return playouts.summary(players, run.games, self._cpu_totals(start, games, run, job))

    def _shared_playouts(self, start: State, run: PlayoutSettings, job: Job) -> Playouts:
        """Return the result of `playouts` under `auto`.

        The CPU plays while the code for a GPU is compiled, and all if there is none.
        """
        from rulesengine.engine.drivers import playouts

        def play(games: range) -> list[int]:
            return self._cpu_totals(start, games, run, job)

        def call(runs: "DeviceRuns") -> tuple[list[int], str]:
            return runs.shared_totals(start, run.games, run.seed, job, play), runs.problem

        totals, problem = self._on_device(AUTO, call) or (play(range(run.games)), "")
        if problem:
            self.record_device_problem(problem)
        return playouts.summary(self.machine.program.form.players, run.games, totals)

    def _tally(self, start: State, run: PlayoutSettings, job: Job, games: range) -> list[int]:
        """Return the totals of few playouts of a run on the CPU, on this thread."""
        return self._cpu_totals(start, games, replace(run, games=len(games), threads=1), job)

    def _cpu_totals(self, start: State, games: range, run: PlayoutSettings, job: Job) -> list[int]:
        """Return the totals of a range of the playouts of a run on the CPU."""
        from rulesengine.engine.drivers import playouts, protocol

        functions = protocol.interruptible(self.interpreted.functions(), job)
        number = run.games
        kernels = self.selector.for_work("playouts", number * self.selector.plies_of_game(number))
        with self.selector.measured("playouts", kernels):
            if kernels is None:
                sides = len(self.machine.program.form.players)
                return playouts.totals(functions, start, sides, games, run.seed, job)
            from rulesengine.engine.kernel.parallel_runs import PlayoutRun

            return PlayoutRun(kernels, functions, start, run.seed, job).totals(games, run.threads)

    def script(self, since: float) -> "tuple[Kernels | None, float]":
        """Return the kernels of the I/O script if their compilation pays off, and the time.

        The script has run since a time, by the same clock; 0 if it begins.
        """
        selector = self.selector
        if since:
            selector.record_time(since, is_leading=True)
        return selector.for_leading("script"), selector.clock()

    def recall(self) -> None:
        """Load the kernels of single calls that an earlier run has cached."""
        self.selector.recall("singles")

    def expect(self, plies: Mapping[str, float]) -> None:
        """Record the plies of the coming work by part; see `Selector.expect`."""
        self.selector.expect(check_kind("plies by part", plies, Mapping))

    def engines(self, wanted: Collection[str] = ()) -> dict[str, Engine]:
        """Return the fastest engine of each part, compiling its kernels if necessary.

        `wanted` are the titles of the parts, by default all.
        """
        return {name: self.selector.best(part) for name, part in self._parts(wanted)}

    def kinds(self, wanted: Collection[str] = ()) -> dict[str, str]:
        """Return the representation of sets of cells in the kernels of these engines, by part."""
        from rulesengine.engine.kernel.listing import kind

        machine, best = self.machine, self.selector.best
        return {name: kind(machine, part, best(part)) for name, part in self._parts(wanted)}

    def _parts(self, wanted: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield the wanted parts, each after its title. Raises UsageError for an unknown one."""
        from rulesengine.engine.kernel.kernels import parts_of, title

        parts = {title(self.machine, part): part for part in parts_of(self.machine)}
        for name in wanted:
            check_choice("part", name, [*parts])
        for name, part in parts.items():
            if not wanted or name in wanted:
                yield name, part

    def problems(self) -> dict[tuple[str, str], str]:
        """Return the reasons why requested kernels could not be compiled, by engine and part."""
        if not self.selector.problems:
            return {}
        from rulesengine.engine.kernel.kernels import title

        problems = ((*key.split(" ", 1), reason) for key, reason in self.selector.problems.items())
        return {(engine, title(self.machine, part)): reason for engine, part, reason in problems}

    def part_for(self, part: str, plies: float) -> "CompiledModule | None":
        """Return a part of the kernels for work of `plies` plies; None for the interpreter."""
        check_kind("a number of plies", plies, Real)
        kernels = self.selector.for_work(check_text("part", part), plies)
        return kernels.part(part) if kernels else None

    def finish_compiling(self, seconds: float) -> None:
        """Wait for the code that a timed search has missed, as `Selector` describes."""
        self.selector.finish_compiling(seconds)

    def batch(self, splits: bool = False) -> "CompiledModule | None":
        """Return the kernels of a batch; None if the interpreter has to run it.

        With `auto` they are compiled in the background and used from then on. `splits` selects the
        kernels that treat a step from cell to cell as two actions.
        """
        part = _BATCH[splits]
        kernels = self.selector.in_background(part, lambda: None)
        return kernels.part(part) if kernels else None

    def device_batch(self, name: str, games: int, splits: bool) -> "BatchRun | None":
        """Return the kernels of a batch on a GPU; None if it fails under `auto`.

        Raises DeviceError as `playouts` does.
        """
        return self._on_device(name, lambda runs: runs.batch(games, splits=splits))

    def batch_is_parallel(self, splits: bool = False) -> bool:
        """True if the kernels that `batch` returns run on several threads at the same time."""
        kernels = self.selector.in_background(_BATCH[splits], lambda: None)
        return kernels is not None and kernels.backend.has_threads

    def is_batch_settled(self, splits: bool = False) -> bool:
        """True if the result of `batch` no longer changes."""
        return self.selector.is_settled(_BATCH[splits])

    def _timed(self, call: Callable[[], T]) -> T:
        """Run a single call; its time counts for the choice of an engine."""
        since = self.selector.clock()
        try:
            return call()
        finally:
            self.selector.record_time(since)

    def _listed(self, state: State, origins: int, targets: int) -> tuple[bytes, bytes]:
        kernels = self._singles()
        listed = kernels.listed(state) if kernels else None
        if listed is None and origins & targets != -1:
            return packed_moves(self.machine.legal_among(state, origins, targets))
        if listed is None:
            return packed_moves(self.machine.legal(state))
        words, ends = listed
        return packed_words(words), packed_words(ends)

    def _after(self, state: State, steps: Steps, check: bool) -> State | None:
        kernels = self._singles()
        after = kernels.state_after(state, steps, check=check) if kernels else None
        if after is not None:
            return after
        if check:
            # Equal steps may come from another rule: apply those of the legal move.
            likely = self.machine.legal_among(
                state, _mask(steps[0].origin), _mask(steps[-1].target)
            )
            legal = next((own for own in likely if own == steps), None)
            if legal is None:
                return None
            steps = legal
        return self.machine.apply(state, steps)

    def _outcome(self, state: State) -> Outcome | None:
        kernels = self._singles()
        ending = kernels.ending(state) if kernels else None
        if ending is None:
            return self.machine.outcome(state)
        if ending == GOES_ON:
            return None
        number, winner = divmod(ending, WINNERS)
        return self.machine.outcome_of_end(state, number, winner - 1, tuple(self._scores(state)))

    def _scores(self, state: State) -> Sequence[int]:
        kernels = self._singles()
        scores = kernels.scores(state) if kernels else None
        return self.machine.scores(state) if scores is None else scores

    def _singles(self) -> "Kernels | None":
        """Return the kernels of single calls if their compilation pays off."""
        kernels = self.selector.for_call("singles")
        if kernels and self.quick is None:
            part = kernels.part("singles")
            self.quick = part if part.fast else None
        return kernels

    def _choose_steps(self, state: State, number: int) -> Steps | None:
        kernels = self.selector.for_call(f"choose {number}")
        if kernels:
            return kernels.choose(state, number)
        return self.machine.choose(state, self.machine.program.rules.strategies[number])

    def _plies_of(self, start: State, depth: int) -> int:
        """Estimate the plies of a count, which generates no moves of the last positions."""
        if self.selector.engine != "auto" or depth < 2:
            return depth
        moves = len(self.machine.legal(start))
        return int(max(moves, 2) ** min(depth - 1, _DEEP)) * 2


def _mask(cell: int) -> int:
    return 1 << cell if cell >= 0 else 0
