"""The bundled games in the gallery: a row of facts, and a picture."""

from collections.abc import Iterator, Sequence
from textwrap import shorten

from rulesengine.board.topology import Topology
from rulesengine.drawing.layout import has_hexagons
from rulesengine.game import Game
from rulesengine.play.picture_position import picture_position
from rulesengine.prose import sections
from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.position import theme_of
from rulesengine.server.web.request_fields import JsonObject, PositionRequest
from rulesengine.tools.inspect import to_json

Table = dict[str, object]
_MOST_SENTENCE = 160


def row(games: GameCache, fields: JsonObject) -> Table:
    """Return the gallery row of a bundled game."""
    request = PositionRequest.of(fields)
    game = games.game(request)
    board = game.program.topology
    return {
        "name": request.spec.name,
        "title": game.name,
        "summary": _summary(game),
        "tags": [*_tags(game)],
        "players": list(game.players),
        "board": {"shape": _shape(board), "cells": board.cells},
        "parameters": [{"name": one.name, **to_json(one)} for one in game.rules.parameters],
    }


def picture(games: GameCache, fields: JsonObject) -> Table:
    """Return the picture of a bundled game."""
    game = games.game(PositionRequest.of(fields))
    state, last = picture_position(game)
    return {"svg": game.svg(state, last=last, theme=theme_of(fields, "auto"))}


def _summary(game: Game) -> str:
    """Return the first sentences of the rules on moves and on the end."""
    parts = [s.parts for s in sections(game) if s.heading in ("Moves", "End")]
    return " ".join(filter(None, map(_first_sentence, parts)))


def _first_sentence(parts: Sequence[str | Sequence[str]]) -> str:
    """Return the first sentence after the introduction; a colon introduces a list."""
    paragraphs = parts[1:] if isinstance(parts[0], str) else parts
    items = [item for part in paragraphs for item in ([part] if isinstance(part, str) else part)]
    first = next((item for item in items if not item.endswith(":")), "")
    return shorten(f"{first.split('. ')[0].rstrip('.')}.", _MOST_SENTENCE, placeholder=" …")


def _tags(game: Game) -> Iterator[str]:
    rules = game.rules
    yield _shape(game.program.topology)
    yield f"{len(game.players)} player{'s' if len(game.players) != 1 else ''}"
    if rules.chance:
        yield "chance"
    if rules.score:
        yield "points"
    yield from sorted({group.kind for tier in rules.tiers for group in tier} & {"place", "move"})


def _shape(board: Topology) -> str:
    if board.shape in ("graph", "mesh", "box"):
        return {"graph": "graph", "mesh": "borders", "box": "layers"}[board.shape]
    return "hexagons" if has_hexagons(board) else "squares"
