"""Selective search: attacked pieces, and moves that are left out."""

from math import log

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.evaluation import late_move_reductions, material_of, piece_at_risk
from rulesengine.job import Job
from rulesengine.search.iterative_deepening import AlphaBeta

# Black to move. The pawn on e6 attacks the knight on d5, the bishop on h8 the pawn on d4, and the
# rook on a8 the cells of its line up to the pawn on a3. No piece attacks the rook on g1.
ATTACKS = """\
r......b
...k....
....p...
...N....
...P....
P.......
........
R...K.R.
mover: black
rights: none
"""
# Black to move. The cannon on b8 attacks the horse on b2 over the soldier on b5, and not the
# soldier: it needs exactly one piece between. The horse on h8 is blocked by the soldier on h7.
CANNON = """\
....k....
.........
.c.....h.
.......p.
......S..
.S.......
.........
.........
.H.......
....K....
mover: black
"""


def at_risk(game: Game, state: State, cell: str) -> str:
    """Return the kind of the piece at risk on a cell, or an empty text."""
    functions = game._dispatcher.interpreted.search_functions()
    number = game.program.form.cells.index(cell)
    value = functions.risk(state, number)
    if not value:
        return ""
    kinds = game.program.rules.kinds
    owners = len(state.planes) // len(kinds)
    own = 1 - state.side
    kind = next(k for k in range(len(kinds)) if state.planes[owners * k + own] >> number & 1)
    assert value == material_of(game.machine).values[kind]
    return kinds[kind].name


def test_a_piece_is_at_risk_on_an_attacked_cell() -> None:
    game = rulesengine.load("chess")
    state = game.state_from(ATTACKS)
    cells = ("d5", "d4", "a3", "a1", "g1")
    found = {cell: at_risk(game, state, cell) for cell in cells}
    assert found == {"d5": "knight", "d4": "pawn", "a3": "pawn", "a1": "", "g1": ""}


def test_attacks_follow_from_the_rules_of_each_game() -> None:
    game = rulesengine.load("xiangqi")
    rows = CANNON.replace("S", "P").replace("H", "N").replace("h", "n")
    state = game.state_from(rows)
    found = {cell: at_risk(game, state, cell) for cell in ("b2", "b5", "g6")}
    assert found == {"b2": "horse", "b5": "", "g6": ""}


@pytest.mark.parametrize("name", ["english-draughts", "breakthrough", "othello"])
def test_games_without_a_royal_piece_have_no_risk(name: str) -> None:
    assert piece_at_risk(rulesengine.load(name).machine) is None


def test_late_moves_are_reduced_by_a_product_of_logarithms() -> None:
    table = late_move_reductions(is_selective=True)
    for depth, turn in ((3, 2), (2, 9), (3, 5), (8, 20), (31, 63)):
        few = depth < 3 or turn < 3
        expected = 0 if few else int(0.2 + log(depth) * log(turn + 1) / 2.25)
        assert table[depth * layout.REDUCED_TURNS + turn] == expected
    plain = late_move_reductions(is_selective=False)
    assert set(plain) == {0, 1}


def test_captures_that_lose_material_are_left_out_at_the_horizon() -> None:
    game = rulesengine.load("chess", engine="interpreter")
    rows = "....k...\n..p.....\n.p......\n........\n........\n........\n.Q......\n....K...\n"
    state = game.state_from(rows + "mover: white\nrights: none\n")
    followed = []
    for prunes in (0, 1):
        count = len(game.legal_moves(state))
        search = AlphaBeta(game._dispatcher, state, count, Budget(nodes=40), 1 << 8)
        search.own.numbers[layout.PRUNES] = prunes
        search.run(Job())
        followed.append(search.own.numbers[layout.QUIESCENCE_NODES])
    assert followed[1] < followed[0]
