"""The interface of the layouts of sets of cells in registers and memory."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial

from rulesengine.engine.kernel.analysis.board_tables import relation_of
from rulesengine.engine.kernel.analysis.cell_numbering import WORD
from rulesengine.engine.kernel.backends.native.relations import targets_of
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.native.text import Body
from rulesengine.engine.kernel.code.form import Rays, Relation, RowPattern, Runs
from rulesengine.errors import InternalError
from rulesengine.support.frozen import record

Stride = tuple[int, int]  # rows and columns, or 0 and a difference of bit numbers
Step = Callable[[str], str]  # emits a step of a set and returns its value
MANY_PIECES = 24  # relations of more pieces are applied cell by cell


@record
class Bounds:
    """The bounds of a number of cells, as LLVM values."""

    low: str
    high: str


class Layout(ABC):
    """Sets of cells as values of one LLVM type; bits that are no cells are always 0."""

    type: str
    words: int
    key_words: int
    table_align = 8
    load_align = ""  # LLVM text of the alignment of loads; empty for that of the type

    def __init__(self, cells: int, target: Target) -> None:
        self.cells = cells
        self.full = (1 << cells) - 1
        self.words = (cells + 63) // 64
        self.target = target

    @property
    @abstractmethod
    def about(self) -> str:
        """Return a short description of the layout."""

    def has_lanes(self, rays: Rays, *, turns: bool) -> bool:
        """True if rays are computed in the lanes of a vector register, one direction in each.

        With `turns`, a step may be several rotations of a word and not only one shift.
        """
        return False

    @abstractmethod
    def const(self, mask: int) -> str: ...

    @abstractmethod
    def ones(self) -> str:
        """Return the constant of all bits, those that are no cells included."""

    @abstractmethod
    def empty(self, b: Body, value: str) -> str:
        """Return a flag that is true if a set has no cells."""

    @abstractmethod
    def count(self, b: Body, value: str) -> str: ...

    @abstractmethod
    def first(self, b: Body, value: str) -> str: ...

    @abstractmethod
    def last(self, b: Body, value: str) -> str: ...

    @abstractmethod
    def nth(self, b: Body, value: str, index: str) -> str: ...

    @abstractmethod
    def cell(self, b: Body, index: str) -> str: ...

    @abstractmethod
    def has(self, b: Body, value: str, index: str) -> str: ...

    @abstractmethod
    def bits(self, b: Body, value: str, inside: Callable[[str, str, str], None]) -> None:
        """Emit a loop over the cells: `inside(cell, next label, end label)` emits its body."""

    @abstractmethod
    def piece(self, b: Body, value: str, delta: int, mask: int) -> str:
        """Return the cells of a set that are in `mask`, each moved by `delta`."""

    @abstractmethod
    def stride(self, step: Relation) -> Stride | None:
        """Return the stride of a step if all its cells move by the same one, else None."""

    @abstractmethod
    def shift(self, b: Body, value: str, stride: Stride, times: int) -> str:
        """Shift a set by several strides; cells that leave the board may become any cell."""

    @abstractmethod
    def toward(self, b: Body, runs: Runs, over: str, until: str) -> str: ...

    @abstractmethod
    def slide(self, b: Body, rays: Rays, start: str, through: str) -> str: ...

    @abstractmethod
    def between(
        self, b: Body, rays: Rays, cell: str, over: str, until: str, low: str, high: str
    ) -> str: ...

    @abstractmethod
    def stride_between(self, first: int, second: int) -> Stride:
        """Return the stride from one cell to another."""

    @abstractmethod
    def row_in(self, b: Body, value: str, row: RowPattern) -> str:
        """Return a flag that is true if a set contains a row."""

    @abstractmethod
    def load(self, b: Body, pointer: str) -> str:
        """Load a set from its words of 64 cells."""

    @abstractmethod
    def store(self, b: Body, value: str, pointer: str) -> None:
        """Store a set to its words of 64 cells."""

    @abstractmethod
    def key(self, b: Body, value: str) -> list[str]:
        """Return words that identify a set."""

    @abstractmethod
    def bit(self, cell: int) -> int:
        """Return the bit of a cell in the words of `key`, counted from the first word."""

    @abstractmethod
    def lowest(self, b: Body, value: str) -> str:
        """Return the set of the first cell."""

    # operations shared by all layouts

    def table(self, b: Body, masks: list[int]) -> str:
        items = padded([self.const(mask) for mask in masks], self.const(0))
        return f"{b.pool.table(self.type, items, self.table_align)} {len(items)}"

    def table_entry(self, b: Body, table: str, index: str) -> str:
        name, size = table.split()
        inside = b.let(f"and i64 {index}, {int(size) - 1}")
        at = b.let(f"getelementptr inbounds {self.type}, ptr {name}, i64 {inside}")
        return b.let(f"load {self.type}, ptr {at}{self.load_align}")

    def pieces(self, moves: Relation) -> Relation:
        """Return a relation of cells as a relation of the bits of this layout."""
        return moves

    def from_word(self, b: Body, word: str) -> str:
        """Convert the word of a set, in cell order, to this layout (boards of at most 64 cells)."""
        return word

    def to_word(self, b: Body, value: str) -> str:
        """Convert a set to its word in cell order (boards of at most 64 cells)."""
        return value

    def op(self, b: Body, name: str, x: str, y: str) -> str:
        return b.let(f"{name} {self.type} {x}, {y}")

    def inverse(self, b: Body, value: str) -> str:
        return self.op(b, "xor", value, self.const(self.full))

    def less(self, b: Body, x: str, y: str) -> str:
        # The first set has no bits beyond the board, so all bits of the second may be inverted.
        return self.op(b, "and", x, self.op(b, "xor", y, self.ones()))

    def equal(self, b: Body, x: str, y: str) -> str:
        return self.empty(b, self.op(b, "xor", x, y))

    def select(self, b: Body, flag: str, x: str, y: str) -> str:
        return b.let(f"select i1 {flag}, {self.type} {x}, {self.type} {y}")

    def union(self, b: Body, values: list[str]) -> str:
        return joined(b, self.type, values) if values else self.const(0)

    def move(self, b: Body, value: str, moves: Relation) -> str:
        alike = self.pieces(moves)
        if len(alike.deltas) > MANY_PIECES:
            return self.walk(b, value, moves)
        pieces = zip(alike.deltas, alike.masks, strict=True)
        return self.union(b, [self.piece(b, value, delta, mask) for delta, mask in pieces])

    def step(self, b: Body, value: str, moves: Relation) -> str:
        """Apply a relation as `move` does, to cells that all have a target."""
        stride = self.stride(moves)
        return self.shift(b, value, stride, 1) if stride else self.move(b, value, moves)

    def walk(self, b: Body, value: str, moves: Relation) -> str:
        """Apply a relation cell by cell, with a table of the targets."""
        targets = self.table(b, targets_of(moves, self.cells))
        slot = b.slot(self.type)
        b.do(f"store {self.type} {self.const(0)}, ptr {slot}")

        def inside(cell: str, following: str, _: str) -> None:
            union = b.let(f"load {self.type}, ptr {slot}")
            more = self.op(b, "or", union, self.table_entry(b, targets, cell))
            b.do(f"store {self.type} {more}, ptr {slot}")
            b.jump(following)

        self.bits(b, value, inside)
        return b.let(f"load {self.type}, ptr {slot}")

    def fill(self, b: Body, start: str, within: str, moves: Relation) -> str:
        """Return the connected components of `within` that contain cells of `start` (flood)."""
        first = self.op(b, "and", start, within)
        gated = self.steps_within(b, within, moves)
        if gated is None:
            return self._fill_by_walk(b, first, within, moves)
        # Opposite directions in one step, one pair after the other, need the fewest steps in all.
        half, odd = divmod(len(gated), 2)
        pairs = [[gated[i], gated[-1 - i]] for i in range(half)] + [gated[half : half + odd]]

        def more(cells: str) -> str:
            for pair in pairs:
                cells = self.union(b, [cells, *(step(cells) for step in pair)])
            return cells

        def is_stable(old: str, new: str) -> str:
            # Often the fill reaches all of `within`; then a last round to detect the fixed point is
            # saved.
            return b.let(f"or i1 {self.equal(b, old, new)}, {self.equal(b, new, within)}")

        return self.repeat(b, first, more, is_stable)

    def steps_within(self, b: Body, within: str, moves: Relation) -> list[Step] | None:
        """Return functions that emit the pieces of a relation into a set, or None if it has many.

        The set of targets is the same in all steps.
        """
        alike = self.pieces(moves)
        if len(alike.deltas) > MANY_PIECES:
            return None
        pieces = zip(alike.deltas, alike.masks, strict=True)
        gated = [(piece, self.gate(b, within, *piece)) for piece in pieces]
        return [partial(self._stepped, b, gate, *piece) for piece, gate in gated]

    def _stepped(self, b: Body, gate: str, delta: int, mask: int, cells: str) -> str:
        return self.piece_to(b, cells, gate, delta, mask)

    def gate(self, b: Body, within: str, delta: int, mask: int) -> str:
        """Precompute the operand of `piece_to` for a fixed set `within`."""
        return within

    def piece_to(self, b: Body, value: str, gate: str, delta: int, mask: int) -> str:
        """Apply a piece of a relation and intersect the result with the set of the gate."""
        return self.op(b, "and", self.piece(b, value, delta, mask), gate)

    def _fill_by_walk(self, b: Body, first: str, within: str, moves: Relation) -> str:
        """Fill as `fill` does, with a frontier: each cell is expanded once."""
        slot = b.slot(self.type)
        b.do(f"store {self.type} {first}, ptr {slot}")

        def more(front: str) -> str:
            moved = self.op(b, "and", self.walk(b, front, moves), within)
            known = b.let(f"load {self.type}, ptr {slot}")
            fresh = self.less(b, moved, known)
            b.do(f"store {self.type} {self.op(b, 'or', known, fresh)}, ptr {slot}")
            return fresh

        self.repeat(b, first, more, lambda old, new: self.empty(b, new))
        return b.let(f"load {self.type}, ptr {slot}")

    def repeat(
        self, b: Body, start: str, more: Callable[[str], str], done: Callable[[str, str], str]
    ) -> str:
        loop, end, before = b.fresh("grow"), b.fresh("grown"), b.label
        b.block(loop)
        old, at = f"%{b.fresh('old')}", len(b.lines)
        new = more(old)
        stop = done(old, new)
        start_line = f"  {old} = phi {self.type} [ {start}, %{before} ], [ {new}, %{b.label} ]"
        b.lines.insert(at, start_line)
        b.branch(stop, end, loop)
        b.block(end)
        return new

    def gather(self, b: Body, value: str, cells: Sequence[int]) -> str:
        """Return a number with a bit for each of the given cells, which ascend."""
        parts: list[str] = []
        places = [divmod(self.bit(cell), WORD) for cell in cells]
        done = 0
        for number, word in enumerate(self.key(b, value)):
            bits = [bit for of, bit in places if of == number]
            if bits:
                parts.append(extract_bits(b, self.target, word, bits, done))
                done += len(bits)
        return joined(b, "i64", parts)

    def pick(self, b: Body, value: str, index: str) -> str:
        """Return the set of the cell at an index, in ascending order."""
        if index == "0":
            return self.lowest(b, value)
        return self.cell(b, self.nth(b, value, index))

    def take(self, b: Body, value: str, index: str, most: int | None = None) -> str:
        """Return the set as `pick` does, or none if there is no such cell.

        If `most` is given, the index is above -most and below `most`.
        """
        below = b.let(f"icmp slt i64 {index}, 0")
        beyond = b.let(f"icmp sge i64 {index}, {self.count(b, value)}")
        missing = b.let(f"or i1 {below}, {beyond}")
        chosen = b.let(f"select i1 {missing}, i64 0, i64 {index}")
        cell = self.nth(b, value, chosen)
        return self.cell(b, b.let(f"select i1 {missing}, i64 -1, i64 {cell}"))

    def emit(self, b: Body, op: str, args: list[str]) -> str:
        """Emit an instruction on sets that has no detail and return its value."""
        match op:
            case "mand" | "mor" | "mxor":
                return self.op(b, op[1:], args[0], args[1])
            case "mless":
                return self.less(b, args[0], args[1])
            case "mnot":
                return self.inverse(b, args[0])
            case "many":
                return b.let(f"xor i1 {self.empty(b, args[0])}, true")
            case "meq":
                return self.equal(b, args[0], args[1])
            case "mpick":
                return self.pick(b, args[0], args[1])
            case "mtake":
                return self.take(b, args[0], args[1])
            case "mnth":
                return self.nth(b, args[0], args[1])
            case "mhas":
                return self.has(b, args[0], args[1])
            case "mcell":
                return self.cell(b, args[0])
            case "mcount":
                return self.count(b, args[0])
            case "mfirst":
                return self.first(b, args[0])
            case "mlast":
                return self.last(b, args[0])
        raise InternalError(f"no instruction on sets of the name {op}")


def extract_bits(b: Body, target: Target, word: str, bits: Sequence[int], first: int) -> str:
    """Collect bits of a word, ascending, into adjacent bits from bit `first` on (PEXT)."""
    if not target.has("bmi2"):
        return move_bits(b, word, relation_of((bit, first + i) for i, bit in enumerate(bits)))
    mask = sum(1 << bit for bit in bits)
    extracted = b.call("i64", "llvm.x86.bmi.pext.64", ("i64", word), ("i64", str(mask)))
    return b.let(f"shl i64 {extracted}, {first}") if first else extracted


def move_bits(b: Body, word: str, moves: Relation) -> str:
    """Deposit or extract bits piece by piece, with a mask and a shift for each distance."""
    parts = []
    for delta, mask in zip(moves.deltas, moves.masks, strict=True):
        masked = b.let(f"and i64 {word}, {mask}")
        parts.append(b.let(f"{'shl' if delta > 0 else 'lshr'} i64 {masked}, {abs(delta)}"))
    return joined(b, "i64", parts)


def joined(b: Body, type: str, values: list[str]) -> str:
    """Return the union of values, joined in pairs to keep the dependency chain short."""
    while len(values) > 1:
        pairs = zip(values[::2], values[1::2], strict=False)
        rest = values[-1:] if len(values) % 2 else []
        values = [b.let(f"or {type} {x}, {y}") for x, y in pairs] + rest
    return values[0]


def power_of_two(least: int) -> int:
    return 1 << max(least - 1, 0).bit_length()


def padded(items: list[str], filler: str) -> list[str]:
    """Pad a table to a power of two, which makes every masked index valid."""
    return items + [filler] * (power_of_two(len(items)) - len(items))
