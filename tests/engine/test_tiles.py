"""Tiles on boards of all shapes: placements by an independent program, and engines compared."""

import random
import re
from collections.abc import Callable

import pytest

from rulesengine import Game, State, load
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.engine_comparison import spec_engines
from tests.helpers.tile_rules import Cell, Cells, names_of, on_hexagons, on_squares, placements

TILES = {"one": "#", "bar": "###", "bend": "##. .##", "hook": "#.. ###", "slant": "#. .#"}
# Tiles are placed on cells of the board; some cells are taken one by one.
SPEC = """
spec: 1
name: Tiles
board: {board}
players: [white, black]
pieces:
  stone: {{white: o, black: x}}
{tiles}
  empty: "."
rules:
  moves:
    - {{place: stone, cover: tile_kind, to: empty}}
    - {{place: stone, to: empty, written: "stone-{{to}}"}}
  end: {{when: none(empty), result: draw}}
"""


def tiles_on(board: str, tiles: dict[str, str], engine: str = "interpreter") -> Game:
    lines = [f'  {name}: {{tile: "{cells}", is: tile_kind}}' for name, cells in tiles.items()]
    text = SPEC.format(board=board, tiles="\n".join(lines))
    return load_source(Source("tiles.yaml", text), engine=engine)


@pytest.mark.parametrize(
    ("board", "shape", "size", "holes", "periods"),
    [
        ("{rows: 4, columns: 5}", "rectangle", (4, 5), "", (0, 0)),
        ("{rows: 4, columns: 4, holes: b2 d3}", "rectangle", (4, 4), "b2 d3", (0, 0)),
        ("{rows: 2, columns: 4, wrap: both}", "rectangle", (2, 4), "", (2, 4)),
        ("{rows: 3, columns: 4, wrap: columns, holes: b2}", "rectangle", (3, 4), "b2", (0, 4)),
        ("{shape: rhombus, rows: 3, columns: 4}", "rhombus", (3, 4), "", (0, 0)),
        ("{shape: staggered, rows: 4, columns: 4}", "staggered", (4, 4), "", (0, 0)),
        ("{shape: triangle, size: 5}", "triangle", (5, 5), "", (0, 0)),
        ("{shape: hexagon, size: 3, holes: c3}", "hexagon", (5, 5), "c3", (0, 0)),
    ],
)
def test_placements_are_those_of_an_independent_program(
    board: str, shape: str, size: tuple[int, int], holes: str, periods: tuple[int, int]
) -> None:
    squares = shape == "rectangle"
    images: Callable[[Cells], set[Cells]] = on_squares if squares else on_hexagons
    tiles = {name: cells for name, cells in TILES.items() if squares or name != "slant"}
    game, draw = tiles_on(board, tiles), random.Random(1)
    cells = {name: cell for name, cell in names_of(shape, size) if name not in holes.split()}
    assert sorted(cells) == sorted(game.initial_state().form.cells)
    state = game.initial_state()
    for _ in range(4):
        free = frozenset(cells.values()) - occupied(state, cells)
        expected = {(n, c) for n in tiles for c in placements(tiles[n], free, images, periods)}
        moves = [move for move in game.legal_moves(state) if "stone" not in str(move)]
        found = [
            (kind_of(str(move)), occupied(game.apply(state, move), cells) & free) for move in moves
        ]
        assert set(found) == expected
        assert len(found) == len({str(move) for move in moves})
        # A form that is its own image by a turn would be counted twice, but for a wrapped board.
        assert len(found) == len(expected) or any(periods)
        state = game.apply(state, draw.choice(game.legal_moves(state)))


def kind_of(text: str) -> str:
    match = re.fullmatch(r"\w+=([a-z]+)(-\d+)?", text)
    assert match is not None
    return match[1]


def occupied(state: State, cells: dict[str, Cell]) -> Cells:
    mask = 0
    for plane in state.planes:
        mask |= plane
    return frozenset(cells[n] for i, n in enumerate(state.form.cells) if mask >> i & 1)


# The rules of bundled games with tiles in the place of pairs of cells.
DOMINEERING = """
spec: 1
name: Domineering with tiles
board: {rows: 4, columns: 4}
players: {vertical: {way: 2}, horizontal: {way: 1}}
pieces: {domino: {vertical: v, horizontal: h, tile: "##"}, empty: "."}
rules:
  moves: {place: domino, cover: domino, to: empty, when: form = way}
  end: {when: not can_move(mover), result: mover loses}
"""
CRAM = """
spec: 1
name: Cram with tiles
board: {rows: 3, columns: 4}
players: [first, second]
pieces: {square: {neutral: "#"}, domino: {tile: "##"}, empty: "."}
rules:
  moves: {place: square, cover: domino, to: empty}
  end: {when: not can_move(mover), result: mover loses}
"""


