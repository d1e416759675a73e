"""The form of kernel code: typed instructions in nested blocks, printed as Python or as LLVM.

Types: `i` a signed 64-bit number, `f` a flag, `m` a set of cells, `u` 64 bits that wrap, `b` a
list of numbers that grows at its end, `h` the history of a game, `a` memory that the caller hands
in. A value is made once; what changes is a `Var`.

An entry point ends in one of three ways. It returns. It fails: `fail`, a checked operation, a full
list and recursion that goes too deep end it, at the latest where it would return; until then the
result is any value of its type. It is stopped: `poll` ends it as failure does, but tells apart
that somebody asked for it. What comes first counts, and nothing is written to memory after it.

Memory is a buffer of Python that can be written, little-endian; a place in it is a number of
bytes from its begin. It lies inside, and that of an atomic instruction is a multiple of 8 in a
buffer that begins at one: that is the caller's duty. Atomic instructions are relaxed: each is
done whole, and nothing is said about the order in which another thread sees two of them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from rulesengine.support.limits import MAX_MOVES

Type = Literal["i", "f", "m", "u", "b", "h", "a"]


@dataclass(frozen=True, slots=True)
class Value:
    """The result of an instruction or a parameter; a constant if `number` is below 0."""

    type: Type
    number: int
    const: int = 0

    @property
    def known(self) -> int | None:
        """The value of a constant."""
        return self.const if self.number < 0 else None


@dataclass(frozen=True, slots=True)
class Var:
    type: Type
    number: int


@dataclass(frozen=True, slots=True)
class Slots:
    """As many variables of one type as are told, by a number from 0."""

    type: Type
    number: int
    count: int


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers (`i`) or sets of cells (`m`) that are looked up by a number from 0."""

    type: Type
    items: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A relation of cells as pieces that move alike.

    Cell c of `masks[k]` leads to cell c + `deltas[k]`; masks may share cells.
    """

    deltas: tuple[int, ...]
    masks: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """The rays along some directions.

    `cells[direction][cell]` is a ray, nearest cell first: the map of one step, `steps[direction]`,
    done so many times; it ends before it comes round. `back[direction]` is its inverse. `cyclic`
    tells that some line comes round.
    """

    cells: tuple[tuple[tuple[int, ...], ...], ...]
    steps: tuple[Relation, ...]
    back: tuple[Relation, ...]
    cyclic: bool


@dataclass(frozen=True, slots=True, eq=False)
class InRow:
    """Rows of `length` cells, two or more, along some axes.

    Along axis k the cells of a row are c, c + `deltas[k]` and so on, for each c of `starts[k]`;
    differences are above 0.
    """

    length: int
    deltas: tuple[int, ...]
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """Some cells, ascending, fewer than a number has bits."""

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Runs:
    """Cells in a row along rays: `least` of them or more, at `most` so many, 1 or more, if told.

    In each direction the lines that come round, if any, are longer than all others.
    """

    rays: Rays
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Entries:
    """A line of positions in memory, as `earlier` lays it out: words of an entry, and its sets."""

    words: int
    sets: int


# How often an `if` goes the first of its two ways; what it does is the same.
Odds = Literal["never", "seldom", "often", "always"]
Detail = Table | Relation | Rays | Runs | InRow | Window | Entries | str | int | None


@dataclass(slots=True, eq=False)
class Instr:
    """One instruction; loops bind `out` in their block."""

    op: str
    args: tuple[Value | Var | Slots, ...] = ()
    out: tuple[Value | Var | Slots, ...] = ()
    detail: Detail = None
    blocks: tuple[list["Instr"], ...] = ()


@dataclass(slots=True, eq=False)
class Function:
    """A function of a module; an entry point is called from outside.

    Functions may call themselves and one another. A call of a pure function may be made once for
    equal arguments, or not at all. One that is `apart` should not become part of those that call
    it.
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
    """Functions by name in the order in which they were begun, for boards of so many cells.

    `places`, if any, are numbers that ascend with the cells and in which steps are more alike:
    bits of a word, or those of `grid`. That is the rows and columns of a board whose cell, or
    else its place, is row * columns + column; a list takes `items` numbers, and only those that
    are used take memory. It is enough for four positions with as many moves as may be, of two
    steps each, one behind the other: a count through these would not end.
    """

    cells: int
    functions: dict[str, Function] = field(default_factory=dict)
    grid: tuple[int, int] | None = None
    places: tuple[int, ...] | None = None
    items: int = 16 * MAX_MOVES


