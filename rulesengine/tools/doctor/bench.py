"""Benchmarks of the engines on one game; results are compared before they are measured.

The engines run the same task in interleaved rounds. Rates are per second of CPU time, which is less
sensitive to other load than wall time. Each task is scaled to its share of the time, after kernels
are compiled. A task that exceeds its share even at the smallest size is skipped.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import median
from threading import Thread, Timer
from time import perf_counter, process_time
from typing import TypeVar

from rulesengine.engine.kernel.selection import ENGINES, Engine
from rulesengine.errors import InternalError, Stopped
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.state import Playouts
from rulesengine.support.blocking import start_thread
from rulesengine.support.limits import MAX_PLIES

T = TypeVar("T")

ROUNDS = 5
_SIZING = 2  # shares of a task's time spent at most on finding its size
_LEAST = 1.0  # seconds that the smallest task may take, however little time there is
_COMPILING = 10.0  # seconds that all kernels may take to compile, however little time there is
_PARTS = ("perft", "playouts")
SLOWEST_FIRST = tuple(engine for engine in ENGINES if engine != "auto")
_MOST_GAMES = 1 << 20


@dataclass(frozen=True, slots=True)
class TaskBenchmark:
    """A measured task. `size` is the depth or the number of games of one call.

    `count` is the number of leaves or games of one call, `rates` are the counts per second of CPU
    time in each round. `kind` is the representation of sets of cells in the kernel.
    """

    size: int
    count: int
    rates: tuple[float, ...]
    kind: str

    @property
    def rate(self) -> float:
        return median(self.rates)


@dataclass(frozen=True, slots=True)
class EngineBenchmark:
    """An engine on a game: seconds from loading to `perft(1)`, and its tasks by name.

    All engines count the last ply of `perft` without making the moves. A task is missing if the
    engine has no kernel for it, if the game begins without a move (`perft`), or if it takes too
    long. `too_long` then has the reason. If compiling takes too long, there is no first result.
    """

    first_result: float | None
    works: Mapping[str, TaskBenchmark]
    problems: Mapping[tuple[str, str], str]
    too_long: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """The counts on which two engines agree: leaves to a depth, and random games of seed 0.

    Depth or games are 0 if one of the two engines has no such count.
    """

    engines: tuple[Engine, Engine]
    depth: int
    leaves: int
    games: int
    checksum: int


@dataclass(frozen=True, slots=True)
class Bench:
    """All engines on a game, and the agreement of each with the previous one."""

    engines: Mapping[Engine, EngineBenchmark]
    agreements: tuple[Agreement, ...]


@dataclass(frozen=True, slots=True)
class _EngineCounts:
    """A game on an engine, its leaf counts by depth, and its random games by their number."""

    engine: Engine
    game: Game
    counts: Mapping[int, int]
    games: Mapping[int, Playouts]


@dataclass(frozen=True, slots=True)
class _Task:
    """A task of an engine; `call` runs it once."""

    engine: Engine
    name: str
    size: int
    count: int
    call: Callable[[], object]


def measure(load: Callable[[Engine], Game], engines: Sequence[Engine], seconds: float) -> Bench:
    """Measure engines, the slowest first, for about the given number of seconds.

    `load` returns a new game for each engine. Raises InternalError if two engines differ, and
    errors of the rules.
    """
    end = perf_counter() + seconds
    share = seconds / (2 * len(engines) * (ROUNDS + _SIZING))
    limit = max(seconds, _COMPILING)
    last = perf_counter() + limit
    starts = {engine: _in_time(partial(_started, load, engine), last) for engine in engines}
    started = {engine: start for engine, start in starts.items() if start}
    sized = [_sized(engine, game, share) for engine, (game, _) in started.items()]
    agreements = tuple(_agreement(one, other) for one, other in pairwise(sized))
    tasks = [task for one in sized for task in _tasks(one)]
    rates = _rounds(tasks, share, end)
    late = {"kernel": f"compiling takes more than {limit:g} s"}
    measured = {engine: EngineBenchmark(None, {}, {}, late) for engine in engines}
    for one in sized:
        own = (task for task in tasks if task.engine == one.engine)
        kinds = one.game.kernel_kinds(*_PARTS)
        works = {
            t.name: TaskBenchmark(t.size, t.count, tuple(rates[t]), kinds[t.name]) for t in own
        }
        first = started[one.engine][1]
        measured[one.engine] = EngineBenchmark(
            first, works, one.game.engine_problems, _too_long(one, share)
        )
    return Bench(measured, agreements)


def _started(load: Callable[[Engine], Game], engine: Engine) -> tuple[Game, float]:
    """Return a game with compiled kernels, and the seconds until its first result."""
    start = perf_counter()
    game = load(engine)
    game.perft(1)
    first = perf_counter() - start
    game.engines(*_PARTS)
    return game, first


def _in_time(call: Callable[[], T], last: float) -> T | None:
    """Return the result of a call; None if it has not ended at `last` of `perf_counter`.

    It then goes on until the process ends: no other thread can interrupt the compiler.
    """
    results, errors = list[T](), list[BaseException]()

    def make() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=make, daemon=True)
    start_thread(thread)
    thread.join(max(last - perf_counter(), 0.0))
    if errors:
        raise errors[0]
    return results[0] if results else None


def _sized(engine: Engine, game: Game, share: float) -> _EngineCounts:
    return _EngineCounts(engine, game, _counts(game, share), _games(game, share))


def _counts(game: Game, share: float) -> dict[int, int]:
    """Return the leaf counts by depth, as deep as one call fits its share of the time."""
    counts: dict[int, int] = {}
    before = 1
    for depth in range(1, MAX_PLIES):
        start = process_time()
        leaves = _within(share, partial(game.perft, depth))
        if leaves is None:
            break
        counts[depth] = leaves
        growth = max(2.0, leaves / before)
        if not leaves or (process_time() - start) * growth > share:
            break
        before = leaves
    return counts


def _games(game: Game, share: float) -> dict[int, Playouts]:
    """Return random games by number, powers of two that fit a share of the time."""
    playouts: dict[int, Playouts] = {}
    number = 1
    while number <= _MOST_GAMES:
        start = process_time()
        played = _within(share, partial(game.playouts, number))
        if played is None:
            break
        playouts[number] = played
        if (process_time() - start) * 2 > share:
            break
        number *= 2
    return playouts


def _within(seconds: float, call: Callable[..., T]) -> T | None:
    """Return the result of a call that takes a job; None on timeout."""
    job = Job()
    timer = Timer(max(seconds, _LEAST), job.stop)
    start_thread(timer)
    try:
        return call(job=job)
    except Stopped:
        return None
    finally:
        timer.cancel()


def _too_long(one: _EngineCounts, share: float) -> dict[str, str]:
    longer = f"takes more than {max(share, _LEAST):.2f} s"
    problems = {} if one.counts else {"perft": f"a count to depth 1 {longer}"}
    return problems if one.games else {**problems, "playouts": f"a random game {longer}"}


def _agreement(one: _EngineCounts, other: _EngineCounts) -> Agreement:
    """Return the counts on which two engines agree. Raises InternalError if they differ."""
    depth = number = checksum = 0
    for depth in sorted(one.counts.keys() & other.counts.keys()):
        _compare(f"perft {depth}", one, other, one.counts[depth], other.counts[depth])
    for number in sorted(one.games.keys() & other.games.keys()):
        first, second = one.games[number], other.games[number]
        subject = f"{number} random games"
        _compare(f"the checksum of {subject}", one, other, first.checksum, second.checksum)
        _compare(subject, one, other, first, second)
        checksum = first.checksum
    leaves = one.counts[depth] if depth else 1
    return Agreement((one.engine, other.engine), depth, leaves, number, checksum)


def _compare(
    subject: str, one: _EngineCounts, other: _EngineCounts, first: object, second: object
) -> None:
    if first != second:
        raise InternalError(f"{subject}: {first} by {one.engine}, {second} by {other.engine}")


def _tasks(sized: _EngineCounts) -> list[_Task]:
    """Return the tasks that the engine runs itself."""
    engine, game, number = sized.engine, sized.game, max(sized.games, default=0)
    own = [name for name, does in game.engines(*_PARTS).items() if does == engine]
    depth = max((depth for depth, leaves in sized.counts.items() if leaves), default=0)
    tasks = []
    if "perft" in own and depth:
        leaves = sized.counts[depth]
        tasks.append(_Task(engine, "perft", depth, leaves, lambda: game.perft(depth)))
    if "playouts" in own and number:
        tasks.append(_Task(engine, "playouts", number, number, lambda: game.playouts(number)))
    return tasks


def _rounds(tasks: Sequence[_Task], share: float, end: float) -> dict[_Task, list[float]]:
    """Measure the rates of the interleaved tasks by round, for at least one round."""
    rates: dict[_Task, list[float]] = {task: [] for task in tasks}
    for number in range(ROUNDS):
        left = len(tasks) * share
        if number and perf_counter() + left > end:
            break
        for task in tasks:
            rates[task].append(_rate(task, share, end))
    return rates


def _rate(task: _Task, share: float, end: float) -> float:
    """Return the counts per second of CPU time, over a share of the time or until the end."""
    done, start = 0, process_time()
    while True:
        task.call()
        done += task.count
        spent = process_time() - start
        if spent >= share or (spent and perf_counter() > end):
            return done / spent
