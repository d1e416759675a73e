"""Variants of Fairy-Stockfish that are converted to specs, compared with pyffish."""

import random
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from rulesengine.tools.variants_ini import convert

FILE = Path(__file__).parents[1] / "data" / "variants" / "variants.ini"
COUNTS = FILE.with_name("counts.txt")
NAMES = re.findall(r"(?m)^\[([^\]:]+)", FILE.read_text(encoding="utf-8"))
QUICK = ("breakthrough", "clobber", "fox-and-hounds")
PLIES, GAMES = 60, 20


@cache
def converted(name: str) -> Game:
    """Return the game of a section, in which no player claims a draw."""
    found = convert(FILE.read_text(encoding="utf-8"), name, "A variant")
    assert found.omissions == ()
    return load_source(Source("variant.yaml", found.text), engine="interpreter").without_claims


def counts() -> dict[str, list[int]]:
    lines = COUNTS.read_text(encoding="utf-8").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {row[0]: [int(number) for number in row[1:]] for row in rows}


def oracle() -> ModuleType:
    library = pytest.importorskip("pyffish", reason="pyffish is not installed")
    assert isinstance(library, ModuleType)
    return library


def test_at_least_45_variants_without_drops_are_compared() -> None:
    assert len(NAMES) == len(set(NAMES)) >= 45
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
    library = oracle()

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

    pyffish writes two cells for a capture in passing of a custom piece.
    """
    library, game, choose = oracle(), converted(name), random.Random(seed)
    start, moves, state = library.start_fen(name), list[str](), game.initial_state()
    for ply in range(PLIES):
        expected = sorted(library.legal_moves(name, start, moves))
        found = sorted(map(str, game.legal_moves(state))) if game.outcome(state) is None else []
        assert (moves, found) == (moves, expected)
        theirs = library.get_fen(name, start, moves).split()
        ours = game.export(state, "fen", fullmove=ply // 2 + 1).split()
        assert [*ours[:3], *ours[4:]] == [*theirs[:3], *theirs[4:]]
        assert ours[3] in theirs[3]
        if not expected:
            return
        moves.append(choose.choice(expected))
        state = game.apply(state, moves[-1])
