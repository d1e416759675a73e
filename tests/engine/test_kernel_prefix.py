"""Floods and rows along lines; numbers replace the registers of instructions."""

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from rulesengine.engine.kernel.backends.native import lines, vector_lines
from rulesengine.engine.kernel.backends.native.bitboard import Bitboard
from rulesengine.engine.kernel.backends.native.layout import Stride
from rulesengine.engine.kernel.backends.native.prefix import Reach, rounds
from rulesengine.engine.kernel.backends.native.relations import power
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.native.text import Body, Pool
from rulesengine.engine.kernel.backends.native.vector_lines import Lanes
from rulesengine.engine.kernel.code.form import Relation, Runs
from tests.helpers.kernel_reference import (
    Board,
    cells_of,
    graph_board,
    grid_board,
    has_row,
    moved,
    rows_on,
    slid,
    toward,
)

HEX = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
SMALL = (
    grid_board(8, 8),
    grid_board(1, 1),
    grid_board(2, 9),
    grid_board(7, 5, HEX),
    grid_board(5, 5, ((0, 1),)),
    grid_board(8, 8, torus=True),
    grid_board(5, 7, torus=True),
    graph_board(24, 7),
)
LARGE = (grid_board(10, 12), grid_board(9, 11, HEX, torus=True))
LENGTHS = ((0, None), (0, 2), (1, None), (1, 6), (2, 5), (4, None))
BODY = Body(Pool())

every_small = pytest.mark.parametrize("board", SMALL, ids=lambda board: board.name)
every_board = pytest.mark.parametrize("board", [*SMALL, *LARGE], ids=lambda board: board.name)


class Numbers(Bitboard):
    """A layout with the sets themselves as values, in decimal."""

    def op(self, b: Body, name: str, x: str, y: str) -> str:
        return str(int(x) & int(y) if name == "and" else int(x) | int(y))

    def union(self, b: Body, values: list[str]) -> str:
        found = 0
        for value in values:
            found |= int(value)
        return str(found)

    def move(self, b: Body, value: str, moves: Relation) -> str:
        return str(moved(int(value), moves))

    def repeat(
        self, b: Body, start: str, more: Callable[[str], str], done: Callable[[str, str], str]
    ) -> str:
        while (following := more(start)) != start:
            start = following
        return start

    def shift(self, b: Body, value: str, stride: Stride, times: int) -> str:
        delta = stride[1] * times
        return str(shifted(int(value), delta, self.width))


class LanesOfNumbers(Lanes):
    """Vectors as numbers with blanks between the lanes."""

    def op(self, name: str, x: str, y: str) -> str:
        pairs = zip(map(int, x.split()), map(int, y.split()), strict=True)
        match name:
            case "and":
                return self.const([a & b for a, b in pairs])
            case "or":
                return self.const([a | b for a, b in pairs])
        return self.const([a >> b for a, b in pairs])

    def splat(self, value: str) -> str:
        return self.const([int(value)] * self.count)

    def const(self, values: list[int]) -> str:
        return " ".join(map(str, values + [0] * (self.count - len(values))))

    def turn(self, vector: str, amounts: list[int]) -> str:
        turns = zip(map(int, vector.split()), amounts, strict=False)
        return self.const([v << a % 64 & 2**64 - 1 | v >> 64 - a % 64 for v, a in turns])

    def join(self, vector: str) -> str:
        return str(sum(1 << c for c in {c for v in vector.split() for c in cells_of(int(v))}))

    def any(self, vector: str) -> str:
        return str(self.join(vector) != "0")


def shifted(value: int, delta: int, width: int) -> int:
    return (value << delta if delta > 0 else value >> -delta) & (1 << width) - 1


def pairs_of_sets(board: Board) -> Iterator[tuple[int, int]]:
    """Yield disjoint sets: few ends and long rows between them, or random ones."""
    draw, full = random.Random(board.cells), 2**board.cells - 1
    for thin in (1, 2, 3, 4):
        ends, free = full, full
        for _ in range(thin):
            ends &= draw.getrandbits(board.cells)
            free &= draw.getrandbits(board.cells)
        yield full & ~ends & ~free, ends


@every_board
def test_runs_are_found_one_direction_after_the_other(board: Board) -> None:
    layout = Numbers(board.cells, Target(""))
    for lengths, (over, until) in product(LENGTHS, pairs_of_sets(board)):
        runs = Runs(board.rays, *lengths)
        found = int(lines.toward(BODY, layout, runs, str(over), str(until)))
        assert found & layout.full == toward(runs, over, until), lengths


@every_small
def test_runs_are_found_in_lanes(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_lines, "Lanes", LanesOfNumbers)
    for lengths, (over, until) in product(LENGTHS, pairs_of_sets(board)):
        runs = Runs(board.rays, *lengths)
        found = int(vector_lines.toward(BODY, runs, str(over), str(until)))
        assert found == toward(runs, over, until), lengths


@every_board
def test_slides_are_found_one_direction_after_the_other(board: Board) -> None:
    if board.rays.cyclic:
        return
    layout = Numbers(board.cells, Target(""))
    for through, start in pairs_of_sets(board):
        found = int(lines.slide(BODY, layout, board.rays, str(start), str(through)))
        assert found == slid(board.rays, start, through)


@every_small
def test_slides_are_found_in_lanes(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    if board.rays.cyclic or not lines.is_straight(board.rays):
        return
    monkeypatch.setattr(vector_lines, "Lanes", LanesOfNumbers)
    for through, start in pairs_of_sets(board):
        found = int(vector_lines.slide(BODY, board.rays, str(start), str(through)))
        assert found == slid(board.rays, start, through)


@pytest.mark.parametrize("length", [2, 3, 4, 5, 7])
def test_rows_are_found_in_lanes(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_lines, "Lanes", LanesOfNumbers)
    board, draw, met = grid_board(8, 8), random.Random(length), set()
    row = rows_on(board, length)
    axes = [((0, d), str(starts)) for d, starts in zip(row.deltas, row.starts, strict=True)]
    for _ in range(200):
        cells = draw.getrandbits(64) | draw.choice((0, draw.getrandbits(64)))
        found = vector_lines.row_in(BODY, str(cells), length, axes) == "True"
        assert found == has_row(cells, row)
        met.add(found)
    assert met == ({True} if length < 4 else {False, True})


@pytest.mark.parametrize("room", range(1, 40))
@pytest.mark.parametrize("exact", [False, True])
def test_a_flood_covers_its_room_and_takes_no_step_over_cells_it_does_not_know(
    room: int, exact: bool
) -> None:
    covered = known = 1
    for half, (step,) in rounds(Reach(1, (room,), exact)):
        assert half in (0, known)
        known += half
        assert step <= min(known, covered)
        assert exact or step == known
        covered += step
    assert covered == room if exact else covered >= room


def test_steps_repeated_end_where_their_lines_do() -> None:
    board = grid_board(4, 6)
    for step, times in product(board.rays.steps, range(1, 7)):
        for cells in (1, 2**24 - 1, 0b1010_1101_0000_0111):
            expected = cells
            for _ in range(times):
                expected = moved(expected, step)
            assert moved(cells, power(step, times)) == expected
