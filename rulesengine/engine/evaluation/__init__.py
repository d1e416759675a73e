"""The static evaluation of positions in progress, derived from the rules. See decision 117."""

from rulesengine.engine.evaluation.derivation import (
    evaluation_of,
    exchange_evaluation,
    followed_tactics,
    material_of,
    null_moves,
    piece_at_risk,
    with_evaluation,
)
from rulesengine.engine.evaluation.heuristic import takes_pieces
from rulesengine.engine.evaluation.null_moves import NullMoves
from rulesengine.engine.evaluation.reduction_table import late_move_reductions
from rulesengine.engine.evaluation.search_head import search_head
from rulesengine.engine.evaluation.tactics import Tactics, is_capture

__all__ = [
    "NullMoves",
    "Tactics",
    "evaluation_of",
    "exchange_evaluation",
    "followed_tactics",
    "is_capture",
    "late_move_reductions",
    "material_of",
    "null_moves",
    "piece_at_risk",
    "search_head",
    "takes_pieces",
    "with_evaluation",
]
