"""Symmetries of games: known groups, rules that break them, and equivalent positions."""

import random
from contextlib import suppress

import pytest

from rulesengine import Game, SpecError, State, load
from rulesengine.board.automorphisms import Automorphism, automorphisms
from rulesengine.board.shapes import graph, make_board
from rulesengine.engine.drivers.random import word
from rulesengine.engine.symmetry import COVARIANT, Canonical, few_symmetries, symmetries
from rulesengine.language.ir.ops import OPS
from rulesengine.loading import load_source
from rulesengine.search.enumeration.packed_states import Records
from rulesengine.support.source import Source
from tests.helpers.spec_strategies import random_spec

# By hand: of a square, a rectangle, a rhombus, a hexagon, a triangle, a cube and its tori.
BOARDS = [
    ("rectangle", {"rows": 3, "columns": 3}, 8),
    ("rectangle", {"rows": 3, "columns": 4}, 4),
    ("rectangle", {"rows": 1, "columns": 3}, 2),
    ("rectangle", {"rows": 4, "columns": 4, "wrap": "both"}, 8 * 16),
    ("rectangle", {"rows": 4, "columns": 5, "wrap": "columns"}, 4 * 5),
    ("rectangle", {"rows": 3, "columns": 3, "holes": ((2, 3),)}, 2),
    ("rhombus", {"rows": 4, "columns": 4}, 4),
    ("hexagon", {"size": 3}, 12),
    ("triangle", {"size": 4}, 6),
    ("box", {"layers": 3, "rows": 3, "columns": 3}, 48),
    ("box", {"layers": 1, "rows": 3, "columns": 3}, 8),
]


@pytest.mark.parametrize(("shape", "options", "count"), BOARDS)
def test_a_board_has_the_automorphisms_of_its_shape(
    shape: str, options: dict[str, object], count: int
) -> None:
    assert len(automorphisms(make_board(shape, options))) == count


def test_directions_distinguish_cells_with_equal_neighbours() -> None:
    # Two layers deep, each cell has the neighbours of the one behind it: 2**16 ways to swap them.
    assert len(automorphisms(make_board("box", {"layers": 4, "rows": 4, "columns": 2}))) == 16


