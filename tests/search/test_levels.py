"""Levels of play: the budget of a move at each of them."""

from collections import Counter

import pytest

import rulesengine
from rulesengine import UsageError
from rulesengine.engine.drivers.search.result import Budget, Level, level_of
from rulesengine.play.players.search_players import budget_of, choose


def test_a_level_is_a_budget_of_what_the_method_counts() -> None:
    assert level_of(1, "mcts", 9) == Level("mcts", (50,))
    assert level_of(1, "uct", 121) == Level("uct", (484,))
    assert level_of(8, "grave", 121) == Level("grave", (109_350,))
    assert level_of(3, "alpha-beta", 9) == Level("alpha-beta", (150, 450, 1350))
    assert level_of(1, "is-mcts", 9) == Level("is-mcts", (50,))
    assert level_of(1, "duct", 9) == Level("duct", (50,))
    assert level_of(8, "is-mcts", 9) == Level("is-mcts", (10_935,))
    for level in (0, 9):
        with pytest.raises(UsageError, match="levels go from 1 to 8"):
            level_of(level, "mcts", 9)
    game = rulesengine.load("tic-tac-toe")
    start = game.initial_state()
    chosen = choose(game, start, "search:level=1", 0, 0)
    assert chosen == game.search(start, nodes=17).move


def test_moves_of_a_level_draw_each_of_its_counts_as_often() -> None:
    level = level_of(3, "alpha-beta", 9)
    for first, step in ((0, 1), (7, 2), (2**63, 2)):  # of one player, and of one of two
        numbers = range(first, first + 300 * step, step)
        seen = Counter(level.budget(number) for number in numbers)
        assert set(seen) == {Budget(nodes=n, method="alpha-beta") for n in (150, 450, 1350)}
        assert min(seen.values()) > 95


def test_levels_of_tree_search_begin_with_random_games_for_each_move() -> None:
    game = rulesengine.load("hex")
    assert budget_of(game, "search:level=1", 5) == Budget(playouts=4 * 121, method="grave")
    assert budget_of(game, "uct:level=1") == Budget(playouts=4 * 121, method="uct")
