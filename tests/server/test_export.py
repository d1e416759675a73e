"""`export`: the engine of a file plays as the interpreter does, and the file has the expected
parts.

`test_exported_levels.py` tests its searches, `test_browser_export.py` the page in real browsers.
"""

import io
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed")

import rulesengine
from rulesengine.drawing import Annotations, picture, to_png
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.play import read_record, replay
from rulesengine.server.export.contents import check_numbers
from rulesengine.state import State
from rulesengine.support.resources import bundled_names, open_names
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call
from tests.helpers.each_game import each_game
from tests.helpers.exported import NODE, line, responses, written
from tests.helpers.served import TILES

needs_node = pytest.mark.skipif(NODE is None, reason="there is no Node.js")
LARGEST = 400_000  # bytes of the file of an ordinary game

# Together these have passes, chains, drops, a swap, three players, chance.
QUICK = frozenset(
    {"bio97-othello", "connect-four", "english-draughts", "hex-pie"}
    | {"three-player-tic-tac-toe", "pig"}
)
OTHERS = frozenset(bundled_names()) - QUICK
TOO_LARGE = ["hive"]  # 576 cells from which a piece moves to any other
# Their pictures have borders as cells, numbers on the board, lines with points, pieces with signs.
# Others have stacks and dice, seeds, pips, marks, characters, joined pieces, registers.
PICTURES = {"dots-and-boxes": 6, "kalah": 5, "nine-mens-morris": 8, "los-alamos": 9}
PICTURES |= {"backgammon": 9, "oware": 6, "quarto": 7, "ultimate-tic-tac-toe": 40, "pig": 5}
PICTURES |= {"chain-reaction": 20, "l-game": 3, "domineering": 8, "cram": 9, "gale": 6, "tak": 60}

HOSTILE = """\
spec: 1
name: Row <img src=x onerror=alert(1)></title></script><b>
source: </p><script>alert(2)</script> & co
board: {rows: 1, columns: 3}
players: [one, two]
pieces: {stone: {one: "<", two: "&"}, empty: "."}
rules:
  moves:
    place: stone
    to: empty
  end:
    - when: none(empty)
      result: draw
      reason: "</script><img src=x>"
"""


