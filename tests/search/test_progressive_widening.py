"""Progressive widening: children are added one by one, and statistics stay complete."""

from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.search import tree_layout as layout
from rulesengine.engine.drivers.search.progressive_widening import stride
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.job import Job
from rulesengine.search.tree_search import TreeSearch

WORDS = 300  # few enough that a tree ends before the search does


def tree_of(
    game: Game, state: State, wide: int, playouts: int, words: int = 1 << 16, gain: int = 4
) -> TreeSearch:
    """Run a search of a state that widens progressively beyond `wide` moves."""
    count, budget = len(game.legal_moves(state)), Budget(playouts=playouts)
    tree = TreeSearch(game._dispatcher, state, count, budget, words, Settings(seed=5), "uct")
    tree.own.numbers[layout.WIDE], tree.own.numbers[layout.GAIN] = wide, gain
    tree.run(Job())
    return tree


def all_results(tree: TreeSearch) -> tuple[Any, ...]:
    """Return all results of a search, and its pool word for word."""
    moves = [str(tree.value_of(number)) for number in range(tree.count)]
    return tree.order, tree.line, tree.nodes, tree.whole, moves, tree.pool.bytes[:]


def visits(tree: TreeSearch, node: int = layout.TREE) -> int:
    return tree.pool.numbers[node + layout.VISITS]


@pytest.mark.parametrize("words", [1 << 16, WORDS])
def test_engines_widen_alike(words: int) -> None:
    games = [rulesengine.load("tic-tac-toe", engine=engine) for engine in ("interpreter", "python")]
    found = [tree_of(game, game.initial_state(), 3, 40, words) for game in games]
    assert [tree.engine for tree in found] == ["interpreter", "python"]
    assert all_results(found[0]) == all_results(found[1])


def test_children_come_as_their_node_is_visited() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    counts = [
        len(tree_of(game, game.initial_state(), 3, playouts)._children(layout.TREE))
        for playouts in (1, 2, 5, 16, 18, 20)
    ]
    # Each leaf plays two games. Before the ninth child the root was visited 16 times: the square of
    # its 8 children has reached four times that. Before the tenth it has not.
    assert counts == [1, 1, 3, 8, 8, 9]


def test_all_moves_come_once() -> None:
    for count in range(2, 400):
        step = stride(count)
        assert len({step * turn % count for turn in range(count)}) == count


def test_widening_proves_a_win_early_and_a_loss_by_all_moves() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    state = game.initial_state()
    for text in ("a1", "b1", "a2", "b2"):
        state = game.apply(state, text)
    won = tree_of(game, state, 2, 200)
    assert won.whole
    assert str(game.legal_moves(state)[won.order[0]]) == "a3"


def test_a_node_is_lost_only_if_all_its_moves_are() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    state = game.initial_state()
    for text in ("a1", "b1", "c1", "c3", "a3"):  # two threats at once: a2 and b2
        state = game.apply(state, text)
    known = tree_of(game, state, 3, 30, gain=0)
    (only,) = known._children(layout.TREE)
    assert known.value_of(only).number == -1000
    assert not known.whole
    found = tree_of(game, state, 3, 100)
    assert found.whole
    assert {found.value_of(number).number for number in range(4)} == {-1000}


def test_a_searcher_takes_children_that_came_one_by_one_along() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    start = game.initial_state()
    old = tree_of(game, start, 3, 100)
    number = old.order[0]
    node, after = old.child(layout.TREE, number), game.apply(start, game.legal_moves(start)[number])
    new = TreeSearch(
        game._dispatcher, after, 8, Budget(playouts=1), 1 << 16, Settings(seed=5), "uct"
    )
    new.take_over(old, node)
    assert visits(new) == visits(old, node)
    assert [visits(new, new.child(layout.TREE, reply)) for reply in range(8)] == [
        visits(old, old.child(node, reply)) for reply in range(8)
    ]
    below = new.child(layout.TREE, 0)
    assert new._children(below).keys() == old._children(old.child(node, 0)).keys()
