"""Tree search by threads on a shared tree: no visit is lost, and proofs are correct."""

from collections.abc import Iterator

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.search import tree_layout as layout
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.job import Job
from rulesengine.search.searches import start_search
from rulesengine.search.tree_search import TreeSearch

pytest.importorskip("llvmlite")
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_haste")]

THREADS, GAMES, WORDS = 3, 200_000, 1 << 16


def tree_of(game: Game, state: State, method: str, wide: int) -> TreeSearch:
    count, budget = len(game.legal_moves(state)), Budget(playouts=GAMES)
    dispatcher, settings = game._dispatcher, Settings(seed=5, threads=THREADS)
    tree = TreeSearch(dispatcher, state, count, budget, WORDS, settings, method)
    tree.own.numbers[layout.WIDE] = wide
    tree.run(Job())
    return tree


def nodes_of(tree: TreeSearch, node: int = layout.TREE) -> Iterator[int]:
    yield node
    if tree.pool.numbers[node + layout.COUNT] > 0:
        for child in tree._children(node).values():
            yield from nodes_of(tree, child)


@pytest.mark.parametrize(("method", "wide"), [("uct", 0), ("uct", 3), ("grave", 0)])
def test_no_visit_and_no_result_is_lost(method: str, wide: int) -> None:
    game = rulesengine.load("connect-four", engine="native")
    tree = tree_of(game, game.initial_state(), method, wide)
    numbers, below = tree.pool.numbers, 0
    assert tree.nodes == GAMES == numbers[layout.TREE + layout.VISITS]
    for node in nodes_of(tree):
        visits = numbers[node + layout.VISITS]
        totals = numbers[node + layout.TOTALS : node + layout.width(2)]
        # Each game is worth two points: the players get two and none, or one each.
        assert sum(totals) == 2 * visits
        assert numbers[node + layout.MORE] < layout.LOCK
        children = tree._children(node).values()
        assert sum(numbers[child + layout.VISITS] for child in children) <= visits
        below += 1
    top = tree._children(layout.TREE).values()
    assert sum(numbers[child + layout.VISITS] for child in top) == GAMES
    assert below > 100


@pytest.mark.parametrize("method", ["uct", "grave"])
def test_threads_prove_a_forced_win(method: str) -> None:
    game = rulesengine.load("connect-four", engine="native")
    state = game.initial_state()
    for text in ("d1", "d2", "e1", "e2"):
        state = game.apply(state, text)
    found = game.search(state, playouts=GAMES, method=method, threads=2)
    # Three in a row that are open at both ends.
    assert str(found.move) in ("c1", "f1")
    assert (found.value, found.whole) == (1000, True)


def test_time_ends_all_threads() -> None:
    game = rulesengine.load("connect-four", engine="native")
    start = game.initial_state()
    game.search(start, playouts=GAMES, method="uct", threads=THREADS)  # the kernels are there
    search = start_search(
        game._dispatcher, start, 7, Budget(seconds=0.3, method="uct"), Settings(threads=THREADS)
    )
    search.run(Job())
    assert search.nodes > 0
    assert isinstance(search, TreeSearch)
    assert search.pool.numbers[layout.TREE + layout.VISITS] == search.nodes
