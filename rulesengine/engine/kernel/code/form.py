"""The form of kernel code: typed instructions in nested blocks, input of all back ends.

Types: `i` a signed 64-bit number, `f` a flag, `m` a set of cells, `u` a wrapping 64-bit word, `b` a
list of numbers that grows at its end, `h` the history of a game, `a` a memory buffer of the caller.
A value is assigned once; a `Var` can change.

An entry point ends in one of three ways. It returns. It fails: `fail`, a checked operation, a full
list or too deep a recursion ends it, at the latest when it would return. Until then values are
arbitrary values of their types. It is stopped: `poll` ends it as a failure does, but is reported
separately, as a request of the caller. The first such event counts, and nothing is written to
memory after it.

Memory is a writable buffer of Python, little-endian; an address in it is an offset in bytes. The
caller guarantees that offsets are inside, and that those of atomic instructions are multiples of 8
in a buffer aligned to 8. Atomic instructions are relaxed: each is indivisible, but the order in
which other threads see two of them is undefined.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple

from rulesengine.support.limits import MAX_MOVES

Type = Literal["i", "f", "m", "u", "b", "h", "a"]


class Value(NamedTuple):
    """The result of an instruction or a parameter; a constant if `number` is below 0."""

    type: Type
    number: int
    const: int = 0

    @property
    def constant(self) -> int | None:
        """Return the value of a constant, None for other values."""
        return self.const if self.number < 0 else None


@dataclass(frozen=True, slots=True)
class Var:
    type: Type
    number: int


@dataclass(frozen=True, slots=True)
class Slots:
    """An array of `count` variables of one type, indexed from 0."""

    type: Type
    number: int
    count: int


@dataclass(frozen=True, slots=True)
class Table:
    """A constant table of numbers (`i`) or sets of cells (`m`), indexed from 0."""

    type: Type
    items: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A relation between cells as pieces, each with one distance.

    Cell c of `masks[k]` leads to cell c + `deltas[k]`; masks may overlap.
    """

    deltas: tuple[int, ...]
    masks: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """The rays along some directions.

    - `cells[direction][cell]`: the ray from a cell, nearest cell first; it ends before it would
      return to the cell.
    - `steps[direction]`: one step as a relation.
    - `back[direction]`: the inverse of that relation.
    - `cyclic`: True if some line is closed.
    """

    cells: tuple[tuple[tuple[int, ...], ...], ...]
    steps: tuple[Relation, ...]
    back: tuple[Relation, ...]
    cyclic: bool


