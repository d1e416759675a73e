"""Comparisons of numbers of each cell as tallies, compared with a test of each cell."""

import pytest

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.passes.lift import vectorise_conditions
from rulesengine.language.ir.ops import walk
from rulesengine.language.ir.tallies import Tally, make_tally, tally_of
from rulesengine.language.ir.verify import verify
from tests.engine.test_emission import emitted, found_by
from tests.engine.test_emission import positions as board_positions
from tests.engine.test_passes import BOARDS, assert_same, game_of, loops, target

LIFTED = (
    "empty where count(enemy between it and own) >= 2",
    "empty where count(enemy between it and own) % 2 = 1",
    "empty where 0 < count(run(it, enemy, own)) and count(run(it, enemy, own)) < 3",
    "empty where count(run(it, enemy or own, empty, 2 to 3)) % 3 = 2",
    "empty where count(run(it, own, enemy or goal, at least 1, WAYS)) = 2",
    "all where count(neighbours(it) and own) > 1",
    "all where 3 <= count(neighbours(it) and own) + count(neighbours(it) and enemy)",
    "all where count(shift(it, WAYS) and own) + 1 = 2",
    "all where count(d in WAYS, any(run(it, occupied, empty, at least 1, d))) >= 2",
    "all where sum(d in WAYS, count(run(it, empty, own, at least 1, d))) % 4 != 1",
)
# Boards where two directions from a cell may meet have no tallies of runs.
OPEN = ("square", "holes", "hexagon")
KEPT = (
    "all where count(line(it or own, at least 3)) > 2",
    "all where 20 * count(run(it, own, enemy)) > count(own)",
    "all where count((enemy between it and own) minus goal) > 1",
    "all where count(run(it, own, enemy)) % count(own or goal) = 1",
)
TALLIES = (
    Tally((1, 1, 1, 1, 1), 2),
    Tally((1, 1, 1, 1, 1), 3),
    Tally((1, 2, 4, 1, 3), 1, 5),
    Tally((1, 2, 4, 1, 3), 4, 4),
    Tally((1, 1, 2, 2, 3), 1, 1, 2),
    Tally((1, 1, 2, 2, 3), 1, 2, 4),
    Tally((1, 1, 2, 2, 3), 0, 1, 3),
    Tally((7, 1, 2, 5, 3), 6),
)

SETS = ("own", "enemy or goal", "empty or own", "king or neutral", "neighbours(own)")


@pytest.mark.parametrize("board", OPEN)
@pytest.mark.parametrize("cells", LIFTED)
def test_a_comparison_of_each_cell_becomes_a_tally(cells: str, board: str) -> None:
    game = game_of(cells, board)
    lifted = vectorise_conditions(game.program)
    verify(lifted)
    assert loops(target(game.program)) > loops(target(lifted)) == 0
    assert "tally" in {op.name for op in walk(target(lifted))}
    assert_same(game, lifted)


@pytest.mark.parametrize("board", sorted(BOARDS.keys() - set(OPEN)))
@pytest.mark.parametrize("cells", LIFTED)
def test_boards_with_joined_sides_have_the_same_cells(cells: str, board: str) -> None:
    game = game_of(cells, board)
    assert_same(game, vectorise_conditions(game.program))


@pytest.mark.parametrize("cells", KEPT)
def test_other_comparisons_stay_a_loop(cells: str) -> None:
    game = game_of(cells, "square")
    lifted = vectorise_conditions(game.program)
    assert loops(target(lifted)) > 0
    assert_same(game, lifted)


@pytest.mark.parametrize("tally", TALLIES)
def test_code_of_a_tally_has_the_cells_with_a_sum_in_the_range(tally: Tally) -> None:
    game = game_of("own", "square")
    machine, sets = Interpreter(game.program), [target(game_of(c, "square").program) for c in SETS]
    op = make_tally(sets, tally)
    assert tally_of(op) == tally
    module, _ = emitted(game.program, op, 0)
    met = set()
    for state, cells in board_positions(game.program, 40):
        found = found_by(module, op, game.program, state, cells)
        values = [machine.value(one, Frame(state, {"player": 0, **cells})) for one in sets]
        for cell in range(game.program.topology.cells):
            weights = zip(tally.weights, values, strict=True)
            right = tally.has(sum(weight for weight, value in weights if value >> cell & 1))
            assert found >> cell & 1 == right
            met.add(right)
    assert met == {True, False}
