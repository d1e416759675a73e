"""Games with drops against pyffish, ply by ply; the rules of Fairy-Stockfish decide."""

import random
from types import ModuleType

import pytest

import rulesengine
from rulesengine.game import Game

# The name of the variant for pyffish, if a pawn may be dropped with mate there, counts of moves.
GAMES = {
    "dobutsu-shogi": ("dobutsu", False, [4, 17, 123, 976]),
    "minishogi": ("minishogi", True, [14, 181, 2512, 35401]),
    "crazyhouse": ("crazyhouse", False, [20, 400, 8902]),
    "shogi": ("shogi", True, [30, 900, 25470]),
}
PLIES, SEEDS = 120, 50


def oracle() -> ModuleType:
    library = pytest.importorskip("pyffish", reason="pyffish is not installed")
    assert isinstance(library, ModuleType)
    return library


def compare(game: Game, variant: str, drops_mate: bool, seed: int, plies: int) -> None:
    """Compare the legal moves of a random game.

    In pyffish a pawn of shogi may be dropped with mate, and then loses.
    """
    library, choose = oracle(), random.Random(seed)
    notation = game.formats.moves("uci")
    start, moves, state = library.start_fen(variant), list[str](), game.initial_state()
    for _ in range(plies):
        theirs = library.legal_moves(variant, start, moves)
        if drops_mate:
            theirs = [m for m in theirs if not is_drop_mate(variant, start, [*moves, m])]
        legal = game.legal_moves(state) if game.outcome(state) is None else ()
        ours = {notation.write(move, state): move for move in legal}
        assert (moves, sorted(ours)) == (moves, sorted(theirs))
        if not theirs:
            return
        moves.append(choose.choice(sorted(theirs)))
        state = game.apply(state, ours[moves[-1]])


def is_drop_mate(variant: str, start: str, moves: list[str]) -> bool:
    library = oracle()
    return moves[-1].startswith("P@") and not library.legal_moves(variant, start, moves)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_small_game_has_the_moves_of_pyffish(seed: int) -> None:
    variant, drops_mate, _ = GAMES["dobutsu-shogi"]
    game = rulesengine.load("dobutsu-shogi", engine="interpreter").without_claims
    compare(game, variant, drops_mate, seed, 60)


@pytest.mark.deep
@pytest.mark.parametrize("name", GAMES)
def test_random_games_have_the_moves_of_pyffish(name: str) -> None:
    variant, drops_mate, _ = GAMES[name]
    game = rulesengine.load(name, engine="native").without_claims
    for seed in range(SEEDS):
        compare(game, variant, drops_mate, seed, PLIES)


@pytest.mark.deep
@pytest.mark.parametrize("name", GAMES)
def test_counts_are_those_of_pyffish(name: str) -> None:
    variant, _, counts = GAMES[name]
    game = rulesengine.load(name, engine="native").without_claims

    def count(moves: list[str], depth: int) -> int:
        legal = oracle().legal_moves(variant, oracle().start_fen(variant), moves)
        return sum(count([*moves, m], depth - 1) for m in legal) if depth > 1 else len(legal)

    assert [game.perft(depth) for depth in range(1, len(counts) + 1)] == counts
    assert count([], 3) == counts[2]
