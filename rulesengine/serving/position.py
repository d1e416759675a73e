"""A position as the page shows it: a picture with its cells, a table, moves, how it stands."""

from collections.abc import Mapping, Sequence

from rulesengine.board.geometry import bits
from rulesengine.board.topology import Topology
from rulesengine.drawing import THEMES, Marked, Theme, compose, described, to_svg
from rulesengine.drawing.svg import UNIT
from rulesengine.game import Game
from rulesengine.listing import to_json
from rulesengine.serving.asked import Asked, Given, table_of, text_of
from rulesengine.serving.games import Line
from rulesengine.serving.refusals import Refused
from rulesengine.state import Form, Move, Outcome, State

Table = dict[str, object]
_MOST_ARROWS, _MOST_NUMBER = 64, 16


def position(line: Line, asked: Asked) -> Table:
    """All that there is to see of the position that a line has come to."""
    game, state = line.game, line.state
    outcome = game.outcome(state)
    legal = () if outcome else game.legal_moves(state)
    weights = game.weights(state) if legal else ()
    return {
        "title": game.name,
        "parameters": shown_parameters(game),
        "declared": [{"name": one.name, **to_json(one)} for one in game.rules.parameters],
        "players": list(game.players),
        "strategies": list(game.strategies),
        "ply": len(line.moves),
        "mover": state.mover,
        "chance": bool(weights),
        "moves": _played(line),
        "legal": [_move(m, w) for m, w in zip(legal, weights or [1] * len(legal), strict=True)],
        "outcome": _outcome(outcome),
        "scores": game.scores(state),
        "said": described(state),
        "text": str(state),
        "drawing": _drawing(line, legal, asked),
        "table": board_table(game.program.topology),
        "problem": _problem(line),
    }


def shown_parameters(game: Game) -> Table:
    """The values of parameters, flags as true or false."""
    flags = {one.name for one in game.rules.parameters if one.type == "flag"}
    return {k: bool(v) if k in flags else v for k, v in game.parameters.items()}


def steps_of(move: Move) -> list[list[int]]:
    """From where to where each step of a move leads; -1 is no cell."""
    return [[step.origin, step.target] for step in move.steps if max(step.origin, step.target) >= 0]


def _move(move: Move, weight: int) -> Table:
    return {"text": str(move), "steps": steps_of(move), "weight": weight}


def _played(line: Line) -> list[Table]:
    """The moves so far with those who made them; chance is nobody."""
    game = line.game
    is_chancy = bool(game.rules.chance)
    return [
        {
            "text": str(move),
            "player": None if is_chancy and game.weights(state) else state.mover,
            "steps": steps_of(move),
        }
        for state, move in zip(line.states, line.moves, strict=False)
    ]


def _outcome(outcome: Outcome | None) -> Table | None:
    if outcome is None:
        return None
    return {
        "winner": outcome.winner,
        "reason": outcome.reason,
        "payoffs": dict(outcome.payoffs),
        "places": outcome.ranks,
    }


def _problem(line: Line) -> Table | None:
    return {"ply": len(line.moves) + 1, "message": line.problem} if line.problem else None


def _drawing(line: Line, legal: Sequence[Move], asked: Asked) -> Table:
    marked = _marked(line, legal, asked)
    scene = compose(line.game.program, line.state, marked, line.scenery.ground)
    box = [round(part * UNIT, 1) for part in scene.box]
    return {"svg": to_svg(scene, theme_of(asked.more)), "box": box, "cells": _cells(line)}


def theme_of(given: Given, usual: Theme = "light") -> Theme:
    """The theme of a request. Raises Refused."""
    asked = text_of(given, "theme") or usual
    for theme in THEMES:
        if asked == theme:
            return theme
    raise Refused("request", f"`theme`: expected {', '.join(THEMES)}, found `{asked[:40]}`")


def _marked(line: Line, legal: Sequence[Move], asked: Asked) -> Marked:
    marks, state = table_of(asked.more, "marks"), line.state
    return Marked(
        last=line.last if marks.get("last", True) else None,
        legal=legal if marks.get("legal", False) else (),
        heat={state.cell(c): _strength(v) for c, v in table_of(marks, "heat").items()},
        numbers={
            state.cell(c): str(v)[:_MOST_NUMBER] for c, v in table_of(marks, "numbers").items()
        },
        arrows=_arrows(marks, state),
        coordinates=bool(marks.get("coordinates", True)),
    )


def _strength(value: object) -> float:
    if not isinstance(value, int | float):
        raise Refused("request", "`heat`: expected numbers from 0 to 1")
    return float(value)


def _arrows(marks: Mapping[str, object], state: State) -> list[tuple[int, int]]:
    given = marks.get("arrows", [])
    if not isinstance(given, list) or len(given) > _MOST_ARROWS:
        raise Refused("request", f"`arrows`: expected a list of at most {_MOST_ARROWS} pairs")
    if not all(isinstance(pair, list) and list(map(type, pair)) == [str, str] for pair in given):
        raise Refused("request", "`arrows`: expected pairs of names of cells")
    return [(state.cell(start), state.cell(end)) for start, end in given]


def _cells(line: Line) -> list[Table]:
    """The cells in the measure of the picture, each with what stands there in words."""
    pieces, form = _pieces(line.state), line.state.form
    registers = line.state.registers
    return [
        {
            **shown,
            **pieces.get(cell, {"piece": "", "symbol": ""}),
            "numbers": {n.name: n.at(cell, registers) for n in form.numbers},
        }
        for cell, shown in line.scenery.cells
    ]


def _pieces(state: State) -> dict[int, Table]:
    """What stands on each cell that is not empty."""
    form, found = state.form, dict[int, Table]()
    for plane, mask in enumerate(state.planes):
        told: Table = {"piece": called(form, plane), "symbol": form.symbols[plane] or ""}
        found |= dict.fromkeys(bits(mask), told)
    return found


def called(form: Form, plane: int) -> str:
    """What people call the pieces of a plane: whose, and of what kind."""
    kind, side = divmod(plane, len(form.players) + 1)
    owner = f"{form.players[side]} " if side < len(form.players) else ""
    return f"{owner}{form.kinds[kind]}"


def board_table(board: Topology) -> Table:
    """The cells in rows and columns, as the printed board has them; None where there is none."""
    columns = 1 + max(column for _, column in board.screen)
    rows: list[list[int | None]] = [[None] * columns for _ in board.indents]
    for cell, (row, column) in enumerate(board.screen):
        rows[row][column] = cell
    labels = zip(board.row_labels, rows, strict=True)
    shown = [{"label": label, "cells": cells} for label, cells in labels]
    return {"columns": list(board.column_labels), "rows": shown}
