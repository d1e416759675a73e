"""BIO 2004, question 2, on many openings: a plain program."""

# mypy: ignore-errors
import sys

AXES = [(0, 1), (1, 0), (1, 1), (1, -1)]


def makes_line(board, row, column, own):
    for down, right in AXES:
        length = 1
        for sign in (1, -1):
            r, c = row + sign * down, column + sign * right
            while 0 <= r < 6 and 0 <= c < 7 and board[r][c] == own:
                length += 1
                r, c = r + sign * down, c + sign * right
        if length >= 4:
            return True
    return False


def landing(board, column):
    return next((row for row in range(5, -1, -1) if board[row][column] == "-"), -1)


def chosen(board, own, other):
    columns = [c for c in range(7) if board[0][c] == "-"]
    for sign in (own, other):
        for c in columns:
            if makes_line(board, landing(board, c), c, sign):
                return c
    return columns[0]


def main():
    numbers = iter(map(int, sys.stdin.read().split()))
    out = []
    for _ in range(next(numbers)):
        board = [["-"] * 7 for _ in range(6)]
        own, other, won = "*", "o", ""
        for _ in range(next(numbers)):
            column = next(numbers) - 1
            board[landing(board, column)][column] = own
            own, other = other, own
        out += ["".join(line) for line in board]
        while not won and "-" in board[0]:
            column = chosen(board, own, other)
            row = landing(board, column)
            board[row][column] = own
            if makes_line(board, row, column, own):
                won = own
            own, other = other, own
        out += ["".join(line) for line in board]
        out.append(f"Player {1 if won == '*' else 2} wins" if won else "Draw")
    print("\n".join(out))


main()
