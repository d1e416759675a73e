"""The words that shapes of board bring: directions, sets of directions, and regions."""

from collections.abc import Iterator
from types import MappingProxyType

from rulesengine.board.shapes import SHAPES, make_board
from rulesengine.board.topology import Topology
from rulesengine.support.frozen import record

# A small board of each shape that has words.
EXAMPLE_BOARDS: MappingProxyType[str, dict[str, object]] = MappingProxyType(
    {
        "rectangle": {"rows": 3, "columns": 3},
        "rhombus": {"rows": 3, "columns": 3},
        "hexagon": {"size": 2},
        "triangle": {"size": 2},
        "staggered": {"rows": 2, "columns": 2},
        "mesh": {"rows": 1, "columns": 1},
        "box": {"layers": 2, "rows": 2, "columns": 2},
        "graph": {"cells": ("a", "b"), "edges": (("a", "b"),)},
    }
)
_SETS: MappingProxyType[str, str] = MappingProxyType(
    {
        "orthogonal": "the directions along the rows, columns and layers",
        "diagonal": "all directions that are not orthogonal",
    }
)
_REGIONS: MappingProxyType[str, str] = MappingProxyType(
    {
        "edge": "the cells on any side of the board, but not those next to a hole only",
        "corners": "the cells on two sides of the board, on a box those on three",
        "points": "the places of a mesh where borders meet",
        "borders": "the places of a mesh between two faces",
        "faces": "the places of a mesh with borders around them",
    }
)


@record
class BoardWord:
    """A word of some shapes of board; `kind` is `direction`, `directions` or `region`."""

    word: str
    kind: str
    meaning: str
    examples: tuple[str, ...]


def board_words() -> tuple[BoardWord, ...]:
    """Return every direction, set of directions and region, with the shapes that have it."""
    shapes: dict[tuple[str, str], list[str]] = {}
    for shape in SHAPES:
        for key in _words(make_board(shape, EXAMPLE_BOARDS[shape])):
            shapes.setdefault(key, []).append(shape)
    return tuple(_board_word(word, kind, with_word) for (word, kind), with_word in shapes.items())


def _words(board: Topology) -> Iterator[tuple[str, str]]:
    for direction in board.directions:
        yield direction.name, "direction"
    for name, _ in board.direction_sets:
        if name != "all":
            yield name, "directions"
    for name, _ in board.regions:
        yield name, "region"


def _direction(word: str) -> str:
    """Return the meaning of a direction; on a box some of them lead to another layer."""
    first, _, rest = word.partition("_")
    if first not in ("up", "down"):
        return f"one step to the {word} on the screen"
    screen_step = f", and one step to the {rest} on the screen" if rest else ""
    return f"one layer {first}{screen_step}"


def _board_word(word: str, kind: str, shapes: list[str]) -> BoardWord:
    match kind:
        case "direction":
            meaning = _direction(word)
            examples = (f"shift(own, {word})", f"slide(own, {word}, empty)", f"opposite({word})")
        case "directions":
            meaning = _SETS[word]
            examples = (
                f"shift(own, {word})",
                f"slide(own, {word}, empty)",
                f"line(own, at least 3, along: {word})",
            )
        case _:
            side = f"the cells on the side `{word}` of the board"
            meaning = _REGIONS.get(word, side)
            examples = (f"own and {word}", f"any(own and {word})", f"all minus {word}")
    return BoardWord(word, kind, f"{meaning}; on boards of {_shapes(shapes)}", examples)


def _shapes(names: list[str]) -> str:
    """Return the shapes as a list in words."""
    *some, last = names
    return f"the shapes {', '.join(some)} and {last}" if some else f"the shape {last}"
