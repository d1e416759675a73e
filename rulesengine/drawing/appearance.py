"""The appearance of a game: board style, colours of sides, shapes of piece kinds.

The spec's `draw` takes precedence; the rest is derived from names and symbols, and finally from the
order of the sides.
"""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from rulesengine.drawing.layout import TWO_ROWS, fits_rows
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Appearance, ByOwner, Kind
from rulesengine.support.frozen import record, replace

NEUTRAL: Final = "neutral"

# Colour words in the names of players.
_WORDS: Final = MappingProxyType(
    {
        **{word: word for word in "black white grey red orange yellow green blue".split()},
        **{word: word for word in "purple brown pink".split()},
        "gray": "grey",
        "dark": "black",
        "light": "white",
        "b": "black",
        "w": "white",
        "violet": "purple",
        "gold": "yellow",
    }
)
_SYMBOLS: Final = MappingProxyType(
    {
        "b": "black",
        "w": "white",
        "r": "red",
        "y": "yellow",
        "g": "green",
        "p": "purple",
        "x": "black",
        "*": "black",
        "#": "black",
        "@": "black",
        "o": "white",
        "0": "white",
    }
)
_ORDER: Final = ("blue", "red", "green", "orange", "purple", "brown", "yellow", "pink")

# Shapes by names of kinds.
_SHAPES: Final = MappingProxyType(
    {
        **{name: name for name in "king queen rook bishop knight pawn".split()},
        **{name: name for name in "disc ring cross triangle square diamond bar".split()},
        **dict.fromkeys("man stone piece marble ball tile token bead counter".split(), "disc"),
        "nought": "ring",
        "circle": "ring",
        "coin": "disc",
        "box": "square",
        "post": "bar",
        **dict.fromkeys("block wall arrow gap trail cube brick".split(), "square"),
        "crown": "crown",
        "amazon": "queen",
    }
)
_MARKS: Final = MappingProxyType({"x": "cross", "o": "ring", "0": "ring", "v": "triangle"})
# drawn as lines, which are invisible in white
_DRAWN: Final = frozenset({"cross", "ring", "triangle"})
_BARS: Final = frozenset({"bar", "crossbar"})
_LETTERED: Final = frozenset({"letter", "token", "wedge"})
_HEIGHTS: Final = MappingProxyType({"low": 0.1, "high": 0.34})
_NO_APPEARANCE: Final = Appearance()


@record
class PieceStyle:
    """The appearance of the piece of a plane; the text is empty if none is shown."""

    shape: str
    colour: str
    text: str
    marks: tuple[str, ...] = ()
    height: float = 0.0
    joined: str = ""


def style_of(program: Program) -> str:
    """Return the board style; a style of two rows needs a board with two rows."""
    look = program.rules.look
    if look is not None and look.board:
        fits = look.board not in TWO_ROWS or fits_rows(program.topology, look.board)
        return look.board if fits else "points"
    return "lines" if program.topology.shape == "graph" else "squares"


def colour_of_board(program: Program) -> str:
    """Return the colour that the spec gives the board; empty if none."""
    look = program.rules.look
    return dict(look.colours).get("board", "") if look is not None else ""


def piece_styles(program: Program) -> tuple[PieceStyle, ...]:
    """Return the appearance of the pieces of each plane: kinds by sides, neutral ones last."""
    rules = program.rules
    shapes = [[_shape(kind, s, program) for s in range(_owners(program))] for kind in rules.kinds]
    colours = side_colours(program)
    own_colours = dict(rules.look.colours) if rules.look is not None else {}
    look, marks = rules.look or _NO_APPEARANCE, _marks(program)
    heights = {kind: _HEIGHTS[height] for kind, height in look.heights}
    styles = [
        PieceStyle(
            shape,
            own_colours.get(kind.name, colours[side]),
            _text(kind, side),
            marks.get(kind.name, ()),
            heights.get(kind.name, 0.0),
            _owned(look.joined, kind.name, _owner(program, side)),
        )
        for kind, row in zip(rules.kinds, shapes, strict=True)
        for side, shape in enumerate(row)
    ]
    labelled = [
        _owned(look.labels, kind.name, _owner(program, side))
        for kind in rules.kinds
        for side in range(_owners(program))
    ]
    return tuple(
        replace(piece_style, text=label) if label else _without_text(piece_style, styles)
        for piece_style, label in zip(styles, labelled, strict=True)
    )


