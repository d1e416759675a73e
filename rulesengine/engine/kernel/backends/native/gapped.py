"""Bitboards of one word with padding bits between cells, so that steps are shifts."""

from rulesengine.engine.kernel.analysis.board_tables import cells_of, relation_of
from rulesengine.engine.kernel.backends.native.bitboard import Bitboard, nth_of_word
from rulesengine.engine.kernel.backends.native.layout import move_bits
from rulesengine.engine.kernel.backends.native.relations import pairs_of
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.native.text import Body
from rulesengine.engine.kernel.code.form import Rays, Relation


class GappedWord(Bitboard):
    """A bitboard in one word; the padding bits are always 0."""

    def __init__(self, places: tuple[int, ...], target: Target) -> None:
        super().__init__(len(places), target)
        self.places = places
        self.board = self.spread(self.full)
        self._moves: dict[Relation, Relation] = {}
        self._rays: dict[Rays, Rays] = {}

    @property
    def about(self) -> str:
        return "one word with gaps"

    # compile-time conversions

    def spread(self, mask: int) -> int:
        """Return the word of a set of cells."""
        return sum(1 << self.places[cell] for cell in cells_of(mask))

    def pieces(self, moves: Relation) -> Relation:
        if moves not in self._moves:
            pairs = pairs_of(moves)
            self._moves[moves] = relation_of((self.places[c], self.places[to]) for c, to in pairs)
        return self._moves[moves]

    def bits_of(self, rays: Rays) -> Rays:
        if rays not in self._rays:
            cells = tuple(
                tuple(tuple(self.places[c] for c in ray) for ray in of) for of in rays.cells
            )
            steps, back = (tuple(map(self.pieces, kind)) for kind in (rays.steps, rays.back))
            self._rays[rays] = Rays(cells, steps, back, rays.cyclic)
        return self._rays[rays]

    def const(self, mask: int) -> str:
        return str(self.spread(mask))

    def piece(self, b: Body, value: str, delta: int, mask: int) -> str:
        return self.shift(b, self.op(b, "and", value, str(mask)), (0, delta), 1)

    # cells by number

    def first(self, b: Body, value: str) -> str:
        return self._cell_at(b, super().first(b, value))

    def last(self, b: Body, value: str) -> str:
        return self._cell_at(b, super().last(b, value))

    def nth(self, b: Body, value: str, index: str) -> str:
        return self._cell_at(b, nth_of_word(b, self.target, value, index))

    def cell(self, b: Body, index: str) -> str:
        below = b.let(f"icmp slt i64 {index}, 0")
        return b.let(f"select i1 {below}, i64 0, i64 {self._bit(b, index)}")

    def has(self, b: Body, value: str, index: str) -> str:
        return b.let(f"icmp ne i64 {self.op(b, 'and', value, self._bit(b, index))}, 0")

    def place(self, b: Body, cell: str) -> str:
        return b.call("i64", "llvm.cttz.i64", ("i64", self._bit(b, cell)), ("i1", "false"))

    def _bit(self, b: Body, cell: str) -> str:
        return self.table_entry(b, self.table(b, [1 << c for c in range(self.cells)]), cell)

    def _cell_at(self, b: Body, place: str) -> str:
        """Return the number of the cell at a bit, which is the number of cells below it."""
        if self.target.has("bmi2"):
            below = b.let(f"sub i64 {b.let(f'shl i64 1, {place}')}, 1")
            return self._count(b, self.op(b, "and", below, str(self.board)))
        numbers = [(self.board & (1 << place) - 1).bit_count() for place in range(64)]
        table = b.pool.table("i8", [str(number) for number in numbers])
        at = b.let(f"getelementptr inbounds i8, ptr {table}, i64 {b.let(f'and i64 {place}, 63')}")
        return b.let(f"zext i8 {b.let(f'load i8, ptr {at}')} to i64")

    # words of cells

    def load(self, b: Body, pointer: str) -> str:
        return self.from_word(b, super().load(b, pointer))

    def store(self, b: Body, value: str, pointer: str) -> None:
        super().store(b, self.to_word(b, value), pointer)

    def from_word(self, b: Body, word: str) -> str:
        return self._parted(b, "pdep", word, relation_of(enumerate(self.places)))

    def to_word(self, b: Body, value: str) -> str:
        pairs = ((place, cell) for cell, place in enumerate(self.places))
        return self._parted(b, "pext", value, relation_of(pairs))

    def _parted(self, b: Body, name: str, word: str, moves: Relation) -> str:
        """Deposit or extract bits, with one instruction (PDEP, PEXT) if the processor has it."""
        if self.target.has("bmi2"):
            args = ("i64", word), ("i64", str(self.board))
            return b.call("i64", f"llvm.x86.bmi.{name}.64", *args)
        return move_bits(b, word, moves)