def interpreter_view(game: Game, state: State) -> dict[str, Any]:
    """Return the interpreter's view of a position."""
    outcome, sides = game.outcome(state), len(game.players) + 1
    legal = () if outcome else game.legal_moves(state)
    kinds = [f"{k}" for k in state.form.kinds]
    stacks = state.form.stacks
    numbers = [n for n in state.form.numbers if not stacks or n.first not in stacks.slots]
    owners = [*(f"{player} " for player in state.form.players), ""]
    names = [owners[plane % sides] + kinds[plane // sides] for plane in range(len(state.planes))]
    standing = [
        [n for n, m in zip(names, state.planes, strict=True) if m >> c & 1] for c in cells(state)
    ]
    return {
        "mover": state.mover,
        "legal": [str(move) for move in legal],
        "weights": list(game.weights(state)) if legal else [],
        "outcome": outcome and (outcome.winner, outcome.reason),
        "scores": game.scores(state) or None,
        "pieces": ["".join(names) for names in standing],
        "numbers": [
            {n.name: n.at(cell, state.registers) for n in numbers} for cell in cells(state)
        ],
    }


def cells(state: State) -> range:
    return range(len(state.form.cells))


def page_view(shown: dict[str, Any]) -> dict[str, Any]:
    """Return the page's view of a position, in the same form."""
    legal, outcome = shown["legal"], shown["outcome"]
    return {
        "mover": shown["mover"],
        "legal": [move["text"] for move in legal],
        "weights": [move["weight"] for move in legal] if shown["chance"] else [],
        "outcome": outcome and (outcome["winner"], outcome["reason"]),
        "scores": shown["scores"],
        "pieces": [cell["piece"] for cell in shown["drawing"]["cells"]],
        "numbers": [cell["numbers"] for cell in shown["drawing"]["cells"]],
    }


LONE = """
spec: 1
name: Three cells
board: {rows: 1, columns: 3}
players: [solver]
pieces: {low: {solver: l}, high: {solver: h}, empty: "."}
rules:
  moves: {place: choice, choice: [low, high], to: empty}
  end:
    - {when: none(empty), END}
"""


STACKS = """
spec: 1
name: Three stacks
board: {rows: 1, columns: 3, stacks: {height: 7, under: disc}}
players: [white, black]
pieces: {disc: {white: o, black: x}, empty: "."}
rules:
  moves: {place: disc, to: all where height(it) < 7}
  score: count(own)
  end: {when: plies = 21, result: highest score wins}
"""


@needs_node
@pytest.mark.parametrize(
    ("end", "moves", "text"),
    [
        ("payoffs: count(own high) - 1", "high high high", "solver gets 2 points"),
        ("payoffs: count(own high) - 1", "high high low", "solver gets 1 point"),
        ("payoffs: count(own high) - 1", "low low low", "solver gets -1 point"),
        ("result: player wins", "low low low", "solver wins"),
        ("result: player loses", "low low low", "solver loses"),
        ("result: draw", "low low low", "a draw"),
    ],
)
def test_the_end_of_a_game_of_one_player_is_in_its_unit(
    end: str, moves: str, text: str, tmp_path: Path
) -> None:
    game = load_source(Source("lone.yaml", LONE.replace("END", end)))
    played = [
        f"{cell}={kind}" for cell, kind in zip(("a1", "b1", "c1"), moves.split(), strict=True)
    ]
    assert all(move in map(str, game.legal_moves(game.initial_state())) for move in played)
    (shown,) = responses(written(game, tmp_path), [("position", [played])])
    assert shown["outcome"]["text"] == text


@needs_node
def test_stacks_are_drawn_and_described(tmp_path: Path) -> None:
    """Compare a stack of seven, two of two pieces, and one piece with the picture of the package.

    Five pieces of a stack are drawn, the number is that of all pieces.
    """
    game = load_source(Source("stacks.yaml", STACKS))
    moves = ["a1"] * 7 + ["b1", "b1", "c1"]
    own, shown = pictures(game, moves, tmp_path)
    assert_equal_pixels(own, shown["drawing"]["svg"])
    assert ">7</text>" in shown["drawing"]["svg"]
    stacks = ["stack on a1, from the bottom: o x o x o x o", "stack on b1, from the bottom: x o"]
    assert shown["description"].endswith("; ".join(stacks))


@needs_node
def test_a_move_that_covers_a_tile_has_its_cells(tmp_path: Path) -> None:
    game = load_source(Source("tiles.yaml", TILES))
    (shown,) = responses(written(game, tmp_path), [("position", [["b1=stone-4"]])])
    covers = {move["text"]: move.get("covers") for move in shown["legal"]}
    # The first move covers b1, a2 and b2; six single cells and one tile are left.
    assert covers.pop("c2=stone-4") == [5, 7, 8]
    assert [*covers.values()] == [None] * 6


@pytest.mark.slow
def test_steps_of_all_open_bundled_games_but_one_have_numbers() -> None:
    """The site embeds an export of each of these games, which needs such numbers."""
    found = []
    for name in open_names():
        try:
            check_numbers(rulesengine.load(name, engine="interpreter"))
        except rulesengine.LimitError:
            found.append(name)
    assert found == TOO_LARGE


@each_game(quick=(), deep=OTHERS, hidden=False)
def test_the_engine_of_a_file_plays_as_the_interpreter_does(name: str, tmp_path: Path) -> None:
    if name in TOO_LARGE:
        pytest.skip("its steps have no numbers")
    game = rulesengine.load(name, engine="interpreter")
    states, moves = line(game, 7)
    requests = [("position", [moves[:ply]]) for ply in range(len(states))]
    shown = responses(written(game, tmp_path), requests)
    for ply, state in enumerate(states):
        assert (ply, page_view(shown[ply])) == (ply, interpreter_view(game, state))


@pytest.mark.slow
@needs_node
def test_a_line_that_is_left_and_taken_again_is_remembered_again(tmp_path: Path) -> None:
    """Play a game that ends by repetition: its earlier positions count."""
    game = rulesengine.load("three-mens-morris", engine="interpreter")
    moves = "a1 c3 b1 c2 a3 a2 b1-c1 c3-b3 c1-b1 b3-c3 b1-c1 c3-b3 c1-b1 b3-c3".split()
    state = game.initial_state()
    for move in moves:
        state = game.apply(state, game.move(move, state))
    requests = [("position", [line]) for line in (moves, moves[:4], [*moves[:4], "b2"], moves)]
    shown = responses(written(game, tmp_path), requests)
    assert page_view(shown[0]) == page_view(shown[-1]) == interpreter_view(game, state)
    assert game.outcome(state) is not None


@pytest.mark.slow
@needs_node
def test_a_record_of_the_page_is_one_that_is_replayed(tmp_path: Path) -> None:
    game = rulesengine.load("three-player-tic-tac-toe")
    _, moves = line(game, 2)
    players = dict.fromkeys(game.players, "human") | {game.players[0]: "search:level=3"}
    (text,) = responses(written(game, tmp_path), [("record", [moves, players])])
    record = read_record(text)
    assert (record.moves, record.players) == (tuple(moves), players)
    assert replay(game, record).differences == replay(game, record).changed == ()


@needs_node
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in QUICK else pytest.mark.deep) for name in PICTURES],
)
def test_the_page_draws_the_picture_that_the_package_draws(name: str, tmp_path: Path) -> None:
    game = rulesengine.load(name)
    _, moves = line(game, 7, PICTURES[name])
    own, shown = pictures(game, moves, tmp_path)
    assert_equal_pixels(own, shown["drawing"]["svg"])


