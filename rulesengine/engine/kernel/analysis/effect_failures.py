"""Conditions on registers under which no effect of a step can fail.

Where the condition holds, kernels need not make a step to test that it does not fail. The bounds of
registers are narrowed, and followed through the effects of a step. See decision 165.
"""

from collections.abc import Mapping, Sequence

from rulesengine.engine.kernel.analysis.facts import Facts, Range, inside
from rulesengine.language.ir.ops import OPS, Op, literal, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    has_role,
    is_conditional,
    is_variable,
)
from rulesengine.language.ir.rules import Group
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

_MARGINS = (0, 1, 2, 4, 8)  # distances from the bounds of registers that are tried
_TRUE = literal("flag", 1)

Bounds = Mapping[str, Range]


class EffectFailures:
    """The conditions of the groups of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._facts = Facts(program)
        self._memo: dict[int, tuple[Group, Op | None]] = {}

    def absent_if(self, group: Group) -> Op | None:
        """Return a condition on the state before a step under which its effects cannot fail.

        Return None if there is none.
        """
        if id(group) not in self._memo:
            self._memo[id(group)] = group, self._condition(group)
        return self._memo[id(group)][1]

    def _condition(self, group: Group) -> Op | None:
        effects = (*group.effects, *self._program.rules.effects)
        for margin in _MARGINS:
            bounds = {name: self._narrowed(name, margin) for name in self._facts.registers}
            if self._succeed(effects, bounds, group):
                return self._within(self._necessary(effects, bounds, group))
        return None

    # bounds of registers

    def _full(self, name: str) -> Range:
        register = self._facts.registers[name]
        known = register.type == "number"
        return (register.low, register.high) if known else (INTEGER_MIN, INTEGER_MAX)

    def _narrowed(self, name: str, margin: int) -> Range:
        low, high = self._full(name)
        register = self._facts.registers[name]
        is_plain = register.type == "number" and register.each in ("", "player")
        fits = is_plain and high - low > 2 * margin
        return (low + margin, high - margin) if fits else (low, high)

    def _necessary(self, effects: Sequence[Op], bounds: Bounds, group: Group) -> Bounds:
        """Return the bounds with all that are not needed widened again."""
        refined = dict(bounds)
        for name in bounds:
            low, high = self._full(name)
            for wider in ((low, refined[name][1]), (refined[name][0], high)):
                if self._succeed(effects, {**refined, name: wider}, group):
                    refined[name] = wider
        return refined

    def _within(self, bounds: Bounds) -> Op | None:
        """Return the condition that registers are within narrower bounds, for all players."""
        tests = []
        for name, (low, high) in bounds.items():
            least, most = self._full(name)
            for value in self._values_of(name) if (low, high) != (least, most) else ():
                if low > least:
                    tests.append(make("at_most", literal("number", low), value))
                if high < most:
                    tests.append(make("at_most", value, literal("number", high)))
        if not tests:
            return _TRUE
        return tests[0] if len(tests) == 1 else make("both", *tests)

    def _values_of(self, name: str) -> list[Op]:
        """Return the values of a register, one for each player if each has one."""
        each = self._facts.registers[name].each
        sides = range(len(self._program.rules.players)) if each == "player" else None
        if sides is None:
            return [Op("register", "number", (), name)]
        return [Op("register", "number", (literal("side", side),), name) for side in sides]

    # effects

    def _succeed(self, effects: Sequence[Op], bounds: Bounds, group: Group) -> bool:
        """True if effects cannot fail, one after the other, with registers within bounds."""
        now: Bounds | None = bounds
        for effect in effects:
            now = None if now is None else self._after(effect, now, group)
        return now is not None

    def _after(self, effect: Op, bounds: Bounds, group: Group) -> Bounds | None:
        """Return the bounds of registers after an effect; None if it may fail."""
        facts = Facts(self._program, bounds)
        if is_conditional(effect):
            return self._branches(effect, bounds, group, facts)
        if has_role(effect, "sequence"):
            now: Bounds | None = bounds
            for inner in effect.args:
                now = None if now is None else self._after(inner, now, group)
            return now
        if any(may_fail(facts, arg, frozenset()) for arg in effect.args):
            return None
        if has_role(effect, "assignment"):
            return self._assigned(effect, bounds, facts)
        is_safe = has_role(effect, "removal") or self._is_safe_promotion(effect, group)
        return bounds if is_safe else None

    def _branches(self, effect: Op, bounds: Bounds, group: Group, facts: Facts) -> Bounds | None:
        test, *branches = effect.args
        if may_fail(facts, test, frozenset()):
            return None
        ranges = [self._after(branch, bounds, group) for branch in branches]
        known = [branch for branch in ranges if branch is not None]
        if len(known) < len(ranges):
            return None
        return _hull([*known, bounds] if len(branches) == 1 else known)

    def _assigned(self, effect: Op, bounds: Bounds, facts: Facts) -> Bounds | None:
        assert isinstance(effect.value, tuple)
        name, value = str(effect.value[0]), effect.args[0]
        if len(effect.args) > 1 and not facts.is_player(effect.args[1]):
            return None
        if facts.registers[name].type != "number":
            return bounds
        new = facts.range(value)
        if not inside(new, self._full(name)):
            return None
        old = bounds[name]
        assigned = new if len(effect.args) == 1 else (min(old[0], new[0]), max(old[1], new[1]))
        return {**bounds, name: assigned}

    def _is_safe_promotion(self, effect: Op, group: Group) -> bool:
        """True if an effect changes pieces to kinds that all players have."""
        if not has_role(effect, "promotion"):
            return False
        kinds = _possible(effect.args[1], group)
        sides, symbols = len(self._program.rules.players) + 1, self._program.form.symbols
        players = range(sides - 1)
        return bool(kinds) and all(symbols[k * sides + side] for k in kinds for side in players)


def may_fail(facts: Facts, op: Op, known: frozenset[Op]) -> bool:
    """True if an operation may fail, where some sets have a member."""
    if not facts.may_fail(op):
        return False
    if has_role(op, "element") and op.args[0] in known:
        return may_fail(facts, op.args[0], known)
    if is_conditional(op):
        test, then, other = op.args
        inner = known | _nonempty(test)
        parts = ((test, known), (then, inner), (other, known))
        return any(may_fail(facts, part, sets) for part, sets in parts)
    if has_role(op, "meet") and op.type == "flag":
        return _meet_may_fail(facts, op, known)
    return facts.fails_itself(op) or any(may_fail(facts, arg, known) for arg in op.args)


def _meet_may_fail(facts: Facts, op: Op, known: frozenset[Op]) -> bool:
    """True if one of several conditions may fail; each is read only if those before it hold."""
    for arg in op.args:
        if may_fail(facts, arg, known):
            return True
        known |= _nonempty(arg)
    return False


def _nonempty(test: Op) -> frozenset[Op]:
    """Return sets that have a member if a condition holds."""
    if has_role(test, "meet") and test.type == "flag":
        return frozenset().union(*map(_nonempty, test.args))
    if has_role(test, "membership") and test.args[1].type == "cells":
        return frozenset(_sources(test.args[1]))
    if has_role(test, "nonempty"):
        return frozenset(_sources(test.args[0]))
    return frozenset()


def _sources(cells: Op) -> set[Op]:
    """Return sets that have a member if a set has one."""
    sets = {cells}
    if has_role(cells, "shift"):
        for count in range(2, len(cells.args)):
            sets.add(Op(cells.name, cells.type, cells.args[:count], cells.value))
    if has_role(cells, "meet"):
        inner = cells.args
    else:
        row = OPS[cells.name]
        inner = cells.args[:1] if cells.args and row.has("additive", 0) else ()
    return sets.union(*map(_sources, inner)) if inner else sets


def _hull(intervals: Sequence[Bounds]) -> Bounds:
    return {
        name: (
            min(interval[name][0] for interval in intervals),
            max(interval[name][1] for interval in intervals),
        )
        for name in intervals[0]
    }


def _possible(kind: Op, group: Group) -> frozenset[int]:
    """Return the kinds that a value may be; empty if they are not known."""
    known = constant(kind)
    if known is not None:
        return frozenset({known})
    values = alternatives(kind)
    if is_variable(kind, "choice"):
        values = group.choice
    kinds = [_possible(value, group) for value in values]
    return frozenset().union(*kinds) if all(kinds) else frozenset()
