"""The words of `draw`: each is checked on scenes of small specs and of bundled games."""

import math
import re
from itertools import pairwise

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.drawing import Annotations, Scene, compose, placed_together
from rulesengine.drawing.counters import MOST_STACKED
from rulesengine.drawing.figures import OUTLINES
from rulesengine.drawing.glyphs import EMBLEMS, GLYPHS
from rulesengine.drawing.joining import Joint, groups, joints, pairs
from rulesengine.drawing.layout import hull
from rulesengine.drawing.themes import paints
from rulesengine.errors import SpecError
from rulesengine.language.pipeline import analyse
from rulesengine.loading import load_source
from rulesengine.play.picture_position import picture_position
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source

BOARD = "board: {rows: 3, columns: 3, origin: bottom-left}"


def spec(draw: str, board: str = BOARD, more: str = "") -> Game:
    """Return a small game of two players with men and numbers."""
    return load_source(Source("small.yaml", text_of(draw, board, more)))


def text_of(draw: str, board: str = BOARD, more: str = "") -> str:
    return f"""\
spec: 1
name: small
{board}
players: [left, right]
pieces: {{man: {{left: x, right: o}}, empty: "."}}
registers:
  load: {{type: number, from: 0, to: 40, each: cell}}
  thrown: {{type: number, from: 0, to: 9}}
  held: {{type: number, from: 0, each: player}}
  due: {{type: kind}}
{more}
rules: {{moves: {{place: man, to: empty}}, end: {{when: none(empty), result: draw}}}}
draw: {draw}
"""


def scene(game: Game, position: str = "") -> Scene:
    state = game.state_from(position) if position else game.initial_state()
    return compose(game.program, state, Annotations())


def played(name: str, *moves: str) -> Scene:
    game = rulesengine.load(name)
    session = game.start()
    for move in moves:
        session.push(move)
    return compose(game.program, session.state, Annotations())


def problem(draw: str, board: str = BOARD) -> str:
    with pytest.raises(SpecError) as caught:
        spec(draw, board)
    return str(caught.value)


# boards


def test_stacks_on_triangles_grow_from_the_edge_and_a_high_one_has_its_number() -> None:
    backgammon = rulesengine.load("backgammon")
    state = backgammon.state_from("""\
        o...........x.
        ..............
        mover: white
        men: 7 0 0 0 0 0 0 0 0 0 0 0 3 0 / 0 0 0 0 0 0 0 0 0 0 0 0 0 0
        one: 6
        two: 2
        """)
    shown = compose(backgammon.program, state, Annotations())
    at = {place.name: place.at for place in shown.places}
    high = [f.at for f in shown.figures if f.cell == state.cell("p13")]
    assert len(high) == MOST_STACKED
    assert all(x == at["p13"][0] for x, _ in high)
    assert [y for _, y in high] == sorted(y for _, y in high)
    assert all(b[1] - a[1] < 1 for a, b in pairwise(high))
    assert len([f for f in shown.figures if f.cell == state.cell("p24")]) == 3
    assert [(text.text, text.at) for text in shown.texts] == [("7", high[-1])]
    # Both dice are on the middle of the board.
    dice = [f for f in shown.figures if f.shape == "die"]
    assert [f.marks for f in dice] == [("pips6",), ("pips2",)]
    assert {f.at[1] for f in dice} == {(at["p13"][1] + at["p12"][1]) / 2}


def test_a_bar_and_trays_have_no_triangle() -> None:
    shown = played("backgammon")
    triangles = [o for panel in shown.panels for o in panel.outlines if len(o) == 3]
    assert len(triangles) == 24
    assert {place.ink for place in shown.places} == {"clear"}


def test_pits_have_a_seed_for_each_number_and_stores_are_high() -> None:
    shown = played("kalah", "c1")
    assert sum(pile.count for pile in shown.piles) == 48
    heights = {
        place.name: max(y for _, y in place.outline) - min(y for _, y in place.outline)
        for place in shown.places
    }
    assert heights["ns"] == heights["ss"] > 2 * heights["a1"]
    numbers = sorted(int(text.text) for text in shown.texts)
    assert numbers == sorted(pile.count for pile in shown.piles)


