"""Games of chance that may not end: no search finds their value, and this is reported."""

import json

import pytest

import rulesengine
from rulesengine.job import Job
from rulesengine.search import solving
from rulesengine.search.chance_cycles import has_repetition
from tests.helpers.cli_calls import call
from tests.play.test_chance import DICE, game_of


@pytest.fixture
def in_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the initial probe to a few positions."""
    monkeypatch.setattr(solving, "_GLANCE", 30)


@pytest.mark.slow
@pytest.mark.usefixtures("in_short")
def test_a_game_that_chance_leads_back_is_given_up_without_a_budget() -> None:
    game = rulesengine.load("pig", engine="interpreter", goal=20)
    solved = game.solve()
    assert solved.endless
    assert solved.value is None
    assert solved.nodes == 30


@pytest.mark.slow
@pytest.mark.usefixtures("in_short")
def test_a_budget_is_used_up_all_the_same() -> None:
    solved = rulesengine.load("pig", engine="interpreter", goal=20).solve(nodes=50)
    assert solved.endless
    assert solved.nodes == 50


@pytest.mark.usefixtures("in_short")
def test_solve_reports_a_chance_cycle() -> None:
    result = call("solve", "pig", "--set", "goal=20", "--engine", "interpreter")
    assert result.code == 1
    assert result.out.startswith("value: not solved\n")
    assert result.err == (
        "rulesengine: chance moves form a cycle: no search finds the value of its positions\n"
    )


@pytest.mark.usefixtures("in_short")
def test_programs_are_reported_in_json() -> None:
    result = call("solve", "pig", "--set", "goal=20", "--engine", "interpreter", "--json")
    assert json.loads(result.out)["endless"] is True
    result = call("solve", "tic-tac-toe", "--engine", "interpreter", "--json")
    assert json.loads(result.out)["endless"] is False


@pytest.mark.slow
def test_chance_game_without_cycles_is_solved() -> None:
    game = game_of(DICE)
    assert not has_repetition(game, game.initial_state(), Job())
    after = game.apply(game.initial_state(), game.legal_moves(game.initial_state())[0])
    assert not game.solve(after, nodes=40).endless


def test_a_position_that_is_won_is_solved_though_the_game_may_go_on() -> None:
    game = rulesengine.load("pig", engine="interpreter", goal=4)
    state = game.initial_state()
    for move in ("roll", "4"):
        state = game.apply(state, move)
    solved = game.solve(state)
    assert (solved.value, solved.distance, solved.endless) == ("win", 1, False)
