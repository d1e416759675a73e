"""Drawings: positions of cells, the pieces on them, colours, and text."""

import math
import re
import struct
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.board.shapes import graph, make_board
from rulesengine.board.topology import Topology
from rulesengine.drawing import Annotations, Scene, compose, picture, to_png
from rulesengine.drawing.appearance import piece_styles, side_colours
from rulesengine.drawing.graphs import place_cells
from rulesengine.drawing.labels import half_width, labels
from rulesengine.drawing.layout import lay_out
from rulesengine.errors import UsageError
from rulesengine.loading import load_source
from rulesengine.support.frozen import replace
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from tests.helpers import gallery
from tests.helpers.cli_calls import call

SVG = "{http://www.w3.org/2000/svg}"
_TOUCH = 1e-6

BOARDS = {
    "rectangle": make_board("rectangle", {"rows": 3, "columns": 12, "origin": "bottom-left"}),
    "torus": make_board("rectangle", {"rows": 4, "columns": 4, "wrap": "both"}),
    "holes": make_board("rectangle", {"rows": 3, "columns": 3, "holes": [(2, 2)]}),
    "rhombus": make_board("rhombus", {"rows": 11, "columns": 11}),
    "hexagon": make_board("hexagon", {"size": 4}),
    "triangle": make_board("triangle", {"size": 5}),
    "staggered": make_board("staggered", {"rows": 3, "columns": 4}),
    "box": make_board("box", {"layers": 5, "rows": 3, "columns": 3}),
    "mesh": make_board("mesh", {"rows": 2, "columns": 2}),
    "named graph": graph(["a1", "b1", "a2", "b2"], [("a1", "b1"), ("a2", "b2")]),
    "drawn graph": graph(["n", "w", "e"], [("n", "w")], screen=[(0, 1), (1, 0), (1, 2)]),
    "ring": graph(list("abcdefgh"), [*zip("abcdefg", "bcdefgh", strict=True), ("h", "a")]),
    "two parts": graph(list("abcd"), [("a", "b"), ("c", "d")]),
    "no edges": graph(list("abc")),
}


# The number of shapes and styles.
SHOWN = """
    chess go hex connect-four yavalath y nine-mens-morris mu-torere kalah backgammon tic-tac-toe-3d
    dots-and-boxes surakarta quarto einstein chinese-checkers-2
""".split()


def scene_of(name: str, *moves: str, **marks: object) -> Scene:
    game = rulesengine.load(name)
    session = game.start()
    for move in moves:
        session.push(move)
    return compose(game.program, session.state, Annotations(**marks))  # type: ignore[arg-type]


def spec(head: str, pieces: str, draw: str = "") -> Game:
    """Return a small game with these players, pieces and `draw`."""
    text = f"spec: 1\nname: small\nboard: {{rows: 3, columns: 3}}\nplayers: {head}\n"
    text += f"pieces: {{{pieces}, empty: '.'}}\n{draw}\n"
    kind = pieces.partition(":")[0]
    text += f"rules: {{moves: {{place: {kind}, to: empty}}, "
    return load_source(Source("small.yaml", text + "end: {when: none(empty), result: draw}}\n"))


# positions of cells


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_no_two_cells_lie_nearer_than_pieces_are_wide(board: Topology) -> None:
    points = lay_out(board).points
    assert len(points) == board.cells
    least = {"mesh": 0.59, "box": 0.58}.get(board.shape, 1 - _TOUCH)
    assert all(math.dist(a, b) >= least for a, b in combinations(points, 2))


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_coordinates_lie_on_no_cell_and_on_no_other_one(board: Topology) -> None:
    layout = lay_out(board)
    boxes = []
    for label in labels(board, layout):
        (x, y), wide = label.at, half_width(label.text, label.size)
        boxes.append((x - wide, y - label.size / 2, x + wide, y + label.size / 2))
    for left, top, right, bottom in boxes:
        for x, y in layout.points:
            away = max(left - x, x - right), max(top - y, y - bottom)
            assert max(away) > 0.2
    for a, b in combinations(boxes, 2):
        assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]


@pytest.mark.parametrize("name", ["rhombus", "hexagon", "triangle", "staggered"])
def test_hexagons_share_a_side_where_they_are_neighbours(name: str) -> None:
    board = BOARDS[name]
    outlines = [
        {(round(x, 6), round(y, 6)) for x, y in outline} for outline in lay_out(board).outlines
    ]
    for a, b in combinations(range(board.cells), 2):
        shared = len(outlines[a] & outlines[b])
        assert (shared == 2) == bool(board.adjacency[a] >> b & 1)


