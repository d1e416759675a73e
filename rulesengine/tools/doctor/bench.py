"""How fast the engines are on a game: the same work by turns, compared before it is measured.

Rates are per second of the processor, which other programs on the machine disturb less. A work
is made as large as its share of the time allows, kernels first made; one that does not fit even
at its smallest is left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import median
from threading import Timer
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
_SIZING = 2  # as many shares of a work's time go into finding its size, at the most
_LEAST = 1.0  # seconds that the smallest work may take, however little time there is
SLOWEST_FIRST = tuple(engine for engine in ENGINES if engine != "auto")
_MOST_GAMES = 1 << 20


@dataclass(frozen=True, slots=True)
class Work:
    """Work that was measured: `size` is the depth or the number of games of one call.

    `count` is what one call counts, leaves or games; `rates` are those of the rounds, in counts
    per second of the processor; `kind` says what sets of cells are kept in meanwhile.
    """

    size: int
    count: int
    rates: tuple[float, ...]
    kind: str

    @property
    def rate(self) -> float:
        return median(self.rates)


@dataclass(frozen=True, slots=True)
class Measured:
    """An engine on a game: seconds from loading to `perft(1)`, and its works by name.

    `perft` counts its last ply without making it, as all engines do. A work is left out where the
    engine has no kernel for it, `perft` in a game that begins without a move, and what takes too
    long: `too_long` says so by work.
    """

    first_result: float
    works: Mapping[str, Work]
    problems: Mapping[tuple[str, str], str]
    too_long: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two engines have counted alike: leaves down to a depth, and random games of seed 0.

    Depth or games are 0 where one of the two has not come so far.
    """

    engines: tuple[Engine, Engine]
    depth: int
    leaves: int
    games: int
    checksum: int


@dataclass(frozen=True, slots=True)
class Bench:
    """All engines on a game, and what each agrees on with the one before it."""

    engines: Mapping[Engine, Measured]
    agreements: tuple[Agreement, ...]


@dataclass(frozen=True, slots=True)
class _Sized:
    """A game by an engine, its leaves by depth, and random games by their number."""

    engine: Engine
    game: Game
    counts: Mapping[int, int]
    games: Mapping[int, Playouts]


@dataclass(frozen=True, slots=True)
class _Task:
    """A work of an engine: `call` does it once."""

    engine: Engine
    name: str
    size: int
    count: int
    call: Callable[[], object]


def measure(load: Callable[[Engine], Game], engines: Sequence[Engine], seconds: float) -> Bench:
    """Measure engines, the slowest first, for about so many seconds.

    `load` gives the game anew for each. Raises InternalError if two of them differ, and what the
    rules raise.
    """
    end = perf_counter() + seconds
    share = seconds / (2 * len(engines) * (ROUNDS + _SIZING))
    started = {engine: _started(load, engine) for engine in engines}
    sized = [_sized(engine, game, share) for engine, (game, _) in started.items()]
    agreements = tuple(_agreement(one, other) for one, other in pairwise(sized))
    tasks = [task for one in sized for task in _tasks(one)]
    rates = _rounds(tasks, share, end)
    measured: dict[Engine, Measured] = {}
    for one in sized:
        own = (task for task in tasks if task.engine == one.engine)
        kinds = one.game.kernel_kinds()
        works = {t.name: Work(t.size, t.count, tuple(rates[t]), kinds[t.name]) for t in own}
        first = started[one.engine][1]
        measured[one.engine] = Measured(
            first, works, one.game.engine_problems, _too_long(one, share)
        )
    return Bench(measured, agreements)


def _started(load: Callable[[Engine], Game], engine: Engine) -> tuple[Game, float]:
    """A game whose kernels are made, and the seconds until it has given its first result."""
    start = perf_counter()
    game = load(engine)
    game.perft(1)
    first = perf_counter() - start
    game.engines()
    return game, first


def _sized(engine: Engine, game: Game, share: float) -> _Sized:
    return _Sized(engine, game, _counts(game, share), _games(game, share))


