"""The order of moves, effects and their records, registers and turns, of small games."""

import pytest

from rulesengine import EvaluationError, Game, LimitError, NotationError
from rulesengine.engine.kernel.selection import Engine
from tests.helpers.engine_comparison import QUICK
from tests.helpers.rule_games import after, at, board, make, moves, record

PLACE = "moves: {place: man, to: empty}"


# the order of moves


def test_groups_come_as_written_then_directions_then_origins_then_targets() -> None:
    game = make(
        3,
        3,
        """
        moves:
          - {move: own, along: "[south, east]", to: "slide(from, direction, empty)"}
          - {place: man, to: empty and top}
        """,
    )
    state = at(game, "o..", "...", "..o")
    # east precedes south in the board's list of directions, whatever the order in the rule
    assert moves(game, state) == ["a1-b1", "a1-c1", "a1-a2", "a1-a3", "b1", "c1"]


def test_cells_of_an_origin_and_targets_come_in_reading_order_of_the_screen() -> None:
    game = make(
        2, 2, "moves: {move: own, to: empty}", "board: {rows: 2, columns: 2, origin: bottom-right}"
    )
    state = at(game, "o.", ".o")
    # columns are lettered from the right, rows numbered from the bottom
    assert moves(game, state) == ["b2-a2", "b2-b1", "a1-a2", "a1-b1"]


def test_a_pass_comes_last_in_its_tier_wherever_it_is_written() -> None:
    game = make(1, 3, "moves: [pass, {place: man, to: empty}]")
    assert moves(game, at(game, ".o.")) == ["a1", "c1", "pass"]


OTHERWISE = """
moves:
  - {move: own, along: all, to: "shift(from, direction) and enemy"}
  - otherwise
  - {move: own, along: all, to: "shift(from, direction) and empty"}
  - otherwise
  - pass
"""


def test_otherwise_opens_only_when_the_groups_above_hold_no_move() -> None:
    game = make(1, 4, OTHERWISE)
    assert moves(game, at(game, "ox.o")) == ["a1xb1"]
    assert moves(game, at(game, "o.xo")) == ["d1xc1"]
    assert moves(game, at(game, "o..x")) == ["a1-b1"]
    assert moves(game, at(game, "..xx")) == ["pass"]


def test_a_forbidden_move_does_not_keep_the_next_tier_shut() -> None:
    game = make(
        1,
        3,
        """
        moves:
          - {place: man, to: empty and corners, forbid: count(own) > 1}
          - otherwise
          - {place: king, to: empty}
        """,
    )
    assert moves(game, at(game, "...")) == ["a1", "c1"]
    state = at(game, "o..")
    assert moves(game, state) == ["b1", "c1"]
    assert board(after(game, state, "c1")) == ["o.O"]


# one step from two groups


def test_a_step_of_two_groups_with_the_same_effects_is_one_move() -> None:
    game = make(1, 3, "moves: [{place: man, to: empty and left}, {place: man, to: empty}]")
    assert moves(game, at(game, "...")) == ["a1", "b1", "c1"]


@pytest.mark.parametrize(
    "second", ["{place: king, to: empty}", "{place: man, to: empty, do: remove enemy}"]
)
def test_a_step_of_two_groups_with_different_effects_is_an_error(second: str) -> None:
    game = make(1, 3, f"moves:\n  - {{place: man, to: empty and left}}\n  - {second}")
    with pytest.raises(EvaluationError) as error:
        game.legal_moves(at(game, "..."))
    message = "two groups give the step `a1` different effects"
    assert str(error.value) == f"rules.yaml:9:7: {message}"


def test_groups_with_different_effects_may_give_different_steps() -> None:
    game = make(
        1, 3, "moves: [{place: man, to: empty and left}, {place: king, to: empty and right}]"
    )
    assert board(after(game, at(game, "x.."), "c1")) == ["x.O"]


