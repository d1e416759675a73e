"""Benchmark of batches and environments: `python -m tests.benchmarks.bench_batches`.

It measures steps of a batch with one and two threads, the vector environment compared with its
batch, PettingZoo's own games compared with ours in the same loop, and Pgx where it is installed.
Times are CPU time of all threads. Steps with two threads are in wall-clock time, because helper
threads spin. Each pair prints a checksum of the games, which must be equal on both sides.
"""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from math import inf
from multiprocessing import get_context
from time import perf_counter, process_time
from typing import Any

import numpy as np

from rulesengine import load
from rulesengine.adapters import gymnasium, pettingzoo
from rulesengine.tools.doctor import native_target, processor_name

GAMES = 4096
ROUNDS = 5
Given = Sequence[Sequence[int]]
RELATIVE = (
    *("connect-four", "othello", "gomoku", "hex", "go"),
    *("english-draughts", "chess", "xiangqi"),
)
OTHERS = {"connect-four": "connect_four_v3", "tic-tac-toe": "tictactoe_v3"}


def main() -> None:
    """Print the processor, its features that native code uses, and a line for each figure."""
    processor, features = native_target()
    print(f"{processor_name()}; native code for {processor} {' '.join(features)}")
    for name in ("connect-four", "othello"):
        steps(name)
        threads(name)
        print(f"{name}: two processes that share nothing, each with half of the games, step"
              f" {ceiling(name):.2f} times as fast by the clock as one with them")  # fmt: skip
        vector(name)
    for name in RELATIVE:
        for games in (256, GAMES):
            relative_to_playouts(name, games)
    for name, other in OTHERS.items():
        beside_pettingzoo(name, other)
    if find_spec("pgx"):
        for name, other in (("connect-four", "connect_four"), ("othello", "othello")):
            beside_pgx(name, other)


