"""The written questions of the olympiads, each answered by a command.

The answers are those of the documents. Where these give none (2004), an independent plain program
gives the same answer: `tests/oracles/bio04.py` or a line of arithmetic.
"""

from pathlib import Path

import pytest

from rulesengine.cli.commands import COMMANDS
from tests.helpers.cli_calls import call
from tests.oracles import bio04

QUESTIONS = Path(__file__).parents[1] / "cases" / "questions"


def spec(name: str) -> str:
    return str(QUESTIONS / f"{name}.yaml")


@pytest.mark.slow
def test_every_question_is_reported_with_its_command() -> None:
    page = (QUESTIONS / "README.md").read_text()
    for file in QUESTIONS.glob("*.yaml"):
        assert any(f"rulesengine {word} ./{file.name}" in page for word in COMMANDS)
        assert call("check", str(file)).code == 0


def test_1997_2b_the_most_pieces_that_one_move_turns() -> None:
    turned = "count(slide(occupied, all, empty)) - count(neighbours(occupied))"
    plies = call("count", spec("bio97-2b"), "1", "--of", turned, "--json").json()["plies"]
    assert plies[1]["greatest"] == 19


@pytest.mark.parametrize(
    ("plies", "forwards", "games"),
    [("1", "false", "97"), ("2", "false", "8037"), ("1", "true", "5"), ("2", "true", "6")],
)
def test_1997_2d_the_games_that_may_have_been_watched(
    plies: str, forwards: str, games: str
) -> None:
    done = call("perft", spec("bio97-2d"), plies, "--set", f"forwards={forwards}")
    assert done.out == f"{games}\n"


@pytest.mark.slow
def test_2004_2b_the_simple_strategy_against_itself() -> None:
    done = call("run", spec("bio04-2b"))
    # The strategy starts at the left, so an opening of one move is that of an empty board.
    lines = bio04.run(b"1 1 r")[0].decode().split()
    assert done.out.split()[:6] == lines[-9:-3]
    assert lines[-3:] == ["Player", "2", "wins"]
    assert done.out.splitlines()[-1] == "Player 2 wins at move 38"
    assert sum(cell != "-" for line in lines[-9:-3] for cell in line) == 38


@pytest.mark.deep
def test_2004_2c_the_least_and_the_greatest_move_at_which_a_line_stood_first() -> None:
    plies = call("count", spec("bio04-2c"), "42", "--of", "stood", "--json").json()["plies"]
    assert (plies[42]["least"], plies[42]["greatest"]) == (15, 41)


def columns(count: int) -> list[int]:
    """Count the fillings of so many columns of up to six, by the number of pieces."""
    ways = [1]
    for _ in range(count):
        ways = [sum(ways[max(0, n - 6) : n + 1]) for n in range(len(ways) + 6)]
    return ways


def patterns(plies: int, *more: str) -> list[int]:
    found = call("count", spec("bio04-2d"), str(plies), "--json", *more).json()["plies"]
    return [ply["states"] for ply in found]


@pytest.mark.slow
def test_2004_2d_the_first_pieces_of_one_player() -> None:
    assert patterns(7) == columns(7)[:8]
    # A pattern is its own reflection if the columns left and right of the middle one match in
    # pairs.
    alike = [sum(columns(3)[n] for n in range(8) if 0 <= k - 2 * n <= 6) for k in range(8)]
    assert patterns(7, "--symmetry") == [(columns(7)[k] + alike[k]) // 2 for k in range(8)]


@pytest.mark.deep
def test_2004_2d_the_patterns_of_all_pieces_of_one_player() -> None:
    assert patterns(21)[21] == columns(7)[21] == 60691
