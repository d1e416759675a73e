"""The variants of a game that a form offers: what each transform takes, or why it does not fit."""

from rulesengine import pipeline
from rulesengine.serving.asked import Asked
from rulesengine.serving.games import Games
from rulesengine.spec.transforms import TRANSFORMS, sides_of
from rulesengine.variant import Transform, variant_of

Table = dict[str, object]
_AFTER = 1  # moves before the answer to the first one
_DRAWN = "start"  # what it takes is a drawing: a request has a start of its own


def transforms(games: Games, asked: Asked) -> Table:
    """The transforms that a spec may be given by numbers, each tried alone."""
    own = pipeline.analyse(asked.spec.source)
    root = own.document.root if own.document else None
    sides = sides_of(root) if root else {}
    takes = {"pie": {"after": _AFTER}, "size": sides}
    offered = [name for name in TRANSFORMS if name != _DRAWN and takes.get(name, True)]
    return {"transforms": [_offer(asked, name, takes.get(name, {})) for name in offered]}


def _offer(asked: Asked, name: str, takes: dict[str, int]) -> Table:
    return {"name": name, "takes": takes, "refused": _why_not(asked, {name: takes or True})}


def _why_not(asked: Asked, transform: Transform) -> str:
    """Why a transform does not fit a game; empty where it does."""
    made, find = variant_of(asked.spec.source, [transform])
    found = pipeline.analyse(made, find)
    if found.checked:
        return ""
    return next(one.message for one in found.findings if one.severity == "error")
