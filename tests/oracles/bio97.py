"""BIO 1997 Othello, handwritten with lists of lists: the program and its rules.

`board[y][x]` counts rows from the top of the screen and columns from the left, both from 0.
"""

from tests.oracles.words import BadInputError, EndOfInputError, WordReader, number

WHITE, BLACK, EMPTY = "0", "*", "."
NAMES = {WHITE: "White", BLACK: "Black"}
SIZE = 8

Board = list[list[str]]
Square = tuple[int, int]


def run(data: bytes, strategy: int) -> tuple[bytes, int]:
    """Return the output and the exit code of the program on an input."""
    lines: list[str] = []
    code = 0
    try:
        _program(WordReader(data), strategy, lines)
    except EndOfInputError:
        pass
    except BadInputError:
        code = 1
    return "".join(line + "\n" for line in lines).encode(), code


def _program(reader: WordReader, strategy: int, lines: list[str]) -> None:
    board = read_centre(reader)
    mover = WHITE
    lines.append(f"Strategy {strategy}")
    lines.extend([*show(board), ""])
    while True:
        n = _accepted(reader)
        if n == -1:
            return
        if n > 0:
            mover = play_by_strategy(board, mover, strategy, n)
        else:
            x = _accepted(reader)
            if x == -1:
                return
            y = _accepted(reader)
            if y == -1:
                return
            square = (x - 1, SIZE - y)
            if square not in legal_squares(board):
                continue
            play(board, mover, square)
            mover = opponent(mover)
        lines.extend([*show(board), ""])
        if is_full(board):
            lines.append(verdict(board))
            return


def _accepted(reader: WordReader) -> int:
    """Read the next number of at least -1; every other word is ignored."""
    while True:
        value = number(reader.word())
        if value is not None and value >= -1:
            return value


def read_centre(reader: WordReader) -> Board:
    """Read four lines of four characters. Raises BadInputError, also for an empty centre."""
    rows = []
    for _ in range(4):
        word = reader.word()
        if len(word) != 4 or any(chr(byte) not in (WHITE, BLACK, EMPTY) for byte in word):
            raise BadInputError
        rows.append(word.decode("ascii"))
    if all(symbol == EMPTY for row in rows for symbol in row):
        raise BadInputError
    return new_board(rows)


def new_board(centre: list[str]) -> Board:
    """Return an 8x8 board with four lines of four characters in its middle."""
    board = [[EMPTY] * SIZE for _ in range(SIZE)]
    for y in range(4):
        for x in range(4):
            board[y + 2][x + 2] = centre[y][x]
    return board


def show(board: Board) -> list[str]:
    return ["".join(row) for row in board]


def opponent(player: str) -> str:
    return BLACK if player == WHITE else WHITE


def is_on(x: int, y: int) -> bool:
    return 0 <= x < SIZE and 0 <= y < SIZE


def is_full(board: Board) -> bool:
    return not any(EMPTY in row for row in board)


def count(board: Board, player: str) -> int:
    return sum(row.count(player) for row in board)


def verdict(board: Board) -> str:
    white, black = count(board, WHITE), count(board, BLACK)
    if white == black:
        return "Black and White draw."
    winner = WHITE if white > black else BLACK
    return f"{NAMES[winner]} wins by {abs(white - black)}."


def legal_squares(board: Board) -> list[Square]:
    """Return the squares that may be played, in reading order of the screen."""
    return [
        (x, y)
        for y in range(SIZE)
        for x in range(SIZE)
        if board[y][x] == EMPTY and _has_neighbour(board, x, y)
    ]


def _has_neighbour(board: Board, x: int, y: int) -> bool:
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if (dx or dy) and is_on(x + dx, y + dy) and board[y + dy][x + dx] != EMPTY:
                return True
    return False


def turned_by(board: Board, player: str, square: Square) -> list[Square]:
    """Return the squares of the pieces that a move flips."""
    turned: list[Square] = []
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if not (dx or dy):
                continue
            x, y = square[0] + dx, square[1] + dy
            run: list[Square] = []
            while is_on(x, y) and board[y][x] == opponent(player):
                run.append((x, y))
                x, y = x + dx, y + dy
            if is_on(x, y) and board[y][x] == player:
                turned += run
    return turned


def play(board: Board, player: str, square: Square) -> int:
    """Put a piece and flip the bracketed ones, in place; return the number flipped."""
    turned = turned_by(board, player, square)
    for x, y in [square, *turned]:
        board[y][x] = player
    return len(turned)


def play_by_strategy(board: Board, mover: str, strategy: int, n: int) -> str:
    """Play up to n moves in place; return the player who is then to move."""
    while n > 0 and not is_full(board):
        play(board, mover, choose(board, mover, strategy))
        mover = opponent(mover)
        n -= 1
    return mover


def choose(board: Board, player: str, strategy: int) -> Square:
    """Return the move of a strategy: the first of the best, from the bottom right upwards."""
    best: Square | None = None
    best_value = -1
    for y in range(SIZE - 1, -1, -1):
        for x in range(SIZE - 1, -1, -1):
            if board[y][x] != EMPTY or not _has_neighbour(board, x, y):
                continue
            value = _value(board, player, (x, y), strategy)
            if value > best_value:
                best, best_value = (x, y), value
    if best is None:
        raise ValueError("no move is left")
    return best


def _value(board: Board, player: str, square: Square, strategy: int) -> int:
    if strategy == 1:
        return len(turned_by(board, player, square))
    after = [row[:] for row in board]
    play(after, player, square)
    most = 0
    for reply in legal_squares(after):
        most = max(most, len(turned_by(after, opponent(player), reply)))
    return count(after, player) - most
