"""States, moves and outcomes of every bundled game: text round trips, pickles, masks, values."""

import pickle
from dataclasses import FrozenInstanceError, replace
from typing import TypeVar

import pytest

from rulesengine import Game, NotationError, State, UsageError, load
from rulesengine.engine.drivers.random import Generator
from rulesengine.loading import load_source
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from tests.helpers.each_game import LARGER, LONG_TO_MAKE
from tests.helpers.rule_games import make

pytestmark = pytest.mark.usefixtures("in_haste")
T = TypeVar("T")

NAMES = bundled_names()
PLIES = 25
# Games with hundreds or thousands of moves at every ply.
LONG = {"amazons"}


def walk(game: Game, seed: int, plies: int = PLIES) -> list[State]:
    """Return the first states of a random game."""
    states, generator = [game.initial_state()], Generator(seed, 0)
    while len(states) <= plies and (moves := game.legal_moves(states[-1])):
        states.append(game.apply(states[-1], moves[generator.below(len(moves))]))
    return states


def copied(value: T) -> T:
    """Return a value after a round trip through pickle."""
    return pickle.loads(pickle.dumps(value))  # type: ignore[no-any-return]


def marks(name: str) -> list[pytest.MarkDecorator]:
    if name in LARGER | LONG_TO_MAKE and name not in LONG:
        return [pytest.mark.deep]
    return [pytest.mark.slow] if name in LONG else []


@pytest.fixture(scope="module", params=[pytest.param(n, marks=marks(n)) for n in NAMES])
def played(request: pytest.FixtureRequest) -> tuple[Game, list[State]]:
    game = load(request.param)
    return game, walk(game, 11) + walk(game, 12)


Played = tuple[Game, list[State]]


def test_a_state_reads_back_from_its_text(played: Played) -> None:
    game, states = played
    for state in states:
        again = game.state_from(str(state))
        assert again == state
        assert hash(again) == hash(state)
        assert str(again) == str(state)


def test_a_state_read_back_has_the_same_moves_and_outcome(played: Played) -> None:
    game, states = played
    for state in states[::5]:
        again = game.state_from(str(state))
        assert game.legal_moves(again) == game.legal_moves(state)
        assert game.outcome(again) == game.outcome(state)


def test_states_and_moves_come_back_from_a_pickle(played: Played) -> None:
    game, states = played
    for state in states[::10]:
        again = copied(state)
        assert again == state
        assert str(again) == str(state)
        moves = copied(game.legal_moves(state))
        assert moves == game.legal_moves(state)
        assert [str(m) for m in moves] == [str(m) for m in game.legal_moves(state)]