def test_two_directions_to_one_cell_differ_only_if_the_effects_read_them() -> None:
    ring = "board: {rows: 1, columns: 2, wrap: columns}"
    walk = 'move: own, along: orthogonal, to: "shift(from, direction) and empty"'
    game = make(1, 2, f"moves: {{{walk}}}", ring)
    assert moves(game, at(game, "o.")) == ["a1-b1"]
    game = make(1, 2, f'moves: {{{walk}, do: "remove shift(to, direction)"}}', ring)
    with pytest.raises(EvaluationError, match="different effects"):
        game.legal_moves(at(game, "o."))


# effects and their records


def test_putting_a_piece_takes_away_what_stood_there() -> None:
    game = make(1, 4, "moves: {select: all, do: put king on all}")
    state = at(game, "oxX*")
    assert board(after(game, state, "a1")) == ["OOOO"]
    assert record(game, state, "a1") == {
        "placed": ["a1", "b1", "c1", "d1"],
        "removed": ["a1", "b1", "c1", "d1"],
        "captured": ["b1", "c1", "d1"],
    }


def test_piece_can_be_put_for_another_side_or_neutral() -> None:
    game = make(1, 3, "moves: {select: empty, do: [put king of opponent on to, put rock on left]}")
    state = at(game, "...")
    assert board(after(game, state, "c1")) == ["*.X"]


def test_a_carried_piece_keeps_its_kind_and_captures_what_it_lands_on() -> None:
    game = make(1, 3, "moves: {move: own, to: neighbours(from)}")
    state = at(game, "Ox.")
    assert board(after(game, state, "a1xb1")) == [".O."]
    assert record(game, state, "a1xb1") == {"moved": ["b1"], "removed": ["b1"], "captured": ["b1"]}


def test_landing_on_ones_own_piece_removes_it_without_a_capture() -> None:
    game = make(1, 3, "moves: {move: own, to: neighbours(from)}")
    state = at(game, "oO.")
    assert board(after(game, state, "a1-b1")) == [".o."]
    assert record(game, state, "a1-b1") == {"moved": ["b1"], "removed": ["b1"]}


def test_removed_neutral_pieces_are_captured_and_own_ones_are_not() -> None:
    game = make(1, 4, "moves: {place: man, to: empty, do: remove all minus to}")
    state = at(game, "o*x.")
    assert record(game, state, "d1") == {
        "placed": ["d1"],
        "removed": ["a1", "b1", "c1"],
        "captured": ["b1", "c1"],
    }


def test_flipping_changes_the_side_and_keeps_the_kind() -> None:
    game = make(1, 4, "moves: {place: man, to: empty, do: flip all minus to}")
    state = at(game, "oX..")
    assert board(after(game, state, "d1"))[0][1] == "O"
    assert record(game, state, "d1")["flipped"][0] == "b1"


def test_flipping_ones_own_pieces_captures_nothing() -> None:
    game = make(1, 4, "moves: {place: man, to: empty, do: flip own minus to to opponent}")
    state = at(game, "oOx.")
    assert board(after(game, state, "d1")) == ["xXxo"]
    assert record(game, state, "d1") == {"placed": ["d1"], "flipped": ["a1", "b1"]}


def test_promoting_changes_the_kind_and_keeps_the_side() -> None:
    game = make(1, 4, "moves: {place: man, to: empty, do: promote occupied man to king}")
    state = at(game, "oxX.")
    assert board(after(game, state, "d1")) == ["OXXO"]
    assert record(game, state, "d1") == {"placed": ["d1"]}


def test_carry_moves_one_piece_and_does_nothing_from_an_empty_cell() -> None:
    game = make(1, 4, "moves: {select: empty, do: carry a1 to to}")
    assert board(after(game, at(game, "x..."), "c1")) == ["..x."]
    assert board(after(game, at(game, ".x.o"), "c1")) == [".x.o"]


def test_an_effect_sees_what_earlier_ones_left() -> None:
    game = make(
        1,
        5,
        """
        moves:
          place: man
          to: empty
          do:
            - remove enemy touching to
            - put rock on all where it in empty and any(neighbours(it) and own)
        """,
    )
    state = at(game, ".x.xx")
    # the placed man is there already, b1 is empty by the time the rocks are put
    assert board(after(game, state, "a1")) == ["o*.xx"]


