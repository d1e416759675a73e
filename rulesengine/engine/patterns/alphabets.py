"""The possible contents of a cell as a digit, from the view of the side to move.

Own pieces come before those of the opponent.
"""

from collections.abc import Iterator

from rulesengine.language.ir.program import Program
from rulesengine.support.frozen import record

# A set of cells of a state, for each of the two possible sides to move: the number of a plane or,
# after the planes, of a register.
Seen = tuple[int, int]
_OWNERS = 3  # the pieces of either side, and neutral ones


@record
class Alphabet:
    """A digit from 0 to `base` - 1: the sum of the weights of the sets that contain a cell.

    A cell is in at most one set of an alphabet, unless the weights are powers of 2.
    """

    base: int
    sets: tuple[tuple[int, Seen], ...]


def alphabets_of(program: Program) -> Iterator[Alphabet]:
    """Yield the alphabet of pieces, then those of numbers at cells and of registers with sets."""
    form = program.form
    first = len(form.symbols)
    pieces = _pieces(form.symbols)
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
            sets = _by_side(first + starts[register.name], register.each == "player")
            yield Alphabet(1 << len(sets), tuple((1 << i, seen) for i, seen in enumerate(sets)))


def _pieces(symbols: tuple[str, ...]) -> list[Seen]:
    """Return the planes that may hold pieces, by kind: own, the opponent's, neutral."""
    found = []
    for kind in range(len(symbols) // _OWNERS):
        own, other, neutral = range(_OWNERS * kind, _OWNERS * kind + _OWNERS)
        for seen in ((own, other), (other, own), (neutral, neutral)):
            if any(symbols[plane] for plane in seen):
                found.append(seen)
    return found


def _by_side(slot: int, each: bool) -> list[Seen]:
    """Return the slots of a register of each side, own first, or of a shared one."""
    return [(slot, slot + 1), (slot + 1, slot)] if each else [(slot, slot)]