# Instructions that only give a value: types of arguments, type of the result. `?` is any one type.
PURE: MappingProxyType[str, tuple[str, str]] = MappingProxyType(
    {
        # numbers; the checked ones (c) fail beyond 64 bits and on division by zero, and division
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
        # numbers as bits: shifts by 0 to 62, the right one keeps the sign
        "ishl": ("ii", "i"),
        "ishr": ("ii", "i"),
        "iand": ("ii", "i"),
        "ior": ("ii", "i"),
        # flags
        "fand": ("ff", "f"),
        "for": ("ff", "f"),
        "fnot": ("f", "f"),
        "fint": ("f", "i"),
        # one of two values: flag, if it holds, if not
        "pick": ("f??", "?"),
        # sets of cells; `mless` is the first without the second
        "mand": ("mm", "m"),
        "mor": ("mm", "m"),
        "mxor": ("mm", "m"),
        "mless": ("mm", "m"),
        "mnot": ("m", "m"),
        "many": ("m", "f"),
        "meq": ("mm", "f"),
        "mcount": ("m", "i"),
        # first, last, and the one with so many before it: they must be there
        "mfirst": ("m", "i"),
        "mlast": ("m", "i"),
        "mnth": ("mi", "i"),
        # the set of that one cell; if it is not there, any set of one cell or none
        "mpick": ("mi", "m"),
        # the same, but none if there are not so many or the number is below 0; the number is above
        # -detail and below detail, if one is given
        "mtake": ("mi", "m"),
        # the set of one cell, none if it is below 0; whether a cell (0 or more) is in a set
        "mcell": ("i", "m"),
        "mhas": ("mi", "f"),
        # detail Window: bit i of the number tells whether the i-th of its cells is in a set
        "mgather": ("m", "i"),
        # detail Relation: the cells that those of a set lead to
        "mmove": ("m", "m"),
        # the same of cells that all lead to another
        "mstep": ("m", "m"),
        # detail Table: the item of a number inside it
        "ilook": ("i", "i"),
        "mlook": ("i", "m"),
        # detail Rays: cells of `over` between a cell (below 0: none) and the next cell not in
        # `over` if that is in `until`, on each ray where their number is from low to high:
        # (cell, over, until, low, high)
        "mbetween": ("immii", "m"),
        # detail Runs: cells from which along some ray cells of `over`, so many, and then one of
        # `until` follow; no cell is in both unless none of `over` need come first: (over, until)
        "mtoward": ("mm", "m"),
        # detail Rays, not cyclic: cells along the rays from cells of a set as far as all of them
        # are in `through`: (from, through)
        "mslide": ("mm", "m"),
        # detail InRow: whether all cells of some row are in a set
        "mrow": ("m", "f"),
        # detail Relation: the cells of `within` that are in the set or reached from these step by
        # step inside it: (set, within)
        "mfill": ("mm", "m"),
        # 64 bits that wrap; `umix` is drivers.mix, `uhigh` the high word of the product with a
        # number above 0, `ufold` takes a further word into a checksum as drivers.checksum does,
        # `ufoldm` a set of cells (in words of 64 cells, the first, and then while any are left)
        "ubits": ("i", "u"),
        "uadd": ("uu", "u"),
        "uxor": ("uu", "u"),
        # `usign` is the number with these bits; shifts by 0 to 63 fill up with zeros
        "usign": ("u", "i"),
        "umul": ("uu", "u"),
        "uand": ("uu", "u"),
        "uor": ("uu", "u"),
        "ushl": ("ui", "u"),
        "ushr": ("ui", "u"),
        "ueq": ("uu", "f"),
        "ult": ("uu", "f"),
        # how many bits are 1, and the place of the lowest of these, of which there must be one
        "ucount": ("u", "i"),
        "ufirst": ("u", "i"),
        "umix": ("u", "u"),
        "uhigh": ("ui", "i"),
        "ufold": ("ui", "u"),
        "ufoldm": ("um", "u"),
    }
)

# Instructions on memory, at a place: types of arguments, type of the result if there is one.
# Numbers of 8, 16 and 32 bits are read as 0 or above, and their lowest bits are written; 64 bits
# wrap. A set of cells is as many words as its cells need, the first cell the lowest bit; it begins
# where an atomic instruction might. `atomic_add` and `atomic_cas` (place, expected, new: compare
# and swap) give the word that was there before. `poll` stops if the word, read atomically, is not
# 0.
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
    }
)

# Instructions with an effect, or that depend on one:
#   let (init) -> var · set (var, value) · get (var) -> value
#   slots (init) -> slots · fetch (slots, i) -> value · store (slots, i, value)
#   if (flag), two blocks, detail its Odds if they are known · loop, one block ·
#   bits (m) -> i, one block, ascending ·
#   range (low, high) -> i from low to high - 1, one block · break (of the innermost loop)
#   call (…) -> values, detail its name · return (…) · fail
#   list -> b, detail its number: an empty one; a module uses each number once at a time ·
#   push (b, i) · size (b) -> i · item (b, i) -> i · cut (b, i) to so many
#   note: detail is a text for readers, of no effect
#   mark (i): a number that is known outside if the entry point fails
#   remember (h, side, m…) -> h, a history with one more position. Only the line of play in hand
#   is kept: to remember a position after h forgets whatever else followed h ·
#   retell (a, i, i) -> h, the history of the positions from a place of memory on, so many; detail
#   Entries tells how they lie, and the first words of each are the back end's own ·
#   recall (h, m…) -> i, how often the position is there, detail "board", or "position" with the
#   side first; detail "age", with the side, how many positions ago it was there first, or 0 ·
#   met (h, i…) -> f: false only if no position there has so many cells in its sets, set by set
STATEMENTS = frozenset(
    "let set get slots fetch store if loop bits range break call return fail list push size item"
    " cut mark note remember retell recall met".split()
)

CHECKED = frozenset({"cadd", "csub", "cmul", "cdiv", "cmod"})


def instructions(block: Iterable[Instr]) -> Iterator[Instr]:
    """The instructions of a block and of those inside."""
    for instr in block:
        yield instr
        for inner in instr.blocks:
            yield from instructions(inner)