def test_an_effect_acts_on_a_set_taken_before_it_changes_anything() -> None:
    game = make(1, 4, 'moves: {select: empty, do: "flip enemy touching own"}')
    assert board(after(game, at(game, "oxx."), "d1")) == ["oox."]


def test_effects_of_all_moves_come_after_the_moves_own() -> None:
    game = make(1, 3, "moves: {place: man, to: empty, do: promote to to king}\ndo: remove king")
    state = at(game, "...")
    assert board(after(game, state, "a1")) == ["..."]
    assert record(game, state, "a1") == {"placed": ["a1"], "removed": ["a1"]}


def test_effects_can_depend_on_a_condition() -> None:
    effect = "if to in left then promote to to king else remove enemy"
    rules = f"moves: {{place: man, to: empty, do: {effect}}}"
    game = make(1, 3, rules)
    assert board(after(game, at(game, "..x"), "a1")) == ["O.x"]
    assert board(after(game, at(game, "..x"), "b1")) == [".o."]


def test_select_changes_only_the_cells_of_its_effects() -> None:
    game = make(1, 3, "moves: {select: enemy, do: remove to}")
    state = at(game, "oxx")
    assert moves(game, state) == ["b1", "c1"]
    assert board(after(game, state, "b1")) == ["o.x"]


# registers


def test_a_register_out_of_its_range_is_an_error_that_names_the_effect() -> None:
    rules = "moves: {place: man, to: empty, do: set left_over to left_over - 1}"
    game = make(1, 3, rules, "registers: {left_over: {type: number, from: 0, to: 2, start: 1}}\n")
    state = after(game, game.initial_state(), "a1")
    assert "left_over: 0" in str(state)
    with pytest.raises(EvaluationError) as error:
        after(game, state, "b1")
    column = len("  " + rules) - len("set left_over to left_over - 1}") + 1
    place = f"rules.yaml:7:{column}"
    what = "`left_over` is 0 to 2, not -1 in `set left_over to left_over - 1`"
    assert str(error.value) == f"{place}: {what}"


@pytest.mark.parametrize(("start", "fails"), [(1, False), (2, True)])
def test_a_register_may_reach_its_greatest_value_and_no_more(start: int, fails: bool) -> None:
    rules = "moves: {place: man, to: empty, do: set many to many + 1}"
    game = make(
        1, 3, rules, f"registers: {{many: {{type: number, from: 0, to: 2, start: {start}}}}}\n"
    )
    if fails:
        with pytest.raises(EvaluationError, match="`many` is 0 to 2, not 3"):
            after(game, game.initial_state(), "a1")
    else:
        assert "many: 2" in str(after(game, game.initial_state(), "a1"))


@pytest.mark.parametrize(
    ("bounds", "message"), [("from: 1", "at least 1, not 0"), ("to: 0", "at most 0, not 1")]
)
def test_register_error_names_its_single_bound(bounds: str, message: str) -> None:
    way = "- 1" if "from" in bounds else "+ 1"
    rules = f"moves: {{place: man, to: empty, do: set many to many {way}}}"
    game = make(1, 3, rules, f"registers: {{many: {{type: number, {bounds}}}}}\n")
    with pytest.raises(EvaluationError, match=f"`many` is {message} in"):
        after(game, game.initial_state(), "a1")


EACH_PLAYER = "registers: {men: {type: number, from: 0, to: 9, each: player}}\n"


def test_a_register_of_each_player_is_the_movers_own() -> None:
    game = make(1, 5, "moves: {place: man, to: empty, do: set men to men + 1}", EACH_PLAYER)
    state = after(game, game.initial_state(), "a1", "b1", "c1")
    assert str(state).splitlines()[1:] == ["mover: black", "men of white: 2", "men of black: 1"]


