"""How many pieces there can be at most: those of the start, wherever rules take or make them.

A piece that changes its side or its kind goes from one plane to another; what rules put on the
board has no bound but the board. So at most as many pieces stand on some planes as began on those
from which a piece may come there, and at most as many as the spec says of their kind.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.rules import Group, Kind, Rules, operations

Planes = frozenset[int]
Bound = Callable[[Op], int]
# Statements of scripts that set up a position.
_READ_BOARDS = frozenset({"read_board", "read_symbols"})


class Census:
    """Bounds for a board of so many cells, from the start or from other numbers on the planes.

    `bound` tells how many cells a set can have on a board of which no piece is known.
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
            for kind, found in enumerate(rules.kinds)
            for owner, symbol in enumerate(found.symbols)
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
        """How many pieces can stand on these planes together."""
        asked = self.planes.intersection(planes)
        return min(self.come_to(asked), sum(min(self.limits[p], self.come_to((p,))) for p in asked))

    def come_to(self, planes: Iterable[int]) -> int:
        """How many could stand there if kinds had no limits."""
        met, left = set[int](), [*planes]
        while left:
            plane = left.pop()
            if plane not in met and plane in self.planes:
                met.add(plane)
                left += self._from[plane]
        if met & self._endless:
            return self.cells
        return min(self.cells, sum(self._first[plane] for plane in met))

    def of(self, kinds: Iterable[int], owners: Iterable[int]) -> Planes:
        """The planes of kinds and owners, neutral being the last."""
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
            if effect.name == "put":
                kind, side, cells = effect.args
                for plane in self._put(kind, side, ()):
                    self._first[plane] += self._bound(cells)
            else:
                self._change((effect,), ())

    # what rules make of pieces

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
            match op.name:
                case "put":
                    self._endless |= self.made(op, choice)
                case "flip":
                    for kind in range(self.kinds):
                        same = self.of((kind,), range(self.sides + 1))
                        self._lead(same, same & self.made(op, choice))
                case "promote":
                    for owner in range(self.sides + 1):
                        same = self.of(range(self.kinds), (owner,))
                        self._lead(same, same & self.made(op, choice))

    def made(self, effect: Op, choice: tuple[Op, ...]) -> Planes:
        """The planes that an effect by itself may bring pieces to, where a move has a choice."""
        match effect.name:
            case "put":
                return self._put(effect.args[0], effect.args[1], choice)
            case "flip":
                return self.of(range(self.kinds), self._sides(effect.args[1]))
            case "promote":
                return self.of(self._kinds(effect.args[1], choice), range(self.sides + 1))
        return frozenset()

    def placed(self, group: Group) -> Planes:
        """The planes of the pieces that a group places."""
        if not group.piece or not group.side:
            return frozenset()
        return self._put(group.piece, group.side, group.choice)

    def _lead(self, planes: Planes, others: Planes) -> None:
        for other in others:
            self._from[other] |= planes

    def _put(self, kind: Op, side: Op, choice: tuple[Op, ...]) -> Planes:
        return self.of(self._kinds(kind, choice), self._sides(side))

    def _kinds(self, op: Op, choice: tuple[Op, ...]) -> Iterable[int]:
        """The kinds that an operation may give: one, those of a choice, or any."""
        values = op.args[1:] if op.name == "chosen" else choice if _is_choice(op) else (op,)
        found = [*_literals(values)]
        return found if found and len(found) == len(values) else range(self.kinds)

    def _sides(self, op: Op) -> Iterable[int]:
        return [*_literals((op,))] or range(self.sides)


def limit_of(kind: Kind, cells: int) -> int:
    """How many of a kind each owner can have on a board of so many cells."""
    said = kind.limit.at_most.value if kind.limit else cells
    return min(said, cells) if isinstance(said, int) else cells


def _is_choice(op: Op) -> bool:
    return op.name == "variable" and op.value == "choice"


def _literals(ops: Iterable[Op]) -> Iterator[int]:
    return (op.value for op in ops if op.name == "literal" and isinstance(op.value, int))
