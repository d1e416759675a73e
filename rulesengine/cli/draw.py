"""`draw`: a position as a picture."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rulesengine.cli.output import result
from rulesengine.cli.shared_options import (
    Options,
    Parser,
    add_game_number,
    add_game_options,
    add_spec,
    whole_number,
)
from rulesengine.cli.spec_arguments import load_game, position_of
from rulesengine.errors import UsageError
from rulesengine.play import replayed
from rulesengine.play.picture_position import picture_position
from rulesengine.support.files import read_source, replace

if TYPE_CHECKING:
    from rulesengine import Game, Move, State
    from rulesengine.drawing import Annotations, Theme

_LEAST, _MOST = 16, 4096  # pixels
_DIGITS = 3  # significant digits of a number on a cell


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--position",
        metavar="FILE",
        help="a position as text or in a file, or a game (its last position and move); - is"
        " standard input",
    )
    add_game_number(command)
    command.add_argument(
        "--picture", action="store_true", help="draw the position of `picture` in the spec"
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write or replace a file .svg or .png; otherwise print SVG",
    )
    command.add_argument("--last", metavar="MOVE", help="play this move, and mark it")
    command.add_argument(
        "--legal", action="store_true", help="mark the cells where legal moves begin"
    )
    command.add_argument(
        "--heat", metavar="FILE", help="JSON object of cells and numbers to show on them"
    )
    command.add_argument(
        "--arrow",
        metavar="CELL-CELL",
        action="append",
        default=[],
        help="draw an arrow (may be repeated)",
    )
    command.add_argument(
        "--theme",
        choices=("auto", "light", "dark"),
        default="auto",
        help="auto (the default) follows the reader's system; a PNG is light",
    )
    command.add_argument(
        "--size", metavar="PIXELS", type=whole_number(_MOST), help="width of the picture"
    )
    command.add_argument(
        "--no-coordinates", action="store_true", help="omit the names of rows and columns"
    )


def execute(options: Options) -> int:
    """Draw a position into a file, or print it."""
    from rulesengine.drawing import picture, to_png

    path = options.output
    form = _form(path)
    if options.size is not None and options.size < _LEAST:
        raise UsageError(f"--size: at least {_LEAST}, found {options.size}")
    game = load_game(options.spec, options)
    game, state, last = _position(game, options)
    theme: Theme = "light" if form == "png" and options.theme == "auto" else options.theme
    marked = _marked(game, state, last, options)
    svg = picture(game.program, state, marked, theme=theme, size=options.size)
    if path is None:
        result(svg)
    else:
        replace(path, to_png(svg) if form == "png" else f"{svg}\n".encode())
    return 0


def _form(path: str | None) -> str:
    """Return `svg` or `png`, from the extension of a file name."""
    if path is None:
        return "svg"
    form = path.rpartition(".")[2].lower()
    if form not in ("svg", "png"):
        raise UsageError(f"{path}: expected a name that ends in .svg or .png")
    return form


def _position(game: Game, options: Options) -> tuple[Game, State, Move | None]:
    """Return the selected position, its game, and the last move if it is known."""
    name, last = options.position, None
    if options.picture:
        if name is not None:
            raise UsageError("--picture: it is a position; omit --position")
        state, last = picture_position(game)
    elif name is None or name == "-" or game.formats.recognises_position(name):
        state = position_of(game, name, options.game)
    else:
        played, _ = replayed(game, Path(name), options.game or 1)
        game, state = played.game, played.states[-1]
        last = played.moves[-1] if played.moves else None
    if options.last is not None:
        last = game.move(options.last, state)
        state = game.apply(state, last)
    return game, state, last


def _marked(game: Game, state: State, last: Move | None, options: Options) -> Annotations:
    from rulesengine.drawing import Annotations

    heat = _heat(state, options.heat) if options.heat is not None else {}
    most = max((abs(value) for value in heat.values()), default=0) or 1
    return Annotations(
        last=last,
        legal=game.legal_moves(state) if options.legal else (),
        heat={cell: abs(value) / most for cell, value in heat.items()},
        numbers={cell: f"{value:.{_DIGITS}g}" for cell, value in heat.items()},
        arrows=[_arrow(state, text) for text in options.arrow],
        coordinates=not options.no_coordinates,
    )


def _heat(state: State, name: str) -> dict[int, float]:
    """Read the numbers of cells from a file."""
    try:
        values = json.loads(read_source(name).text)
    except ValueError as error:
        raise UsageError(f"{name}: not JSON: {error}") from None
    if not isinstance(values, Mapping) or not all(_is_number(v) for v in values.values()):
        raise UsageError(f'{name}: expected an object of cells and numbers, such as {{"a1": 0.5}}')
    return {state.cell(cell): value for cell, value in values.items()}


def _is_number(value: object) -> bool:
    """True if a value is a finite number; JSON in Python also has NaN and infinities."""
    return type(value) in (int, float) and abs(value) <= sys.maxsize  # type: ignore[arg-type]


def _arrow(state: State, text: str) -> tuple[int, int]:
    """Split two cell names at a hyphen; the names may contain hyphens too."""
    cells = state.form.cells
    for i, sign in enumerate(text):
        if sign == "-" and text[:i] in cells and text[i + 1 :] in cells:
            return state.cell(text[:i]), state.cell(text[i + 1 :])
    raise UsageError(
        f"--arrow: expected two cells such as {cells[0]}-{cells[-1]}, found `{text[:40]}`"
    )
