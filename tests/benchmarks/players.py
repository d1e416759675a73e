"""The players of the kernel benchmark: C, our engines, OpenSpiel, Ludax."""

import importlib
import importlib.util
import inspect
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import rulesengine
from tests.benchmarks import c_rulers
from tests.benchmarks.c_rulers import Ruler
from tests.benchmarks.works import Count, Work

SEED = 1

# The games of a batch of Ludax; a batch ends with its longest game.
TOGETHER = 1024


@dataclass(frozen=True, slots=True)
class Batch:
    """The result of a run: CPU seconds, games (in a perft: leaves), plies.

    The checksum is None for a player without one.
    """

    seconds: float
    done: int
    plies: int
    checksum: int | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """A player, with a function that plays a number of random games, or repeats a perft.

    `kind` is the kind of kernel of our engines.
    """

    name: str
    play: Callable[[int], Batch]
    kind: str = ""


class Absent(Exception):
    """A player does not support this workload; the message has the reason."""


def ruler(work: Work | Count, folder: Path, *, one_by_one: bool = False) -> Player:
    """Return the program in C, interleaved or one game after the other. Raises Absent."""
    if work.ruler is None:
        raise Absent(f"no ruler is written for {work.name}")
    seats = ("SEATS=1",) if one_by_one else ()
    program = c_rulers.build(Ruler(work.ruler.source, (*work.ruler.defines, *seats)), folder)

    def play(games: int) -> Batch:
        played = c_rulers.play(program, games, SEED)
        return Batch(played.seconds, games, played.plies, played.checksum)

    if isinstance(work, Count):
        return Player("C", partial(_counted, work, program))
    return Player("C, 1 by 1" if one_by_one else "C", play)


def engine(work: Work | Count, name: str) -> Player:
    """Return one of our engines. Raises Absent if it does not support the workload."""
    if isinstance(work, Count):
        game = loaded(work.spec, name)
        perft = partial(_perft, work, _counter(work, game))
        return Player(name, perft, game.kernel_kinds()["perft"])
    game = loaded(work.spec, name, **work.parameters)

    def play(games: int) -> Batch:
        begun = time.process_time()
        played = game.playouts(games, seed=SEED)
        seconds = time.process_time() - begun
        return Batch(seconds, games, round(played.mean_length * games), played.checksum)

    return Player(name, play, game.kernel_kinds()["playouts"])


def loaded(spec: str, engine: str, **parameters: int) -> rulesengine.Game:
    """Load a game with an engine. Raises Absent if the engine is missing or rejects the spec."""
    try:
        words: dict[str, Any] = {"engine": engine, **parameters}
        return rulesengine.load(spec, **words)
    except rulesengine.RulesError as error:
        raise Absent(f"engine {engine}: {error}") from None


def open_spiel(work: Work) -> Player:
    """Return OpenSpiel's game in a Python loop. Raises Absent."""
    if not work.spiel:
        raise Absent(f"{work.name} is not in OpenSpiel")
    if importlib.util.find_spec("pyspiel") is None:
        raise Absent("OpenSpiel is not installed")
    game = importlib.import_module("pyspiel").load_game(work.spiel)

    def play(games: int) -> Batch:
        draw = random.Random(SEED).random
        begun, plies = time.process_time(), 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                moves = state.legal_actions()
                state.apply_action(moves[int(draw() * len(moves))])
                plies += 1
        return Batch(time.process_time() - begun, games, plies)

    return Player("OpenSpiel", play)


def ludax(work: Work) -> Player:
    """Return Ludax on the CPU, with a batch of games at a time. Raises Absent."""
    if not work.ludax:
        raise Absent(f"{work.name} is not in Ludax")
    if importlib.util.find_spec("ludax") is None:
        raise Absent("Ludax is not installed")
    path = resources.files("ludax") / "games" / f"{work.ludax}.ldx"
    module: Any = importlib.import_module("ludax")
    batch = _batch(module.LudaxEnvironment(game_path=str(path)))

    def play(games: int) -> Batch:
        begun, plies = time.process_time(), 0
        rounds = -(-games // TOGETHER)
        for number in range(rounds):
            plies += int(batch(number))
        return Batch(time.process_time() - begun, rounds * TOGETHER, plies)

    return Player("Ludax", play)


def _batch(environment: Any) -> Callable[[int], Any]:
    """Return a compiled function that plays a batch of random games and counts their plies."""
    jax: Any = importlib.import_module("jax")
    start, step = jax.vmap(environment.init), jax.vmap(environment.step)

    def live(state: Any) -> Any:
        return ~(state.terminated | state.truncated)

    def ply(at: Any) -> Any:
        state, key, plies = at
        key, drawn = jax.random.split(key)
        weights = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        moves = jax.random.categorical(drawn, weights, axis=1)
        return step(state, moves), key, plies + live(state).sum()

    def play(number: int) -> Any:
        key = jax.random.PRNGKey(number)
        state = start(jax.random.split(key, TOGETHER))
        return jax.lax.while_loop(lambda at: live(at[0]).any(), ply, (state, key, 0))[2]

    compiled: Callable[[int], Any] = jax.jit(play)
    return compiled


def _counted(work: Count, program: Path, times: int) -> Batch:
    """Run the perft of a program in C a number of times."""
    seconds = 0.0
    for _ in range(times):
        counted = c_rulers.count(program, work.depth, bulk=work.bulk)
        if counted.nodes != work.nodes:
            raise SystemExit(f"{work.name}: C counted {counted.nodes}")
        seconds += counted.seconds
    return Batch(seconds, work.nodes * times, work.nodes * times)


def _counter(work: Count, game: rulesengine.Game) -> Callable[[int], int]:
    """Return an engine's perft, in bulk or with leaves made. Raises Absent."""
    if game.engine == "interpreter":
        raise Absent("engine interpreter: a perft so deep would take minutes")
    perft: Callable[..., int] = game.perft
    if work.bulk:
        return perft
    if "bulk" not in inspect.signature(perft).parameters:
        raise Absent(f"engine {game.engine} has no perft that makes the moves of the last ply")
    return partial(perft, bulk=False)


def _perft(work: Count, counter: Callable[[int], int], times: int) -> Batch:
    begun = time.process_time()
    for _ in range(times):
        if counter(work.depth) != work.nodes:
            raise SystemExit(f"{work.name}: an engine counted otherwise")
    seconds = time.process_time() - begun
    return Batch(seconds, work.nodes * times, work.nodes * times)
