"""What follows every move but not what chance does: its effects, and who is next.

While a move is made, the variable `BY_CHANCE` tells whether it is chance that makes it.
"""

from rulesengine.language.ir.ops import Op, make
from rulesengine.language.ir.rules import BY_CHANCE, Rules
from rulesengine.support.frozen import replace


def chancing(rules: Rules) -> Rules:
    """The rules in which chance moves as `chance` says."""
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
