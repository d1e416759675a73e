"""Boards with more cells than native code supports: Python code plays on them."""

import pytest

import rulesengine
from rulesengine.engine.kernel.backends.native_backend import NativeBackend
from rulesengine.engine.kernel.code.form import Module
from rulesengine.engine.kernel.selection import Engine
from rulesengine.errors import RulesError, SpecError
from rulesengine.loading import load_source
from rulesengine.support.limits import MAX_CELLS, MAX_NATIVE_CELLS
from rulesengine.support.source import Source
from tests.helpers.engine_comparison import needs_native

SPEC = """\
spec: 1
name: Large
parameters:
  n: {type: integer, from: 1, to: 65, default: 2}
board: {rows: 64, columns: n, origin: bottom-left}
players: [white, black]
pieces: {man: {white: o, black: x}, empty: "."}
start: [put man of white on top, put man of black on last(bottom)]
rules:
  moves:
    - place: man
      to: empty and shift(own, [south, southeast], south)
      do: [flip neighbours(to) and enemy, "remove fill(to, own) and left"]
    - place: man
      to: empty and shift(own, south, south) and edge
      do: [flip neighbours(to) and enemy, "remove fill(to, own) and left"]
  end:
    - when: any(fill(own and top, own) and bottom) or plies >= 6
      result: player wins
"""


def game(columns: int, engine: Engine) -> rulesengine.Game:
    return load_source(Source("large.yaml", SPEC), engine=engine, n=columns)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [17, pytest.param(64, marks=pytest.mark.slow)])
def test_python_code_plays_as_the_interpreter_does(columns: int) -> None:
    found = [
        (made.perft(1), str(made.playouts(1, seed=3)))
        for made in (game(columns, "interpreter"), game(columns, "python"))
    ]
    assert found[0] == found[1]


@pytest.mark.slow
def test_the_last_cell_of_the_largest_board_is_read_back() -> None:
    large = game(MAX_CELLS // 64, "python")
    state = large.initial_state()
    move = large.legal_moves(state)[-1]
    assert str(move) == large.program.topology.names[max(move.steps[-1].target, 0)]
    assert large.state_from(str(large.apply(state, move))) == large.apply(state, move)


def test_a_row_too_many_is_an_error() -> None:
    with pytest.raises(SpecError, match=f"at most {MAX_CELLS} cells, found 4160"):
        game(65, "interpreter")


def test_machine_code_is_made_for_so_many_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    run = "rulesengine.engine.kernel.backends.native.build.native"
    monkeypatch.setattr(run, lambda module, **_: made.append(module.cells))
    for cells in (MAX_NATIVE_CELLS - 1, MAX_NATIVE_CELLS):
        NativeBackend().compile(Module(cells), None, {})
    assert made == [1023, 1024]
    with pytest.raises(RulesError, match="at most 1,024 cells, this board has 1,025"):
        NativeBackend().compile(Module(MAX_NATIVE_CELLS + 1), None, {})


@pytest.mark.slow
@needs_native
def test_python_code_plays_where_machine_code_is_not_made() -> None:
    large = game(17, "native")
    assert str(large.playouts(1, seed=3)) == str(game(17, "python").playouts(1, seed=3))
    assert any("at most 1,024 cells" in why for why in large.engine_problems.values())
