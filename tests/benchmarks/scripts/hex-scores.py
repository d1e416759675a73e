"""Hex: stones of each player, those joined to the first side, the winner: a plain program."""

# mypy: ignore-errors
import sys

N = 11
NEAR = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))


def joined(board, own, edge):
    found = [cell for cell in edge if board[cell[0]][cell[1]] == own]
    seen = set(found)
    for row, column in found:
        for down, right in NEAR:
            cell = row + down, column + right
            if 0 <= cell[0] < N and 0 <= cell[1] < N and cell not in seen:
                if board[cell[0]][cell[1]] == own:
                    seen.add(cell)
                    found.append(cell)
    return seen


def main():
    words = iter(sys.stdin.read().split())
    out = []
    top = [(0, i) for i in range(N)]
    left = [(i, 0) for i in range(N)]
    for _ in range(int(next(words))):
        board = [next(words) for _ in range(N)]
        red, blue = joined(board, "x", top), joined(board, "o", left)
        winner = "open"
        if any(row == N - 1 for row, _ in red):
            winner = "red"
        elif any(column == N - 1 for _, column in blue):
            winner = "blue"
        counts = [sum(row.count(own) for row in board) for own in "xo"]
        out.append(f"{counts[0]:3} {counts[1]:3} {len(red):3} {len(blue):3} {winner}")
    print("\n".join(out))


main()
