"""A position as JSON for the page: a picture with its cells, a table, moves and the outcome."""

from collections.abc import Mapping, Sequence

from rulesengine.board.geometry import bits
from rulesengine.drawing import (
    THEMES,
    Annotations,
    Theme,
    compose,
    describe,
    placed_together,
    to_svg,
)
from rulesengine.drawing.svg_elements import UNIT
from rulesengine.game import Game
from rulesengine.play import winner_text
from rulesengine.play.decisive_pieces import decisive_cells
from rulesengine.server.web.encoding import EncodedJson, encoded, encoded_list
from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.game_cache import Line
from rulesengine.server.web.player_payload import colours_of, scores_shown, sides_of
from rulesengine.server.web.request_fields import JsonObject, PositionRequest, table_of, text_of
from rulesengine.state import CellNumbers, Form, Move, Outcome, State
from rulesengine.tools.inspect import to_json

Table = dict[str, object]
_MOST_ARROWS, _MOST_NUMBER = 64, 16


def position(line: Line, request: PositionRequest) -> Table:
    """Return everything that the page shows of a line's current position."""
    game, state = line.game, line.state
    outcome = game.outcome(state)
    legal = () if outcome else game.legal_moves(state)
    weights = game.weights(state) if legal else ()
    return {
        "title": game.name,
        "parameters": shown_parameters(game),
        "declared": [{"name": one.name, **to_json(one)} for one in game.rules.parameters],
        "players": list(game.players),
        "sides": sides_of(state),
        "colours": colours_of(game, theme_of(request.more)),
        "pieces": line.scenery.pieces,
        "strategies": list(game.strategies),
        "formats": _formats(game),
        "hides": game.program.hiding.text if game.is_hidden else "",
        "ply": len(line.moves),
        "mover": state.mover,
        "chance": bool(weights),
        "moves": _played(line),
        "legal": [
            move_to_json(m, w) | covers_of(game, state, m)
            for m, w in zip(legal, weights or [1] * len(legal), strict=True)
        ],
        "drops": line.scenery.drops,
        "outcome": _outcome(game, outcome),
        "decisive": decisive_cells(game, state, outcome) if outcome else (),
        "scores": game.scores(state),
        **scores_shown(game),
        "description": describe(state),
        "text": str(state),
        "drawing": _drawing(line, legal, request),
        "table": line.scenery.table,
        "problem": _problem(line),
    }


def shown_parameters(game: Game) -> Table:
    """Return the parameter values, flags as booleans."""
    flags = {one.name for one in game.rules.parameters if one.type == "flag"}
    return {k: bool(v) if k in flags else v for k, v in game.parameters.items()}


def _formats(game: Game) -> list[Table]:
    """Return the formats that a game can be written in, with the ends of names of their files."""
    return [
        {"name": row.name, "title": row.title, "suffix": next(iter(row.suffixes), ".txt")}
        for row in game.formats.written()
    ]


def steps_of(move: Move) -> list[list[int]]:
    """Return the origin and target of each step of a move; -1 is no cell."""
    return [[step.origin, step.target] for step in move.steps if max(step.origin, step.target) >= 0]


def covers_of(game: Game, state: State, move: Move) -> Table:
    """Return the cells of the tile that a move covers as `covers`; empty for another move."""
    (step, *others), rules = move.steps, game.program.rules
    group = rules.groups[step.group]
    if others or not group.tiles:
        return {}
    variables = {"player": state.side, "to": step.target, "choice": step.choice}
    # The first effect places pieces on the cells.
    return {"covers": [*bits(game.machine.evaluate(group.effects[0].args[2], state, variables))]}


def move_to_json(move: Move, weight: int) -> Table:
    """Return a legal move with its weight, 1 unless it is a chance event."""
    return {"text": str(move), "steps": steps_of(move), "weight": weight}


