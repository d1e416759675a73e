"""Perft and random games: the generator, perft, playouts, and unusual games."""

from collections.abc import Sequence

import pytest

from rulesengine import EvaluationError, Game, LimitError, UsageError, load
from rulesengine.engine.drivers import perft, playouts
from rulesengine.engine.drivers.protocol import Functions
from rulesengine.engine.drivers.random import Generator, mix
from rulesengine.support.limits import MAX_PLIES
from tests.helpers.rule_games import at, make

GAMMA = 0x9E3779B97F4A7C15
# The first numbers of SplitMix64 from the state 1234567, as its authors and others publish them.
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def test_the_output_function_is_that_of_splitmix64() -> None:
    states = [(1234567 + (i + 1) * GAMMA) % 2**64 for i in range(5)]
    assert [mix(state) for state in states] == PUBLISHED


def test_the_output_function_is_a_permutation_with_zero_at_zero() -> None:
    assert mix(0) == 0
    assert len({mix(z) for z in range(10_000)}) == 10_000
    assert all(0 <= mix(z) < 2**64 for z in (1, 2**63, 2**64 - 1))


@pytest.mark.parametrize(("seed", "game"), [(0, 0), (1, 0), (0, 1), (2**64 - 1, 7), (-1, 7)])
def test_draws_are_the_high_bits_of_splitmix64_from_the_seed_and_the_game(
    seed: int, game: int
) -> None:
    generator = Generator(seed, game)
    state = (mix(seed % 2**64) + mix(game + 1)) % 2**64
    for n in (2, 3, 7, 100, 2**32, 5):
        state = (state + GAMMA) % 2**64
        assert generator.below(n) == mix(state) * n // 2**64


def test_a_draw_without_a_choice_takes_no_number() -> None:
    plain, other = Generator(5, 5), Generator(5, 5)
    first = [plain.below(1000) for _ in range(4)]
    second = []
    for _ in range(4):
        assert other.below(1) == 0
        second.append(other.below(1000))
    assert first == second


def test_draws_are_uniform_enough() -> None:
    counts = [0] * 6
    for game in range(6000):
        counts[Generator(3, game).below(6)] += 1
    # 1000 each; five standard deviations are 144
    assert all(abs(count - 1000) < 144 for count in counts)


# A game as functions: a state is the path to it, a move its number.


def tree(path: tuple[int, ...]) -> Sequence[int]:
    """Return two moves for each of three plies, the second a pass; the game ends after 0, 1."""
    if len(path) == 3 or path == (0, 1):
        return ()
    return (0, 1)


FUNCTIONS: Functions[tuple[int, ...], int] = Functions(
    tree,
    lambda path, move: (*path, move),
    lambda path: None if tree(path) else sum(path) % 2,
    lambda path: path,
    lambda move: move == 1,
)


@pytest.mark.parametrize(
    ("depth", "drop", "keep"), [(0, 1, 1), (1, 2, 2), (2, 4, 4), (3, 6, 7), (4, 0, 7)]
)
def test_perft_counts_sequences_of_exactly_so_many_plies(depth: int, drop: int, keep: int) -> None:
    assert perft.perft(FUNCTIONS, (), depth) == drop
    assert perft.perft(FUNCTIONS, (), depth, keep=True) == keep


@pytest.mark.parametrize(
    ("depth", "drop", "keep"),
    # one other move: 0, 10, 110; two: 00, 100; three: 000; the rest are games that ended first
    [(0, 1, 1), (1, 3, 4), (2, 2, 6), (3, 1, 7)],
)
def test_perft_with_free_passes_counts_only_other_moves(depth: int, drop: int, keep: int) -> None:
    assert perft.perft(FUNCTIONS, (), depth, free=True) == drop
    assert perft.perft(FUNCTIONS, (), depth, free=True, keep=True) == keep


def test_passes_are_plies_unless_they_are_free() -> None:
    game = make(1, 3, "moves: [{place: man, to: empty and left}, otherwise, pass]")
    state = at(game, "...")
    assert [game.perft(depth, state) for depth in range(4)] == [1, 1, 1, 1]
    game = make(1, 3, "moves: [{place: man, to: empty}, pass]")
    state = at(game, "oo.")
    # c1 or pass, then pass or (after the pass) c1 or pass
    assert [game.perft(depth, state) for depth in range(3)] == [1, 2, 3]
    divided = game.divide(2, state)
    assert divided == {"c1": 1, "pass": 2}
    assert list(divided) == ["c1", "pass"]


@pytest.mark.parametrize(("passes", "fits"), [(100, True), (101, False)])
def test_a_hundred_passes_in_a_row_may_take_no_ply(passes: int, fits: bool) -> None:
    game: Functions[int, int] = Functions(
        lambda state: (state,), lambda state, _: state - 1, lambda _: None, lambda s: (s,), bool
    )
    if fits:
        assert perft.perft(game, passes, 1, free=True) == 1
    else:
        with pytest.raises(LimitError, match="more than 100 moves in a row"):
            perft.perft(game, passes, 1, free=True)