def test_layers_are_levels_from_top_to_bottom() -> None:
    outlines = lay_out(BOARDS["box"]).outlines
    levels = [[y for o in outlines[i : i + 9] for _, y in o] for i in range(0, 45, 9)]
    for upper, lower in pairwise(levels):
        assert max(upper) < min(lower)
    # The rear row of a level is above its front row, and further to the right.
    rear, front = (sum(x for x, _ in outlines[cell]) for cell in (0, 6))
    assert rear > front


def test_adjacent_cells_of_a_path_are_nearer_than_its_ends() -> None:
    names = [f"v{i}" for i in range(6)]
    points = place_cells(graph(names, list(pairwise(names))))
    steps = [math.dist(a, b) for a, b in pairwise(points)]
    assert max(steps) < 1.6 * min(steps)
    assert math.dist(points[0], points[-1]) > 3 * max(steps)


def test_names_that_begin_a_sign_apart_are_meant_to_stand_below_one_another() -> None:
    points = place_cells(graph(["p1", "p2", "p10", "p11"], screen=[(0, 0), (0, 2), (1, 0), (1, 1)]))
    assert [x for x, _ in points] == [0, 1, 0, 1]


def test_a_join_leaves_its_cells_straight_on_and_goes_round_the_corner() -> None:
    scene = scene_of("surakarta")
    arcs = [s.points for s in scene.strokes if len(s.points) > 2]
    assert len(arcs) == 8
    inner = next(a for a in arcs if {a[0], tuple(round(p, 6) for p in a[-1])} == {(1, 0), (0, 1)})
    assert all(math.dist(point, (0, 0)) == pytest.approx(1) for point in inner)
    assert any(x < -0.5 and y < -0.5 for x, y in inner)


@pytest.mark.parametrize("name", SHOWN)
def test_all_of_a_game_is_inside_its_picture(name: str) -> None:
    game = rulesengine.load(name)
    state = game.initial_state()
    scene = compose(game.program, state, Annotations(legal=game.legal_moves(state)))
    left, top, wide, high = scene.box
    spots = [p.at for p in scene.places] + [text.at for text in (*scene.labels, *scene.texts)]
    spots += [point for place in scene.places for point in place.outline]
    assert all(left < x < left + wide and top < y < top + high for x, y in spots)
    assert len({place.at for place in scene.places}) == game.program.topology.cells
    at_least = sum(mask.bit_count() for mask in state.planes)
    assert len(scene.figures) >= at_least
    root = ElementTree.fromstring(game.svg(state, legal=True))
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert not re.search("href|url\\(|script|@import", game.svg(state))


# pieces on cells


def test_a_side_has_the_colour_that_it_is_called_by() -> None:
    for name in ("acm92-othello", "othello", "international-draughts", "english-draughts"):
        program = rulesengine.load(name).program
        assert side_colours(program)[:2] == program.form.players
    assert side_colours(rulesengine.load("rolit").program)[:4] == ("red", "yellow", "green", "blue")


@pytest.mark.parametrize(
    ("players", "pieces", "colours"),
    [
        ("[dark, light]", "man: {dark: a, light: b}", ("black", "white")),
        ("[b, w]", "man: {b: x, w: o}", ("black", "white")),
        ("[first, second]", "man: {first: o, second: x}", ("white", "black")),
        ("[first, second]", "man: {first: r, second: y}", ("red", "yellow")),
        ("[first, second]", "man: {first: K, second: k}", ("white", "black")),
        ("[first, second]", "man: {first: '1', second: '2'}", ("blue", "red")),
        ("[cross, nought]", "mark: {cross: x, nought: o}", ("blue", "red")),
    ],
)
def test_colours_follow_from_names_then_symbols_then_order(
    players: str, pieces: str, colours: tuple[str, ...]
) -> None:
    assert side_colours(spec(players, pieces).program)[:2] == colours


def test_draw_says_colours_and_shapes_by_side_and_kind() -> None:
    draw = "draw: {colours: {a: green, rock: pink}, shapes: {man: {a: cross, b: ring}}}"
    game = spec("[a, b]", "man: {a: x, b: o}, rock: {a: r, b: s, neutral: t}", draw)
    shown = [(look.shape, look.colour) for look in piece_styles(game.program)]
    assert shown[:2] == [("cross", "green"), ("ring", "red")]
    assert [colour for _, colour in shown[3:]] == ["pink"] * 3


