"""The rows of the table of operations: the columns that analyses rely on.

A column that a row omits has the value that permits nothing. Such an operation has no algebraic
property, and such an effect may change pieces in every way.
"""

from collections.abc import Callable
from typing import Final, Literal, get_args

from rulesengine.support.frozen import record

# The parts of a state that an operation itself reads or changes, its arguments excluded.
Part = Literal[
    "names",  # the meaning of a name on one board, with the parameters of one game
    "variables",  # the player who reads, and the variables of loops and steps
    "pieces",
    "side",
    "registers",
    "plies",
    "history",
    "step",  # the current step
    "record",  # the cells that the current move has changed
    "moves",  # the legal moves
    "outcome",
    "future",  # the states after a move
    "past",  # the state before the current move
]
# The errors that an operation itself can raise.
Cause = Literal[
    "unset",  # a variable without a value
    "player",  # a side that is not a player
    "kind",  # no kind of piece
    "cell",  # a missing cell
    "place",  # a row and a column off the board
    "nothing",  # a member of an empty set
    "zero",  # a division by zero
    "overflow",  # a number beyond 64 bits
    "piece",  # a piece that its owner does not have
    "bounds",  # a number out of the range of its register, or more pieces than the limit
    "clash",  # two pieces carried to one cell
    "limit",  # a step limit exceeded
]
# The ways in which an effect itself changes pieces.
Action = Literal[
    "adds",  # new pieces, which replace others on their cells: never fewer occupied cells
    "removes",  # pieces, and leaves their cells empty
    "moves",  # pieces to other cells, where they replace others, or off the board
    "flips",  # pieces to another side
    "promotes",  # pieces to another kind
]
# The dependence of a result on one argument. Sets are ordered by inclusion, false before true.
Trait = Literal[
    "monotone",  # a greater argument never gives a lesser result
    "antitone",  # a greater argument never gives a greater result
    "additive",  # the result for a union, even an empty one, is the union of the results
    "contains",  # the result is a subset of this argument
]
# Properties of an operation as a whole.
Law = Literal[
    "equivariant",  # board automorphisms commute with it
    "commutative",
    "associative",  # except for overflow
    "reflexive",  # true if both operands are equal
    "pointwise",  # a cell is in the result or not by the arguments at this cell alone
    "elsewhere",  # an operand is read in another position
    "lazy",  # an operand may decide that others are not evaluated
    "binds",  # its last operand has a variable, the second item of its value
    "loops",  # it evaluates its last operand once for each value of that variable
]
# The meaning of an operation in the terms of logic, sets and boards. Analyses recognise operations
# by it; operations of one role have operands of the same meaning.
Role = Literal[
    "constant",  # its value
    "parameter",  # the value of the parameter that its value names
    "name",  # the value of the name of a place, a direction or a track that is its value
    "variable",  # the value of the variable that its value names
    "meet",  # the greatest lower bound of its operands: intersection, conjunction, minimum
    "join",  # the least upper bound of its operands: union, disjunction, maximum
    "complement",  # all that is not in its operand, or the negation of a flag
    "difference",  # the first operand without the second
    "singleton",  # the set with its operand as the only member
    "selection",  # one of its operands after the first, by the value of the first
    "nonempty",  # true if its operand has a member
    "void",  # true if its operand has no member
    "size",  # the number of members of its operand
    "element",  # a member of its operand
    "membership",  # true if the first operand is a member of the second
    "inclusion",  # true if the first operand is a subset of the second
    "equality",  # true if its operands are equal
    "order",  # true if the first operand is less than the second, or at most as great
    "mover",  # the side to move
    "successor",  # the player after its operand
    "vacancy",  # the cells without a piece
    "pieces",  # the cells with a piece that has its operand as an attribute
    "record",  # the cells that the current move has changed in the way that its value names
    "register",  # the value of the register that its value names, for a side if there is an operand
    "kind register",  # the value of the register that its value names, for a kind
    "cell register",  # the number of the register that its value names, at a cell
    "attribute",  # the owner or the kind of the piece on a cell
    "past",  # the value of its operand before the move
    "mobility",  # true if a side has a legal move
    "activity",  # true if a side has a legal move or pass
    "clock",  # the number of plies played
    "repetition",  # the number of earlier equal positions
    "age",  # the number of positions since an equal one occurred first
    "winner",  # the side that has won
    "place",  # the cell in a row and a column
    "coordinate",  # the number of the row or the column of its operand
    "shift",  # the cells that successive steps in directions lead to
    "neighbourhood",  # the cells adjacent to a set, or one step away in some directions
    "ray",  # the cells in straight lines from a set, in directions, through a third set
    "row",  # the members of a second set in straight rows from the first to the third, by length
    "joined ray",  # the same across the joins of a board, with limits of the number crossed
    "joined row",
    "line",  # the members of a set that are in straight lines of members, by length
    "closure",  # the cells connected with the first operand within the second
    "opposite",  # the opposite directions
    "turn",  # the first operand turned clockwise by the number of steps that is the second
    "tile",  # the cells of the tile of a kind in a form, from its first cell
    "fit",  # the first cells of tiles of a kind in a form that lie within a set
    "interval",  # the numbers from the first operand to the second, as the domain of a loop
    "sum",  # of two numbers, or their difference
    "negation",  # of a number
    "product",  # of two numbers
    "quotient",  # of two numbers, rounded down
    "remainder",  # of a division
    "placement",  # of pieces of a kind and a side on cells
    "removal",  # of the pieces on cells
    "flip",  # of the pieces on cells to a side
    "promotion",  # of the pieces on cells to a kind
    "assignment",  # to a register
    "sequence",  # of effects
    "assertion",  # of a flag
    "iteration",  # of an effect until nothing changes
    "traversal",  # of a domain, with an effect for one value after the other
]
PARTS: frozenset[str] = frozenset(get_args(Part))
CAUSES: frozenset[str] = frozenset(get_args(Cause))
ACTIONS: frozenset[str] = frozenset(get_args(Action))
TRAITS: frozenset[str] = frozenset(get_args(Trait))
LAWS: frozenset[str] = frozenset(get_args(Law))
ROLES: frozenset[str] = frozenset(get_args(Role))
# The set of all cells or directions, as an identity or an absorbing element.
ALL: Final = -1
_NO_TRAIT: frozenset[str] = frozenset()

