"""Games on small boards, Rolit and Tablut against plain programs and known counts."""

import random

import pytest

import rulesengine
from tests.helpers.authorities import Source
from tests.helpers.cli_calls import call
from tests.oracles import few_pieces, plain_few

STUCK, FIVE, FULL = "no move left", "five in a row", "the board is full"
THRICE = "the position is there for the third time"


def plain(name: str, count: int, *ends: str, of: str = "", **parameters: int) -> Source:
    return Source(few_pieces.random_game, name, of or name, count, frozenset(ends), parameters)


SOURCES = [
    plain("teeko", 100, "four in a row or in a square"),
    plain("three-musketeers", 100, "three musketeers in a row", STUCK),
    plain("fox-and-hounds", 100, "the fox is through", STUCK),
    plain("neutron", 100, "the neutron is home"),
    plain("order-and-chaos", 100, FIVE, FULL),
    plain("order-and-chaos-5", 100, FIVE, FULL, of="order-and-chaos", longest=5),
    plain("squava", 200, "four in a row", "three in a row"),
    plain("snailtrail", 100, "no step left"),
    plain("snailtrail-3", 100, "no step left", of="snailtrail", n=3),
    plain("gcj13-tomek", 100, "a line", FULL),
    plain("tablut", 20, "the king has escaped"),
    plain("rolit", 20, FULL),
    plain("rolit-2", 20, FULL),
    plain("rolit-3", 20, FULL),
]


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_random_games_agree_with_a_plain_program_at_every_ply(source: Source) -> None:
    source.compare(2)


@pytest.mark.deep
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_many_random_games_agree_with_a_plain_program_at_every_ply(source: Source) -> None:
    source.compare(source.count)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "depth"),
    [(s, d) for s, d in zip(SOURCES, [3, 4, 5, 3, 2, 2, 3, 5, 8, 2, 2, 4, 4, 4], strict=True)],
    ids=str,
)
def test_a_game_has_as_many_sequences_of_moves_as_by_a_plain_program(
    source: Source, depth: int
) -> None:
    game = rulesengine.load(source.ours, **source.parameters)
    depths = range(1, depth + 1)
    assert [game.perft(d) for d in depths] == [few_pieces.perft(source.name, d) for d in depths]


@pytest.mark.slow
def test_three_musketeers_has_as_many_sequences_of_moves_as_known() -> None:
    game = rulesengine.load("three-musketeers")
    assert [game.perft(d) for d in range(1, 6)] == [8, 16, 132, 736, 5540]


@pytest.mark.parametrize(
    ("rows", "columns", "winner"),
    [
        (2, 2, "second"),
        (2, 4, "second"),
        (2, 6, "second"),
        (1, 2, "first"),
        (2, 3, "first"),
        (2, 5, "first"),
        (3, 4, "first"),
    ],
)
def test_cram_is_won_as_by_the_mirror(rows: int, columns: int, winner: str) -> None:
    """Check that the second player mirrors on an even board, and the first one with one odd side.

    Gardner, "Mathematical Games", 1974: the first player begins with the domino in the middle.
    """
    game = rulesengine.load("cram", rows=rows, columns=columns)
    found: dict[str, bool] = {}

    def wins(state: rulesengine.State) -> bool:
        """True if the mover can win, on a board that is symmetric in the players."""
        board = "\n".join(str(state).split("\n")[:rows])
        if board not in found:
            after = (game.apply(state, move) for move in game.legal_moves(state))
            found[board] = any(not wins(reply) for reply in after)
        return found[board]

    assert wins(game.initial_state()) == (winner == "first")


def test_boards_of_tomek_are_judged_as_by_a_plain_program() -> None:
    chance = random.Random("boards")
    boards = [board for _ in range(60) for board in boards_of_a_game(chance)]
    lines = [str(len(boards)), *("\n".join([*rows, ""]) for rows in boards)]
    result = call("run", "gcj13-tomek", stdin="\n".join(lines).encode())
    wanted = [plain_few.judged(rows) for rows in boards]
    assert result.out.splitlines() == [f"Case #{i}: {text}" for i, text in enumerate(wanted, 1)]
    assert len(set(wanted)) == 4


def boards_of_a_game(chance: random.Random) -> list[list[str]]:
    """Return a board from the middle of a game and its final board; the T is optional."""
    game = plain_few.Tomek()
    game.grid[3, 3] = "."
    if chance.random() < 0.8:
        game.grid[chance.choice(list(game.grid))] = "T"
    boards = []
    while not game.over:
        boards.append(game.rows())
        game.play(chance.choice(game.legal()))
    return [chance.choice(boards), game.rows()]
