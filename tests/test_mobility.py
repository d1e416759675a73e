"""How many steps a side has, where who has none loses: as the moves of the game tell it."""

import pytest

import rulesengine
from rulesengine.ir.ops import Op
from rulesengine.search.mobility import mobility, stalls
from rulesengine.state import State
from tests.test_translate import later

PLIES = 12


def steps(game: rulesengine.Game, state: State) -> int:
    """By how many steps the side to move can begin a move."""
    return len({move.steps[0] for move in game.legal_moves(state)})


@pytest.mark.parametrize("name", ["amazons", "clobber", "domineering", "isolation"])
def test_steps_are_those_that_moves_begin_with(name: str) -> None:
    game = rulesengine.load(name, engine="interpreter")
    number = mobility(game.program.rules)
    assert isinstance(number, Op)
    for state in (game.initial_state(), later(game, PLIES)):
        assert game.machine.number_of(number, state, state.side) == steps(game, state)


@pytest.mark.parametrize(
    "name", ["breakthrough", "tic-tac-toe", "cram", "nogo", "nine-mens-morris"]
)
def test_steps_tell_nothing_where_they_are_no_aim_or_alike(name: str) -> None:
    assert mobility(rulesengine.load(name, engine="interpreter").program.rules) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [("cram", True), ("nogo", True), ("nine-mens-morris", False), ("snailtrail", True),
     ("breakthrough", False), ("dots-and-boxes", False)],
)  # fmt: skip
def test_a_game_stalls_if_only_who_cannot_move_loses(name: str, expected: bool) -> None:
    assert stalls(rulesengine.load(name, engine="interpreter").program.rules) is expected


def test_who_is_to_run_out_of_steps_has_fewer() -> None:
    game = rulesengine.load("domineering", engine="interpreter")
    rules = game.program.rules
    (end,) = rules.ends
    wins = rulesengine.record.replace(end, result="wins")
    number = mobility(rulesengine.record.replace(rules, ends=(wins,)))
    assert number is not None
    assert game.machine.number_of(number, game.initial_state(), 0) == -steps(
        game, game.initial_state()
    )