def test_a_register_of_another_player_can_be_set() -> None:
    rules = "moves: {place: man, to: empty, do: set men of opponent to men + 3}"
    game = make(1, 5, rules, EACH_PLAYER)
    state = after(game, game.initial_state(), "a1")
    assert str(state).splitlines()[1:] == ["mover: black", "men of black: 3"]
    state = after(game, state, "b1")
    assert str(state).splitlines()[1:] == ["mover: white", "men of white: 6", "men of black: 3"]


def test_a_register_that_lives_for_a_move_is_back_at_its_start_after_it() -> None:
    rules = """
        moves:
          place: man
          to: empty
          do: [set there to to, put king on there]
    """
    game = make(1, 3, rules, "registers: {there: {type: cell, lives: move}}\n")
    state = after(game, game.initial_state(), "b1")
    assert str(state).splitlines() == [".O.", "mover: black"]


TWO_A_TURN = """
moves: {place: man, to: empty, do: set made to made + 1}
turn: if made = 2 then next(player) else player
"""


def test_a_register_that_lives_for_a_turn_lasts_until_the_side_changes() -> None:
    game = make(
        1, 6, TWO_A_TURN, "registers: {made: {type: number, from: 0, to: 2, lives: turn}}\n"
    )
    state = game.initial_state()
    seen = []
    for cell in ("a1", "b1", "c1", "d1"):
        state = after(game, state, cell)
        seen.append((state.mover, "made: 1" in str(state)))
    assert seen == [("white", True), ("black", False), ("black", True), ("white", False)]


def test_registers_hold_cells_flags_and_sides() -> None:
    rules = """
        moves:
          place: man
          to: empty
          do: [set spots to own, set deep to any(own and right), set who to opponent]
    """
    registers = "registers: {spots: {type: cells}, deep: {type: flag}, who: {type: side}}\n"
    game = make(1, 3, rules, registers)
    state = after(game, game.initial_state(), "a1", "b1", "c1")
    lines = ["oxo", "mover: black", "spots: a1 c1", "deep: yes", "who: black"]
    assert str(state).splitlines() == lines
    assert game.state_from("\n".join(lines)) == state


# turns


def test_the_turn_rule_reads_the_record_of_the_move() -> None:
    rules = """
        moves: {move: own, to: neighbours(from) minus own}
        turn: if any(captured) then player else next(player)
    """
    game = make(1, 5, rules)
    state = at(game, "oxx.x")
    state = after(game, state, "a1xb1")
    assert state.mover == "white"
    state = after(game, state, "b1xc1", "c1-d1")
    assert state.mover == "black"


def test_players_take_turns_in_the_order_in_which_they_are_listed() -> None:
    game = make(1, 5, PLACE, players=3)
    state = game.initial_state()
    movers = [state.mover]
    for cell in ("a1", "b1", "c1"):
        state = after(game, state, cell)
        movers.append(state.mover)
    assert movers == ["white", "black", "green", "white"]
    assert board(state) == ["oxg.."]


# conditions on the state after the move


def test_forbid_drops_moves_by_the_state_that_they_lead_to() -> None:
    game = make(1, 4, f'{PLACE[:-1]}, forbid: "any(line(own, at least 2))"}}')
    assert moves(game, at(game, "o...")) == ["c1", "d1"]
    assert moves(game, at(game, "o...", "mover: black")) == ["b1", "c1", "d1"]


def test_forbid_of_the_rules_holds_for_every_group() -> None:
    rules = """
        moves: [{place: man, to: empty}, {place: king, to: empty, when: none(own)}]
        forbid: any(own and corners)
    """
    game = make(1, 3, rules)
    assert moves(game, at(game, "o..")) == []
    game = make(1, 3, "moves: {place: man, to: empty}\nforbid: any(own and corners)")
    assert moves(game, at(game, "...")) == ["b1"]


def test_forbid_reads_the_record_and_the_step() -> None:
    rules = "moves: {move: own, to: neighbours(from), forbid: none(captured) or from in left}"
    game = make(1, 4, rules)
    assert moves(game, at(game, "oxox")) == ["c1xb1", "c1xd1"]


