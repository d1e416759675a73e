"""States in memory, and lines of the positions before them, as code of every kind reads them.

A line is entries one behind the other, the first position of a game first. An entry begins with
words that belong to whoever runs the code: 0 at first, then what spares it work with the position
later. One word tells who was to move and what else is compared; then comes the state.
"""

from collections.abc import Sequence

from rulesengine.engine.drivers.core import fold, folded
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.state import Before, Form, State, compared, packed_state, registers_of

OWN = 3  # words of whoever runs the code
HEAD = OWN + 1  # where in an entry its state begins


def entry_words(form: Form) -> int:
    """The words of an entry."""
    return HEAD + form.packing.size // WORD


def position_word(form: Form, position: tuple[int, ...], side: int) -> int:
    """The side and the registers behind the planes of a position, as `emit.values` makes them."""
    if not form.compared:
        return side
    word = fold(0, side)
    for slot, value in zip(form.compared, position[len(form.symbols) :], strict=True):
        word = fold(word, value)
        while form.types[slot] == "cells" and (value := value >> 64) > 0:
            word = fold(word, value)
    return word >> 1


def recorded(total: int, state: State) -> int:
    """A word into which a state is taken, as far as later ones are compared with it."""
    position = compared(state.form, state.planes, state.registers)
    return folded(total, (position_word(state.form, position, state.side), *state.planes))


def loaded(form: Form, memory: Memory, at: int, lines: Memory, line: int, count: int) -> State:
    """The state at a place, after so many positions of a line."""
    before: State | None = None
    for place in range(line, line + count * entry_words(form), entry_words(form)):
        before = packed_state(form, _packed(form, lines, place + HEAD), before)
    return packed_state(form, _packed(form, memory, at), before)


def saved(state: State, memory: Memory, at: int) -> int:
    """Put a state to a place; the place behind it."""
    packed = state.packed
    assert packed is not None
    return _put(memory, at, packed)


def noted(state: State, lines: Memory, line: int, count: int) -> int:
    """Put a state behind so many positions of a line; how many it then has."""
    assert state.packed is not None
    form, position = state.form, compared(state.form, state.planes, state.registers)
    word = position_word(form, position, state.side)
    _put(lines, line + count * entry_words(form), entry(word, state.packed))
    return count + 1


def entry(word: int, packed: bytes) -> bytes:
    """A position that nobody has worked with."""
    return bytes(OWN * WORD) + word.to_bytes(WORD, "little") + packed


def entries(form: Form, history: Sequence[Before]) -> list[bytes] | None:
    """The entries of a line; None if one of its positions has a piece without a symbol."""
    found: list[bytes] = []
    for position, side in history:
        registers = registers_of(form, position)
        packed = form.packing.pack(position[: len(form.symbols)], side, registers)
        if packed is None:
            return None
        found.append(entry(position_word(form, position, side), packed))
    return found


def _packed(form: Form, memory: Memory, at: int) -> bytes:
    begin = at * WORD
    return bytes(memory.bytes[begin : begin + form.packing.size])


def _put(memory: Memory, at: int, data: bytes) -> int:
    """The place behind some bytes."""
    begin, end = at * WORD, at * WORD + len(data)
    memory.bytes[begin:end] = data
    return end // WORD
