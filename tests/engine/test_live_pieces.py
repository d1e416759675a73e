"""Pieces that may still move or be captured, and games that are solved without the others."""

import random
from collections.abc import Iterator

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.passes.live_pieces import live_pieces_of
from rulesengine.loading import load_source
from rulesengine.search.null_window import NullWindow
from rulesengine.support.frozen import replace
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source

BACKENDS = tuple(sorted(backend.name for backend in working()))

SPEC = """
spec: 1
name: Beside
board: {{rows: 3, columns: 3, origin: bottom-left, {board}}}
players: [white, black]
pieces:
  stone: {{white: o, black: x}}
  king: {{white: O, black: X, neutral: "#"}}
  empty: "."
start: |
  oxo
  xox
  oxo
rules:
  moves:
    move: {move}
    along: {along}
    to: {to}
{more}
  end:
    - when: not can_move(mover)
      result: {result}
      reason: no move left
"""
TO = "shift(from, direction) and enemy"


def beside(
    *,
    move: str = "own",
    along: str = "orthogonal",
    to: str = TO,
    more: str = "",
    board: str = "adjacency: orthogonal",
    result: str = "mover loses",
) -> Game:
    text = SPEC.format(move=move, along=along, to=to, more=more, board=board, result=result)
    return load_source(Source("beside.yaml", text), engine="interpreter")


def scattered(game: Game, count: int, seed: int = 1) -> Iterator[State]:
    """Yield positions in which each cell has any piece, or none."""
    chance, start = random.Random(seed), game.initial_state()
    cells = range(game.program.topology.cells)
    for _ in range(count):
        planes = [0] * len(start.planes)
        kinds = [number for number, symbol in enumerate(start.form.symbols) if symbol]
        for cell in cells:
            kind = chance.choice([None, *kinds])
            if kind is not None:
                planes[kind] |= 1 << cell
        yield replace(start, planes=tuple(planes), side=chance.randrange(2))


def wins(game: Game, state: State, known: dict[State, bool]) -> bool:
    """True if the side to move wins, by exhaustive search."""
    if state not in known:
        replies = (game.apply(state, move) for move in game.legal_moves(state))
        known[state] = not all(wins(game, after, known) for after in replies)
    return known[state]


def stepped_on(game: Game, state: State) -> int:
    """Return the cells where steps of either side ever begin or end, by exhaustive search."""
    found, seen, ahead = 0, set[State](), [state, replace(state, side=1 - state.side)]
    while ahead:
        here = ahead.pop()
        if here in seen:
            continue
        seen.add(here)
        for move in game.legal_moves(here):
            for step in move.steps:
                found |= 1 << step.origin | 1 << step.target
            after = game.apply(here, move)
            ahead += [after, replace(after, side=1 - after.side)]
    return found


GAMES = {
    "clobber": {},
    "kings alone move": {"move": "own and king"},
    "stones alone are taken": {"to": f"{TO} and stone"},
    "eight ways": {
        "along": "[orthogonal, diagonal]",
        "board": "adjacency: [orthogonal, diagonal]",
    },
    "two ways": {"along": "[north, east]"},
    "torus": {"board": "adjacency: orthogonal, wrap: both"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_dead_pieces_never_move_and_are_never_captured(name: str) -> None:
    game = beside(**GAMES[name])
    assert live_pieces_of(game.program) is not None
    fewer = 0
    for state in scattered(game, 12):
        living = game._dispatcher.interpreted.living(state)
        there = sum(living.planes)
        assert not stepped_on(game, state) & ~there
        assert game.legal_moves(living) == game.legal_moves(state)
        assert wins(game, living, {}) is wins(game, state, {})
        fewer += there != sum(state.planes)
    assert fewer > 3


@pytest.mark.parametrize(
    "other",
    [
        {"along": "[orthogonal, diagonal]"},
        {"to": "shift(from, direction) and (enemy or empty)"},
        {"to": "shift(from, direction) and occupied"},
        {"to": "shift(shift(from, direction) and occupied, direction) and enemy"},
        {"to": f"{TO} and neighbours(own)"},
        {"move": "occupied minus enemy"},
        {"move": "own touching enemy"},
        {"move": "own", "more": "    when: count(own) > 3"},
        {"move": "own", "more": "    do: remove stone touching to"},
        {"move": "own", "more": "    forbid: any(own touching empty)"},
        {"more": "  do: remove king"},
        {"result": "mover wins"},
    ],
)
def test_rules_that_look_further_leave_nothing_out(other: dict[str, str]) -> None:
    game = beside(**other)
    assert live_pieces_of(game.program) is None
    state = next(scattered(game, 1))
    assert game._dispatcher.interpreted.living(state) is state


@pytest.mark.slow
def test_clobber_is_the_only_bundled_game_with_dead_pieces() -> None:
    programs = {n: rulesengine.load(n, engine="interpreter").program for n in bundled_names()}
    found = [name for name, program in programs.items() if live_pieces_of(program)]
    assert found == ["clobber"]


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_engines_solve_through_the_same_positions(backend: str) -> None:
    found = []
    for engine in ("interpreter", backend):
        game = rulesengine.load("clobber", engine=engine, rows=3, columns=4)
        window = NullWindow(game._dispatcher, game.initial_state(), Budget(), 1 << 10)
        window.expected = 1 << 40
        answer = window.reaches(game.initial_state(), 0, 1)
        found.append((answer, window.nodes, bytes(window.table.bytes)))
        assert window.engine == engine
    assert found[0] == found[1]


@pytest.mark.slow
def test_scattered_positions_are_solved_as_by_all_lines_of_play() -> None:
    game = rulesengine.load("clobber", engine="interpreter", rows=3, columns=4)
    window = NullWindow(game._dispatcher, game.initial_state(), Budget(), 1 << 12)
    seen, known = set(), dict[State, bool]()
    for state in scattered(game, 60, seed=2):
        if game.legal_moves(state):
            answer = wins(game, state, known)
            assert window.reaches(state, state.side, 1) is answer
            seen.add(answer)
    assert seen == {True, False}