def test_numbers_of_two_players_are_stores_at_the_ends_of_pits() -> None:
    oware = rulesengine.load("oware")
    state = oware.state_from("......\n......\nmover: south\nstore of south: 5\nstore of north: 2")
    shown = compose(oware.program, state, Annotations())
    xs = [place.at[0] for place in shown.places]
    stores = {pile.count: pile.at[0] for pile in shown.piles if pile.at[0] not in xs}
    assert stores.keys() == {5, 2}
    assert stores[2] < min(xs) < max(xs) < stores[5]
    assert {"south", "north"} <= {label.text for label in shown.labels}
    assert {"5", "2"} <= {text.text for text in shown.texts}


def test_holes_are_in_a_panel_around_all_cells() -> None:
    shown = played("peg-solitaire")
    (panel,) = shown.panels
    (outline,) = panel.outlines
    assert len(outline) == 8
    assert set(outline) == set(hull([place.at for place in shown.places]))
    assert len([dot for dot in shown.dots if dot.ink == "hole"]) == 33
    assert not shown.strokes
    assert played("chinese-checkers-2").strokes


def test_a_blank_board_shows_two_lattices_and_bridges_that_join_their_dots() -> None:
    shown = played("gale", "b1", "b3")
    assert not any(place.outline for place in shown.places)
    assert not shown.dots
    at = {place.name: place.at for place in shown.places}
    red, blue = (next(f for f in shown.figures if f.at == at[name]) for name in ("b1", "b3"))
    # A red dot is next to b1 in its row, a blue one next to b3 in its column.
    assert (red.shape, red.turn % 180) == ("bar", 0)
    assert (blue.shape, blue.turn % 180) == ("crossbar", 0)


# lines


def test_palaces_have_diagonals_and_a_river_has_no_lines_but_at_the_edges() -> None:
    shown = played("xiangqi")
    at = {place.name: place.at for place in shown.places}
    lines = {frozenset(stroke.points) for stroke in shown.strokes}
    for corner in ("d1", "f1", "d3", "f3"):
        assert frozenset({at["e2"], at[corner]}) in lines

    def is_drawn(a: str, b: str) -> bool:
        (x, y), (u, v) = at[a], at[b]
        return any(
            min(p, q) <= x == u <= max(p, q) and min(r, s) <= min(y, v) and max(y, v) <= max(r, s)
            for (p, r), (q, s) in map(tuple, lines)
            if p == q
        )

    assert is_drawn("a5", "a6")
    assert is_drawn("i5", "i6")
    assert not any(is_drawn(f"{c}5", f"{c}6") for c in "bcdefgh")
    assert all(is_drawn(f"{c}4", f"{c}5") for c in "abcdefghi")


def test_thick_lines_are_at_the_sides_of_cells() -> None:
    shown = scene(spec("{thick: {east: a1, north: b2}}"))
    at = {place.name: place.at for place in shown.places}
    middles = {
        tuple(sum(p[i] for p in stroke.points) / 2 for i in (0, 1)) for stroke in shown.strokes
    }
    (x, y), (u, v) = at["a1"], at["b2"]
    assert middles == {(x + 0.5, y), (u, v - 0.5)}


# pieces


def test_a_domino_is_one_piece_of_its_direction() -> None:
    shown = played("domineering", "a1", "c1")
    turns = sorted(round(link.turn) % 180 for link in shown.links)
    assert turns == [0, 90]
    assert {link.colour for link in shown.links} == {"blue", "red"}


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("a1 b1", {("a1", "b1")}),
        ("a1 b1 c1", {("a1", "b1")}),
        ("b1 c1 a1 a2", {("a1", "a2"), ("b1", "c1")}),
        ("a1 b1 b2 c2", {("a1", "b1"), ("b2", "c2")}),
        ("b2", set()),
    ],
)
def test_pairs_cover_as_many_cells_as_they_can(cells: str, expected: set[tuple[str, str]]) -> None:
    program = spec("{joined: {man: pair}}").program
    names = program.topology.names
    mask = sum(1 << names.index(cell) for cell in cells.split())
    found = pairs(joints(program, "pair"), mask, {})
    assert {tuple(sorted((names[one.a], names[one.b]))) for one in found} == expected


