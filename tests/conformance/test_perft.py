"""Published perft counts, with their source.

`perft(d)` counts the sequences of exactly d plies; a forced pass is a ply.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pyspiel
import pytest

import rulesengine
from tests.oracles import aps105
from tests.oracles.openspiel import GAMES


@dataclass(frozen=True, slots=True)
class Table:
    """The counts of a game by depth, from 1 on.

    Depths up to `quick` take a second in the slowest engine and up to `slow` some ten; others are
    deep.
    """

    game: str
    source: str
    counts: dict[int, int]
    quick: int
    slow: int
    parameters: dict[str, Any] = field(default_factory=dict)


OTHELLO = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]
CONNECT_FOUR = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
BREAKTHROUGH = [22, 484, 11132, 256036]
TIC_TAC_TOE = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]

TABLES = [
    Table("othello", "recounted with OpenSpiel", dict(enumerate(OTHELLO, 1)), 5, 7),
    # As on 8x8 until a move can reach the edge of 8x8.
    Table("othello", "recounted with `oracles/aps105.py`", {6: 8200, 7: 55180}, 5, 7, {"n": 10}),
    # Powers of 7 until a column is full, at ply 7.
    Table("connect-four", "recounted with OpenSpiel", dict(enumerate(CONNECT_FOUR, 1)), 5, 7),
    Table("breakthrough", "recounted with OpenSpiel", dict(enumerate(BREAKTHROUGH, 1)), 3, 4),
    Table("tic-tac-toe", "recounted with OpenSpiel", dict(enumerate(TIC_TAC_TOE, 1)), 5, 9),
    # No game ends before ply 21, and each stone takes one cell.
    Table("hex", "by hand", {1: 121, 2: 121 * 120, 3: 121 * 120 * 119}, 2, 2),
]


def cases() -> list[Any]:
    """Return one test for each count, with its mark."""
    found = []
    for table in TABLES:
        for depth, count in table.counts.items():
            marks = [] if depth <= table.quick else [pytest.mark.slow]
            if depth > table.slow:
                marks = [pytest.mark.deep]
            name = "-".join([table.game, *map(str, table.parameters.values()), str(depth)])
            found.append(pytest.param(table, depth, count, marks=marks, id=name))
    return found


@pytest.mark.parametrize(("table", "depth", "count"), cases())
def test_perft_gives_the_known_count(table: Table, depth: int, count: int) -> None:
    assert rulesengine.load(table.game, **table.parameters).perft(depth) == count


def openspiel_perft(state: Any, depth: int) -> int:
    """Count the sequences of exactly so many plies by OpenSpiel's rules."""
    if state.is_terminal():
        return 0
    if depth == 1:
        return len(state.legal_actions())
    return sum(openspiel_perft(state.child(a), depth - 1) for a in state.legal_actions())


@pytest.mark.parametrize("table", [t for t in TABLES if not t.parameters], ids=lambda t: t.game)
def test_openspiel_perft_matches_the_table(table: Table) -> None:
    start = pyspiel.load_game(GAMES[table.game].theirs).new_initial_state()
    for depth, count in table.counts.items():
        if count < 100_000:
            assert openspiel_perft(start, depth) == count


def oracle_perft(board: aps105.Board, colour: str, depth: int) -> int:
    """Count the sequences of exactly so many plies with lists of lists."""
    if depth == 0:
        return 1
    squares = aps105.candidates(board, colour)
    other = aps105.other(colour)
    if not squares:
        return oracle_perft(board, other, depth - 1) if aps105.candidates(board, other) else 0
    if depth == 1:
        return len(squares)
    total = 0
    for square in squares:
        after = [row[:] for row in board]
        aps105.play(after, colour, square)
        total += oracle_perft(after, other, depth - 1)
    return total


@pytest.mark.slow
@pytest.mark.parametrize(("n", "depth", "count"), [(8, 6, 8200), (10, 7, 55180)])
def test_list_based_othello_perft_matches_the_tables(n: int, depth: int, count: int) -> None:
    assert count in {table.counts.get(depth) for table in TABLES}
    assert oracle_perft(aps105.new_board(n), "B", depth) == count


@pytest.mark.slow
def test_tic_tac_toe_has_255168_complete_games() -> None:
    """Compare with the numbers in Wikipedia's "Tic-tac-toe", by winner and by length."""
    game = rulesengine.load("tic-tac-toe")
    lengths: Counter[int] = Counter()
    winners: Counter[str | None] = Counter()
    paths = Counter({game.initial_state(): 1})
    for length in range(10):
        following: Counter[rulesengine.State] = Counter()
        for state, ways in paths.items():
            outcome = game.outcome(state)
            if outcome is not None:
                lengths[length] += ways
                winners[outcome.winner] += ways
                continue
            for move in game.legal_moves(state):
                following[game.apply(state, move)] += ways
        paths = following
    assert lengths == {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
    assert winners == {"cross": 131184, "nought": 77904, None: 46080}
    assert lengths.total() == 255168
