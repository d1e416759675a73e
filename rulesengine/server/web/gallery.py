"""The bundled games in the gallery: a row of facts, and a picture."""

from collections.abc import Iterator, Sequence
from textwrap import shorten

from rulesengine.board.topology import Topology
from rulesengine.drawing.layout import has_hexagons
from rulesengine.engine.drivers.random import Generator
from rulesengine.game import Game
from rulesengine.prose import sections
from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.position import theme_of
from rulesengine.server.web.request_fields import JsonObject, PositionRequest
from rulesengine.state import Move, State
from rulesengine.tools.inspect import to_json

Table = dict[str, object]
_MOST_SENTENCE = 160
_PLIES = 14  # plies of a random game at most
_FULL = 4  # pieces; a board with fewer shows little


def row(games: GameCache, given: JsonObject) -> Table:
    """Return the gallery row of a bundled game."""
    asked = PositionRequest.of(given)
    game = games.game(asked)
    board = game.program.topology
    return {
        "name": asked.spec.name,
        "title": game.name,
        "summary": _summary(game),
        "tags": [*_tags(game)],
        "players": list(game.players),
        "board": {"shape": _shape(board), "cells": board.cells},
        "parameters": [{"name": one.name, **to_json(one)} for one in game.rules.parameters],
    }


def picture(games: GameCache, given: JsonObject) -> Table:
    """Return the picture of a bundled game."""
    game = games.game(PositionRequest.of(given))
    state, last = shown_position(game)
    return {"svg": game.svg(state, last=last, theme=theme_of(given, "auto"))}


def _summary(game: Game) -> str:
    """Return the first sentences of the rules on moves and on the end."""
    found = [s.parts for s in sections(game) if s.heading in ("Moves", "End")]
    return " ".join(filter(None, map(_first_sentence, found)))


def _first_sentence(parts: Sequence[str | Sequence[str]]) -> str:
    """Return the first sentence after the introduction; a colon introduces a list."""
    said = parts[1:] if isinstance(parts[0], str) else parts
    items = [item for part in said for item in ([part] if isinstance(part, str) else part)]
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


def shown_position(game: Game) -> tuple[State, Move | None]:
    """Return the initial position, or if that is nearly empty a position of a random game.

    Chance moves do not count as plies, so an initial deal is complete.
    """
    state, last = game.initial_state(), None
    draw, plies = Generator(1, 0), 0 if _is_full(state) else _PLIES
    while plies:
        plies -= not game.weights(state)
        moves = game.legal_moves(state)
        move = moves[draw.below(len(moves))]
        following = game.apply(state, move)
        if game.outcome(following) is not None:
            break
        state, last = following, move
    return state, last


def _is_full(state: State) -> bool:
    """True if the board shows enough: pieces, or numbers at cells."""
    cells = range(len(state.form.cells))
    numbers = (n.at(c, state.registers) for n in state.form.numbers for c in cells)
    return any(numbers) or sum(mask.bit_count() for mask in state.planes) > _FULL
