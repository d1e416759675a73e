"""The head of the memory of alpha-beta that follows from the rules: captures and pruning."""

from collections.abc import Mapping

from rulesengine.engine.drivers.search import layout
from rulesengine.engine.evaluation.derivation import followed_tactics, null_moves
from rulesengine.engine.evaluation.material import PIECE
from rulesengine.engine.interpreter import Interpreter

_GAIN = 2 * PIECE  # the greatest gain of a reply


def search_head(machine: Interpreter, part: str = "search", factor: int = 1) -> Mapping[str, int]:
    """Return the words of a search without a fixed depth, by their names in the layout.

    `part` is the part of kernels of the search, and `factor` that of values of the rules. Weights
    that replace the evaluation of the rules have no scale for the margins of selective search.
    """
    follows = followed_tactics(machine) is not None
    prunes = follows and part != "learned" and null_moves(machine) is not None
    return {
        "CAPTURES": layout.FOLLOWED if follows else 0,
        "MARGIN": factor * _GAIN,
        "PRUNES": int(prunes),
    }
