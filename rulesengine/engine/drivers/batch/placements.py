"""Steps of games with placements and passes alone: masks from the set of targets.

Such a game needs no list of moves: a step places on the cell of its action, and the mask has a byte
for each cell of the set. See decision 189.
"""

from typing import TypeVar

from rulesengine.engine.drivers.batch.columns import column, row_of
from rulesengine.engine.drivers.batch.layout import (
    ACTION_CELLS,
    ACTIONS,
    BY_CELL,
    CELL_ACTIONS,
    COUNTS,
    DRAWN,
    EIGHT,
    HALF,
    LISTS,
    PASS_ACTION,
    SET_WORDS,
    SPREADS,
)
from rulesengine.engine.drivers.batch.memories import OutputMemories
from rulesengine.engine.drivers.memory import (
    Memory,
    Word,
    load,
    load_byte,
    load_half,
    load_word,
    store,
    store_byte,
)
from rulesengine.engine.drivers.protocol import BatchFunctions
from rulesengine.engine.drivers.random import draw, popcount
from rulesengine.language.ir.program import Program

S = TypeVar("S")
M = TypeVar("M")
_BYTE = 255
# the shifts from bytes to words, from a cell or a group of eight cells to its word
_IN_BYTES, _CELL_WORD, _GROUP_WORD = 3, 6, 3
_CELL_BITS, _GROUP_BITS = 63, 7


def placing_group(program: Program) -> int | None:
    """Return the number of the group that places, if a move is one of its steps or a pass.

    Such a step is a cell alone. A pass is any step without cells, and there is one group of passes
    at most. Else return None.
    """
    rules = program.rules
    if rules.chance or rules.keep or rules.together:
        return None
    placing = [number for number, group in enumerate(rules.groups) if group.target is not None]
    if len(placing) != 1 or len(rules.groups) > 2:
        return None
    if any(group.origin or group.along or group.choice or group.then for group in rules.groups):
        return None
    return placing[0]


def passing_group(program: Program) -> int | None:
    """Return the number of the group without cells, None if there is none."""
    groups = enumerate(program.rules.groups)
    return next((number for number, group in groups if group.target is None), None)


def targets_of(number: int, plan: Memory) -> int:
    """Return the address of the set of a game's targets, which is in the place of its list."""
    return (load(plan, LISTS) >> _IN_BYTES) + number * load(plan, SET_WORDS)


def mark_targets(game: BatchFunctions[S, M], state: S, number: int, outputs: OutputMemories) -> int:
    """Write the set of targets and the mask of a game; return the number of legal actions."""
    at, row = targets_of(number, outputs.plan), row_of(number, outputs.plan)
    passes = game.targets(state, outputs.shown, at)
    count, passing = passes, load(outputs.plan, PASS_ACTION)
    for word in range(game.cells(state) + _CELL_BITS >> _CELL_WORD):
        count += popcount(load_word(outputs.shown, at + word))
    if load(outputs.plan, BY_CELL) > 0:
        spread_targets(at, row >> _IN_BYTES, game.cells(state) + _GROUP_BITS >> _IN_BYTES, outputs)
    else:
        mark_each(at, row, outputs)
    if passing >= 0:
        store_byte(outputs.shown, row + passing, passes)
    return count


def spread_targets(at: int, row: int, groups: int, outputs: OutputMemories) -> int:
    """Write the mask of targets if actions are cells, in groups of eight.

    Return the address after it.
    """
    spreads, place = load(outputs.plan, SPREADS), row
    for group in range(groups):
        word = load(outputs.shown, at + (group >> _GROUP_WORD))
        cells = word >> (group & _GROUP_BITS) * EIGHT & _BYTE
        store(outputs.shown, place, load(outputs.plan, spreads + cells))
        place += 1
    return place


def mark_each(at: int, row: int, outputs: OutputMemories) -> int:
    """Write the mask of targets one by one; return the number of actions."""
    cells, actions = load(outputs.plan, ACTION_CELLS), load(outputs.plan, ACTIONS)
    for action in range(actions):
        cell = load_half(outputs.plan, cells + action * HALF)
        bit = load(outputs.shown, at + (cell >> _CELL_WORD)) >> (cell & _CELL_BITS) & 1
        store_byte(outputs.shown, row + action, bit)
    return actions


def draw_placement(
    game: BatchFunctions[S, M],
    state: S,
    number: int,
    random: Word,
    action: int,
    plan: Memory,
    shown: Memory,
) -> tuple[Word, int]:
    """Return the generator's next state and the action to take, -1 for an illegal one.

    The next state is the same for all actions.
    """
    count, row = load(shown, column(COUNTS, number, plan)), row_of(number, plan)
    random, drawn = draw(random, count)
    if action == DRAWN:
        passing = load(plan, PASS_ACTION)
        if drawn == count - 1 and passing >= 0 and load_byte(shown, row + passing) > 0:
            return random, passing
        cell = game.nth_target(state, shown, targets_of(number, plan), drawn)
        return random, load_half(plan, load(plan, CELL_ACTIONS) + cell * HALF)
    if action < 0 or action >= load(plan, ACTIONS) or load_byte(shown, row + action) == 0:
        return random, -1
    return random, action


def cell_of(action: int, plan: Memory) -> int:
    """Return the target of an action, -1 for a pass."""
    if action == load(plan, PASS_ACTION):
        return -1
    return load_half(plan, load(plan, ACTION_CELLS) + action * HALF)