def test_pairs_of_one_move_stay_together() -> None:
    game = rulesengine.load("cram")
    session = game.start()
    for move in ("a1-a2", "b1-b2"):
        session.push(move)
    states = [game.initial_state()]
    for placed in session.moves:
        states.append(game.apply(states[-1], placed))
    known = placed_together(states)
    names = game.program.topology.names
    named = {names[a]: names[b] for a, b in known.items()}
    assert named == {"a1": "a2", "a2": "a1", "b1": "b2", "b2": "b1"}
    shown = compose(game.program, states[-1], Annotations(pairs=known))
    assert [round(abs(link.turn)) for link in shown.links] == [90, 90]


def test_groups_end_at_thick_lines() -> None:
    joined = "joined: {man: group}"
    whole = spec(f"{{{joined}}}").program
    parted = spec(f"{{{joined}, thick: {{east: columns(1)}}}}").program
    row = 0b111
    assert groups(joints(whole, "group"), row) == [[0, 1, 2]]
    assert groups(joints(parted, "group"), row) == [[0], [1, 2]]
    assert Joint(0, 1) not in joints(parted, "group")


def test_a_group_of_crosses_is_one_large_cross() -> None:
    game = rulesengine.load("ultimate-tic-tac-toe")
    state = game.state_from("""\
        .........
        .........
        .........
        XXX......
        XXX......
        XXX......
        OOOXXX...
        OOOXXX...
        OOOXXX...
        mover: cross
        """)
    shown = compose(game.program, state, Annotations())
    assert sorted((f.shape, round(f.size / 0.84)) for f in shown.figures) == [
        ("cross", 3),
        ("cross", 3),
        ("ring", 3),
    ]


def test_attributes_are_colour_shape_height_and_mark() -> None:
    game = rulesengine.load("quarto")
    shown = scene(game)
    looks = {(f.colour, f.shape, f.height, f.marks) for f in shown.figures}
    assert len(looks) == 16
    assert {marks for *_, marks in looks} == {(), ("hole",)}


def test_labels_are_characters_that_need_no_font() -> None:
    svg = rulesengine.load("xiangqi").svg(theme="light")
    assert set(re.findall("[^\x00-\x7f]", re.sub("<(title|desc)>.*?</", "", svg))) == set()
    labels = {f.text for f in played("xiangqi").figures}
    assert labels == set("帥將仕士相象傌馬俥車炮砲兵卒") <= GLYPHS.keys()


# numbers and registers


def test_numbers_are_texts_seeds_stacks_or_pips() -> None:
    position = "x..\n...\n...\nmover: left\nload: 3 0 0 / 0 0 0 / 0 0 2"
    by_form = {
        form: scene(spec(f"{{numbers: {{load: {form}}}}}"), position)
        for form in ("text", "seeds", "stack", "pips", "hidden")
    }
    assert [t.text for t in by_form["text"].texts] == ["3", "2"]
    assert [p.count for p in by_form["seeds"].piles] == [3, 2]
    assert [len(one.figures) for one in by_form.values()] == [1, 1, 3, 1, 1]
    assert by_form["pips"].figures[0].marks == ("pips3",)
    assert not by_form["hidden"].texts


