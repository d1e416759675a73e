"""The number of a side's steps, in games where a player without a move loses, against the legal
moves.
"""

from itertools import product

import pytest

import rulesengine
from rulesengine.engine.drivers.search.mobility import last_move_wins, mobility
from rulesengine.language.ir.ops import Op
from rulesengine.state import State
from rulesengine.support.frozen import replace
from tests.engine.test_translate import later

PLIES = 12


def steps(game: rulesengine.Game, state: State) -> int:
    """Count the steps with which the side to move can begin a move."""
    return len({move.steps[0] for move in game.legal_moves(state)})


@pytest.mark.parametrize("name", ["clobber", "domineering"])
def test_steps_are_those_that_moves_begin_with(name: str) -> None:
    game = rulesengine.load(name, engine="interpreter")
    number = mobility(game.program.rules)
    assert isinstance(number, Op)
    for state in (game.initial_state(), later(game, PLIES)):
        assert game.machine.number_of(number, state, state.side) == steps(game, state)


@pytest.mark.parametrize(
    ("name", "columns", "far"), [("amazons", 10, 10), ("isolation", 6, 1), ("snailtrail", 8, 1)]
)
def test_cells_that_pieces_walk_to_count_once_in_one_step_and_in_two(
    name: str, columns: int, far: int
) -> None:
    game = rulesengine.load(name, engine="interpreter")
    number = mobility(game.program.rules)
    assert isinstance(number, Op)
    for state in (game.initial_state(), later(game, PLIES)):
        own = {move.steps[0].origin for move in game.legal_moves(state)}
        first = walked(state, own, columns, far)
        assert first == {move.steps[0].target for move in game.legal_moves(state)}
        cells = len(first) + len(walked(state, first, columns, far))
        expected = steps(game, state) + 8 * cells
        assert game.machine.number_of(number, state, state.side) == expected


def walked(state: State, cells: set[int], columns: int, far: int) -> set[int]:
    """Return the empty cells at most so many steps straight ahead of some cells."""
    rows = len(state.form.cells) // columns
    found = set[int]()
    for cell, down, right in product(cells, (-1, 0, 1), (-1, 0, 1)):
        row, column = divmod(cell, columns)
        for _ in range(far if down or right else 0):
            row, column = row + down, column + right
            inside = 0 <= row < rows and 0 <= column < columns
            if not inside or state.symbol(row * columns + column) != state.form.empty:
                break
            found.add(row * columns + column)
    return found


@pytest.mark.parametrize(
    "name", ["breakthrough", "tic-tac-toe", "cram", "nogo", "nine-mens-morris"]
)
def test_steps_tell_nothing_where_they_are_no_aim_or_alike(name: str) -> None:
    assert mobility(rulesengine.load(name, engine="interpreter").program.rules) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [("cram", True), ("nogo", True), ("nine-mens-morris", False), ("snailtrail", True),
     ("breakthrough", False), ("dots-and-boxes", False)],
)  # fmt: skip
def test_a_game_stalls_if_only_who_cannot_move_loses(name: str, expected: bool) -> None:
    assert last_move_wins(rulesengine.load(name, engine="interpreter").program.rules) is expected


def test_mobility_is_negated_where_the_last_mover_loses() -> None:
    game = rulesengine.load("domineering", engine="interpreter")
    rules = game.program.rules
    (end,) = rules.ends
    wins = replace(end, result="wins")
    number = mobility(replace(rules, ends=(wins,)))
    assert number is not None
    assert game.machine.number_of(number, game.initial_state(), 0) == -steps(
        game, game.initial_state()
    )
