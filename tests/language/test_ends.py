"""Ends and winners, repetition, and choices of strategies, in small games."""

from math import isqrt
from textwrap import dedent

import pytest

from rulesengine import Game, LimitError, Outcome, SpecError
from rulesengine.engine.interpreter import game_operations
from rulesengine.engine.kernel.emit import move_choice
from rulesengine.language.ir.ops import Op
from rulesengine.script.game_view import GameView
from rulesengine.support.limits import MAX_CHOICE_STEPS
from tests.helpers.rule_games import after, at, make, moves

PLACE = "moves: {place: man, to: empty}\n"


def outcome(game: Game, *rows: str) -> Outcome | None:
    return game.outcome(at(game, *rows))


# the order of ends, and of the sides they are evaluated for


def test_the_first_end_that_holds_decides() -> None:
    ends = [
        "{when: any(own and left), result: player wins, reason: left}",
        "{when: none(empty), result: draw, reason: full}",
    ]
    for order, winner in ((ends, "white"), (ends[::-1], None)):
        game = make(1, 3, PLACE + "end: [" + ", ".join(order) + "]")
        found = outcome(game, "oxx", "mover: black")
        assert found is not None
        assert (found.winner, found.reason) == ((winner, "left") if winner else (None, "full"))


def test_ends_are_evaluated_first_for_the_last_mover() -> None:
    game = make(1, 4, PLACE + "end: {when: 'any(line(own, 2))', result: player wins}")
    both = "ooxx"
    by_white = outcome(game, both, "mover: black")
    by_black = outcome(game, both, "mover: white")
    assert by_white is not None
    assert by_black is not None
    assert (by_white.winner, by_black.winner) == ("white", "black")


def test_ends_are_evaluated_for_the_other_side_too() -> None:
    game = make(1, 4, PLACE + "end: {when: 'any(line(own, 2))', result: player wins}")
    for mover in ("white", "black"):
        found = outcome(game, "oox.", f"mover: {mover}")
        assert found is not None
        assert found.winner == "white"


def test_turn_rule_keeps_the_last_mover_first_in_ends() -> None:
    rules = """
        moves: {place: man, to: empty, do: flip enemy and left}
        turn: player
        end: {when: any(own), result: player wins}
    """
    game = make(1, 3, rules)
    state = after(game, game.initial_state(), "b1")
    assert state.mover == "white"
    found = game.outcome(state)
    assert found is not None
    assert found.winner == "white"
    # both have pieces: white moved last although white is to move again
    both = at(game, "xo.", "mover: white", "last mover: white")
    found = game.outcome(both)
    assert found is not None
    assert found.winner == "white"


def test_ends_of_three_players_start_with_the_previous_player() -> None:
    game = make(1, 4, PLACE + "end: {when: any(own), result: player wins}", players=3)
    winners = []
    for mover in ("white", "black", "green"):
        found = outcome(game, "oxg.", f"mover: {mover}")
        assert found is not None
        winners.append(found.winner)
    assert winners == ["green", "white", "black"]


def test_end_naming_the_mover_is_evaluated_for_the_mover_only() -> None:
    game = make(1, 2, PLACE + "end: {when: not can_move(mover), result: mover loses}")
    for mover, other in (("white", "black"), ("black", "white")):
        found = outcome(game, "ox", f"mover: {mover}")
        assert found is not None
        assert found.winner == other
    assert outcome(game, "o.") is None


def test_can_move_ignores_effects_of_a_pass() -> None:
    # A pass has no target cell: the first of none would be an error.
    game = make(
        1,
        2,
        "moves: [{place: man, to: empty}, {pass: }]\n"
        "do: carry first(to) to to\n"
        "forbid: any(captured)\n"
        "end: {when: not can_move(mover), result: draw}",
    )
    assert outcome(game, "o.") is None
    found = outcome(game, "ox")
    assert found is not None
    assert found.winner is None


# results


def test_the_loss_of_one_player_is_the_win_of_the_other() -> None:
    game = make(1, 3, PLACE + "end: {when: none(own), result: player loses, reason: gone}")
    assert outcome(game, "o..", "mover: white") == Outcome("white", "gone", {})


