"""ACM 1992, problem F (UVa 220), written from the statement: a plain program."""

# mypy: ignore-errors
import sys

STEPS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


def flips(board, row, column, own):
    if board[row][column] != "-":
        return []
    other = "B" if own == "W" else "W"
    found = []
    for down, right in STEPS:
        r, c, run = row + down, column + right, []
        while 0 <= r < 8 and 0 <= c < 8 and board[r][c] == other:
            run.append((r, c))
            r, c = r + down, c + right
        if run and 0 <= r < 8 and 0 <= c < 8 and board[r][c] == own:
            found += run
    return found


def legal(board, own):
    return [(r, c) for r in range(8) for c in range(8) if flips(board, r, c, own)]


def can_move(board, own):
    return any(flips(board, r, c, own) for r in range(8) for c in range(8))


def main():
    lines = iter(sys.stdin.read().split())
    out = []
    for game in range(int(next(lines))):
        if game:
            out.append("")
        board = [list(next(lines)) for _ in range(8)]
        mover = next(lines)
        while True:
            command = next(lines)
            if command == "L":
                moves = legal(board, mover)
                texts = " ".join(f"({r + 1},{c + 1})" for r, c in moves)
                out.append(texts or "No legal move.")
            elif command == "Q":
                out += ["".join(row) for row in board]
                break
            else:
                other = "B" if mover == "W" else "W"
                if not can_move(board, mover):
                    mover, other = other, mover
                row, column = int(command[1]) - 1, int(command[2]) - 1
                for r, c in flips(board, row, column, mover):
                    board[r][c] = mover
                board[row][column] = mover
                black = sum(line.count("B") for line in board)
                white = sum(line.count("W") for line in board)
                out.append(f"Black - {black:2} White - {white:2}")
                mover = other
    print("\n".join(out))


main()