def pictures(game: Game, moves: list[str], folder: Path) -> tuple[str, dict[str, Any]]:
    """Return the package's picture after some moves, and the page's position."""
    *_, before, state = line_of(game, moves)
    last = Annotations(last=game.move(moves[-1], before))
    (shown,) = responses(written(game, folder), [("position", [moves])])
    return picture(game.program, state, last, theme="light"), shown


def line_of(game: Game, moves: list[str]) -> list[State]:
    states = [game.initial_state()]
    for move in moves:
        states.append(game.apply(states[-1], game.move(move, states[-1])))
    return states


def assert_equal_pixels(one: str, other: str) -> None:
    pytest.importorskip("resvg_py", reason="resvg-py is not installed (extra `png`)")
    images = pytest.importorskip("PIL.Image", reason="pillow is not installed")
    chops = pytest.importorskip("PIL.ImageChops", reason="pillow is not installed")
    pixels = [images.open(io.BytesIO(to_png(svg))) for svg in (one, other)]
    assert pixels[0].size == pixels[1].size
    # The edges of marks and digits that are translated may differ by rounding errors.
    apart = chops.difference(*(one.convert("RGB") for one in pixels)).convert("L").histogram()
    assert sum(apart[8:]) <= 8
    assert sum(apart[64:]) == 0


class Elements(HTMLParser):
    """A parsed HTML file: its elements in order, and the beginning of each one's text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.is_open = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.texts.append("")
        self.is_open = True

    def handle_endtag(self, tag: str) -> None:
        self.is_open = False

    def handle_data(self, data: str) -> None:
        if self.is_open:
            self.texts[-1] += data

    def of(self, wanted: str) -> list[str]:
        """Return the texts of the elements of a tag."""
        pairs = zip(self.found, self.texts, strict=True)
        return [text for (tag, _), text in pairs if tag == wanted]


@pytest.mark.slow
def test_no_text_of_a_spec_is_read_as_html(tmp_path: Path) -> None:
    spec = tmp_path / "row.yaml"
    spec.write_text(HOSTILE)
    parsed = Elements(call("export", str(spec)).out)
    tags = [tag for tag, _ in parsed.found]
    assert tags.count("script") == 3
    assert not {"img", "b"} & {*tags}
    assert parsed.of("title") == ["Row <img src=x onerror=alert(1)></title></script><b>"]
    assert parsed.of("p")[-1] == "From: </p><script>alert(2)</script> & co"


@pytest.mark.slow
def test_the_policy_lets_the_script_and_the_style_of_the_file_alone_in(tmp_path: Path) -> None:
    spec = tmp_path / "row.yaml"
    spec.write_text(HOSTILE)
    parsed = Elements(call("export", str(spec)).out)
    policy = next(at["content"] for _, at in parsed.found if at.get("http-equiv")) or ""
    hashes = [
        b64encode(sha256(parsed.of(tag)[-1].encode()).digest()).decode()
        for tag in ("script", "style")
    ]
    assert f"script-src 'sha256-{hashes[0]}' 'wasm-unsafe-eval';" in policy
    assert f"style-src 'sha256-{hashes[1]}';" in policy
    assert policy.startswith("default-src 'none';")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "group", "message"),
    [
        (
            "{rows: 20, columns: 20}",
            "{move: own, to: empty}",
            "more than 65,536 steps",
        ),
        (
            "{rows: 3, columns: 3}",
            "{place: stone, to: empty, choice: [count(own), 9]}",
            "what may be chosen depends on the position",
        ),
        ("{rows: 40, columns: 40}", "{place: stone, to: empty}", "at most 1,024 cells"),
    ],
)
def test_unsupported_export_reports_the_reason(
    board: str, group: str, message: str, tmp_path: Path
) -> None:
    spec = tmp_path / "row.yaml"
    spec.write_text(
        HOSTILE.replace("{rows: 1, columns: 3}", board).replace(
            "place: stone\n    to: empty", f"- {group}"
        )
    )
    done = call("export", str(spec), "-o", str(tmp_path / "row.html"))
    assert done.code == 2
    assert "cannot be exported: " in done.err
    assert message in done.err
    assert not (tmp_path / "row.html").exists()


@pytest.mark.slow
@needs_node
def test_the_values_of_parameters_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "row.html"
    assert call("export", "tic-tac-toe", "--set", "m=4", "-o", str(path)).code == 0
    shown, record = responses(path, [("position", [[]]), ("record", [["a1"], {}])])
    assert len(shown["legal"]) == 12
    assert read_record(record).parameters == {"m": 4, "n": 3, "k": 3}


@pytest.mark.deep
@pytest.mark.parametrize("name", ["othello", "connect-four", "lines-of-action"])
def test_the_file_of_an_ordinary_game_is_small(name: str, tmp_path: Path) -> None:
    """The last two have learned evaluations."""
    path = tmp_path / "game.html"
    assert call("export", name, "-o", str(path)).code == 0
    assert path.stat().st_size < LARGEST
