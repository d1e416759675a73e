"""Moves in reserve, against playing on to the end in every way."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.drivers import SETTLED
from rulesengine.kernel.backends.registry import working
from rulesengine.kernel.passes.reserves import reserves_of
from rulesengine.kernel.settled import settled
from rulesengine.loading import load_source
from rulesengine.search import layout
from rulesengine.search.result import Budget
from rulesengine.searching.windows import Window
from rulesengine.source import Source

BACKENDS = tuple(sorted(backend.name for backend in working()))
# So many cells are filled before a position is looked at.
SMALL: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("domineering", {"n": 4}, 4),
    ("domineering", {"n": 5}, 14),
    ("col", {"n": 3}, 1),
    ("snort", {"n": 3}, 1),
)

SPEC = """\
spec: 1
name: Filling
board: {{rows: 2, columns: 3, origin: top-left}}
players: [left, right]
pieces: {{stone: {{left: x, right: o}}, empty: "."}}
rules:
  moves:
    place: stone
    to: {to}
    do: {do}
  end:
    - when: {when}
      result: {side} loses
      reason: no move left
"""


def filling(
    to: str, do: str = "[]", when: str = "not can_move(mover)", side: str = "mover"
) -> Game:
    text = SPEC.format(to=to, do=do, when=when, side=side)
    return load_source(Source("filling.yaml", text), engine="interpreter")


def wins(game: Game, state: State, known: dict[State, bool]) -> bool:
    """Whether the side to move wins, by every line of play."""
    if state not in known:
        replies = (game.apply(state, move) for move in game.legal_moves(state))
        known[state] = not all(wins(game, after, known) for after in replies)
    return known[state]


def positions(game: Game, filled: int, games: int) -> Iterator[State]:
    """Those of random games in which so many cells are filled."""
    chance = random.Random(1)
    for _ in range(games):
        state = game.initial_state()
        while moves := game.legal_moves(state):
            state = game.apply(state, chance.choice(moves))
            if sum(state.planes).bit_count() >= filled:
                yield state


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters", "filled"), SMALL, ids=str)
def test_who_is_sure_to_win_does(name: str, parameters: dict[str, Any], filled: int) -> None:
    game = rulesengine.load(name, engine="interpreter", **parameters)
    reserves, known = reserves_of(game.program), dict[State, bool]()
    found = {SETTLED: 0, -SETTLED: 0, 0: 0}
    for state in positions(game, filled, 40):
        ahead = settled(game.machine, reserves, state)
        if abs(ahead) == SETTLED:
            assert wins(game, state, known) is (ahead > 0)
        found[ahead if abs(ahead) == SETTLED else 0] += 1
    assert min(found.values()) > 0


def state_of(game: Game, rows: str, mover: str) -> State:
    return game.state_from("\n".join((*rows.split(), f"mover: {mover}")))


@pytest.mark.parametrize(
    ("rows", "mover", "ahead"),
    [
        # two cells beside each other twice, and nowhere two in a row
        (".v.hh .v.hh vvvhh hhhhh hhhhh", "vertical", SETTLED),
        # who moves second has two of his own to none, or to one that is not spoiled
        ("..hhh hhh.. hhhhh hhhhh hhhhh", "vertical", -SETTLED),
        ("..hhh hhh.. hhhhh hhhh. hhhh.", "vertical", -SETTLED),
        # two against two: who is to move runs out first
        (".v.hh .v.hh vvvhh ..hhh hhh..", "vertical", -SETTLED),
        (".v.hh .v.hh vvvhh ..hhh hhh..", "horizontal", -SETTLED),
        # a square is for who comes first, and so it is not known who has two
        ("..hhh ..hhh hhhhh hhh.. hhh..", "vertical", None),
    ],
)
def test_what_is_in_reserve_in_domineering(rows: str, mover: str, ahead: int | None) -> None:
    game = rulesengine.load("domineering", engine="interpreter", n=5)
    found = settled(game.machine, reserves_of(game.program), state_of(game, rows, mover))
    assert found == ahead if ahead is not None else abs(found) < SETTLED


def test_what_can_be_made_at_most_is_no_guess() -> None:
    """Left has two moves or, from the middle of the three cells, one; right has one."""
    game = rulesengine.load("col", engine="interpreter", n=5)
    state = state_of(game, "o..ox o.oxx ooxxx ooxxx ooxx.", "left")
    assert wins(game, state, {})
    assert abs(settled(game.machine, reserves_of(game.program), state)) < SETTLED


def test_what_a_placement_means_for_others() -> None:
    """On two by two: a domino that stands and one that lies share a cell, whichever they are."""
    game = rulesengine.load("domineering", engine="interpreter", n=2)
    reserves = reserves_of(game.program)
    assert reserves is not None
    standing, lying = reserves.sides
    assert standing.spoils[:2] == (0b0101, 0b0101)  # a lying one begins at a2 or a1
    assert standing.takes[:2] == (0b01, 0b10)
    assert standing.near[:2] == (0b11, 0b11)
    assert lying.takes[0] == lying.apart[0] == 0b0001
    assert lying.spoils[2] == 0b0011


def test_neighbours_in_a_column_are_never_both_played() -> None:
    game = rulesengine.load("domineering", engine="interpreter", n=4)
    reserves = reserves_of(game.program)
    assert reserves is not None
    assert reserves.sides[0].apart[0] == 1 << 0 | 1 << 4
    assert reserves.sides[1].apart[0] == 1 << 0 | 1 << 1


@pytest.mark.parametrize(
    ("to", "do", "has"),
    [
        ("empty", "[]", True),
        ("empty minus neighbours(own)", "[]", True),
        ("empty and shift(empty, east)", "put stone on shift(to, west)", True),
        ("empty and shift(empty, [east, south])", "[]", False),  # it needs one of two
        ("empty and neighbours(own)", "[]", False),  # it comes with a piece
        ("empty or enemy", "[]", False),  # it takes the place of a piece
        ("empty", "put stone on shift(to, east)", False),
        ("empty", "remove neighbours(to) and enemy", False),
        ("empty and shift(empty, east)", "put stone on last(own)", False),
        ("where(it in empty, count(neighbours(it) and own) < 2)", "[]", False),  # it takes two
    ],
)
def test_rules_must_show_that_pieces_only_take_moves(to: str, do: str, has: bool) -> None:
    game = filling(to, do)
    assert (reserves_of(game.program) is not None) is has


@pytest.mark.parametrize(
    ("when", "side", "has"),
    [
        ("not can_move(mover)", "mover", True),
        ("not can_move(mover) or plies > 3", "mover", False),
        ("not can_move(left)", "left", False),  # who is stuck on the right has not lost
        ("not can_move(player)", "player", False),  # who is not to move may lose
    ],
)
def test_other_ends_leave_it_open(when: str, side: str, has: bool) -> None:
    assert (reserves_of(filling("empty", when=when, side=side).program) is not None) is has


@pytest.mark.parametrize(
    ("name", "has"),
    [
        *((name, True) for name in ("col", "domineering", "snort")),
        *((name, False) for name in ("amazons", "clobber", "cram", "hex", "konane", "nogo")),
    ],
)
def test_which_games_have_moves_in_reserve(name: str, has: bool) -> None:
    game = rulesengine.load(name, engine="interpreter")
    assert (reserves_of(game.program) is not None) is has


GATED = ("domineering", "python")
CASES = [
    pytest.param(name, given, backend, marks=() if (name, backend) == GATED else pytest.mark.deep)
    for backend in BACKENDS
    for name, given in (("domineering", {"n": 4}), ("col", {"n": 3}), ("snort", {"n": 3}))
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "given", "backend"), CASES)
def test_engines_look_at_the_same_positions(name: str, given: dict[str, Any], backend: str) -> None:
    found = []
    for engine in ("interpreter", backend):
        game = rulesengine.load(name, engine=engine, **given)
        window = Window(game._dispatcher, game.initial_state(), Budget(), 64)
        window.expected = 1 << 40
        answer = window.reaches(game.initial_state(), 0, 1)
        found.append((answer, window.nodes, bytes(window.table.bytes)))
        assert window.engine == engine
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_solver_looks_at_fewer_positions_with_them() -> None:
    game = rulesengine.load("domineering", engine="interpreter", n=4)
    found = []
    for asks in (1, 0):
        window = Window(game._dispatcher, game.initial_state(), Budget(), 4096)
        assert window.own.numbers[layout.SETTLES] == 1
        window.own.numbers[layout.SETTLES] = asks
        found.append((window.reaches(game.initial_state(), 0, 1), window.nodes))
    (known, few), (plain, many) = found
    assert known is plain is True
    assert few < many
