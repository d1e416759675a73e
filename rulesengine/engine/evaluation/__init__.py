"""The static evaluation of positions in progress, derived from the rules. See decision 117."""

from rulesengine.engine.evaluation.heuristic import evaluation_of, takes_pieces, with_evaluation
from rulesengine.engine.evaluation.material import followed_tactics, material_of
from rulesengine.engine.evaluation.tactics import Tactics, is_capture

__all__ = [
    "Tactics",
    "evaluation_of",
    "followed_tactics",
    "is_capture",
    "material_of",
    "takes_pieces",
    "with_evaluation",
]
