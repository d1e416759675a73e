"""Names of variants in protocols: those of UCI, which a spec may declare, and those of XBoard."""

from types import MappingProxyType

from rulesengine.formats.options import option
from rulesengine.game import Game

# The variants that XBoard names differently from UCI.
_IN_XBOARD = MappingProxyType({"chess": "normal"})


def declared_variant(game: Game) -> str:
    """Return the variant that a spec declares for UCI; empty without one."""
    (name,) = option(game.program, "uci", "variant", ("",))
    return str(name)


def variant_in_uci(game: Game) -> str:
    """Return the declared variant, or the name of the game as one word."""
    return declared_variant(game) or "-".join(game.name.lower().split())


def variant_in_xboard(variant: str) -> str:
    """Return the name in XBoard of a variant of UCI."""
    return _IN_XBOARD.get(variant, variant)
