"""Boards of generated specs: their YAML, and the words that expressions may use about them.

All choices use a function `draw(n)` that returns a number below n. The first choice is the
simplest, for readable shrunk examples.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

Draw = Callable[[int], int]
T = TypeVar("T")

SQUARE = "north northeast east southeast south southwest west northwest".split()
SIX = "northeast east southeast southwest west northwest".split()
DEEP = "up down up_north down_east down_southwest".split()
ORIGINS = ("top-left", "bottom-left", "top-right", "bottom-right")
SIDES = ("top", "bottom", "left", "right")


@dataclass(frozen=True, slots=True)
class Board:
    """A board of a spec: its section, and some names of cells, at least one."""

    section: dict[str, Any]
    size: int
    cells: tuple[str, ...]
    directions: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()


def pick(draw: Draw, values: Sequence[T]) -> T:
    return values[draw(len(values))]


def likely(draw: Draw, percent: int) -> bool:
    """True with this chance in percent; False is the simple case."""
    return draw(100) >= 100 - percent


def some(draw: Draw, values: Sequence[T], least: int = 1, most: int = 3) -> list[T]:
    """Return a few values; values may repeat."""
    return [pick(draw, values) for _ in range(least + draw(most - least + 1))]


def board(draw: Draw) -> Board:
    """Return mostly small rectangles; some boards have more than 64 cells, some no directions."""
    square = (_rectangle,) * 5 + (_wrapped, _wrapped, _box)
    shapes = (*square, _rhombus, _hexagon, _triangle, _staggered, _graph, _graph)
    return pick(draw, shapes)(draw)


def wide_board(draw: Draw) -> Board:
    """Return a board of 129 to 1,024 cells that has no rows of at most 64 cells, or uneven rows."""
    shapes = (_wide, _wide, _wide_wrapped, _wide_rhombus, _wide_staggered, _deep, _large_triangle)
    return pick(draw, (*shapes, _mesh))(draw)


REGIONS_OF_WRAPPED = {"columns": ("top", "bottom", "edge"), "rows": ("left", "right", "edge")}


def _sizes(draw: Draw) -> tuple[int, int]:
    """Return rows and columns from 2 to 12, mostly few; one in six boards has over 64 cells."""
    if likely(draw, 18):
        rows = 6 + draw(7)
        return rows, -(-65 // rows) + draw(13 + 65 // -rows)
    return 2 + draw(5), 2 + draw(5)


def _rectangle(draw: Draw, wrap: str = "") -> Board:
    rows, columns = _sizes(draw)
    names = [f"{column}{row + 1}" for row in range(rows) for column in "abcdefghijkl"[:columns]]
    section: dict[str, Any] = {"rows": rows, "columns": columns, "origin": pick(draw, ORIGINS)}
    regions: tuple[str, ...] = (*SIDES, "edge", "corners")
    if wrap:
        section["wrap"] = wrap
        regions = REGIONS_OF_WRAPPED.get(wrap, ())
    if likely(draw, 20):
        # At least half of the cells remain.
        holes = set(some(draw, names, 1, max(1, min(4, len(names) // 2))))
        names = [name for name in names if name not in holes]
        section["holes"] = " ".join(sorted(holes))
    if likely(draw, 25):
        section["adjacency"] = pick(draw, ["orthogonal", "diagonal"])
    shown = tuple(some(draw, names, 2, 4))
    sets = ("orthogonal", "diagonal")
    return Board(section, len(names), shown, tuple(SQUARE), sets, regions)


def _wrapped(draw: Draw) -> Board:
    return _rectangle(draw, pick(draw, ["columns", "rows", "both"]))


def _rhombus(draw: Draw) -> Board:
    rows, columns = _sizes(draw)
    section = {"shape": "rhombus", "rows": rows, "columns": columns, "origin": pick(draw, ORIGINS)}
    regions: tuple[str, ...] = (*SIDES, "edge", "corners")
    if likely(draw, 25):
        section["wrap"] = pick(draw, ["columns", "rows", "both"])
        regions = REGIONS_OF_WRAPPED.get(str(section["wrap"]), ())
    return Board(section, rows * columns, ("a1", "b2", "b1"), tuple(SIX), (), regions)


def _hexagon(draw: Draw) -> Board:
    size = pick(draw, [2, 3, 4, 5, 6])
    section = {"shape": "hexagon", "size": size, "origin": pick(draw, ORIGINS)}
    regions = ("top", "bottom", "lower_left", "upper_right", "edge", "corners")
    middle = f"{'abcdefghijk'[size - 1]}{size}"
    size = 3 * size * (size - 1) + 1
    return Board(section, size, ("a1", "b2", middle), tuple(SIX), (), regions)


def _triangle(draw: Draw) -> Board:
    size = pick(draw, [2, 3, 4, 5, 6, 11])
    section: dict[str, Any] = {"shape": "triangle", "size": size, "origin": pick(draw, ORIGINS)}
    regions = ("left", "right", "bottom", "edge", "corners")
    return Board(section, size * (size + 1) // 2, ("a1", "a2", "b2"), tuple(SIX), (), regions)


def _staggered(draw: Draw) -> Board:
    rows, columns = _sizes(draw)
    section = {
        "shape": "staggered",
        "rows": rows,
        "columns": columns,
        "origin": pick(draw, ORIGINS),
    }
    section |= {"stagger": "odd"} if likely(draw, 50) else {}
    regions = (*SIDES, "edge", "corners")
    return Board(section, rows * columns, ("a1", "b2", "b1"), tuple(SIX), (), regions)


def _box(draw: Draw) -> Board:
    layers, rows, columns = 2 + draw(3), 2 + draw(3), 2 + draw(4)
    section = {"shape": "box", "layers": layers, "rows": rows, "columns": columns}
    regions = ("top", "bottom", "back", "front", "left", "edge", "corners")
    directions = tuple(SQUARE + DEEP)
    sets = ("orthogonal", "diagonal")
    cells = ("a1", "b2", f"b{rows * layers}")
    return Board(section, layers * rows * columns, cells, directions, sets, regions)


def _wide_sizes(draw: Draw) -> tuple[int, int]:
    """Return rows and columns, 65 or more of one of them."""
    long = 65 + draw(100)
    short = 2 + draw(min(8, 1024 // long - 1))
    return (short, long) if likely(draw, 70) else (long, short)


def _wide(draw: Draw, wrap: str = "", shape: str = "rectangle") -> Board:
    rows, columns = _wide_sizes(draw)
    section: dict[str, Any] = {"shape": shape, "rows": rows, "columns": columns}
    section |= {"wrap": wrap} if wrap else {}
    regions = REGIONS_OF_WRAPPED.get(wrap, ()) if wrap else (*SIDES, "edge", "corners")
    if shape != "rhombus" and not wrap and likely(draw, 40):
        section["holes"] = " ".join(sorted(set(some(draw, ["a2", "b1", "c2", "e1", "f2"], 1, 4))))
    directions = SQUARE if shape == "rectangle" else SIX
    return Board(section, rows * columns - 4, ("a1", "d1", "g1"), tuple(directions), (), regions)


def _wide_wrapped(draw: Draw) -> Board:
    return _wide(draw, pick(draw, ["columns", "rows", "both"]))


def _wide_rhombus(draw: Draw) -> Board:
    return _wide(draw, shape="rhombus")


def _wide_staggered(draw: Draw) -> Board:
    return _wide(draw, shape="staggered")


def _large_triangle(draw: Draw) -> Board:
    size = pick(draw, [27, 35, 44])
    regions = ("left", "right", "bottom", "edge", "corners")
    section = {"shape": "triangle", "size": size}
    return Board(section, size * (size + 1) // 2, ("a1", "a2", "b2"), tuple(SIX), (), regions)


def _deep(draw: Draw) -> Board:
    layers, rows, columns = 5 + draw(6), 5 + draw(6), 6 + draw(4)
    section = {"shape": "box", "layers": layers, "rows": rows, "columns": columns}
    cells = ("a1", "b2", f"b{rows * layers}")
    sets = ("orthogonal", "diagonal")
    return Board(section, layers * rows * columns, cells, tuple(SQUARE + DEEP), sets, ("edge",))


def _mesh(draw: Draw) -> Board:
    rows, columns = pick(draw, [(2, 38), (5, 40), (35, 4), (15, 15)])
    section = {"shape": "mesh", "rows": rows, "columns": columns}
    size = (2 * rows + 1) * (2 * columns + 1)
    return Board(section, size, ("a1", "b2", "c3"), tuple(SQUARE), (), ("points", "faces"))


def _graph(draw: Draw) -> Board:
    """Return a few cells with random edges and, mostly, random lines."""
    names = [f"p{i}" for i in range(3 + draw(8))]
    edges = [f"{a}-{b}" for a, b in pairwise(names) if not likely(draw, 15)]
    for _ in range(draw(6)):
        a, b = pick(draw, names), pick(draw, names)
        edges += [f"{a}-{b}"] if a != b and not {f"{a}-{b}", f"{b}-{a}"} & set(edges) else []
    section: dict[str, Any] = {"shape": "graph", "cells": " ".join(names)}
    section |= {"edges": edges or [f"{names[0]}-{names[1]}"]}
    lines = []
    for _ in range(draw(4)):
        start, step = draw(len(names)), 1 + draw(2)
        line = names[start::step]
        lines += ["-".join(line)] if len(line) > 1 else []
    if lines:
        section["lines"] = list(dict.fromkeys(lines))
    return Board(section, len(names), tuple(names[:4]))
