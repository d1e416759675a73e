"""Multi-PV: the best moves with exact values and principal variations, against plain negamax."""

import json
from functools import cache
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.search.result import SearchResult
from rulesengine.errors import UsageError
from tests.helpers.cli_calls import call
from tests.search.test_search import Plain
from tests.search.test_search_bounds import exact
from tests.search.test_solve_distance import random_position

OTHELLO = rulesengine.load("othello", engine="interpreter", n=4)
DEPTH = 3


@cache
def negamax(state: State, move: str, depth: int, game: Game = OTHELLO) -> int:
    """Return the value of a move by plain negamax of a depth."""
    after = game.apply(state, move)
    return exact(Plain(game, state).value(after, depth - 1, 1))


def position(seed: int) -> State:
    state = random_position(OTHELLO, seed, 3)
    assert state is not None
    return state


def is_playable(game: Game, state: State, result: SearchResult) -> bool:
    """True if each line begins with its move and consists of legal moves."""
    for found in result.lines:
        after = state
        for move in found.line:
            after = game.apply(after, move)  # raises IllegalMoveError
    return all(found.line[0] == found.move for found in result.lines)


@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_the_best_moves_by_negamax(seed: int) -> None:
    state = position(seed)
    moves = OTHELLO.legal_moves(state)
    result = OTHELLO.search(state, plies=DEPTH, lines=3, evaluation="rules")
    found = [line.value for line in result.lines]
    assert found == sorted((negamax(state, str(move), DEPTH) for move in moves), reverse=True)[:3]
    assert found == [negamax(state, str(line.move), DEPTH) for line in result.lines]
    assert (result.move, result.line) == (result.lines[0].move, result.lines[0].line)
    assert is_playable(OTHELLO, state, result)


@pytest.mark.usefixtures("in_haste")
def test_values_are_exact_at_their_depth_wherever_the_budget_ends() -> None:
    state, depths = position(4), set[tuple[int, ...]]()
    for nodes in range(2, 80, 3):
        limits: dict[str, Any] = {"plies": DEPTH, "nodes": nodes, "evaluation": "rules"}
        result = OTHELLO.search(state, lines=3, **limits)
        assert result.nodes <= nodes
        assert [line.move for line in result.lines][:1] in ([result.move], [])
        for line in result.lines:
            assert line.value == negamax(state, str(line.move), line.depth)
        for (move, value), depth in zip(result.moves, result.depths, strict=True):
            real = negamax(state, str(move), max(depth, 1))
            assert depth == 0 or value.number == real or result.is_bound(move)
            assert depth == 0 or value.number >= real
        depths.add(tuple(line.depth for line in result.lines))
    assert any(len(set(each)) > 1 for each in depths)  # some searches end between two lines


def test_there_are_no_more_lines_than_moves() -> None:
    result = OTHELLO.search(plies=1, lines=50)
    assert {line.move for line in result.lines} == set(OTHELLO.legal_moves(OTHELLO.initial_state()))


def test_search_goes_on_after_a_win_until_the_other_moves_are_searched_to_the_depth() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    state = game.state_from("...\nxo.\nxo.\nmover: cross\n")
    result = game.search(state, plies=4, lines=2)
    assert [str(line.move) for line in result.lines] == ["a3", "b3"]
    assert [line.depth for line in result.lines] == [4, 4]
    assert [line.unit for line in result.lines] == ["plies", "estimate"]
    values = [negamax(state, str(line.move), 4, game) for line in result.lines]
    assert [line.value for line in result.lines] == values


def test_tree_search_reports_the_most_visited_moves() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    result = game.search(playouts=100, method="uct", lines=4)
    assert [line.move for line in result.lines] == [move for move, _ in result.moves[:4]]
    values = dict(result.moves)
    assert all(values[line.move].number == line.value for line in result.lines)
    assert is_playable(game, game.initial_state(), result)


def test_choice_with_noise_comes_first() -> None:
    for seed in range(6):
        result = OTHELLO.search(plies=2, lines=2, noise=20.0, seed=seed)
        assert result.lines[0].move == result.move
        assert len({line.move for line in result.lines}) == 2


def test_information_state_has_lines_of_one_move() -> None:
    game = rulesengine.load("kuhn-poker", engine="interpreter")
    state = game.information_state(["queen", "jack"], "first")
    result = game.search(state, playouts=20, method="is-mcts", lines=2)
    assert [line.line for line in result.lines] == [(move,) for move, _ in result.moves]


def test_number_of_lines_is_checked() -> None:
    with pytest.raises(UsageError, match="number of lines"):
        OTHELLO.search(plies=1, lines=0)


def test_command_prints_the_lines() -> None:
    words = ("search", "othello", "--set=n=4", "--plies=2", "--lines=2", "--engine=interpreter")
    printed = call(*words)
    assert (printed.code, printed.out.count("lines:")) == (0, 1)
    shown = json.loads(call(*words, "--json").out)
    result = OTHELLO.search(plies=2, lines=2)
    assert [line["move"] for line in shown["lines"]] == [str(line.move) for line in result.lines]
    assert [line["value"] for line in shown["lines"]] == [line.value for line in result.lines]
