"""The possible contents of a cell as a digit, from the view of the side to move.

Own pieces come before those of the opponent.
"""

from collections.abc import Iterator, Sequence

from rulesengine.language.ir.program import Program
from rulesengine.state import CellNumbers
from rulesengine.support.frozen import record

# A set of cells of a state, for each of the two possible sides to move: the number of a plane or,
# after the planes, of a register.
Seen = tuple[int, int]
_PAIR = 2  # sides; in games of one player the second is the first
_FEW, _MANY = 2, 15  # numbers from these on are one digit, in large patterns and in small ones


@record
class Stack:
    """The cells of a plane with a number of at least `least`; `bits` are slots, lowest first."""

    plane: Seen
    bits: tuple[int, ...]
    least: int

    def mask(self, sets: Sequence[int], side: int) -> int:
        """Return the cells for a side to move."""
        enough = -1
        for bit, slot in enumerate(self.bits):
            enough = sets[slot] & enough if self.least >> bit & 1 else sets[slot] | enough
        return sets[self.plane[side]] & enough


@record
class Alphabet:
    """A digit from 0 to `base` - 1: the sum of the weights of the sets that contain a cell.

    A cell is in at most one set of an alphabet. The exceptions are weights that are powers of 2,
    and sets that are a plane and stacks of it.
    """

    base: int
    sets: tuple[tuple[int, Seen | Stack], ...]


def alphabets_of(program: Program, stacks: CellNumbers | None) -> Iterator[Alphabet]:
    """Yield the alphabet of pieces, then those of numbers at cells and of registers with sets.

    Where numbers are the heights of `stacks` of pieces, their alphabets combine both.
    """
    form, sides = program.form, len(program.rules.players)
    first = len(form.symbols)
    pieces = pieces_of(program)
    if pieces and stacks:
        yield from (_stacked(pieces, stacks, first, most) for most in (_FEW, _MANY))
    elif pieces:
        weighed = tuple((weight, piece) for weight, piece in enumerate(pieces, start=1))
        yield Alphabet(len(pieces) + 1, weighed)
    for numbers in form.numbers:
        if numbers == stacks:
            continue
        slots = (first + numbers.first + bit for bit in range(numbers.bits))
        bits = tuple((1 << bit, (slot, slot)) for bit, slot in enumerate(slots))
        yield Alphabet(1 << numbers.bits, bits)
    starts = dict(program.slots)
    for register in program.rules.registers:
        if register.type == "cells" and register.each != "cell" and register.lives == "game":
            is_each = register.each == "player" and sides == _PAIR
            sets = _by_side(first + starts[register.name], is_each)
            yield Alphabet(1 << len(sets), tuple((1 << i, piece) for i, piece in enumerate(sets)))


def pieces_of(program: Program) -> list[Seen]:
    """Return the planes that may hold pieces, by kind: own, the opponent's, neutral."""
    symbols, sides = program.form.symbols, len(program.rules.players)
    pieces, owners = list[Seen](), sides + 1
    for first in range(0, len(symbols), owners):
        own, other, neutral = first, first + sides - 1, first + sides
        for piece in sorted({(own, other), (other, own), (neutral, neutral)}):
            if any(symbols[plane] for plane in piece):
                pieces.append(piece)
    return pieces


def _by_side(slot: int, each: bool) -> list[Seen]:
    """Return the slots of a register of each side, own first, or of a shared one."""
    return [(slot, slot + 1), (slot + 1, slot)] if each else [(slot, slot)]


def _stacked(pieces: list[Seen], numbers: CellNumbers, first: int, most: int) -> Alphabet:
    """Return the alphabet of pieces in stacks; heights from `most` on are one digit."""
    heights = min(most, numbers.high - numbers.low)
    bits = tuple(first + numbers.first + bit for bit in range(numbers.bits))
    sets = list[tuple[int, Seen | Stack]]()
    for number, plane in enumerate(pieces):
        sets.append((1 + heights * number, plane))
        sets += [(1, Stack(plane, bits, height)) for height in range(2, heights + 1)]
    return Alphabet(1 + heights * len(pieces), tuple(sets))
