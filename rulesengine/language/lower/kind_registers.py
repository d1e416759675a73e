"""Registers of kinds become one register for each kind of piece that an effect may set.

A kind that is known only during the game selects among them. See decision 140.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType

from rulesengine.language.ir.ops import OPS, Op, literal, make, walk
from rulesengine.language.ir.roles import alternatives, constant, has_role, is_variable
from rulesengine.language.ir.rules import OF_KIND, Register, Rules, operations, rewrite
from rulesengine.support.frozen import replace

_FAMILIES = ("kind", "player kind")
_NONE = -1


def with_kind_registers(rules: Rules) -> Rules:
    """Return the rules with a register for each kind in the place of registers of kinds."""
    expansion = kind_expansion(rules)
    return expansion.expanded_rules() if expansion.families else rules


def kind_expansion(rules: Rules) -> "KindExpansion":
    """Return the replacement of the registers of kinds of these rules."""
    return KindExpansion(rules, {r.name: r for r in rules.registers if r.each in _FAMILIES})


def of_constant_kind(op: Op, rules: Rules) -> Op:
    """Return the register of a constant kind as it is in a program of these rules."""
    args = tuple(of_constant_kind(arg, rules) for arg in op.args)
    new = op if args == op.args else replace(op, args=args)
    kind = constant(new.args[0]) if has_role(new, "kind register") else None
    if kind is None or kind == _NONE:
        return new
    name = _name(new) + OF_KIND + rules.kinds[kind].name
    register = next((r for r in rules.registers if r.name == name), None)
    sides = new.args[1:] if register is not None and register.each else ()
    return make("register", *sides, value=name, type=new.type) if register else new


@dataclass(slots=True)
class KindExpansion:
    """The replacement of operations on registers of kinds; shared operations stay shared."""

    rules: Rules
    families: dict[str, Register]
    assigned: frozenset[tuple[str, int]] = frozenset()
    _choices: frozenset[int] | None = None
    _memo: dict[int, tuple[Op, Op]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        tops = operations(self.rules)
        self.assigned = frozenset(
            (_name(op), kind)
            for top in tops
            for op in walk(top)
            if op.name in _ASSIGNMENTS
            for kind in self.possible(op.args[1])
        )

    def expanded_rules(self) -> Rules:
        """Return the rules with a register for each kind in the place of registers of kinds."""
        changed = rewrite(replace(self.rules, registers=()), self.expanded)
        registers = tuple(one for r in self.rules.registers for one in self.members(r))
        return replace(changed, registers=registers)

    def members(self, register: Register) -> Iterator[Register]:
        """Yield a register for each kind with a value that may change; another register itself."""
        if register.name not in self.families:
            yield register
            return
        each = "player" if register.each == "player kind" else ""
        for number, kind in enumerate(self.rules.kinds):
            if (register.name, number) in self.assigned:
                name = register.name + OF_KIND + kind.name
                yield replace(register, name=name, each=each)

    def expanded(self, op: Op) -> Op:
        """Return the operation without registers of kinds."""
        if id(op) not in self._memo:
            args = tuple(map(self.expanded, op.args))
            new = op if args == op.args else replace(op, args=args)
            change = _CHANGES.get(new.name)
            self._memo[id(op)] = op, change(self, new) if change else new
        return self._memo[id(op)][1]

    def possible(self, kind: Op) -> frozenset[int]:
        """Return the kinds that a value may be; -1 is no kind."""
        known = constant(kind)
        if known is not None:
            return frozenset({known})
        if others := alternatives(kind):
            return frozenset().union(*map(self.possible, others))
        if has_role(kind, "past"):
            return self.possible(kind.args[0])
        if is_variable(kind, "choice"):
            return self._chosen()
        return frozenset(range(_NONE, len(self.rules.kinds)))

    def _chosen(self) -> frozenset[int]:
        """Return the kinds that a choice of a group may be."""
        if self._choices is None:
            values = [v for g in self.rules.groups for v in g.choice if v.type == "kind"]
            self._choices = frozenset().union(*map(self.possible, values))
        return self._choices

    def _read(self, op: Op) -> Op:
        kind, *sides = op.args
        known = constant(kind)
        if known is not None and known != _NONE:
            return self._member(_name(op), known, sides)
        values = [self._member(_name(op), i, sides) for i in range(len(self.rules.kinds))]
        return make("by_kind", kind, *values, value=op.value, type=op.type)

    def _member(self, name: str, kind: int, sides: list[Op]) -> Op:
        """Return the register of a kind, or the start value if nothing sets it."""
        register = self.families[name]
        if (name, kind) not in self.assigned:
            return register.start
        full = name + OF_KIND + self.rules.kinds[kind].name
        return make("register", *sides, value=full, type=register.type)

    def _changed(self, op: Op) -> Op:
        """Return an assignment for each kind that may be meant."""
        value, kind, *sides = op.args
        known = sorted(self.possible(kind))
        if known == [_NONE]:
            return self._no_kind(op)
        changes = [(k, self._assignment(op, value, k, sides)) for k in known if k != _NONE]
        if len(known) == 1:
            return changes[0][1]
        effect = self._no_kind(op)
        for number, change in reversed(changes):
            same = make("equal", kind, literal("kind", number))
            effect = make("when", same, change, effect)
        return effect

    def _assignment(self, op: Op, value: Op, kind: int, sides: list[Op]) -> Op:
        name = _name(op)
        assert isinstance(op.value, tuple)
        full = name + OF_KIND + self.rules.kinds[kind].name
        if "registers" in OPS[op.name].reads:
            value = make("add", self._member(name, kind, sides), value, value=int(op.value[1]))
        return make("set", value, *sides, value=(full, op.value[1]))

    def _no_kind(self, op: Op) -> Op:
        assert isinstance(op.value, tuple)
        message = f"`{op.value[0]}` of no kind of piece"
        return make("ensure", literal("flag", 0), value=(message, op.value[1]))


_ASSIGNMENTS = frozenset({"set_kind", "add_kind"})
# The operations that this pass replaces.
REPLACED = frozenset({"kind_register", *_ASSIGNMENTS})
_CHANGES: MappingProxyType[str, Callable[[KindExpansion, Op], Op]] = MappingProxyType(
    {
        "kind_register": KindExpansion._read,
        "set_kind": KindExpansion._changed,
        "add_kind": KindExpansion._changed,
    }
)


def _name(op: Op) -> str:
    assert isinstance(op.value, tuple)
    return str(op.value[0])
