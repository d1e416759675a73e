"""Convert sets between the layout in rows and words in cell order."""

from collections.abc import Iterator
from itertools import groupby

from rulesengine.engine.kernel.analysis.board_tables import relation_of
from rulesengine.engine.kernel.backends.native.layout import move_bits
from rulesengine.engine.kernel.backends.native.row_sets import RowSets
from rulesengine.engine.kernel.backends.native.text import Body, Pool


def unpack_text(layout: RowSets) -> str:
    """Return the text of a helper that converts words in cell order to rows."""
    b = Body(Pool())
    words = [_word(b, k) for k in range(layout.words)]
    vector = "zeroinitializer"
    for row, first, columns in _cells_of_rows(layout):
        k, by = divmod(first, 64)
        bits = b.let(f"lshr i64 {words[k]}, {by}") if by else words[k]
        if by + len(columns) > 64:
            high = b.let(f"shl i64 {words[k + 1]}, {64 - by}")
            bits = b.let(f"or i64 {bits}, {high}")
        bits = layout.narrow(b, move_bits(b, bits, relation_of(enumerate(columns))))
        vector = b.let(f"insertelement {layout.type} {vector}, {layout.lane} {bits}, i64 {row}")
    b.end(f"ret {layout.type} {vector}")
    head = f"define internal fastcc {layout.type} @h.unpack(ptr %words) noinline nounwind"
    return f"{head} {{\n{b.text()}\n}}"


def pack_text(layout: RowSets) -> str:
    """Return the text of a helper that converts rows to words in cell order."""
    b = Body(Pool())
    words: list[list[str]] = [[] for _ in range(layout.words)]
    for row, first, columns in _cells_of_rows(layout):
        lane = b.let(f"extractelement {layout.type} %set, i64 {row}")
        bits = lane if layout.width == 64 else b.let(f"zext {layout.lane} {lane} to i64")
        bits = move_bits(b, bits, relation_of((c, i) for i, c in enumerate(columns)))
        k, by = divmod(first, 64)
        words[k].append(b.let(f"shl i64 {bits}, {by}"))
        if by + len(columns) > 64:
            words[k + 1].append(b.let(f"lshr i64 {bits}, {64 - by}"))
    for k, parts in enumerate(words):
        total = parts[0]
        for part in parts[1:]:
            total = b.let(f"or i64 {total}, {part}")
        b.do(f"store i64 {total}, ptr {b.let(f'getelementptr i64, ptr %words, i64 {k}')}, align 8")
    b.end("ret void")
    head = f"define internal fastcc void @h.pack({layout.type} %set, ptr %words) noinline nounwind"
    return f"{head} {{\n{b.text()}\n}}"


def _cells_of_rows(layout: RowSets) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the rows that have cells: the row, the number of its first cell, all its columns."""
    for row, cells in groupby(range(layout.cells), lambda c: layout.places[c] // layout.columns):
        numbers = list(cells)
        yield row, numbers[0], [layout.places[c] % layout.columns for c in numbers]


def _word(b: Body, k: int) -> str:
    return b.let(f"load i64, ptr {b.let(f'getelementptr i64, ptr %words, i64 {k}')}, align 8")
