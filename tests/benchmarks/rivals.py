"""Reversi in plain Python, with three players as opponents of the bundled spec's player.

It is written from the rules alone, without this package. A board is two bitboards, that of the
player to move first, row by row. A move is the index of a cell.
"""

from collections.abc import Callable
from functools import cached_property
from math import inf

Board = tuple[int, int]
Rival = Callable[["Reversi", Board], int]


class Reversi:
    """The game on n x n cells."""

    def __init__(self, n: int) -> None:
        self.n = n
        cells = (1 << n * n) - 1
        left = sum(1 << row * n for row in range(n))
        right = left << n - 1
        self.everything = cells
        # The shift of each direction, and the mask of its possible targets.
        east, west = cells & ~left, cells & ~right
        self.steps = [(1, east), (n, cells), (n + 1, east), (n - 1, west)]
        self.back = [(1, west), (n, cells), (n + 1, west), (n - 1, east)]

    def start(self) -> Board:
        """Return the initial board: black to move, white on the falling diagonal of the centre."""
        low, high = self.n // 2 - 1, self.n // 2
        at = [[1 << row * self.n + column for column in (low, high)] for row in (low, high)]
        return at[0][1] | at[1][0], at[0][0] | at[1][1]

    def moves(self, board: Board) -> list[int]:
        """Return the legal moves of the player to move, row by row."""
        own, other = board
        found = 0
        for shift, arrives in self.steps:
            run = own << shift & arrives & other
            while run:
                run = run << shift & arrives
                found |= run & ~other
                run &= other
        for shift, arrives in self.back:
            run = own >> shift & arrives & other
            while run:
                run = run >> shift & arrives
                found |= run & ~other
                run &= other
        return list(bits(found & self.everything & ~own & ~other))

    def turned(self, board: Board, cell: int) -> int:
        """Return the discs flipped by a move."""
        own, other = board
        found = 0
        for shift, arrives in self.steps:
            run, at = 0, 1 << cell
            while (at := at << shift & arrives) & other:
                run |= at
            found |= run if at & own else 0
        for shift, arrives in self.back:
            run, at = 0, 1 << cell
            while (at := at >> shift & arrives) & other:
                run |= at
            found |= run if at & own else 0
        return found

    def after(self, board: Board, cell: int) -> Board:
        """Return the board after a move, with the other player's discs first."""
        own, other = board
        turned = self.turned(board, cell)
        return other & ~turned, own | turned | 1 << cell

    @cached_property
    def weights(self) -> list[tuple[int, int]]:
        """Return a classical table of weights scaled to the board: each weight with its cells."""
        found: dict[int, int] = {}
        for cell in range(self.n**2):
            row, column = divmod(cell, self.n)
            ends = min(row, self.n - 1 - row), min(column, self.n - 1 - column)
            near = min(ends), max(ends)
            weight = _WEIGHTS.get(near, _RINGS.get(near[0], -1))
            found[weight] = found.get(weight, 0) | 1 << cell
        return list(found.items())


# By distance from the nearest edges: corners, their neighbours, edges, the inner ring.
_WEIGHTS = {(0, 0): 100, (0, 1): -20, (1, 1): -50, (0, 2): 10}
_RINGS = {0: 5, 1: -2}
_WON = 10**6


def bits(cells: int) -> "list[int]":
    """Return the indices of the bits of a set."""
    found = []
    while cells:
        found.append((cells & -cells).bit_length() - 1)
        cells &= cells - 1
    return found


def greedy(game: Reversi, board: Board) -> int:
    """Return the move of part 1: most discs flipped, then the first row, then the first column."""
    return max(game.moves(board), key=lambda cell: game.turned(board, cell).bit_count())


def careful(game: Reversi, board: Board) -> int:
    """Return the move with the most discs flipped minus those of the best reply."""

    def gain(cell: int) -> int:
        after = game.after(board, cell)
        replies = (game.turned(after, reply).bit_count() for reply in game.moves(after))
        return game.turned(board, cell).bit_count() - max(replies, default=0)

    return max(game.moves(board), key=gain)


def weighing(game: Reversi, board: Board) -> int:
    """Return the move of a three-ply alpha-beta search with the table of weights."""
    best, chosen = -inf, -1
    for cell in game.moves(board):
        value = -_value(game, game.after(board, cell), 2, -inf, -best)
        if value > best:
            best, chosen = value, cell
    return chosen


def _value(game: Reversi, board: Board, depth: int, alpha: float, beta: float) -> float:
    if depth == 0:
        own, other = board
        return sum(
            weight * ((own & cells).bit_count() - (other & cells).bit_count())
            for weight, cells in game.weights
        )
    moves = game.moves(board)
    if not moves:
        own, other = board
        if not game.moves((other, own)):
            return _WON * (own.bit_count() - other.bit_count())
        return -_value(game, (other, own), depth - 1, -beta, -alpha)
    best = -inf
    for cell in moves:
        best = max(
            best, -_value(game, game.after(board, cell), depth - 1, -beta, -max(alpha, best))
        )
        if best >= beta:
            break
    return best
