"""Quiescence search: the values of a plain search, and the same positions in all engines."""

from collections.abc import Callable

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.evaluation import evaluation_of
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.selection import Engine
from rulesengine.job import Job
from rulesengine.search.iterative_deepening import AlphaBeta
from tests.engine.test_evaluation import CHANGED, played
from tests.helpers.cli_calls import call
from tests.helpers.engine_comparison import TooLong

BACKENDS = tuple(sorted(backend.name for backend in working()))
NAMES = ("los-alamos", "english-draughts", "international-draughts")
CALLS = 1500  # of the plain search
MOST = layout.LARGE


class Plain:
    """Negamax with captures at the horizon, by the public interface: alpha-beta without a table,
    without move ordering and without other pruning.
    """

    def __init__(self, game: Game, depth: int, count: Callable[[State], list[int]]) -> None:
        self.game, self.depth, self.count = game, depth, count
        self.expression = evaluation_of(game.machine)
        self.threatened = game._dispatcher.interpreted.search_functions().threatened
        self.calls = 0

    def full(self, state: State, depth: int, ply: int, low: int = -MOST, high: int = MOST) -> int:
        """Return the value of a position for the side to move, within bounds."""
        ended = self.ended(state, ply)
        if ended is not None:
            return ended
        if depth == 0 and not (ply < 2 * self.depth and self.threatened(state)):
            return self.quiet(state, ply, low, high)
        for move in self.game.legal_moves(state):
            after = self.game.apply(state, move)
            low = max(low, -self.full(after, max(0, depth - 1), ply + 1, -high, -low))
            if low >= high:
                break
        return low

    def quiet(self, state: State, ply: int, low: int, high: int) -> int:
        """Return the value of a position by captures alone, within bounds."""
        ended = self.ended(state, ply)
        if ended is not None:
            return ended
        after = [self.game.apply(state, move) for move in self.game.legal_moves(state)]
        captures = [one for one in after if self.count(one) != self.count(state)]
        if len(captures) < len(after):
            low = max(low, self.lead(state))
        for one in captures:
            if low >= high:
                break
            low = max(low, -self.quiet(one, ply + 1, -high, -low))
        return low

    def ended(self, state: State, ply: int) -> int | None:
        self.calls += 1
        if self.calls > CALLS:
            raise TooLong
        outcome = self.game.outcome(state)
        if outcome is None:
            return None
        if outcome.winner is None:
            return 0
        return layout.WON - ply if outcome.winner == state.mover else ply - layout.WON

    def lead(self, state: State) -> int:
        own, other = (
            self.game.machine.number_of(self.expression, state, side)
            for side in (state.side, 1 - state.side)
        )
        return own - other


def searched(game: Game, state: State, depth: int) -> AlphaBeta:
    """Return a search of one depth that follows captures and prunes nothing by its margin."""
    count = len(game.legal_moves(state))
    search = AlphaBeta(game._dispatcher, state, count, Budget(nodes=10**7), 1 << 10)
    search.own.numbers[layout.MARGIN] = layout.MOST // 2
    search.own.numbers[layout.PRUNES] = 0
    with search.timed(Job()):
        assert search._round(depth, False)
    search._take(True)
    return search


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize(
    "name",
    [NAMES[1], *(pytest.param(name, marks=pytest.mark.deep) for name in NAMES[::2])],
)
def test_values_are_those_of_a_plain_search(name: str, depth: int) -> None:
    games = [rulesengine.load(name, engine=engine) for engine in ("interpreter", *BACKENDS)]
    quick, compared, followed = games[-1], 0, 0
    for seed in range(2):
        for state, _ in played(quick, seed, 90)[9 :: 20 if depth == 1 else 27]:
            plain = Plain(quick, depth, CHANGED[name])
            try:
                value = plain.full(state, depth, 0)
            except TooLong:
                continue
            for game in games if compared == 0 else games[-1:]:
                search = searched(game, state, depth)
                assert search.value == value, (game.engine, str(state))
            compared += 1
            followed += search.own.numbers[layout.QUIESCENCE_NODES] > 0
    assert compared > 2
    assert followed > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "nodes", "engines"),
    [
        ("los-alamos", 30, BACKENDS[-1:]),  # checks; its native code compiles slowly
        pytest.param("los-alamos", 80, BACKENDS, marks=pytest.mark.deep),
        pytest.param("international-draughts", 80, BACKENDS, marks=pytest.mark.deep),
        pytest.param("xiangqi", 80, BACKENDS, marks=pytest.mark.deep),
        ("breakthrough", 80, BACKENDS),
    ],
)
def test_engines_search_the_same_positions(
    name: str, nodes: int, engines: tuple[Engine, ...]
) -> None:
    games = [rulesengine.load(name, engine=engine) for engine in ("interpreter", *engines)]
    for state, _ in played(games[-1], 5, 60)[10::30]:
        found = []
        for game in games:
            result = game.search(state, nodes=nodes)
            found.append((str(result.move), result.value, result.nodes, result.depth))
        assert len(set(found)) == 1, (str(state), found)


def test_the_result_has_the_positions_of_quiescence_search() -> None:
    game = rulesengine.load("los-alamos", engine="python")
    state = played(game, 3, 30)[-1][0]
    found = game.search(state, nodes=200)
    assert 0 < found.quiescence_nodes < found.nodes == 200
    assert game.search(state, plies=2).quiescence_nodes == 0
    shown = call("search", "los-alamos", "--nodes", "90", "--engine", "python", "--json").json()
    assert shown["quiescence_nodes"] == game.search(nodes=90).quiescence_nodes


def test_a_search_by_plies_does_not_follow_captures() -> None:
    game = rulesengine.load("los-alamos", engine="python")
    state = played(game, 3, 30)[-1][0]
    count = len(game.legal_moves(state))
    search = AlphaBeta(game._dispatcher, state, count, Budget(plies=2), 1 << 10)
    search.run(Job())
    assert search.own.numbers[layout.QUIESCENCE_NODES] == 0


def test_a_defended_piece_is_not_taken_by_a_better_one() -> None:
    # The queen can take the pawn on d5, which the pawn on e6 defends.
    game = rulesengine.load("chess", engine="python")
    state = game.state_from(
        "....k...\n........\n....p...\n...p....\n........\n........\n...Q....\n....K...\n"
        "mover: white\nrights: none\n"
    )
    for nodes in (40, 200):
        assert str(game.search(state, nodes=nodes).move) != "d2d5"
