"""How fast the engines are on a game: the same work by turns, compared before it is measured.

Rates are per second of the processor, which other programs on the machine disturb less.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from time import perf_counter, process_time

from rulesengine.errors import InternalError
from rulesengine.game import Game
from rulesengine.kernel.selection import ENGINES, Engine
from rulesengine.limits import MAX_PLIES

ROUNDS = 5
SLOWEST_FIRST = tuple(engine for engine in ENGINES if engine != "auto")
_MOST_GAMES = 1 << 20


@dataclass(frozen=True, slots=True)
class Work:
    """Work that was measured: `size` is the depth or the number of games of one call.

    `count` is what one call counts, leaves or games; `rates` are those of the rounds, in counts
    per second of the processor.
    """

    size: int
    count: int
    rates: tuple[float, ...]

    @property
    def rate(self) -> float:
        return median(self.rates)


@dataclass(frozen=True, slots=True)
class Measured:
    """An engine on a game: seconds from loading to `perft(1)`, and its works by name.

    `perft` counts its last ply without making it, as all engines do. A work is left out where the
    engine has no kernel for it, and `perft` in a game that begins without a move.
    """

    first_result: float
    works: Mapping[str, Work]
    problems: Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two engines have counted alike: leaves down to a depth, and random games of seed 0."""

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
    """A game by an engine, its leaves by depth, and the random games that fill a share of time."""

    engine: Engine
    game: Game
    counts: Mapping[int, int]
    number: int


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
    started = {engine: _started(load, engine) for engine in engines}
    share = seconds / (2 * ROUNDS * len(engines))
    sized = [_sized(engine, game, share) for engine, (game, _) in started.items()]
    agreements = tuple(_agreement(one, other) for one, other in pairwise(sized))
    tasks = [task for one in sized for task in _tasks(one)]
    rates = _rounds(tasks, share, perf_counter() + seconds)
    measured: dict[Engine, Measured] = {}
    for engine, (game, first) in started.items():
        own = (task for task in tasks if task.engine == engine)
        works = {t.name: Work(t.size, t.count, tuple(rates[t])) for t in own}
        measured[engine] = Measured(first, works, game.engine_problems)
    return Bench(measured, agreements)


def _started(load: Callable[[Engine], Game], engine: Engine) -> tuple[Game, float]:
    """A game, and the seconds until it has given its first result."""
    start = perf_counter()
    game = load(engine)
    game.perft(1)
    return game, perf_counter() - start


def _sized(engine: Engine, game: Game, share: float) -> _Sized:
    return _Sized(engine, game, _counts(game, share), _number(game, share))


def _counts(game: Game, share: float) -> dict[int, int]:
    """The leaves by depth, as deep as a call stays within a share of the time."""
    found: dict[int, int] = {}
    before = 1
    for depth in range(1, MAX_PLIES):
        start = process_time()
        found[depth] = leaves = game.perft(depth)
        growth = max(2.0, leaves / before)
        if not leaves or (process_time() - start) * growth > share:
            break
        before = leaves
    return found


def _number(game: Game, share: float) -> int:
    """How many random games fill about a share of the time, a power of two."""
    number = 1
    while number < _MOST_GAMES:
        start = process_time()
        game.playouts(number)
        if (process_time() - start) * 2 > share:
            break
        number *= 2
    return number


def _agreement(one: _Sized, other: _Sized) -> Agreement:
    """What two engines agree on. Raises InternalError if they do not."""
    depth = 0
    for depth in sorted(one.counts.keys() & other.counts.keys()):
        _compare(f"perft {depth}", one, other, one.counts[depth], other.counts[depth])
    number = min(one.number, other.number)
    first, second = one.game.playouts(number), other.game.playouts(number)
    what = f"{number} random games"
    _compare(f"the checksum of {what}", one, other, first.checksum, second.checksum)
    _compare(what, one, other, first, second)
    leaves = one.counts[depth] if depth else 1
    return Agreement((one.engine, other.engine), depth, leaves, number, first.checksum)


def _compare(what: str, one: _Sized, other: _Sized, first: object, second: object) -> None:
    if first != second:
        raise InternalError(f"{what}: {first} by {one.engine}, {second} by {other.engine}")


def _tasks(sized: _Sized) -> list[_Task]:
    """The works that an engine does itself."""
    engine, game, number = sized.engine, sized.game, sized.number
    own = [name for name, does in game.engines().items() if does == engine]
    depth = max((depth for depth, leaves in sized.counts.items() if leaves), default=0)
    tasks = []
    if "perft" in own and depth:
        leaves = sized.counts[depth]
        tasks.append(_Task(engine, "perft", depth, leaves, lambda: game.perft(depth)))
    if "playouts" in own:
        tasks.append(_Task(engine, "playouts", number, number, lambda: game.playouts(number)))
    return tasks


def _rounds(tasks: Sequence[_Task], share: float, end: float) -> dict[_Task, list[float]]:
    """The rates of the tasks, which take turns, by round; one round at the least."""
    rates: dict[_Task, list[float]] = {task: [] for task in tasks}
    for number in range(ROUNDS):
        if number and perf_counter() > end:
            break
        for task in tasks:
            rates[task].append(_rate(task, share))
    return rates


def _rate(task: _Task, share: float) -> float:
    done, start = 0, process_time()
    while True:
        task.call()
        done += task.count
        spent = process_time() - start
        if spent >= share:
            return done / spent