@pytest.mark.parametrize("engine", ["interpreter", *QUICK])
def test_forbid_of_a_later_step_reads_what_the_whole_move_has_done(engine: Engine) -> None:
    rules = """
        moves: {move: own, to: neighbours(from), then: {step: on, from: to, optional: true}}
        steps: {name: on, move: own, to: neighbours(from), forbid: none(captured)}
    """
    made = make(1, 4, rules)
    game = Game(made.rules, made.parameters, engine)
    assert moves(game, at(game, "ox..")) == ["a1xb1", "a1xb1xa1", "a1xb1xc1"]
    assert moves(game, at(game, "o.x.")) == ["a1-b1", "a1xb1xc1"]


COUNTED = "registers: {many: {type: number, from: 0, to: 1}}"


def test_a_step_that_fails_where_forbid_tries_it_is_named() -> None:
    rules = "moves: {place: man, to: empty, do: set many to many + 1, forbid: count(own) > 2}"
    game = make(1, 4, rules, COUNTED)
    state = after(game, game.initial_state(), "b1")
    with pytest.raises(EvaluationError) as error:
        moves(game, state)
    assert "`many` is 0 to 1, not 2 in `set many to many + 1`" in str(error.value)
    assert str(error.value).endswith(
        ", while `forbid` tries the step `a1` of black: `when` keeps a step from being tried"
    )


def test_error_within_can_move_names_the_tried_step() -> None:
    rules = """
        moves: {place: man, to: empty, forbid: count(own) > 2}
        do: set many to many + 1
        end: {when: not can_move(white), result: draw}
    """
    game = make(1, 4, rules, COUNTED)
    state = game.apply(game.initial_state(), game.legal_moves(game.initial_state())[0])
    with pytest.raises(EvaluationError, match="tries the step `b1` of white"):
        game.outcome(state)


REPEATS = "moves: {move: own, to: neighbours(from) and empty, forbid: board_repeats > 0}"


def test_a_position_may_be_forbidden_to_come_again() -> None:
    game = make(1, 5, REPEATS)
    state = at(game, "o...x")
    state = after(game, state, "a1-b1", "e1-d1", "b1-a1")
    assert moves(game, state) == ["d1-c1"]


def test_states_with_other_histories_differ_if_a_rule_reads_them() -> None:
    there_and_back = ("a1-b1", "e1-d1", "b1-a1", "d1-e1")
    game = make(1, 5, REPEATS.replace("board_repeats > 0", "board_repeats > 5"))
    state = at(game, "o...x")
    assert after(game, state, *there_and_back) != state
    game = make(1, 5, "moves: {move: own, to: neighbours(from) and empty}")
    state = at(game, "o...x")
    assert after(game, state, *there_and_back) == state


# limits


@pytest.mark.parametrize(("columns", "count"), [(63, 63 * 63), (64, 64 * 64)])
def test_a_position_may_have_as_many_moves_as_the_limit(columns: int, count: int) -> None:
    game = _crossing(columns, columns)
    assert len(game.legal_moves(game.initial_state())) == count


def test_more_moves_than_the_limit_are_an_error() -> None:
    game = _crossing(64, 65)
    with pytest.raises(LimitError, match="more than 4096 moves"):
        game.legal_moves(game.initial_state())


def _crossing(men: int, goals: int) -> Game:
    """Return a game where each of some men may go to each of some empty cells."""
    start = f"start: put man of white on top and columns(1 to {men})\n"
    rules = f"moves: {{move: own, to: bottom and columns(1 to {goals})}}"
    return make(2, 65, rules, start)


def test_a_state_from_text_must_fit_the_board() -> None:
    game = make(2, 2, PLACE)
    for text in ("o.", "o.\n..\n..", "o..\n...", "oz\n..", "o.\n..\nmover: red"):
        with pytest.raises(NotationError):
            game.state_from(text)
