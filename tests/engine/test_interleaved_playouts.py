"""The number of random games that a kernel interleaves, by how often its code draws a number."""

import pytest

from rulesengine import load
from rulesengine.engine.kernel.backends.native_backend import NativeBackend
from rulesengine.engine.kernel.code.form import instructions
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.translate import driver_entry
from tests.engine.test_rollouts import recorded_rollouts


def draws(name: str, seats: int) -> int:
    machine = load(name, engine="interpreter").machine
    share = emitted(machine, "playouts", seats).functions["share"]
    return sum(instr.op == "uhigh" for instr in instructions(share.body))


@pytest.mark.parametrize(
    ("name", "together"),
    [
        # The number of moves is known: one for each empty cell.
        ("tic-tac-toe", 1),
        ("squava", 1),
        # Moves are counted, so each ply depends on the one before.
        ("domineering", 3),
        ("peg-solitaire", 3),
        # The search for lines is enough independent work.
        ("connect-four", 2),
        # Drawing a cell of a set of several words takes long by itself.
        ("gomoku", 2),
        # A ply is a loop.
        ("english-draughts", 1),
    ],
)
def test_games_whose_plies_wait_are_played_side_by_side(name: str, together: int) -> None:
    alone = draws(name, 1)
    assert alone > 0
    assert draws(name, NativeBackend.seats) == together * alone


@pytest.mark.parametrize(("name", "together"), [("clobber", 2), ("connect-four", 2), ("squava", 1)])
def test_playouts_of_a_leaf_are_interleaved(name: str, together: int) -> None:
    """Check that the four random games of a leaf are interleaved."""
    machine, drawn = load(name, engine="interpreter").machine, list[int]()
    for seats in (1, NativeBackend.seats):
        ctx = Context(optimised(machine.program), EMIT)
        ctx.seats = seats
        driver_entry(ctx, recorded_rollouts, recorded_rollouts.__name__)
        code = ctx.b.module.functions["rollouts"]
        drawn.append(sum(instr.op == "uhigh" for instr in instructions(code.body)))
    assert drawn == [drawn[0], together * drawn[0]]


@pytest.mark.parametrize("part", ["perft", "playouts"])
def test_branch_weights_mark_game_ends_as_rare(part: str) -> None:
    functions = emitted(load("tic-tac-toe").machine, part).functions.values()
    branches = [i for f in functions for i in instructions(f.body) if i.op == "if"]
    weights = {(branch.detail, bool(branch.blocks[1])) for branch in branches}
    # A finished game is reported or counted; any other goes on.
    assert {("seldom", True), ("often", False)} <= weights
