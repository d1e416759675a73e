"""BIO 2004 Four in a Line, handwritten: seven lists, one per column, filled from the bottom."""

from tests.oracles.words import BadInputError, EndOfInputError, WordReader, wanted_number

PIECES = ("*", "o")
HEIGHT, WIDTH = 6, 7

Columns = list[list[str]]


def run(data: bytes) -> tuple[bytes, int]:
    """Return the output and the exit code of the program on an input."""
    lines: list[str] = []
    code = 0
    try:
        _program(WordReader(data), lines)
    except EndOfInputError:
        pass
    except BadInputError:
        code = 1
    return "".join(line + "\n" for line in lines).encode(), code


def _program(reader: WordReader, lines: list[str]) -> None:
    columns, player = read_opening(reader)
    lines.extend([*show(columns), ""])
    winner: int | None = None
    while winner is None and not is_full(columns):
        word = reader.word()
        if word not in (b"n", b"r"):
            continue
        while True:
            column = choose(columns, player)
            columns[column].append(PIECES[player])
            if has_line(columns, PIECES[player]):
                winner = player
            player = 1 - player
            if word == b"n" or winner is not None or is_full(columns):
                break
        lines.extend([*show(columns), ""])
    lines.append("Draw" if winner is None else f"Player {winner + 1} wins")


def read_opening(reader: WordReader) -> tuple[Columns, int]:
    """Return the columns after the first moves and the player to move. Raises BadInputError."""
    columns: Columns = [[] for _ in range(WIDTH)]
    player = 0
    for _ in range(wanted_number(reader, 1, 10)):
        column = wanted_number(reader, 1, WIDTH) - 1
        if len(columns[column]) == HEIGHT:
            raise BadInputError
        columns[column].append(PIECES[player])
        if has_line(columns, PIECES[player]):
            raise BadInputError
        player = 1 - player
    return columns, player


def show(columns: Columns) -> list[str]:
    """Return the six lines of the board, the highest first."""
    lines = []
    for level in range(HEIGHT - 1, -1, -1):
        lines.append("".join(at(columns, x, level) for x in range(WIDTH)))
    return lines


def at(columns: Columns, x: int, level: int) -> str:
    """Return the piece on a square; `-` for none, off the board too."""
    if not 0 <= x < WIDTH or not 0 <= level < len(columns[x]):
        return "-"
    return columns[x][level]


def is_full(columns: Columns) -> bool:
    return all(len(column) == HEIGHT for column in columns)


def has_line(columns: Columns, piece: str) -> bool:
    """True if four of a piece are in a row, anywhere on the board."""
    for x in range(WIDTH):
        for level in range(HEIGHT):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all(at(columns, x + dx * i, level + dy * i) == piece for i in range(4)):
                    return True
    return False


def open_columns(columns: Columns) -> list[int]:
    return [x for x in range(WIDTH) if len(columns[x]) < HEIGHT]


def choose(columns: Columns, player: int) -> int:
    """Return the column of the simple strategy, counted from 0."""
    for piece in (PIECES[player], PIECES[1 - player]):
        for x in open_columns(columns):
            columns[x].append(piece)
            wins = has_line(columns, piece)
            columns[x].pop()
            if wins:
                return x
    return open_columns(columns)[0]
