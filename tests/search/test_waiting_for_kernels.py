"""Searches with a time limit that wait for kernels instead of slowing down their compilation."""

from dataclasses import replace
from typing import Any

import pytest

from rulesengine import load
from rulesengine.engine.drivers.memory import STOP
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.drivers.search.rollouts import play_rollouts
from rulesengine.errors import Stopped
from rulesengine.search import search_run
from rulesengine.search.iterative_deepening import AlphaBeta
from rulesengine.search.tree_search import TreeSearch
from rulesengine.state import State


class Steps:
    """A clock that advances by each sleep."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.slept = 0
        monkeypatch.setattr(search_run, "_clock", lambda: self.now)
        monkeypatch.setattr(search_run, "sleep", self.sleep)
        self.made: Any = None

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += 1
        if self.made is not None and self.slept == 3:
            self.made()


def search(budget: Budget, *, is_settled: bool = False) -> AlphaBeta:
    game = load("tic-tac-toe")
    found = AlphaBeta(game._dispatcher, game.initial_state(), 9, budget, 1 << 8)
    selector = found._dispatcher.selector
    vars(selector)["is_settled"] = lambda part: is_settled
    return found


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Steps:
    return Steps(monkeypatch)


def test_a_search_waits_for_most_of_its_time_but_only_once(clock: Steps) -> None:
    found = search(Budget(seconds=4.0))
    found._await_kernels()
    assert clock.slept == 0  # it has only begun
    clock.now = 0.5
    found._await_kernels()
    assert clock.now == pytest.approx(2.9, abs=0.01)
    found._await_kernels()
    assert clock.now == pytest.approx(2.9, abs=0.01)


def test_no_time_is_lost_to_kernels_that_take_longer_than_the_wait(clock: Steps) -> None:
    found = search(Budget(seconds=4.0))
    vars(found._dispatcher.selector)["compile_seconds"] = lambda part: 5.0
    clock.now = 0.5
    found._await_kernels()
    assert clock.slept == 0
    found = search(Budget(seconds=4.0))  # an estimate may be twice too long
    vars(found._dispatcher.selector)["compile_seconds"] = lambda part: 4.7
    clock.now += 0.5
    found._await_kernels()
    assert clock.slept > 0


def test_a_wait_ends_when_kernels_are_there(clock: Steps) -> None:
    found = search(Budget(seconds=4.0))
    clock.made, clock.now = found._interrupt_interpreter, 0.5
    found._await_kernels()
    assert clock.slept == 3
    assert found.own.numbers[STOP] == 1


def test_a_search_does_not_wait_where_nothing_is_compiled(clock: Steps) -> None:
    found = search(Budget(seconds=4.0), is_settled=True)
    clock.now = 0.5
    found._await_kernels()
    assert clock.slept == 0


@pytest.mark.parametrize(("nodes", "waits"), [(150, False), (400, True)])
def test_a_search_that_ends_soon_does_not_wait(nodes: int, waits: bool, clock: Steps) -> None:
    # A hundred positions took half a second: 50 more take 0.25 s, 300 more 1.5 s.
    found = search(Budget(seconds=4.0, nodes=nodes))
    found.own.numbers[layout.NODES] = 100
    clock.now = 0.5
    found._await_kernels()
    assert (clock.slept > 0) == waits


def test_the_end_of_a_search_ends_a_wait(clock: Steps) -> None:
    found = search(Budget(seconds=600.0))
    clock.made, clock.now = found.give_up, 0.5
    found._await_kernels()
    assert clock.slept == 3


def test_kernels_interrupt_a_random_game_of_the_interpreter() -> None:
    game = load("tic-tac-toe")
    state, budget = game.initial_state(), Budget(seconds=600.0, playouts=8)
    tree = TreeSearch(game._dispatcher, state, 9, budget, 1 << 16)
    functions = tree._interpreted()
    applied = 0

    def apply(*move: Any) -> State:
        nonlocal applied
        applied += 1
        if applied == 3:  # within the first game
            tree._interrupt_interpreter()
        return functions.apply(*move)

    with pytest.raises(Stopped):
        play_rollouts(replace(functions, apply=apply), state, 1, 0, 1, 0, tree.own, 0)
    assert applied == 3

    with pytest.raises(Stopped):  # the function that a leaf calls polls, too
        functions.rollouts(state, 1, 0, 1, 0, tree.own, 0)


def test_a_tree_search_may_wait_while_it_plays_random_games_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_run, "_INTERPRETER_SECONDS", -1.0)
    game = load("samegame")
    state, budget = game.initial_state(), Budget(seconds=0.01)
    found = TreeSearch(game._dispatcher, state, len(game.legal_moves(state)), budget, 1 << 16)
    assert found.nodes == 0
