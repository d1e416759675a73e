"""States in bytes: all parts survive, at the offsets that kernels read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesengine.support.words import Packing

KINDS = ("number", "cells", "side", "cell", "flag")


@pytest.mark.slow
@given(st.data())
def test_packing_round_trip(data: st.DataObject) -> None:
    cells = data.draw(st.sampled_from([1, 9, 63, 64, 65, 100, 128, 361, 1024, 4096]))
    symbols = data.draw(st.lists(st.sampled_from(["", "x", "o"]), min_size=1, max_size=6))
    types = data.draw(st.lists(st.sampled_from(KINDS), max_size=4))
    swaps = data.draw(st.booleans())
    mask = st.integers(0, (1 << cells) - 1)
    number = st.integers(-(2**63), 2**63 - 1)
    planes = tuple(data.draw(mask) if symbol else 0 for symbol in symbols)
    registers = tuple(data.draw(mask if kind == "cells" else number) for kind in types)
    seats = data.draw(st.sampled_from([(), (1, 0)])) if swaps else ()
    packing = Packing(symbols, cells, types, swaps)
    packed = packing.pack(planes, 1, registers, seats)
    assert packed is not None
    assert packing.unpack(packed) == (planes, 1, registers, seats)


def test_words_stand_in_order_with_the_low_byte_first() -> None:
    packing = Packing(("x", "", "o"), 65, ("number", "cells"), True)
    packed = packing.pack((1 << 64 | 2, 0, 5), 1, (-1, 1 << 64), (1, 0))
    words = [2, 1, 5, 0, 1, 2**64 - 1, 0, 1, 1]
    assert packed == b"".join(word.to_bytes(8, "little") for word in words)
    assert packing.count == 6


def test_a_piece_without_a_symbol_is_not_packed() -> None:
    packing = Packing(("x", ""), 9, (), False)
    assert packing.pack((1, 2), 0, ()) is None
    assert packing.pack((1, 0), 0, ()) is not None


@pytest.mark.parametrize("size", [1, 64])
def test_sets_of_one_word_have_all_its_bits(size: int) -> None:
    packing = Packing(("x",), size, ("cells",), False)
    full = (1 << size) - 1
    packed = packing.pack((full,), 0, (full,))
    assert packed is not None
    assert packing.unpack(packed) == ((full,), 0, (full,), ())