def _counts(game: Game, share: float) -> dict[int, int]:
    """The leaves by depth, as deep as a call stays within a share of the time."""
    found: dict[int, int] = {}
    before = 1
    for depth in range(1, MAX_PLIES):
        start = process_time()
        leaves = _within(share, partial(game.perft, depth))
        if leaves is None:
            break
        found[depth] = leaves
        growth = max(2.0, leaves / before)
        if not leaves or (process_time() - start) * growth > share:
            break
        before = leaves
    return found


def _games(game: Game, share: float) -> dict[int, Playouts]:
    """Random games that fill no more than a share of the time, by powers of two."""
    found: dict[int, Playouts] = {}
    number = 1
    while number <= _MOST_GAMES:
        start = process_time()
        played = _within(share, partial(game.playouts, number))
        if played is None:
            break
        found[number] = played
        if (process_time() - start) * 2 > share:
            break
        number *= 2
    return found


def _within(seconds: float, call: Callable[..., T]) -> T | None:
    """What a call that takes a job gives; None if it takes longer."""
    job = Job()
    timer = Timer(max(seconds, _LEAST), job.stop)
    start_thread(timer)
    try:
        return call(job=job)
    except Stopped:
        return None
    finally:
        timer.cancel()


def _too_long(one: _Sized, share: float) -> dict[str, str]:
    longer = f"takes more than {max(share, _LEAST):.2f} s"
    found = {} if one.counts else {"perft": f"a count to depth 1 {longer}"}
    return found if one.games else {**found, "playouts": f"a random game {longer}"}


def _agreement(one: _Sized, other: _Sized) -> Agreement:
    """What two engines agree on. Raises InternalError if they do not."""
    depth = number = checksum = 0
    for depth in sorted(one.counts.keys() & other.counts.keys()):
        _compare(f"perft {depth}", one, other, one.counts[depth], other.counts[depth])
    for number in sorted(one.games.keys() & other.games.keys()):
        first, second = one.games[number], other.games[number]
        what = f"{number} random games"
        _compare(f"the checksum of {what}", one, other, first.checksum, second.checksum)
        _compare(what, one, other, first, second)
        checksum = first.checksum
    leaves = one.counts[depth] if depth else 1
    return Agreement((one.engine, other.engine), depth, leaves, number, checksum)


def _compare(what: str, one: _Sized, other: _Sized, first: object, second: object) -> None:
    if first != second:
        raise InternalError(f"{what}: {first} by {one.engine}, {second} by {other.engine}")


def _tasks(sized: _Sized) -> list[_Task]:
    """The works that an engine does itself."""
    engine, game, number = sized.engine, sized.game, max(sized.games, default=0)
    own = [name for name, does in game.engines().items() if does == engine]
    depth = max((depth for depth, leaves in sized.counts.items() if leaves), default=0)
    tasks = []
    if "perft" in own and depth:
        leaves = sized.counts[depth]
        tasks.append(_Task(engine, "perft", depth, leaves, lambda: game.perft(depth)))
    if "playouts" in own and number:
        tasks.append(_Task(engine, "playouts", number, number, lambda: game.playouts(number)))
    return tasks


def _rounds(tasks: Sequence[_Task], share: float, end: float) -> dict[_Task, list[float]]:
    """The rates of the tasks, which take turns, by round; one round at the least."""
    rates: dict[_Task, list[float]] = {task: [] for task in tasks}
    for number in range(ROUNDS):
        left = len(tasks) * share
        if number and perf_counter() + left > end:
            break
        for task in tasks:
            rates[task].append(_rate(task, share, end))
    return rates


def _rate(task: _Task, share: float, end: float) -> float:
    """Counts a second of the processor, for a share of the time or until there is none left."""
    done, start = 0, process_time()
    while True:
        task.call()
        done += task.count
        spent = process_time() - start
        if spent >= share or (spent and perf_counter() > end):
            return done / spent
