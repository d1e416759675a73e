"""Sets in memory are words in cell order; in registers each row of a board is a lane."""

import random

import pytest

pytest.importorskip("llvmlite", reason="native kernels need the extra `native`")

from rulesengine.engine.kernel.backends.native import build, emit
from rulesengine.engine.kernel.backends.native.rows import Rows
from rulesengine.engine.kernel.backends.native.target import host, is_x86
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Module, Value
from tests.engine.test_kernel_targets import TARGETS

SIZES = ((10, 9), (15, 15), (19, 19), (9, 26))


def unpacking_module(cells: int) -> Module:
    """Build a function that lists the cells of a set in memory, and stores the other cells."""
    b = Builder(cells)
    with b.function("f", ["a", "i", "i", "i"], ["i"], entry=True) as (memory, at, to, numbers):
        found, count = b.read("load_set", memory, at), b.let(b.i(0))

        def add(cell: Value) -> None:
            place = b.op("iadd", numbers, b.op("ishl", b.get(count), b.i(3)))
            b.write("store64", memory, place, b.op("ubits", cell))
            b.set(count, b.op("iadd", b.get(count), b.i(1)))

        b.bits(found, add)
        b.write("store_set", memory, to, b.op("mnot", found))
        b.emit_return(b.get(count))
    return b.module


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("level", ["host", "x86-64-v3"])
def test_cells_in_rows_are_those_in_memory(
    size: tuple[int, int], level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = TARGETS.get(level, host())
    if level != "host" and not (
        is_x86() and host().features >= target.features - {"sahf", "xsave"}
    ):
        pytest.skip(f"this processor is below {level}")
    monkeypatch.setattr(emit, "layout_of", lambda module, target, **_: Rows(*size, target))
    cells = size[0] * size[1]
    words, draw = -(-cells // 64), random.Random(cells)
    kernel = build.native(unpacking_module(cells), target=target)
    for density in (0, 1, 1, 2, 3, 64):
        kept = sum(1 << c for c in range(cells) if draw.randrange(64) < density * 21)
        memory = bytearray((2 * words + cells) * 8)
        memory[: words * 8] = kept.to_bytes(words * 8, "little")
        place = 2 * words * 8
        assert kernel.call("f", [memory, 0, words * 8, place]) == (kept.bit_count(),)
        listed = memory[place : place + kept.bit_count() * 8]
        numbers = [int.from_bytes(listed[k : k + 8], "little") for k in range(0, len(listed), 8)]
        assert numbers == [cell for cell in range(cells) if kept >> cell & 1]
        assert int.from_bytes(memory[words * 8 : place], "little") == kept ^ (1 << cells) - 1
