"""What a cell may hold, as a digit, seen by the side to move: own comes before the other's."""

from collections.abc import Iterator

from rulesengine.language.ir.program import Program
from rulesengine.support.frozen import record

# A set of cells of a state, for each of the two sides that may be to move: the number of a plane,
# or, behind the planes, that of a register.
Seen = tuple[int, int]
_OWNERS = 3  # the pieces of either side, and neutral ones


@record
class Alphabet:
    """A digit from 0 to `base` - 1: the sum of the weights of the sets that have a cell.

    Whatever is at most one weight of an alphabet is there at a time, unless they are powers of 2.
    """

    base: int
    sets: tuple[tuple[int, Seen], ...]


def alphabets_of(program: Program) -> Iterator[Alphabet]:
    """Pieces first; then the numbers at cells, and the sets that a state keeps."""
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
    """Kind by kind the planes that may hold pieces: own, the other's, neutral."""
    found = []
    for kind in range(len(symbols) // _OWNERS):
        own, other, neutral = range(_OWNERS * kind, _OWNERS * kind + _OWNERS)
        for seen in ((own, other), (other, own), (neutral, neutral)):
            if any(symbols[plane] for plane in seen):
                found.append(seen)
    return found


def _by_side(slot: int, each: bool) -> list[Seen]:
    """What is kept for each side, own first, or for both."""
    return [(slot, slot + 1), (slot + 1, slot)] if each else [(slot, slot)]
