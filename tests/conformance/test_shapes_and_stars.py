"""Gonnect, the L game, boards of boards, Chinese checkers: against OpenSpiel and plain programs."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice, product

import pytest

import rulesengine
from tests.helpers.authorities import Source, replay
from tests.oracles import few_pieces, openspiel_more, openspiel_star, plain_joining, variants
from tests.oracles.openspiel import Ply, Result
from tests.oracles.plain_games import Plain, Repeating
from tests.oracles.plain_placing import Place
from tests.oracles.plain_shapes import CELLS, SHAPES, Shapes

GAMES: dict[str, Callable[[], Plain]] = {
    "gonnect": plain_joining.Joining,
    "gonnect-3": partial(plain_joining.Joining, 3),
    "gonnect-5": partial(plain_joining.Joining, 5),
    "l-game": lambda: Repeating(Shapes()),
}


def plain(name: str, seed: int) -> Iterator[Ply | Result]:
    return variants.played(GAMES[name](), random.Random(f"{name} {seed}"), 200)


JOINED, STUCK, HOME = (
    "two sides are joined",
    "no move left",
    "all marbles are in the point opposite",
)
BOARDS = frozenset({"three boards in a row", "all boards are decided"})
SOURCES = [
    Source(openspiel_more.random_game, "ultimate-tic-tac-toe", "ultimate-tic-tac-toe", 100, BOARDS),
    Source(plain, "gonnect", "gonnect", 5, frozenset({JOINED})),
    Source(plain, "gonnect-5", "gonnect", 100, frozenset({JOINED}), {"n": 5}),
    Source(plain, "gonnect-3", "gonnect", 200, frozenset({JOINED, STUCK}), {"n": 3}),
    Source(plain, "l-game", "l-game", 50, frozenset({"no room for the L"})),
    *(
        Source(openspiel_star.random_game, str(n), name, count, frozenset({HOME}))
        for n, name, count in [
            (2, "chinese-checkers-2", 100),
            (3, "chinese-checkers-3", 100),
            (4, "chinese-checkers-4", 100),
            (6, "chinese-checkers", 100),
        ]
    ),
]
# In long games, or games with slow move generation, the full gate compares only the first plies.
FIRST = {"ultimate-tic-tac-toe": 100, "gonnect-3": 200, "l-game": 6, "2": 6, "6": 6}


@pytest.mark.slow
@pytest.mark.parametrize("source", [s for s in SOURCES if s.name in FIRST], ids=str)
def test_the_first_plies_of_a_random_game_agree_with_an_authority(source: Source) -> None:
    game = rulesengine.load(source.ours, engine="interpreter", **source.parameters)
    replay(game, islice(source.games(source.name, 1000), FIRST[source.name]))


@pytest.mark.deep
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_many_random_games_agree_with_an_authority_at_every_ply(source: Source) -> None:
    source.compare(source.count)


@pytest.mark.deep
@pytest.mark.parametrize(("n", "depth"), [(2, 8), (3, 5), (4, 3)])
def test_gonnect_has_as_many_sequences_of_moves_as_by_a_plain_program(n: int, depth: int) -> None:
    game = rulesengine.load("gonnect", n=n)
    wanted = [few_pieces.count(plain_joining.Joining(n), d) for d in range(1, depth + 1)]
    assert [game.perft(d) for d in range(1, depth + 1)] == wanted


# The fifteen positions in which `x` has no legal move: everything2.com, "L-game"; Wikipedia, "L
# game".
LOST = """
.o.. .#.. ..#. ..o. ..o. ..o. .... ...# ..#. .#.. ..#. ..o. .o.. ..o. ....
#o.. #o.. #o.. #.o. #.o. #.o. ooo# ooo. ooo. #..o #..o ooo. .o#. ooo. #ooo
xoo# xooo xooo xoo. xoo# x#oo x.o. x.o. x.o. xooo xooo x.#. oox# xxx# xxxo
xxx. xxx. xxx. xxx# xxx. xxx. xxx# xxx# xxx# xxx. xxx. xxx# xxx. x.#. x.#.
"""
Position = tuple[tuple[Place, ...], ...]


def positions() -> Iterator[Position]:
    """Yield all placements of the two Ls and the coins that fit on the board."""
    for one, two in product(SHAPES, repeat=2):
        for coins in combinations(sorted(CELLS - one - two), 2):
            if not one & two:
                yield tuple(sorted(one)), tuple(sorted(two)), coins


def seen_from_all_sides(position: Position) -> Position:
    """Return the canonical form: the least of the eight rotations and reflections."""
    found = []
    for _ in range(4):
        position = tuple(tuple(sorted((r, 3 - c) for c, r in part)) for part in position)
        mirrored = tuple(tuple(sorted((3 - c, r) for c, r in part)) for part in position)
        found += [position, mirrored]
    return min(found)


def drawn(position: Position) -> str:
    signs = {cell: sign for part, sign in zip(position, "xo#", strict=True) for cell in part}
    lines = ["".join(signs.get((c, r), ".") for c in range(4)) for r in (3, 2, 1, 0)]
    return "\n".join([*lines, "mover: first"])


def is_lost(game: rulesengine.Game, text: str) -> bool:
    outcome = game.outcome(game.state_from(text))
    assert outcome is None or outcome.winner == "second"
    return outcome is not None


def test_the_l_game_is_lost_where_it_is_known_to_be() -> None:
    game = rulesengine.load("l-game", engine="interpreter")
    boards = zip(*(line.split() for line in LOST.strip().split("\n")), strict=True)
    assert all(is_lost(game, "\n".join([*board, "mover: first"])) for board in boards)


@pytest.mark.deep
def test_the_l_game_has_as_many_positions_as_known_and_fifteen_are_lost() -> None:
    """Expect 2,296 positions up to rotation and reflection: Wikipedia, "L game"."""
    game = rulesengine.load("l-game")
    different = {seen_from_all_sides(position) for position in positions()}
    assert len(different) == 2296
    assert sum(is_lost(game, drawn(position)) for position in different) == 15
