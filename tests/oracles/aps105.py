"""APS105 lab 7, part 1, handwritten: `board[row][column]`, from 0 at row `a`, column `a`."""

from tests.oracles.words import BadInputError, EndOfInputError, WordReader, number

LETTERS = "abcdefghijklmnopqrstuvwxyz"
COMPASS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]

Board = list[list[str]]
Square = tuple[int, int]


def run(data: bytes) -> tuple[bytes, int]:
    """Return the output and the exit code of the program on an input."""
    printed: list[str] = []
    code = 0
    try:
        _program(WordReader(data), printed)
    except EndOfInputError:
        pass
    except BadInputError:
        code = 1
    return "".join(printed).encode(), code


def _program(reader: WordReader, printed: list[str]) -> None:
    printed.append("Enter the board dimension: ")
    n = number(reader.word())
    if n is None or n < 4 or n > 26 or n % 2 == 1:
        raise BadInputError
    printed.append("Computer plays (B/W) : ")
    computer = reader.word().decode("latin-1")
    if computer not in ("B", "W"):
        raise BadInputError
    board = new_board(n)
    printed.extend(show(board))
    printed.append(_play_out(reader, board, computer, printed))


def _play_out(reader: WordReader, board: Board, computer: str, printed: list[str]) -> str:
    """Play the game to its end; return the last line."""
    mover = "B"
    while candidates(board, "B") or candidates(board, "W"):
        squares = candidates(board, mover)
        if not squares:
            printed.append(f"{mover} player has no valid move.\n")
        elif mover == computer:
            square = choose(board, mover)
            printed.append(f"Computer places {mover} at {name(square)}.\n")
            play(board, mover, square)
            printed.extend(show(board))
        else:
            printed.append(f"Enter move for colour {mover} (RowCol): ")
            word = reader.word().decode("latin-1")
            chosen = [square for square in squares if name(square) == word]
            if not chosen:
                printed.append("Invalid move.\n")
                return f"{computer} player wins.\n"
            play(board, mover, chosen[0])
            printed.extend(show(board))
        mover = other(mover)
    return verdict(board)


def new_board(n: int) -> Board:
    """Return an n x n board with four tiles in the middle."""
    board = [["U"] * n for _ in range(n)]
    low, high = n // 2 - 1, n // 2
    board[low][low] = board[high][high] = "W"
    board[low][high] = board[high][low] = "B"
    return board


def show(board: Board) -> list[str]:
    """Return the printed lines of a board, each with its newline."""
    lines = ["  " + LETTERS[: len(board)] + "\n"]
    for letter, row in zip(LETTERS, board, strict=False):
        lines.append(letter + " " + "".join(row) + "\n")
    return lines


def verdict(board: Board) -> str:
    black = sum(row.count("B") for row in board)
    white = sum(row.count("W") for row in board)
    if black == white:
        return "Draw!\n"
    return ("B" if black > white else "W") + " player wins.\n"


def name(square: Square) -> str:
    return LETTERS[square[0]] + LETTERS[square[1]]


def other(colour: str) -> str:
    return "W" if colour == "B" else "B"


def candidates(board: Board, colour: str) -> list[Square]:
    """Return the squares where a tile may be laid, from row `a` down, from column `a` on."""
    squares = [(row, column) for row in range(len(board)) for column in range(len(board))]
    return [square for square in squares if flips(board, colour, square)]


def flips(board: Board, colour: str, square: Square) -> list[Square]:
    """Return the tiles that a tile laid on a square flips; none where it may not be laid."""
    n = len(board)
    if board[square[0]][square[1]] != "U":
        return []
    found: list[Square] = []
    for down, right in COMPASS:
        row, column = square
        passed: list[Square] = []
        while 0 <= row + down < n and 0 <= column + right < n:
            row, column = row + down, column + right
            if board[row][column] != other(colour):
                break
            passed.append((row, column))
        if passed and board[row][column] == colour:
            found += passed
    return found


def play(board: Board, colour: str, square: Square) -> None:
    """Lay a tile and flip, in place."""
    for row, column in [square, *flips(board, colour, square)]:
        board[row][column] = colour


def choose(board: Board, colour: str) -> Square:
    """Return the computer's move: most tiles flipped, then the lower row, then the lower column."""
    best = candidates(board, colour)[0]
    for square in candidates(board, colour):
        if len(flips(board, colour, square)) > len(flips(board, colour, best)):
            best = square
    return best
