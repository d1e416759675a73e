"""Stacks as registers with a number at each cell, which every engine knows. See decision 163."""

from collections.abc import Mapping

from rulesengine.language.ir.constants import NotConstant, number
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.rules import Rules, rewrite
from rulesengine.language.ir.stacks import HEIGHT, stack_registers
from rulesengine.language.lower.problem import LoweringError
from rulesengine.support.frozen import replace
from rulesengine.support.limits import MAX_STACK


def with_stacks(rules: Rules, parameters: Mapping[str, int | str]) -> Rules:
    """Return the rules with registers for stacks; raises LoweringError for a bad height."""
    if rules.stacks is None:
        return rules
    message = f"the height of a stack is a number from 2 to {MAX_STACK}"
    try:
        height = number(rules.stacks.height, parameters)
    except NotConstant as error:
        raise LoweringError(rules.stacks.site, "not-constant", f"{message}: {error}") from None
    if not 2 <= height <= MAX_STACK:
        raise LoweringError(rules.stacks.site, "bad-range", f"{message}, found {height}")
    stacks = replace(rules.stacks, height=literal("number", height))
    rules = rewrite(replace(rules, stacks=None), _Heights().replaced)
    rules = replace(rules, stacks=stacks)
    return replace(rules, registers=(*rules.registers, *stack_registers(rules)))


# The operations that this pass replaces.
REPLACED = frozenset({"height"})


class _Heights:
    """The replacement of heights by numbers at cells; shared operations stay shared."""

    def __init__(self) -> None:
        self._memo: dict[int, tuple[Op, Op]] = {}

    def replaced(self, op: Op) -> Op:
        if id(op) not in self._memo:
            args = tuple(map(self.replaced, op.args))
            new = op if args == op.args else replace(op, args=args)
            if op.name in REPLACED:
                new = make("number_at", *args, value=(HEIGHT, str(op.value)))
            self._memo[id(op)] = op, new
        return self._memo[id(op)][1]