def test_a_graph_has_the_automorphisms_that_keep_its_edges_and_its_lines() -> None:
    cells, edges = "abcd", [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    assert len(automorphisms(graph(cells, edges))) == 8
    assert len(automorphisms(graph(cells, edges, [("a", "b", "c", "d", "a")]))) == 8
    assert len(automorphisms(graph(cells, edges, [("a", "b")]))) == 2


def test_a_board_with_too_many_automorphisms_has_none_but_the_identity() -> None:
    lone = graph([f"c{i}" for i in range(7)])  # 7! = 5,040 permutations
    assert [a.cells for a in automorphisms(lone)] == [tuple(range(7))]
    assert len(automorphisms(graph("abcdef"))) == 720


def test_every_automorphism_keeps_what_the_board_is_made_of() -> None:
    board = make_board("rectangle", {"rows": 3, "columns": 4, "wrap": "columns"})
    for found in automorphisms(board):
        for number, direction in enumerate(board.directions):
            other = board.directions[found.directions[number]]
            for cell, target in enumerate(direction.targets):
                at = found.cells[target] if target >= 0 else -1
                assert other.targets[found.cells[cell]] == at


# Well-known reflections and rotations that preserve the rules of each game.
GAMES = {
    "tic-tac-toe": 8,
    "othello": 8,
    "connect-four": 2,
    "hex": 2,
    "y": 6,
    "havannah": 12,
    "go": 8,
    "breakthrough": 2,
    "lines-of-action": 8,
    "tic-tac-toe-3d": 48,
    "mu-torere": 16,
    "nine-mens-morris": 16,
    "kalah": 1,
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_its_known_symmetries(name: str) -> None:
    assert len(symmetries(load(name).program)) == GAMES[name]


SQUARE = """\
spec: 1
name: A game
board: {rows: 3, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules:
  moves: {place: stone, to: %s}
  end:
    - when: %s
      result: player wins
    - {when: none(empty), result: draw}
"""


def group(to: str, end: str) -> int:
    game = load_source(Source("test.yaml", SQUARE % (to, end)))
    return len(symmetries(game.program))


@pytest.mark.slow
def test_a_rule_that_names_a_place_leaves_the_symmetries_that_keep_it() -> None:
    assert group("empty", "any(line(own, at least 3))") == 8
    assert group("empty minus a1", "any(line(own, at least 3))") == 2
    assert group("empty minus b2", "any(line(own, at least 3))") == 8
    assert group("empty", "any(line(own, at least 3, east))") == 4
    assert group("empty", "any(own and top) and any(own and bottom)") == 4
    assert group("empty", "any(own and top) or any(own and left)") == 2
    assert group("empty", "count(own and top) > count(own and bottom)") == 2


def test_a_rule_that_goes_by_the_numbers_of_cells_leaves_none() -> None:
    assert group("empty", "count(own) > 2 and first(own) = a3") == 1
    assert group("empty", "any(c in own, column(c) = 2)") == 1


def test_turned_directions_keep_the_rotations() -> None:
    spiral = (
        "count(own) > 2 and any(w in orthogonal, any(shift(b2, turned(w, 1)) and shift(own, w)))"
    )
    assert group("empty", "any(w in all, none(own))") == 8
    assert group("empty", spiral) == 4
    assert group("empty", "any(own and shift(b2, turned(orthogonal, 1)))") == 8


def test_joined_sides_are_the_same_from_either_end() -> None:
    assert group("empty", "any(fill(own and top, own) and bottom)") == 4
    assert group("empty", "any(fill(own and top, own) and left)") == 2
    assert group("empty", "any(fill(top, own) and bottom and own)") == 4
    assert group("empty", "any(fill(top, occupied) and bottom and own)") == 2


def test_an_operation_that_is_not_known_to_follow_the_board_breaks_symmetry() -> None:
    ordered = {
        *("first", "last", "at", "row", "column", "screen_row", "screen_column"),
        *("row_label", "column_label", "rows", "columns"),
        *("turned", "turned_one"),
    }
    names = {"parameter", "region", "named_cell", "named_direction", "track"}
    by_passes = {name for name, row in OPS.items() if row.by_passes}
    assert set(OPS) >= COVARIANT
    assert not COVARIANT & ordered
    assert set(OPS) - COVARIANT >= ordered | names | by_passes


def positions(game: Game, seed: int, plies: int) -> list[State]:
    draw, session = random.Random(seed), game.start()
    found = [session.state]
    while len(found) < plies and session.outcome() is None:
        session.push(draw.choice(session.legal))
        found.append(session.state)
    return found


def moved(state: State, a: Automorphism) -> State:
    """Return a state under an automorphism, part by part."""
    form = state.form

    def register(kind: str, value: int) -> int:
        if kind == "cells":
            return a.mask(value)
        places = {"cell": a.cells, "direction": a.directions}.get(kind)
        return places[value] if places and value >= 0 else value

    planes = tuple(map(a.mask, state.planes))
    registers = tuple(map(register, form.types, state.registers))
    history = tuple(
        (tuple(map(a.mask, position[: len(form.symbols)])) + position[len(form.symbols) :], side)
        for position, side in state.history
    )
    return State(planes, state.side, registers, history, form, state.seats)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["hex", "havannah", "ataxx", "tablut", "quixo", "lines-of-action", "konane",
     "nine-mens-morris", "popout", "isolation", "english-draughts", "go"],
)  # fmt: skip
def test_successors_of_symmetric_positions_are_symmetric(name: str) -> None:
    game = load(name)
    group = symmetries(game.program)
    records, every = Records(game.program), Canonical(game.program, group).record
    for state in positions(game, 5, 12)[2::4]:
        image = moved(state, group[-1])
        assert every(records.record(image)) == every(records.record(state))
        after = [
            sorted(every(records.record(game.apply(at, m))) for m in game.legal_moves(at))
            for at in (state, image)
        ]
        assert after[0] == after[1]
        assert game.outcome(image) == game.outcome(state)


@pytest.mark.parametrize("name", ["english-draughts", "isolation", "quixo"])
def test_positions_that_are_alike_have_one_key(name: str) -> None:
    game = load(name, engine="interpreter")
    judged, plain = (
        game._dispatcher.interpreted.search_functions(symmetry=alike) for alike in (True, False)
    )
    group = few_symmetries(game.program)
    assert len(group) == len(symmetries(game.program)) > 1
    keys = set()
    for state in positions(game, 5, 12)[2::4]:
        images = {moved(state, a) for a in group}
        assert len({plain.canonical(word(1), image) for image in images}) == len(images)
        found = {judged.canonical(word(1), image) for image in images}
        assert len(found) == 1
        keys |= found
    assert len(keys) > 2


@pytest.mark.slow
def test_images_are_few_and_a_word_each() -> None:
    assert len(few_symmetries(load("othello").program)) == 8
    assert few_symmetries(load("othello", n=10).program) == ()
    assert few_symmetries(load("tic-tac-toe", transforms=("torus",)).program) == ()
    assert few_symmetries(load("chess").program) == ()
    # Each of its 16 pieces is a separate kind.
    assert few_symmetries(load("quarto").program) == ()


# A symmetry is proved for few generated games.
SYMMETRIC = (220, 250, 264, 289, 415, 443, 456, 527)


def generated(seed: int) -> Game | None:
    with suppress(SpecError):
        return load_source(Source("spec.yaml", random_spec(seed)), engine="interpreter")
    return None


@pytest.mark.slow
def test_generated_games_are_the_same_after_their_symmetries() -> None:
    for game in filter(None, map(generated, SYMMETRIC)):
        group = symmetries(game.program)
        assert len(group) > 1
        record, every = Records(game.program).record, Canonical(game.program, group).record
        state = game.initial_state()
        for automorphism in group[1:]:
            follow = [
                {every(record(game.apply(at, move))) for move in game.legal_moves(at)}
                for at in (state, moved(state, automorphism))
            ]
            assert follow[0] == follow[1]