def test_the_last_moves_of_a_count_are_not_made_unless_a_free_pass_is_among_them() -> None:
    def apply(state: int, move: int) -> int:
        raise EvaluationError("made")

    game: Functions[int, int] = Functions(
        lambda state: (1, 2), apply, lambda _: None, lambda s: (s,), lambda move: move == state
    )
    state = 0
    assert [perft.perft(game, 0, 1), perft.perft(game, 0, 1, free=True)] == [2, 2]
    state = 2
    assert perft.perft(game, 0, 1) == 2
    with pytest.raises(EvaluationError, match="made"):
        perft.perft(game, 0, 1, free=True)


def test_a_finished_game_is_kept_on_demand() -> None:
    game = load("tic-tac-toe", m=2, n=1, k=2)
    assert [game.perft(depth) for depth in range(4)] == [1, 2, 2, 0]
    assert [game.perft(depth, ended="keep") for depth in range(4)] == [1, 2, 2, 2]


def test_a_negative_depth_or_number_of_games_is_wrong_use() -> None:
    game = load("tic-tac-toe")
    with pytest.raises(UsageError):
        game.perft(-1)
    with pytest.raises(UsageError):
        game.divide(-1)
    with pytest.raises(UsageError):
        game.playouts(-1)


def test_playouts_of_a_seed_are_always_the_same() -> None:
    first = load("connect-four").playouts(12, seed=9)
    assert load("connect-four").playouts(12, seed=9) == first
    assert load("connect-four").playouts(12, seed=10) != first


def test_playouts_are_the_sum_of_their_games() -> None:
    game = load("tic-tac-toe")
    batch = game.playouts(10, seed=4)
    singles = [_single(game, number) for number in range(10)]
    lengths = [length for _, length in singles]
    winners = [winner for winner, _ in singles]
    assert batch.games == 10
    assert batch.mean_length == sum(lengths) / 10
    assert batch.draws == winners.count(None)
    assert batch.wins == {name: winners.count(name) for name in game.players}


def _single(game: Game, number: int) -> tuple[str | None, int]:
    """Play game `number` of seed 4 through the public interface, with a separate generator."""
    state, generator, length = game.initial_state(), Generator(4, number), 0
    while moves := game.legal_moves(state):
        state = game.apply(state, moves[generator.below(len(moves))])
        length += 1
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.winner, length


def test_checksums_add_up_over_a_batch() -> None:
    total = 0
    for number in range(5):
        path, length = playouts.random_game(FUNCTIONS, (), 3, number)
        total += playouts.checksum(FUNCTIONS, path, sum(path) % 2, length)
    batch = playouts.playouts(FUNCTIONS, (), ("a", "b"), 5, 3)
    assert batch.checksum == total % 2**64


def test_a_checksum_covers_position_winner_and_length() -> None:
    def checksum(words: tuple[int, ...], winner: int, length: int) -> int:
        return playouts.checksum(FUNCTIONS, words, winner, length)

    first = checksum((1, 2), 0, 5)
    others = [
        checksum((2, 1), 0, 5),
        checksum((1, 2), 1, 5),
        checksum((1, 2), -1, 5),
        checksum((1, 2), -2, 5),
        checksum((1, 2), 0, 6),
        checksum((1, 2 + 2**64), 0, 5),
        checksum((1, 2, 0), 0, 5),
    ]
    assert len({first, *others}) == 1 + len(others)


@pytest.mark.parametrize("winner", [-2, -1, 0, 7])
def test_a_checksum_mixes_the_length_with_the_winner_plus_two_then_each_word(winner: int) -> None:
    path, length = (3, 2**64 + 5), 40
    total = mix(length * 256 + winner + 2)
    for word in (3, 5, 1):
        total = mix(total ^ word)
    assert playouts.checksum(FUNCTIONS, path, winner, length) == total


def test_stuck_games_are_counted_as_unfinished() -> None:
    game = make(1, 3, "moves: {place: man, to: empty}")
    found = game.playouts(4, seed=1)
    assert (found.games, found.unfinished, found.draws) == (4, 4, 0)
    assert found.wins == {"white": 0, "black": 0}
    assert found.mean_length == 3.0


def test_games_without_end_stop_at_the_limit_of_plies() -> None:
    endless: Functions[int, int] = Functions(
        lambda _: (0,), lambda state, _: state + 1, lambda _: None, lambda s: (s,), lambda _: False
    )
    assert playouts.random_game(endless, 0, 1, 0) == (MAX_PLIES, MAX_PLIES)
    assert playouts.playouts(endless, 0, ("a",), 2, 1).unfinished == 2


def test_no_games_have_no_mean() -> None:
    found = load("tic-tac-toe").playouts(0)
    assert (found.games, found.mean_length, found.checksum) == (0, 0.0, 0)


def test_playouts_go_on_from_a_state() -> None:
    game = load("tic-tac-toe")
    state = game.state_from("xx.\noo.\n...\nmover: cross")
    found = game.playouts(50, seed=2, state=state)
    assert found.games == 50
    assert found.mean_length < 6
    won = game.state_from("xxx\noo.\n...\nmover: nought")
    assert game.playouts(3, state=won).wins == {"cross": 3, "nought": 0}
