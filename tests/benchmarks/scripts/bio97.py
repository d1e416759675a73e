"""BIO 1997, question 2, strategy 2, on many boards: a plain program."""

# mypy: ignore-errors
import sys

STEPS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


def legal(board):
    found = []
    for row in range(8):
        for column in range(8):
            if board[row][column] == "." and any(
                0 <= row + r < 8 and 0 <= column + c < 8 and board[row + r][column + c] != "."
                for r, c in STEPS
            ):
                found.append((row, column))
    return found


def flips(board, row, column, own):
    found = []
    for down, right in STEPS:
        r, c, run = row + down, column + right, []
        while 0 <= r < 8 and 0 <= c < 8 and board[r][c] not in (".", own):
            run.append((r, c))
            r, c = r + down, c + right
        if run and 0 <= r < 8 and 0 <= c < 8 and board[r][c] == own:
            found += run
    return found


def played(board, row, column, own):
    after = [list(line) for line in board]
    for r, c in flips(board, row, column, own):
        after[r][c] = own
    after[row][column] = own
    return after


def count(board, own):
    return sum(line.count(own) for line in board)


def value(board, row, column, own):
    other = "*" if own == "0" else "0"
    after = played(board, row, column, own)
    total = count(after, own)
    return min((total - len(flips(after, r, c, other)) for r, c in legal(after)), default=total)


def main():
    words = iter(sys.stdin.read().split())
    out = []
    for _ in range(int(next(words))):
        board = [list("........") for _ in range(8)]
        for row in range(2, 6):
            board[row][2:6] = next(words)
        mover = "0"
        while moves := legal(board):
            best = max(moves, key=lambda m: (value(board, *m, mover), *m))
            board = played(board, *best, mover)
            mover = "*" if mover == "0" else "0"
        out += ["".join(line) for line in board]
        out.append(f"{count(board, '0')} {count(board, '*')}")
    print("\n".join(out))


main()
