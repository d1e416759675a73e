"""`draw`: a position as a picture."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from rulesengine import Move, State
from rulesengine.cli.arguments import Options
from rulesengine.cli.output import result
from rulesengine.cli.specs import load_game, position_of
from rulesengine.drawing import Marked, Theme, picture, to_png
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.play import replayed
from rulesengine.support.files import read_source, replace

_LEAST = 16  # pixels: a smaller picture shows nothing
_PLACES = 3  # of a number that is shown


def draw(options: Options) -> int:
    """Draw a position into a file, or onto standard output."""
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
    """`svg` or `png`, by the end of a name."""
    if path is None:
        return "svg"
    form = path.rpartition(".")[2].lower()
    if form not in ("svg", "png"):
        raise UsageError(f"{path}: expected a name that ends in .svg or .png")
    return form


def _position(game: Game, options: Options) -> tuple[Game, State, Move | None]:
    """The position that was asked for, its game, and the move that led to it, if known."""
    name, last = options.position, None
    if name is None or name == "-":
        state = position_of(game, name)
    else:
        played, _ = replayed(game, Path(name))
        game, state = played.game, played.states[-1]
        last = played.moves[-1] if played.moves else None
    if options.last is not None:
        last = game.move(options.last, state)
        state = game.apply(state, last)
    return game, state, last


def _marked(game: Game, state: State, last: Move | None, options: Options) -> Marked:
    heat = _heat(state, options.heat) if options.heat is not None else {}
    most = max((abs(value) for value in heat.values()), default=0) or 1
    return Marked(
        last=last,
        legal=game.legal_moves(state) if options.legal else (),
        heat={cell: abs(value) / most for cell, value in heat.items()},
        numbers={cell: f"{value:.{_PLACES}g}" for cell, value in heat.items()},
        arrows=[_arrow(state, text) for text in options.arrow],
        coordinates=not options.no_coordinates,
    )


def _heat(state: State, name: str) -> dict[int, float]:
    """The numbers of cells in a file."""
    try:
        given = json.loads(read_source(name).text)
    except ValueError as error:
        raise UsageError(f"{name}: no JSON: {error}") from None
    if not isinstance(given, Mapping) or not all(_is_number(v) for v in given.values()):
        raise UsageError(f'{name}: expected an object of cells and numbers, such as {{"a1": 0.5}}')
    return {state.cell(cell): value for cell, value in given.items()}


def _is_number(value: object) -> bool:
    """Whether it is a number that can be shown: JSON of Python knows NaN and infinities too."""
    return type(value) in (int, float) and abs(value) <= sys.maxsize  # type: ignore[arg-type]


def _arrow(state: State, text: str) -> tuple[int, int]:
    """Two cells with a hyphen between them; names may have hyphens of their own."""
    cells = state.form.cells
    for i, sign in enumerate(text):
        if sign == "-" and text[:i] in cells and text[i + 1 :] in cells:
            return state.cell(text[:i]), state.cell(text[i + 1 :])
    raise UsageError(
        f"--arrow: expected two cells such as {cells[0]}-{cells[-1]}, found `{text[:40]}`"
    )
