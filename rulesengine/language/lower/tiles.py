"""Tiles as shifts of cells, which every engine knows. See decision 171."""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType

from rulesengine.board.tiles import Form, forms_of
from rulesengine.board.topology import Topology
from rulesengine.language.ir.ops import OPS, Op, literal, make, walk
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    has_role,
    is_variable,
    parts_of,
    reads_variable,
)
from rulesengine.language.ir.rules import Group, NarrowedTargets, Rules, rewrite
from rulesengine.language.lower.simplify import simplify
from rulesengine.support.frozen import replace

_NONE = literal("cells", 0)
_CHOICE = Op("variable", "number", (), "choice")


def with_tiles(rules: Rules, board: Topology) -> Rules:
    """Return the rules with shifts in the place of tiles, and narrower targets of their steps."""
    if not any(kind.tile for kind in rules.kinds):
        return rules
    tiles = Tiles(rules, board)
    chance = rules.chance
    rules = replace(
        rules,
        tiers=tuple(tuple(map(tiles.narrowed, tier)) for tier in rules.tiers),
        steps=tuple(map(tiles.narrowed, rules.steps)),
        chance=chance and replace(chance, branches=tuple(map(tiles.narrowed, chance.branches))),
    )
    return rewrite(rules, tiles.expanded)


@dataclass(frozen=True, slots=True)
class _Orientation:
    """A form of a tile on a board.

    `paths` lead from the first cell to each cell by a shortest path, which stays on the board
    wherever the tile does. If there is none, `steps` lead from cell to cell of the tile. `possible`
    has the first cells for which the tile has as many cells as its drawing: on a small torus it
    could overlap itself.
    """

    paths: tuple[tuple[int, ...], ...]
    steps: tuple[tuple[int, int], ...]
    possible: int


