"""The worst cost of a ply in set operations, summed before anything runs."""

from collections.abc import Iterable

from rulesengine.ir.ops import Op, bound, row_of
from rulesengine.ir.rules import Group, Rules, operations
from rulesengine.limits import MAX_PLY_COST, MAX_ROUNDS
from rulesengine.lower.problem import LoweringError


def check_cost(rules: Rules, cells: int, directions: int) -> None:
    """Raise LoweringError where the rules could cost more than the limit."""
    _Costs(rules, cells, directions).check()


class _Costs:
    def __init__(self, rules: Rules, cells: int, directions: int) -> None:
        self.rules = rules
        self.cells = cells
        self.directions = max(directions, 1)
        self._done: dict[int, tuple[Op, int]] = {}
        self._apply = self._legal = 0
        for _ in range(2):  # `turn` may ask who can move, `forbid` looks at the state after a move
            self._done.clear()
            self._apply = self._sum(rules.effects) + self.of(rules.next)
            # What `then` leads to is bounded by a budget of its own.
            self._legal = sum(self._group(g) for g in rules.groups)

    def check(self) -> None:
        rules = self.rules
        if self._legal > MAX_PLY_COST:
            worst = max(rules.groups, key=self._group)
            raise _too_expensive(rules.sites.index(worst.site), self._group(worst))
        total = self._legal + self._apply
        for end in rules.ends:
            rounds = len(rules.players) if end.each else 1
            total += rounds * self.of(end.when)
            if total > MAX_PLY_COST:
                raise _too_expensive(self._place(end.when), total)
        for op in operations((rules.strategies, rules.script, rules.keep)):
            self.of(op)

    def of(self, op: Op) -> int:
        """The worst cost of an operation; a part that is over the limit by itself is an error."""
        if id(op) not in self._done:
            cost = self._cost(op)
            if cost > MAX_PLY_COST:
                raise _too_expensive(self._place(op), cost)
            self._done[id(op)] = op, cost
        return self._done[id(op)][1]

    def _cost(self, op: Op) -> int:
        row = row_of(op.name)
        own = row.cost(self.cells, self.directions) if row else 1
        if op.name == "repeat":
            return MAX_ROUNDS * (1 + self._sum(op.args))
        if bound(op) and op.name != "bind":
            domain, body = op.args
            return self.of(domain) + self._rounds(op) * (self.of(body) + 1)
        if op.name == "can_move":
            return self._legal + self.of(op.args[0])
        if op.name == "after":
            return self._apply + self._sum(op.args)
        return own + self._sum(op.args)

    def _rounds(self, op: Op) -> int:
        assert isinstance(op.value, tuple)
        domain = op.args[0]
        match op.value[2]:
            case "sides":
                return len(self.rules.players)
            case "directions":
                return self.directions
            case "track":
                number = domain.args[2].value if domain.args[2].name == "literal" else MAX_ROUNDS
                return number if isinstance(number, int) else MAX_ROUNDS
            case "numbers":
                return _width(domain, int(op.value[3]))
        return self.cells

    def _group(self, group: Group) -> int:
        effects = 1 + self._sum(group.effects)
        each = self._optional(group.when) + self._sum(group.choice)
        if group.forbid is not None:
            each += effects + self._apply + self.of(group.forbid)
        if group.then is not None:
            each += self._sum(operations(group.then))
        targets = self._optional(group.target) + (self.cells if group.target else 1) * max(
            1, len(group.choice)
        ) * (1 + each)
        origins = self.cells if group.origin else 1
        directions = self.directions if group.along else 1
        inner = self._optional(group.origin) + origins * targets
        return self._optional(group.along) + directions * inner

    def _sum(self, ops: Iterable[Op]) -> int:
        return sum(self.of(op) for op in ops)

    def _optional(self, op: Op | None) -> int:
        return self.of(op) if op is not None else 0

    def _place(self, op: Op) -> int:
        """The number of a site inside an operation, or -1."""
        stack = [op]
        while stack:
            top = stack.pop(0)
            value = top.value[-1] if isinstance(top.value, tuple) else None
            if bound(top) and top.name != "bind" and value:
                return int(value)
            stack = list(top.args) if len(stack) > 1000 else stack + list(top.args)
        return -1


def _width(bounds: Op, site: int) -> int:
    """How many numbers a range has; its bounds must be known before running."""
    values = [a.value for a in bounds.args if a.name == "literal"]
    if len(values) != 2 or not all(isinstance(v, int) for v in values):
        message = "the bounds of `numbers` must follow from numbers and parameters alone"
        raise LoweringError(site, "not-constant", message)
    low, high = values
    assert isinstance(low, int)
    assert isinstance(high, int)
    return max(0, high - low + 1)


def _too_expensive(site: int, cost: int) -> LoweringError:
    message = f"too expensive: up to {cost:,} set operations a ply, at most {MAX_PLY_COST:,}"
    return LoweringError(site, "too-expensive", message)