@pytest.mark.parametrize(
    ("result", "row", "winner"),
    [
        ("highest", "oox", "white"),
        ("highest", "xxo", "black"),
        ("lowest", "oox", "black"),
        ("lowest", "xxo", "white"),
        ("highest", "ox*", None),
        ("lowest", "ox*", None),
    ],
)
def test_a_score_decides_and_an_equal_one_is_a_draw(
    result: str, row: str, winner: str | None
) -> None:
    rules = f"score: count(own)\nend: {{when: none(empty), result: {result} score wins}}"
    found = outcome(make(1, 3, PLACE + rules), row)
    assert found is not None
    assert found.winner == winner
    assert found.scores == {"white": row.count("o"), "black": row.count("x")}


def test_a_best_score_shared_by_two_of_three_is_a_draw() -> None:
    rules = "score: count(own)\nend: {when: none(empty), result: highest score wins}"
    game = make(1, 5, PLACE + rules, players=3)
    shared, alone = outcome(game, "ooxxg"), outcome(game, "oxxgx")
    assert shared is not None
    assert alone is not None
    assert (shared.winner, alone.winner) == (None, "black")


def test_misere_exchanges_win_and_loss_and_leaves_draws() -> None:
    ends = """
        end:
          - {when: 'any(line(own, 2))', result: player wins, reason: two}
          - {when: none(own), result: player loses, reason: gone}
          - {when: none(empty), result: draw, reason: full}
        misere: true
    """
    game = make(1, 4, PLACE + dedent(ends))
    assert outcome(game, "oo.x") == Outcome("black", "two", {})
    assert outcome(game, "o...") == Outcome("black", "gone", {})
    assert outcome(game, "oxox") == Outcome(None, "full", {})


def test_misere_gives_the_win_to_the_lower_score() -> None:
    rules = "score: count(own)\nend: {when: none(empty), result: highest score wins}\nmisere: true"
    game = make(1, 3, PLACE + rules)
    found, draw = outcome(game, "oox"), outcome(game, "ox*")
    assert found is not None
    assert draw is not None
    assert (found.winner, draw.winner) == ("black", None)


def test_a_finished_game_has_no_legal_moves() -> None:
    game = make(1, 3, PLACE + "end: {when: any(own and left), result: player wins}")
    assert moves(game, at(game, "o..")) == []
    assert moves(game, at(game, ".o.")) == ["a1", "c1"]


def test_a_stuck_position_has_no_moves_and_no_outcome() -> None:
    game = make(1, 2, PLACE)
    state = at(game, "ox")
    assert moves(game, state) == []
    assert game.outcome(state) is None


def test_a_number_of_plies_can_end_a_game() -> None:
    rules = (
        "moves: {move: own, to: neighbours(from) and empty}\nend: {when: plies >= 3, result: draw}"
    )
    game = make(1, 5, rules)
    state = after(game, at(game, "o...x"), "a1-b1", "e1-d1")
    assert game.outcome(state) is None
    state = after(game, state, "b1-a1")
    assert game.outcome(state) == Outcome(None, "plies >= 3", {})
    assert "plies: 3" in str(state)


def test_a_third_coming_of_a_position_can_end_a_game() -> None:
    rules = """
        moves: {move: own, to: neighbours(from) and empty}
        end: {when: position_repeats >= 2, result: draw, reason: three times}
    """
    game = make(1, 5, rules)
    round_trip = ("a1-b1", "e1-d1", "b1-a1", "d1-e1")
    state = after(game, at(game, "o...x"), *round_trip)
    assert game.outcome(state) is None
    state = after(game, state, *round_trip[:3])
    assert game.outcome(state) is None
    state = after(game, state, "d1-e1")
    assert game.outcome(state) == Outcome(None, "three times", {})
    assert game.outcome(game.state_from(str(state))) == game.outcome(state)


# strategies

FLIPS = """\
moves: {place: man, to: empty, do: flip enemy between to and own}
score: count(own)
end: {when: none(empty), result: highest score wins}
"""


def chosen(strategy: str, rules: str, *rows: str) -> str | None:
    lines = "".join(f"    - {key}\n" for key in strategy.split("; "))
    game = make(
        len(rows[0].split("/")), len(rows[0].split("/")[0]), rules, f"strategies:\n  s:\n{lines}"
    )
    move = game.choose("s", at(game, *rows[0].split("/"), *rows[1:]))
    return None if move is None else str(move)


