"""Seeded random games of the variants, played by hand-written programs."""

import random
from collections.abc import Callable, Iterator
from functools import partial

from tests.oracles import plain_moving, plain_placing, plain_pushing
from tests.oracles.openspiel import Ply, Result
from tests.oracles.plain_games import Plain

MARKS = {"cross": "x", "nought": "o"}
GAMES: dict[str, Callable[[], Plain]] = {
    "anti-othello": partial(plain_placing.Discs, misere=True),
    "othello-6x6": partial(plain_placing.Discs, 6),
    "othello-10x10": partial(plain_placing.Discs, 10),
    "othello-holes": partial(plain_placing.Discs, holes="c3 f3 c6 f6"),
    "othello-torus": partial(plain_placing.Discs, torus=True),
    "reversi": partial(plain_placing.Discs, empty=True, stock=32),
    "gomoku-exact-five": partial(
        plain_placing.Lines, (15, 15, 1), 5, {"black": "x", "white": "o"}, exact=True
    ),
    "gomoku-exact-five-7": partial(
        plain_placing.Lines, (7, 7, 1), 5, {"black": "x", "white": "o"}, exact=True
    ),
    "connect-five": partial(
        plain_placing.Lines, (8, 7, 1), 5, {"first": "x", "second": "o"}, fall=True
    ),
    "three-player-tic-tac-toe": partial(
        plain_placing.Lines, (4, 4, 1), 3, {**MARKS, "triangle": "v"}
    ),
    "tic-tac-toe-3d": partial(plain_placing.Lines, (4, 4, 4), 4, MARKS),
    "tic-tac-toe-3d-3": partial(plain_placing.Lines, (3, 3, 3), 3, MARKS),
    "notakto": plain_placing.Notakto,
    "notakto-3": partial(plain_placing.Notakto, 3),
    "hex-pie": partial(plain_placing.HexWithPie, 11),
    "hex-pie-4": partial(plain_placing.HexWithPie, 4),
    "snort": partial(plain_placing.Neighbours, "enemy"),
    "col": partial(plain_placing.Neighbours, "own"),
    "atari-go": partial(plain_placing.Stones, capture=True, n=9),
    "atari-go-3": partial(plain_placing.Stones, capture=True, n=3),
    "nogo": partial(plain_placing.Stones, capture=False, n=9),
    "nogo-5": partial(plain_placing.Stones, capture=False, n=5),
    "hasami-shogi": plain_moving.Hasami,
    "three-mens-morris": plain_moving.SmallMerels,
    "popout": plain_pushing.PopOut,
    "popout-3": partial(plain_pushing.PopOut, 3, 3, 3),
    "popout-2": partial(plain_pushing.PopOut, 2, 3, 3),
    "quixo": plain_pushing.Quixo,
    "quixo-3": partial(plain_pushing.Quixo, 3),
    "cram": plain_pushing.Cram,
    "cram-4": partial(plain_pushing.Cram, 4, 4),
    "knightthrough": plain_moving.Knights,
    "knightthrough-4": partial(plain_moving.Knights, 4, 5),
}


def random_game(name: str, seed: int, plies: int = 500) -> Iterator[Ply | Result]:
    """Play a game of a variant by random moves."""
    return played(GAMES[name](), random.Random(f"{name} {seed}"), plies)


def played(game: Plain, chance: random.Random, plies: int = 500) -> Iterator[Ply | Result]:
    """Play a game by random moves: yield a Ply for each position, then a Result.

    Captures are played more often than other moves, since some games would hardly end without them.
    After so many plies a game breaks off without a Result.
    """
    for _ in range(plies):
        if game.over:
            yield Result(game.winner, tuple(game.rows()))
            return
        legal = game.legal()
        taking = [text for text in legal if "x" in text]
        text = chance.choice(taking if taking and chance.random() < 0.5 else legal)
        yield Ply(game.mover, frozenset(legal), text, tuple(game.rows()))
        game.play(text)
