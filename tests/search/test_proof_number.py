"""Reachable goals: proof-number search and null windows, against plain negamax."""

from itertools import product
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.symmetry import few_symmetries
from rulesengine.job import Job
from rulesengine.loading import load_source
from rulesengine.search.null_window import NullWindow
from rulesengine.search.proof_number import Prover, is_provable
from rulesengine.search.value_search import ValueBounds, ValueSearch
from rulesengine.support.source import Source
from tests.engine.test_translate import later
from tests.helpers.each_game import LONG_TO_MAKE, OPEN

BACKENDS = tuple(sorted(backend.name for backend in working()))
FEW = 64  # entries, few enough that most are replaced
PLIES = 7
# Small enough for exhaustive search: of placements, of captures, of points, with a swap of sides.
SMALL: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("tic-tac-toe", {}, 3),
    ("tic-tac-toe", {"m": 4, "n": 3}, 6),
    ("clobber", {"rows": 2, "columns": 4}, 1),
    ("othello", {"n": 4}, 5),
    ("dots-and-boxes", {"rows": 1, "columns": 2}, 1),
    ("hex-pie", {"n": 2}, 0),
)


def plain(game: Game, state: State, points: int) -> int:
    """Return the payoff of the side to move, by exhaustive search."""
    moves = game.legal_moves(state)
    if not moves:
        outcome = game.outcome(state)
        if points and outcome:
            scores = {player: points * score for player, score in outcome.scores.items()}
            return scores.pop(state.mover) - sum(scores.values())
        winner = outcome and outcome.winner
        return 0 if winner is None else 1 if winner == state.mover else -1
    values = []
    for move in moves:
        after = game.apply(state, move)
        value = plain(game, after, points)
        values.append(value if after.mover == state.mover else -value)
    return max(values)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters", "plies"), SMALL, ids=str)
@pytest.mark.parametrize("judge", [Prover, NullWindow])
def test_solver_matches_plain_negamax(
    judge: Any, name: str, parameters: dict[str, Any], plies: int
) -> None:
    game = rulesengine.load(name, engine="interpreter", **parameters)
    state = later(game, plies)
    solver = judge(game._dispatcher, state, Budget(nodes=50_000), FEW)
    value = plain(game, state, solver.points)
    player = game.players.index(state.mover)
    goals = (value, value + 1) if solver.points else (0, 1)
    for goal in goals:
        assert solver.reaches(state, player, goal) is (value >= goal)
        assert solver.reaches(state, 1 - player, -goal + 1) is (value <= goal - 1)


@pytest.mark.slow
@pytest.mark.parametrize("judge", [Prover, NullWindow])
def test_a_judge_looks_first_where_it_has_found_a_goal(judge: Any) -> None:
    game = rulesengine.load("domineering", engine="interpreter", n=4)
    state = later(game, 2)
    player, value = game.players.index(state.mover), 1
    following = [game.apply(state, move) for move in game.legal_moves(state)]
    keeps = [-plain(game, after, 0) >= value for after in following]
    assert not keeps[0]
    solver = judge(game._dispatcher, state, Budget(nodes=50_000), 4096)
    assert solver.reaches(state, player, value)
    assert keeps[solver.likely(following, player, value)[0]]


@pytest.mark.slow
def test_ordering_by_replies_saves_nodes_where_the_last_mover_wins() -> None:
    game = rulesengine.load("nogo", engine="interpreter", n=3)
    state, found = game.initial_state(), []
    for stalls in (1, 0):
        window = NullWindow(game._dispatcher, state, Budget(), 4096)
        assert window.own.numbers[layout.LAST_MOVE_WINS] == 1
        window.own.numbers[layout.LAST_MOVE_WINS] = stalls
        found.append((window.reaches(state, 0, 1), window.nodes))
    (known, few), (plain, many) = found
    assert known is plain is True
    assert few < many


# engines

SHOWN = ("connect-four", "clobber", "hex-pie")


def marks(name: str, backend: str) -> tuple[pytest.MarkDecorator, ...]:
    if name not in SHOWN or (backend == "native" and name != "clobber"):
        return (pytest.mark.deep,)
    return (pytest.mark.slow,)


@pytest.mark.parametrize(
    ("name", "backend"),
    [
        pytest.param(*case, marks=marks(*case))
        for case in product(sorted({*OPEN} - LONG_TO_MAKE), BACKENDS)
    ],
)
def test_engines_prove_by_the_same_positions(name: str, backend: str) -> None:
    engines = [rulesengine.load(name, engine=engine) for engine in ("interpreter", backend)]
    state = later(engines[0], PLIES)
    if not is_provable(engines[0].program) or not engines[0].legal_moves(state):
        return
    found = []
    for game in engines:
        prover = Prover(game._dispatcher, state, Budget(nodes=60), FEW)
        answer = prover.reaches(state, 0, 1)
        found.append((answer, prover.nodes, bytes(prover.table.bytes)))
    assert found[0] == found[1]


