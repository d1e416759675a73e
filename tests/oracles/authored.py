"""Independent programs for the games of tests/data/authored: boards as dictionaries, rules in
loops.
"""

from collections.abc import Iterator
from itertools import product

Cell = tuple[int, int]  # column and row from 0, the bottom left being 0, 0
Board = dict[Cell, str]

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
ROUND = (*STRAIGHT, (1, 1), (1, -1), (-1, 1), (-1, -1))


def teeko(depth: int, board: Board | None = None, side: str = "br") -> int:
    """Count sequences of Teeko on 5x5: four markers each, then single steps; a row or a square ends
    it.
    """
    board = board or {}
    if not depth:
        return 1
    if any(four_together(board, who) for who in side):
        return 0
    own = [cell for cell, who in board.items() if who == side[0]]
    free = [cell for cell in product(range(5), range(5)) if cell not in board]
    total = 0
    for start in [None] if len(own) < 4 else own:
        for end in free:
            if start is None or end in [step(start, way) for way in ROUND]:
                after = {cell: who for cell, who in board.items() if cell != start}
                total += teeko(depth - 1, after | {end: side[0]}, side[::-1])
    return total


def four_together(board: Board, who: str) -> bool:
    for cell in product(range(5), range(5)):
        shapes = [[step(cell, (n * dx, n * dy)) for n in range(4)] for dx, dy in ROUND]
        shapes.append([step(cell, way) for way in ((0, 0), (1, 0), (0, 1), (1, 1))])
        if any(all(board.get(one) == who for one in shape) for shape in shapes):
            return True
    return False


def dodgem(depth: int, size: int, board: Board | None = None, side: str = ">^") -> int:
    """Count sequences of Dodgem: cars move ahead or sideways, and leave at the right or top."""
    if board is None:
        board = {(0, n): ">" for n in range(1, size)} | {(n, 0): "^" for n in range(1, size)}
    if not depth:
        return 1
    if any(who not in board.values() for who in side):
        return 0
    ways = {">": ((0, 1), (1, 0), (0, -1)), "^": ((0, 1), (1, 0), (-1, 0))}[side[0]]
    total = 0
    for cell in [cell for cell, who in board.items() if who == side[0]]:
        rest = {other: who for other, who in board.items() if other != cell}
        for way in ways:
            end = step(cell, way)
            if max(end) < size and min(end) >= 0 and end not in board:
                total += dodgem(depth - 1, size, rest | {end: side[0]}, side[::-1])
        if cell[0 if side[0] == ">" else 1] == size - 1:
            total += dodgem(depth - 1, size, rest, side[::-1])
    return total


def tafl(depth: int, board: Board | None = None, side: str = "a") -> int:
    """Count the sequences of moves of a tafl game on 7x7: the king's men against the attackers."""
    board = tafl_start() if board is None else board
    if not depth:
        return 1
    kings = [cell for cell, who in board.items() if who == "K"]
    if not kings or kings[0] in CORNERS:
        return 0
    return sum(tafl(depth - 1, after, "ad"[side == "a"]) for after in tafl_moves(board, side))


CORNERS = frozenset({(0, 0), (0, 6), (6, 0), (6, 6)})
THRONE = (3, 3)


def tafl_start() -> Board:
    board = {THRONE: "K"}
    for dx, dy in STRAIGHT:
        board |= {(3 + n * dx, 3 + n * dy): "daa"[n - 1] for n in (1, 2, 3)}
    return board


def tafl_moves(board: Board, side: str) -> Iterator[Board]:
    """Yield the boards after each move of the attackers (`a`) or of the king's side (`d`)."""
    for cell, who in board.items():
        if (who == "a") != (side == "a"):
            continue
        for way in STRAIGHT:
            end = step(cell, way)
            while in_tafl(end) and end not in board:
                if who == "K" or (end not in CORNERS and end != THRONE):
                    after = {other: man for other, man in board.items() if other != cell}
                    yield without_taken(after | {end: who}, end, side)
                end = step(end, way)


def without_taken(board: Board, end: Cell, side: str) -> Board:
    own, men = ("a", "d") if side == "a" else ("dK", "a")
    gone = set()
    for way in STRAIGHT:
        beside = step(end, way)
        beyond = step(beside, way)
        if board.get(beside) == men and (board.get(beyond, "-") in own or beyond in CORNERS):
            gone.add(beside)
    for cell, who in board.items():
        around = [step(cell, way) for way in STRAIGHT]
        walls = [one for one in around if in_tafl(one) and one != THRONE]
        if who == "K" and side == "a" and all(board.get(one) == "a" for one in walls):
            gone.add(cell)
    return {cell: who for cell, who in board.items() if cell not in gone}


def in_tafl(cell: Cell) -> bool:
    return min(cell) >= 0 and max(cell) < 7


def step(cell: Cell, way: Cell) -> Cell:
    return cell[0] + way[0], cell[1] + way[1]