@pytest.mark.slow
def test_a_game_comes_back_from_a_pickle(played: Played) -> None:
    game, states = played
    again = copied(game)
    assert (again.name, again.players, again.parameters) == (
        game.name, game.players, game.parameters,
    )  # fmt: skip
    assert again.initial_state() == game.initial_state()
    state = states[len(states) // 2]
    assert again.legal_moves(state) == game.legal_moves(state)
    assert again.show() == game.show()


def test_applying_a_move_leaves_the_state_as_it_was(played: Played) -> None:
    game, states = played
    for state in states[::8]:
        text, value = str(state), hash(state)
        for move in game.legal_moves(state)[:6]:
            once, twice = game.apply(state, move), game.apply(state, move)
            assert once == twice
            assert once is not state
        assert (str(state), hash(state)) == (text, value)


def test_a_legal_move_is_found_by_its_notation(played: Played) -> None:
    game, states = played
    for state in states[::8]:
        moves = game.legal_moves(state)
        texts = [str(move) for move in moves]
        assert len(set(texts)) == len(texts)
        for move in moves[:10]:
            assert game.move(str(move), state) == move


def test_the_mask_is_the_set_of_targets_of_placements(played: Played) -> None:
    game, states = played
    for state in states[::4]:
        steps = [move.steps[0] for move in game.legal_moves(state)]
        if any(step.origin >= 0 for step in steps):
            with pytest.raises(UsageError, match="no placements"):
                game.legal_mask(state)
        elif all(len(move.steps) == 1 for move in game.legal_moves(state)):
            mask = game.legal_mask(state)
            cells = {i for i in range(len(state.form.cells)) if mask >> i & 1}
            assert mask >> len(state.form.cells) == 0
            assert cells == {step.target for step in steps if step.target >= 0}


def test_a_finished_game_has_no_moves_and_others_have_an_outcome_or_moves(played: Played) -> None:
    game, states = played
    for state in states:
        assert (game.outcome(state) is None) == bool(game.legal_moves(state))


def test_no_cell_holds_two_pieces(played: Played) -> None:
    _, states = played
    for state in states:
        assert sum(plane.bit_count() for plane in state.planes) == _union(state).bit_count()


def _union(state: State) -> int:
    mask = 0
    for plane in state.planes:
        mask |= plane
    return mask


def test_states_differ_by_board_mover_and_registers() -> None:
    registers = "registers: {many: {type: number, from: 0, to: 9}}\n"
    game = make(1, 3, "moves: {place: man, to: empty}", registers)
    texts = [
        "o..\nmover: white",
        ".o.\nmover: white",
        "x..\nmover: white",
        "O..\nmover: white",
        "o..\nmover: black",
        "o..\nmover: white\nmany: 3",
    ]
    states = [game.state_from(text) for text in texts]
    assert len(set(states)) == len(texts)
    assert game.state_from("o . .") == states[0]


def test_moves_differ_by_kind_and_cells_and_not_by_the_rule_that_gave_them() -> None:
    game = load("breakthrough")
    move = game.legal_moves(game.initial_state())[0]
    step = move.steps[0]
    assert replace(move, steps=(replace(step, group=99, direction=99),)) == move
    assert replace(move, steps=(replace(step, target=0),)) != move
    assert replace(move, steps=(replace(step, origin=0),)) != move
    assert replace(move, text="other") == move


def test_values_do_not_change() -> None:
    game = load("tic-tac-toe")
    state = game.initial_state()
    for value, name in ((state, "side"), (game.legal_moves(state)[0], "text")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, 1)


def test_outcomes_compare_and_come_back_from_a_pickle() -> None:
    game = load("tic-tac-toe")
    first = game.outcome(game.state_from("xxx\noo.\n...\nmover: nought"))
    second = game.outcome(game.state_from("oox\nxxo\noxx\nmover: nought"))
    assert first is not None
    assert first.winner == "cross"
    assert second is not None
    assert second.winner is None
    assert first != second
    assert copied(first) == first


def test_a_state_of_another_game_is_refused() -> None:
    with pytest.raises(UsageError, match="another game"):
        load("tic-tac-toe").legal_moves(load("connect-four").initial_state())


FLAGGED = """
spec: 1
name: Flagged
board: {rows: 1, columns: 2}
players: [white, black]
pieces: {man: {white: o, black: x}, empty: "."}
registers: {charged: {type: flag}}
rules: {moves: {place: man, to: empty}, end: {when: none(empty), result: draw}}
"""


@pytest.mark.parametrize(("word", "value"), [("yes", 1), ("true", 1), ("no", 0), ("false", 0)])
def test_a_flag_of_a_position_is_read_as_it_may_be_written(word: str, value: int) -> None:
    game = load_source(Source("flagged.yaml", FLAGGED))
    assert game.state_from(f"..\nmover: white\ncharged: {word}\n").registers == (value,)


def test_another_word_for_a_flag_is_reported() -> None:
    game = load_source(Source("flagged.yaml", FLAGGED))
    with pytest.raises(NotationError, match="expected yes or no, found `1`"):
        game.state_from("..\nmover: white\ncharged: 1\n")


def test_a_row_written_with_its_holes_is_rejected_with_a_reason() -> None:
    game = load("othello-holes", engine="interpreter")
    text = "\n".join(["." * 8] * 8 + ["mover: black"])
    with pytest.raises(NotationError, match="row 3 has 6 cells, found 8: its holes are left out"):
        game.state_from(text)
    with pytest.raises(NotationError, match=r"row 1 has 8 cells, found 7$"):
        game.state_from(text[1:])
