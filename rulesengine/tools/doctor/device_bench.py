"""Benchmark of random games on a device; their checksum is compared with that of the CPU first."""

from dataclasses import dataclass
from statistics import median
from time import perf_counter

from rulesengine.errors import InternalError
from rulesengine.game import Game

COMPARED = 1 << 10  # random games that the device and the CPU both play
_MOST_GAMES = 1 << 20  # of a call
_CALLS = 4  # that a large call leaves time for


@dataclass(frozen=True, slots=True)
class DeviceBenchmark:
    """Random games on a device: `games` of a call, and games per second of wall time by call.

    `checksum` is that of the first `compared` games of seed 0, on the device and on the CPU.
    `problem` is the reason why `auto` used the CPU, which `device` then names; else it is empty.
    """

    device: str
    games: int
    rates: tuple[float, ...]
    compared: int
    checksum: int
    problem: str = ""

    @property
    def rate(self) -> float:
        return median(self.rates)


def measure_device(game: Game, device: str, seconds: float) -> DeviceBenchmark:
    """Measure random games on a device for about a number of seconds.

    Raises UsageError for a device that is missing, and InternalError if its games differ from those
    of the CPU.
    """
    end = perf_counter() + seconds
    actual, expected = game.playouts(COMPARED, device=device), game.playouts(COMPARED)
    if actual != expected:
        raise InternalError(f"{COMPARED} random games: {expected} by the CPU, {actual} by {device}")
    games, rates = COMPARED, list[float]()
    while not rates or perf_counter() < end:
        spent = _timed(game, device, games)
        if spent * _CALLS < seconds and games < _MOST_GAMES:
            games, rates = 2 * games, []
        else:
            rates.append(games / spent)
    problem = game.engine_problems.get(("cuda", "lanes"), "") if device == "auto" else ""
    name = "cpu" if problem else device
    return DeviceBenchmark(name, games, tuple(rates), COMPARED, actual.checksum, problem)


def _timed(game: Game, device: str, games: int) -> float:
    """Return the seconds of wall time of random games."""
    start = perf_counter()
    game.playouts(games, device=device)
    return max(perf_counter() - start, 1e-9)
