"""Goal moves: immediate wins, and threats that must be parried, against play."""

from functools import cache
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.protocol import LOST_NEXT, NO_THREAT, PARRIED, WON_NOW
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.passes.threats import threats_of
from rulesengine.engine.kernel.threats import parries
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.search.test_search import Plain, deepest, found, search_of
from tests.search.test_threats import positions, threat_of, wins_now

pytestmark = pytest.mark.usefixtures("in_haste")

BACKENDS = tuple(sorted(backend.name for backend in working()))
RACE = """\
spec: 1
name: Race
board: {{rows: 4, columns: 3, origin: bottom-left}}
players:
  white: {{ahead: north, slant: [northwest, northeast], goal: top}}
  black: {{ahead: south, slant: [southeast, southwest], goal: bottom}}
pieces:
  man: {{white: W, black: B}}
  empty: "."
start: ["put man of white on bottom", "put man of black on top"]
rules:
  moves:
{moves}
  end:
{ends}
"""
# The targets of a step, and whether a piece there, or one that leaves, blocks it.
TARGETS = (
    "shift(from, direction) and empty",
    "shift(from, direction) minus own",
    "shift(from, direction) and enemy",
    "shift(shift(from, direction) and empty, direction) minus own",
    "shift(shift(from, direction) and own, direction) and empty",
    "shift(from, direction) minus enemy minus own",
    "slide(from, direction, empty)",
)
WAYS = ("ahead", "slant", "[east, west]")
WHENS = ("", "when: count(own) > 1", "when: from in columns(1 to 2)", "when: to in columns(2 to 3)")
LAST = (
    "{when: none(own), result: player loses}",
    "{when: none(enemy), result: player wins}",
    "{when: not can_move(mover), result: mover loses}",
    '{when: "plies >= 30", result: draw}',
)
FIRST = (
    "{when: any(own and goal), result: player wins}",
    "{when: any(man of white and top), result: white wins}",
    "{when: any(man and goal and own), result: player wins}",
)


def text_of(moves: list[str], ends: list[str]) -> str:
    """Return the spec of a game of such moves and ends."""
    return RACE.format(
        moves="\n".join(f"    - {{{move}}}" for move in moves),
        ends="\n".join(f"    - {end}" for end in ends),
    )


def race(moves: list[str], ends: list[str], engine: str = "interpreter") -> Game:
    return load_source(Source("race.yaml", text_of(moves, ends)), engine=engine)


@cache
def random_game_of(seed: int, engine: str = "interpreter") -> Game:
    """Return a game of a seed: one to three kinds of moves, a goal, and maybe further ends."""
    draw = Generator(11, seed)
    moves = []
    for _ in range(1 + draw.below(3)):
        to, along = TARGETS[draw.below(1 + draw.below(len(TARGETS)))], WAYS[draw.below(len(WAYS))]
        when = WHENS[draw.below(1 + draw.below(len(WHENS)))]
        parts = ["move: own", f"along: {along}", f'to: "{to}"', *([when] if when else [])]
        moves.append(", ".join(parts))
    behind = [end for end in LAST if draw.below(4) == 0]
    return race(sorted(set(moves)), [FIRST[draw.below(len(FIRST))], *behind], engine)


def playable(game: Game, count: int) -> list[State]:
    """Return positions of random games with a legal move."""
    return [state for state in positions(game, count) if game.legal_moves(state)]


def parry_flags(game: Game, state: State) -> list[bool]:
    """Return for each legal move whether it may parry the next winning move."""
    machine, urgency = game.machine, threats_of(game.program)
    return [parries(machine, urgency, state, move) for move in machine.legal(state)]


