"""Child selection of a tree search: the child of highest value, by plain arithmetic."""

from fractions import Fraction
from random import Random

import pytest

from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search import tree_layout as at
from rulesengine.engine.drivers.search.fixed_point import fill_tables
from rulesengine.engine.drivers.search.rollouts import note_of
from rulesengine.engine.drivers.search.uct_selection import selected

PLACES, PLAYER, SIDES = 12, 1, 2
UNKNOWN, WON, LOST = Fraction(10**6), Fraction(10**7), Fraction(-1)


def family(chance: Random, own: Memory) -> tuple[Memory, int]:
    """Build a node with random children, and a table of AMAF statistics of their moves."""
    pool, node, count = Memory(at.TREE + 400), at.TREE, chance.randrange(1, PLACES)
    first, table = node + at.width(SIDES), at.TREE + 200
    numbers = pool.numbers
    numbers[node + at.FIRST], numbers[node + at.COUNT] = first, count
    numbers[node + at.MOVER], numbers[node + at.MOVES] = PLAYER, table
    for child in range(first, first + count * at.width(SIDES), at.width(SIDES)):
        place = chance.randrange(PLACES)
        numbers[child + at.NOTE] = note_of(place, PLAYER, PLACES)
        visits = chance.choice((0, 0, 1, 2, chance.randrange(1, 2000)))
        numbers[child + at.VISITS] = visits
        numbers[child + at.TOTALS + PLAYER] = chance.randint(0, 2 * visits)
        results = at.OPEN, at.OPEN, at.OPEN, at.DRAWN, at.WON_BY, at.WON_BY + PLAYER
        numbers[child + at.PROVEN] = chance.choice(results)
        games = chance.choice((0, chance.randrange(1, 5), chance.randrange(1, 5000)))
        word = (games << 32) + chance.randint(0, 2 * games)
        numbers[table + PLAYER * PLACES + place] = word
    numbers[node + at.VISITS] = sum(
        numbers[first + i * at.width(SIDES) + at.VISITS] for i in range(count)
    )
    return pool, count


def child_value(pool: Memory, child: int, bias: int) -> Fraction:
    """Return the value of a child for the mover, 0 to 1, from its games and those of its move."""
    numbers = pool.numbers
    proven = numbers[child + at.PROVEN]
    if proven != at.OPEN:
        known = {at.DRAWN: Fraction(1, 2), at.WON_BY + PLAYER: WON}
        return known.get(proven, LOST)
    visits, total = numbers[child + at.VISITS], numbers[child + at.TOTALS + PLAYER]
    table = numbers[at.TREE + at.MOVES]
    word = numbers[table + (numbers[child + at.NOTE] >> 6)]
    games, won = word >> 32, word & 0xFFFFFFFF
    if not games:
        return Fraction(total, 2 * visits) if visits else UNKNOWN
    if not visits:
        return Fraction(won, 2 * games)
    weight = games * bias // (games + bias) + 1
    return (Fraction(total, 2) + weight * Fraction(won, 2 * games)) / (visits + weight)


@pytest.mark.parametrize("seed", range(400))
def test_the_child_that_is_worth_most_by_statistics_is_visited(seed: int) -> None:
    chance, own = Random(seed), Memory(at.OWN)
    fill_tables(own)
    own.numbers[at.BIAS] = bias = chance.choice((1, 30, 1000))
    pool, count = family(chance, own)
    first = pool.numbers[at.TREE + at.FIRST]
    turn = chance.randrange(count)
    chosen = selected(at.TREE, at.TREE, turn, SIDES, own, pool)
    worths = [child_value(pool, first + i * at.width(SIDES), bias) for i in range(count)]
    assert worths[chosen] >= max(worths) - Fraction(1, 1 << 14)
    # Of children with equal values, the first one from there on, cyclically.
    around = [(turn + i) % count for i in range(count)]
    equal = [i for i in around if worths[i] == worths[chosen]]
    assert equal[0] == chosen or worths[chosen] < max(worths)
