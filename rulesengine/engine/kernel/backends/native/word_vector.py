"""Sets of cells as a vector of 64-bit words, for boards with rows wider than a word.

See decision 182.
"""

from rulesengine.engine.kernel.analysis.board_tables import cells_of, relation_of
from rulesengine.engine.kernel.backends.native import lines, packing, ray_walks
from rulesengine.engine.kernel.backends.native.layout import Bounds, Stride
from rulesengine.engine.kernel.backends.native.relations import pairs_of
from rulesengine.engine.kernel.backends.native.row_sets import RowSets
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.native.text import Body, lanes_of
from rulesengine.engine.kernel.code.form import Rays, Relation, RowPattern, Runs

WORD = 64


class WordVector(RowSets):
    """The layout that stores cell i as bit i % 64 of lane i // 64; strides are (0, difference).

    If `places` is given, `places[i]` is in place of i. To `RowSets` the words are rows.
    """

    def __init__(self, cells: int, target: Target, places: tuple[int, ...] | None = None) -> None:
        bits = (places or range(cells))[-1] + 1
        super().__init__(-(-bits // WORD), WORD, target, places or tuple(range(cells)))
        self.gapped = places is not None
        self._moves: dict[Relation, Relation] = {}

    @property
    def about(self) -> str:
        return f"a vector of {self.rows} words"

    # moves

    def pieces(self, moves: Relation) -> Relation:
        """Return a relation with bits in place of cells."""
        if not self.gapped:
            return moves
        if moves not in self._moves:
            pairs = pairs_of(moves)
            self._moves[moves] = relation_of((self.places[c], self.places[to]) for c, to in pairs)
        return self._moves[moves]

    def piece(self, b: Body, value: str, delta: int, mask: int) -> str:
        return self.shift(b, self._masked(b, value, delta, mask), (0, delta), 1)

    def _masked(self, b: Body, value: str, delta: int, mask: int) -> str:
        """Remove the bits that a move does not apply to, unless the shift removes them."""
        room = (1 << WORD * self.lanes) - 1
        remaining = room >> delta if delta > 0 else room >> -delta << -delta
        cleared = self._spread(self.full) & ~mask & remaining
        return self.op(b, "and", value, self._of_bits(mask)) if cleared else value

    def gate(self, b: Body, within: str, delta: int, mask: int) -> str:
        """Return the cells of `within` that the shifted piece can reach; others need no mask."""
        reached = mask << delta if delta > 0 else mask >> -delta
        return self.op(b, "and", within, self._of_bits(reached))

    def piece_to(self, b: Body, value: str, gate: str, delta: int, mask: int) -> str:
        return self.op(b, "and", self.shift(b, value, (0, delta), 1), gate)

    def stride(self, step: Relation) -> Stride | None:
        deltas = self.pieces(step).deltas
        return (0, deltas[0]) if len(deltas) == 1 else None

    def stride_between(self, first: int, second: int) -> Stride:
        return 0, self.places[second] - self.places[first]

    def shift(self, b: Body, value: str, stride: Stride, times: int) -> str:
        """Shift all words; bits that leave one enter the next."""
        delta = stride[1] * times
        words, bits = divmod(abs(delta), WORD)
        up = delta > 0
        near = self._words_by(b, value, words if up else -words)
        if not bits:
            return near
        far = self._words_by(b, value, words + 1 if up else -words - 1)
        pair = (near, far) if up else (far, near)
        args = ((self.type, x) for x in (*pair, self.splat(b, str(bits))))
        return b.call(self.type, f"llvm.{'fshl' if up else 'fshr'}.v{self.lanes}i64", *args)

    def _words_by(self, b: Body, value: str, words: int) -> str:
        """Move whole words to higher numbers, or to lower ones if `words` is below 0."""
        if not words:
            return value
        if abs(words) >= self.lanes:
            return "zeroinitializer"
        come = (k - words for k in range(self.lanes))
        order = [k if 0 <= k < self.lanes else self.lanes for k in come]
        return b.let(
            f"shufflevector {self.type} {value}, {self.type} zeroinitializer,"
            f" <{self.lanes} x i32> {lanes_of('i32', order)}"
        )

    # lines

    def toward(self, b: Body, runs: Runs, over: str, until: str) -> str:
        return lines.toward(b, self, runs, over, until)

    def slide(self, b: Body, rays: Rays, start: str, through: str) -> str:
        return lines.slide(b, self, rays, start, through)

    def between(
        self, b: Body, rays: Rays, cell: str, over: str, until: str, low: str, high: str
    ) -> str:
        return ray_walks.between(b, self, rays, cell, over, until, Bounds(low, high))

    def row_in(self, b: Body, value: str, row: RowPattern) -> str:
        return lines.row_in(b, self, value, row)

    # memory

    def load(self, b: Body, pointer: str) -> str:
        if self.gapped:
            name = b.pool.helper("@h.unpack", lambda: packing.unpack_text(self))
            return b.let(f"call fastcc {self.type} {name}(ptr {pointer})")
        words = f"<{self.words} x i64>"
        read = b.let(f"load {words}, ptr {pointer}, align 8")
        if self.words == self.lanes:
            return read
        order = [min(k, self.words) for k in range(self.lanes)]
        return b.let(
            f"shufflevector {words} {read}, {words} zeroinitializer,"
            f" <{self.lanes} x i32> {lanes_of('i32', order)}"
        )

    def store(self, b: Body, value: str, pointer: str) -> None:
        if self.gapped:
            name = b.pool.helper("@h.pack", lambda: packing.pack_text(self))
            b.do(f"call fastcc void {name}({self.type} {value}, ptr {pointer})")
            return
        if self.words < self.lanes:
            value = b.let(
                f"shufflevector {self.type} {value}, {self.type} poison,"
                f" <{self.words} x i32> {lanes_of('i32', range(self.words))}"
            )
        b.do(f"store <{self.words} x i64> {value}, ptr {pointer}, align 8")

    def _spread(self, mask: int) -> int:
        """Return the bits of a set of cells."""
        return sum(1 << self.places[cell] for cell in cells_of(mask)) if self.gapped else mask

    def _of_bits(self, bits: int) -> str:
        """Return the constant of a mask of bits, in place of cells."""
        words = [bits >> WORD * k & 2**WORD - 1 for k in range(self.lanes)]
        return lanes_of(self.lane, words)
