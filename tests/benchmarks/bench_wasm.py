"""Benchmark of WebAssembly kernels against machine code for x86-64-v2; see README.md."""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import rulesengine
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.backends.native.build import native
from rulesengine.engine.kernel.backends.native.target import Target, host
from rulesengine.engine.kernel.backends.native_backend import NativeBackend
from rulesengine.engine.kernel.backends.protocol import CompiledModule
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.job import Job
from tests.benchmarks.bench_kernels import processor
from tests.helpers.wasm_backend import WebAssembly

SEED = 1
PLAIN = frozenset("cx16 popcnt sahf sse3 sse4.1 sse4.2 ssse3".split())
# A game, a part of its kernel, and the depth of a perft.
WORKS: tuple[tuple[str, str, int], ...] = (
    ("othello", "playouts", 0),
    ("connect-four", "playouts", 0),
    ("hex", "playouts", 0),
    ("othello", "perft", 8),
    ("connect-four", "perft", 7),
    ("hex", "perft", 3),
)


@dataclass(frozen=True, slots=True)
class Rates:
    """Random games, or leaves, per second: medians over the rounds, and the median of the ratios.

    `checksum` is the checksum of the games or the number of leaves, equal for both.
    """

    work: str
    native: float
    wasm: float
    ratio: float
    checksum: str


Answer = Callable[[int], int]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rounds", type=int, default=5, metavar="N")
    words.add_argument("--seconds", type=float, default=0.5, help="of each in each round")
    words.add_argument("--seats", type=int, default=WebAssembly.seats, help="games in turn, there")
    words.add_argument("--only", default="", metavar="TEXT", help="works whose names hold it")
    options = words.parse_args()
    rates = []
    for name, part, depth in WORKS:
        if options.only in f"{name} {part}":
            rates.append(measured(name, part, depth, options))
            print(asdict(rates[-1]), flush=True)
    table = {"processor": processor(), "rounds": options.rounds, "rates": [*map(asdict, rates)]}
    print(json.dumps(table))


def measured(name: str, part: str, depth: int, options: argparse.Namespace) -> Rates:
    machine = rulesengine.load(name, engine="interpreter").machine
    made: dict[str, CompiledModule] = {
        "native": native(
            emitted(machine, part, NativeBackend.seats),
            target=Target(host().triple, "x86-64-v2", PLAIN),
        ),
        "wasm": WebAssembly(level=2).compile(emitted(machine, part, options.seats), None, {}),
    }
    questions = {key: question(machine, code, part, depth) for key, code in made.items()}
    count = enough(questions["native"], options.seconds)
    (checksum,) = {str(ask(count)) for ask in questions.values()}
    done = count * (int(checksum) // count if depth else 1)
    rounds = [
        {key: done / spent(ask, count) for key, ask in questions.items()}
        for _ in range(options.rounds)
    ]
    return Rates(
        f"{name} {part} {depth or ''}".strip(),
        statistics.median(one["native"] for one in rounds),
        statistics.median(one["wasm"] for one in rounds),
        statistics.median(one["wasm"] / one["native"] for one in rounds),
        checksum,
    )


def question(machine: Interpreter, made: CompiledModule, part: str, depth: int) -> Answer:
    """Return a function that plays a number of games, or repeats a perft; it returns a checksum."""
    kernels = Kernels(machine, NativeBackend())
    words = kernels.words(machine.initial_state(), made)
    lane = Job().control_block()

    def played(count: int) -> int:
        found = made.call(part, (*words, 0, count, SEED, lane))
        assert found is not None
        return int(found[-1])

    def counted(count: int) -> int:
        found = [made.call(part, (*words, depth, 0, 0, 0, lane)) for _ in range(count)]
        return sum(int(one[0]) for one in found if one is not None)

    return counted if depth else played


def spent(ask: Answer, count: int) -> float:
    begun = time.process_time()
    ask(count)
    return time.process_time() - begun


def enough(ask: Answer, seconds: float) -> int:
    """Return the number of games or perfts that take about the given time."""
    count = 1
    while (took := spent(ask, count)) < seconds / 4:
        count *= 2
    return max(1, round(count * seconds / took))


if __name__ == "__main__":
    main()
