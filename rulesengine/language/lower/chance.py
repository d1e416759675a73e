"""Chance as ordinary rules: chance moves skip the common effects and choose the side to move.

While a move is made, the variable `BY_CHANCE` is true if chance makes it.
"""

from rulesengine.language.ir.ops import Op, make
from rulesengine.language.ir.rules import BY_CHANCE, Rules
from rulesengine.support.frozen import replace


def with_chance(rules: Rules) -> Rules:
    """Return the rules with the section `chance` applied to effects and turn."""
    if rules.chance is None:
        return rules
    by_chance = Op("variable", "flag", (), BY_CHANCE)
    by_player = make("deny", by_chance)
    return replace(
        rules,
        effects=tuple(make("when", by_player, effect) for effect in rules.effects),
        next=make("if", by_chance, rules.chance.next, rules.next, type="side"),
        alternates=False,
    )