def _played(line: Line) -> list[Table]:
    """Return the moves so far with their players; None for a chance move."""
    return [
        {
            "text": str(move),
            "player": player,
            "side": state.form.players[state.side],
            "steps": steps_of(move),
        }
        for state, move, player in zip(line.states, line.moves, line.movers, strict=False)
    ]


def _outcome(game: Game, outcome: Outcome | None) -> Table | None:
    if outcome is None:
        return None
    return {
        "winner": outcome.winner,
        "text": winner_text(game, outcome),
        "reason": outcome.reason,
        "payoffs": dict(outcome.payoffs),
        "places": outcome.ranks,
    }


def _problem(line: Line) -> Table | None:
    return {"ply": len(line.moves) + 1, "message": line.problem} if line.problem else None


def _drawing(line: Line, legal: Sequence[Move], request: PositionRequest) -> EncodedJson:
    marked, theme, scenery = _marked(line, legal, request), theme_of(request.more), line.scenery
    scene = compose(line.game.program, line.state, marked, scenery.ground)
    svg = to_svg(scene, theme, None, scenery.written(theme, coordinates=marked.coordinates))
    box = [round(part * UNIT, 1) for part in scene.box]
    return EncodedJson(encoded({"svg": svg, "box": box, "cells": _cells(line)}))


def theme_of(fields: JsonObject, usual: Theme = "light") -> Theme:
    """Return the theme of a request. Raises RequestError."""
    name = text_of(fields, "theme") or usual
    for theme in THEMES:
        if name == theme:
            return theme
    raise RequestError("request", f"`theme`: expected {', '.join(THEMES)}, found `{name[:40]}`")


def _marked(line: Line, legal: Sequence[Move], request: PositionRequest) -> Annotations:
    marks, state = table_of(request.more, "marks"), line.state
    return Annotations(
        last=line.last if marks.get("last", True) else None,
        whole=True,
        legal=legal if marks.get("legal", False) else (),
        heat={state.cell(c): _strength(v) for c, v in table_of(marks, "heat").items()},
        numbers={
            state.cell(c): str(v)[:_MOST_NUMBER] for c, v in table_of(marks, "numbers").items()
        },
        arrows=_arrows(marks, state),
        pairs=placed_together(line.states) if line.scenery.has_pairs else {},
        coordinates=bool(marks.get("coordinates", True)),
    )


def _strength(value: object) -> float:
    if not isinstance(value, int | float):
        raise RequestError("request", "`heat`: expected numbers from 0 to 1")
    return float(value)


def _arrows(marks: Mapping[str, object], state: State) -> list[tuple[int, int]]:
    arrows = marks.get("arrows", [])
    if not isinstance(arrows, list) or len(arrows) > _MOST_ARROWS:
        raise RequestError("request", f"`arrows`: expected a list of at most {_MOST_ARROWS} pairs")
    if not all(isinstance(pair, list) and list(map(type, pair)) == [str, str] for pair in arrows):
        raise RequestError("request", "`arrows`: expected pairs of names of cells")
    return [(state.cell(start), state.cell(end)) for start, end in arrows]


def numbers_of(form: Form) -> list[CellNumbers]:
    """Return the numbers at cells that the page shows: those without the places in stacks."""
    slots = form.stacks.slots if form.stacks else range(0)
    return [number for number in form.numbers if number.first not in slots]


def _cells(line: Line) -> EncodedJson:
    """Return the cells in picture coordinates, each with its contents in words."""
    state, scenery = line.state, line.scenery
    registers, numbers = state.registers, numbers_of(state.form)
    there = {cell: plane for plane, mask in enumerate(state.planes) for cell in bits(mask)}
    none = encoded({})

    def at(cell: int) -> str:
        return encoded({n.name: n.at(cell, registers) for n in numbers}) if numbers else none

    return encoded_list(
        f'{head},{scenery.kinds[there.get(cell, -1)]},"numbers":{at(cell)}}}'
        for cell, head in scenery.heads
    )
