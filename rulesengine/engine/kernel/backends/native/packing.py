"""Convert sets between the layout in rows and words in cell order."""

from collections.abc import Iterator
from itertools import groupby

from rulesengine.engine.kernel.analysis.board_tables import relation_of
from rulesengine.engine.kernel.backends.native.layout import move_bits
from rulesengine.engine.kernel.backends.native.row_sets import RowSets
from rulesengine.engine.kernel.backends.native.text import Body, Pool, lanes_of

_MOST_COLUMNS = 25  # of rows that are shifted in 32 bits, up to seven places


def unpack_text(layout: RowSets) -> str:
    """Return the text of a helper that converts words in cell order to rows."""
    b = Body(Pool())
    head = f"define internal fastcc {layout.type} @h.unpack(ptr %words) noinline nounwind"
    if _has_equal_rows(layout):
        b.end(f"ret {layout.type} {_equal_rows(b, layout)}")
        return f"{head} {{\n{b.text()}\n}}"
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
    return f"{head} {{\n{b.text()}\n}}"


def pack_text(layout: RowSets) -> str:
    """Return the text of a helper that converts rows to words in cell order."""
    b = Body(Pool())
    head = f"define internal fastcc void @h.pack({layout.type} %set, ptr %words) noinline nounwind"
    if _has_equal_rows(layout):
        b.do(f"store <{layout.words} x i64> {_joined_rows(b, layout)}, ptr %words, align 8")
        b.end("ret void")
        return f"{head} {{\n{b.text()}\n}}"
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
    return f"{head} {{\n{b.text()}\n}}"


def _has_equal_rows(layout: RowSets) -> bool:
    """True if rows are equally long and short, and shifts of lanes by several numbers are fast."""
    is_equal = not layout.gapped and layout.columns <= _MOST_COLUMNS
    return is_equal and layout.target.has("avx2")


def _equal_rows(b: Body, layout: RowSets) -> str:
    """Emit the rows: the four bytes from the first cell of each, shifted and cut."""
    size, lanes = 8 * layout.words, layout.lanes
    firsts = [min(row * layout.columns, 8 * size) for row in range(lanes)]
    bytes_of = [min(first // 8 + k, size) for first in firsts for k in range(4)]
    words = b.let(f"load <{size} x i8>, ptr %words, align 8")
    order = f"<{4 * lanes} x i32> {lanes_of('i32', bytes_of)}"
    bits = b.let(f"shufflevector <{size} x i8> {words}, <{size} x i8> zeroinitializer, {order}")
    rows = b.let(f"bitcast <{4 * lanes} x i8> {bits} to <{lanes} x i32>")
    by = lanes_of("i32", [first % 8 for first in firsts])
    rows = b.let(f"lshr <{lanes} x i32> {rows}, {by}")
    row = (1 << layout.columns) - 1
    masks = lanes_of("i32", [row if k < layout.rows else 0 for k in range(lanes)])
    rows = b.let(f"and <{lanes} x i32> {rows}, {masks}")
    return rows if layout.width == 32 else b.let(f"trunc <{lanes} x i32> {rows} to {layout.type}")


def _joined_rows(b: Body, layout: RowSets) -> str:
    """Emit the words: neighbouring lanes are joined until they have 64 bits, then shifted."""
    rows, lanes, width, bits = "%set", layout.lanes, layout.width, layout.columns
    while width < 64:
        type = f"<{lanes // 2} x i{2 * width}>"
        wide = b.let(f"bitcast <{lanes} x i{width}> {rows} to {type}")
        lanes, kind = lanes // 2, f"i{2 * width}"
        low = b.let(f"and {type} {wide}, {lanes_of(kind, [(1 << width) - 1] * lanes)}")
        high = b.let(f"lshr {type} {wide}, {lanes_of(kind, [width] * lanes)}")
        high = b.let(f"shl {type} {high}, {lanes_of(kind, [bits] * lanes)}")
        rows, width, bits = b.let(f"or {type} {low}, {high}"), 2 * width, 2 * bits
    words = range(layout.words)
    parts = [
        [k for k in range(lanes) if k * bits < 64 * (word + 1) and (k + 1) * bits > 64 * word]
        for word in words
    ]
    type, total = f"<{layout.words} x i64>", "zeroinitializer"
    for number in range(max(map(len, parts))):
        places = [of[number] if number < len(of) else lanes for of in parts]
        shifts = [
            k * bits - 64 * word if k < lanes else 0 for k, word in zip(places, words, strict=True)
        ]
        order = f"<{layout.words} x i32> {lanes_of('i32', places)}"
        part = b.let(
            f"shufflevector <{lanes} x i64> {rows}, <{lanes} x i64> zeroinitializer, {order}"
        )
        part = b.let(f"shl {type} {part}, {lanes_of('i64', [max(by, 0) for by in shifts])}")
        part = b.let(f"lshr {type} {part}, {lanes_of('i64', [max(-by, 0) for by in shifts])}")
        total = b.let(f"or {type} {total}, {part}")
    return total


def _cells_of_rows(layout: RowSets) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the rows that have cells: the row, the number of its first cell, all its columns."""
    for row, cells in groupby(range(layout.cells), lambda c: layout.places[c] // layout.columns):
        numbers = list(cells)
        yield row, numbers[0], [layout.places[c] % layout.columns for c in numbers]


def _word(b: Body, k: int) -> str:
    return b.let(f"load i64, ptr {b.let(f'getelementptr i64, ptr %words, i64 {k}')}, align 8")