@pytest.mark.parametrize(
    ("strategy", "board", "move"),
    [
        ("most count(captured)", ".xoxx.", "f1"),
        ("least count(captured)", ".xoxx.", "a1"),
        # ties fall to the order of the moves
        ("most count(captured)", ".xox..", "a1"),
        ("most count(captured)", "...", "a1"),
        ("rightmost", ".../...", "c1"),
        ("lowest; rightmost", ".../...", "c2"),
        ("lowest", ".../...", "a2"),
        ("highest; rightmost", ".../...", "c1"),
        ("leftmost; lowest", ".../...", "a2"),
        # an earlier key is never given up for a later one
        ("leftmost; most count(captured)", "..oxx./......", "a1"),
        ("most count(captured); leftmost", "..oxx./......", "f1"),
        ("prefer to in bottom; rightmost", ".../...", "c2"),
        # if no move is preferred, all remain
        ("prefer to in bottom; rightmost", ".../oxo", "c1"),
        ("most -column(to)", ".../...", "a1"),
    ],
)
def test_a_strategy_keeps_the_best_by_each_key_in_turn(
    strategy: str, board: str, move: str
) -> None:
    assert chosen(strategy, FLIPS, board) == move


def test_a_strategy_has_no_move_where_there_is_none() -> None:
    assert chosen("leftmost", FLIPS, "oxo") is None


LINE = PLACE + "end: {when: 'any(line(own, at least 3))', result: player wins}"


@pytest.mark.parametrize(
    ("row", "mover", "move"),
    [
        ("oo.xx.", "white", "c1"),
        ("oo.xx.", "black", "c1"),
        (".oox.xx", "black", "e1"),
        ("xx..oo", "white", "d1"),
        ("......", "white", "a1"),
        (".xx.o.", "white", "a1"),
    ],
)
def test_win_else_block_else_the_leftmost(row: str, mover: str, move: str) -> None:
    keys = "prefer after(won); prefer as(opponent, after(won)); leftmost"
    assert chosen(keys, LINE, row, f"mover: {mover}") == move


def test_a_strategy_looks_at_the_best_reply() -> None:
    # b1 turns two, and black at f1 then turns all four back; f1 turns none and loses none
    row = "x.xxo."
    assert chosen("most count(captured)", FLIPS, row) == "b1"
    assert chosen("most after(least(replies, count(own)))", FLIPS, row) == "f1"


# 1024 moves with 1023 replies each are too many, 992 with 991 are not; one ply of lookahead
# decides.
MANY = "strategies:\n  s: prefer after(any(replies, any(own)))\n"


@pytest.fixture(params=[10_000, pytest.param(MAX_CHOICE_STEPS, marks=pytest.mark.deep)])
def most_steps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Limit the steps of lookahead in a choice, to fewer in the gate."""
    for module in (game_operations, move_choice):
        monkeypatch.setattr(module, "MAX_CHOICE_STEPS", request.param)
    return int(request.param)


@pytest.mark.slow
def test_a_choice_may_look_at_many_replies(most_steps: int) -> None:
    side = isqrt(isqrt(most_steps))  # a choice takes nearly side ** 4 steps
    game = make(
        side, side + (side > 10), PLACE, MANY + "io: |\n  let asked be any(replies, any(own))\n"
    )
    state = game.initial_state()
    assert str(game.choose("s", state)) == "a1"
    # the script's lookaheads are counted separately
    operand = game.program.rules.script[0].operands[0]
    assert isinstance(operand, Op)
    assert all(GameView(game).value(operand, state, {}) for _ in range(20))


@pytest.mark.slow
def test_looking_at_too_many_replies_is_an_error(most_steps: int) -> None:
    side = isqrt(isqrt(most_steps)) + 1
    game = make(side, side, PLACE, MANY)
    with pytest.raises(LimitError, match=f"more than {most_steps} steps"):
        game.choose("s", game.initial_state())


@pytest.mark.parametrize("name", ["player", "to"])
def test_a_script_may_not_bind_the_names_that_its_expressions_rest_on(name: str) -> None:
    with pytest.raises(SpecError, match=f"`{name}` is a word of the language"):
        make(1, 3, PLACE, f"io: |\n  let {name} be 3\n")
