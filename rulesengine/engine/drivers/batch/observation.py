"""Observations of the players of a single game, as drivers: planes of cells as flags, one byte
each.
"""

from typing import TypeVar

from rulesengine.engine.drivers.batch.columns import column
from rulesengine.engine.drivers.batch.layout import (
    BLOCKS,
    EIGHT,
    GROUPS,
    MOVERS,
    NOBODY,
    NUMBERS,
    PLACES,
    PLAYERS,
    SETS,
    SPAN_OF_BLOCK,
    SPREAD,
    SWAPPED,
    VIEWED,
)
from rulesengine.engine.drivers.batch.memories import GameRange, StepMemories
from rulesengine.engine.drivers.batch.step import step_games
from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.protocol import BatchFunctions

S = TypeVar("S")
M = TypeVar("M")
_BYTE = 255
# from the number of a group of eight cells: the shift to its word, the mask of its place there
_WORD_AT, _IN_WORD = 3, 7


def step_viewed(game: BatchFunctions[S, M], mark: int, step: StepMemories, views: Memory) -> int:
    """Make a step of the only game and write the observation of the player to move; at the end of
    the game those of all players.
    """
    step_games(game, GameRange(0, 1, mark), step)
    mover = load(step.shown, column(MOVERS, 0, step.plan))
    if mover >= 0:
        view(mover, step.plan, step.now, step.shown, views)
    elif mover == NOBODY:
        for player in range(load(step.plan, PLAYERS)):
            view(player, step.plan, step.now, step.shown, views)
    return mover


def view(player: int, plan: Memory, own: Memory, shown: Memory, views: Memory) -> int:
    """Write the observation of a player from the game's record `own`; return the address after its
    block.
    """
    planes, groups, side = load(views, VIEWED), load(views, GROUPS), player
    if load(views, SWAPPED) >= 0 and load(own, load(views, SWAPPED)) > 0:
        side = 1 - player
    at = load(views, BLOCKS) + player * load(views, SPAN_OF_BLOCK)
    sets, spread = load(views, SETS) + side * planes, load(views, SPREAD)
    for plane in range(planes):
        place = load(views, sets + plane)
        if place >= 0:
            for group in range(groups):
                cells = load(own, place + (group >> _WORD_AT)) >> (group & _IN_WORD) * EIGHT
                store(views, at + group, load(views, spread + (cells & _BYTE)))
        at = at + groups
    is_to_move = int(player == load(shown, column(MOVERS, 0, plan)))
    turn = load(views, spread + _BYTE * is_to_move)
    for group in range(groups):
        store(views, at + group, turn)
    at = at + groups
    numbers, places = load(views, NUMBERS), load(views, PLACES)
    for number in range(numbers):
        store(views, at + number, load(own, load(views, places + number)))
    return at + numbers
