"""Queries about a missing player or kind raise an error or return an empty result."""

import pytest

from rulesengine import EvaluationError, LimitError
from tests.helpers.rule_games import after, at, make, moves

STOCK = "registers: {stock: {type: number, from: 0, to: 9, start: 3, each: player}}"


def fails(effect: str, message: str, board: str = "o*..", rest: str = "") -> None:
    """Check that the effect of a man placed on d1 raises this; b1 holds a rock, c1 is empty."""
    game = make(1, 4, f'moves: {{place: man, to: right, do: "{effect}"}}', rest)
    with pytest.raises(EvaluationError) as caught:
        after(game, at(game, board), "d1")
    assert str(caught.value) == message


def test_neutral_pieces_and_empty_cells_have_no_owner() -> None:
    rule = "moves: {place: man, to: empty where owner(b1) = nobody and owner(c1) = nobody}"
    game = make(1, 4, rule)
    assert moves(game, at(game, "o*..")) == ["c1", "d1"]
    assert moves(game, at(game, "ox..")) == []


@pytest.mark.parametrize("cell", ["b1", "c1"])
def test_register_of_an_absent_owner_is_an_error(cell: str) -> None:
    there = "`stock` of a player that is not there"
    fails(f"set stock of owner({cell}) to 1", there, rest=STOCK)
    fails(f"set stock to as(owner({cell}), stock)", there, rest=STOCK)


@pytest.mark.parametrize("cell", ["b1", "c1"])
def test_absent_owner_has_only_neutral_pieces(cell: str) -> None:
    fails(f"put king of owner({cell}) on a1", "there is no neutral `king`")
    fails(f"flip own minus to to owner({cell})", "there is no neutral `man`")


def test_no_piece_becomes_one_that_its_side_does_not_have() -> None:
    fails("flip b1", "there is no `rock` of white")
    fails("promote a1 to rock", "there is no `rock` of white")
    fails("promote b1 to man", "there is no neutral `man`")


def test_the_kind_of_no_piece_is_none() -> None:
    fails("put kind(c1) on b1", "a piece of no kind")
    fails("promote a1 to kind(c1)", "a piece of no kind")
    game = make(1, 4, "moves: {place: man, to: empty minus kind(c1)}")
    assert moves(game, at(game, "o*..")) == ["c1", "d1"]


def test_effects_on_no_cells_do_nothing_for_any_player() -> None:
    effects = "[flip nowhere to owner(c1), promote c1 to rock, put king of owner(c1) on nowhere]"
    game = make(1, 4, f"moves: {{place: man, to: right, do: {effects}}}")
    state = at(game, "o*..")
    assert str(after(game, state, "d1")).startswith("o*.o\n")


def test_a_turn_must_be_a_players() -> None:
    game = make(1, 4, "moves: {place: man, to: right}\nturn: owner(c1)")
    with pytest.raises(EvaluationError, match="`turn` of a player that is not there"):
        after(game, at(game, "o*.."), "d1")
    fails("set stock to count(as(next(owner(c1)), own))", "`next` of a player that is not there",
          rest=STOCK)  # fmt: skip


def test_can_move_of_an_absent_player_is_an_error() -> None:
    game = make(1, 4, "moves: pass\nend: {when: can_move(owner(a1)), result: draw}")
    with pytest.raises(EvaluationError, match="`can_move` of a player that is not there"):
        game.outcome(at(game, "...."))


def test_strategy_move_of_an_absent_player_is_an_error() -> None:
    game = make(1, 4, "moves: {place: man, to: empty}",
                "strategies: {odd: 'most as(owner(a1), after(count(all)))'}")  # fmt: skip
    with pytest.raises(EvaluationError, match="`after` of a player that is not there"):
        game.choose("odd", at(game, "...."))


def test_win_of_an_absent_player_is_a_draw() -> None:
    game = make(1, 4, "moves: pass\nend: {when: any(neutral), result: owner(b1) wins}")
    outcome = game.outcome(at(game, "o*.."))
    assert outcome is not None
    assert outcome.winner is None


# A step back and forth, repeated.
@pytest.mark.parametrize(("steps", "fits"), [(255, True), (256, True), (257, False)])
def test_a_move_has_256_steps_at_most(steps: int, fits: bool) -> None:
    rule = f"""
    moves:
      name: hop
      move: own
      to: empty
      do: set hops to hops + 1
      then: {{step: hop, when: hops < {steps}}}
    """
    rest = "registers: {hops: {type: number, from: 0, to: 999, lives: move}}"
    game = make(1, 2, rule, rest)
    state = at(game, "o.")
    if fits:
        assert [len(move.steps) for move in game.legal_moves(state)] == [steps]
    else:
        with pytest.raises(LimitError, match="a move of more than 256 steps"):
            game.legal_moves(state)
