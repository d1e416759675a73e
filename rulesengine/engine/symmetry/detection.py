"""The symmetries of a game: board automorphisms that leave its rules invariant.

They are proved from the program, not by trying positions. Every cell, direction, set and track in
the rules is replaced by its image under the automorphism. The result must equal the rules, up to
the order of groups in a tier and of operands that commute. Rules that read the numbers of cells
(`first`, `row`, effects for one cell after the other) have the identity only. Initial positions and
pieces do not matter: symmetries are those of the rules. See decision 036.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rulesengine.board.automorphisms import Automorphism, automorphisms
from rulesengine.board.turning import turns_of
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.errors import RulesError
from rulesengine.language.ir.ops import OPS, Op, bound, literal, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    domain_type,
    goes_by_adjacency,
    has_role,
    is_constant,
    is_variable,
)
from rulesengine.language.ir.rules import Group, MoveTemplate, Rules
from rulesengine.state import State
from rulesengine.support.frozen import names_of

# Operations that commute with automorphisms: images of the operands give the image of the result.
COVARIANT = frozenset(name for name, row in OPS.items() if "equivariant" in row.laws)
_COMMUTATIVE = frozenset(name for name, row in OPS.items() if "commutative" in row.laws)
# Operations that may return after their first operand (lazy evaluation).
_SHORT = frozenset(name for name in _COMMUTATIVE if "lazy" in OPS[name].laws)
_ASSOCIATIVE = frozenset(name for name in _COMMUTATIVE if "associative" in OPS[name].laws)
_SMALL = 2**32
_ONE_WORD = 64
_MAX_MAPPED_SETS = 64  # sets of cells to be mapped
_LINE_WAYS = 3  # the index of the directions among the operands of `line`
# Domains of `for` other than cells, whose order would be that of the cell numbers.
_ORDERED = frozenset(("numbers", "sides", "track"))
# Fields of the rules that no legal move or end reads, and steps, which are compared through the
# groups that lead to them.
_IGNORED_FIELDS = frozenset(
    """
    name parameters players kinds empty_symbol tracks board notation drawing start diagram
    strategies script sites steps evaluation look playouts texts formats
    """.split()
)


def symmetries(program: Program) -> tuple[Automorphism, ...]:
    """Return the board automorphisms that leave the rules invariant, the identity first."""
    known: _Numbers = {}
    every = automorphisms(program.topology)
    own = _Image(program, every[0], known).rules()
    return tuple(a for a in every if _Image(program, a, known).rules() == own)


def few_symmetries(program: Program) -> tuple[Automorphism, ...]:
    """Return the symmetries for the canonical keys of a search; () if these would cost too much.

    The cost is a few instructions for each mapped set of cells of one word.
    """
    if program.topology.cells > _ONE_WORD:
        return ()
    group, form = symmetries(program), program.form
    sets = sum(map(bool, form.symbols)) + form.types.count("cells")
    return group if len(group) > 1 and len(group) * sets <= _MAX_MAPPED_SETS else ()


def is_image_of(program: Program, other: Program, automorphism: Automorphism) -> bool:
    """True if the image of another program's rules on this board equals the rules of `program`."""
    known: _Numbers = {}
    places = tuple(range(program.topology.cells))
    identity = Automorphism(places, tuple(range(len(program.topology.directions))))
    own = _Image(program, identity, known).rules()
    return _Image(other, automorphism, known).rules() == own


def is_invariant(program: Program, op: Op, automorphism: Automorphism) -> bool:
    """True if an expression has the same value for a position and for its image."""
    known: _Numbers = {}
    places = tuple(range(program.topology.cells))
    identity = Automorphism(places, tuple(range(len(program.topology.directions))))
    images = (_Image(program, a, known).number(op) for a in (identity, automorphism))
    return len(set(images)) == 1


# Equal values have equal numbers, so that no image is compared part by part twice.
_Numbers = dict[Any, int]
_Bound = tuple[str, ...]


