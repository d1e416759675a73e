"""Sets of cells as one integer: a bitboard of 64 or 128 bits, or an integer of any width."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from rulesengine.engine.kernel.backends.native import lines, ray_tables, ray_walks, vector_lines
from rulesengine.engine.kernel.backends.native.layout import Bounds, Layout, Stride
from rulesengine.engine.kernel.backends.native.select_bit import select_word_of
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.native.text import Body
from rulesengine.engine.kernel.code.form import Rays, Relation, RowPattern, Runs

# `bzhi` reads only the low eight bits of its index, so indices this far from 0 are ambiguous
_FAR = 256 - 64 + 1


class Bitboard(Layout):
    """The layout that stores cell i as bit `places[i]` of one integer."""

    def __init__(self, cells: int, target: Target) -> None:
        super().__init__(cells, target)
        self.places: Sequence[int] = range(cells)
        self.width = 64 * self.words if cells <= 128 else cells
        self.type = f"i{self.width}"
        self.key_words = self.words

    @property
    def about(self) -> str:
        return {64: "one word", 128: "two words"}.get(self.width, f"{self.width} bits")

    def has_lanes(self, rays: Rays, *, turns: bool) -> bool:
        bits = self.bits_of(rays)
        fits = lines.is_straight(bits) or (turns and vector_lines.fits(bits))
        return self.width == 64 and self.target.wide_lanes and fits

    def const(self, mask: int) -> str:
        return self.bits_of_mask(mask)

    def bits_of_mask(self, mask: int) -> str:
        """Return the constant of a mask of bits, in place of cells."""
        return str(mask)

    def ones(self) -> str:
        return "-1"

    def empty(self, b: Body, value: str) -> str:
        return b.let(f"icmp eq {self.type} {value}, 0")

    def count(self, b: Body, value: str) -> str:
        return self.number(b, self._count(b, value))

    def first(self, b: Body, value: str) -> str:
        name = f"llvm.cttz.{self.type}"
        return self.number(b, b.call(self.type, name, (self.type, value), ("i1", "true")))

    def last(self, b: Body, value: str) -> str:
        name = f"llvm.ctlz.{self.type}"
        zeros = b.call(self.type, name, (self.type, value), ("i1", "true"))
        return self.number(b, b.let(f"sub {self.type} {self.width - 1}, {zeros}"))

    def nth(self, b: Body, value: str, index: str) -> str:
        if self.width == 64:
            return nth_of_word(b, self.target, value, index)
        if self.width > 128:
            return self._nth_by_steps(b, value, index)
        half, word, left = select_word_of(b, self._halves(b, value), index)
        bit = nth_of_word(b, self.target, word, left)
        return b.let(f"or i64 {b.let(f'shl i64 {half}, 6')}, {bit}")

    def _halves(self, b: Body, value: str) -> list[str]:
        above = b.let(f"lshr i128 {value}, 64")
        return [b.let(f"trunc i128 {half} to i64") for half in (value, above)]

    def pick(self, b: Body, value: str, index: str) -> str:
        if self.width > 128 or not self.target.has("bmi2") or index == "0":
            return super().pick(b, value, index)
        if self.width == 64:
            return bit_of_word(b, value, index)
        half, word, left = select_word_of(b, self._halves(b, value), index)
        return self._in_half(b, b.let(f"icmp eq i64 {half}, 0"), bit_of_word(b, word, left))

    def _in_half(self, b: Body, low: str, word: str) -> str:
        """Return a 128-bit set from one word and a zero word; `low` selects the low half."""
        halves = (f"i64 {word}, i64 0", f"i64 0, i64 {word}")
        first, second = (b.let(f"select i1 {low}, {half}") for half in halves)
        above = b.let(f"shl i128 {b.let(f'zext i64 {second} to i128')}, 64")
        return b.let(f"or i128 {b.let(f'zext i64 {first} to i128')}, {above}")

    def take(self, b: Body, value: str, index: str, most: int | None = None) -> str:
        if self.width > 64 or not self.target.has("bmi2"):
            return super().take(b, value, index, most)
        bit = self._single_bit(b, index, most or _FAR)
        return b.call("i64", "llvm.x86.bmi.pdep.64", ("i64", bit), ("i64", value))

    def _single_bit(self, b: Body, index: str, most: int) -> str:
        """Return the word with only the given bit set; 0 if the index is not in 0..63."""
        if most < _FAR:
            # For an index outside 0..63, `bzhi` returns all ones, and adding 1 gives 0.
            below = b.call("i64", "llvm.x86.bmi.bzhi.64", ("i64", "-1"), ("i64", index))
            return b.let(f"add i64 {below}, 1")
        few = b.let(f"icmp ult i64 {index}, 64")
        one = b.let(f"shl i64 1, {b.let(f'and i64 {index}, 63')}")
        return b.let(f"select i1 {few}, i64 {one}, i64 0")

    def lowest(self, b: Body, value: str) -> str:
        return self.op(b, "and", value, b.let(f"sub {self.type} 0, {value}"))

    @property
    def _is_halved(self) -> bool:
        """True if a cell is addressed in one of two words, since wide shifts are library calls."""
        return self.width == 128 and not self.target.has_wide_words

    def _one(self, b: Body, index: str) -> str:
        """Return the set of one cell; an arbitrary set if the index is no cell."""
        if not self._is_halved:
            return b.let(f"shl {self.type} 1, {self.amount(b, index)}")
        low = b.let(f"icmp ult i64 {index}, 64")
        return self._in_half(b, low, b.let(f"shl i64 1, {b.let(f'and i64 {index}, 63')}"))

    def cell(self, b: Body, index: str) -> str:
        one = self._one(b, index)
        below = b.let(f"icmp slt i64 {index}, 0")
        return b.let(f"select i1 {below}, {self.type} 0, {self.type} {one}")

    def has(self, b: Body, value: str, index: str) -> str:
        if self._is_halved:
            first, second = self._halves(b, value)
            low = b.let(f"icmp ult i64 {index}, 64")
            word = b.let(f"select i1 {low}, i64 {first}, i64 {second}")
            moved = b.let(f"lshr i64 {word}, {b.let(f'and i64 {index}, 63')}")
            return b.let(f"trunc i64 {moved} to i1")
        moved = b.let(f"lshr {self.type} {value}, {self.amount(b, index)}")
        return b.let(f"trunc {self.type} {moved} to i1")

    def bits(self, b: Body, value: str, inside: Callable[[str, str, str], None]) -> None:
        end = b.fresh("end")

        def bit(rest: str, following: str) -> None:
            inside(self.first(b, rest), following, end)

        if self._is_halved:
            self._bits_of_halves(b, value, inside, end)
        else:
            each_bit(b, self.type, value, bit, end)
        b.block(end)

    def _bits_of_halves(
        self, b: Body, value: str, inside: Callable[[str, str, str], None], end: str
    ) -> None:
        """Iterate over the two words separately: 128-bit operations take several instructions."""
        first, second = self._halves(b, value)
        before, each, done, half = b.label, b.fresh("half"), b.fresh("done"), f"%{b.fresh('upper')}"
        b.block(each)
        b.do(f"{half} = phi i1 [ false, %{before} ], [ true, %{done} ]")
        word = b.let(f"select i1 {half}, i64 {second}, i64 {first}")
        begin = b.let(f"select i1 {half}, i64 64, i64 0")

        def bit(rest: str, following: str) -> None:
            place = b.call("i64", "llvm.cttz.i64", ("i64", rest), ("i1", "true"))
            inside(b.let(f"or i64 {begin}, {place}"), following, end)

        each_bit(b, "i64", word, bit, done)
        b.block(done)
        b.branch(half, end, each)

    def piece(self, b: Body, value: str, delta: int, mask: int) -> str:
        # Bits shifted out at the low end need no mask.
        shifted_out = (1 << max(-delta, 0)) - 1
        if (mask | shifted_out) & self.full != self.full:
            value = self.op(b, "and", value, self.bits_of_mask(mask))
        return self.shift(b, value, (0, delta), 1)

    def bits_of(self, rays: Rays) -> Rays:
        """Return rays with bit numbers in place of cells; they are still indexed by cell number."""
        return rays

    def gate(self, b: Body, within: str, delta: int, mask: int) -> str:
        """Return the cells of `within` that the shifted piece can reach; others need no mask."""
        reached = mask << delta if delta > 0 else mask >> -delta
        return self.op(b, "and", within, self.bits_of_mask(reached))

    def piece_to(self, b: Body, value: str, gate: str, delta: int, mask: int) -> str:
        return self.op(b, "and", self.shift(b, value, (0, delta), 1), gate)

    def stride(self, step: Relation) -> Stride | None:
        deltas = self.pieces(step).deltas
        return (0, deltas[0]) if len(deltas) == 1 else None

    def shift(self, b: Body, value: str, stride: Stride, times: int) -> str:
        delta = stride[1] * times
        if not delta:
            return value
        return b.let(f"{'shl' if delta > 0 else 'lshr'} {self.type} {value}, {abs(delta)}")

    def toward(self, b: Body, runs: Runs, over: str, until: str) -> str:
        if self.has_lanes(runs.rays, turns=True):
            return vector_lines.toward(b, replace(runs, rays=self.bits_of(runs.rays)), over, until)
        return lines.toward(b, self, runs, over, until)

    def slide(self, b: Body, rays: Rays, start: str, through: str) -> str:
        if self.has_lanes(rays, turns=False):
            return vector_lines.slide(b, self.bits_of(rays), start, through)
        return lines.slide(b, self, rays, start, through)

    def between(
        self, b: Body, rays: Rays, cell: str, over: str, until: str, low: str, high: str
    ) -> str:
        bounds = Bounds(low, high)
        if self.width > 64:
            return ray_walks.between(b, self, rays, cell, over, until, bounds)
        bits = self.bits_of(rays)
        wide = self.target.wide_lanes
        if ray_tables.is_monotone(bits):
            return ray_tables.between(b, bits, cell, over, until, bounds, wide=wide)
        seen = self._rotated_rays(bits)
        if not ray_tables.is_monotone(seen):
            return ray_walks.between(b, self, rays, cell, over, until, bounds)
        place = self.place(b, cell)
        over, until = (rotate(b, "fshr", cells, place) for cells in (over, until))
        rotated = ray_tables.between(b, seen, cell, over, until, bounds, wide=wide)
        return rotate(b, "fshl", rotated, place)

    def place(self, b: Body, cell: str) -> str:
        """Return the bit number of a cell."""
        return cell

    def _rotated_rays(self, rays: Rays) -> Rays:
        """Return the rays relative to a word that is rotated so that their origin is bit 0."""
        cells = tuple(
            tuple(
                tuple((c - place) % 64 for c in ray)
                for place, ray in zip(self.places, of, strict=True)
            )
            for of in rays.cells
        )
        return replace(rays, cells=cells)

    def stride_between(self, first: int, second: int) -> Stride:
        return 0, self.places[second] - self.places[first]

    def row_in(self, b: Body, value: str, row: RowPattern) -> str:
        has_vectors = self.width == 64 and self.target.has("avx2")
        return lines.row_in(b, self, value, row, vector_lines.row_in if has_vectors else None)

    def load(self, b: Body, pointer: str) -> str:
        words = b.let(f"load i{64 * self.words}, ptr {pointer}, align 8")
        same = 64 * self.words == self.width
        return words if same else b.let(self._as("trunc", words))

    def store(self, b: Body, value: str, pointer: str) -> None:
        words = self._whole(b, value)
        b.do(f"store i{64 * self.words} {words}, ptr {pointer}, align 8")

    def key(self, b: Body, value: str) -> list[str]:
        if self.width == 64:
            return [value]
        type = f"<{self.words} x i64>"
        vector = b.let(f"bitcast i{64 * self.words} {self._whole(b, value)} to {type}")
        return [b.let(f"extractelement {type} {vector}, i64 {k}") for k in range(self.words)]

    def bit(self, cell: int) -> int:
        return self.places[cell]

    # conversions between numbers and sets

    def number(self, b: Body, value: str) -> str:
        """Return a count of the set's integer type as an i64."""
        return value if self.width == 64 else b.let(f"trunc {self.type} {value} to i64")

    def amount(self, b: Body, index: str) -> str:
        """Return a cell number as a shift amount; an arbitrary amount if it is no cell."""
        if self.width == 64:
            return b.let(f"and i64 {index}, 63")
        inside = b.call("i64", "llvm.umin.i64", ("i64", index), ("i64", str(self.width - 1)))
        return b.let(f"zext i64 {inside} to {self.type}")

    def _count(self, b: Body, value: str) -> str:
        return b.call(self.type, f"llvm.ctpop.{self.type}", (self.type, value))

    def _as(self, op: str, value: str) -> str:
        wide = f"i{64 * self.words}"
        ends = (wide, self.type) if op == "trunc" else (self.type, wide)
        return f"{op} {ends[0]} {value} to {ends[1]}"

    def _whole(self, b: Body, value: str) -> str:
        """Return a set extended to whole words."""
        same = 64 * self.words == self.width
        return value if same else b.let(self._as("zext", value))

    def _nth_by_steps(self, b: Body, value: str, index: str) -> str:
        """Clear the lowest cell `index` times and return the first cell of the rest."""
        left = b.slot("i64")
        b.do(f"store i64 {index}, ptr {left}")

        def more(cells: str) -> str:
            before = b.let(f"load i64, ptr {left}")
            b.do(f"store i64 {b.let(f'sub i64 {before}, 1')}, ptr {left}")
            below = b.let(f"sub {self.type} {cells}, 1")
            return self.op(b, "and", cells, below)

        go, end, before = b.fresh("drop"), b.fresh("dropped"), b.label
        b.branch(b.let(f"icmp sgt i64 {index}, 0"), go, end)
        b.block(go)

        def is_stable(old: str, new: str) -> str:
            return b.let(f"icmp sle i64 {b.let(f'load i64, ptr {left}')}, 0")

        dropped = self.repeat(b, value, more, is_stable)
        last = b.label
        b.block(end)
        result = b.let(f"phi {self.type} [ {value}, %{before} ], [ {dropped}, %{last} ]")
        return self.first(b, result)


