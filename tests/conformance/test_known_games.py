"""Games against the games of other programs: all legal moves of each ply, and the result.

`tests/data/authorities/` has the games, with the program that played each. The modules of
`tests/oracles/` that wrote them need packages that are not installed for tests.
"""

import pytest

import rulesengine
from rulesengine import Game
from tests.oracles.digests import KnownGame, read_games, to_ply

NAMES = ("abalone", "arimaa", "royal-game-of-ur")


# The gate compares so many plies of a game; the pieces of Arimaa meet late.
PLIES = {"arimaa": 140}
USUAL = 60


def replay(game: Game, known: KnownGame, plies: int | None = None) -> None:
    """Compare the legal moves of each ply, and the result of a whole game."""
    state = game.initial_state()
    for ply in known.plies[:plies]:
        legal = {str(move): move for move in game.legal_moves(state)}
        assert to_ply(ply.move, legal) == ply
        state = game.apply(state, legal[ply.move])
    if plies is not None and plies < len(known.plies):
        return
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.winner or "draw") == known.result


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_first_moves_of_a_game_of_another_program_are_legal_ply_by_ply(name: str) -> None:
    game = rulesengine.load(name, engine="interpreter")
    replay(game, next(read_games(name)), PLIES.get(name, USUAL))


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES)
def test_all_games_of_another_program_are_legal_ply_by_ply(name: str) -> None:
    game, games = rulesengine.load(name), list(read_games(name))
    assert len(games) > 3
    for known in games:
        replay(game, known)
