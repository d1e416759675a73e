"""The named evaluations of a game: `rules`, `fitted` and `learned`. See decision 128.

- `rules` follows from the program: its `evaluate`, its score, or a heuristic.
- `fitted` has weights from a fixed number of self-play games with seed 0.
- `learned` has the weights of a file.

A fit is deterministic: it depends on the program and the package alone. Its cached weights only
save the time of the games.
"""

import json
import zlib

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.engine.drivers.search.result import EVALUATIONS, Budget
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language.ir.json_table import pack
from rulesengine.search.learned_weights import (
    LearnedWeights,
    TrainingTables,
    is_learnable,
    pays_single,
)
from rulesengine.search.learning import LearningRun
from rulesengine.support.cache import Cache, digest
from rulesengine.support.resources import stamp_below
from rulesengine.support.validate import check_choice

RULES, FITTED, LEARNED = EVALUATIONS
_KIND = "fitted"
_SOURCES = ("board", "engine", "language", "search", "support", "state.py")
_WORK = 48_000  # games times patterns of a position
_FEWEST, _MOST = 100, 1_000  # bounds of the number of games


def check_name(name: str) -> None:
    """Raise UsageError for a text that is no name of an evaluation."""
    if name:
        check_choice("evaluation", name[:40], EVALUATIONS)


def games_of_fit(dispatcher: Dispatcher) -> int:
    """Return the number of self-play games of a fit: fewer where positions have more patterns."""
    width = max(1, dispatcher.interpreted.network.width)
    return max(_FEWEST, min(_MOST, _WORK // width))


def fitted_weights(dispatcher: Dispatcher, job: Job) -> LearnedWeights:
    """Return the weights of a fit, from the cache or from self-play.

    Raises UsageError for a spec with `evaluate`, and for more than two players.
    """
    program = dispatcher.machine.program
    if program.rules.evaluation is not None:
        raise UsageError("the spec has its own `evaluate`, which a fit does not replace")
    if not is_learnable(program):
        players = len(program.rules.players)
        raise UsageError(f"an evaluation is fitted for one or two players, found {players}")
    network, cache = dispatcher.interpreted.network, Cache.open()
    key = _key(dispatcher) if cache else b""
    memory = _load(cache, key, network.size) if cache else None
    if memory is None:
        memory = _fit(dispatcher, job)
        if cache:
            cache.put(_KIND, key, zlib.compress(memoryview(memory.bytes), 1))
    return LearnedWeights(network, memory, pays=pays_single(program), name=FITTED)


def _fit(dispatcher: Dispatcher, job: Job) -> Memory:
    """Play the games of a fit and return the weights."""
    network = dispatcher.interpreted.network
    tables, budget = TrainingTables(network, 0), Budget(playouts=games_of_fit(dispatcher))
    start = dispatcher.machine.initial_state()
    LearningRun(dispatcher, (start,), tables, budget).run(job, lambda: None)
    memory = Memory(network.size)
    memory.bytes[:] = tables.memory.bytes[: WORD * network.size]
    return memory


def _load(cache: Cache, key: bytes, size: int) -> Memory | None:
    data = cache.get(_KIND, key)
    if data is None:
        return None
    memory = Memory(size)
    memory.bytes[:] = zlib.decompress(data)
    return memory


def _key(dispatcher: Dispatcher) -> bytes:
    stamp = stamp_below(*_SOURCES).encode("utf-8", "surrogatepass")
    program = json.dumps(pack((dispatcher.machine.program,))).encode()
    return digest(b"fitted 1", stamp, program)
