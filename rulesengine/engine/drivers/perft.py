"""Perft over a game given as functions: the definition for every engine."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from rulesengine.engine.drivers.protocol import Functions
from rulesengine.errors import LimitError
from rulesengine.support.limits import MAX_FREE_PASSES

S = TypeVar("S")
M = TypeVar("M")


def perft(
    game: Functions[S, M],
    state: S,
    depth: int,
    *,
    keep: bool = False,
    free: bool = False,
    below: Callable[[S, int], int | None] | None = None,
) -> int:
    """Return the number of sequences of exactly `depth` moves from a state.

    With `keep` a game that ends earlier counts as one. With `free` a pass takes no ply. `below`, if
    given, counts from a state in another way, and returns None for a state it does not support.
    Raises LimitError after too many consecutive moves that take no ply.
    """
    if below is None:
        return count(game, state, depth, keep, free, 0)
    known = below

    def count_cached(after: S, left: int) -> int:
        number = known(after, left)
        return -1 if number is None else number

    return count(replace(game, below=count_cached), state, depth, keep, free, 0)


def count(game: Functions[S, M], state: S, depth: int, keep: bool, free: bool, passed: int) -> int:
    """Return the perft count, after `passed` consecutive moves that took no ply; see `perft`."""
    if passed > MAX_FREE_PASSES:
        raise LimitError(f"more than {MAX_FREE_PASSES} moves in a row that take no ply")
    if depth == 0:
        return 1
    moves = game.legal(state)
    if not moves:
        return int(keep)
    is_free = game.is_free(state)
    # Bulk counting: the last moves are counted, not made, unless one of them takes no ply.
    at_once = depth == 1 and not is_free
    if at_once and free:
        for move in moves:
            if game.is_pass(move):
                at_once = False
                break
    if at_once:
        return len(moves)
    total = 0
    for move in moves:
        stays = is_free or (free and game.is_pass(move))
        left = depth if stays else depth - 1
        after = game.apply(state, move)
        known = game.below(after, left)
        now = passed + 1 if stays else 0
        total += count(game, after, left, keep, free, now) if known < 0 else known
    return total
