"""Sets of cells as a vector with one row of the board in each lane: cells, numbers, shifts."""

from collections.abc import Callable, Sequence

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.backends.native.bitboard import bit_of_word, each_bit, nth_of_word
from rulesengine.engine.kernel.backends.native.layout import Layout, Stride, padded, power_of_two
from rulesengine.engine.kernel.backends.native.select_bit import select_word
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.native.text import Body, lanes_of, splat
from rulesengine.engine.kernel.code.form import Relation


class RowSets(Layout):
    """The layout that stores the cell in row r and column c as bit c of lane r; other lanes are 0.

    `places[i]` is row * columns + column of cell i, if not every place is a cell. The lanes can
    also be read as words of 64 bits with `per_word` rows in each.
    """

    table_align = 64

    def __init__(
        self, rows: int, columns: int, target: Target, places: tuple[int, ...] | None = None
    ) -> None:
        self.places: Sequence[int] = places or range(rows * columns)
        super().__init__(len(self.places), target)
        self.rows, self.columns = rows, columns
        self.gapped = places is not None
        self.width = max(16, power_of_two(columns))
        self.lane = f"i{self.width}"
        self.per_word = 64 // self.width
        self.lanes = max(power_of_two(rows), 2 * self.per_word)
        self.type = f"<{self.lanes} x {self.lane}>"
        self.chunks = self.lanes // self.per_word
        self.chunked = f"<{self.chunks} x i64>"
        self.load_align = f", align {min(64, self.lanes * self.width // 8)}"
        self.key_words = (rows + self.per_word - 1) // self.per_word

    @property
    def about(self) -> str:
        return f"a row in each of {self.lanes} lanes of {self.width} bits"

    # constants

    def lines_of(self, mask: int) -> list[int]:
        """Return the rows of a mask, one number for each lane."""
        row = (1 << self.columns) - 1
        if self.gapped:
            mask = sum(1 << self.places[cell] for cell in cells_of(mask))
        return [mask >> r * self.columns & row for r in range(self.lanes)]

    def const(self, mask: int) -> str:
        return lanes_of(self.lane, self.lines_of(mask)) if mask else "zeroinitializer"

    def ones(self) -> str:
        return lanes_of(self.lane, [-1] * self.lanes)

    def splat(self, b: Body, value: str) -> str:
        return splat(b, self.lanes, self.lane, value)

    # numbers

    def words_of(self, b: Body, value: str) -> str:
        """Return a set as a vector of 64-bit words."""
        return b.let(f"bitcast {self.type} {value} to {self.chunked}")

    def empty(self, b: Body, value: str) -> str:
        name = f"llvm.vector.reduce.or.v{self.chunks}i64"
        return b.let(
            f"icmp eq i64 {b.call('i64', name, (self.chunked, self.words_of(b, value)))}, 0"
        )

    def count(self, b: Body, value: str) -> str:
        words = (self.chunked, self.words_of(b, value))
        counts = b.call(self.chunked, f"llvm.ctpop.v{self.chunks}i64", words)
        return b.call("i64", f"llvm.vector.reduce.add.v{self.chunks}i64", (self.chunked, counts))

    def first(self, b: Body, value: str) -> str:
        return self._end(b, value, "cttz")

    def last(self, b: Body, value: str) -> str:
        return self._end(b, value, "ctlz")

    def _end(self, b: Body, value: str, zeros: str) -> str:
        """Return the lowest or the highest cell."""
        words = self.words_of(b, value)
        chunk = self._first_of(b, f"i{self.chunks}", self._filled(b, words), zeros)
        word = b.let(f"extractelement {self.chunked} {words}, i64 {self._chunk(b, chunk)}")
        return self.cell_at(b, chunk, self._first_of(b, "i64", word, zeros))

    def _chunk(self, b: Body, index: str) -> str:
        return b.let(f"and i64 {index}, {self.chunks - 1}")

    def _filled(self, b: Body, words: str) -> str:
        """Return a number with a bit for each word that is not 0."""
        flags = b.let(f"icmp ne {self.chunked} {words}, zeroinitializer")
        return b.let(f"bitcast <{self.chunks} x i1> {flags} to i{self.chunks}")

    def _first_of(self, b: Body, type: str, value: str, zeros: str) -> str:
        number = b.call(type, f"llvm.{zeros}.{type}", (type, value), ("i1", "true"))
        if type != "i64":
            number = b.let(f"zext {type} {number} to i64")
        return number if zeros == "cttz" else b.let(f"sub i64 {int(type[1:]) - 1}, {number}")

    def cell_at(self, b: Body, chunk: str, bit: str) -> str:
        """Return the cell at a bit of a word."""
        place = b.let(f"or i64 {b.let(f'shl i64 {chunk}, 6')}, {bit}")
        row = b.let(f"lshr i64 {place}, {self.width.bit_length() - 1}")
        column = b.let(f"and i64 {place}, {self.width - 1}")
        cell = b.let(f"add i64 {b.let(f'mul i64 {row}, {self.columns}')}, {column}")
        if self.gapped:
            numbers = {place: cell for cell, place in enumerate(self.places)}
            cell = _number(b, [numbers.get(p, 0) for p in range(self.rows * self.columns)], cell)
        b.facts["place", cell] = row, column
        return cell

    def place(self, b: Body, cell: str) -> tuple[str, str]:
        """Return row and column of a cell."""
        if ("place", cell) in b.facts:
            row, column = b.facts["place", cell]
            return row, column
        if self.gapped:
            cell = _number(b, list(self.places), cell)
        row = b.let(f"udiv i64 {cell}, {self.columns}")
        return row, b.let(f"sub i64 {cell}, {b.let(f'mul i64 {row}, {self.columns}')}")

    def nth(self, b: Body, value: str, index: str) -> str:
        chunk, word, left = select_word(b, self.words_of(b, value), self.chunks, index)
        return self.cell_at(b, chunk, nth_of_word(b, self.target, word, left))

    def pick(self, b: Body, value: str, index: str) -> str:
        if index == "0" or not self.target.has("bmi2"):
            return super().pick(b, value, index)
        chunk, word, left = select_word(b, self.words_of(b, value), self.chunks, index)
        bits = splat(b, self.chunks, "i64", bit_of_word(b, word, left))
        places = lanes_of("i64", range(self.chunks))
        is_chunk = b.let(f"icmp eq {self.chunked} {places}, {splat(b, self.chunks, 'i64', chunk)}")
        alone = b.let(
            f"select <{self.chunks} x i1> {is_chunk}, {self.chunked} {bits},"
            f" {self.chunked} zeroinitializer"
        )
        return b.let(f"bitcast {self.chunked} {alone} to {self.type}")

    def lowest(self, b: Body, value: str) -> str:
        """Return the lowest bit of the first word that is not 0, as a set."""
        words, number = self.words_of(b, value), f"i{self.chunks}"
        negative = b.let(f"sub {self.chunked} zeroinitializer, {words}")
        bits = b.let(f"and {self.chunked} {words}, {negative}")
        filled = self._filled(b, words)
        first = b.let(f"and {number} {filled}, {b.let(f'sub {number} 0, {filled}')}")
        flags = b.let(f"bitcast {number} {first} to <{self.chunks} x i1>")
        operands = f"{self.chunked} {bits}, {self.chunked} zeroinitializer"
        one = b.let(f"select <{self.chunks} x i1> {flags}, {operands}")
        return b.let(f"bitcast {self.chunked} {one} to {self.type}")

    def cell(self, b: Body, index: str) -> str:
        below = b.let(f"icmp slt i64 {index}, 0")
        row, column = self.place(b, index)
        row = b.let(f"select i1 {below}, i64 -1, i64 {row}")
        one = b.let(f"shl i64 1, {b.let(f'and i64 {column}, 63')}")
        return self.in_row(b, row, one)

    def in_row(self, b: Body, row: str, bits: str) -> str:
        """Return a set with the given bits in one row; empty if there is no such row."""
        lane = b.let(f"trunc i64 {bits} to {self.lane}") if self.width < 64 else bits
        flags = b.let(f"icmp eq {self.type} {self.iota()}, {self.splat(b, self.narrow(b, row))}")
        return self.choose(b, flags, self.splat(b, lane))

    def iota(self) -> str:
        return lanes_of(self.lane, range(self.lanes))

    def narrow(self, b: Body, number: str) -> str:
        """Truncate a number to the width of a lane."""
        return number if self.width == 64 else b.let(f"trunc i64 {number} to {self.lane}")

    def choose(self, b: Body, flags: str, value: str) -> str:
        flags_type = f"<{self.lanes} x i1>"
        return b.let(
            f"select {flags_type} {flags}, {self.type} {value}, {self.type} zeroinitializer"
        )

    def row(self, b: Body, value: str, row: str) -> str:
        """Return one row of a set as a number."""
        inside = b.let(f"and i64 {row}, {self.lanes - 1}")
        lane = b.let(f"extractelement {self.type} {value}, i64 {inside}")
        return lane if self.width == 64 else b.let(f"zext {self.lane} {lane} to i64")

    def has(self, b: Body, value: str, index: str) -> str:
        row, column = self.place(b, index)
        shifted = b.let(f"lshr i64 {self.row(b, value, row)}, {b.let(f'and i64 {column}, 63')}")
        return b.let(f"trunc i64 {shifted} to i1")

    def bits(self, b: Body, value: str, inside: Callable[[str, str, str], None]) -> None:
        words, type = self.words_of(b, value), f"i{self.chunks}"
        slot, end, filled = b.slot(self.chunked, 64), b.fresh("end"), self._filled(b, words)
        b.do(f"store {self.chunked} {words}, ptr {slot}, align 64")

        def word(chunks: str, following: str) -> None:
            chunk = self._first_of(b, type, chunks, "cttz")
            at = b.let(f"getelementptr i64, ptr {slot}, i64 {self._chunk(b, chunk)}")

            def bit(rest: str, further: str) -> None:
                inside(self.cell_at(b, chunk, self._first_of(b, "i64", rest, "cttz")), further, end)

            each_bit(b, "i64", b.let(f"load i64, ptr {at}, align 8"), bit, following)

        each_bit(b, type, filled, word, end)
        b.block(end)

    # moves

    def piece(self, b: Body, value: str, delta: int, mask: int) -> str:
        return self.union(b, [self.part(b, value, s, m) for s, m in self.parts(delta, mask)])

    def parts(self, delta: int, mask: int) -> list[tuple[Stride, int]]:
        """Split a piece into moves by rows and columns."""
        by_stride: dict[Stride, int] = {}
        for cell in cells_of(mask):
            stride = self.stride_between(cell, cell + delta)
            by_stride[stride] = by_stride.get(stride, 0) | 1 << cell
        return list(by_stride.items())

    def part(self, b: Body, value: str, stride: Stride, mask: int) -> str:
        """Return the cells of a set that are in a mask, moved by a stride.

        Columns move first, so that moves with different rows share that step.
        """
        moved = self.columns_by(b, value, stride[1])
        needed = self._mask_after(stride, mask)
        if needed is not None:
            moved = self.op(b, "and", moved, lanes_of(self.lane, needed))
        return self.rows_by(b, moved, stride[0])

    def _mask_after(self, stride: Stride, mask: int) -> list[int] | None:
        """Return the mask to apply after columns have moved; None if it would change nothing."""
        lanes, row = (1 << self.width) - 1, (1 << self.columns) - 1
        wanted = [_by(m, stride[1]) & lanes for m in self.lines_of(mask)]
        rows = [r for r in range(self.rows) if 0 <= r + stride[0] < self.rows]
        free = _by(row, stride[1]) & lanes
        if all(wanted[r] == free for r in rows):
            return None
        if all(wanted[r] == free & row for r in rows):
            return [row if r < self.rows else 0 for r in range(self.lanes)]
        return wanted

    def columns_by(self, b: Body, value: str, columns: int) -> str:
        if not columns:
            return value
        if abs(columns) >= self.width:
            return "zeroinitializer"
        by = self.splat(b, str(abs(columns)))
        return b.let(f"{'shl' if columns > 0 else 'lshr'} {self.type} {value}, {by}")

    def rows_by(self, b: Body, value: str, rows: int, *, strictly: bool = True) -> str:
        """Move lanes; if not `strictly`, lanes beyond the rows may receive cells off the board."""
        if not rows:
            return value
        size = self.rows if strictly else self.lanes
        come = (r - rows for r in range(size))
        lanes = [r if 0 <= r < size else self.lanes for r in come]
        lanes += [self.lanes] * (self.lanes - size)
        order = ", ".join(f"i32 {lane}" for lane in lanes)
        return b.let(
            f"shufflevector {self.type} {value}, {self.type} zeroinitializer,"
            f" <{self.lanes} x i32> <{order}>"
        )

    def stride(self, step: Relation) -> Stride | None:
        pieces = zip(step.deltas, step.masks, strict=True)
        strides = {stride for delta, mask in pieces for stride, _ in self.parts(delta, mask)}
        return strides.pop() if len(strides) == 1 else None

    def shift(self, b: Body, value: str, stride: Stride, times: int) -> str:
        moved = self.columns_by(b, value, stride[1] * times)
        return self.rows_by(b, moved, stride[0] * times, strictly=False)

    def stride_between(self, first: int, second: int) -> Stride:
        row, column = divmod(self.places[first], self.columns)
        to_row, to_column = divmod(self.places[second], self.columns)
        return to_row - row, to_column - column

    # memory

    def bit(self, cell: int) -> int:
        row, column = divmod(self.places[cell], self.columns)
        return row * self.width + column

    def key(self, b: Body, value: str) -> list[str]:
        words = self.words_of(b, value)
        places = range(self.key_words)
        return [b.let(f"extractelement {self.chunked} {words}, i64 {k}") for k in places]


def _number(b: Body, numbers: list[int], index: str) -> str:
    """Return a number below 65,536 from a table; an arbitrary item for an invalid index."""
    items = padded([str(number) for number in numbers], "0")
    table = b.pool.table("i16", items)
    inside = b.let(f"and i64 {index}, {len(items) - 1}")
    at = b.let(f"getelementptr inbounds i16, ptr {table}, i64 {inside}")
    return b.let(f"zext i16 {b.let(f'load i16, ptr {at}')} to i64")


def _by(row: int, columns: int) -> int:
    return row << columns if columns >= 0 else row >> -columns
