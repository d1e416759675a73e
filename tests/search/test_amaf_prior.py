"""AMAF priors from random games before an exhaustive search, and the history that the search
leaves.
"""

from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.protocol import NO_THREAT
from rulesengine.engine.drivers.random import Generator, word
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.amaf_prior import PRIOR_DRAWS, SURE_SHARE
from rulesengine.engine.drivers.search.move_ordering import (
    LINE_SCORE,
    SEARCHED,
    history_at,
    reward_cutoff,
)
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.drivers.search.transposition_table import place_of, probe_entry
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.selection import Engine
from rulesengine.search.null_window import NullWindow

pytestmark = pytest.mark.usefixtures("in_haste")

ENGINES = ("interpreter", *(backend.name for backend in working()))
PLIES = 600


def primed_window(game: Game, state: State, plies: int = PLIES) -> tuple[NullWindow, int]:
    """Return a window with AMAF statistics of its moves, and the number of random games."""
    window = NullWindow(game._dispatcher, state, Budget(), 64, plies=plies)
    window.state = state
    window.own.numbers[layout.SEARCHER] = state.side
    games = window._played()
    assert games is not None
    return window, games


def history_scores(game: Game, window: NullWindow, state: State, *, mine: bool) -> dict[str, int]:
    """Return the history score of each move."""
    judged = window._interpreted()
    keys = [judged.key(move) for move in judged.legal(state)]
    found = [window.own.numbers[history_at(key, mine)] for key in keys]
    return dict(zip(map(str, game.legal_moves(state)), found, strict=True))


def after(game: Game, *moves: str) -> State:
    state = game.initial_state()
    for move in moves:
        state = game.apply(state, move)
    return state


def test_a_move_is_worth_what_all_its_games_come_to() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    for moves, last, share in (
        (("a1", "b1", "a2", "b2", "c2", "c1", "b3", "c3"), "a3", SURE_SHARE),
        (("a1", "b1", "a2", "b2", "c1", "a3", "c3", "c2"), "b3", 0),
    ):
        state = after(game, *moves)
        window, games = primed_window(game, state)
        assert games == PLIES // 2
        assert history_scores(game, window, state, mine=True) == {
            last: games * share // (games + PRIOR_DRAWS)
        }


def test_the_middle_is_thought_of_more_than_edges() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    window, _ = primed_window(game, game.initial_state(), 3000)
    for mine in (True, False):
        found = history_scores(game, window, game.initial_state(), mine=mine)
        assert found["b2"] > max(found[edge] for edge in ("a2", "b1", "b3", "c2"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["connect-four", pytest.param("breakthrough", marks=pytest.mark.deep)]
)
def test_engines_compute_the_same_statistics(name: str) -> None:
    found = []
    for engine in ENGINES:
        game = rulesengine.load(name, engine=engine)
        window = NullWindow(game._dispatcher, game.initial_state(), Budget(), 64, plies=PLIES)
        window.expected = 1 << 20
        window.state = game.initial_state()
        assert window.engine == engine
        games = window._played()
        found.append((games, window.own.bytes[8 * layout.HISTORY : 8 * layout.KILLERS]))
    assert (found[0][0] or 0) > 1
    assert any(found[0][1])
    assert all(one == found[0] for one in found)


def test_cutoff_reward_is_subtracted_from_earlier_moves() -> None:
    own = Memory(layout.ROOT + 8)
    for number, (soon, key) in enumerate(((SEARCHED, 5), (9, 6), (SEARCHED, 7), (SEARCHED, 8))):
        store(own, layout.ROOT + number, soon)
        store(own, layout.ROOT + 4 + number, key)
    assert reward_cutoff(layout.ROOT, 4, 2, True, 3, 0, own) == 2
    assert [load(own, history_at(key, True)) for key in (5, 6, 7, 8)] == [-9, 0, 18, -9]
    assert [load(own, history_at(key, False)) for key in (5, 6, 7, 8)] == [0, 0, 0, 0]
    assert load(own, layout.KILLERS) == 7
    noted = bytes(own.bytes)
    store(own, layout.FIXED_HISTORY, 1)
    assert reward_cutoff(layout.ROOT, 4, 2, True, 3, 0, own) == 0
    store(own, layout.FIXED_HISTORY, 0)
    assert bytes(own.bytes) == noted


# games won by lines


@pytest.mark.parametrize("engine", ENGINES)
def test_a_move_is_thought_of_by_the_lines_it_is_in(engine: Engine) -> None:
    """Expect three lines for a corner, two for an edge and four for the middle, to the end."""
    game = rulesengine.load("tic-tac-toe", engine=engine)
    start = game.initial_state()
    window = NullWindow(game._dispatcher, start, Budget(), 1 << 10, plies=PLIES)
    assert window.reaches(start, 0, 1) is False
    assert window.nodes > 10
    for mine in (True, False):
        found = history_scores(game, window, start, mine=mine)
        assert [found[cell] // LINE_SCORE for cell in ("a1", "b1", "b2", "c2", "c3")] == [
            3,
            2,
            4,
            2,
            3,
        ]
        assert sum(found.values()) == 8 * 3 * LINE_SCORE
    assert not any(window.own.numbers[layout.KILLERS : layout.LENGTHS])


@pytest.mark.parametrize(
    ("name", "given", "windows"),
    [("connect-four", {}, 69), ("gomoku", {"n": 7}, 3 * 7 * 2 + 3 * 3 * 2), ("yavalath", {}, None)],
)
def test_each_way_to_win_is_counted_at_its_cells(
    name: str, given: dict[str, Any], windows: int | None
) -> None:
    """Expect Connect Four's 69 rows of four (Tromp), and 5 cells in each row of Gomoku."""
    game = rulesengine.load(name, engine="interpreter", **given)
    found = dict(game._dispatcher.interpreted.line_counts())
    judged = game._dispatcher.interpreted.search_functions()
    assert {judged.key(move) for move in judged.legal(game.initial_state())} <= {*found}
    if windows is not None:
        assert sum(found.values()) == windows * (4 if name == "connect-four" else 5)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number", [22, 59, 93, 172])
def test_a_move_that_wins_in_the_table_is_not_searched(engine: Engine, number: int) -> None:
    """Find the winning move of an evicted position through the entry of its successor."""
    game = rulesengine.load("connect-four", engine=engine, columns=5, rows=4)
    state, rolled = game.initial_state(), Generator(5, number)
    for _ in range(8):
        moves = game.legal_moves(state)
        state = game.apply(state, moves[rolled.below(len(moves))])
    window = NullWindow(game._dispatcher, state, Budget(), 1 << 12)
    assert window.reaches(state, state.side, 1)
    assert window.nodes > 20
    key = window._interpreted().canonical(word(window.sides), state)
    best = probe_entry(key, window.own, window.table) >> layout.MOVE_AT
    after_best = game.apply(state, game.legal_moves(state)[best])
    assert game._dispatcher.interpreted.search_functions().urgent(after_best) == NO_THREAT
    for at in range(4):
        store(window.table, place_of(key, window.own) + at, 0)
    before = window.nodes
    assert window.reaches(state, state.side, 1)
    assert window.nodes == before + 1
