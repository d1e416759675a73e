"""A step of a batch by worker threads that spin in the kernel between steps, as drivers.

The leader publishes chunks of games; all threads take chunks from a shared counter, and count the
finished ones. There are no locks and no sleeping threads: waking a thread takes as long as a short
step. This is self-scheduling (Polychronopoulos and Kuck), as in `rulesengine.batch.work_sharing`.
"""

from typing import TypeVar

from rulesengine.engine.drivers.batch.layout import CHUNKS, DONE, GAMES, IS_BACK, OFFERED
from rulesengine.engine.drivers.batch.memories import GameRange, StepMemories
from rulesengine.engine.drivers.batch.step import step_games
from rulesengine.engine.drivers.memory import Memory, add_shared, load, poll, store
from rulesengine.engine.drivers.protocol import BatchFunctions

S = TypeVar("S")
M = TypeVar("M")


def lead(
    game: BatchFunctions[S, M],
    chunks: int,
    is_back: bool,
    polls: int,
    mark: int,
    step: StepMemories,
) -> int:
    """Publish the chunks of a step (0 if they are published already), take chunks, and wait for the
    rest.

    Return the number of finished chunks: all of them, or fewer after `polls` polls of the counter.
    """
    if chunks > 0:
        store(step.plan, CHUNKS, chunks)
        store(step.plan, IS_BACK, int(is_back))
        _before = add_shared(step.plan, DONE, -load(step.plan, DONE))
        store(step.plan, OFFERED, chunks)
    goes_on = True
    while goes_on:
        goes_on = take_chunk(game, mark, step)
    left, done = polls, add_shared(step.plan, DONE, 0)
    while done < load(step.plan, CHUNKS) and left > 0:
        left, done = left - 1, add_shared(step.plan, DONE, 0)
    return done


def serve(game: BatchFunctions[S, M], polls: int, mark: int, step: StepMemories) -> int:
    """Take published chunks until none has appeared for `polls` polls; return the number taken."""
    left, count = polls, 0
    while left > 0:
        poll(step.plan)
        left = left - 1
        if add_shared(step.plan, OFFERED, 0) > 0:
            if take_chunk(game, mark, step):
                left, count = polls, count + 1
    return count


def take_chunk(game: BatchFunctions[S, M], mark: int, step: StepMemories) -> bool:
    """Take a chunk and make its step; True if there was one."""
    chunk = add_shared(step.plan, OFFERED, -1) - 1
    if chunk < 0:
        return False
    total, chunks = load(step.plan, GAMES), load(step.plan, CHUNKS)
    games = GameRange(total * chunk // chunks, total * (chunk + 1) // chunks, mark)
    if load(step.plan, IS_BACK) > 0:
        back = StepMemories(step.plan, step.lines, step.now, step.was, step.shown, step.actions)
        step_games(game, games, back)
    else:
        step_games(game, games, step)
    return count_chunk(step.plan) > 0


def count_chunk(plan: Memory) -> int:
    """Count a finished chunk; return the number of finished ones."""
    return add_shared(plan, DONE, 1) + 1
