"""Actions: steps with fixed numbers in a game, and moves as paths in the tree of their steps."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, LimitError, RulesError, SpecError, UsageError
from rulesengine.engine.actions import Actions, action_space
from rulesengine.engine.drivers.random import Generator
from rulesengine.loading import load_source
from rulesengine.state import State
from rulesengine.support.cache import digest
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from tests.helpers.each_game import LARGER, OTHERS, each_game
from tests.helpers.spec_strategies import random_spec

GOLDEN = Path(__file__).parents[1] / "data" / "actions.txt"
PLIES = 12
SPECS = range(30)


def load(name: str, **parameters: Any) -> Game:
    return rulesengine.load(name, engine="interpreter", **parameters)


def states(game: Game, plies: int, seed: int = 0) -> Iterator[State]:
    """Yield the states of a random game."""
    state, draw = game.initial_state(), Generator(3, seed)
    for _ in range(plies):
        yield state
        moves = game.legal_moves(state)
        if not moves:
            return
        state = game.apply(state, moves[draw.below(len(moves))])


# the set of steps


def queen_moves(side: int) -> int:
    """Return the number of pairs of cells that a queen moves between on an empty board."""
    cells = list(product(range(side), repeat=2))
    return sum(
        a != b and (a[0] == b[0] or a[1] == b[1] or abs(a[0] - b[0]) == abs(a[1] - b[1]))
        for a, b in product(cells, cells)
    )


def knight_moves(side: int) -> int:
    cells = list(product(range(side), repeat=2))
    return sum({abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2} for a, b in product(cells, cells))


# Two ranks of eight pawns that go straight, and to a side on seven files each way; four pieces.
PROMOTIONS = 2 * (8 + 7 + 7) * 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameters", "count"),
    [
        ("tic-tac-toe", {}, 9),
        ("connect-four", {}, 6 * 7),
        ("othello", {}, 64 + 1),
        ("go", {"n": 5}, 25 + 1),
        ("nim", {}, 3 + 5 + 7),
        # between neighbours, each way
        ("clobber", {"rows": 5, "columns": 6}, 2 * (5 * 5 + 4 * 6)),
        # one step ahead, straight or to a side, by each player
        ("breakthrough", {}, 2 * 7 * (8 + 7 + 7)),
        # a queen's move, then an arrow at any cell
        ("amazons", {}, queen_moves(10) + 100),
        ("chess", {}, queen_moves(8) + knight_moves(8) + PROMOTIONS),
    ],
)
def test_the_steps_that_can_occur_are_counted_by_hand(
    name: str, parameters: dict[str, int], count: int
) -> None:
    assert len(load(name, **parameters).actions) == count


def summary(actions: Actions) -> str:
    """Return the number of actions, a digest of their names in order, the first and the last."""
    summed = digest(*map(str.encode, actions)).hex()[:16]
    return f"{len(actions)} {summed} {actions[0]} {actions[-1]}"


def test_the_golden_file_has_all_bundled_games(update_golden: bool) -> None:
    if update_golden:
        lines = [f"{name} {summary(load(name).actions)}\n" for name in sorted(bundled_names())]
        GOLDEN.write_text("".join(lines), encoding="utf-8")
    names = [line.split()[0] for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    assert names == sorted(bundled_names())


# every legal move is a path in the tree


def check_tree(game: Game, state: State) -> None:
    """Check that the leaves of a state's action tree are its legal moves, in order."""
    actions, found = game.actions, []

    def go(taken: tuple[int, ...]) -> None:
        following = actions.legal(state, taken)
        move = actions.move_of(state, taken)
        assert (move is None) == bool(following) or (not taken and not following)
        if move is not None:
            found.append(move)
            assert actions.action_of(state, move) == taken
        for number in following:
            go((*taken, number))

    go(())
    moves = list(game.legal_moves(state))
    assert len(found) == len(moves)
    assert {move.steps for move in found} == {move.steps for move in moves}


@each_game(deep=LARGER)
def test_the_actions_of_a_bundled_game_keep_their_numbers(name: str) -> None:
    actions = load(name).actions
    frozen = dict(line.split(" ", 1) for line in GOLDEN.read_text(encoding="utf-8").splitlines())
    assert frozen[name] == summary(actions)
    assert len(set(actions)) == len(actions)


@each_game(quick=(), deep=OTHERS)
def test_the_actions_of_a_state_are_the_tree_of_its_moves(name: str) -> None:
    game = load(name)
    for state in [*states(game, PLIES)][:: PLIES // 2]:
        check_tree(game, state)


def generated() -> Iterator[Game]:
    for seed in SPECS:
        try:
            yield load_source(Source("spec.yaml", random_spec(seed)), engine="interpreter")
        except SpecError:
            continue


@pytest.mark.slow
def test_no_step_of_a_generated_game_is_without_a_number() -> None:
    seen = 0
    for game in generated():
        try:
            numbered = set(game.actions.steps)
            for state in states(game, 6):
                steps = {step for move in game.legal_moves(state) for step in move.steps}
                assert steps <= numbered
                seen += len(steps)
        except (LimitError, RulesError):
            continue
    assert seen > len(SPECS)


# names and errors


def test_actions_have_names_and_numbers() -> None:
    actions = load("tic-tac-toe").actions
    assert list(actions) == [f"{column}{row}" for row in (3, 2, 1) for column in "abc"]
    assert actions.number("b2") == 4
    assert actions[4] == "b2"
    assert "b2" in actions
    assert "d4" not in actions
    assert actions.stop is None
    with pytest.raises(UsageError, match="no action is called `d4`"):
        actions.number("d4")


@pytest.mark.slow
def test_one_may_stop_where_a_move_is_complete_and_others_go_on() -> None:
    # White's stone has jumped from a4 to c4, and may jump on to e4 or stop there.
    game = load("konane")
    actions = game.actions
    assert actions.stop == len(actions) - 1
    assert actions[-1] == "stop"
    for state in states(game, 30, seed=1):
        longer = [move for move in game.legal_moves(state) if len(move.steps) > 1]
        for move in longer:
            begun = actions.action_of(state, move)[:1]
            assert actions.stop in actions.legal(state, begun)
            stopped = actions.move_of(state, (*begun, actions.stop))
            assert stopped is not None
            assert stopped.steps == move.steps[:1]
        if longer:
            return
    raise AssertionError("nobody could jump twice")


def test_illegal_moves_have_no_actions() -> None:
    game = load("tic-tac-toe")
    first = game.initial_state()
    move = game.legal_moves(first)[0]
    with pytest.raises(UsageError, match="`a3` is not legal there"):
        game.actions.action_of(game.apply(first, move), move)
    assert game.actions.move_of(first, (99,)) is None
    assert game.actions.legal(first, (99,)) == ()
    assert game.actions.legal(game.state_from("xxx\noo.\n...\nmover: nought")) == ()


@pytest.mark.parametrize("name", ["tic-tac-toe", "konane"])
def test_more_steps_than_can_be_numbered_are_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Those of tic-tac-toe cannot be split; one of konane's 257 actions is to stop.
    count = {"tic-tac-toe": 9, "konane": 64 + 64 + 64 + 1}[name]
    monkeypatch.setattr(action_space, "MAX_ACTIONS", count)
    assert len(load(name).actions) == count
    monkeypatch.setattr(action_space, "MAX_ACTIONS", count - 1)
    with pytest.raises(LimitError, match="more than 65,536 steps can occur"):
        _ = load(name).actions