class _Image:
    """The image of a program under an automorphism, with equal numbers for equal parts."""

    def __init__(self, program: Program, automorphism: Automorphism, known: _Numbers) -> None:
        self.program = program
        self.automorphism = automorphism
        self._known = known
        self._machine = Interpreter(program)
        form = program.form
        self._bare = State((0,) * len(form.symbols), 0, form.starts, (), form)
        self._groups: Mapping[str, int] = {}
        self._memo: dict[tuple[int, _Bound], int] = {}

    def rules(self) -> int:
        """Return the number of the rules; groups refer to each other by content, not by name."""
        rules = self.program.rules
        self._groups = {group.name: 0 for group in rules.groups}
        for _ in rules.groups:
            self._groups = {group.name: self._number(group) for group in rules.groups}
        return self._number(rules)

    def number(self, op: Op, inside: _Bound = ()) -> int:
        """Return the number of an operation inside loops over these variables."""
        key = id(op), inside
        if key not in self._memo:
            self._memo[key] = self._new(self._op(op, inside))
        return self._memo[key]

    def _new(self, signature: Any) -> int:
        return self._known.setdefault(signature, len(self._known))

    def _number(self, value: object) -> int:
        """Return the number of a record or of a part of one."""
        match value:
            case Op():
                return self.number(value)
            case Rules():
                tiers = (tuple(sorted(map(self._number, tier))) for tier in value.tiers)
                return self._new(("rules", *tiers, self._rest(value, _IGNORED_FIELDS | {"tiers"})))
            case Group():
                choice = tuple(map(self._number, value.choice))
                choice = choice if value.choices else tuple(sorted(choice))
                follows = self._groups[value.then.step] if value.then else -1
                other_fields = self._rest(value, frozenset(("name", "site", "choice")))
                return self._new(("group", other_fields, choice, follows))
            case MoveTemplate():
                return self._new(("written", value.text))
            case tuple():
                return self._new(("tuple", *map(self._number, value)))
        if names_of(value):
            return self._new((type(value).__name__, self._rest(value, frozenset(("step", "site")))))
        return self._new(("plain", value))

    def _rest(self, value: object, but: frozenset[str]) -> tuple[int, ...]:
        """Return the numbers of the fields of a record, without those in `but`."""
        names = names_of(value) or ()
        return tuple(self._number(getattr(value, name)) for name in names if name not in but)

    def _op(self, op: Op, inside: _Bound) -> tuple[Any, ...]:
        """Return the image of an operation as a tuple; constants are replaced by their values."""
        if is_constant(op):
            return "literal", op.type, self._place(op)
        if is_variable(op):
            name = str(op.value)
            return "variable", inside[::-1].index(name) if name in inside else name
        constant = self._constant(op)
        if constant is not None:
            return self._op(constant, inside)
        if connected := self._connected(op, inside) or self._joined(op, inside):
            return connected
        args = [self.number(a, within) for a, within in _inner(op, inside, _operands(op))]
        if has_role(op, "line") and len(args) > _LINE_WAYS:
            args[_LINE_WAYS] = self._undirected(op.args[_LINE_WAYS], inside)
        if _may_be_exchanged(op):
            args.sort()
        bad = () if _is_covariant(op) else self.automorphism.cells
        if has_role(op, "turn"):
            bad = self._turns
        return op.name, op.type, _without_site(op), bad, *args

    @cached_property
    def _turns(self) -> tuple[int, ...]:
        """Return the image of the turn by one step: the same for automorphisms that are rotations
        as for the identity.
        """
        turns, images = turns_of(self.program.topology), self.automorphism.directions
        after = turns[1 % len(turns)]
        return tuple(images[after[images.index(direction)]] for direction in range(len(images)))

    def _joined(self, op: Op, inside: _Bound) -> tuple[Any, ...]:
        """Return a normal form of the test if one connected group meets several sets, else ().

        It matches `any(fill(a, set) and b)`, where `a` may be such a fill itself; the order of the
        sets does not matter.
        """
        if not has_role(op, "nonempty", "void"):
            return ()
        goals, (at,) = [], op.args
        among = None
        while len(fills := [a for a in _flat(at) if _is_plain_closure(a)]) == 1:
            cells = self.number(fills[0].args[1], inside)
            if among not in (None, cells):
                break
            among = cells
            goals.append([a for a in _flat(at) if a is not fills[0]])
            at = fills[0].args[0]
        if among is None:
            return ()
        sets = ({among, *(self.number(a, inside) for a in goal)} for goal in (*goals, _flat(at)))
        return "joined", op.name, *sorted({tuple(sorted(goal)) for goal in sets})

    def _connected(self, op: Op, inside: _Bound) -> tuple[Any, ...]:
        """Return a normal form of the test if a set is connected, from any of its cells, else ().

        It matches `none(set minus fill(first(set), set))`; an empty set has no first cell.
        """
        if not has_role(op, "void") or not has_role(op.args[0], "difference"):
            return ()
        cells, group = op.args[0].args
        if not _is_plain_closure(group):
            return ()
        seed, among = group.args
        if not has_role(seed, "singleton") or not has_role(seed.args[0], "element"):
            return ()
        parts = (cells, among, seed.args[0].args[0])
        numbers = {self.number(part, inside) for part in parts}
        return ("connected", *numbers) if len(numbers) == 1 else ()

    def _undirected(self, directions: Op, inside: _Bound) -> int:
        """Return the number of the directions of lines joined with their opposites."""
        opposite = Op("opposite", "directions", (directions,))
        return self.number(Op("all_directions", "directions", (directions, opposite)), inside)

    def _place(self, op: Op) -> Any:
        """Return the image of the value of a literal."""
        value, moved = op.value, self.automorphism
        match op.type:
            case "cells":
                return moved.mask(int(value))  # type: ignore[arg-type]
            case "directions":
                return moved.direction_mask(int(value))  # type: ignore[arg-type]
            case "cell" if int(value) >= 0:  # type: ignore[arg-type]
                return moved.cells[int(value)]  # type: ignore[arg-type]
            case "direction" if int(value) >= 0:  # type: ignore[arg-type]
                return moved.directions[int(value)]  # type: ignore[arg-type]
            case "track":
                route = self.program.routes[int(value)]  # type: ignore[arg-type]
                return tuple(moved.cells[cell] for cell in route.cells), route.closed
        return value

    def _constant(self, op: Op) -> Op | None:
        """Evaluate an operation that depends on the board only; None for any other."""
        if op.type in ("effect", "text", "track") or _reads_more(op, ()):
            return None
        try:
            value = self._machine.value(op, Frame(self._bare, {}))
        except RulesError:
            return None
        return literal(op.type, value) if isinstance(value, int) else None


