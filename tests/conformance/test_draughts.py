"""Draughts with flying kings, against a plain program of their rules."""

import random

import pytest

import rulesengine
from tests.helpers.authorities import Source
from tests.oracles import plain_draughts
from tests.oracles.plain_draughts import Draughts, DraughtsMove
from tests.oracles.plain_placing import place_of

STUCK, NO_THREAT, FEW = (
    "no move left",
    "kings alone have moved too long",
    "an ending of few pieces has gone on",
)
NAMES = ("international", "brazilian", "russian")
SOURCES = [
    Source(plain_draughts.random_game, name, f"{name}-draughts", 100, frozenset({STUCK}))
    for name in NAMES
]
# Kings of White and Black, and an end that play reaches from there.
ENDINGS = [
    ("international", "a1 c1 e1", "b10", FEW),
    ("international", "a1 c1", "h10 j10", NO_THREAT),
    ("brazilian", "a1 c1", "f8 h8", FEW),
    ("russian", "a1 c1", "f8 h8", NO_THREAT),
]


def crowded(name: str, seed: int) -> Draughts:
    """Return a position with many kings, where captures are long and change direction."""
    game, chance = Draughts(name), random.Random(f"{name} {seed}")
    n = game.variant.n
    dark = [(c, r) for c in range(n) for r in range(n) if (c + r) % 2 == 0]
    places = chance.sample(dark, chance.randint(n // 2, 2 * n))
    game.board = {place: chance.choice("bbbBwWW") for place in places}
    return game


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_captures_among_many_kings_agree(name: str) -> None:
    game, longest = rulesengine.load(f"{name}-draughts", engine="interpreter"), 0
    for seed in range(60):
        plain = crowded(name, seed)
        state = game.state_from("\n".join([*plain.rows(), "mover: white"]))
        legal = [move.text for move in game.legal_moves(state)]
        assert sorted(legal) == sorted(made.text for made in plain.moves())
        longest = max([longest, *(text.count("x") for text in legal)])
    assert longest > 3


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_random_games_agree_with_a_plain_program_at_every_ply(source: Source) -> None:
    source.compare(1)


@pytest.mark.deep
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_many_random_games_agree_at_every_ply(source: Source) -> None:
    source.compare(source.count)


# A published game: boardgames.stackexchange.com, question 61692, on articles 6.3 and 6.4.
# Black captures on the 13th move after the ending of four pieces began.
PUBLISHED = """[FEN "W:WK46,K47,K48:BK3"]

1. 47-38 3-9 2. 46-23 9-22 3. 38-24 22-17 4. 48-31 17-39 5. 24-38 39-17 6. 31-42 17-22 7. 38-15 22-6
8. 42-31 6-1 9. 31-18 1-6 10. 18-13 6-17 11. 15-20 17-39 12. 13-18 39-17 13. 20-33 17x39
14. 18-13 39-33 15. 13-27 33-17 16. 23-19 17-12 *"""


def test_a_capture_leaves_the_sixteen_moves_of_an_ending_as_they_were() -> None:
    game = rulesengine.load("international-draughts", engine="interpreter")
    (read,) = game.read_games(PUBLISHED)
    state, ends = read.start.state, []
    for move in read.moves:
        state = game.apply(state, move)
        ends.append(game.outcome(state))
    assert ends[:31] == [None] * 31
    assert ends[31] is not None
    assert ends[31].reason == FEW


def safe(game: Draughts) -> list[DraughtsMove]:
    """Return the moves after which the opponent can capture no piece."""
    found, board, mover = [], game.board, game.mover
    for made in game.moves():
        game.board, game.mover = dict(made.board), "black" if mover == "white" else "white"
        if not any(reply.taken for reply in game.moves()):
            found.append(made)
        game.board, game.mover = board, mover
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "white", "black", "end"), ENDINGS)
def test_endings_of_kings_end_as_a_plain_program_says(
    name: str, white: str, black: str, end: str
) -> None:
    game, found = rulesengine.load(f"{name}-draughts", engine="python"), set[str]()
    for seed in range(3):
        plain, chance = Draughts(name), random.Random(seed)
        plain.board = dict.fromkeys(map(place_of, white.split()), "W")
        plain.board |= dict.fromkeys(map(place_of, black.split()), "B")
        plain.seen.clear()
        plain.see()
        state = game.state_from("\n".join([*plain.rows(), "mover: white"]))
        while (reason := plain.reason()) is None:
            made = chance.choice(safe(plain) or plain.moves())
            plain.play(made)
            assert game.outcome(state) is None
            state = game.apply(state, made.text)
        outcome = game.outcome(state)
        assert outcome is not None
        assert outcome.reason == reason
        found.add(reason)
    assert end in found