@dataclass(slots=True)
class Tiles:
    """The replacement of tiles on one board; shared operations stay shared."""

    rules: Rules
    board: Topology
    _memo: dict[int, tuple[Op, Op]] = field(default_factory=dict)
    _shifts: dict[tuple[int, int], tuple[Op, Op]] = field(default_factory=dict)
    _orientations: dict[tuple[int, int], _Orientation] = field(default_factory=dict)
    _ends: dict[tuple[int, ...], tuple[int, ...]] = field(default_factory=dict)
    _meets: dict[tuple[int, ...], tuple[list[Op], Op]] = field(default_factory=dict)

    def expanded(self, op: Op) -> Op:
        """Return an operation without tiles."""
        if id(op) not in self._memo:
            args = tuple(map(self.expanded, op.args))
            new = op if args == op.args else replace(op, args=args)
            if work := _CHANGES.get(new.name):
                new = self._by_case(new, lambda cells, place: work(self, cells, place))
            self._memo[id(op)] = op, new if new is op else simplify(new, self.board)
        return self._memo[id(op)][1]

    # the steps of a group

    def narrowed(self, group: Group) -> Group:
        """Return a group with targets for which parts of its condition hold.

        They are computed as sets for each choice, not cell by cell.
        """
        if not group.tiles or group.target is None:
            return group
        moved, left = self._moved_and_left(group.when)
        cases = [self._targets(group.target, moved, n) for n in range(len(group.tiles))]
        when = make("both", *left) if len(left) > 1 else next(iter(left), None)
        return replace(group, narrowed=NarrowedTargets(_choose(cases), when))

    def sampled(self, group: Group, plain: Op | None) -> Group:
        """Return a group with the narrowed targets and one more for each choice, if there is one.

        Its whole condition is evaluated for these, so that it may be seen to fail. `plain` is the
        condition without wrappers.
        """
        if not group.tiles or group.target is None:
            return group
        moved, _ = self._moved_and_left(plain)
        cases = []
        for number in range(len(group.tiles)):
            cells = self._targets(group.target, moved, number)
            others = make("minus", self._targets(group.target, [], number), cells)
            one = make("single", make("first", others, value=0))
            more = make("if", make("any", others), make("or", cells, one), cells, type="cells")
            cases.append(more)
        return replace(group, narrowed=NarrowedTargets(_choose(cases), group.when))

    def _moved_and_left(self, when: Op | None) -> tuple[list[Op], list[Op]]:
        """Return the parts of a condition that become part of the target, and the others."""
        conditions = [*parts_of(when, "meet")] if when else []
        moved = [op for n, op in enumerate(conditions) if self._is_movable(op, conditions[:n])]
        identities = set(map(id, moved))
        return moved, [op for op in conditions if id(op) not in identities]

    def _targets(self, target: Op, moved: list[Op], number: int) -> Op:
        cells = self.expanded(with_choice(target, number, self.board))
        guards = []
        for condition in moved:
            known = with_choice(condition, number, self.board)
            pair = _covered_and_others(known)
            if pair is None:
                guards.append(self.expanded(known))
                continue
            tile, others = pair
            near = self._by_case(
                replace(tile, args=(self._meet(others), *tile.args[1:])), self._touching
            )
            name = "and" if has_role(known, "nonempty") else "minus"
            cells = simplify(make(name, cells, near), self.board)
        for guard in reversed(guards):
            cells = simplify(make("if", guard, cells, _NONE, type="cells"), self.board)
        return cells

    def _meet(self, sets: list[Op]) -> Op:
        """Return the intersection of sets; the same operation for the same sets."""
        key = tuple(map(id, sets))
        if key not in self._meets:
            meet = make("and", *sets) if len(sets) > 1 else sets[0]
            self._meets[key] = sets, self.expanded(meet)
        return self._meets[key][1]

    def _is_movable(self, condition: Op, before: list[Op]) -> bool:
        """True if a condition can be part of the target; the order of failures stays the same."""
        if not all(map(_is_safe, (condition, *before))):
            return False
        return not reads_variable(condition, "to") or _covered_and_others(condition) is not None

    # forms of tiles

    def _by_case(self, op: Op, work: Callable[[Op, "_Orientation"], Op]) -> Op:
        """Apply `work` to a set or a cell and the form of a tile, for each choice if it is one."""
        cells, kind, form = op.args
        numbers = constant(kind), constant(form)
        if numbers[0] is not None and numbers[1] is not None:
            return work(cells, self._orientation(numbers[0], numbers[1]))
        selection = kind if alternatives(kind) else form
        count = len(alternatives(selection))
        kinds, forms = (alternatives(op) or (op,) * count for op in (kind, form))
        cases = [
            self._by_case(replace(op, args=(cells, *pair)), work)
            for pair in zip(kinds, forms, strict=True)
        ]
        return replace(selection, type="cells", args=(selection.args[0], *cases))

    def _orientation(self, kind: int, number: int) -> _Orientation:
        key = kind, number
        if key not in self._orientations:
            forms = forms_of(self.rules.kinds[kind].tile, self.board.shape)
            form = next(form for form in forms if form.number == number)
            self._orientations[key] = self._on_board(form)
        return self._orientations[key]

    def _on_board(self, form: Form) -> _Orientation:
        """Find the paths of a form that stay on the board."""
        columns = [tuple(range(self.board.cells))]
        for start, direction in form.steps:
            columns.append(self._stepped(columns[start], direction))
        straight = [self._end(path) for path in form.paths]
        size, possible, is_straight = len(columns), 0, True
        for cell, (covered, direct) in enumerate(
            zip(zip(*columns, strict=True), zip(*straight, strict=True), strict=True)
        ):
            fits = -1 not in covered
            possible |= (fits and len(set(covered)) == size) << cell
            is_straight &= set(covered) == set(direct) if fits else -1 in direct
        return _Orientation(form.paths if is_straight else (), form.steps, possible)

    def _end(self, path: tuple[int, ...]) -> tuple[int, ...]:
        """Return the end of a path from each cell, -1 off the board."""
        if not path:
            return tuple(range(self.board.cells))
        if path not in self._ends:
            self._ends[path] = self._stepped(self._end(path[:-1]), path[-1])
        return self._ends[path]

    def _stepped(self, cells: tuple[int, ...], direction: int) -> tuple[int, ...]:
        targets = (*self.board.directions[direction].targets, -1)
        return tuple(targets[cell] for cell in cells)

    # sets

    def _covered(self, cell: Op, form: _Orientation) -> Op:
        """Return the cells of a tile with its first cell here."""
        first = make("single", cell)
        if form.paths:
            return self._join("or", [self._along(first, path) for path in form.paths])
        order = [first]
        for start, direction in form.steps:
            order.append(self._shifted(order[start], direction))
        return self._join("or", order)

    def _fitting(self, cells: Op, form: _Orientation) -> Op:
        """Return the first cells of the tiles that lie within a set."""
        inside = self._images(cells, form, "and")
        fixed = literal("cells", form.possible)
        full = constant(self._images(literal("cells", self.board.mask), form, "and"))
        return inside if full == form.possible else self._join("and", [inside, fixed])

    def _touching(self, cells: Op, form: _Orientation) -> Op:
        """Return the first cells of the tiles on the board that meet a set."""
        return self._images(cells, form, "or")

    def _images(self, cells: Op, form: _Orientation, name: str) -> Op:
        """Join, for each cell of a tile, the first cells for which that cell is in a set."""
        if form.paths:
            return self._join(name, [self._back(cells, path) for path in form.paths])
        sets = [cells] * (len(form.steps) + 1)
        for place, (start, direction) in reversed([*enumerate(form.steps, start=1)]):
            back = self.board.directions[direction].opposite
            sets[start] = self._join(name, [sets[start], self._shifted(sets[place], back)])
        return sets[0]

    def _back(self, cells: Op, path: tuple[int, ...]) -> Op:
        """Return the cells from which a path leads to a set."""
        for direction in reversed(path):
            cells = self._shifted(cells, self.board.directions[direction].opposite)
        return cells

    def _along(self, cells: Op, path: tuple[int, ...]) -> Op:
        for direction in path:
            cells = self._shifted(cells, direction)
        return cells

    def _shifted(self, cells: Op, direction: int) -> Op:
        """Return the cells one step away; the same operation for the same operands."""
        key = id(cells), direction
        if key not in self._shifts:
            shift = make("shift", cells, literal("directions", 1 << direction))
            self._shifts[key] = cells, simplify(shift, self.board)
        return self._shifts[key][1]

    def _join(self, name: str, sets: list[Op]) -> Op:
        return simplify(make(name, *sets), self.board)


