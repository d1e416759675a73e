"""Outputs of a batch, as drivers: legal actions, player to move, payoffs."""

from typing import TypeVar

from rulesengine.engine.drivers.batch.columns import column, kept_of, list_of, row_of
from rulesengine.engine.drivers.batch.layout import (
    CHOICE,
    COUNTS,
    ENTRY,
    HALF,
    KEPT,
    KEPT_CHOICE,
    LENGTHS,
    MOST_CHOICE,
    MOVERS,
    NOBODY,
    NUMBER,
    OVER,
    PAID,
    PATH,
    SLOTS,
    STEP,
    STOP_ACTION,
    TABLE,
    WIDTH,
)
from rulesengine.engine.drivers.batch.memories import OutputMemories
from rulesengine.engine.drivers.batch.placements import mark_targets
from rulesengine.engine.drivers.memory import (
    Memory,
    StaticFlag,
    load,
    load_byte,
    load_half,
    store,
    store_byte,
    store_half,
)
from rulesengine.engine.drivers.protocol import BatchFunctions
from rulesengine.engine.drivers.random import high_word, word, wrap_mul
from rulesengine.support.words import CELLS, FROM_PART, ORIGIN, TARGET, TO_PART

S = TypeVar("S")
M = TypeVar("M")
_GOLDEN = 0x9E3779B97F4A7C15
CHOICE_BIT = 44  # a bit above the cells of a step's word, so that few steps collide


def slot_of(step: int, choice: int, slots: int) -> int:
    """Return the first slot of a step in a hash table with linear probing.

    Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4).
    """
    return high_word(wrap_mul(word(step + (choice << CHOICE_BIT)), _GOLDEN), slots)


def action_of(step: int, choice: int, slots: int, table: int, plan: Memory) -> int:
    """Return the action of a step; `stop` after the last step of a move."""
    if step < 0:
        return load(plan, STOP_ACTION)
    slot = slot_of(step, choice, slots)
    at = table + slot * ENTRY
    while load(plan, at + NUMBER) != 0:
        if load(plan, at + STEP) == step and load(plan, at + CHOICE) == choice:
            return load(plan, at + NUMBER) - 1
        slot = slot + 1 if slot + 1 < slots else 0
        at = table + slot * ENTRY
    raise LookupError("a step without a number")


def split_action(step: int, choice: int, second: bool, slots: int, table: int, plan: Memory) -> int:
    """Return an action of a step: of a split step its first or second one, else the only one."""
    if not is_split(step):
        return action_of(step, choice, slots, table, plan)
    if second:
        return action_of(step & TO_PART, choice, slots, table, plan)
    return action_of(step & FROM_PART, -1, slots, table, plan)


def is_split(step: int) -> bool:
    """True if a step goes from a cell to a cell."""
    return step >= 0 and step >> ORIGIN & CELLS > 0 and step >> TARGET & CELLS > 0


def show(
    game: BatchFunctions[S, M],
    state: S,
    number: int,
    taken: int,
    plies: int,
    outputs: OutputMemories,
) -> int:
    """Write the outputs of a game from its record; return the number of legal actions."""
    if game.places(state):
        count = mark_targets(game, state, number, outputs)
    else:
        unmark(number, outputs.plan, outputs.shown)
        count = mark(game, state, number, taken, outputs)
    store(outputs.shown, column(COUNTS, number, outputs.plan), count)
    store(outputs.shown, column(LENGTHS, number, outputs.plan), plies)
    store(outputs.shown, column(OVER, number, outputs.plan), int(count == 0))
    mover = game.mover(state) if count > 0 else NOBODY
    store(outputs.shown, column(MOVERS, number, outputs.plan), mover)
    players = game.players(state)
    at = column(PAID, 0, outputs.plan) + number * players
    for player in range(players):
        store(outputs.shown, at + player, 0 if count > 0 else game.payoff(state, player))
    return count


def unmark(number: int, plan: Memory, shown: Memory) -> int:
    """Clear the mask of the actions that were legal; return their number."""
    row, actions = row_of(number, plan), list_of(number, plan)
    count = load(shown, column(COUNTS, number, plan))
    for place in range(count):
        store_byte(shown, row + load_half(shown, actions + place * HALF), 0)
    return count


def mark(
    game: BatchFunctions[S, M], state: S, number: int, taken: int, outputs: OutputMemories
) -> int:
    """List the actions that may follow those taken, in the order of moves; return their number."""
    count, _whole, _goes_on = scan_moves(game, state, number, taken, True, outputs)
    return count


def packed_step(step: int, choice: int) -> int:
    """Return the words of a step as one word, 0 if it does not fit. See decision 191."""
    if choice < -1 or choice >= MOST_CHOICE:
        return 0
    return step + (choice + 1 << KEPT_CHOICE)


def forget_step(action: int, number: int, count: int, outputs: OutputMemories) -> int:
    """Clear the stored step of a listed action with which several moves begin; return its place."""
    actions, place = list_of(number, outputs.plan), 0
    while place < count and load_half(outputs.shown, actions + place * HALF) != action:
        place += 1
    if place < load(outputs.plan, KEPT):
        store(outputs.shown, kept_of(number, outputs.plan) + place, 0)
    return place


def scan_moves(
    game: BatchFunctions[S, M],
    state: S,
    number: int,
    taken: int,
    lists: StaticFlag,
    outputs: OutputMemories,
) -> tuple[int, int, bool]:
    """Iterate over the moves that begin with the actions taken, which the record has as path.

    Return the number of following actions, which are listed and counted only with `lists`; the
    index of the move that ends here, -1 if none does; and whether any continues.
    """
    count, slots, table = 0, load(outputs.plan, SLOTS), load(outputs.plan, TABLE)
    row, actions = row_of(number, outputs.plan), list_of(number, outputs.plan)
    path = number * load(outputs.plan, WIDTH) + PATH
    steps, capacity = kept_of(number, outputs.plan), load(outputs.plan, KEPT)
    place, complete, goes_on, splits = 0, -1, False, game.splits(state)
    moves = game.legal(state)
    for move in moves:
        fits, index, second = True, 0, False
        if game.chains(state):
            for k in range(taken):
                step, choice = game.step(move, index), game.choice(move, index)
                if splits:
                    action = split_action(step, choice, second, slots, table, outputs.plan)
                    second = is_split(step) and not second
                else:
                    action = action_of(step, choice, slots, table, outputs.plan)
                fits = fits and action == load(outputs.own, path + k)
                index += int(not second)
        if fits and lists:
            step, choice = game.step(move, index), game.choice(move, index)
            if splits:
                action = split_action(step, choice, second, slots, table, outputs.plan)
            else:
                action = action_of(step, choice, slots, table, outputs.plan)
            if not game.chains(state) or load_byte(outputs.shown, row + action) == 0:
                store_byte(outputs.shown, row + action, 1)
                store_half(outputs.shown, actions + count * HALF, action)
                if count < capacity:
                    is_whole = not splits and taken == 0
                    if game.chains(state):
                        is_whole = is_whole and game.step(move, 1) < 0
                    known = packed_step(step, choice) if is_whole else 0
                    store(outputs.shown, steps + count, known)
                count += 1
            else:
                forget_step(action, number, count, outputs)
        elif fits and not second and game.step(move, index) < 0:
            complete = place
        elif fits:
            goes_on = True
        place = place + 1
    return count, complete, goes_on
