"""A step of many games by threads that stay in the kernel from step to step, as drivers.

Who leads offers chunks of the games; all take one after the other, and count those that are done.
Nobody holds a lock or sleeps: to wake a thread takes as long as a short step. This is
self-scheduling by one counter: Polychronopoulos and Kuck, as `batches.sharing` has it.
"""

from typing import TypeVar

from rulesengine.engine.drivers.batch.layout import CHUNKS, DONE, GAMES, IS_BACK, OFFERED
from rulesengine.engine.drivers.batch.step import step_games
from rulesengine.engine.drivers.core import Stepped
from rulesengine.engine.drivers.memory import Memory, add_shared, load, poll, store

S = TypeVar("S")
M = TypeVar("M")


def lead(
    game: Stepped[S, M],
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
    """Offer chunks of a step, 0 if that has been done, take what is left, and wait for the others.

    Gives how many chunks are done, all of them or after so many looks.
    """
    if chunks > 0:
        store(plan, CHUNKS, chunks)
        store(plan, IS_BACK, int(is_back))
        _before = add_shared(plan, DONE, -load(plan, DONE))
        store(plan, OFFERED, chunks)
    goes_on = True
    while goes_on:
        goes_on = took(game, mark, plan, lines, one, other, shown, given)
    left, done = looks, add_shared(plan, DONE, 0)
    while done < load(plan, CHUNKS) and left > 0:
        left, done = left - 1, add_shared(plan, DONE, 0)
    return done


def serve(
    game: Stepped[S, M],
    looks: int,
    mark: int,
    plan: Memory,
    lines: Memory,
    one: Memory,
    other: Memory,
    shown: Memory,
    given: Memory,
) -> int:
    """Take chunks that are offered until none has been for so many looks; how many it was."""
    left, count = looks, 0
    while left > 0:
        poll(plan)
        left = left - 1
        if add_shared(plan, OFFERED, 0) > 0:
            if took(game, mark, plan, lines, one, other, shown, given):
                left, count = looks, count + 1
    return count


def took(
    game: Stepped[S, M],
    mark: int,
    plan: Memory,
    lines: Memory,
    one: Memory,
    other: Memory,
    shown: Memory,
    given: Memory,
) -> bool:
    """Take a chunk, if there is any; whether there was."""
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
    """Tell that one more chunk is done; gives how many are."""
    return add_shared(plan, DONE, 1) + 1
