"""The variants of a game for the form: the values of each transform, or why it does not fit."""

from rulesengine.language import pipeline
from rulesengine.language.variant import Transform, variant_of
from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.request_fields import PositionRequest

Table = dict[str, object]


def transforms(games: GameCache, request: PositionRequest) -> Table:
    """Return the applicable transforms with numeric arguments, each tested separately."""
    offered = pipeline.offered(request.spec.source)
    return {"transforms": [_offer(request, *one) for one in offered.items()]}


def _offer(request: PositionRequest, name: str, takes: dict[str, int]) -> Table:
    return {"name": name, "takes": takes, "refused": _why_not(request, {name: takes or True})}


def _why_not(request: PositionRequest, transform: Transform) -> str:
    """Return the reason why a transform does not fit a game, or an empty text."""
    variant, find = variant_of(request.spec.source, [transform])
    analysis = pipeline.analyse(variant, find)
    if analysis.checked:
        return ""
    return next(one.message for one in analysis.findings if one.severity == "error")
