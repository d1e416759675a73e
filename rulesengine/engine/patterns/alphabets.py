"""The possible contents of a cell as a digit, from the view of the side to move.

Own pieces come before those of the opponent.
"""

from collections.abc import Iterator

from rulesengine.language.ir.program import Program
from rulesengine.support.frozen import record

# A set of cells of a state, for each of the two possible sides to move: the number of a plane or,
# after the planes, of a register.
Seen = tuple[int, int]
_PAIR = 2  # sides; in games of one player the second is the first


@record
class Alphabet:
    """A digit from 0 to `base` - 1: the sum of the weights of the sets that contain a cell.

    A cell is in at most one set of an alphabet, unless the weights are powers of 2.
    """

    base: int
    sets: tuple[tuple[int, Seen], ...]


def alphabets_of(program: Program) -> Iterator[Alphabet]:
    """Yield the alphabet of pieces, then those of numbers at cells and of registers with sets."""
    form, sides = program.form, len(program.rules.players)
    first = len(form.symbols)
    pieces = _pieces(form.symbols, sides)
    if pieces:
        weighed = tuple((weight, seen) for weight, seen in enumerate(pieces, start=1))
        yield Alphabet(len(pieces) + 1, weighed)
    for numbers in form.numbers:
        slots = (first + numbers.first + bit for bit in range(numbers.bits))
        bits = tuple((1 << bit, (slot, slot)) for bit, slot in enumerate(slots))
        yield Alphabet(1 << numbers.bits, bits)
    starts = dict(program.slots)
    for register in program.rules.registers:
        if register.type == "cells" and register.each != "cell" and register.lives == "game":
            is_each = register.each == "player" and sides == _PAIR
            sets = _by_side(first + starts[register.name], is_each)
            yield Alphabet(1 << len(sets), tuple((1 << i, seen) for i, seen in enumerate(sets)))


def _pieces(symbols: tuple[str, ...], sides: int) -> list[Seen]:
    """Return the planes that may hold pieces, by kind: own, the opponent's, neutral."""
    found, owners = list[Seen](), sides + 1
    for first in range(0, len(symbols), owners):
        own, other, neutral = first, first + sides - 1, first + sides
        for seen in sorted({(own, other), (other, own), (neutral, neutral)}):
            if any(symbols[plane] for plane in seen):
                found.append(seen)
    return found


def _by_side(slot: int, each: bool) -> list[Seen]:
    """Return the slots of a register of each side, own first, or of a shared one."""
    return [(slot, slot + 1), (slot + 1, slot)] if each else [(slot, slot)]
