"""Variants of Fairy-Stockfish that are converted to specs, compared with pyffish 0.0.90."""

import random
import re
from functools import cache
from pathlib import Path

import pytest

from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from rulesengine.tools.variants_ini import convert
from tests.helpers.fairy_stockfish import fairy_stockfish

FILE = Path(__file__).parents[1] / "data" / "variants" / "variants.ini"
COUNTS = FILE.with_name("counts.txt")
NAMES = re.findall(r"(?m)^\[([^\]:]+)", FILE.read_text(encoding="utf-8"))
QUICK = ("breakthrough", "clobber", "dobutsu", "fox-and-hounds")
PLIES, GAMES = 60, 20
# The interpreter is slow where pieces in hand have many places.
WITH_DROPS = frozenset(NAMES[NAMES.index("crazyhouse") :])


@cache
def converted(name: str) -> Game:
    """Return the game of a section, in which no player claims a draw."""
    assert convert(FILE.read_text(encoding="utf-8"), name, "A variant").omissions == ()
    engine = "native" if name in WITH_DROPS and name not in QUICK else "interpreter"
    return load_source(Source("variant.yaml", spec_text(name)), engine=engine).without_claims


def counts() -> dict[str, list[int]]:
    lines = COUNTS.read_text(encoding="utf-8").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {row[0]: [int(number) for number in row[1:]] for row in rows}


def test_at_least_70_variants_are_compared() -> None:
    assert len(NAMES) == len(set(NAMES)) >= 70
    assert len(NAMES) - len(WITH_DROPS) >= 45
    assert list(counts()) == NAMES


@pytest.mark.parametrize("name", QUICK)
def test_small_variant_has_the_counts_of_pyffish(name: str) -> None:
    game = converted(name)
    assert [game.perft(depth) for depth in (1, 2)] == counts()[name]


@pytest.mark.deep
@pytest.mark.parametrize("name", [name for name in NAMES if name not in QUICK])
def test_variant_has_the_counts_of_pyffish(name: str) -> None:
    game = converted(name)
    assert [game.perft(depth) for depth in (1, 2)] == counts()[name]


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES)
def test_variant_has_the_count_of_three_plies(name: str) -> None:
    library = fairy_stockfish()

    def count(moves: list[str], depth: int) -> int:
        legal = library.legal_moves(name, library.start_fen(name), moves)
        return sum(count([*moves, move], depth - 1) for move in legal) if depth > 1 else len(legal)

    assert converted(name).perft(3) == count([], 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_random_game_has_the_same_moves_and_positions(name: str) -> None:
    compare_game(name, seed=0)


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES)
def test_twenty_random_games_have_the_same_moves_and_positions(name: str) -> None:
    for seed in range(GAMES):
        compare_game(name, seed)


def compare_game(name: str, seed: int) -> None:
    """Compare the legal moves and the position at each ply of a random game.

    pyffish writes two cells for a capture in passing of a custom piece. It lists the drop of a pawn
    of shogi with mate, which loses there and is illegal by the spec.
    """
    library, game, choose = fairy_stockfish(), converted(name), random.Random(seed)
    start, moves, state = library.start_fen(name), list[str](), game.initial_state()
    for ply in range(PLIES):
        expected = sorted(legal_moves(name, moves))
        found = sorted(map(str, game.legal_moves(state))) if game.outcome(state) is None else []
        assert (moves, found) == (moves, expected)
        theirs = library.get_fen(name, start, moves).split()
        ours = game.export(state, "fen", fullmove=ply // 2 + 1).split()
        assert [hand(ours[0]), *ours[1:3], *ours[4:]] == [
            hand(theirs[0]),
            *theirs[1:3],
            *theirs[4:],
        ]
        assert ours[3] in theirs[3]
        if not expected:
            return
        moves.append(choose.choice(expected))
        state = game.apply(state, moves[-1])


def legal_moves(name: str, moves: list[str]) -> list[str]:
    """Return the legal moves of pyffish without drops of a pawn of shogi that mate."""
    library = fairy_stockfish()
    start = library.start_fen(name)
    legal: list[str] = library.legal_moves(name, start, moves)
    if "forbid: in_check or not can_move(opponent)" not in spec_text(name):
        return legal
    pawns = ("P@", "S@") if name == "torishogi" else ("P@",)
    mates = [
        m
        for m in legal
        if m.startswith(pawns) and not library.legal_moves(name, start, [*moves, m])
    ]
    return [move for move in legal if move not in mates]


@cache
def spec_text(name: str) -> str:
    return convert(FILE.read_text(encoding="utf-8"), name, "A variant").text


def hand(board: str) -> str:
    """Return a board with the pieces in hand in alphabetical order."""
    rows, _, pieces = board.partition("[")
    return rows + "".join(sorted(pieces.rstrip("]").replace("-", "")))