def each_bit(b: Body, type: str, number: str, inside: Callable[[str, str], None], end: str) -> None:
    """Emit an ascending loop over the set bits.

    `inside(remaining bits, next label)` emits its body.
    """
    head, body, latch = (b.fresh(s) for s in ("bits", "bit", "next"))
    before = b.label
    b.block(head)
    rest, less = f"%{b.fresh('rest')}", f"%{b.fresh('less')}"
    b.do(f"{rest} = phi {type} [ {number}, %{before} ], [ {less}, %{latch} ]")
    b.branch(b.let(f"icmp eq {type} {rest}, 0"), end, body)
    b.block(body)
    inside(rest, latch)
    b.block(latch)
    b.do(f"{less} = and {type} {rest}, {b.let(f'sub {type} {rest}, 1')}")
    b.jump(head)


def rotate(b: Body, name: str, word: str, amount: str) -> str:
    return b.call("i64", f"llvm.{name}.i64", ("i64", word), ("i64", word), ("i64", amount))


def nth_of_word(b: Body, target: Target, value: str, index: str) -> str:
    """Return the number of the bit of a word that has `index` set bits below it."""
    if target.has("bmi2"):
        bit = bit_of_word(b, value, index)
    else:
        bit = b.let(
            f"call fastcc i64 {b.pool.helper('@h.drop', drop_text)}(i64 {value}, i64 {index})"
        )
    return b.call("i64", "llvm.cttz.i64", ("i64", bit), ("i1", "false"))


def bit_of_word(b: Body, value: str, index: str) -> str:
    """Return the set bit of a word with `index` set bits below it (PDEP); 0 if there is none."""
    one = b.let(f"shl i64 1, {b.let(f'and i64 {index}, 63')}")
    return b.call("i64", "llvm.x86.bmi.pdep.64", ("i64", one), ("i64", value))


def drop_text() -> str:
    """Return the text of a helper function that clears the lowest `count` bits of a word."""
    return """define internal fastcc i64 @h.drop(i64 %word, i64 %count) nounwind {
entry:
  br label %test
test:
  %w = phi i64 [ %word, %entry ], [ %less, %drop ]
  %n = phi i64 [ %count, %entry ], [ %left, %drop ]
  %more = icmp sgt i64 %n, 0
  br i1 %more, label %drop, label %done
drop:
  %below = sub i64 %w, 1
  %less = and i64 %w, %below
  %left = sub i64 %n, 1
  br label %test
done:
  ret i64 %w
}"""