def steps(name: str, count: int = 300) -> None:
    """Print the actions per second of a batch, drawn in the kernel and by NumPy from the mask."""
    batch, other = (native(name).batch(GAMES, seed=1, restart=True) for _ in range(2))
    draw = np.random.default_rng(1)

    def by_numpy() -> Any:
        keys = draw.random(other.mask.shape)
        keys[~other.mask] = -1.0
        return keys.argmax(axis=1)

    own = best(lambda: repeated(batch.step, count))
    numpy = best(lambda: repeated(lambda: other.step(by_numpy()), count // 10)) * 10
    alone = best(lambda: repeated(by_numpy, count // 10)) * 10
    rate = GAMES * count / 1e6
    print(f"{name}: {rate / own:.1f} M actions/s; drawn by numpy {rate / numpy:.2f} M/s, which"
          f" takes {alone / numpy:.2f} of the time; checksum {checksum(batch)}")  # fmt: skip


def relative_to_playouts(name: str, games: int, count: int = 60) -> None:
    """Print the time of an action of a batch relative to that of a ply of random games."""
    game = native(name)
    part = game._dispatcher.batch(game.actions.splits)
    part.wait_until_final(inf)  # it waits for the last tier of the step
    batch = game.batch(games, seed=1, restart=True)
    game.engines()  # it waits for the last tier of random games
    number = max(20, round(3 / seconds(lambda: game.playouts(20, seed=1))))
    plies = number * game.playouts(number, seed=1).mean_length
    ply, action = pair(lambda: game.playouts(number, seed=1), lambda: repeated(batch.step, count))
    ply, action = ply / plies, action / (count * games)
    print(f"{name}, {games} games: an action takes {action * 1e9:.0f} ns, a ply of random games"
          f" {ply * 1e9:.0f} ns: {action / ply:.1f} times as long;"
          f" checksum {checksum(batch)}")  # fmt: skip


def threads(name: str, count: int = 300) -> None:
    """Print the speed-up of two threads of a batch, and the CPU time of those of `playouts`."""
    game = native(name)
    one, two = (game.batch(GAMES, seed=1, threads=t, restart=True) for t in (1, 2))
    by_clock = partial(seconds, clock=perf_counter)
    single, double = pair(
        lambda: repeated(one.step, count), lambda: repeated(two.step, count), by_clock
    )
    alone, both = pair(lambda: game.playouts(100_000), lambda: game.playouts(100_000, threads=2))
    agree(name, checksum(one), checksum(two))
    print(f"{name}: two threads step {single / double:.2f} times as fast by the clock, and take"
          f" {both / alone:.2f} of the processor's time of one by `playouts`;"
          f" checksum {checksum(one)}")  # fmt: skip


def ceiling(name: str) -> float:
    """Compute the speed-up of two processes that neither wait for each other nor share data."""
    alone = max(in_processes(name, 1))
    return 2 * alone / max(in_processes(name, 2))


def in_processes(name: str, number: int) -> list[float]:
    """Return the best round of concurrent processes, each with half of the games, in seconds."""
    spawning = get_context("spawn")
    together, found = spawning.Barrier(number), spawning.Queue()
    running = [spawning.Process(target=half, args=(name, together, found)) for _ in range(number)]
    for process in running:
        process.start()
    rounds = [found.get() for _ in range(number * ROUNDS)]
    for process in running:
        process.join()
    each = [[spent for turn, spent in rounds if turn == run] for run in range(ROUNDS)]
    return min(each, key=max)


def half(name: str, together: Any, found: Any, count: int = 1500) -> None:
    """Step half of the games, in rounds that start at a barrier of all processes."""
    batch = native(name).batch(GAMES // 2, seed=1, restart=True)
    repeated(batch.step, 100)
    for turn in range(ROUNDS):
        together.wait()
        begun = perf_counter()
        repeated(batch.step, count)
        found.put((turn, perf_counter() - begun))


def vector(name: str, count: int = 50) -> None:
    """Print the speed of the vector environment relative to its batch, both with observations."""
    batch = native(name).batch(GAMES, seed=1, restart=True)
    env = gymnasium.make_vec(name, GAMES, seed=1, engine="native")

    def step() -> None:
        batch.step(batch.sample())
        batch.observe()

    plain, wrapped = pair(
        lambda: repeated(step, count),
        lambda: repeated(lambda: env.step(env.batch.sample()), count),
    )
    agree(name, checksum(batch), checksum(env.batch))
    print(f"{name}: the vector environment reaches {plain / wrapped:.2f} of the batch;"
          f" checksum {checksum(batch)}")  # fmt: skip


def beside_pettingzoo(name: str, other: str, games: int = 40) -> None:
    """Print the speed of our environment relative to PettingZoo's, for three sources of actions.

    These are NumPy and the mask, the action space as in PettingZoo's documentation, and given
    games.
    """
    theirs = import_module(f"pettingzoo.classic.{other}").env()
    ours = pettingzoo.env(name, engine="native")
    given = [drawn(ours, np.random.default_rng(n)) for n in range(games)]
    columns = theirs.action_space(theirs.possible_agents[0]).n
    # An action of theirs is a column; ours is any cell of that column. In tic-tac-toe they number
    # cells by columns, which mirrors the game.
    mirrored = [[action % columns for action in actions] for actions in given]
    drawing: Given = []
    for kind, mine, other_side in (
        ("the same loop", None, None),
        ("the same loop with samples of the space", drawing, drawing),
        ("actions drawn beforehand", given, mirrored),
    ):
        sums: set[float] = set()
        own, their = pair(
            partial(played, ours, games, mine, sums),
            partial(played, theirs, games, other_side, sums),
        )
        if mine and len(sums) > 1:
            raise SystemExit(f"{name}: checksums {sums} differ")
        print(f"{name}, {kind}: {their / own:.1f} times as fast as PettingZoo's,"
              f" {own / games * 1e6:.0f} us a game; checksum {sums}")  # fmt: skip


def played(env: Any, games: int, given: Given | None, sums: set[float]) -> None:
    """Play games in the loop of PettingZoo's documentation, and add a weighted sum of rewards.

    If `given` is None, NumPy draws the actions. If it is empty, the action space does.
    """
    total, draw = 0.0, np.random.default_rng(1)
    for number in range(games):
        at = 0
        env.reset(seed=number)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            total += reward * (number + 1) * (1 + env.possible_agents.index(agent))
            if terminated or truncated:
                env.step(None)
            elif given is None:
                env.step(draw.choice(np.flatnonzero(seen["action_mask"])))
            elif not given:
                env.step(env.action_space(agent).sample(seen["action_mask"]))
            else:
                env.step(given[number][at])
                at += 1
    sums.add(total)


def drawn(env: Any, draw: Any) -> list[int]:
    """Return the actions of a random game."""
    env.reset()
    actions = []
    while not any(env.terminations.values()):
        actions.append(int(draw.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
        env.step(actions[-1])
    return actions


def beside_pgx(name: str, other: str, count: int = 100) -> None:
    """Print the actions per second of a batch and of Pgx on the CPU, both with masks."""
    jax: Any = import_module("jax")
    pgx: Any = import_module("pgx")
    wrappers: Any = import_module("pgx.experimental.wrappers")
    env = pgx.make(other)
    step, key = wrappers.auto_reset(env.step, env.init), jax.random.PRNGKey(1)

    def one(state: Any, key: Any) -> tuple[Any, None]:
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        action = jax.random.categorical(key, logits, axis=1)
        return jax.vmap(step)(state, action, jax.random.split(key, GAMES)), None

    run = jax.jit(lambda state, keys: jax.lax.scan(one, state, keys)[0])
    keys = jax.random.split(key, count)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES))
    jax.block_until_ready(run(state, keys))
    batch = native(name).batch(GAMES, seed=1, restart=True)
    theirs, ours = pair(
        lambda: jax.block_until_ready(run(state, keys)), lambda: repeated(batch.step, count)
    )
    rate = GAMES * count / 1e6
    print(f"{name}: {rate / ours:.1f} M actions/s, Pgx {rate / theirs:.2f} M/s,"
          f" {theirs / ours:.1f} times as fast")  # fmt: skip


def native(name: str) -> Any:
    return load(name, engine="native")


def checksum(batch: Any) -> int:
    """Return a number that depends on the position of every game."""
    rows = np.packbits(batch.mask, axis=1).astype(np.uint64)
    weights = np.arange(1, rows.size + 1, dtype=np.uint64).reshape(rows.shape)
    return int((rows * weights).sum() + batch.plies.sum().astype(np.uint64))


def agree(name: str, one: int, other: int) -> None:
    if one != other:
        raise SystemExit(f"{name}: checksums {one} and {other} differ")


def repeated(call: Callable[[], object], count: int) -> None:
    for _ in range(count):
        call()


def best(call: Callable[[], object]) -> float:
    call()
    return min(seconds(call) for _ in range(ROUNDS))


def pair(
    one: Callable[[], object],
    other: Callable[[], object],
    timed: Callable[[Callable[[], object]], float] | None = None,
) -> tuple[float, float]:
    """Return the minimum times of two calls, which alternate."""
    one()
    other()
    timed = timed or seconds
    times = [(timed(one), timed(other)) for _ in range(ROUNDS)]
    return min(a for a, _ in times), min(b for _, b in times)


def seconds(call: Callable[[], object], clock: Callable[[], float] = process_time) -> float:
    begun = clock()
    call()
    return clock() - begun


if __name__ == "__main__":
    main()
