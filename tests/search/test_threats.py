"""Urgent moves: cells that win at once, and threats that must be parried, against play."""

from functools import cache
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.protocol import LOST_NEXT, NO_THREAT, WON_NOW
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.passes.threats import threats_of
from rulesengine.engine.kernel.threats import threats, urgent
from rulesengine.search.iterative_deepening import AlphaBeta

SMALL: tuple[tuple[str, dict[str, int]], ...] = (
    ("connect-four", {"columns": 5, "rows": 4}),
    ("tic-tac-toe", {"m": 4, "n": 4, "k": 3}),
    ("squava", {}),
    ("hex", {"n": 4}),
    ("gale", {}),
    ("y", {"n": 4}),
)
POSITIONS = 8


@cache
def loaded(name: str, **parameters: Any) -> Game:
    return rulesengine.load(name, engine="interpreter", **parameters)


def threat_of(game: Game, state: State) -> int:
    return urgent(Interpreter(game.program), threats_of(game.program), state)


def state_after(game: Game, moves: str) -> State:
    state = game.initial_state()
    for move in moves.split():
        state = game.apply(state, move)
    return state


# by playing


def result(game: Game, state: State, player: str) -> int:
    """Return 1 if a player has won, -1 if the other one has, 0 otherwise."""
    outcome = game.outcome(state)
    winner = outcome and outcome.winner
    return 0 if not winner else 1 if winner == player else -1


def wins_now(game: Game, state: State) -> bool:
    moves = game.legal_moves(state)
    return any(result(game, game.apply(state, move), state.mover) == 1 for move in moves)


def by_playing(game: Game, state: State) -> int:
    """Return the urgency by play: WON_NOW, the only parry, LOST_NEXT or NO_THREAT."""
    if wins_now(game, state):
        return WON_NOW
    after = [game.apply(state, move) for move in game.legal_moves(state)]
    lost = [result(game, one, state.mover) == -1 for one in after]
    lost_next = [not game.outcome(one) and wins_now(game, one) for one in after]
    free = [n for n in range(len(after)) if not lost_next[n]]
    others = [n for n in free if not lost[n]]
    if not any(lost_next) or len(others) > 1:
        return NO_THREAT
    if others:
        return others[0]
    return LOST_NEXT


def positions(game: Game, count: int) -> list[State]:
    """Return unfinished positions of random games."""
    found = []
    for number in range(count):
        draw, state = Generator(5, number), game.initial_state()
        for _ in range(6 + number % 12):
            moves = game.legal_moves(state)
            if not moves:
                break
            state = game.apply(state, moves[draw.below(len(moves))])
        if not game.outcome(state):
            found.append(state)
    return found


@pytest.mark.parametrize(("name", "parameters"), SMALL, ids=str)
def test_threats_match_play(name: str, parameters: dict[str, int]) -> None:
    game = loaded(name, **parameters)
    answers = []
    for state in positions(game, POSITIONS):
        found, expected = threat_of(game, state), by_playing(game, state)
        answers.append(found)
        # A cell that is not legal yet may win too: the search finds these a ply later.
        assert found == expected or (found == NO_THREAT and expected != WON_NOW)
    assert any(number != NO_THREAT for number in answers)


# by hand


def test_a_row_of_three_with_one_end_is_met_and_with_two_is_lost() -> None:
    game = loaded("connect-four")
    one_end = state_after(game, "a1 a2 b1 b2 c1")
    assert threat_of(game, one_end) == 3  # d1 is the fourth of the columns
    two_ends = state_after(game, "b1 b2 c1 c2 d1")
    assert threat_of(game, two_ends) == LOST_NEXT
    assert threat_of(game, state_after(game, "a1 a2 b1 b2 c1 c2")) == WON_NOW
    assert threat_of(game, state_after(game, "a1 a2 b1 b2")) == NO_THREAT


def test_unplayable_winning_cell_counts_as_a_threat() -> None:
    """Count d2 as a threat of a2, b2 and c2 although d1 below it is free."""
    game = loaded("connect-four")
    state = state_after(game, "g1 a1 a2 b1 b2 c1 c2")
    machine, urgency = Interpreter(game.program), threats_of(game.program)
    assert threats(machine, urgency, state) == 1
    assert threat_of(game, state) == WON_NOW  # the second player has d1


def test_four_that_may_be_five_or_six_wait_where_exactly_five_win() -> None:
    game = loaded("gomoku-exact-five", n=7)
    # a1 b1 c1 and e1 f1 are joined by d1: six, which are too many.
    six = state_after(game, "a1 a3 b1 b4 c1 c6 e1 e6 f1 g7")
    assert threat_of(game, six) == NO_THREAT
    five = state_after(game, "a1 a3 b1 b4 d1 c6 e1 e6 g4 g7")
    assert threat_of(game, five) == WON_NOW


def test_losing_reply_is_no_forced_move() -> None:
    """Lose at once with three in Yavalath: a reply to a four may make three, others last longer."""
    game = loaded("yavalath")
    state = state_after(game, "a1 e5 b1 e6 d1 c3")
    assert threat_of(game, state) == WON_NOW
    state = state_after(game, "a1 e5 b1 e6 d1")
    assert threat_of(game, state) == [str(move) for move in game.legal_moves(state)].index("c1")


# without urgency


@pytest.mark.parametrize(
    ("name", "wins", "must_be_met"),
    [
        ("connect-four", True, True),
        ("yavalath", True, True),
        ("hex", True, True),
        ("y", True, True),
        ("gale", True, True),
        ("hex-pie", True, False),  # sides may be exchanged
        ("gonnect", False, False),  # stones are captured
        ("pente", True, False),  # a capture may answer
        ("popout", True, False),  # so may a disc that is taken out
        ("connect6", True, False),  # two stones a turn
        ("pentago", False, False),  # the board is turned before lines count
        ("notakto", False, False),  # lines of both
        ("three-mens-morris", False, False),  # lines of a board that is no grid
        ("connect-four-knockout", False, False),
        ("othello", False, False),
    ],
)
def test_sets_are_made_where_the_rules_let_them(name: str, wins: bool, must_be_met: bool) -> None:
    urgency = threats_of(loaded(name).program)
    assert (urgency is not None) == wins
    assert (urgency is not None and urgency.answers is not None) == must_be_met


@pytest.mark.parametrize("transform", ["misere", "torus"])
def test_ends_turned_round_and_lines_that_close_are_left_alone(transform: str) -> None:
    game = rulesengine.load("tic-tac-toe", transforms=(transform,), engine="interpreter")
    assert threats_of(game.program) is None


# in searches


def test_a_round_that_was_ended_calls_no_move_lost_while_others_are_open() -> None:
    game = loaded("tic-tac-toe")
    state = state_after(game, "a1 b2 c3")
    search = AlphaBeta(game._dispatcher, state, 6, Budget(nodes=1000), 16)
    first, *others = search.order
    own, lost = search.own.numbers, layout.ROOT + search.count + first
    own[layout.DONE], own[layout.CHOSEN], own[lost] = 1, first, 2 - layout.WON
    search._take(False)
    assert search.order == [*others, first]
    assert search.value_of(search.order[0]).unit == "estimate"