def test_kinds_look_by_what_they_have_in_common_and_one_by_its_own_name() -> None:
    pieces = 'man: {a: x}, p: {neutral: "0123", is: [[light, dark], [flat, high]]}'
    colours = "colours: {light: yellow, dark: brown, p3: green}"
    draw = f"draw: {{{colours}, shapes: {{flat: square, high: disc}}}}"
    program = spec("[a, b]", pieces, draw).program
    neutral = [(look.shape, look.colour) for look in piece_styles(program)[5::3]]
    assert [kind.name for kind in program.rules.kinds] == ["man", "p0", "p1", "p2", "p3"]
    assert neutral == [
        ("square", "yellow"),
        ("disc", "yellow"),
        ("square", "brown"),
        ("disc", "green"),
    ]


def test_kinds_that_look_alike_show_their_symbols() -> None:
    shapes = "draw: {shapes: {flat: square, high: disc}}"
    pieces = 'p: {neutral: "0123", is: [[light, dark], [flat, high]]}'
    start = f"{shapes}\nstart: put p0 on a1"
    texts = [
        look.text
        for look in piece_styles(spec("[a, b]", f"man: {{a: x}}, {pieces}", start).program)
    ]
    assert sorted(filter(None, texts)) == sorted("0123")
    assert not any(look.text for look in piece_styles(rulesengine.load("chess").program))
    # With a height and a mark for each attribute, no two of the sixteen pieces are alike.
    assert not any(look.text for look in piece_styles(rulesengine.load("quarto").program))


def test_a_king_of_draughts_is_a_crowned_man() -> None:
    draughts, chess = (rulesengine.load(name).program for name in ("english-draughts", "chess"))
    assert {look.shape for look in piece_styles(draughts)} == {"disc", "crown"}
    assert piece_styles(chess)[0].shape == "king"


def test_dark_squares_stars_and_frames_are_where_people_know_them() -> None:
    dark = {p.name for p in scene_of("chess").places if p.ink == "cell-dark"}
    assert len(dark) == 32
    assert {"a1", "h8", "c1"} < dark
    assert "h1" not in dark
    go = compose(
        (game := rulesengine.load("go", n=19)).program, game.initial_state(), Annotations()
    )
    assert {dot.at for dot in go.dots} == {(x, y) for x in (3, 9, 15) for y in (3, 9, 15)}
    small = scene_of("go")
    assert {dot.at for dot in small.dots} == {(2, 2), (6, 2), (4, 4), (2, 6), (6, 6)}
    assert len(scene_of("connect-four").dots) == 42


def test_outer_edges_have_the_colour_of_the_joining_player() -> None:
    edges = scene_of("hex").edges
    middles = [(sum(x for x, _ in e.points) / 2, sum(y for _, y in e.points) / 2) for e in edges]
    above = [y < 0 for _, y in middles]
    below = [y > 10 * math.sqrt(3) / 2 for _, y in middles]
    red = [edge.ink == "edge-red" for edge in edges]
    # Eleven cells with two sides each, above and below; at the left and the right one side each
    # is on a side of the other player as well.
    assert sum(red) == 2 * 22
    assert len(edges) - sum(red) == 2 * 21
    assert all(a or b for a, b, is_red in zip(above, below, red, strict=True) if is_red)


def test_numbers_at_cells_are_shown_and_noughts_are_not() -> None:
    texts = [label.text for label in scene_of("kalah").texts if label.ink == "cell"]
    assert texts == ["4"] * 12


def test_bars_lie_along_the_borders() -> None:
    scene = scene_of("dots-and-boxes", "b1", "a2")
    assert [figure.turn for figure in scene.figures] == [0, 90]


# marks


def test_the_last_move_and_the_legal_ones_are_marked() -> None:
    game = rulesengine.load("chess")
    session = game.start()
    session.push("e2e4")
    marked = Annotations(last=session.moves[-1], legal=session.legal)
    scene = compose(game.program, session.state, marked)
    at = {place.at: place.name for place in scene.places}
    assert {at[mark.at] for mark in scene.under} == {"e2", "e4"}
    by_kind = {kind: {at[m.at] for m in scene.over if m.kind == kind} for kind in ("ring", "legal")}
    assert by_kind["ring"] == {*"a7 b7 c7 d7 e7 f7 g7 h7 b8 g8".split()}
    assert by_kind["legal"] == {f"{c}{r}" for c in "abcdefgh" for r in (5, 6)}


