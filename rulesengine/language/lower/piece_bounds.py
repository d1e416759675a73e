"""Upper bounds for the numbers of pieces, by a reachability analysis over planes.

A piece that changes its side or kind moves from one plane to another. Pieces that rules put on the
board are bounded only by the board. So some planes hold at most as many pieces as began on the
planes from which a piece may come there. They hold at most the limits of their kinds.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from rulesengine.language.ir.ops import Op, row_of, walk
from rulesengine.language.ir.roles import alternatives, constant, has_role, is_variable, role_of
from rulesengine.language.ir.rules import Group, Kind, Rules, operations

Planes = frozenset[int]
Bound = Callable[[Op], int]
# The actions of an effect that may bring a piece to another plane.
_MAKING = frozenset({"adds", "flips", "promotes"})
# Script statements that set up a position.
_READ_BOARDS = frozenset({"read_board", "read_symbols"})


class PieceBounds:
    """Bounds for a board of so many cells, from the initial position or from given piece counts.

    `bound` returns the greatest size of a set on a board with unknown pieces.
    """

    def __init__(
        self, rules: Rules, cells: int, bound: Bound, first: Sequence[int] | None = None
    ) -> None:
        self.rules = rules
        self.cells = cells
        self._bound = bound
        self.sides = len(rules.players)
        self.kinds = len(rules.kinds)
        self.planes = frozenset(
            kind * (self.sides + 1) + owner
            for kind, row in enumerate(rules.kinds)
            for owner, symbol in enumerate(row.symbols)
            if symbol
        )
        self.limits = {p: limit_of(rules.kinds[p // (self.sides + 1)], cells) for p in self.planes}
        self._endless: set[int] = set()
        self._from: dict[int, set[int]] = {plane: {plane} for plane in self.planes}
        self._first = [0] * (self.kinds * (self.sides + 1))
        self._begin()
        self._first = self._first if first is None else list(first)
        for group in rules.groups:
            self._group(group)
        self._change(rules.effects, ())
        self._script()

    def most(self, planes: Iterable[int]) -> int:
        """Return the greatest number of pieces on these planes together."""
        known = self.planes.intersection(planes)
        return min(self.come_to(known), sum(min(self.limits[p], self.come_to((p,))) for p in known))

    def come_to(self, planes: Iterable[int]) -> int:
        """Return that number for kinds without limits."""
        visited, left = set[int](), [*planes]
        while left:
            plane = left.pop()
            if plane not in visited and plane in self.planes:
                visited.add(plane)
                left += self._from[plane]
        if visited & self._endless:
            return self.cells
        return min(self.cells, sum(self._first[plane] for plane in visited))

    def of(self, kinds: Iterable[int], owners: Iterable[int]) -> Planes:
        """Return the planes of kinds and owners, neutral being the last."""
        owned = tuple(owners)
        return self.planes & {kind * (self.sides + 1) + owner for kind in kinds for owner in owned}

    # the start

    def _begin(self) -> None:
        symbols = [symbol for kind in self.rules.kinds for symbol in kind.symbols]
        for row in self.rules.diagram:
            for symbol in row:
                if symbol in symbols:
                    self._first[symbols.index(symbol)] += 1
        for effect in self.rules.start:
            if has_role(effect, "placement"):
                kind, side, cells = effect.args
                for plane in self._put(kind, side, ()):
                    self._first[plane] += self._bound(cells)
            else:
                self._change((effect,), ())

    # effects of the rules on pieces

    def _group(self, group: Group) -> None:
        self._endless |= self.placed(group)
        self._change(group.effects, group.choice)

    def _script(self) -> None:
        statements = [*self.rules.script]
        while statements:
            statement = statements.pop()
            statements += [*statement.body, *statement.otherwise]
            if statement.name in _READ_BOARDS:
                self._endless |= self.planes
            self._change(operations(statement.operands), ())

    def _change(self, effects: Iterable[Op], choice: tuple[Op, ...]) -> None:
        for op in (inner for effect in effects for inner in walk(effect)):
            match role_of(op):
                case "flip":
                    for kind in range(self.kinds):
                        same = self.of((kind,), range(self.sides + 1))
                        self._lead(same, same & self.added_planes(op, choice))
                case "promotion":
                    for owner in range(self.sides + 1):
                        same = self.of(range(self.kinds), (owner,))
                        self._lead(same, same & self.added_planes(op, choice))
                case _ if op.type == "effect":
                    self._endless |= self.added_planes(op, choice)

    def added_planes(self, effect: Op, choice: tuple[Op, ...]) -> Planes:
        """Return the planes to which an effect itself may bring pieces, given the choices of the
        move.
        """
        match role_of(effect):
            case "placement":
                return self._put(effect.args[0], effect.args[1], choice)
            case "flip":
                return self.of(range(self.kinds), self._sides(effect.args[1]))
            case "promotion":
                return self.of(self._kinds(effect.args[1], choice), range(self.sides + 1))
        row = row_of(effect.name)
        return frozenset() if row and row.does.isdisjoint(_MAKING) else self.planes

    def placed(self, group: Group) -> Planes:
        """Return the planes of the pieces that a group places."""
        if not group.piece or not group.side:
            return frozenset()
        return self._put(group.piece, group.side, group.choice)

    def _lead(self, planes: Planes, others: Planes) -> None:
        for other in others:
            self._from[other] |= planes

    def _put(self, kind: Op, side: Op, choice: tuple[Op, ...]) -> Planes:
        return self.of(self._kinds(kind, choice), self._sides(side))

    def _kinds(self, op: Op, choice: tuple[Op, ...]) -> Iterable[int]:
        """Return the kinds that an operation may evaluate to: one, those of a choice, or any."""
        values = choice if is_variable(op, "choice") else alternatives(op) or (op,)
        kinds = [*_literals(values)]
        return kinds if kinds and len(kinds) == len(values) else range(self.kinds)

    def _sides(self, op: Op) -> Iterable[int]:
        return [*_literals((op,))] or range(self.sides)


def limit_of(kind: Kind, cells: int) -> int:
    """Return the greatest number of pieces of a kind per owner on a board of so many cells."""
    limit = kind.limit.at_most.value if kind.limit else cells
    return min(limit, cells) if isinstance(limit, int) else cells


def _literals(ops: Iterable[Op]) -> Iterator[int]:
    return (value for value in map(constant, ops) if value is not None)