def test_registers_are_next_to_the_board_and_inside_the_picture() -> None:
    game = spec("{dice: [thrown], registers: [held, due]}")
    shown = scene(game, "...\n...\n...\nmover: left\nthrown: 5\nheld of right: 7\ndue: man")
    names = [label.text for label in shown.labels if len(label.text) > 1]
    assert names == ["held of left", "held of right", "due"]
    assert [text.text for text in shown.texts] == ["0", "7"]
    assert [(f.shape, f.marks) for f in shown.figures] == [("die", ("pips5",)), ("disc", ())]
    left, top, wide, high = shown.box
    bottom = max(place.at[1] for place in shown.places)
    spots = [*(f.at for f in shown.figures), *(text.at for text in shown.texts)]
    assert all(bottom < y < top + high and left < x < left + wide for x, y in spots)


def test_all_shapes_and_marks_of_the_schema_are_drawn() -> None:
    import json

    from rulesengine.support.resources import read_text

    definitions = json.loads(read_text("grammars/game.schema.json"))["definitions"]
    assert set(definitions["piece_shape"]["enum"]) <= OUTLINES.keys()
    assert set(definitions["piece_mark"]["enum"]) <= EMBLEMS.keys()


# findings


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        ("{board: triangles}", "`triangles` are in two rows, and this board is printed in 3"),
        ("{board: pits}", "`pits` are in one or two rows"),
        ("{lines: {northwards: a1}}", "no direction `northwards`"),
        ("{gaps: {north: own}}", "`own` cannot be read in the board"),
        ("{numbers: {thrown: seeds}}", "no register with a number at each cell `thrown`"),
        ("{dice: [due]}", "no register with a number `due`"),
        ("{registers: [load]}", "no register with a value `load`"),
        ("{joined: {woman: pair}}", "no kind of piece `woman`"),
        ("{joined: {man: pair}, shapes: {man: king}}", "the shape `king` are not joined"),
        ("{marks: {man: hat}}", "hat"),
        ("{labels: {man: long}}", "long"),
    ],
)
def test_a_wrong_word_is_reported(draw: str, message: str) -> None:
    assert message in problem(draw)


def test_a_graph_has_no_directions() -> None:
    board = "board: {shape: graph, cells: [a, b], edges: [[a, b]]}"
    assert "a graph has no directions" in problem("{thick: {north: a}}", board)


def test_a_cell_that_picture_names_wrongly_is_reported() -> None:
    source = Source("small.yaml", text_of("{}", more="picture: a1 z9"))
    (finding,) = [one for one in analyse(source).findings if one.severity == "error"]
    assert "z9" in finding.message


# the position of a game's picture


def test_a_picture_is_a_position_and_moves() -> None:
    position = '{position: "x.o\\n...\\n...\\n", moves: b2}'
    game = spec("{}", more=f"picture: {position}")
    state, last = picture_position(game)
    assert str(last) == "b2"
    assert str(state).splitlines()[:3] == ["x.o", ".x.", "..."]


def test_a_picture_ends_before_a_move_that_is_not_legal() -> None:
    state, last = picture_position(spec("{}", more="picture: [a1, a1, b2]"))
    assert str(last) == "a1"
    assert sum(mask.bit_count() for mask in state.planes) == 1


@pytest.mark.parametrize("name", bundled_names())
def test_pictures_of_bundled_games_are_legal_and_not_over(name: str) -> None:
    game = rulesengine.load(name)
    look = game.rules.look
    state, last = picture_position(game)
    assert game.outcome(state) is None
    if look is not None and look.picture is not None:
        # The last move is reached, so all of them are legal.
        assert last is None or str(last) == look.picture[1][-1]


def test_red_and_blue_differ_in_print_without_colours() -> None:
    def grey(colour: str) -> float:
        parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        return sum(weight * part for weight, part in zip((0.299, 0.587, 0.114), parts, strict=True))

    inks = paints("light")
    assert grey(inks["piece-red"].fill) - grey(inks["piece-blue"].fill) > 45


def test_hull_of_a_square_is_its_corners() -> None:
    square = [(x, y) for x in range(3) for y in range(3)]
    found = hull([(float(x), float(y)) for x, y in square])
    assert set(found) == {(0, 0), (2, 0), (2, 2), (0, 2)}
    assert math.dist(found[0], found[2]) == pytest.approx(math.dist(found[1], found[3]))