def _operands(op: Op) -> tuple[Op, ...]:
    """Return the operands of an operation, with nested associative operations flattened."""
    if op.name not in _ASSOCIATIVE or ("overflow" in OPS[op.name].fails and not _is_small(op)):
        return op.args
    return tuple(inner for a in op.args for inner in (_operands(a) if a.name == op.name else (a,)))


def _flat(op: Op) -> tuple[Op, ...]:
    """Return the sets of which a set is the intersection."""
    return _operands(op) if has_role(op, "meet") else (op,)


def _is_plain_closure(op: Op) -> bool:
    """True if an operation returns the cells that are connected by adjacency."""
    return has_role(op, "closure") and goes_by_adjacency(op)


def _is_small(op: Op) -> bool:
    """True if a number is so small that sums in the rules cannot exceed 64 bits."""
    value = constant(op)
    if value is not None:
        return abs(value) < _SMALL
    inner = op.args if has_role(op, "sum") else alternatives(op)
    return all(map(_is_small, inner)) if inner else has_role(op, "size") or op.type == "flag"


def _may_be_exchanged(op: Op) -> bool:
    """True if the operands commute, even if one of them fails."""
    if op.name not in _COMMUTATIVE:
        return False
    return op.name not in _SHORT or not any(map(_may_fail, walk(op)))


def _may_fail(op: Op) -> bool:
    """True if an operation may fail otherwise than by an unset register."""
    fails = OPS[op.name].fails - {"unset"}
    cells = (constant(arg) for arg in op.args if arg.type == "cell")
    are_known = all(cell is not None and cell >= 0 for cell in cells)
    return bool(fails - {"cell"}) or ("cell" in fails and not are_known)


def _is_covariant(op: Op) -> bool:
    if has_role(op, "traversal"):
        return domain_type(op) in _ORDERED
    return op.name in COVARIANT


def _reads_more(op: Op, inside: _Bound) -> bool:
    """True if an operation reads more than the board and its bound variables."""
    if is_variable(op):
        return str(op.value) not in inside
    if OPS[op.name].reads:
        return True
    return any(_reads_more(a, within) for a, within in _inner(op, inside, op.args))


def _inner(op: Op, inside: _Bound, args: tuple[Op, ...]) -> list[tuple[Op, _Bound]]:
    """Return the operands of an operation, each with the variables in its scope."""
    within = (*inside, bound(op)) if bound(op) else inside
    return [(a, within if i == len(args) - 1 else inside) for i, a in enumerate(args)]


def _without_site(op: Op) -> Any:
    """Return the value of an operation without its source site and the name of its variable."""
    if not OPS[op.name].value.endswith("site"):
        return op.value[:1] if bound(op) and isinstance(op.value, tuple) else op.value
    if not isinstance(op.value, tuple):
        return None
    return tuple(v for i, v in enumerate(op.value[:-1]) if not (bound(op) and i == 1))
