"""Addresses of the outputs of a game, as drivers."""

from rulesengine.engine.drivers.batch.layout import (
    ACTIONS,
    GAMES,
    HALF,
    KEPT,
    KEPT_AT,
    LISTS,
    MASKS,
    STRIDE,
)
from rulesengine.engine.drivers.memory import Memory, load


def column(name: int, number: int, plan: Memory) -> int:
    """Return the address of a game's word in an output column."""
    return name * load(plan, GAMES) + number


def list_of(number: int, plan: Memory) -> int:
    """Return the byte address of a game's list of legal actions."""
    return load(plan, LISTS) + number * load(plan, ACTIONS) * HALF


def kept_of(number: int, plan: Memory) -> int:
    """Return the address of the stored steps of a game's legal actions."""
    return load(plan, KEPT_AT) + number * load(plan, KEPT)


def row_of(number: int, plan: Memory) -> int:
    """Return the byte address of a game's mask."""
    return load(plan, MASKS) + number * load(plan, STRIDE)
