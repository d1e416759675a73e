"""dame-rs for international draughts, as a program that speaks the line protocol of `cmd:`.

    python -m tests.benchmarks.dame_player NODES FILE

A move is matched with one of the other program by its first and last cell and the captured pieces.
The program appends the seconds of each move to FILE. It needs the package `dame-rs` of PyPI.
"""

import sys

import dame

import rulesengine
from rulesengine import Game, Move, State
from tests.benchmarks.speaking import speak

HASH = 16  # MiB
Key = tuple[int, int, tuple[int, ...]]  # the first and last square, and those captured


class Squares:
    """The numbers of the dark cells of a game, from 1 on the row of black's base."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._numbers = {
            number: _square(cell) for number, cell in enumerate(game.program.form.cells)
        }

    def key_of(self, state: State, move: Move) -> Key:
        """Return the squares of a move."""
        enemy = 1 - state.side
        lost = _cells(state, enemy) & ~_cells(self._game.apply(state, move), enemy)
        taken = sorted(self._numbers[cell] for cell in self._numbers if lost >> cell & 1)
        first, last = move.steps[0].origin, move.steps[-1].target
        return self._numbers[first], self._numbers[last], tuple(taken)


def _square(cell: str) -> int:
    """Return the number of a dark cell of a board with ten rows."""
    column, row = ord(cell[0]) - ord("a") + 1, int(cell[1:])
    return (10 - row) * 5 + (column + 1) // 2


def _cells(state: State, side: int) -> int:
    """Return the cells of the pieces of a side; each kind has planes of both sides and neutral."""
    return state.planes[side] | state.planes[3 + side]


def main(nodes: str, file: str) -> None:
    game = rulesengine.load("international-draughts")
    squares, board, engine = Squares(game), dame.Board(), dame.Engine(hash_mb=HASH)
    state = game.initial_state()

    def push(move: Move) -> None:
        nonlocal state
        wanted = squares.key_of(state, move)
        found = [each for each in board.legal_moves if _key(each) == wanted]
        board.push(found[0])
        state = game.apply(state, move)

    def play(text: str) -> None:
        push(next(move for move in game.legal_moves(state) if str(move) == text))

    def choose(_: int) -> str:
        wanted = _key(engine.search(board, nodes=int(nodes)).best_move)
        moves = game.legal_moves(state)
        move = next(each for each in moves if squares.key_of(state, each) == wanted)
        push(move)
        return str(move)

    speak(play, choose, file)


def _key(move: "dame.Move") -> Key:
    return move.from_square, move.to_square, tuple(move.captured)


if __name__ == "__main__":
    main(*sys.argv[1:])
