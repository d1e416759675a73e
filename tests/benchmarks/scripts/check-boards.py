"""Check the Check (UVa 10196): a plain program."""

# mypy: ignore-errors
import sys

STRAIGHT = ((0, 1), (0, -1), (1, 0), (-1, 0))
SLANTING = ((1, 1), (1, -1), (-1, 1), (-1, -1))
LEAPS = ((1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1))


def at(board, row, column):
    return board[row][column] if 0 <= row < 8 and 0 <= column < 8 else ""


def is_checked(board, king, enemies, ahead):
    place = next(((r, row.find(king)) for r, row in enumerate(board) if king in row), None)
    if place is None:
        return False
    row, column = place
    knight, pawn, rook, bishop, queen = enemies
    if any(at(board, row + down, column + right) == knight for down, right in LEAPS):
        return True
    if any(at(board, row + ahead, column + right) == pawn for right in (-1, 1)):
        return True
    for ways, pieces in ((STRAIGHT, (rook, queen)), (SLANTING, (bishop, queen))):
        for down, right in ways:
            r, c = row + down, column + right
            while at(board, r, c) == ".":
                r, c = r + down, c + right
            if at(board, r, c) in pieces:
                return True
    return False


def main():
    words = iter(sys.stdin.read().split())
    out = []
    number = 1
    while True:
        board = [next(words, "." * 8) for _ in range(8)]
        if all(row == "........" for row in board):
            break
        who = "no"
        if is_checked(board, "K", "nprbq", -1):
            who = "white"
        elif is_checked(board, "k", "NPRBQ", 1):
            who = "black"
        out.append(f"Game #{number}: {who} king is in check.")
        number += 1
    print("\n".join(out))


main()
