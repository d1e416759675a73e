"""`export`: the levels of a page and its full strength choose the moves that searches choose."""

import json
import random
import zlib
from base64 import b64decode
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed")

import rulesengine
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.pattern_layout import CODE_COUNT, PASS
from rulesengine.engine.kernel.backends.wasm.build import WebModule, build_web_module
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.play import choose
from rulesengine.search.iterative_deepening import AlphaBeta
from rulesengine.search.learned_weights import LearnedWeights, TrainingTables, write
from rulesengine.search.levels import full_strength
from rulesengine.search.method_choice import MethodChoice
from rulesengine.search.move_file import MoveLogarithms, write_moves
from rulesengine.search.move_learning import FeatureReader
from rulesengine.server.export.single_file import exported
from rulesengine.state import State
from rulesengine.support.source import Source
from tests.helpers.exported import NODE, line, responses

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(NODE is None, reason="there is no Node.js"),
]
FULL = "search:seconds=1"  # the page's name of full strength
SEED = 5

# Placements with a history, which shows the last one.
PLACES = """
spec: 1
name: Row of four
board: {rows: 4, columns: 4, adjacency: orthogonal}
players: [black, white]
pieces: {stone: {black: x, white: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end:
    - {when: "any(line(own, at least 4))", result: player wins}
    - {when: position_repeats >= 1 or none(empty), result: draw}
"""

# Captures that selective search follows and prunes.
CAPTURES = """
spec: 1
name: Kings and rooks
board: {rows: 4, columns: 3}
players: [white, black]
pieces: {king: {white: K, black: k}, rook: {white: R, black: r}, empty: "."}
define:
  beam(c, way): slide(c, way, empty) or shift(slide(c, way, empty) or c, way)
  beams(c): beam(c, north) or beam(c, south) or beam(c, east) or beam(c, west)
  attacked(c): any(neighbours(c) and enemy king) or any(beams(c) and enemy rook)
start: |
  rk.
  ...
  ...
  .KR
rules:
  moves:
    - {move: own king, to: not own touching from}
    - {move: own rook, to: beams(from) minus own}
  forbid: attacked(own king)
  end:
    - {when: "not can_move(mover) and as(mover, attacked(own king))", result: player wins}
    - {when: not can_move(mover) or plies = 40, result: draw}
"""


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile modules without optimisation, in a fifth of the time."""
    monkeypatch.setattr(
        "rulesengine.engine.kernel.web_module.build_web_module", partial(build_web_module, level=0)
    )


def of_search(game: Game, state: rulesengine.State, player: str) -> str:
    """Return the move of a level, or of full strength, by a search of the package."""
    if player != FULL:
        return str(choose(game, state, player, SEED, 0))
    moves = len(game.legal_moves(game.initial_state()))
    budget = full_strength(game.program, game.search_method, moves).budget(SEED)
    nodes, playouts, method = budget.nodes, budget.playouts, budget.method
    return str(game.search(state, nodes=nodes, playouts=playouts, method=method, seed=SEED).move)


def compared(
    game: Game, folder: Path, players: tuple[str, ...], step: int = 2
) -> tuple[list[str], list[str]]:
    """Return the moves of players on the page, and of searches, in positions of a random game."""
    page = folder / "game.html"
    page.write_text(exported(game), "utf-8")
    states, moves = line(game, 3)
    plies = [ply for ply in range(0, len(moves), step) if not game.weights(states[ply])]
    places = [(ply, player) for ply in plies for player in players]
    requests = [("chooseMove", [moves[:ply], player, SEED]) for ply, player in places]
    return responses(page, requests), [of_search(game, states[ply], one) for ply, one in places]


@pytest.mark.parametrize(
    "name",
    [
        "tic-tac-toe",
        "nim",
        "cram",
        "col",
        "three-mens-morris",
        "dobutsu-shogi",
        "peg-solitaire",
        "three-player-tic-tac-toe",
        pytest.param("connect-four", marks=pytest.mark.deep),
        pytest.param("royal-game-of-ur", marks=pytest.mark.deep),
    ],
)
def test_a_level_does_what_it_does_elsewhere(name: str, tmp_path: Path) -> None:
    levels = ("search:level=1", "search:level=4")
    found, wanted = compared(rulesengine.load(name), tmp_path, levels)
    assert found == wanted


@pytest.mark.deep
@pytest.mark.parametrize("name", ["chess", "go", "hex", "international-draughts"])
def test_bundled_weights_of_moves_and_corrections_are_those_of_the_page(
    name: str, tmp_path: Path
) -> None:
    players = ("search:level=4", "search:level=8", FULL)
    found, wanted = compared(rulesengine.load(name), tmp_path, players, 12)
    assert found == wanted


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the path of the only file of learned weights in the package."""
    path = tmp_path / "bundled.learned"
    monkeypatch.setattr("rulesengine.search.bundled_weights.bundled_learned", lambda: [path])
    return path


