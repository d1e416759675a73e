"""The position of a game with hidden information as one player, or a spectator, sees it.

Everything in it follows from the observation, the information state and the own legal moves. See
decision 205.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulesengine.drawing import Annotations, compose, describe, to_svg
from rulesengine.drawing.svg_elements import UNIT
from rulesengine.engine.observation import CHANCE, InformationState, Observer, VisiblePart
from rulesengine.game import Game
from rulesengine.language.ir.hiding import UNSEEN
from rulesengine.server.web.encoding import EncodedJson, encoded, encoded_list
from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.game_cache import Line
from rulesengine.server.web.player_payload import colours_of, scores_shown, sides_of
from rulesengine.server.web.position import (
    covers_of,
    move_to_json,
    numbers_of,
    shown_parameters,
    steps_of,
    theme_of,
)
from rulesengine.server.web.request_fields import PositionRequest, text_of
from rulesengine.state import Move, State, Step
from rulesengine.tools.inspect import to_json

Table = dict[str, object]
_OWN, _OTHERS = "move ", "told "  # the beginnings of events of moves


def player_view(line: Line, request: PositionRequest) -> Table:
    """Return a position as the player `viewer` sees it, or a spectator for an empty name.

    It has the fields of `position`. Raises RequestError for a game that is over or hides nothing,
    and for an unknown player.
    """
    game, state = line.game, line.state
    viewer = text_of(request.more, "viewer") or None
    if not line.knowledge or line.problem or game.outcome(state) is not None:
        raise RequestError("turn", "this position has no view of a player")
    if viewer is not None and viewer not in game.players:
        raise RequestError("request", f"`viewer`: expected {' or '.join(game.players)}")
    known = knowledge_of(line, viewer)
    observer = game.machine.derived(Observer)
    part = observer.visible_part(state, observer.number(viewer))
    seen = game.observation(state, viewer)
    legal = game.legal_moves(state) if viewer is not None and seen.mover == viewer else ()
    played = [*_moves(game, known, _own_moves(line, viewer))]
    return {
        "title": game.name,
        "parameters": shown_parameters(game),
        "declared": [{"name": one.name, **to_json(one)} for one in game.rules.parameters],
        "players": list(game.players),
        "sides": sides_of(part.state),
        "colours": colours_of(game, theme_of(request.more)),
        "pieces": line.scenery.pieces,
        "strategies": list(game.strategies),
        "formats": [],
        "hides": game.program.hiding.text,
        "viewer": viewer,
        "knowledge": known.key.hex(),
        "registers": [list(pair) for pair in seen.registers],
        "ply": len(played),
        "mover": seen.mover,
        "chance": seen.mover == CHANCE,
        "moves": played,
        "legal": [move_to_json(move, 1) | covers_of(game, part.state, move) for move in legal],
        "drops": line.scenery.drops,
        "outcome": None,
        "decisive": (),
        "scores": None,
        **scores_shown(game),
        "description": _description(part, game),
        "text": "",
        "drawing": _drawing(line, part, viewer, played, request),
        "table": line.scenery.table,
        "problem": None,
    }


def knowledge_of(line: Line, viewer: str | None) -> InformationState:
    """Return the information state of a player at the end of a line; None is a spectator."""
    return next(known for known in line.knowledge if known.player == viewer)


def _own_moves(line: Line, viewer: str | None) -> Iterator[Move]:
    """Yield the moves that a player has made."""
    pairs = zip(line.moves, line.movers, strict=True)
    return (move for move, mover in pairs if viewer is not None and mover == viewer)


def _moves(game: Game, known: InformationState, own: Iterator[Move]) -> Iterator[Table]:
    """Yield the moves that a player has made or was told, in order."""
    sides = sides_of(game.initial_state())
    for event in known.events:
        if event.startswith(_OWN):
            steps, name, text = steps_of(next(own)), known.player, event.removeprefix(_OWN)
        elif event.startswith(_OTHERS):
            mover, _, text = event.removeprefix(_OTHERS).partition(": ")
            name = None if mover == CHANCE else mover
            steps = _steps_in(game, text)
        else:
            continue
        side = sides[name] if name else game.players[0]
        yield {"text": text, "player": name, "side": side, "steps": steps}


def _steps_in(game: Game, text: str) -> list[list[int]]:
    """Return steps between the cells that the text of a move names; the player knows no more."""
    names = game.program.form.cells
    ordered = sorted(names, key=len, reverse=True)
    pattern = f"(?<![A-Za-wyz])(?:{'|'.join(map(re.escape, ordered))})(?![0-9])"
    cells = [names.index(name) for name in re.findall(pattern, text)]
    return [[-1, cells[0]]] if len(cells) == 1 else [list(p) for p in pairwise(cells)]


def _description(part: VisiblePart, game: Game) -> str:
    names = [game.program.form.cells[cell] for cell in part.covered]
    return "; not seen: ".join([describe(part.state), *([", ".join(names)] if names else [])])


def _drawing(
    line: Line,
    part: VisiblePart,
    viewer: str | None,
    played: Sequence[Table],
    request: PositionRequest,
) -> EncodedJson:
    observer = line.game.machine.derived(Observer)
    theme = theme_of(request.more)
    unseen = observer.unseen_registers(line.state, observer.number(viewer))
    marked = Annotations(last=_last(played), whole=True, covered=part.covered, unseen=unseen)
    scene = compose(line.game.program, part.state, marked, line.scenery.ground)
    svg = to_svg(scene, theme, None, line.scenery.written(theme, coordinates=True))
    box = [round(side * UNIT, 1) for side in scene.box]
    return EncodedJson(encoded({"svg": svg, "box": box, "cells": _cells(line, part)}))


def _last(played: Sequence[Table]) -> Move | None:
    """Return the last move as a picture marks it."""
    steps = played[-1]["steps"] if played else []
    assert isinstance(steps, list)
    parts = (Step("", origin, target, -1, 0, -1) for origin, target in steps)
    return Move(tuple(parts), "") if steps else None


def _cells(line: Line, part: VisiblePart) -> EncodedJson:
    """Return the cells in picture coordinates, each with its contents if the player sees them."""
    game, scenery, state = line.game, line.scenery, part.state
    hiding, covered = game.program.hiding, part.covered
    numbers = [n for n in numbers_of(state.form) if n.name not in hiding.nobody]
    owners = (*game.players, "neutral")

    def contents(cell: int) -> str:
        if cell not in covered:
            return scenery.kinds[_plane(state, cell)]
        owner = covered[cell]
        piece = f"{owners[owner]} piece, not seen" if owner >= 0 else "not seen"
        return encoded({"piece": piece, "symbol": UNSEEN})[1:-1]

    def values(cell: int) -> str:
        shown = (n for n in numbers if cell not in covered or n.name not in hiding.numbers)
        return encoded({n.name: n.at(cell, state.registers) for n in shown})

    return encoded_list(
        f'{head},{contents(cell)},"numbers":{values(cell)}}}' for cell, head in scenery.heads
    )


def _plane(state: State, cell: int) -> int:
    """Return the plane of the piece on a cell, -1 if it is empty."""
    return next((plane for plane, mask in enumerate(state.planes) if mask >> cell & 1), -1)
