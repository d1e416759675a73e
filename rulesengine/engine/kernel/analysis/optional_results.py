"""The results of optional analyses, by which code requests them.

They are separate from the analyses, which can be deleted without a change to their users.
"""

from rulesengine.board.automorphisms import Automorphism
from rulesengine.language.ir.ops import Op
from rulesengine.state import State
from rulesengine.support.frozen import record

Masks = tuple[int, ...]


@record
class Symmetries:
    """The automorphisms of the board that preserve the rules, the identity among them."""

    maps: tuple[Automorphism, ...]


@record
class LivePieces:
    """The cells of pieces that can still move or be captured; others do not affect the result."""

    cells: Op


@record
class Components:
    """The relation that joins cells into components, and the numberings that compare components.

    `pieces` are the pieces of each side. `near` has for each cell those connected to it by a step
    in either direction. Each of `images` numbers the cells: two components are equivalent if their
    numbers in any two images differ by a constant.
    """

    pieces: tuple[Op, Op]
    near: tuple[int, ...]
    images: tuple[tuple[int, ...], ...]


@record
class SafeMoveTables:
    """The effects of placements of one side, as sets of cells by the cell of the placement.

    - `takes`: own placements that exclude this one, including itself.
    - `spoiled`: placements of the other side after which this one is illegal.
    - `bars`: placements of the other side that are illegal after this one.
    - `fills`: the cells that this one fills.
    - `guards`: own placements that this one protects from some placement of the other side.
    - `apart`: mutually exclusive placements that include this one.
    - `turns`: the priority of this one; higher values are tried first.
    - `size`: the least number of cells that any placement fills.
    """

    takes: Masks
    spoiled: Masks
    bars: Masks
    fills: Masks
    guards: Masks
    apart: Masks
    turns: tuple[int, ...]
    size: int


@record
class SafeMoves:
    """The cells where `player` may place, and the effects of placements for each side.

    `bare` is the state of an empty board.
    """

    cells: Op
    sides: tuple[SafeMoveTables, SafeMoveTables]
    bare: State
