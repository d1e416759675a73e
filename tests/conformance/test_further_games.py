"""Games with words that few others use, against plain programs of their rules."""

from collections.abc import Callable
from functools import partial
from itertools import combinations

import pytest

import rulesengine
from tests.helpers.authorities import Source
from tests.oracles import further, plain_dealing, plain_hexagons
from tests.oracles.openspiel import Ply


def plain(name: str, *ends: str, of: str = "", **parameters: int) -> Source:
    return Source(further.random_game, name, of or name, 100, frozenset(ends), parameters)


TILES = "four in a row", "a square", "no tile to take"
HUNT = "the cat is caught", "the cat is at the border"
SMALL = [
    plain("okiya", *TILES),
    plain("samegame-3", "no group is left", of="samegame", rows=3, columns=2),
    plain("chain-reaction-2", "all orbs are of one side", of="chain-reaction", rows=2, columns=3),
    plain("trike-3", "the pawn cannot move", of="trike", n=3),
    plain("tic-tac-toe-klein", "three in a row"),
    plain("gale-2", "joined", of="gale", n=2),
    plain("chat-noir-5", *HUNT, of="chat-noir", n=5, dots=12),
    plain("peg-solitaire", "no peg can jump"),
    plain("hey-thats-my-fish-4", "no penguin can move", of="hey-thats-my-fish", n=4),
]
LARGE = [
    plain("samegame", "no group is left"),
    plain("chain-reaction", "all orbs are of one side"),
    plain("trike", "the pawn cannot move"),
    plain("gale", "joined"),
    plain("yavalath-3", "four in a row"),
    plain("chat-noir", *HUNT),
    plain("hey-thats-my-fish", "no penguin can move"),
]


@pytest.mark.slow
@pytest.mark.parametrize("source", SMALL, ids=str)
def test_random_games_agree_with_a_plain_program_at_every_ply(source: Source) -> None:
    source.compare(2)


@pytest.mark.slow
def test_a_game_of_three_agrees_with_a_plain_program_at_every_ply() -> None:
    plain("yavalath-3").compare(1)


@pytest.mark.deep
@pytest.mark.parametrize("source", [*SMALL, *LARGE], ids=str)
def test_many_random_games_agree_with_a_plain_program_at_every_ply(source: Source) -> None:
    source.compare(source.count)


# To the depth where games end, if that is not too deep.
COUNTS = {
    "okiya": 3,
    "samegame-3": 5,
    "chain-reaction-2": 5,
    "trike-3": 6,
    "tic-tac-toe-klein": 3,
    "gale-2": 6,
    "chat-noir-5": 2,
    "peg-solitaire": 4,
    "hey-thats-my-fish-4": 6,
}


@pytest.mark.slow
@pytest.mark.parametrize("source", SMALL, ids=str)
def test_a_game_has_as_many_sequences_of_moves_as_by_a_plain_program(source: Source) -> None:
    game = rulesengine.load(source.ours, **source.parameters)
    depths = range(1, COUNTS[source.name] + 1)
    assert [game.perft(d) for d in depths] == [further.perft(source.name, d) for d in depths]


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("samegame-3", 7),
        ("chain-reaction-2", 6),
        ("chain-reaction", 3),
        ("trike", 3),
        ("tic-tac-toe-klein", 5),
        ("gale", 3),
        ("yavalath-3", 2),
        ("chat-noir", 2),
        ("hey-thats-my-fish-4", 8),
    ],
)
def test_a_game_has_as_many_sequences_deep_down(name: str, depth: int) -> None:
    source = next(source for source in (*SMALL, *LARGE) if source.name == name)
    game = rulesengine.load(source.ours, **source.parameters)
    assert game.perft(depth) == further.perft(name, depth)


@pytest.mark.parametrize(
    ("source", "begin"),
    [
        (SMALL[1], partial(plain_dealing.Blocks, 3, 2)),
        (SMALL[-1], partial(plain_hexagons.Fishing, 4)),
    ],
    ids=["samegame", "hey-thats-my-fish"],
)
def test_payoffs_match_a_plain_program(
    source: Source, begin: Callable[[], plain_dealing.Blocks | plain_hexagons.Fishing]
) -> None:
    game = rulesengine.load(source.ours, **source.parameters)
    for seed in range(5):
        state, plain = game.initial_state(), begin()
        for ply in further.random_game(source.name, seed):
            if isinstance(ply, Ply):
                state = game.apply(state, game.move(ply.played, state))
                plain.play(ply.played)
        outcome = game.outcome(state)
        assert outcome is not None
        assert outcome.payoffs == plain.payoffs()


def test_a_floe_is_dealt_as_often_as_there_are_left_of_its_fish() -> None:
    game, plain = rulesengine.load("hey-thats-my-fish", n=5), plain_hexagons.Fishing(5)
    state = game.initial_state()
    for ply in further.random_game("hey-thats-my-fish-5", 0):
        if isinstance(ply, Ply) and "=" in ply.played:
            assert list(game.weights(state)) == [n for n in plain.supply.values() if n]
            state = game.apply(state, game.move(ply.played, state))
            plain.play(ply.played)
    assert sum(plain.supply.values()) < 3  # shares of the cells, rounded up


@pytest.mark.slow
def test_first_player_wins_gale() -> None:
    """Check Oliver Gross's pairing of bridges: Gardner, New Mathematical Diversions (1966)."""
    assert rulesengine.load("gale", n=2).solve().value == "win"


def test_on_a_full_klein_bottle_somebody_has_a_row() -> None:
    game = rulesengine.load("tic-tac-toe-klein")
    for own in combinations(range(9), 5):
        signs = "".join("x" if cell in own else "o" for cell in range(9))
        rows = "\n".join((signs[:3], signs[3:6], signs[6:], "mover: nought"))
        assert game.outcome(game.state_from(rows)) is not None


# Rotations and reflections count once: OEIS A112737, by George Bell.
PEGS = (1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31312, 89927)


@pytest.mark.slow
def test_pegs_have_as_many_positions_as_are_published() -> None:
    assert rulesengine.load("peg-solitaire").count(6, symmetry=True) == PEGS[:7]


@pytest.mark.deep
def test_pegs_have_as_many_positions_deep_down() -> None:
    game = rulesengine.load("peg-solitaire", engine="native")
    assert game.count(10, symmetry=True) == PEGS


def test_pegs_are_worth_a_point_each() -> None:
    """Play the shortest game, six jumps: Bill Butler's page on the board of 33 holes."""
    game = rulesengine.load("peg-solitaire")
    state = game.initial_state()
    for text in ("d2-d4", "d5-d3", "b4-d4", "e4-c4", "d7-d5", "g4-e4"):
        assert game.outcome(state) is None
        state = game.apply(state, text)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.payoffs == {"solver": 6}
