"""rust-reversi's alpha-beta for Othello, as a program that speaks the line protocol of `cmd:`.

    python -m tests.benchmarks.rust_reversi_player DEPTH FILE

Its evaluation is a sum of square weights. The weights here are common values for corners and their
neighbours. The program appends the seconds of each move to FILE.
"""

import sys

import rust_reversi

from tests.benchmarks.speaking import speak

WON = 1 << 20  # above all sums of weights
CORNER = ((100, -25, 10, 5), (-25, -50, 1, 1), (10, 1, 3, 2), (5, 1, 2, 1))
HALF = [[*row, *row[::-1]] for row in CORNER]
WEIGHTS = [*HALF, *HALF[::-1]]


def main(depth: str, file: str) -> None:
    search = rust_reversi.AlphaBetaSearch(rust_reversi.MatrixEvaluator(WEIGHTS), int(depth), WON)
    board = rust_reversi.Board()

    def play(text: str) -> None:
        if text == "pass":
            board.do_pass()
        else:
            board.do_move(8 * (int(text[1]) - 1) + ord(text[0]) - ord("a"))

    def move(_: int) -> str:
        if board.is_pass():
            text = "pass"
        else:
            row, column = divmod(search.get_move(board), 8)
            text = f"{chr(ord('a') + column)}{row + 1}"
        play(text)
        return text

    speak(play, move, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