_CHANGES: MappingProxyType[str, Callable[[Tiles, Op, _Orientation], Op]] = MappingProxyType(
    {"tile": Tiles._covered, "fitting": Tiles._fitting}
)
# The operations that this pass replaces.
REPLACED = frozenset(_CHANGES)


def _choose(cases: list[Op]) -> Op:
    return make("chosen", _CHOICE, *cases, value="tile", type="cells")


def _covered_and_others(condition: Op) -> tuple[Op, list[Op]] | None:
    """Match a test of the intersection of a covered tile with sets that do not read the step.

    Return the tile and the sets; None for another condition.
    """
    if not has_role(condition, "nonempty", "void"):
        return None
    parts = [*parts_of(condition.args[0], "meet")]
    tiles = [op for op in parts if has_role(op, "tile") and is_variable(op.args[0], "to")]
    others = [op for op in parts if not reads_variable(op, "to")]
    if len(tiles) != 1 or not others or len(others) + 1 < len(parts):
        return None
    return tiles[0], others


def with_choice(op: Op, number: int, board: Topology) -> Op:
    """Return an operation for the choice of a number, simplified."""
    if is_variable(op, "choice"):
        return literal(op.type, number)
    args = tuple(with_choice(arg, number, board) for arg in op.args)
    return op if args == op.args else simplify(replace(op, args=args), board)


def _is_safe(op: Op) -> bool:
    """True if an operation surely does not fail."""
    return all(_may_not_fail(inner) for inner in walk(op))


def _may_not_fail(op: Op) -> bool:
    row = OPS.get(op.name)
    if row is None:
        return False
    if has_role(op, "variable"):
        return True
    if has_role(op, "register") and all(is_variable(arg, "player") for arg in op.args):
        return True
    return not row.fails or (has_role(op, "selection") and bool(alternatives(op.args[0])))
