"""The worst-case cost of a ply in set operations, clause by clause, before anything runs.

The model follows the interpreter. An operation counts once per evaluation of its clause, even if
its result is used several times. A loop counts once for each member that its domain can have, a
group once for each step that its cells can make.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from math import prod

from rulesengine.board.topology import Topology
from rulesengine.language.ir.ops import Op, is_loop, row_of, walk
from rulesengine.language.ir.roles import constant, has_role
from rulesengine.language.ir.rules import Group, Rules, operations
from rulesengine.language.lower.elimination import MORE_ENDS
from rulesengine.language.lower.piece_bounds import PieceBounds
from rulesengine.language.lower.problem import LoweringError
from rulesengine.language.lower.size_bounds import SizeBounds
from rulesengine.support.frozen import record, replace
from rulesengine.support.limits import MAX_MOVES, MAX_PLY_COST, MAX_ROUNDS, MAX_WRITTEN_OUT

Path = tuple[str | int, ...]
Factors = tuple[tuple[str, int], ...]


@record
class Clause:
    """A part of the rules, identified by the keys that lead to it, such as moves, 2 and when.

    Its worst cost is `each` times the product of its factors, which have names. `site` is the
    number of a nearby source location, or -1.
    """

    path: Path
    ops: tuple[Op, ...]
    each: int
    factors: Factors = ()
    site: int = -1

    @property
    def cost(self) -> int:
        """Return the worst cost of the clause in a ply."""
        return self.each * prod(times for _, times in self.factors)


def worst_cost(rules: Rules, board: Topology, first: Sequence[int]) -> int:
    """Return the worst cost of a ply when play begins with so many pieces on the planes."""
    return sum(clause.cost for clause in clauses(rules, board, first))


def clauses(
    rules: Rules, board: Topology, first: Sequence[int] | None = None
) -> tuple[Clause, ...]:
    """Return the worst costs of the rules, clause by clause in their order.

    `first` are the numbers of pieces on the planes of a position, if play begins there.
    """
    return _Costs(rules, board, first).clauses()


def loop_rounds(rules: Rules, board: Topology) -> Callable[[Op], int]:
    """Return a function from a loop to the greatest number of its rounds."""
    return _Costs(rules, board).rounds


def check_cost(rules: Rules, board: Topology) -> None:
    """Raise LoweringError if the rules could exceed the cost limit."""
    costs = _Costs(rules, board)
    clauses = costs.clauses()
    others = [
        *(Clause(("strategies", s.name), tuple(operations(s)), 0) for s in rules.strategies),
        Clause(("io",), tuple(operations(rules.script)), 0),
    ]
    _check_length([*clauses, *others])
    bare = costs.bare()
    for ledger, part in ((bare, clauses), (costs, others)):
        for clause in part:
            for op in clause.ops:
                ledger.check(clause, op)
    total = sum(clause.cost for clause in clauses)
    if total > MAX_PLY_COST:
        worst = max(bare.clauses(), key=lambda clause: clause.cost)
        raise _too_expensive(worst, total, worst.cost)


def _check_length(clauses: list[Clause]) -> None:
    """Raise LoweringError if the rules are too long for a kernel with all names expanded."""
    known: dict[int, int] = {}
    lengths = [sum(_length(op, known) for op in clause.ops) for clause in clauses]
    if sum(lengths) > MAX_WRITTEN_OUT:
        worst = clauses[lengths.index(max(lengths))]
        message = (
            f"too long: {sum(lengths):,} operations with each name replaced by its definition,"
            f" at most {MAX_WRITTEN_OUT:,}"
        )
        raise LoweringError(worst.site, "too-expensive", message, path=worst.path)


def _length(op: Op, known: dict[int, int]) -> int:
    """Return the number of operations in an operation with shared parts counted repeatedly."""
    if id(op) not in known:
        known[id(op)] = 1 + sum(_length(arg, known) for arg in op.args)
    return known[id(op)]


class _Costs:
    """Costs of operations and clauses on one board."""

    def __init__(self, rules: Rules, board: Topology, first: Sequence[int] | None = None) -> None:
        self.rules = rules
        self.board = board
        self.sizes = SizeBounds(
            board, PieceBounds(rules, board.cells, SizeBounds(board).cells, first)
        )
        self._memo: dict[int, tuple[Op, int]] = {}
        self._apply = self._legal = 0
        # two rounds: `turn` may query who can move, and `forbid` reads the state after a move
        for _ in range(2):
            self._memo.clear()
            self._apply = self._sum(rules.effects) + self.of(rules.next)
            # Steps that follow with `then` are bounded by a budget of their own.
            self._legal = sum(clause.cost for clause in self._moves())

    def clauses(self) -> tuple[Clause, ...]:
        """Return the clauses of a ply, in the order of the rules."""
        rules, clauses = self.rules, [*self._moves()]
        clauses += [self._clause(("do", i), op) for i, op in enumerate(rules.effects)]
        clauses.append(self._clause(("turn",), rules.next))
        sides = ("players", len(rules.players))
        if rules.score is not None:
            clauses.append(self._clause(("score",), rules.score, sides))
        if rules.evaluation is not None:
            clauses.append(self._clause(("evaluate",), rules.evaluation, sides))
        for i, end in enumerate(rules.ends, start=-MORE_ENDS if rules.outs else 0):
            factors = (sides,) if end.each else ()
            clauses.append(self._clause(("end", i, "when"), end.when, *factors))
            if end.pays is not None:
                clauses.append(self._clause(("end", i, "payoffs"), end.pays, sides))
        return tuple(clauses)

    def bare(self) -> "_Costs":
        """Return costs without the cost of move generation in `can_move`, which the groups account
        for.
        """
        other = copy(self)
        other._memo, other._legal = {}, 0
        return other

    def of(self, op: Op) -> int:
        """Return the worst cost of evaluating an operation once."""
        if id(op) not in self._memo:
            self._memo[id(op)] = op, self._effect(op) if op.type == "effect" else self._value(op)
        return self._memo[id(op)][1]

    def check(self, clause: Clause, op: Op) -> None:
        """Raise LoweringError for an operation that exceeds the limit by itself."""
        if self.of(op) > MAX_PLY_COST:
            loops = [
                inner for inner in walk(op) if is_loop(inner) and self.of(inner) > MAX_PLY_COST
            ]
            worst = min(loops, key=self.of, default=op)
            place = replace(clause, path=(), site=_site(worst)) if loops else clause
            raise _too_expensive(place, self.of(worst))

    # operations

    def _value(self, op: Op) -> int:
        """Sum each distinct operation inside; those without operands count at each use, as they are
        not cached.
        """
        total, visited, stack = 0, set[int](), [op]
        while stack:
            top = stack.pop()
            if id(top) not in visited:
                total += self._own(top)
                stack += top.args[: _shared(top)]
            if top.args:
                visited.add(id(top))
        return total

    def _effect(self, op: Op) -> int:
        """Sum the operands separately: each effect changes the state, so no result is reused."""
        if has_role(op, "iteration"):
            return MAX_ROUNDS * (1 + self._sum(op.args))
        return self._own(op) + self._sum(op.args[: _shared(op)])

    def _own(self, op: Op) -> int:
        """Return the cost of an operation without the operands that are evaluated in its place."""
        if is_loop(op):
            return self.rounds(op) * (self.of(op.args[1]) + 1)
        row = row_of(op.name)
        if row is None:
            return 1
        if "future" in row.reads:
            return self._apply + self.of(op.args[-1])
        return (
            self._legal
            if "moves" in row.reads
            else row.cost(self.board.cells, self._direction_count(op))
        )

    def _direction_count(self, op: Op) -> int:
        directions = [arg for arg in op.args if arg.type in ("direction", "directions")]
        return (
            max(1, sum(map(self.sizes.direction_count, directions)))
            if directions
            else self.sizes.all_directions
        )

    def rounds(self, op: Op) -> int:
        """Return the greatest number of rounds of a loop."""
        assert isinstance(op.value, tuple)
        domain, (function, _, kind, *_) = op.args[0], op.value
        match kind:
            case "sides":
                return len(self.rules.players)
            case "directions":
                return self.sizes.direction_count(domain)
            case "track":
                number = constant(domain.args[2])
                return MAX_ROUNDS if number is None else number
            case "numbers":
                return _width(domain, int(op.value[3]))
            case "cells" | "groups" if function != "reach":
                return self.sizes.cells(domain)
        return self.board.cells

    def _sum(self, ops: Iterable[Op]) -> int:
        return sum(self.of(op) for op in ops)

    # clauses

    def _clause(self, path: Path, op: Op, *factors: tuple[str, int]) -> Clause:
        return Clause(path, (op,), self.of(op), factors)

    def _moves(self) -> Iterator[Clause]:
        """Yield the clauses of all groups, those of `steps` last, and of `keep`."""
        rules, steps = self.rules, 0
        tiers = [group for tier in rules.tiers for group in tier]
        for section, groups in (("moves", tiers), ("steps", rules.steps)):
            for number, group in enumerate(groups):
                clauses = self._group((section, number), group)
                steps += clauses[0].cost
                yield from clauses
        if rules.chance is not None:
            yield self._clause(("chance", "when"), rules.chance.when)
            for number, group in enumerate(rules.chance.branches):
                yield from self._group(("chance", "branches", number), group)
        chains = any(group.then for group in rules.groups)
        moves = ("moves", MAX_MOVES if chains else min(steps, MAX_MOVES))
        for number, key in enumerate(rules.keep):
            ops = tuple(operations(key))
            yield Clause(("keep", number), ops, self._sum(ops) + self._apply, (moves,))

    def _group(self, path: Path, group: Group) -> list[Clause]:
        site, sizes = self.rules.sites.index(group.site), self.sizes
        along = (("directions", sizes.direction_count(group.along)),) if group.along else ()
        origins = (*along, ("from", sizes.cells(group.origin))) if group.origin else along
        targets = (*origins, ("to", sizes.cells(group.target))) if group.target else origins
        steps = (*targets, ("choices", len(group.choice))) if group.choice else targets
        makes = (*group.effects, *filter(None, (group.piece, group.side)))
        tried = self._sum(makes) + self._apply
        parts: list[tuple[str, Sequence[Op], Factors, int]] = [
            ("along", operations(group.along), (), 0),
            ("move", operations(group.origin), along, 0),
            ("select" if group.kind == "select" else "to", operations(group.target), origins, 0),
            ("choice", group.choice, targets, 0),
            ("when", operations(group.when), steps, 0),
            ("weight", operations(group.weight), steps, 0),
            ("do", makes, (), 0),
            ("forbid", operations(group.forbid), steps, tried),
            ("then", operations(group.then), steps, 0),
        ]
        return [
            Clause(path, (), 1, steps, site),
            *(
                Clause((*path, key), tuple(ops), self._sum(ops) + more, factors, site)
                for key, ops, factors, more in parts
                if ops
            ),
        ]


def _shared(op: Op) -> int:
    """Return the number of leading operands that are evaluated in the place of the operation."""
    row = row_of(op.name)
    return len(op.args) - (is_loop(op) or (row is not None and "future" in row.reads))


def _site(op: Op) -> int:
    assert isinstance(op.value, tuple)
    return int(op.value[-1] or -1)


def _width(bounds: Op, site: int) -> int:
    """Return the size of a range of numbers; raises LoweringError if a bound is not constant."""
    low, high = map(constant, bounds.args)
    if low is None or high is None:
        message = "the bounds of `numbers` must follow from numbers and parameters alone"
        raise LoweringError(site, "not-constant", message)
    return max(0, high - low + 1)


def _too_expensive(clause: Clause, cost: int, part: int = 0) -> LoweringError:
    """Make the error for the whole cost, with the `part` of it due to a clause if that is less."""
    message = f"too expensive: up to {cost:,} set operations a ply, at most {MAX_PLY_COST:,}"
    message += f" ({part:,} of them here)" if 0 < part < cost else ""
    loops = any(is_loop(inner) for op in clause.ops for inner in walk(op))
    return LoweringError(clause.site, "too-expensive", message, path=clause.path, loops=loops)