def test_heat_numbers_and_arrows_are_drawn() -> None:
    marked = {"heat": {0: 0.5}, "numbers": {0: "+3"}, "arrows": [(0, 8)]}
    scene = scene_of("tic-tac-toe", **marked)
    assert [(mark.kind, mark.strength) for mark in scene.under] == [("heat", 0.5)]
    assert scene.arrows == ((scene.places[0].at, scene.places[8].at),)
    assert "+3" in [label.text for label in scene.texts]


# the element


@pytest.mark.parametrize("text", ['<b a="1">&\'', "]]>", "é漢", "\u202e"])
def test_any_symbol_is_shown_as_it_is(text: str) -> None:
    draw = "start: [put left on a1, put right of a on b1]"
    game = spec("[a, b]", "left: {a: l, b: m}, right: {a: r, b: s}", draw)
    kinds = [replace(k, symbols=tuple(text + s for s in k.symbols)) for k in game.rules.kinds]
    other = Game(replace(game.rules, kinds=tuple(kinds), name=text), {})
    root = ElementTree.fromstring(other.svg())
    assert {e.text for e in root.iter(f"{SVG}text")} >= {f"{text}l", f"{text}r"}
    assert (root.findtext(f"{SVG}title") or "").startswith(text)


def test_signs_that_xml_has_not_are_replaced() -> None:
    game = rulesengine.load("quarto")
    other = Game(replace(game.rules, name="a\x00b\x1b\ud800"), {})
    assert "a���" not in (
        title := ElementTree.fromstring(other.svg()).findtext(f"{SVG}title") or ""
    )
    assert title.startswith("a\ufffdb\ufffd\ufffd")


def test_auto_says_what_is_other_in_the_dark_and_themes_say_it_at_once() -> None:
    game = rulesengine.load("go")
    auto, light, dark = (game.svg(theme=theme) for theme in ("auto", "light", "dark"))
    assert "prefers-color-scheme:dark" in auto
    assert "<style" not in light
    assert "class=" not in light
    assert light != dark
    plain = re.sub(' class="[^"]*"|<style>.*</style>\n', "", auto)
    assert plain == light


def test_description_lists_all_pieces() -> None:
    root = ElementTree.fromstring(rulesengine.load("chess").svg())
    description = root.findtext(f"{SVG}desc") or ""
    assert description.startswith("white to move; king K of white on e1; king k of black on e8")


def test_description_calls_pieces_without_an_owner_neutral() -> None:
    game = rulesengine.load("l-game")
    root = ElementTree.fromstring(game.svg())
    description = root.findtext(f"{SVG}desc") or ""
    assert "neutral " in description
    assert "nobody" not in description


def test_picture_has_the_requested_width() -> None:
    root = ElementTree.fromstring(rulesengine.load("othello").svg(size=200))
    assert root.get("width") == "200"


def test_notebooks_show_games_sessions_and_states() -> None:
    game = rulesengine.load("tic-tac-toe")
    assert game._repr_svg_() == game.svg()
    session = game.start()
    assert session._repr_svg_() == game.svg()
    session.push("a1")
    assert session._repr_svg_() == game.svg(session.state, last=session.moves[0])
    assert session.state._repr_svg_() == picture(game.program, session.state)


# the command


def test_draw_rewrites_a_file(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    for move in ("d3", "c4"):
        assert call("draw", "othello", "--last", move, "-o", str(file)).code == 0
    game = rulesengine.load("othello")
    session = game.start()
    session.push("c4")
    assert file.read_text() == game.svg(session.state, last=session.moves[0]) + "\n"
    assert call("draw", "othello", "--last", "c4").out == file.read_text()


def test_draw_takes_a_saved_game_with_its_last_move(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    call("play", "tic-tac-toe", stdin=f"b2\na1\nsave {record}\nquit\n".encode())
    svg = call("draw", "tic-tac-toe", "--position", str(record)).out
    session = rulesengine.load("tic-tac-toe").start()
    session.push("b2")
    session.push("a1")
    assert svg == session._repr_svg_() + "\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "x.gif"], "ends in .svg or .png"),
        (["--size", "3"], "at least 16"),
        (["--arrow", "a1"], "expected two cells such as a3-c1"),
        (["--heat", "NOWHERE"], "no such file"),
        (["--last", "a9"], "`a9` names no move"),
    ],
)
def test_wrong_uses_of_draw_are_reported(words: list[str], message: str) -> None:
    result = call("draw", "tic-tac-toe", *words)
    assert result.code in (1, 2)
    assert message in result.err
    assert not result.out


