"""The cells that a ban depends on: a step that changes none of them cannot change the ban.

A king that is not in check stays so after a step away from its lines and its neighbours. The region
is computed once for a state, the ban only for steps that touch it. See decision 146.
"""

from collections.abc import Iterable, Iterator

from rulesengine.engine.kernel.analysis.facts import Facts
from rulesengine.language.ir.ops import (
    OPS,
    Op,
    actions,
    bound,
    literal,
    make,
    reads_parts,
    walk,
)
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    domain_type,
    has_role,
    is_conditional,
    is_of_kind,
    is_single,
    loop_function,
)
from rulesengine.language.ir.rules import Group, operations

_NONE = literal("cells", 0)
_UNIONS = frozenset({"any", "every", "union"})  # loops that join the regions of their parts
_WAYS = 5  # the place of the directions among the operands of a row


class _UnboundedRegion(Exception):
    """An operation that may depend on any cell."""


class BanRegions:
    """The regions of the bans of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._facts = Facts(program)
        self._memo: dict[int, tuple[Op, Op | None]] = {}

    def of(self, group: Group, ban: Op) -> Op | None:
        """Return the region of a ban on the steps of a group, in the state before a step.

        Return None if a step may change cells other than its own, or if there is no region.
        """
        if self.exceptions(group) is None:
            return None
        if id(ban) not in self._memo:
            self._memo[id(ban)] = ban, self._region_of_ban(ban)
        return self._memo[id(ban)][1]

    def exceptions(self, group: Group) -> tuple[Op, ...] | None:
        """Return conditions of a step; other steps change their origin and target at most.

        Return None if there are no such conditions.
        """
        if group.kind not in ("move", "place") or group.then is not None:
            return None
        regions, changed = list[Op](), set[str]()
        for effect in (*group.effects, *self._program.rules.effects):
            conditions = list(self._conditions(effect, frozenset(changed)))
            regions += [op for op in conditions if op is not None]
            if None in conditions:
                return None
            changed |= set(_set_registers(effect))
        return tuple(dict.fromkeys(regions))

    def _conditions(self, effect: Op, changed: frozenset[str]) -> Iterator[Op | None]:
        """Yield conditions under which an effect changes other cells than the target.

        Yield None for a change that no condition before the step excludes.
        """
        if not actions(effect):
            return
        if is_conditional(effect) and self._is_known_before(effect.args[0], changed):
            if not all(map(_is_at_target, effect.args[1:])):
                yield effect.args[0]
        elif not _is_at_target(effect):
            yield None

    def _is_known_before(self, test: Op, changed: frozenset[str]) -> bool:
        """True if a condition within a step has the value that it has before the step."""
        parts = frozenset().union(*(OPS[op.name].reads for op in walk(test)))
        read = {_register_of(op) for op in walk(test) if "registers" in OPS[op.name].reads}
        return parts <= {"variables", "registers"} and not read & changed

    def _region_of_ban(self, ban: Op) -> Op | None:
        reads_more = reads_parts(
            ban, "registers", "side", "step", "record", "plies", "history", "outcome", "moves"
        )
        if reads_more or reads_parts(ban, "future", "past") or self._facts.may_fail(ban):
            return None
        if self._facts.variables(ban) - {"player"}:
            return None
        try:
            region = self._region(ban)
        except _UnboundedRegion:
            return None
        return None if self._facts.may_fail(region) else region

    # regions of operations

    def _region(self, op: Op) -> Op:
        """Return the cells that decide a value by their contents. Raises _UnboundedRegion."""
        if self._facts.is_fixed(op):
            return _NONE
        if op.type == "cells" and self._is_pointwise(op):
            return self._lasting(op)
        if has_role(op, "meet", "join", "complement", "nonempty", "void") and op.type == "flag":
            return _joined(map(self._region, op.args))
        if has_role(op, "selection"):
            return _joined(map(self._region, op.args))
        if loop_function(op) in _UNIONS and domain_type(op) != "cells":
            return self._looped(op)
        if has_role(op, "join"):
            return _joined(map(self._region, op.args))
        if has_role(op, "meet", "difference"):
            return self._restricted(op)
        if has_role(op, "shift", "neighbourhood"):
            return _joined(map(self._region, op.args))
        if has_role(op, "ray"):
            return self._of_ray(*op.args)
        if has_role(op, "row"):
            return self._of_row(op)
        raise _UnboundedRegion

    def _looped(self, op: Op) -> Op:
        """Return the union of the regions of the rounds of a loop."""
        domain, body = op.args
        if not self._facts.is_fixed(domain):
            raise _UnboundedRegion
        region = self._region(body)
        assert isinstance(op.value, tuple)
        if region == _NONE or bound(op) not in self._facts.variables(region):
            return region
        value = ("union", *op.value[1:])
        return make("each", domain, region, value=value, type="cells")

    def _restricted(self, op: Op) -> Op:
        """Return the region of sets that are restricted to others with a region."""
        first = op.args[0]
        bounded = [arg for arg in op.args if not self._is_pointwise(arg)]
        if has_role(op, "difference") and first not in bounded:
            raise _UnboundedRegion
        limits = bounded if has_role(op, "meet") else [first]
        limit = limits[0] if len(limits) == 1 else make("and", *limits)
        inner = [] if len(bounded) == len(op.args) else [limit]
        return _joined([*map(self._region, bounded), *inner])

    def _of_ray(self, start: Op, directions: Op, through: Op) -> Op:
        """Return the cells of rays and the first cells behind them."""
        if not self._is_pointwise(through):
            raise _UnboundedRegion
        ray = make("slide", start, directions, through)
        behind = make("shift", make("or", start, ray), directions)
        return _joined([self._region(start), self._region(directions), ray, behind])

    def _of_row(self, op: Op) -> Op:
        """Return the cells that rows of a set may reach, and the first cells behind them."""
        start, over, until = op.args[:3]
        if len(op.args) < _WAYS + 1 or not self._is_pointwise(until):
            raise _UnboundedRegion
        return self._of_ray(start, op.args[_WAYS], over)

    # sets of pieces

    def _is_pointwise(self, op: Op) -> bool:
        """True if membership of a cell depends on its contents alone."""
        if op.type != "cells":
            return self._facts.is_fixed(op)
        if self._facts.is_fixed(op) or has_role(op, "vacancy"):
            return True
        if has_role(op, "pieces", "meet", "join", "difference", "complement", "selection"):
            return all(map(self._is_pointwise, op.args))
        return False

    def _lasting(self, op: Op) -> Op:
        """Return a set of pieces to which no step adds any, unless it takes one away.

        It contains the pieces of an operation, and those that a step may add to them.
        """
        parts = [part for part in _operands(op) if has_role(part, "pieces")]
        kinds = [constant(part.args[0]) for part in parts if is_of_kind(part)]
        if any(kind is not None and kind not in self.made_kinds() for kind in kinds):
            return parts[0] if len(parts) == 1 else make("and", *parts)
        raise _UnboundedRegion

    def made_kinds(self) -> frozenset[int]:
        """Return the kinds of which a step makes a piece that was none before."""
        rules = self._program.rules
        made = [g.piece for g in rules.groups if g.kind == "place" and g.piece is not None]
        effects = operations((tuple(g.effects for g in rules.groups), rules.effects))
        made += [op.args[1] for top in effects for op in walk(top) if has_role(op, "promotion")]
        return frozenset().union(*map(self._possible, made))

    def _possible(self, kind: Op) -> frozenset[int]:
        """Return the kinds that a value may be."""
        known = constant(kind)
        if known is not None:
            return frozenset({known})
        if others := alternatives(kind):
            return frozenset().union(*map(self._possible, others))
        if has_role(kind, "variable"):
            values = [v for g in self._program.rules.groups for v in g.choice if v.type == "kind"]
            return frozenset().union(*map(self._possible, values))
        return frozenset(range(len(self._program.rules.kinds)))


def _is_at_target(effect: Op) -> bool:
    """True if an effect changes no pieces but those on the target of the step."""
    if not actions(effect):
        return True
    if has_role(effect, "promotion"):
        return is_single(effect.args[0], "to")
    inner = [arg for arg in effect.args if arg.type == "effect"]
    return bool(inner) and all(map(_is_at_target, inner))


def _operands(op: Op) -> tuple[Op, ...]:
    return op.args if has_role(op, "meet") else (op,)


def _set_registers(effect: Op) -> Iterator[str]:
    """Yield the names of the registers that an effect may set."""
    return (_register_of(op) for op in walk(effect) if "registers" in OPS[op.name].changes)


def _register_of(op: Op) -> str:
    return str(op.value[0] if isinstance(op.value, tuple) else op.value)


def _joined(regions: Iterable[Op]) -> Op:
    """Return the union of regions."""
    distinct = list(dict.fromkeys(region for region in regions if region != _NONE))
    if not distinct:
        return _NONE
    return distinct[0] if len(distinct) == 1 else make("or", *distinct)
