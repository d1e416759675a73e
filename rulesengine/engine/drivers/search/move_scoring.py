"""What is known of a position before it is searched, and how deep that is to be, as drivers."""

from typing import TypeVar

from rulesengine.engine.drivers.core import CALM, PARRIED, Judged
from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.search.layout import (
    DEEPEST,
    DEPTH,
    ESTIMATED,
    LARGE,
    LATE,
    PLAIN,
    SETTLES,
    SPARED,
    TO_END,
    VALUES,
    WHOLE_AT,
)
from rulesengine.engine.drivers.search.move_ordering import (
    PRAISE,
    leading,
    narrow,
    replies,
    threatening,
)
from rulesengine.engine.drivers.search.path_key import key_of
from rulesengine.engine.drivers.search.position_value import team, told
from rulesengine.engine.drivers.search.safe_moves import lead
from rulesengine.engine.drivers.search.transposition_table import entry_of, serves

S = TypeVar("S")
M = TypeVar("M")


def answers(data: int, depth: int, alpha: int, beta: int, ply: int, own: Memory) -> bool:
    """Whether an entry of the table says all that is asked; then what it hangs on is noted."""
    if data == 0:
        return False
    value = told((data & VALUES) - LARGE, ply, own)
    reach = DEEPEST if load(own, TO_END) != 0 else depth
    if not serves(data, value, reach, alpha, beta):
        return False
    if data >> WHOLE_AT & 1 == 0:
        store(own, ESTIMATED, 1)
    return True


def foreseen(
    game: Judged[S, M],
    state: S,
    soon: int,
    narrows: bool,
    meets: bool,
    depth: int,
    beta: int,
    sides: int,
    mine: bool,
    ply: int,
    own: Memory,
    table: Memory,
) -> tuple[int, int]:
    """What a move is worth at least, if that is too good, else little, and how soon it is tried.

    The state is that after the move, which would be tried so `soon` if nothing were known of it.
    """
    if meets:
        value = met(game, state, depth - 1, beta, sides, mine, ply, own, table)
        if value >= beta:
            return value, soon
    if narrows and game.tells_reserves(state) and load(own, SETTLES) != 0:
        return -LARGE, leading(soon, -lead(game, state, own))
    if narrows:
        return -LARGE, narrow(soon, replies(game, state))
    return -LARGE, threatening(soon, game.threats(state))


def met(
    game: Judged[S, M],
    state: S,
    depth: int,
    beta: int,
    sides: int,
    mine: bool,
    ply: int,
    own: Memory,
    table: Memory,
) -> int:
    """What the table has of the value of what a move leads to, where that is too good; else little.

    To look at all of them before one is searched often spares that (Schaeffer and Plaat, 1996).
    """
    data = entry_of(key_of(game, state, ply + 1, sides, own), own, table)
    if data == 0:
        return -LARGE
    value = told((data & VALUES) - LARGE, ply + 1, own)
    if team(game, state, own) == mine:
        serving = value >= beta and answers(data, depth, beta - 1, beta, ply + 1, own)
        return value if serving else -LARGE
    serving = -value >= beta and answers(data, depth, -beta, 1 - beta, ply + 1, own)
    return -value if serving else -LARGE


def pressing(game: Judged[S, M], state: S, ply: int, own: Memory) -> int:
    """What cannot wait where a round ends; nothing in rounds that end at the same depth everywhere.

    Moves that parry are followed, up to twice the depth of the round.
    """
    if not game.tells_urgent(state) or load(own, PLAIN) != 0 or ply >= DEEPEST:
        return CALM
    haste = game.urgent(state)
    is_forced = haste == PARRIED or haste >= 0
    return CALM if is_forced and ply >= 2 * load(own, DEPTH) else haste


def is_spared(game: Judged[S, M], state: S, depth: int, turn: int, soon: int, own: Memory) -> bool:
    """Whether a move is looked at a ply less deep, and as deep as others if it is too good then.

    Those are that come late in the order, where what wins at once and what must be met is seen at
    any depth.
    """
    if depth < SPARED or turn < LATE or soon >= 2 * PRAISE:
        return False
    return game.tells_urgent(state) and load(own, PLAIN) == 0