@pytest.mark.usefixtures("in_a_hurry")
def test_page_weighs_moves_as_tree_search_does(
    bundled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights of chance pull a search to other moves, and so does the last placement."""
    method = MethodChoice("mcts", "by the test")
    monkeypatch.setattr("rulesengine.search.search_service.choose_method", lambda of: method)
    monkeypatch.setattr("rulesengine.search.levels._HIGHEST", 40)
    monkeypatch.setattr("rulesengine.server.export.web_kernels.LEVELS", 0)  # full strength alone
    game, draw = load_source(Source("places.yaml", PLACES), engine="interpreter"), random.Random(1)
    codes = {(draw.randrange(2), draw.randrange(CODE_COUNT)): draw.uniform(-3, 3) for _ in range(9)}
    features = [draw.uniform(-3, 3) for _ in range(PASS + 1)]
    reader, states = FeatureReader(game._dispatcher), line(game, 3)[0][:-1]
    seen = {key for state in states for key in larger_patterns(game, reader, state)}
    larger = {key: draw.uniform(-3, 3) for key in sorted(seen)}
    assert len(larger) > 9
    write_moves(bundled, game.program, MoveLogarithms(codes, features, larger), 1, 0)
    found, wanted = compared(game, tmp_path, (FULL,), 3)
    assert found == wanted


def larger_patterns(game: Game, reader: FeatureReader, state: State) -> list[tuple[int, int]]:
    """Return the larger patterns of the moves of a state."""
    choice = reader.choice(state, game.legal_moves(state), 0, -1)
    return [key for key in choice.larger if key is not None]


@pytest.fixture
def corrected(bundled: Path) -> Game:
    """Return a game with bundled weights that correct the rules."""
    game, draw = load_source(Source("captures.yaml", CAPTURES)), random.Random(1)
    tables = TrainingTables(game._dispatcher.interpreted.network, 0, unit=7)
    for entry in range(tables.network.size):
        tables.memory.numbers[entry] = draw.randrange(-(1 << 14), 1 << 14)
    write(bundled, game.program, tables)
    return game


@pytest.mark.deep
@pytest.mark.usefixtures("in_a_hurry")
def test_page_corrects_the_rules_as_alpha_beta_does(corrected: Game, tmp_path: Path) -> None:
    found, wanted = compared(corrected, tmp_path, (FULL, "search:level=4"))
    assert found == wanted


def test_page_has_the_settings_of_alpha_beta(
    corrected: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Selective search and margins depend on the weights; nothing is compiled here."""
    made = WebModule(b"", {}, 1, 0)
    monkeypatch.setattr(
        "rulesengine.engine.kernel.web_module.build_web_module", lambda *parts: made
    )
    manifest, level = contents_of(exported(corrected))["manifest"], corrected.level(3)
    weights = corrected.searcher(nodes=1).weights
    assert isinstance(weights, LearnedWeights)
    state, budget = corrected.initial_state(), level.budget(SEED)
    search = AlphaBeta(corrected._dispatcher, state, 1, budget, 2, learned=weights)
    own = search.own.numbers
    assert manifest["head"] == {name: own[getattr(layout, name)] for name in manifest["head"]}
    assert manifest["reductions"] == own[layout.REDUCTIONS : layout.HISTORY].tolist()
    assert manifest["head"]["PRUNES"] == 1
    assert weights.factor > 1


def contents_of(page: str) -> dict[str, Any]:
    """Return the JSON data of a page."""
    text = page.partition('id="game">')[2].partition("<")[0]
    return dict(json.loads(zlib.decompress(b64decode(text), wbits=-15)))