# A stone goes next to the last one; abandoned cells are not visited again.
WALK = """\
spec: 1
name: Walk
board: {rows: 3, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
registers: {last: {type: cell}, gone: {type: cells}}
rules:
  moves:
    place: stone
    to: empty minus gone
    when: last = no_cell or to in neighbours(last)
    do: [set last to to, "set gone to gone or (neighbours(to) and corners)"]
  end: {when: not can_move(mover), result: mover loses}
"""


@pytest.mark.parametrize("backend", [pytest.param(b, marks=pytest.mark.slow) for b in BACKENDS])
def test_keys_have_what_registers_hold_in_its_place(backend: str) -> None:
    found = []
    for engine in ("interpreter", backend):
        game = load_source(Source("walk.yaml", WALK), engine=engine)
        state = game.initial_state()
        prover = Prover(game._dispatcher, state, Budget(nodes=500), 4096)
        found.append((prover.reaches(state, 0, 1), prover.nodes, bytes(prover.table.bytes)))
    assert found[0] == found[1]
    assert len(few_symmetries(game.program)) == 8


# budgets


@pytest.mark.slow
def test_extended_proof_search_reuses_its_table() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    state = later(game, 2)
    prover = Prover(game._dispatcher, state, Budget(nodes=10), 4096)
    turns = 0
    while turns < 100 and prover.reaches(state, 0, 1) is None:
        turns += 1
        prover.extend(10)
    assert turns > 2
    assert prover.reaches(state, 0, 1) is False


@pytest.mark.slow
def test_two_judges_take_turns_until_a_value_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    monkeypatch.setattr("rulesengine.search.value_search._FIRST", 8)
    state = later(game, 4)
    judges = tuple(kind(game._dispatcher, state, Budget(), 4096) for kind in (NullWindow, Prover))
    values, turns = ValueSearch(state, judges, Budget()), []
    values.find(Job(), lambda: turns.append(values.nodes))
    assert values.bounds.low == values.bounds.high == plain(game, state, 0)
    assert len(turns) > 1
    assert all(judge.nodes for judge in judges)


def test_solver_with_a_full_table_gets_a_smaller_share(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    monkeypatch.setattr("rulesengine.search.value_search._FIRST", 64)
    state = later(game, 6)
    window, prover = (kind(game._dispatcher, state, Budget(), 16) for kind in (NullWindow, Prover))
    values = ValueSearch(state, (window, prover), Budget())
    assert [values._share_of(judge) for judge in values.judges] == [64, 16]
    while prover.nodes < 16:
        prover.reaches(state, 0, 1)
    assert [values._share_of(judge) for judge in values.judges] == [64, 2]


def test_proofs_of_scores_on_filling_boards_get_a_tiny_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rulesengine.search.value_search._FIRST", 1024)
    shares = {}
    for name in ("dots-and-boxes", "kalah"):  # no move of Kalah fills a cell for ever
        game = rulesengine.load(name, engine="interpreter")
        state = game.initial_state()
        judges = tuple(kind(game._dispatcher, state, Budget(), 16) for kind in (NullWindow, Prover))
        values = ValueSearch(state, judges, Budget())
        shares[name] = [values._share_of(judge) for judge in values.judges]
    assert shares == {"dots-and-boxes": [1024, 4], "kalah": [1024, 256]}


@pytest.mark.slow
def test_budget_ends_solvers_with_their_bounds() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    state = game.initial_state()
    judges = (NullWindow(game._dispatcher, state, Budget(), 4096),)
    values = ValueSearch(state, judges, Budget(nodes=100))
    values.find(Job())
    assert values.nodes <= 101
    # A draw: the search first proves that cross cannot win, then that cross need not lose.
    assert values.bounds in (ValueBounds(-1, 1), ValueBounds(-1, 0))


@pytest.mark.parametrize("value", range(-30, 31))
def test_a_score_is_found_from_its_answers(value: int) -> None:
    bounds, queries = ValueBounds(-(1 << 40), 1 << 40), 0
    while not bounds.is_exact:
        goal = bounds.goal()
        bounds, queries = bounds.after_answer(goal, value >= goal), queries + 1
    assert bounds == ValueBounds(value, value)
    assert queries <= 12