def check_by_playing(game: Game, state: State) -> int:
    """Return the urgency of a position, checked by play."""
    verdict, moves = threat_of(game, state), game.legal_moves(state)
    after = [game.apply(state, move) for move in moves]
    lost = [not game.outcome(one) and wins_now(game, one) for one in after]
    if verdict == WON_NOW:
        assert wins_now(game, state)
    elif verdict == LOST_NEXT:
        assert moves
        assert all(lost)
    elif verdict == PARRIED:
        either = zip(lost, parry_flags(game, state), strict=True)
        assert all(is_lost or meets for is_lost, meets in either)
    else:
        assert verdict == NO_THREAT
    return verdict


# by playing


SMALL: tuple[tuple[str, dict[str, Any]], ...] = (
    ("breakthrough", {"rows": 5, "columns": 3}),
    ("knightthrough", {"rows": 6, "columns": 4}),
)


@pytest.mark.slow
def test_threats_match_exhaustive_play() -> None:
    seen = set()
    for name, parameters in SMALL:
        game = rulesengine.load(name, engine="interpreter", **parameters)
        for state in positions(game, 16):
            verdict = check_by_playing(game, state)
            seen.add(verdict)
            assert (verdict == WON_NOW) == wins_now(game, state)
            if verdict != WON_NOW:
                after = [game.apply(state, move) for move in game.legal_moves(state)]
                lost = [not game.outcome(one) and wins_now(game, one) for one in after]
                assert (verdict == LOST_NEXT) == all(lost)
                if verdict == PARRIED:
                    assert parry_flags(game, state) == [not one for one in lost]
    assert seen == {WON_NOW, LOST_NEXT, PARRIED, NO_THREAT}


@pytest.mark.slow
def test_threats_match_exhaustive_play_in_random_games() -> None:
    seen = []
    for seed in range(60):
        game = random_game_of(seed)
        for state in playable(game, 8):
            seen.append(check_by_playing(game, state))
    assert {WON_NOW, LOST_NEXT, PARRIED, NO_THREAT} == set(seen)


# by hand


def breakthrough(drawing: str, **parameters: Any) -> tuple[Game, State]:
    game = rulesengine.load("breakthrough", engine="interpreter", **parameters)
    return game, game.state_from(f"{drawing}\nmover: white\n")


@pytest.mark.parametrize(
    ("drawing", "verdict"),
    [
        ("..B\n...\n.W.\n...\n...", NO_THREAT),
        ("...\n.W.\n...\nB..\n...", WON_NOW),
        ("...\n...\n..W\n.B.\n...", LOST_NEXT),
        ("..B\n...\nW..\n.B.\n..W", PARRIED),
        ("...\n...\n..W\nB.B\n.W.", LOST_NEXT),  # it takes one of the two
    ],
)
def test_a_pawn_before_the_last_row_wins_and_must_be_taken(drawing: str, verdict: int) -> None:
    game, state = breakthrough(drawing, rows=5, columns=3)
    assert threat_of(game, state) == verdict
    if verdict == PARRIED:
        texts = [str(move) for move in game.legal_moves(state)]
        met = [text for text, meets in zip(texts, parry_flags(game, state), strict=True) if meets]
        assert met == ["c1xb2"]


def test_a_piece_that_needs_an_empty_cell_is_met_there_too() -> None:
    game = race(
        [
            "move: own, along: ahead, to: 'shift(from, direction) and empty'",
            "move: own, along: [east, west], to: 'shift(from, direction) and empty'",
        ],
        [FIRST[0]],
    )
    state = game.state_from("...\n..W\n.B.\nW..\nmover: white\n")
    assert threat_of(game, state) == WON_NOW
    state = game.state_from("...\n...\nWB.\nW..\nmover: white\n")
    texts = [str(move) for move in game.legal_moves(state)]
    assert threat_of(game, state) == PARRIED
    assert [t for t, meets in zip(texts, parry_flags(game, state), strict=True) if meets] == [
        "a1-b1"
    ]
    # One cell cannot block two.
    state = game.state_from("...\n...\nWBB\nW..\nmover: white\n")
    assert threat_of(game, state) == LOST_NEXT


