"""Games with dice against OpenSpiel: moves, mover and winner at every ply."""

import pytest

import rulesengine
from rulesengine import Game, State
from tests.oracles.openspiel_chance import Men, Thrown, Turn, Won, random_game

POINTS = [f"p{number}" for number in range(1, 25)]


def men_of(state: State) -> Men:
    """Return the positions of the men in Backgammon, in the form of the oracle."""
    (numbers,) = state.form.numbers

    def count(cell: str, symbol: str) -> int:
        there = state.piece_at(cell) == symbol
        return numbers.at(state.cell(cell), state.registers) if there else 0

    points = [tuple(count(point, symbol) for point in POINTS) for symbol in "ox"]
    bars, off = ((count(w, "o"), count(b, "x")) for w, b in (("wb", "bb"), ("wo", "bo")))
    return (*points, bars, off)


def replay(game: Game, name: str, seed: int) -> None:
    """Replay one game of OpenSpiel in ours and compare at every ply."""
    state = game.initial_state()
    for step in random_game(name, seed):
        if isinstance(step, Won):
            outcome = game.outcome(state)
            assert outcome is not None
            assert outcome.winner == step.winner
            assert outcome.payoffs == step.payoffs
        elif isinstance(step, Thrown):
            for move in step.moves:
                assert game.weights(state)
                state = game.apply(state, move)
        else:
            state = answered(game, state, step)


def answered(game: Game, state: State, turn: Turn) -> State:
    assert game.weights(state) == ()
    assert state.mover == turn.mover
    after = {str(move): game.apply(state, move) for move in game.legal_moves(state)}
    positions = (
        {text: men_of(at) for text, at in after.items()} if game.name == "Backgammon" else {}
    )
    assert {positions.get(text, text) for text in after} == turn.legal
    return next(at for text, at in after.items() if positions.get(text, text) == turn.played)


def loaded(name: str) -> Game:
    """Return the game with the setup that OpenSpiel uses."""
    return rulesengine.load(name, shuffled=True) if name == "einstein" else rulesengine.load(name)


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize(("name", "seeds"), [("pig", 5), ("einstein", 20), ("backgammon", 2)])
def test_random_games_agree_with_openspiel_at_every_ply(name: str, seeds: int) -> None:
    game = loaded(name)
    for seed in range(seeds):
        replay(game, name, seed)


@pytest.mark.deep
@pytest.mark.parametrize("name", ["pig", "einstein", "backgammon"])
def test_many_random_games_agree_with_openspiel_at_every_ply(name: str) -> None:
    game = loaded(name)
    for seed in range(100):
        replay(game, name, 1000 + seed)
