"""Perft counts within reach of compiled code only, with their sources.

`perft` drops games that have ended before; the published counts of Othello keep them.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

import rulesengine
from tests.helpers.engine_comparison import needs_native

pytestmark = needs_native


@dataclass(frozen=True, slots=True)
class Table:
    """Counts by depth; the gate counts at depth `gate` unless it is 0; the others are deep.

    A count at one depth visits all shallower ones.
    """

    game: str
    source: str
    counts: dict[int, int]
    gate: int
    ended: Literal["drop", "keep"] = "drop"
    passes: Literal["ply", "free"] = "ply"
    parameters: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.game, self.ended, self.passes, *map(str, self.parameters.values())])


# Aart Bik, "Perft for Reversi", 2009 (aartbik.blogspot.com). Of the sequences of 11, 12, 13 and 14
# plies 228, 584, 6968 and 23340 had ended more than a ply before, after two passes.
OTHELLO = {9: 3005288, 10: 24571284, 11: 212258800, 12: 1939886636, 13: 18429641748}
EARLIER = {10: 228, 11: 584, 12: 6968, 13: 23340}
FEW = 2_000_000  # so few leaves that LLVM's passes would take longer
TABLES = [
    Table("othello", "Aart Bik", OTHELLO, 11, ended="keep"),
    Table("othello", "Aart Bik", {d: OTHELLO[d] - n for d, n in EARLIER.items()}, 11),
    Table(
        "othello",
        "Takuto Yamana, Egaroucid, perft in mode 2 (egaroucid.nyanyan.dev)",
        {9: 3005320, 10: 24571420, 11: 212260880, 12: 1939899208},
        11,
        ended="keep",
        passes="free",
    ),
    Table("connect-four", "recounted with OpenSpiel", {9: 39394572, 10: 268031646}, 10),
    Table("connect-four", "the tests of kudchuet, a game library", {11: 1844590828}, 11),
    Table("breakthrough", "recounted with OpenSpiel", {4: 256036, 5: 6182818, 6: 149264638}, 6),
    Table("clobber", "recounted with OpenSpiel", {4: 2630382, 5: 74662024}, 5),
    Table("ataxx", "libataxx, tests/perft.cpp", {4: 155888, 5: 4752668}, 5),
    Table("ataxx", "Fairy-Stockfish and others", {6: 141865520, 7: 5023479496}, 6),
    Table(
        "english-draughts",
        "Aart Bik, the On-Line Encyclopedia of Integer Sequences, A133046",
        {7: 179740, 8: 845931, 9: 3963680, 10: 18391564, 11: 85242128, 12: 388623673},
        10,
    ),
    Table(
        "international-draughts",
        "Aart Bik, BikDam (aartbik.blogspot.com)",
        {5: 27117, 6: 167140, 7: 1049442, 8: 6483961, 9: 41022423, 10: 258895763},
        7,
    ),
    Table("brazilian-draughts", "Aart Bik", {6: 37628, 7: 187302, 8: 907830}, 0),
    # At depth 8 captures with the same result count once; the forum, which counts their routes,
    # has six more.
    Table("russian-draughts", "the forum of shashki.com", {6: 37986, 7: 190146, 8: 929899}, 0),
    # No game ends before ply 9, or 21, and each stone takes one cell.
    Table("gomoku", "by hand", {3: 225 * 224 * 223, 4: 225 * 224 * 223 * 222}, 4),
    Table("hex", "by hand", {3: 121 * 120 * 119, 4: 121 * 120 * 119 * 118}, 4),
]


def cases() -> list[Any]:
    """Return one test for each count, with its mark."""
    return [
        pytest.param(
            table,
            depth,
            id=f"{table}-{depth}",
            marks=pytest.mark.slow if depth == table.gate else pytest.mark.deep,
        )
        for table in TABLES
        for depth in table.counts
    ]


@pytest.mark.parametrize(("table", "depth"), cases())
def test_a_deep_count_is_the_known_one(
    table: Table, depth: int, request: pytest.FixtureRequest
) -> None:
    if table.counts[depth] < FEW:
        request.getfixturevalue("in_haste")
    game = rulesengine.load(table.game, **table.parameters)
    found = game.perft(depth, ended=table.ended, passes=table.passes)
    assert found == table.counts[depth]