def test_the_last_piece_is_taken_from_where_it_can_be() -> None:
    game, state = breakthrough("...\n...\n.B.\n..W\nW..", rows=5, columns=3)
    assert threat_of(game, state) == WON_NOW
    game, state = breakthrough("..B\n...\n.B.\n..W\nW..", rows=5, columns=3)
    assert threat_of(game, state) == NO_THREAT


# without urgency


@pytest.mark.parametrize(
    ("name", "wins", "must_be_met"),
    [
        ("breakthrough", True, True),
        ("knightthrough", True, True),
        ("fox-and-hounds", True, True),
        ("tablut", True, False),  # pieces are captured on other cells than the target
        ("neutron", False, False),  # it has no owner
        ("einstein", False, False),  # a die
        ("lines-of-action", False, False),
        ("english-draughts", False, False),  # chains
    ],
)
def test_sets_are_made_where_the_rules_let_them(name: str, wins: bool, must_be_met: bool) -> None:
    urgency = threats_of(rulesengine.load(name, engine="interpreter").program)
    assert (urgency is not None) == wins
    assert (urgency is not None and urgency.parries is not None) == must_be_met


def test_a_goal_behind_another_end_is_left_alone() -> None:
    moves = ["move: own, along: ahead, to: 'shift(from, direction) minus own'"]
    ends = ['{when: "plies >= 3", result: draw}', FIRST[0]]
    assert threats_of(race(moves, ends).program) is None
    assert threats_of(race(moves, ends[::-1]).program) is not None


def test_a_goal_tested_cell_by_cell_is_the_same() -> None:
    threat_of = '{when: "any(c in own, c in goal)", result: player wins}'
    one, other = (threats_of(race([AHEAD], [end]).program) for end in (FIRST[0], threat_of))
    assert one is not None
    assert one == other


AHEAD = "move: own, along: ahead, to: 'shift(from, direction) minus own'"


@pytest.mark.parametrize(
    ("moves", "end"),
    [
        # a piece leaves its cell
        (["move: own, along: slant, to: 'shift(from, direction) and enemy'"], ""),
        ([AHEAD, "move: enemy, along: slant, to: 'shift(from, direction) and empty'"], ""),
        ([f"{AHEAD}, do: remove neighbours(to) and enemy"], ""),
        ([AHEAD, "place: man, to: 'empty and columns(1)'"], ""),
        ([AHEAD], LAST[3]),
    ],
)
def test_no_parries_where_other_replies_may_parry(moves: list[str], end: str) -> None:
    ends = [FIRST[0], *([end] if end else [])]
    plain, urgency = (
        threats_of(race([AHEAD], ends[:1]).program),
        threats_of(race(moves, ends).program),
    )
    assert plain is not None
    assert plain.parries is not None
    assert urgency is not None
    assert urgency.parries is None


# in searches


def compare_with_plain(game: Game, state: State) -> None:
    depth = deepest(game, state, 300)
    plain = Plain(game, state)
    moves = game.legal_moves(state)
    values = [plain.value(game.apply(state, move), depth - 1, 1) for move in moves]
    search = search_of(game, state, Budget(plies=depth))
    assert search.value == max(values)
    assert search.order[0] == values.index(search.value)


@pytest.mark.slow
def test_search_with_threats_matches_plain_negamax() -> None:
    for seed in range(40):
        game = random_game_of(seed)
        for state in playable(game, 3):
            compare_with_plain(game, state)


@pytest.mark.slow
@pytest.mark.parametrize(
    "backend", [BACKENDS[-1], *(pytest.param(b, marks=pytest.mark.deep) for b in BACKENDS[:-1])]
)
def test_engines_look_at_the_same_positions(backend: str) -> None:
    for seed in range(6):
        game, other = random_game_of(seed), random_game_of(seed, backend)
        for state in playable(game, 2):
            wanted = found(search_of(game, state, Budget(nodes=150)))
            assert found(search_of(other, state, Budget(nodes=150))) == wanted
