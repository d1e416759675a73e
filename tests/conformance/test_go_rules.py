"""The parameters of Go against a plain program: komi, the ko rule and suicide."""

from itertools import product
from typing import Any, Literal

import pytest

import rulesengine
from tests.helpers.authorities import replay
from tests.oracles.openspiel import Ply
from tests.oracles.plain_go import PlainGo, random_game

RULES = [
    pytest.param(n, ko, suicide, id=f"{n}-{ko}-{'suicide' if suicide else 'none'}")
    for n, ko, suicide in product((3, 4), ("positional", "situational"), (False, True))
]


@pytest.mark.parametrize(("n", "ko", "suicide"), RULES)
def test_random_games_agree_with_a_plain_program_at_every_ply(
    n: int, ko: str, suicide: bool
) -> None:
    for seed in range(4):
        # Komi of -1.5, 0.5, 2.5 and 4.5 points.
        komi = 2 * seed - 2
        game = rulesengine.load(
            "go", engine="interpreter", n=n, ko=ko, suicide=suicide, komi=komi, half=True
        )
        plain = PlainGo(n, 2 * komi + 1, situational=ko == "situational", suicide=suicide)
        assert replay(game, random_game(plain, seed)) == "two passes"


@pytest.mark.slow
@pytest.mark.parametrize(("n", "ko", "suicide"), RULES[:4])
@pytest.mark.parametrize("engine", ["python", "native"])
def test_kernels_play_the_games_of_the_interpreter(
    engine: Literal["python", "native"], n: int, ko: str, suicide: bool
) -> None:
    values: dict[str, Any] = {"n": n, "ko": ko, "suicide": suicide}
    interpreter = rulesengine.load("go", engine="interpreter", **values)
    kernel = rulesengine.load("go", engine=engine, **values)
    assert kernel.playouts(5, seed=1) == interpreter.playouts(5, seed=1)


def test_the_rules_differ_in_the_games_that_are_compared() -> None:
    differences = {"ko": 0, "suicide": 0}
    for seed in range(10):
        game = PlainGo(3, 0, suicide=True)
        for ply in random_game(game, seed):
            if isinstance(ply, Ply):
                for rule in differences:
                    other = PlainGo(3, 0, situational=rule == "ko", suicide=rule == "ko")
                    other.board, other.turn = dict(game.board), game.turn
                    other.seen = set(game.seen) if rule == "suicide" else other.seen
                    differences[rule] += ply.legal != other.moves().keys()
    assert min(differences.values()) > 0


TWO, ONE = "...\nxx.\n.ox\nmover: white", "...\nx..\n.x.\nmover: white"


@pytest.mark.parametrize(
    ("position", "ko", "suicide", "is_legal"),
    [
        (TWO, "positional", True, True),
        (TWO, "positional", False, False),
        # A single stone leaves the board as it was, with the other player to move.
        (ONE, "positional", True, False),
        (ONE, "situational", True, True),
        (ONE, "situational", False, False),
    ],
)
def test_suicide_is_legal_where_the_board_does_not_come_again(
    position: str, ko: str, suicide: bool, is_legal: bool
) -> None:
    game = rulesengine.load("go", engine="interpreter", n=3, ko=ko, suicide=suicide)
    state = game.state_from(position)
    assert ("a1" in map(str, game.legal_moves(state))) == is_legal


def test_points_of_a_score_in_half_points_are_those_of_the_komi() -> None:
    game = rulesengine.load("go", n=5, engine="interpreter")
    start = game.initial_state()
    assert game.scores(start) == {"black": 0, "white": 15}
    assert game.points(start) == {"black": 0, "white": 7.5}
    assert rulesengine.load("othello").points(rulesengine.load("othello").initial_state()) == {
        "black": 2,
        "white": 2,
    }
