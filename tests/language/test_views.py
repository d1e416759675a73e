"""Words for pieces in moves and strategies read the cells that the player sees, in every engine.

Left sees `a1` and `b1`, and the owners of `c1` and `d1`; `e1` and `f1` are unknown.
"""

import pytest

import rulesengine
from rulesengine import Game

SPEC = """
spec: 1
name: Half seen
board: {rows: 1, columns: 6, origin: bottom-left}
players: [left, right]
pieces:
  stone: {left: x, right: o, neutral: "#"}
  king: {left: X, right: O}
  empty: "."
registers:
  seeds: {type: number, each: cell, from: 0, to: 9}
  counts: {type: number, each: cell, from: 0, to: 9, seen: all}
define:
  far: all where owner(it) = opponent
rules:
  sees: {cells: own or b1, owners: c1 or d1}
  moves:
    - {select: empty, written: "empty-{to}"}
    - {select: not empty, written: "not_empty-{to}"}
    - {select: occupied, written: "occupied-{to}"}
    - {select: own, written: "own-{to}"}
    - {select: enemy, written: "enemy-{to}"}
    - {select: neutral, written: "neutral-{to}"}
    - {select: unknown, written: "unknown-{to}"}
    - {select: stone, written: "stone-{to}"}
    - {select: enemy king, written: "enemy_king-{to}"}
    - {select: enemy stone, written: "enemy_stone-{to}"}
    - {select: far, written: "owner-{to}"}
    - {select: all where kind(it) = king, written: "kind-{to}"}
    - {select: all where kind(it) = no_kind, written: "no_kind-{to}"}
    - {select: all where seeds of it > 0, written: "seeds-{to}"}
    - {select: all where counts of it > 0, written: "counts-{to}"}
    - {select: all, when: count(king) = 1, written: "one_king-{to}"}
  turn: if any(e1 and king) then next(player) else player
  end: {when: count(enemy) > 5, result: draw}
strategies:
  royal: [prefer to in king, rightmost]
"""
POSITION = """
xOo.O#
mover: left
seeds: 3 3 3 3 3 3
counts: 2 2 2 2 2 2
"""
# Worked out by hand from the position and what left sees.
EXPECTED = {
    "empty": "d1",
    "not_empty": "a1 b1 c1 e1 f1",
    "occupied": "a1 b1 c1",
    "own": "a1",
    "enemy": "b1 c1",
    "neutral": "",
    "unknown": "e1 f1",
    "stone": "a1",
    "enemy_king": "b1",
    "enemy_stone": "",
    "owner": "b1 c1",
    "kind": "b1",
    "no_kind": "c1 d1 e1 f1",
    "seeds": "a1 b1",
    "counts": "a1 b1 c1 d1 e1 f1",
    "one_king": "a1 b1 c1 d1 e1 f1",
}


@pytest.fixture(scope="module", params=["interpreter", "python"])
def game(request: pytest.FixtureRequest) -> Game:
    return rulesengine.loads(SPEC, engine=request.param)


def test_moves_read_what_the_player_sees(game: Game) -> None:
    found: dict[str, list[str]] = {word: [] for word in EXPECTED}
    for move in game.legal_moves(game.state_from(POSITION)):
        word, _, cell = str(move).partition("-")
        found[word].append(cell)
    assert {word: " ".join(cells) for word, cells in found.items()} == EXPECTED


def test_a_strategy_reads_what_its_player_sees(game: Game) -> None:
    chosen = game.choose("royal", game.state_from(POSITION))
    assert str(chosen).endswith("-b1")


def test_the_turn_reads_the_whole_position(game: Game) -> None:
    state = game.state_from(POSITION)
    assert game.apply(state, "own-a1").mover == "right"


def test_cells_seen_that_depend_on_pieces_depend_on_the_whole_position() -> None:
    # Left sees a1, e1 and the enemy at d1. The empty cell b1 is unknown, and no enemy is there.
    text = SPEC.replace("own or b1, owners: c1 or d1", "own or neighbours(own) and enemy")
    game = rulesengine.loads(text, engine="interpreter")
    state = game.state_from("x..oxo\nmover: left\nseeds: 0 0 0 0 0 0\ncounts: 0 0 0 0 0 0")
    found = {str(move) for move in game.legal_moves(state)}
    assert {text for text in found if text.startswith(("enemy-", "empty-", "unknown-"))} == {
        *("enemy-d1", "enemy-f1"),
        *("unknown-b1", "unknown-c1"),
    }
