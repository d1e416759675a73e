"""Narrowed targets of steps that cover tiles: lowering has moved parts of conditions there."""

from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Group
from rulesengine.support.frozen import replace


def narrow_targets(program: Program) -> Program:
    """Return a program with narrowed targets for the steps that cover tiles. See decision 171."""
    rules = program.rules
    if not any(group.narrowed for group in rules.groups):
        return program
    chance = rules.chance
    changed = replace(
        rules,
        tiers=tuple(tuple(map(_narrowed, tier)) for tier in rules.tiers),
        steps=tuple(map(_narrowed, rules.steps)),
        chance=chance and replace(chance, branches=tuple(map(_narrowed, chance.branches))),
    )
    return replace(program, rules=changed)


def _narrowed(group: Group) -> Group:
    narrowed = group.narrowed
    if narrowed is None:
        return group
    return replace(group, target=narrowed.target, when=narrowed.when, narrowed=None)