def of_text(text: str) -> Game:
    return load_source(Source("tiles.yaml", text), engine="interpreter")


def test_domineering_and_cram_have_the_counts_of_the_bundled_games() -> None:
    pairs = [
        (of_text(DOMINEERING), load("domineering", n=4, engine="interpreter")),
        (of_text(CRAM), load("cram", rows=3, columns=4, engine="interpreter")),
    ]
    for tiles, bundled in pairs:
        for depth in (1, 2, 3):
            assert tiles.perft(depth) == bundled.perft(depth)


def test_a_step_is_written_with_its_kind_and_form() -> None:
    game = tiles_on("{rows: 3, columns: 3}", {"one": "#", "hook": "#. ##"})
    state = game.initial_state()
    texts = [str(move) for move in game.legal_moves(state)]
    # By form, then by cell; a single cell has one form, without a number.
    assert texts[:9] == [f"{column}{row}=one" for row in (1, 2, 3) for column in "abc"]
    assert texts[9:13] == ["a1=hook-1", "b1=hook-1", "a2=hook-1", "b2=hook-1"]
    after = game.apply(state, game.move("b2=hook-4", state))
    # Turned thrice the corner is at the lower right; the move names the first cell.
    assert str(after).splitlines()[:3] == ["...", ".o.", "oo."]


# Words of tiles in every place: other choices, kinds for registers, effects, bans, stacks.
WORDS = """
spec: 1
name: Words of tiles
board: {rows: 4, columns: 5, holes: c2, origin: bottom-left}
players: [white, black]
pieces:
  stone: {white: o, black: x, neutral: "#"}
  bar: {white: B, black: b, tile: "###", is: piece}
  bend: {white: C, black: c, tile: "#. ##", is: piece}
  dot: {tile: "#", is: piece}
  empty: "."
registers:
  used: {type: number, each: [player, kind], from: 0, to: 9}
  last: {type: kind}
  size: {type: number, from: 0, to: 9}
rules:
  moves:
    - place: stone
      cover: [bend, dot]
      choice: {n: [1, 2]}
      to: empty or enemy stone
      when: >-
        used of tile < n and (form < 3 or any(covered and edge)) and count(covered and enemy) < 2
      do:
        - add n to used of tile
        - set last to tile
        - set size to count(covered)
        - if n = 2 then flip neighbours(covered) and enemy
      forbid: count(own) > 11
    - place: tile
      cover: bar
      to: empty
      when: none(covered and corners)
    - place: stone of neutral
      cover: piece
      to: empty and bottom
      when: tile = dot
      written: "n{to}{tile}{form}"
    - otherwise
    - pass
  do: if any(placed and top) then set size to 0
  keep: most (if form > 2 then 1 else 0) + count(covered)
  score: count(own) + used of dot + (if last = bend then size else 0)
  end: {when: plies > 14, result: highest score wins}
strategies:
  wide: [most count(covered), least form]
"""


@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("keep", ["# keep:", pytest.param("keep:", marks=pytest.mark.deep)])
def test_engines_agree_on_all_words_of_tiles(keep: str) -> None:
    text = WORDS.replace("keep:", keep)
    assert of_text(text).playouts(2, seed=1).unfinished == 0
    engines = spec_engines(text)
    engines.play(1, 8)
    engines.playouts(3, seed=1)


def test_tiles_lie_on_stacks() -> None:
    text = DOMINEERING.replace("columns: 4}", "columns: 4, stacks: {height: 3}}")
    text = text.replace("to: empty", "to: all where height(it) < 3")
    game = of_text(text)
    state = game.initial_state()
    for move in ("a1=domino-2", "a1=domino-1", "b1=domino-2"):
        state = game.apply(state, game.move(move, state))
    assert [state.stack(cell) for cell in (0, 1, 4, 5)] == ["vh", "hv", "v", "v"]


def test_an_illegal_step_has_the_reason_of_its_clause() -> None:
    game = of_text(DOMINEERING)
    state = game.apply(game.initial_state(), "a1=domino-2")
    for text, reason in (
        ("b1=domino-2", "the rules do not allow this move now"),
        ("a2=domino-1", "a2 holds a domino of vertical"),
        ("d2=domino-1", "domino does not fit on the board at d2"),
    ):
        assert game.why_not(text, state) == f"`{text}` is not legal for horizontal: {reason}"
        assert game.reason(text, state).objection is not None