@dataclass(frozen=True, slots=True, eq=False)
class RowPattern:
    """Rows of `length` cells, two or more, along some axes.

    Along axis k the cells of a row are c, c + `deltas[k]` and so on, for each c of `starts[k]`;
    differences are above 0.
    """

    length: int
    deltas: tuple[int, ...]
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """Some cells, ascending, fewer than the bits of a number."""

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs of cells along rays: at least `least` cells, at most `most` (1 or more) if given.

    In each direction closed lines, if any, are longer than all others.
    """

    rays: Rays
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class HistoryFormat:
    """The format of positions in memory, as in `drivers.history`: words of an entry, and sets."""

    words: int
    sets: int


# The frequency of the first block of an `if`; it does not change the result.
Odds = Literal["never", "seldom", "often", "always"]
Detail = Table | Relation | Rays | Runs | RowPattern | Window | HistoryFormat | str | int | None


@dataclass(slots=True, eq=False)
class Instr:
    """One instruction; a loop binds `out` in its block."""

    op: str
    args: tuple[Value | Var | Slots, ...] = ()
    out: tuple[Value | Var | Slots, ...] = ()
    detail: Detail = None
    blocks: tuple[list["Instr"], ...] = ()


@dataclass(slots=True, eq=False)
class Function:
    """A function of a module; an entry point can be called from outside.

    Functions may be recursive. Calls of a pure function with equal arguments may be merged or
    removed. A function that is `apart` should not be inlined.
    """

    name: str
    params: tuple[Value, ...]
    results: tuple[Type, ...]
    body: list[Instr]
    entry: bool = False
    pure: bool = False
    apart: bool = False


@dataclass(slots=True, eq=False)
class Module:
    """A module: functions by name in order of declaration, for boards of `cells` cells.

    - `places`: a number for each cell, ascending, under which steps are more uniform: bits of a
      word,
      or places on `grid`; None for the cell numbers themselves.
    - `grid`: rows and columns of a board with cell (or place) = row * columns + column.
    - `items`: the capacity of a list; only items in use take memory. It holds the moves of four
      positions in sequence, each with the most moves of two steps: no perft gets further than that.
    """

    cells: int
    functions: dict[str, Function] = field(default_factory=dict)
    grid: tuple[int, int] | None = None
    places: tuple[int, ...] | None = None
    items: int = 16 * MAX_MOVES


# Pure instructions: types of arguments, type of the result. `?` is any one type.
PURE: MappingProxyType[str, tuple[str, str]] = MappingProxyType(
    {
        # numbers; the checked ones (c) fail on 64-bit overflow and division by zero, and division
        # and modulo round down; the others never overflow where they are used
        "iadd": ("ii", "i"),
        "isub": ("ii", "i"),
        "imul": ("ii", "i"),
        "cadd": ("ii", "i"),
        "csub": ("ii", "i"),
        "cmul": ("ii", "i"),
        "cdiv": ("ii", "i"),
        "cmod": ("ii", "i"),
        "imin": ("ii", "i"),
        "imax": ("ii", "i"),
        "ieq": ("ii", "f"),
        "ilt": ("ii", "f"),
        "ile": ("ii", "f"),
        # numbers as bits: shifts by 0 to 62, the right shift is arithmetic
        "ishl": ("ii", "i"),
        "ishr": ("ii", "i"),
        "iand": ("ii", "i"),
        "ior": ("ii", "i"),
        # flags
        "fand": ("ff", "f"),
        "for": ("ff", "f"),
        "fnot": ("f", "f"),
        "fint": ("f", "i"),
        # one of two values: (flag, value if true, value if false)
        "pick": ("f??", "?"),
        # sets of cells; `mless` is the difference
        "mand": ("mm", "m"),
        "mor": ("mm", "m"),
        "mxor": ("mm", "m"),
        "mless": ("mm", "m"),
        "mnot": ("m", "m"),
        "many": ("m", "f"),
        "meq": ("mm", "f"),
        "mcount": ("m", "i"),
        # the first, the last, the cell at an index in ascending order: they must exist
        "mfirst": ("m", "i"),
        "mlast": ("m", "i"),
        "mnth": ("mi", "i"),
        # the set of that cell; if it does not exist, any set of at most one cell
        "mpick": ("mi", "m"),
        # the same, but empty if the index is below 0 or too large; with a detail the index is above
        # -detail and below detail
        "mtake": ("mi", "m"),
        # the set of one cell, empty for a number below 0; a flag: a cell (0 or more) is in a set
        "mcell": ("i", "m"),
        "mhas": ("mi", "f"),
        # detail Window: bit i of the number is 1 if the i-th of its cells is in a set
        "mgather": ("m", "i"),
        # detail Relation: the targets of the cells of a set
        "mmove": ("m", "m"),
        # the same for a set of cells that all have a target
        "mstep": ("m", "m"),
        # detail Table: the item at an index, which must be inside
        "ilook": ("i", "i"),
        "mlook": ("i", "m"),
        # detail Rays: on each ray of a cell (below 0: none), the cells of `over` before the first
        # cell not in `over`, if that cell is in `until` and their number is from low to high:
        # (cell, over, until, low, high)
        "mbetween": ("immii", "m"),
        # detail Runs: the cells that are followed on some ray by a run of cells of `over` and then
        # a cell of `until`; the sets are disjoint unless a run may be empty: (over, until)
        "mtoward": ("mm", "m"),
        # detail Rays, not cyclic: the cells along the rays from a set as long as all of them are in
        # `through`: (from, through)
        "mslide": ("mm", "m"),
        # detail RowPattern: a flag: a set contains all cells of some row
        "mrow": ("m", "f"),
        # detail Relation: flood fill: the cells of `within` in the set or reachable from them by
        # steps inside `within`: (set, within)
        "mfill": ("mm", "m"),
        # wrapping words; `umix` is `random.mix`, `uhigh` the high word of the product with a number
        # above 0, `ufold` adds a word to a checksum as `random.fold` does, `ufoldm` a set of
        # cells (by words of 64 cells: the first one always, the others up to the last that is not
        # 0)
        "ubits": ("i", "u"),
        "uadd": ("uu", "u"),
        "uxor": ("uu", "u"),
        # `usign` is the number with these bits; shifts by 0 to 63 fill with zeros
        "usign": ("u", "i"),
        "umul": ("uu", "u"),
        "uand": ("uu", "u"),
        "uor": ("uu", "u"),
        "ushl": ("ui", "u"),
        "ushr": ("ui", "u"),
        "ueq": ("uu", "f"),
        "ult": ("uu", "f"),
        # the number of 1 bits, and the index of the lowest one, which must exist
        "ucount": ("u", "i"),
        "ufirst": ("u", "i"),
        "umix": ("u", "u"),
        "uhigh": ("ui", "i"),
        "ufold": ("ui", "u"),
        "ufoldm": ("um", "u"),
    }
)

# Instructions on memory, at an offset: types of arguments, type of the result if there is one.
# Numbers of 8, 16 and 32 bits are unsigned, and a store truncates; 64 bits wrap. A set of cells
# takes as many words as its cells need, the first cell in the lowest bit, and is aligned as for an
# atomic instruction. `atomic_add` and `atomic_cas` (offset, expected, new: compare and swap) return
# the previous word. `poll` stops if the word, read atomically, is not 0. `store_text` stores the
# words of its detail, a Table of numbers.
MEMORY: MappingProxyType[str, tuple[str, str]] = MappingProxyType(
    {
        "load8": ("ai", "i"),
        "load16": ("ai", "i"),
        "load32": ("ai", "i"),
        "load64": ("ai", "u"),
        "store8": ("aii", ""),
        "store16": ("aii", ""),
        "store32": ("aii", ""),
        "store64": ("aiu", ""),
        "load_set": ("ai", "m"),
        "store_set": ("aim", ""),
        "atomic_load": ("ai", "u"),
        "atomic_store": ("aiu", ""),
        "atomic_add": ("aiu", "u"),
        "atomic_cas": ("aiuu", "u"),
        "poll": ("ai", ""),
        "store_text": ("ai", ""),
    }
)

# Instructions with an effect, or that depend on one:
#   let (init) -> var
#   set (var, value)
#   get (var) -> value
#   slots (init) -> slots
#   fetch (slots, i) -> value
#   store (slots, i, value)
#   if (flag): two blocks; the detail is its Odds, if known
#   loop: one block
#   bits (m) -> i: one block, for each cell, ascending
#   range (low, high) -> i: one block, for i from low to high - 1
#   break: leave the innermost loop
#   call (…) -> values: the detail is the name of the function
#   return (…)
#   fail
#   list -> b: an empty list; the detail is its number, which one list uses at a time
#   push (b, i)
#   size (b) -> i
#   item (b, i) -> i
#   cut (b, i): truncate to i items
#   note: the detail is a remark for readers
#   mark (i): a number that the caller can read after a failure
#   remember (h, side, m…) -> h: a history with one more position; only one line of positions is
#     stored, so positions that followed h before are dropped
#   load_history (a, i, i, i) -> h: the entries of a history in memory at an offset, from the first
#     to the end; the detail is their format
#   recall (h, m…) -> i: with detail "board", how often the board occurred; with "position", the
#     same with the side as first argument; with "age", how many positions ago the position with
#     the side occurred first, or 0
#   met (h, i…) -> f: false only if no earlier position has sets of these sizes
STATEMENTS = frozenset(
    "let set get slots fetch store if loop bits range break call return fail list push size item"
    " cut mark note remember load_history recall met".split()
)

CHECKED = frozenset({"cadd", "csub", "cmul", "cdiv", "cmod"})


def instructions(block: Iterable[Instr]) -> Iterator[Instr]:
    """Yield the instructions of a block and of its nested blocks."""
    for instr in block:
        yield instr
        for inner in instr.blocks:
            yield from instructions(inner)
