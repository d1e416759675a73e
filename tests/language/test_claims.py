"""Ends that a player claims: matches end by them, records and analyses go on."""

import pytest

import rulesengine
from rulesengine.engine.kernel.selection import Engine
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.play import replay
from rulesengine.play.records import GameRecord
from rulesengine.state import Outcome
from rulesengine.support.source import Source

# Two kings walk: a position that is repeated may be claimed once and ends the game twice.
WALK = """spec: 1
name: Walk
board: {rows: 2, columns: 3}
players: [white, black]
pieces: {king: {white: K, black: k}, empty: "."}
start: |
  k..
  ..K
rules:
  moves: {move: own king, to: neighbours(from) and empty}
  end:
    - {when: not can_move(mover), result: mover loses}
    - {when: position_repeats >= 1, result: draw, reason: a second time, claim: true}
    - {when: position_repeats >= 2, result: draw, reason: a third time}
"""
KNIGHTS = "g1f3 g8f6 f3g1 f6g8".split()
ENGINES: tuple[Engine, ...] = ("interpreter", "python", "native")


def walk(engine: Engine = "interpreter") -> Game:
    return load_source(Source("walk.yaml", WALK), engine=engine)


def reasons(game: Game, moves: list[str]) -> list[str | None]:
    """Return the reason of the end in the position after each move, by the game itself."""
    state, found, ongoing = game.initial_state(), list[str | None](), game.without_claims
    for move in moves:
        state = ongoing.apply(state, move)
        outcome = game.outcome(state)
        found.append(outcome.reason if outcome else None)
    return found


def test_the_third_repetition_of_chess_is_a_claim_and_the_fifth_an_end() -> None:
    # FIDE Laws of Chess 9.2 and 9.6.1.
    game = rulesengine.load("chess", engine="interpreter")
    third, fifth = (f"the position is there for the {n} time" for n in ("third", "fifth"))
    assert reasons(game, KNIGHTS * 4) == [None] * 7 + [third] * 9
    assert reasons(game.without_claims, KNIGHTS * 4) == [None] * 15 + [fifth]


@pytest.mark.parametrize(
    ("quiet", "claimed", "ended"),
    [(98, None, None), (99, "fifty", None), (148, "fifty", None), (149, "fifty", "75")],
)
def test_fifty_moves_of_chess_are_a_claim_and_75_an_end(
    quiet: int, claimed: str | None, ended: str | None
) -> None:
    # FIDE Laws of Chess 9.3 and 9.6.2.
    game = rulesengine.load("chess", engine="interpreter")
    text = str(game.initial_state()).replace("mover: white", f"mover: white\nquiet: {quiet}")
    found = [
        each.outcome(each.without_claims.apply(each.state_from(text), "g1f3"))
        for each in (game, game.without_claims)
    ]
    assert [o and o.reason.split()[0] for o in found] == [claimed, ended]


def test_a_claimable_outcome_is_that_of_the_claim_only() -> None:
    game = walk()
    states = [game.initial_state()]
    for move in "c2-b2 a1-b1 b2-c2 b1-a1 c2-b2 a1-b1 b2-c2 b1-a1".split():
        states.append(game.without_claims.apply(states[-1], move))
    assert game.claimable(states[3]) is None
    assert game.claimable(states[4]) == Outcome(None, "a second time")
    assert game.claimable(states[8]) is None  # the game is over by itself
    assert game.without_claims.outcome(states[8]) == Outcome(None, "a third time")


def test_a_game_without_claims_in_its_rules_is_the_game_itself() -> None:
    game = rulesengine.load("tic-tac-toe")
    assert game.without_claims is game


@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("is_claimed", [True, False])
def test_all_engines_play_the_same_games_with_and_without_claims(is_claimed: bool) -> None:
    games = [walk(engine) for engine in ENGINES]
    games = games if is_claimed else [game.without_claims for game in games]
    played = [(game.playouts(200, seed=1), game.perft(8)) for game in games]
    assert played[1:] == played[:-1]


def test_games_without_claims_are_longer() -> None:
    claimed, ongoing = (g.playouts(200, seed=1) for g in (walk(), walk().without_claims))
    assert claimed.mean_length < ongoing.mean_length


def test_record_goes_on_after_a_position_that_could_be_claimed() -> None:
    game = rulesengine.load("chess", engine="interpreter")
    played = replay(game, GameRecord("Chess", "", (*KNIGHTS, *KNIGHTS, "e2e4"), None))
    assert (played.differences, len(played.moves)) == ((), 9)


@pytest.mark.parametrize(
    "result", [None, Outcome(None, "the position is there for the third time")]
)
def test_record_may_end_at_a_claim_with_or_without_it(result: Outcome | None) -> None:
    game = rulesengine.load("chess", engine="interpreter")
    played = replay(game, GameRecord("Chess", "", (*KNIGHTS, *KNIGHTS), result))
    assert (played.differences, played.outcome) == ((), result)


def test_a_player_that_leaves_makes_no_claim() -> None:
    text = WALK.replace("result: draw, reason: a second time", "out: player")
    with pytest.raises(rulesengine.SpecError, match="`claim` is for ends of the whole game"):
        load_source(Source("walk.yaml", text))
