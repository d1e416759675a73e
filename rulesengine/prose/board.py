"""Descriptions of the board, the pieces and the registers of a game."""

from collections.abc import Iterator
from itertools import groupby, pairwise
from types import MappingProxyType

from rulesengine.board.tiles import CELL, GAP
from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import domain_type, goes_by_adjacency, is_constant, loop_function
from rulesengine.language.ir.rules import (
    OUT,
    Kind,
    Register,
    Rules,
    is_always_together,
    operations,
    recalled,
)
from rulesengine.prose.effects import Describer
from rulesengine.prose.names import is_plural
from rulesengine.prose.nouns import listed, plural
from rulesengine.prose.remarks import sentence

_LIVES = MappingProxyType(
    {
        "game": "",
        "turn": ", and again when another side is to move",
        "move": ", and again after every move",
    }
)
_SEEN = MappingProxyType(
    {"": "", "all": "", "own": "; seen by that player alone", "nobody": "; seen by no player"}
)
# The owners of the values of a register, where its key alone does not name them.
_OWNERS = MappingProxyType(
    {
        "kind": " for each kind of piece",
        "player kind": " for each player and each kind of piece",
    }
)
_TYPES = MappingProxyType(
    {"flag": "yes or no", "cells": "a set of cells", "side": "a player", "kind": "a kind of piece"}
)
_NUMBERS = MappingProxyType({2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"})


def board_sentences(rules: Rules, program: Program, describer: Describer) -> list[str]:
    """Describe the shape and size of the board, the names of cells, and joined or missing cells."""
    sentences = [_shape(rules, program)]
    form = rules.board
    if form.wrap != "none":
        joined = {"columns": "left and right", "rows": "top and bottom"}
        sides = joined.get(form.wrap, "left and right, and top and bottom")
        sentences.append(f"Its sides are joined: {sides}.")
    if missing := program.rules.board.holes:
        sentences.append(_missing(missing))
    if form.joins:
        joins = "; ".join(f"{a} {d} to {b} {e}" for a, d, b, e in form.joins)
        sentences.append(f"Lines that leave the board go on by joins, both ways: {joins}.")
    if form.adjacency is not None:
        sentences.append(f"Cells are next to each other {describer.text(form.adjacency, {})} only.")
    elif form.shape in ("rectangle", "box") and _reads_neighbours(rules):
        sentences.append("Cells are next to each other orthogonally and diagonally.")
    if (stacks := program.rules.stacks) is not None:
        covered = [plural(rules.kinds[number].name.replace("_", " ")) for number in stacks.covered]
        others = f", all but the upper one being {listed(covered, 'or')}" if covered else ""
        sentences.append(f"A cell holds a stack of up to {stacks.height.value} pieces{others}.")
    if form.shape == "box":
        sentences.append("Rows are counted on from layer to layer.")
    if form.shape == "graph":
        sentences += _graph(rules)
    return sentences


def _missing(holes: tuple[str, ...]) -> str:
    if len(holes) > _FEW:
        return f"{len(holes)} cells are missing; they are blank in the picture."
    return f"These cells are missing: {' '.join(holes)}."


# The maximum number of missing cells that are named.
_FEW = 12
# The number of points of a path that is one edge.
_EDGE = 2


def _reads_neighbours(rules: Rules) -> bool:
    """True if a rule reads the neighbours of cells."""
    return any(_names_neighbours(inner) for op in operations(rules) for inner in walk(op))


def _names_neighbours(op: Op) -> bool:
    groups = domain_type(op) == "groups" and bool(loop_function(op))
    return groups or goes_by_adjacency(op)


def _shape(rules: Rules, program: Program) -> str:
    sizes: dict[str, Op] = dict(rules.board.numbers)
    size = {key: op.value for key, op in sizes.items()}
    names = program.topology.names
    corner = rules.board.origin.replace("-", " ")
    first = program.topology.cell_at(1, 1)
    named = f"; {names[first]} is at the {corner}" if first is not None else ""
    grid = listed([_many(size[key], key) for key in ("rows", "columns") if key in size])
    match rules.board.shape:
        case "rectangle":
            return f"The board has {grid}{named}."
        case "rhombus":
            return f"The board is a rhombus of hexagonal cells, {grid}{named}."
        case "hexagon":
            return f"The board is a hexagon of hexagonal cells, {size['size']} on each side."
        case "triangle":
            return f"The board is a triangle of hexagonal cells, {size['size']} on each side."
        case "staggered":
            line = "first" if rules.board.stagger == "odd" else "second"
            return (
                f"The board has {size['rows']} rows of {size['columns']} hexagonal cells; from the"
                f" {line} on every second row is shifted half a cell to the right{named}."
            )
        case "mesh":
            return (
                f"The board has {grid} of square faces; there are places on them, on the borders"
                f" round them and on the points where these meet{named}."
            )
        case "box":
            return f"The board has {_many(size['layers'], 'layers')} of {grid}{named}."
    return f"The board has {len(names)} points: {' '.join(names)}."


def _many(number: object, things: str) -> str:
    """Return a number of things: `one row`, `3 rows`."""
    return f"one {things[:-1]}" if number == 1 else f"{number} {things}"


def _graph(rules: Rules) -> Iterator[str]:
    """Describe adjacency: by the lines if they are complete, else by paths and their hubs."""
    form = rules.board
    steps = {frozenset(step) for line in form.lines for step in pairwise(line)}
    if form.edges and steps == set(map(frozenset, form.edges)):
        yield "Points that follow each other on a line are next to each other."
    elif form.edges:
        yield f"These points are next to each other: {_paths(form.edges)}."
    if form.lines:
        yield "The lines are " + ", ".join("-".join(line) for line in form.lines) + "."


def _paths(edges: tuple[tuple[str, str], ...]) -> str:
    """Join edges to paths; group single edges with one end point."""
    paths: list[list[str]] = []
    for start, end in edges:
        if paths and paths[-1][-1] == start:
            paths[-1].append(end)
        else:
            paths.append([start, end])
    return "; ".join(map(_describe_paths, groupby(paths, _hub)))


def _hub(path: list[str]) -> str:
    """Return the end point of a path of one edge."""
    return path[-1] if len(path) == _EDGE else ""


def _describe_paths(path_texts: tuple[str, Iterator[list[str]]]) -> str:
    hub, paths = path_texts[0], list(path_texts[1])
    if hub and len(paths) > 1:
        return f"{listed([path[0] for path in paths])} to {hub}"
    return ", ".join("-".join(path) for path in paths)


def player_sentences(rules: Rules, *, chance_first: bool) -> list[str]:
    """Describe the players and the first of them, or that chance moves before them."""
    names = [p.name.replace("_", " ") for p in rules.players]
    if len(names) == 1:
        return [f"One player: {names[0]}."]
    if chance_first or is_always_together(rules):
        count = _NUMBERS.get(len(names), len(names))
        first = " Chance moves first." if chance_first else ""
        return [f"{count} players: {listed(names)}.{first}"]
    first = f"{names[0]} {'move' if is_plural(names[0]) else 'moves'} first"
    return [f"{_NUMBERS.get(len(names), len(names))} players: {listed(names)}; {first}."]


def piece_sentences(rules: Rules) -> list[str]:
    """Describe each kind of piece: its symbol for each owner, its attributes, its number."""
    names = [*(f"for {p.name.replace('_', ' ')}" for p in rules.players), "(neutral)"]
    shown = [kind for kind in rules.kinds if any(kind.symbols)]
    neutral = [set(kind.attributes) for kind in shown if not any(kind.symbols[:-1])]
    shared = set.intersection(*neutral) if len(neutral) > 1 else set()
    sentences = []
    for kind in shown:
        words = [w.replace("_", " ") for w in kind.attributes if w not in shared]
        if shared and words and not any(kind.symbols[:-1]):
            sentences.append(f"{kind.symbols[-1]}: {', '.join(words)}{_limit(kind)}.")
            continue
        word = kind.name.replace("_", " ")
        word = f"{word[0].upper()}{word[1:]}" + (f" ({', '.join(words)})" if words else "")
        phrases = [
            f"{s} {possessive}" for s, possessive in zip(kind.symbols, names, strict=True) if s
        ]
        sentences.append(f"{word}: {listed(phrases)}{_limit(kind)}.")
    return [*sentences, *_tiles(rules)]


def _tiles(rules: Rules) -> Iterator[str]:
    """Yield the drawings of tiles, with a sentence for each number of cells."""
    tiles = sorted((kind for kind in rules.kinds if kind.tile), key=_size)
    if tiles:
        yield "A tile is drawn with a word for each row."
    for size, group in groupby(tiles, _size):
        drawn = "; ".join(f"{kind.name} {_drawing(kind)}" for kind in group)
        yield f"Tiles of {_many(size, 'cells')}: {drawn}."


def _size(kind: Kind) -> int:
    return len(kind.tile)


def _drawing(kind: Kind) -> str:
    """Return the drawing of a tile, with a word for each row."""
    rows, columns = (1 + max(axis) for axis in zip(*kind.tile, strict=True))
    signs = [[CELL if (r, c) in kind.tile else GAP for c in range(columns)] for r in range(rows)]
    return " ".join(map("".join, signs))


def _limit(kind: Kind) -> str:
    """Describe the maximum number of pieces, for each owner if there are several."""
    if kind.limit is None:
        return ""
    each = " of each" if sum(map(bool, kind.symbols)) > 1 else ""
    number = kind.limit.at_most.value
    return f"; there {'is' if number == 1 else 'are'} at most {number}{each}"


def track_sentences(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield the phrase for each track and its cells, in order."""
    for track in rules.tracks:
        again = f", and again from {track.cells[0]}" if track.closed else ""
        name = track.name.replace("_", " ")
        yield f"track {name}", f"{name}: {', '.join(track.cells)}{again}."


def register_sentences(rules: Rules, describer: Describer) -> Iterator[tuple[str, str]]:
    """Yield the phrase for each register of the game and its description."""
    own = [
        register
        for register in rules.registers
        if not recalled(register.name) and not (rules.outs and register.name == OUT)
    ]
    for register in own:
        yield f"‘{register.name.replace('_', ' ')}’", _register(register, describer)


def _register(register: Register, describer: Describer) -> str:
    """Describe a register: the comment of the spec, its type, its value at the start."""
    if own := describer.remarks.own("registers", register.name):
        return own
    comment = describer.remarks.comment("registers", register.name)
    name = register.name.replace("_", " ")
    owner = _OWNERS.get(register.each, f" for each {register.each}" if register.each else "")
    start = f"{_start(register, describer)} at the start"
    kind = _TYPES.get(register.type, f"a {register.type}")
    audience = _SEEN[register.seen]
    state = sentence(f"{kind}{owner}; {start}{_LIVES[register.lives]}{audience}")
    return f"‘{name}’: {comment or ''}{' ' if comment else ''}{state}"


def _start(register: Register, describer: Describer) -> str:
    """Describe the value of a register at the start."""
    if is_constant(register.start, -1, 0) or register.start.value == "nowhere":
        empty = {"cell": "no cell", "cells": "no cells", "side": "no player", "kind": "no piece"}
        if register.type in empty:
            return empty[register.type]
    return describer.text(register.start, {})