Cost = Callable[[int, int], int]


@record
class Signature:
    """The signature of an operation: types, cost, effects and algebra; ValueError if malformed.

    `args` are types, `T` for the type of the result, `*` after one that may repeat and `?` after
    one that may be absent. `result` is a type or `T` for any. `cost` counts set operations on a
    board of so many cells and directions.

    `reads`, `changes`, `fails` and `does` describe the operation alone: not its arguments, nor the
    rules that it evaluates for moves and outcomes. Analyses rely on them, so no row may leave a
    part out. `by_passes` marks operations that only compiler passes emit: no spec can contain
    them, and no message mentions them.

    `traits` are those of the arguments, `laws` those of the operation. Analyses may use each one
    that is listed and assume nothing of the others. `identity` and `absorbing` are elements of an
    associative or commutative operation, or None. `role` is empty for an operation without one.
    """

    args: tuple[str, ...]
    result: str
    value: str
    cost: Cost
    reads: frozenset[str]
    changes: frozenset[str]
    fails: frozenset[str]
    by_passes: bool
    does: frozenset[str]
    traits: tuple[frozenset[str], ...]
    laws: frozenset[str]
    identity: int | None
    absorbing: int | None
    role: Role | Literal[""]

    def __post_init__(self) -> None:
        unknown = (self.reads | self.changes) - PARTS | self.fails - CAUSES | self.does - ACTIONS
        unknown |= _NO_TRAIT.union(*self.traits) - TRAITS | self.laws - LAWS
        unknown |= {self.role} - ROLES - {""}
        if unknown:
            raise ValueError(f"no column of an operation has {', '.join(sorted(unknown))}")
        if "pieces" in self.changes and not self.does:
            raise ValueError("an effect that changes pieces does so in at least one way")
        if len(self.traits) > len(self.args):
            raise ValueError("more traits than arguments")

    def has(self, trait: Trait, number: int) -> bool:
        """True if the argument of this number, from 0, has a trait."""
        repeated = bool(self.args) and self.args[-1].endswith("*")
        place = min(number, len(self.args) - 1) if repeated else number
        return trait in (self.traits[place] if place < len(self.traits) else _NO_TRAIT)


def once(cells: int, directions: int) -> int:
    return 1


def by_direction(cells: int, directions: int) -> int:
    return directions


def by_ray(cells: int, directions: int) -> int:
    return directions * 8


def by_cell(cells: int, directions: int) -> int:
    return cells


def value_row(
    *args: str,
    to: str,
    reads: str,
    fails: str,
    value: str = "",
    cost: Cost = once,
    traits: str = "",
    laws: str = "",
    identity: int | None = None,
    absorbing: int | None = None,
    role: Role | Literal[""] = "",
    by_passes: bool = False,
) -> Signature:
    """Make the row of an operation that returns a value and changes nothing.

    `traits` has the words for each argument, separated by commas.
    """
    nothing = _words("")
    return Signature(
        args, to, value, cost, _words(reads), nothing, _words(fails), by_passes, nothing,
        tuple(map(_traits, traits.split(","))) if traits else (), _words(laws), identity, absorbing,
        role,
    )  # fmt: skip


def pass_row(
    *args: str, to: str, reads: str, value: str = "", cost: Cost, traits: str = ""
) -> Signature:
    """Make the row of an operation that only compiler passes emit; it never fails."""
    return value_row(
        *args, to=to, reads=reads, fails="", value=value, cost=cost, traits=traits, by_passes=True
    )


def effect_row(
    *args: str,
    reads: str,
    changes: str,
    fails: str,
    value: str = "",
    cost: Cost = once,
    does: str | None = None,
    laws: str = "",
    role: Role | Literal[""] = "",
) -> Signature:
    """Make the row of an effect; without `does`, one that changes pieces may do everything."""
    changed = _words(changes)
    everything = ACTIONS if "pieces" in changed else _words("")
    done = everything if does is None else _words(does)
    return Signature(
        args, "effect", value, cost, _words(reads), changed, _words(fails), False, done,
        (), _words(laws), None, None, role,
    )  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _traits(text: str) -> frozenset[str]:
    """Return the traits of an argument with those that they imply."""
    words = _words(text)
    return words | {"monotone"} if "additive" in words else words
