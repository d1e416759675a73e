"""Games in which players move together: matrix games, exact values, decoupled UCT.

Values are compared with a plain program that solves each round as a linear program of SciPy.
"""

from fractions import Fraction
from itertools import product

import pytest

import rulesengine
from rulesengine import Game, UsageError
from rulesengine.engine.drivers.random import Generator
from rulesengine.search.imperfect_information.matrix_game import solve_matrix
from tests.engine.test_rounds import CLASH, Board, Step, carried_out, joint_steps, steps_of
from tests.helpers.cli_calls import call

optimize = pytest.importorskip("scipy.optimize")

SCORED = CLASH.replace("  end: {when: plies = 30, result: draw}", "  score: taken\n") + (
    "  end: {when: plies = 4, result: highest score wins}\n"
)
STARTS = ["w.w..b", "www.bb", ".ww.b.", ".wbwbb"]


@pytest.fixture(scope="module")
def hands() -> Game:
    return rulesengine.load("rock-paper-scissors", engine="interpreter")


@pytest.fixture(scope="module")
def scored() -> Game:
    return rulesengine.loads(SCORED, engine="interpreter")


def matrix_value(payoffs: list[list[float]]) -> float:
    """Return the value of a matrix game by SciPy: the most that a mixed row guarantees."""
    columns = [[-row[k] for row in payoffs] + [1.0] for k in range(len(payoffs[0]))]
    total = [[1.0] * len(payoffs) + [0.0]]
    limits = [(0, 1)] * len(payoffs) + [(None, None)]
    goal = [0.0] * len(payoffs) + [-1.0]
    found = optimize.linprog(goal, columns, [0.0] * len(columns), total, [1.0], limits)
    return float(-found.fun)


def takes(board: Board, steps: tuple[Step, ...], player: str) -> int:
    """Return the steps of a player to cells that had a stone of the other player."""
    now, other = board, "b" if player == "w" else "w"
    if player == "b":
        now = carried_out(board, tuple(step for step in steps if step[0] == "w"))
    made = [step for step in steps if step[0] == player and now[step[1]] == player]
    return sum(board[target] == other for _, origin, target in made if origin >= 0)


def plain_value(board: Board, mover: str, plies: int, lead: int) -> float:
    """Return the value for white; `lead` is the number of stones that it is ahead."""
    if plies == 4:
        return float((lead > 0) - (lead < 0))
    if "w" in board[:3]:
        columns = max(1, len(steps_of(board, "b", plies)))
        values = [value_after(board, s, "w", plies, lead) for s in joint_steps(board, plies)]
        return matrix_value([values[i : i + columns] for i in range(0, len(values), columns)])
    other = "b" if mover == "w" else "w"
    found = [value_after(board, (s,), other, plies, lead) for s in steps_of(board, mover, plies)]
    return 0.0 if not found else max(found) if mover == "w" else min(found)


def value_after(board: Board, steps: tuple[Step, ...], mover: str, plies: int, lead: int) -> float:
    after = carried_out(board, steps)
    more = takes(board, steps, "w") - takes(board, steps, "b")
    return plain_value(after, "w" if "w" in after[:3] else mover, plies + 1, lead + more)


def test_the_values_of_random_matrices_are_those_of_a_linear_program() -> None:
    random = Generator(1, 0)
    for rows, columns in product(range(1, 5), repeat=2):
        entries = [[random.below(9) - 4 for _ in range(columns)] for _ in range(rows)]
        exact = [[Fraction(entry) for entry in row] for row in entries]
        found = solve_matrix(exact)
        assert float(found.value) == pytest.approx(
            matrix_value([[*map(float, r)] for r in entries])
        )
        assert sum(found.rows) == sum(found.columns) == 1
        assert min(*found.rows, *found.columns) >= 0
        guaranteed = [
            sum(share * row[k] for share, row in zip(found.rows, exact, strict=True))
            for k in range(columns)
        ]
        assert min(guaranteed) == found.value


def test_rock_paper_scissors_has_value_0_and_equal_shares(hands: Game) -> None:
    solved = hands.solve()
    assert solved.expected == 0
    assert solved.equilibrium is not None
    for row in solved.equilibrium.strategies:
        assert dict(row.moves) == dict.fromkeys(("rock", "paper", "scissors"), 1 / 3)


@pytest.mark.parametrize("start", STARTS)
def test_values_of_rounds_and_turns_are_those_of_a_plain_program(scored: Game, start: str) -> None:
    solved = scored.solve(scored.state_from(f"{start}\nmover: white"))
    assert solved.expected is not None
    expected = plain_value(tuple(start), "w", 0, 0)
    assert float(solved.expected) == pytest.approx(expected, abs=1e-9)


def test_decoupled_uct_gives_each_hand_a_share_and_repeats_by_seed(hands: Game) -> None:
    known = hands.information_state([], "left")
    found = [hands.search(known, playouts=60, method="duct", seed=seed).move for seed in range(12)]
    again = [hands.search(known, playouts=60, method="duct", seed=seed).move for seed in range(12)]
    assert {*map(str, found)} == {"rock", "paper", "scissors"}
    assert found == again


def test_decoupled_uct_of_the_second_player_sees_no_choice(hands: Game) -> None:
    found = {
        str(
            hands.search(
                hands.information_state([hand], "right"), playouts=60, method="duct", seed=3
            )
        )
        for hand in ("rock", "paper", "scissors")
    }
    assert len({text.partition("seconds")[0] for text in found}) == 1


def test_decoupled_uct_refuses_a_game_that_hides_more() -> None:
    game = rulesengine.load("goofspiel", n=3, engine="interpreter")
    with pytest.raises(UsageError, match="Goofspiel hides a part of them: use `is-mcts`"):
        game.search(game.information_state([], "left"), playouts=10, method="duct")


def test_searches_of_states_refuse_simultaneous_moves(hands: Game) -> None:
    with pytest.raises(UsageError, match="hides simultaneous moves"):
        hands.search(hands.initial_state(), plies=2)


def test_players_of_decoupled_uct_play_a_match() -> None:
    out = call("match", "rock-paper-scissors", "--player", "a=duct:playouts=20", "--player",
               "b=random", "--games", "4", "--engine", "interpreter")  # fmt: skip
    assert out.code == 0, out
