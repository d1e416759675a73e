"""Reading of recorded moves, as a driver: the legal move that fits each of a line of descriptions.

See decision 111. A description is a row of the table:

- `GOAL` is the target cell, or `EXACT` for a row with the words of steps.
- `CHOICE` is the choice of the step; in an exact row, the number of its steps.
- `PLANES` is a mask of the planes that may have the piece on the origin.
- From `ORIGINS` on, the mask of the origins, or the first words of the steps.

Row 0 is a header: from `EXCLUDED` on, the mask of groups that only exact rows match.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, load, load_word, store, store_word
from rulesengine.engine.drivers.protocol import BatchFunctions
from rulesengine.engine.drivers.random import mix, word, wrap_mul, wrap_xor
from rulesengine.support.words import CELLS, GROUPS, ORIGIN, TARGET

S = TypeVar("S")
M = TypeVar("M")

GOAL, CHOICE, PLANES, ORIGINS = 0, 1, 2, 3
EXACT = -1
# The header of the table: words of a set, planes of a state, words of a row.
SET_WORDS, STATE_PLANES, WIDTH, EXCLUDED = 0, 1, 2, 3
BITS = 64
# The words of each ply of the output: those of the step, and a hash of the board before it.
FIRST, SECOND, BOARD, OUTPUT = 0, 1, 2, 3
_MULTIPLIER = 0x2545F4914F6CDD1D  # odd and without a pattern of bits


def read_moves(
    game: BatchFunctions[S, M],
    descriptions: Memory,
    table: Memory,
    work: Memory,
    made: Memory,
    count: int,
) -> tuple[int, int, int]:
    """Make the moves of `count` descriptions from the state in `work`, and save the last state.

    Returns the number of moves made, the result of `winner` after them and the words of the state.
    It ends before a description that does not fit exactly one legal move.
    """
    state = game.loaded(work, 0, work, 0, 0, 0)
    size = 0
    ply = 0
    goes_on = True
    while goes_on and ply < count:
        row = load(descriptions, ply) * load(table, WIDTH)
        goal = load(table, row + GOAL)
        size = game.saved(state, work, 0)
        moves = game.legal(state)
        number = -1
        chosen = -1
        matches = 0
        at = ply * OUTPUT
        for move in moves:
            number += 1
            is_there = goal == EXACT or game.step(move, 0) >> TARGET & CELLS == goal + 1
            if is_there and fits(game.step(move, 0), game.choice(move, 0), row, table, work):
                store(made, at + FIRST, game.step(move, 0))
                store(made, at + SECOND, game.choice(move, 0))
                chosen = number
                matches += 1
        goes_on = matches == 1
        if goes_on:
            store_word(made, at + BOARD, board_hash(table, work))
            state = game.apply(state, moves[chosen])
            ply += 1
    size = game.saved(state, work, 0)
    return ply, game.winner(state), size


def fits(step: int, choice: int, row: int, table: Memory, work: Memory) -> bool:
    """True if the words of a step to the target of a row fit it; the state is in `work`."""
    if load(table, row + GOAL) == EXACT:
        is_known = False
        for number in range(load(table, row + CHOICE)):
            is_known = is_known or load(table, row + ORIGINS + number) == step
        return is_known
    origin = (step >> ORIGIN & CELLS) - 1
    if origin < 0 or choice != load(table, row + CHOICE):
        return False
    if load(table, EXCLUDED) >> (step & GROUPS) & 1 == 1:
        return False
    at, bit = origin // BITS, origin % BITS
    if load(table, row + ORIGINS + at) >> bit & 1 == 0:
        return False
    return has_piece(load(table, row + PLANES), at, bit, table, work)


def has_piece(planes: int, at: int, bit: int, table: Memory, work: Memory) -> bool:
    """True if one of some planes of the state in `work` has a cell."""
    has_any = False
    for plane in range(load(table, STATE_PLANES)):
        if planes >> plane & 1 == 1:
            has_any = has_any or load(work, plane * load(table, SET_WORDS) + at) >> bit & 1 == 1
    return has_any


def board_hash(table: Memory, work: Memory) -> Word:
    """Return a hash of the pieces of the state in `work`."""
    total = word(0)
    for number in range(load(table, STATE_PLANES) * load(table, SET_WORDS)):
        total = wrap_xor(wrap_mul(total, word(_MULTIPLIER)), load_word(work, number))
    return mix(total)
