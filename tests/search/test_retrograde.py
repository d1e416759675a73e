"""Exact values of games with repetition: against plain enumeration, and undefined ones."""

import pytest

from rulesengine import Game, Job, State, UsageError, load
from rulesengine.errors import Stopped
from rulesengine.loading import load_source
from rulesengine.search.enumeration.retrograde import (
    ExactValue,
    solve_by_retrograde,
    without_repeats,
)
from rulesengine.support.source import Source
from tests.oracles import plain_retrograde as plain

ENOUGH = 100_000

DRAUGHTS = """\
spec: 1
name: Small draughts
board: {rows: %d, columns: %d, origin: bottom-left}
players:
  black: {ahead: [southwest, southeast], goal: bottom}
  white: {ahead: [northwest, northeast], goal: top}
pieces:
  man: {black: b, white: w}
  king: {black: B, white: W}
  empty: "."
registers:
  crowned: {type: flag, lives: move}
define:
  dark: all where (row(it) + column(it)) %% 2 = 0
  may_go: from in king or direction in ahead
start:
  - put man of black on top and dark
  - put man of white on bottom and dark
rules:
  moves:
    - name: jump
      move: own
      along: diagonal
      when: may_go
      to: shift(shift(from, direction) and enemy, direction) and empty
      do:
        - remove shift(from, direction)
        - set crowned to any(to and man and goal)
        - promote to and goal to king
      then: {step: jump, from: to, when: not crowned}
    - otherwise
    - move: own
      along: diagonal
      when: may_go
      to: shift(from, direction) and empty
      do: promote to and goal to king
  end:
    - {when: not can_move(mover), result: mover loses}
"""


def solved(game: Game, state: State | None = None) -> ExactValue:
    found = solve_by_retrograde(game, state or game.initial_state(), ENOUGH)
    assert found is not None
    return found


def result_of(found: ExactValue, side: int) -> tuple[int | None, int]:
    """Return the winner and the number of plies, in the form of the plain program."""
    if found.value == "draw":
        return None, 0
    assert found.distance is not None
    return side if found.value == "win" else 1 - side, found.distance


def position(state: State, codes: str) -> plain.Position:
    """Convert a state to the plain program's form: each symbol by its index in `codes`."""
    return (state.side, *(codes.index(symbol) for row in str(state).split("mover")[0].split()
                          for symbol in row))  # fmt: skip


def without_past(state: State) -> State:
    return State(state.planes, state.side, state.registers, (), state.form)


def agree(game: Game, known: dict[plain.Position, tuple[int | None, int]], codes: str) -> None:
    """Compare the values along the principal variation and next to it, and its end, with the plain
    ones.
    """
    state = game.initial_state()
    whole = solved(game)
    assert whole.states == len(known)
    for move in whole.line[:3]:
        assert (
            result_of(solved(game, without_past(state)), state.side)
            == known[position(state, codes)]
        )
        beside = game.apply(state, game.legal_moves(state)[-1])
        found = solved(game, without_past(beside))
        assert result_of(found, beside.side) == known[position(beside, codes)]
        state = game.apply(state, move)


@pytest.mark.slow
def test_three_mens_morris_matches_a_plain_enumeration() -> None:
    known = plain.values(plain.MORRIS, plain.morris, plain.morris_won)
    assert known[plain.MORRIS][0] == 0  # the first player wins by taking the centre
    agree(load("three-mens-morris", engine="native"), known, ".ox")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (4, 4),
        pytest.param(5, 4, marks=pytest.mark.deep),
        pytest.param(4, 5, marks=pytest.mark.deep),
    ],
)
def test_small_draughts_match_a_plain_enumeration(rows: int, columns: int) -> None:
    draughts = plain.Draughts(rows, columns)
    known = plain.values(draughts.start(), draughts.follow, draughts.won)
    source = Source("draughts.yaml", DRAUGHTS % (rows, columns))
    agree(load_source(source, engine="native"), known, ".bwBW")


@pytest.mark.slow
def test_mu_torere_is_a_draw() -> None:
    found = solved(load("mu-torere"))  # Ascher, 1987
    assert (found.value, found.distance) == ("draw", None)


@pytest.mark.slow
def test_a_line_of_best_play_ends_after_its_distance() -> None:
    game = load("three-mens-morris")
    found, state = solved(game), game.initial_state()
    for move in found.line:
        state = game.apply(state, move)
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.winner, len(found.line)) == ("white", found.distance)


def test_a_finished_position_is_won_in_no_plies() -> None:
    game = load("tic-tac-toe")
    found = solved(game, game.state_from("xxx\noo.\n...\nmover: nought"))
    assert found == ExactValue("loss", 0, (), 1)


@pytest.mark.slow
def test_more_states_than_the_limit_are_not_solved() -> None:
    game = load("tic-tac-toe", engine="native")
    start = game.initial_state()
    assert solve_by_retrograde(game, start, 5477) is None
    assert solve_by_retrograde(game, start, 5478) is not None


REPEATS = """\
spec: 1
name: Repeats
board: {rows: 1, columns: 4}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
start: |
  x..o
%srules:
  moves: {move: own, to: empty touching from%s}
  end:
    - {when: not can_move(mover), result: mover loses}
    - {when: %s}
"""


def repeats(end: str, registers: str = "", more: str = "") -> Game:
    return load_source(Source("r.yaml", REPEATS % (registers, more, end)))


def test_draws_by_repetition_are_left_out_and_nothing_else_of_the_past() -> None:
    assert without_repeats(repeats("position_repeats >= 2, result: draw").program)
    assert not without_repeats(repeats("position_repeats >= 2, result: mover wins").program)
    assert not without_repeats(repeats("board_repeats >= 2, result: draw").program)
    assert not without_repeats(repeats("position_repeats <= 2, result: draw").program)
    moves = ", when: position_repeats < 2"
    assert not without_repeats(repeats("position_repeats >= 3, result: draw", "", moves).program)


def test_positions_that_a_register_tells_apart_are_not_those_that_repeat() -> None:
    registers = "registers: {quiet: {type: number, from: 0, to: 3}}\n"
    game = repeats("position_repeats >= 2, result: draw", registers, ", when: quiet < 3")
    assert not without_repeats(game.program)
    assert solve_by_retrograde(game, game.initial_state(), ENOUGH) is None


def test_a_position_with_a_past_is_not_solved() -> None:
    game = repeats("position_repeats >= 2, result: draw")
    start = game.initial_state()
    assert solve_by_retrograde(game, start, ENOUGH) is not None
    assert solve_by_retrograde(game, game.apply(start, "a1-b1"), ENOUGH) is None


def test_a_game_of_three_is_refused() -> None:
    game = load("three-player-tic-tac-toe")
    with pytest.raises(UsageError, match="of two players"):
        solve_by_retrograde(game, game.initial_state(), ENOUGH)


def test_a_job_stops_it() -> None:
    game, job = load("tic-tac-toe"), Job()
    job.stop()
    with pytest.raises(Stopped):
        solve_by_retrograde(game, game.initial_state(), ENOUGH, job)
