"""How many random games a kernel plays at once, by how often its code draws a number."""

import pytest

from rulesengine import load
from rulesengine.kernel.backends.machine_code import MachineCode
from rulesengine.kernel.code.form import instructions
from rulesengine.kernel.emission import emitted


def draws(name: str, seats: int) -> int:
    machine = load(name, engine="interpreter").machine
    share = emitted(machine, "playouts", seats).functions["share"]
    return sum(instr.op == "uhigh" for instr in instructions(share.body))


@pytest.mark.parametrize(
    ("name", "together"),
    [
        # How many moves there are is known: one for each empty cell.
        ("tic-tac-toe", 1),
        ("squava", 1),
        # They are counted, so that a ply waits for the one before.
        ("connect-four", 2),
        ("domineering", 2),
        ("peg-solitaire", 2),
        # To draw a cell of more than a word takes long by itself.
        ("gomoku", 2),
        # A ply is a loop.
        ("english-draughts", 1),
    ],
)
def test_games_whose_plies_wait_are_played_side_by_side(name: str, together: int) -> None:
    alone = draws(name, 1)
    assert alone > 0
    assert draws(name, MachineCode.seats) == together * alone
