"""APS105 Reversi on a 26x26 board against the built-in player: a plain program."""

# mypy: ignore-errors
import sys

N = 26
LETTERS = "abcdefghijklmnopqrstuvwxyz"
STEPS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


def flips(board, row, column, own):
    found = []
    if board[row][column] != "U":
        return found
    for down, right in STEPS:
        r, c, run = row + down, column + right, []
        while 0 <= r < N and 0 <= c < N and board[r][c] not in ("U", own):
            run.append((r, c))
            r, c = r + down, c + right
        if run and 0 <= r < N and 0 <= c < N and board[r][c] == own:
            found += run
    return found


def legal(board, own):
    return any(flips(board, r, c, own) for r in range(N) for c in range(N))


def main():
    words = iter(sys.stdin.read().split())
    out = []

    def show(board):
        out.append("  " + LETTERS[:N] + "\n")
        out.extend(f"{LETTERS[r]} {''.join(board[r])}\n" for r in range(N))

    def play(board, row, column, own):
        for r, c in flips(board, row, column, own):
            board[r][c] = own
        board[row][column] = own
        show(board)

    for _ in range(int(next(words))):
        board = [["U"] * N for _ in range(N)]
        middle = N // 2
        board[middle - 1][middle - 1] = board[middle][middle] = "W"
        board[middle - 1][middle] = board[middle][middle - 1] = "B"
        mover, other = "B", "W"
        show(board)
        while True:
            if not legal(board, mover):
                if not legal(board, other):
                    break
                out.append(f"{mover} player has no valid move.\n")
            elif mover == "W":
                best, place = 0, None
                for r in range(N):
                    for c in range(N):
                        turned = len(flips(board, r, c, "W"))
                        if turned > best:
                            best, place = turned, (r, c)
                row, column = place
                out.append(f"Computer places W at {LETTERS[row]}{LETTERS[column]}.\n")
                play(board, row, column, "W")
            else:
                word = next(words)
                out.append("Enter move for colour B (RowCol): ")
                play(board, LETTERS.index(word[0]), LETTERS.index(word[1]), "B")
            mover, other = other, mover
        black, white = (sum(line.count(sign) for line in board) for sign in "BW")
        winner = "B" if black > white else "W"
        out.append("Draw!\n" if black == white else f"{winner} player wins.\n")
    sys.stdout.write("".join(out))


main()
