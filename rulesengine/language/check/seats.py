"""The conditions on parameters under which the players take part."""

from rulesengine.language.check.context import Context, ExpressionContext
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.reader import Reader, get
from rulesengine.language.document.nodes import Node
from rulesengine.language.ir.rules import Player
from rulesengine.support.frozen import replace

# The keys of a player that are not names of the author.
PLAYER_KEYS = frozenset({"label", "when"})


def seats(
    node: Node | None, context: Context, reader: Reader, expressions: ExpressionChecker
) -> tuple[Player, ...]:
    """Return the players of the section `players`, each with its `when`."""
    players = []
    for player in context.players:
        when = reader.parse(get(get(node, player.name), "when"))
        plays = expressions.check(when, ExpressionContext("board"), "flag") if when else None
        players.append(replace(player, plays=plays))
    return tuple(players)
