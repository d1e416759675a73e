"""A step of a batch by worker threads that spin in the kernel between steps, as drivers.

The leader publishes chunks of games; all threads take chunks from a shared counter, and count the
finished ones. There are no locks and no sleeping threads: waking a thread takes as long as a short
step. This is self-scheduling (Polychronopoulos and Kuck), as in `rulesengine.batch.work_sharing`.
"""

from typing import TypeVar

from rulesengine.engine.drivers.batch.layout import CHUNKS, DONE, GAMES, IS_BACK, OFFERED
from rulesengine.engine.drivers.batch.step import step_games
from rulesengine.engine.drivers.memory import Memory, add_shared, load, poll, store
from rulesengine.engine.drivers.protocol import BatchFunctions

S = TypeVar("S")
M = TypeVar("M")


def lead(
    game: BatchFunctions[S, M],
    chunks: int,
    is_back: bool,
    looks: int,
    mark: int,
    plan: Memory,
    lines: Memory,
    one: Memory,
    other: Memory,
    shown: Memory,
    given: Memory,
) -> int:
    """Publish the chunks of a step (0 if they are published already), take chunks, and wait for the
    rest.

    Return the number of finished chunks: all of them, or fewer after `looks` polls of the counter.
    """
    if chunks > 0:
        store(plan, CHUNKS, chunks)
        store(plan, IS_BACK, int(is_back))
        _before = add_shared(plan, DONE, -load(plan, DONE))
        store(plan, OFFERED, chunks)
    goes_on = True
    while goes_on:
        goes_on = take_chunk(game, mark, plan, lines, one, other, shown, given)
    left, done = looks, add_shared(plan, DONE, 0)
    while done < load(plan, CHUNKS) and left > 0:
        left, done = left - 1, add_shared(plan, DONE, 0)
    return done


def serve(
    game: BatchFunctions[S, M],
    looks: int,
    mark: int,
    plan: Memory,
    lines: Memory,
    one: Memory,
    other: Memory,
    shown: Memory,
    given: Memory,
) -> int:
    """Take published chunks until none has appeared for `looks` polls; return the number taken."""
    left, count = looks, 0
    while left > 0:
        poll(plan)
        left = left - 1
        if add_shared(plan, OFFERED, 0) > 0:
            if take_chunk(game, mark, plan, lines, one, other, shown, given):
                left, count = looks, count + 1
    return count


def take_chunk(
    game: BatchFunctions[S, M],
    mark: int,
    plan: Memory,
    lines: Memory,
    one: Memory,
    other: Memory,
    shown: Memory,
    given: Memory,
) -> bool:
    """Take a chunk and make its step; True if there was one."""
    chunk = add_shared(plan, OFFERED, -1) - 1
    if chunk < 0:
        return False
    games, chunks = load(plan, GAMES), load(plan, CHUNKS)
    first, end = games * chunk // chunks, games * (chunk + 1) // chunks
    if load(plan, IS_BACK) > 0:
        step_games(game, first, end, mark, plan, lines, other, one, shown, given)
    else:
        step_games(game, first, end, mark, plan, lines, one, other, shown, given)
    return told(plan) > 0


def told(plan: Memory) -> int:
    """Count a finished chunk; return the number of finished ones."""
    return add_shared(plan, DONE, 1) + 1