@pytest.mark.parametrize("text", ["[1]", "{", '{"a1": "x"}', '{"a1": NaN}', '{"z9": 1}'])
def test_heat_that_is_none_is_reported(text: str, tmp_path: Path) -> None:
    file = tmp_path / "heat.json"
    file.write_text(text)
    result = call("draw", "tic-tac-toe", "--heat", str(file))
    assert result.code == 2
    assert result.err.count("\n") == 1


def test_the_gallery_shows_each_game() -> None:
    assert gallery.PAGE.read_text() == gallery.page()
    assert {path.stem for path in gallery.PICTURES.glob("*.svg")} == set(bundled_names())


@pytest.mark.deep
@pytest.mark.parametrize("name", bundled_names())
def test_the_pictures_of_the_gallery_are_those_of_now(name: str) -> None:
    stored = (gallery.PICTURES / f"{name}.svg").read_text()
    assert stored == gallery.shown(rulesengine.load(name)) + "\n"


def test_png_is_a_picture_of_the_requested_size_where_there_is_a_renderer() -> None:
    pytest.importorskip("resvg_py", reason="resvg-py is not installed (extra `png`)")
    data = to_png(rulesengine.load("hex").svg(theme="light", size=200))
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">I", data[16:20]) == (200,)


def test_png_without_a_renderer_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(UsageError, match=r"'\.\[png\]'"):
        to_png("<svg/>")


CROPPED = """
spec: 1
name: Wide
board: {rows: 9, columns: 12, origin: bottom-left}
players: [white, black]
pieces: {man: {white: o, black: x}, empty: "."}
rules: {moves: {place: man, to: empty}, end: {when: none(empty), result: draw}}
draw: {CROP}
"""


def _view(game: rulesengine.Game, *moves: str) -> list[float]:
    state = game.initial_state()
    for move in moves:
        state = game.apply(state, move)
    box = ElementTree.fromstring(game.svg(state)).get("viewBox") or ""
    return [float(part) for part in box.split()]


def test_cropped_pictures_show_the_pieces_and_a_margin() -> None:
    whole = rulesengine.loads(CROPPED.replace("{CROP}", "{board: squares}"))
    game = rulesengine.loads(CROPPED.replace("{CROP}", "{crop: 2}"))
    assert _view(game) == _view(whole)
    unit = 40.0
    left, top, width, height = _view(game, "f5", "h4")
    # Columns f to h and rows 4 to 5, with two cells on each side.
    assert (width, height) == (7 * unit, 6 * unit)
    assert (left / unit, top / unit) == (2.5, 1.5)


def test_a_cropped_picture_does_not_extend_beyond_the_board() -> None:
    game = rulesengine.loads(CROPPED.replace("{CROP}", "{crop: 2}"))
    whole = _view(game)
    left, top, width, height = _view(game, "a1", "l9")
    assert left >= whole[0]
    assert top >= whole[1]
    assert left + width <= whole[0] + whole[2]
    assert top + height <= whole[1] + whole[3]


def test_cells_that_are_not_seen_are_shaded_and_pieces_of_a_known_side_lie_face_down() -> None:
    game = rulesengine.load("tic-tac-toe")
    state = game.initial_state()
    b2, c3 = state.cell("b2"), state.cell("c3")
    scene = compose(game.program, state, Annotations(covered={b2: -1, c3: 1}))
    points = {place.cell: place.at for place in scene.places}
    assert [mark.at for mark in scene.under if mark.kind == "unseen"] == [points[b2], points[c3]]
    assert [(label.at, label.text) for label in scene.texts] == [(points[b2], "?")]
    (back,) = scene.figures
    assert (back.cell, back.text) == (c3, "?")
    assert back.colour == side_colours(game.program)[1]
    svg = picture(game.program, state, Annotations(covered={b2: -1, c3: 1}))
    assert svg.count(">?<") == 2
