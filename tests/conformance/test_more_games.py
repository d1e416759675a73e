"""Games against one authority each: OpenSpiel, Fairy-Stockfish, plain Python, known counts.

OpenSpiel's Go forbids only the immediate recapture of a ko. Moves that repeat an earlier board are
therefore removed from its lists, and games that it ends by their length have no result. Its
draughts end after forty plies without a capture and its morris after two hundred turns: these
games have no result either.
"""

from typing import Any

import pyspiel
import pytest

import rulesengine
from tests.helpers.authorities import Source, replay
from tests.oracles import fairy, openspiel_more, plain_games
from tests.oracles.openspiel import Ply

FIVE, FULL, STUCK = "five in a row", "the board is full", "no move left"
THRICE = "the position is there for the third time"
OPENSPIEL, FAIRY, PLAIN = (
    openspiel_more.random_game,
    fairy.random_game,
    plain_games.random_game,
)
SOURCES = [
    Source(OPENSPIEL, "gomoku", "gomoku", 20, frozenset({FIVE})),
    Source(OPENSPIEL, "gomoku-7", "gomoku", 200, frozenset({FIVE, FULL}), {"n": 7}),
    Source(OPENSPIEL, "clobber", "clobber", 200, frozenset({STUCK})),
    Source(
        OPENSPIEL,
        "english-draughts",
        "english-draughts",
        200,
        frozenset({STUCK}),
    ),
    Source(OPENSPIEL, "go-3", "go", 200, frozenset({"two passes"}), {"n": 3}),
    Source(OPENSPIEL, "go-5", "go", 100, frozenset({"two passes"}), {"n": 5}),
    Source(
        OPENSPIEL,
        "nine-mens-morris",
        "nine-mens-morris",
        200,
        frozenset({"fewer than three men"}),
    ),
    Source(FAIRY, "ataxx", "ataxx", 20, frozenset({"the board is full, or one side is gone"})),
    Source(FAIRY, "clobber", "clobber", 100, frozenset({STUCK}), {"rows": 6, "columns": 5}),
    Source(PLAIN, "domineering", "domineering", 50, frozenset({"no room for a domino"})),
    Source(PLAIN, "konane", "konane", 50, frozenset({STUCK})),
    Source(PLAIN, "mu-torere", "mu-torere", 50, frozenset({STUCK, THRICE})),
    Source(PLAIN, "yavalath", "yavalath", 50, frozenset({"four in a row", "three in a row"})),
    Source(PLAIN, "pente", "pente", 50, frozenset({FIVE, "five pairs taken"})),
    Source(PLAIN, "connect6", "connect6", 50, frozenset({"six in a row", FULL}), {"n": 9}),
]


# Every second source: a mix of those that list moves and those compared ply by ply; `deep` has all.
@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES[::2], ids=str)
def test_random_games_agree_with_an_authority_at_every_ply(source: Source) -> None:
    source.compare(1)


@pytest.mark.deep
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_many_random_games_agree_with_an_authority_at_every_ply(source: Source) -> None:
    source.compare(source.count)


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES[1::2], ids=str)
def test_one_random_game_agrees_with_an_authority_at_every_ply(source: Source) -> None:
    game = rulesengine.load(source.ours, **source.parameters)
    replay(game, source.games(source.name, 1000))


@pytest.mark.slow
def test_the_games_of_go_meet_boards_that_only_positional_superko_forbids() -> None:
    theirs = pyspiel.load_game(openspiel_more.GO.theirs)
    struck = 0
    for seed in range(20):
        state = theirs.new_initial_state()
        for ply in openspiel_more.random_game("go-3", seed):
            if isinstance(ply, Ply):
                struck += len(state.legal_actions()) > len(ply.legal)
                column, row = "abc".find(ply.played[0]), ply.played[1:]
                passes = ply.played == "pass"
                state.apply_action(9 if passes else (int(row) - 1) * 3 + column)
    assert struck > 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sign", "parts"), [("english-draughts", "x", 4), ("nine-mens-morris", "x", 2)]
)
def test_the_random_games_hold_moves_of_several_steps(name: str, sign: str, parts: int) -> None:
    plies = [p for seed in range(40) for p in openspiel_more.random_game(name, seed)]
    longest = max(len(p.played.split(sign)) for p in plies if isinstance(p, Ply))
    assert longest >= parts


CLOBBER = [49, 2116, 80063, 2630382]
ATAXX = [16, 256, 6460, 155888]
DRAUGHTS = [7, 49, 302, 1469, 7361, 36768, 179740, 845931]


def counts(name: str, numbers: list[int], quick: int, slow: int) -> list[Any]:
    """Return a test for each depth: quick up to `quick`, slow up to `slow`, then deep."""
    marks = {d: [] if d <= quick else [pytest.mark.slow] if d <= slow else [pytest.mark.deep]
             for d in range(1, len(numbers) + 1)}  # fmt: skip
    return [
        pytest.param(name, depth, number, marks=marks[depth], id=f"{name}-{depth}")
        for depth, number in enumerate(numbers, start=1)
    ]


@pytest.mark.parametrize(
    ("name", "depth", "nodes"),
    [
        *counts("clobber", CLOBBER, 3, 3),  # 49 moves, 2116: published with Fairy-Stockfish
        *counts("ataxx", ATAXX, 4, 4),  # published with engines such as CuteAtaxx
        *counts("english-draughts", DRAUGHTS, 5, 6),  # Aart Bik, "Computing Deep Perft", 2012
        *counts("gomoku", [225, 225 * 224], 2, 2),  # no game ends before ply 9
    ],
)
def test_a_game_has_as_many_sequences_of_moves_as_published(
    name: str, depth: int, nodes: int
) -> None:
    assert rulesengine.load(name).perft(depth) == nodes