def _marks(program: Program) -> dict[str, tuple[str, ...]]:
    """Return the marks of each kind that has some, in the order of the spec."""
    by_kind: dict[str, tuple[str, ...]] = {}
    for kind, mark in (program.rules.look or _NO_APPEARANCE).marks:
        by_kind[kind] = (*by_kind.get(kind, ()), mark)
    return by_kind


def _text(kind: Kind, side: int) -> str:
    """Return the symbol, as a capital letter if its case only distinguishes the sides."""
    symbol, others = kind.symbols[side], [s for s in kind.symbols if s]
    same = len(others) > 1 and len({s.upper() for s in others}) == 1
    return symbol.upper() if same else symbol


def _without_text(piece_style: PieceStyle, every: Sequence[PieceStyle]) -> PieceStyle:
    """Remove the text of a piece with a unique appearance; a letter keeps it, a bar has none."""
    bare = replace(piece_style, text="")
    alike = [other for other in every if other.text and replace(other, text="") == bare]
    plain = piece_style.shape in _BARS or (piece_style.shape not in _LETTERED and len(alike) < 2)
    return bare if plain else piece_style


def side_colours(program: Program) -> tuple[str, ...]:
    """Return the colour of each side's pieces, that of neutral pieces last."""
    players = [player.name for player in program.rules.players]
    look = program.rules.look
    colours = dict(look.colours) if look is not None else {}
    usual = _by_name(players) or _by_symbols(program) or _by_order(len(players))
    own = [colours.get(name, colour) for name, colour in zip(players, usual, strict=True)]
    return (*own, colours.get(NEUTRAL, "grey"))


def _by_name(players: Sequence[str]) -> list[str]:
    """Return the colours in the names of the players if all have a different one; else none."""
    numbers = [
        next((_WORDS[word] for word in re.split("[^a-z]+", name.lower()) if word in _WORDS), "")
        for name in players
    ]
    return numbers if _is_sound(numbers) else []


def _by_symbols(program: Program) -> list[str]:
    """Return the colours implied by the symbols of some kind.

    None are returned if a kind is drawn as lines, which would be invisible in white.
    """
    sides = range(len(program.rules.players))
    if any(_shape(kind, side, program) in _DRAWN for kind in program.rules.kinds for side in sides):
        return []
    for kind in program.rules.kinds:
        shown = [kind.symbols[side] for side in sides]
        names = [_SYMBOLS.get(symbol.lower(), "") for symbol in shown]
        if shown and all(symbol.lower() == shown[0].lower() for symbol in shown) and shown[0]:
            names = ["white" if symbol.isupper() else "black" for symbol in shown]
        if _is_sound(names):
            return names
    return []


def _is_sound(colours: Sequence[str]) -> bool:
    return all(colours) and len(set(colours)) == len(colours)


def _by_order(count: int) -> list[str]:
    return [_ORDER[i % len(_ORDER)] for i in range(count)]


def _owners(program: Program) -> int:
    return len(program.rules.players) + 1


def _shape(kind: Kind, side: int, program: Program) -> str:
    """Return the shape of a kind: by the spec, by its name, or a disc for a side's only kind."""
    look, owner = program.rules.look or _NO_APPEARANCE, _owner(program, side)
    if shape := _owned(look.shapes, kind.name, owner):
        return shape
    if _owned(look.joined, kind.name, owner):
        return "square"
    if kind.name == "mark":
        return _MARKS.get(kind.symbols[side].lower(), "letter")
    names = [other.name for other in program.rules.kinds]
    if kind.name == "king" and "man" in names:
        return "crown"
    if kind.name in _SHAPES:
        return _SHAPES[kind.name]
    own = [other for other in program.rules.kinds if other.symbols[side]]
    return "disc" if len(own) < 2 else "letter"


def _owner(program: Program, side: int) -> str:
    players = program.rules.players
    return players[side].name if side < len(players) else NEUTRAL


def _owned(words: Sequence[ByOwner], kind: str, owner: str) -> str:
    """Return the word that the spec gives a kind, preferably one for this player."""
    by_owner = {player: word for name, player, word in words if name == kind}
    return by_owner.get(owner) or by_owner.get("", "")
