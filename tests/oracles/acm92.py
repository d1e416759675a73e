"""ACM 1992 finals, problem F, handwritten: `board[row][column]`, counted from 0 at the top left."""

from tests.oracles.words import LARGEST, BadInputError, EndOfInputError, WordReader, wanted_number

WHITE, BLACK, EMPTY = "W", "B", "-"
SIZE = 8
COMPASS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

Board = list[list[str]]
Square = tuple[int, int]


def run(data: bytes) -> tuple[bytes, int]:
    """Return the output and the exit code of the program on an input."""
    games: list[list[str]] = []
    code = 0
    try:
        _program(WordReader(data), games)
    except EndOfInputError:
        pass
    except BadInputError:
        code = 1
    printed = ["".join(line + "\n" for line in lines) for lines in games if lines]
    return "\n".join(printed).encode(), code


def _program(reader: WordReader, games: list[list[str]]) -> None:
    left = wanted_number(reader, 0, LARGEST)
    while left > 0:
        left -= 1
        lines: list[str] = []
        games.append(lines)
        board = [_read_row(reader) for _ in range(SIZE)]
        _commands(reader, board, _read_player(reader), lines)


def _read_row(reader: WordReader) -> list[str]:
    word = reader.word()
    if len(word) != SIZE or any(chr(byte) not in (WHITE, BLACK, EMPTY) for byte in word):
        raise BadInputError
    return [chr(byte) for byte in word]


def _read_player(reader: WordReader) -> str:
    word = reader.word()
    if word not in (b"B", b"W"):
        raise BadInputError
    return word.decode()


def _commands(reader: WordReader, board: Board, mover: str, lines: list[str]) -> None:
    while True:
        word = reader.word()
        if word == b"Q":
            lines.extend("".join(row) for row in board)
            return
        if word == b"L":
            squares = legal_squares(board, mover)
            shown = " ".join(f"({row + 1},{column + 1})" for row, column in squares)
            lines.append(shown or "No legal move.")
        elif len(word) == 3 and word[:1] == b"M" and word[1:].isdigit():
            if not legal_squares(board, mover):
                mover = opponent(mover)
            square = (word[1] - ord("0") - 1, word[2] - ord("0") - 1)
            if square not in legal_squares(board, mover):
                raise BadInputError
            play(board, mover, square)
            mover = opponent(mover)
            black, white = count(board, BLACK), count(board, WHITE)
            lines.append(f"Black - {black:2d} White - {white:2d}")
        else:
            raise BadInputError


def new_board() -> Board:
    """Return the board of the first sample."""
    board = [[EMPTY] * SIZE for _ in range(SIZE)]
    board[3][3] = board[4][4] = WHITE
    board[3][4] = board[4][3] = BLACK
    return board


def opponent(player: str) -> str:
    return BLACK if player == WHITE else WHITE


def count(board: Board, player: str) -> int:
    return sum(row.count(player) for row in board)


def legal_squares(board: Board, player: str) -> list[Square]:
    """Return the empty squares that bracket an opposing piece, row by row."""
    return [
        (row, column)
        for row in range(SIZE)
        for column in range(SIZE)
        if board[row][column] == EMPTY and bracketed(board, player, (row, column))
    ]


def bracketed(board: Board, player: str, square: Square) -> list[Square]:
    """Return the opponent's squares between this one and another of the player."""
    found: list[Square] = []
    for down, right in COMPASS:
        for length in range(1, SIZE):
            row, column = square[0] + down * length, square[1] + right * length
            if not (0 <= row < SIZE and 0 <= column < SIZE) or board[row][column] == EMPTY:
                break
            if board[row][column] == player:
                for i in range(1, length):
                    found.append((square[0] + down * i, square[1] + right * i))
                break
    return found


def play(board: Board, player: str, square: Square) -> None:
    """Put a piece and flip the bracketed ones, in place."""
    for row, column in [square, *bracketed(board, player, square)]:
        board[row][column] = player
