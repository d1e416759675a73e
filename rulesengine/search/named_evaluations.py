"""The named evaluations of a game: `rules`, `fitted` and `learned`. See decisions 128 and 184.

- `rules` follows from the program: its `evaluate`, its score, or a heuristic.
- `fitted` corrects it by weights from a fixed number of self-play games with seed 0.
- `learned` has the weights of a file.

A fit is deterministic: it depends on the program and the package alone. Its cached weights only
save the time of the games.
"""

import json
import zlib
from array import array

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.engine.drivers.search.result import EVALUATIONS, Budget
from rulesengine.engine.evaluation import null_moves
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.language.ir.json_table import pack
from rulesengine.search.correction import SLOW, sample_leads
from rulesengine.search.fit_match import beats_the_rules
from rulesengine.search.learned_weights import (
    CORRECTION,
    LearnedWeights,
    TrainingTables,
    is_learnable,
    pays_single,
    words_of_unit,
)
from rulesengine.search.learning_run import LearningRun
from rulesengine.search.training_plan import TrainingPlan
from rulesengine.support.cache import Cache, digest
from rulesengine.support.resources import stamp_below
from rulesengine.support.validate import check_choice, check_text

RULES, FITTED, LEARNED = EVALUATIONS
_KIND = "fitted"
_SOURCES = ("board", "engine", "language", "search", "support", "state.py")
_PLAYED = 240_000  # games times patterns of a position
_EVALUATED = 300_000_000  # patterns of all positions that are evaluated in self-play
_COSTLY = 12  # the factor of a position where moves must leave no royal piece attacked
_PER_CELL = 80  # at most so many games for each cell
_FEWEST, _MOST = 100, 5_000  # bounds of the number of games
_SHARES = (1, 4)  # divisors of a correction that are tried
_EXPECTED = 1e7  # plies that a fit announces: it takes the fastest kernels


def check_name(name: str) -> None:
    """Raise UsageError for a text that is no name of an evaluation."""
    if name:
        check_choice("evaluation", check_text("name of an evaluation", name)[:40], EVALUATIONS)


def games_of_fit(dispatcher: Dispatcher, positions: float) -> int:
    """Return the number of self-play games of a fit, where a game evaluates so many positions.

    There are fewer where positions have more patterns or cost more, and on small boards.
    """
    width, machine = max(1, dispatcher.interpreted.network.width), dispatcher.machine
    cost = width * (_COSTLY if null_moves(machine) is not None else 1)
    most = min(_MOST, _PER_CELL * machine.program.topology.cells)
    worth = int(_EVALUATED / (cost * max(1.0, positions)))
    return max(_FEWEST, min(most, _PLAYED // cost, worth))


def fitted_weights(dispatcher: Dispatcher, job: Job) -> LearnedWeights:
    """Return the weights of a fit, from the cache or from self-play.

    Raises UsageError for a spec with `evaluate`, and for more than two players.
    """
    program = dispatcher.machine.program
    if program.rules.evaluation is not None:
        raise UsageError("the spec has its own `evaluate`, which a fit does not replace")
    require_perfect_information(program.rules, "a fit to self-play")
    if not is_learnable(program):
        players = len(program.rules.players)
        raise UsageError(f"an evaluation is fitted for one or two players, found {players}")
    network, cache = dispatcher.interpreted.network, Cache.open()
    key = _key(dispatcher) if cache else b""
    size = network.size + (CORRECTION if len(program.rules.players) > 1 else 0)
    memory = _load(cache, key, size) if cache else None
    if memory is None:
        memory = _fit(dispatcher, job)
        if cache:
            cache.put(_KIND, key, zlib.compress(memoryview(memory.bytes), 1))
    return LearnedWeights(network, memory, pays=pays_single(program), name=FITTED)


def _fit(dispatcher: Dispatcher, job: Job) -> Memory:
    """Play the games of a fit and return the weights.

    With two players the unit of the search and the factor of the rules follow the weights. The unit
    is that of the first share of the correction that wins a match against the rules, or 0.
    """
    tables = _trained(dispatcher, job)
    memory = Memory(tables.ways)
    memory.bytes[:] = tables.memory.bytes[: WORD * tables.ways]
    if tables.unit:
        _put_share(dispatcher, memory, tables.unit, job)
    return memory


def _trained(dispatcher: Dispatcher, job: Job) -> TrainingTables:
    """Return the tables of a fit after its self-play games.

    With one player, they do not correct the rules but replace them.
    """
    network = dispatcher.interpreted.network
    is_pair = len(dispatcher.machine.program.rules.players) > 1
    dispatcher.expect({"fitted" if is_pair else "lessons": _EXPECTED})
    plan = TrainingPlan(starts=(dispatcher.machine.initial_state(),))
    unit, positions = sample_leads(dispatcher, plan, job, is_pair=is_pair)
    tables = TrainingTables(network, 0, unit)
    budget = Budget(playouts=games_of_fit(dispatcher, positions))
    LearningRun(dispatcher, plan.starts, tables, budget, SLOW * is_pair).run(job, lambda: None)
    return tables


def _put_share(dispatcher: Dispatcher, memory: Memory, unit: int, job: Job) -> None:
    """Store the unit of corrections and the factor of the rules after the weights."""
    network = dispatcher.interpreted.network
    for share in _SHARES:
        memory.numbers[network.size :] = array("q", words_of_unit(unit, share))
        weights = LearnedWeights(network, memory, pays=False, name=FITTED)
        if beats_the_rules(dispatcher, weights, job):
            return
    memory.numbers[network.size :] = array("q", (0, 1))


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
    return digest(b"fitted 2", stamp, program)
