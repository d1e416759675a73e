"""Tic-Tac-Toe-Tomek (Google Code Jam 2013): a plain program."""

# mypy: ignore-errors
import sys

LINES = [
    *([(r, c) for c in range(4)] for r in range(4)),
    *([(r, c) for r in range(4)] for c in range(4)),
    [(i, i) for i in range(4)],
    [(i, 3 - i) for i in range(4)],
]


def main():
    words = iter(sys.stdin.read().split())
    out = []
    for case in range(1, int(next(words)) + 1):
        board = [next(words) for _ in range(4)]
        state = "Draw"
        if any("." in row for row in board):
            state = "Game has not completed"
        for own in "XO":
            if any(all(board[r][c] in (own, "T") for r, c in line) for line in LINES):
                state = f"{own} won"
                break
        out.append(f"Case #{case}: {state}")
    print("\n".join(out))


main()
