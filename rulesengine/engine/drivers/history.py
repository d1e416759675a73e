"""States in memory, and game histories (the positions before them), in the format of all engines.

A history has two words, then entries, the first position of the game first. The first word counts
the leading entries with cached results, and the second is a flag of the engine for these. An entry
begins with words for cached results. The next word encodes the side to move and the other compared
values; the state follows. Before a history is a word for each entry, the last entry's word first,
which is a part of its cached results. See decision 194.
"""

from collections.abc import Sequence

from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.engine.drivers.random import fold, folded
from rulesengine.state import Before, Form, State, compared, packed_state, registers_of

CACHED, CACHED_FLAG, FIRST_ENTRY = range(3)  # the words of a history before its entries
OWN = 2  # words at the start of an entry for cached results
HEAD = OWN + 1  # offset of the state in an entry


def entry_words(form: Form) -> int:
    """Return the size of an entry in words."""
    return HEAD + form.packing.size // WORD


def position_word(form: Form, position: tuple[int, ...], side: int) -> int:
    """Return a word for the side to move and the compared registers of a position, as `emit.values`
    computes it.
    """
    if not form.compared:
        return side
    word = fold(0, side)
    for slot, value in zip(form.compared, position[len(form.symbols) :], strict=True):
        word = fold(word, value)
        while form.types[slot] == "cells" and (value := value >> 64) > 0:
            word = fold(word, value)
    return word >> 1


def recorded(total: int, state: State) -> int:
    """Return a hash updated with the parts of a state that later positions are compared with."""
    position = compared(state.form, state.planes, state.registers)
    return folded(total, (position_word(state.form, position, state.side), *state.planes))


def loaded(
    form: Form, memory: Memory, at: int, lines: Memory, line: int, first: int, end: int
) -> State:
    """Return the state at an address, after the entries `first` to `end - 1` of a history."""
    before: State | None = None
    size, start = entry_words(form), line + FIRST_ENTRY
    for place in range(start + first * size, start + end * size, size):
        before = packed_state(form, _packed(form, lines, place + HEAD), before)
    return packed_state(form, _packed(form, memory, at), before)


def saved(state: State, memory: Memory, at: int) -> int:
    """Write a state to an address; return the address after it."""
    packed = state.packed
    assert packed is not None
    return _put(memory, at, packed)


def noted(state: State, lines: Memory, line: int, count: int) -> int:
    """Append a state to a history of a given length; return the new length."""
    assert state.packed is not None
    form, position = state.form, compared(state.form, state.planes, state.registers)
    word = position_word(form, position, state.side)
    lines.numbers[line + CACHED] = min(lines.numbers[line + CACHED], count)
    _put(lines, line + FIRST_ENTRY + count * entry_words(form), entry(word, state.packed))
    return count + 1


def entry(word: int, packed: bytes) -> bytes:
    """Return the entry of a position without cached results."""
    return bytes(OWN * WORD) + word.to_bytes(WORD, "little") + packed


def entries(form: Form, history: Sequence[Before]) -> list[bytes] | None:
    """Return the entries of a history; None if a position has a piece without a symbol."""
    packed_entries: list[bytes] = []
    for position, side in history:
        registers = registers_of(form, position)
        packed = form.packing.pack(position[: len(form.symbols)], side, registers)
        if packed is None:
            return None
        packed_entries.append(entry(position_word(form, position, side), packed))
    return packed_entries


def _packed(form: Form, memory: Memory, at: int) -> bytes:
    begin = at * WORD
    return bytes(memory.bytes[begin : begin + form.packing.size])


def _put(memory: Memory, at: int, data: bytes) -> int:
    """Write bytes to an address; return the address after them."""
    begin, end = at * WORD, at * WORD + len(data)
    memory.bytes[begin:end] = data
    return end // WORD
