"""The head of the memory of alpha-beta that follows from the rules: captures and pruning."""

from collections.abc import Mapping

from rulesengine.engine.drivers.search import layout
from rulesengine.engine.evaluation.derivation import followed_tactics, null_moves
from rulesengine.engine.evaluation.material import PIECE
from rulesengine.engine.interpreter import Interpreter

_GAIN = 2 * PIECE  # the greatest gain of a reply


def search_head(machine: Interpreter) -> Mapping[str, int]:
    """Return the words of a search without a fixed depth, by their names in the layout."""
    follows = followed_tactics(machine) is not None
    return {
        "CAPTURES": layout.FOLLOWED if follows else 0,
        "MARGIN": _GAIN,
        "PRUNES": int(follows and null_moves(machine) is not None),
    }
