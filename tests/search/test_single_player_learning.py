"""Learning in games of one player: payoffs, results, and play by learned values."""

from pathlib import Path
from random import Random

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.protocol import UNFINISHED
from rulesengine.engine.drivers.search import td_layout as at
from rulesengine.engine.drivers.search.layout import STAKE
from rulesengine.engine.drivers.search.payoff_scale import FRACTION, in_thousandths
from rulesengine.engine.drivers.search.sigmoid import ONE
from rulesengine.engine.drivers.search.td_learning import learn
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.patterns import active_entries, network_of
from rulesengine.search.learned_weights import TrainingTables, write
from tests.helpers.engine_comparison import needs_native
from tests.helpers.lone_specs import DICE, game_of, pegs_of, sokoban_of
from tests.oracles.plain_alone import best_of_rolls, most_jumps

pytestmark = pytest.mark.usefixtures("in_haste")
BACKENDS = tuple(sorted(backend.name for backend in working()))
PEGS = ("....", "....", "....", "....")
LEVEL = ("########", "#@  $ .#", "########")


def memories(plies: int, *, pays: bool, last: int) -> tuple[Memory, Memory]:
    """Return the memory of a game with one entry a ply, and its tables."""
    own, tables = Memory(at.entries_of(plies, plies, 1)), Memory(3 * plies)
    words = {
        at.WIDTH: 1,
        at.SIZE: plies,
        at.WAYS: plies,
        at.MOST: plies,
        at.PAYS: int(pays),
        at.LAST: last,
    }
    for place, number in words.items():
        own.numbers[place] = number
    for ply in range(plies):
        own.numbers[at.entries_of(ply, plies, 1)] = ply
    return own, tables


def test_entries_move_to_the_payoff_by_the_full_difference() -> None:
    # Both entries are 0. The last one becomes the payoff, 8; three quarters of it reach the first.
    own, tables = memories(2, pays=True, last=8 << FRACTION)
    learn(2, -1, True, own, tables, own)
    assert tables.numbers.tolist()[:2] == [6 << FRACTION, 8 << FRACTION]
    # A payoff of 0 then: the last one has moved one way so far, and moves by the full step again.
    own.numbers[at.LAST] = 0
    learn(2, -1, True, own, tables, own)
    assert tables.numbers[1] == 0
    assert in_thousandths(-3 << FRACTION) == -3000


def test_a_game_that_was_broken_off_has_no_payoff() -> None:
    own, tables = memories(1, pays=True, last=8 << FRACTION)
    learn(1, UNFINISHED, True, own, tables, own)
    assert tables.numbers.tolist() == [0, 0, 0]


def test_a_loss_of_a_single_player_is_learned_as_such() -> None:
    own, tables = memories(1, pays=False, last=-STAKE)
    learn(1, -1, True, own, tables, own)
    assert tables.numbers[0] == -ONE


def test_features_of_one_player_are_own_and_neutral_pieces() -> None:
    game = sokoban_of(LEVEL)
    network = network_of(game.program)
    # A man of the player and a neutral box: three contents of a cell, two counts, no phases.
    assert {pattern.alphabet.base for pattern in network.patterns} == {3}
    assert len(network.counts) == 2
    assert not network.apart
    entries = list(active_entries(network, game.initial_state()))
    assert len(entries) == network.width
    assert max(entries) < network.size


def first_choice(game: Game) -> State:
    """Return the position after the first move of chance."""
    state = game.initial_state()
    while game.weights(state):
        state = game.apply(state, game.legal_moves(state)[0])
    return state


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dice", "pegs", "sokoban"])
def test_learning_and_searching_are_the_same_in_every_engine(name: str, tmp_path: Path) -> None:
    def made(engine: str) -> Game:
        match name:
            case "dice":
                return game_of(DICE, rolls=3, engine=engine)
            case "pegs":
                return pegs_of(PEGS, "b2", engine=engine)
            case _:
                return sokoban_of(LEVEL, engine=engine)

    def found(game: Game, file: Path) -> list[tuple[str, str]]:
        state = first_choice(game)
        result = game.search(state, plies=2, learned=file)
        assert not game.engine_problems
        return [(str(move), str(value)) for move, value in result.moves]

    whole = tmp_path / "whole"
    plain = made("interpreter")
    plain.learn(whole, games=20, seed=7)
    expected = found(plain, whole)
    for engine in BACKENDS:
        game, file = made(engine), tmp_path / engine
        game.learn(file, games=9, seed=7)
        game.learn(file, games=11)
        assert file.read_bytes() == whole.read_bytes()
        assert found(game, file) == expected
    unit = "about" if name != "sokoban" else ("win", "loss", "+", "-")
    assert all(value.startswith(unit) for _, value in expected)


def payoff(game: Game, seed: int, file: Path) -> int:
    """Return the payoff of a game by searches of one ply."""
    draw, state = Random(seed), game.initial_state()
    while (outcome := game.outcome(state)) is None:
        moves, weights = game.legal_moves(state), game.weights(state)
        if weights:
            move = draw.choices(moves, weights)[0]
        else:
            move = game.search(state, plies=1, learned=file).move
        state = game.apply(state, move)
    return outcome.payoffs[game.players[0]]


def untrained(game: Game, file: Path) -> Path:
    write(file, game.program, TrainingTables(network_of(game.program), 0))
    return file


@pytest.mark.slow
@needs_native
def test_learned_play_reaches_the_greatest_number_of_jumps(tmp_path: Path) -> None:
    game, file = pegs_of(PEGS, "b2"), tmp_path / "learned"
    places = {(x, y) for x in range(4) for y in range(4)}
    game.learn(file, games=4000, seed=1)
    most = most_jumps(places, places - {(1, 1)})
    assert payoff(game, 0, file) == most
    assert payoff(game, 0, untrained(game, tmp_path / "untrained")) < most


@pytest.mark.slow
@needs_native
def test_learned_play_comes_near_the_greatest_expectation(tmp_path: Path) -> None:
    game, file, count = game_of(DICE, rolls=4), tmp_path / "learned", 300
    game.learn(file, games=4000, seed=1)
    mean = sum(payoff(game, seed, file) for seed in range(count)) / count
    # A single throw has a mean of 3.5 and a standard deviation of 1.7.
    best = float(best_of_rolls(4))
    assert best - 0.3 < mean < best + 0.3
    empty = untrained(game, tmp_path / "untrained")
    assert sum(payoff(game, seed, empty) for seed in range(count)) / count < best - 0.3


def test_the_command_learns_and_searches_in_points(tmp_path: Path) -> None:
    from tests.helpers.cli_calls import call

    file = str(tmp_path / "learned")
    learned = call("learn", "peg-solitaire", "--games", "2", "--out", file)
    assert learned.code == 0, learned.err
    found = call("search", "peg-solitaire", "--plies", "1", "--learned", file)
    assert (found.code, found.err) == (0, "")
    assert "points" in found.out
    doctor = rulesengine.load("peg-solitaire").learnable
    assert doctor is not None
