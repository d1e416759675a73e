"""Seeded random input for the four programs: mostly valid, with all mistakes of a user."""

import random
from collections.abc import Callable

from tests.oracles import acm92, aps105, bio04, bio97

Parameters = dict[str, int]
Words = list[str]

# Never a number, a command or a colour of any of the programs.
JUNK = [
    *("abc", "1.5", "3a", "+5", "--1", "-", "1e3", "0x1", "1_000", "NN", "next", "nn", "l", "q"),
    *(
        "\u0661",
        "\u00b2",
        "\u00a0",
        "1\u00a02",
        "n\u2003",
        "\x1c",
        "1\x1d",
        "\x85",
        "\x00",
        "\ufeff",
    ),
    *("M", "M3", "M355", "m35", "Mab", "LL", "aaa", "AA", "a1", "{word}", "%s", "W.", "*0"),
]
NUMBERS = ["-2", "-7", "-99999999999999999999", "-9223372036854775809", "007", "-0", "-01"]
HUGE = ["9223372036854775807", "9223372036854775808", "18446744073709551617", "1" * 30, "9" * 5000]
SEPARATORS = [
    " ",
    " ",
    "  ",
    "\t",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r\n",
    " \n",
    "\r\n\r\n",
    "\v",
    "\f",
]


def generate(name: str, seed: int) -> tuple[Parameters, bytes]:
    """Return random input for the program of a spec, with its parameters."""
    chance = random.Random(f"{name} {seed}")
    parameters: Parameters = {}
    if name == "bio97-othello":
        parameters["strategy"] = chance.choice([1, 2])
    words = MAKERS[name](chance)
    if chance.random() < 0.1:
        words.insert(chance.randrange(len(words) + 1), chance.choice(JUNK + NUMBERS + HUGE))
    if chance.random() < 0.15:
        del words[chance.randrange(len(words) + 1) :]
    data = join(chance, words)
    if chance.random() < 0.1:
        data = data[: chance.randrange(len(data) + 1)]
    return parameters, data


def join(chance: random.Random, words: Words) -> bytes:
    """Join the words with one kind of line end, or with any white space between them."""
    style = chance.choice(["\n", "\n", "\r\n", " ", ""])
    text = chance.choice(["", "", "", "\n", " \r\n"])
    for i, word in enumerate(words):
        text += word
        if i + 1 < len(words) or chance.random() < 0.8:
            text += style or chance.choice(SEPARATORS)
    data = text.encode()
    return data if chance.random() < 0.9 else data + b" \xff\xfe\n"


def _bio97(chance: random.Random) -> Words:
    words = _rows(chance, 4, 4, chance.choice([".0*", "0*", "...0*", ".0", "*"]))
    board = (
        bio97.new_board(words) if all(len(w) == 4 for w in words) else bio97.new_board(["0000"] * 4)
    )
    mover = bio97.WHITE
    for _ in range(chance.choice([2, 8, 30])):
        kind = chance.random()
        squares = bio97.legal_squares(board)
        if kind < 0.35:
            words.append(str(chance.choice([1, 1, 1, 2, 3, 10])))
        elif kind < 0.6 and squares:
            x, y = chance.choice(squares)
            bio97.play(board, mover, (x, y))
            mover = bio97.opponent(mover)
            words += _with_junk(chance, ["0", str(x + 1), str(8 - y)])
        elif kind < 0.8:
            words += _with_junk(chance, ["0", *(str(chance.randrange(-1, 10)) for _ in "xy")])
        elif kind < 0.9:
            words.append(chance.choice(JUNK + NUMBERS[:5]))
        elif kind < 0.93:
            words += ["0", chance.choice(HUGE), "1"]
        elif kind < 0.96:
            words.append(chance.choice(["99", "39", "60", "64", *HUGE]))
        elif kind < 0.97:
            words.append("-1")
    return words


def _acm92(chance: random.Random) -> Words:
    games = chance.choice([0, 1, 1, 2, 2, 3])
    words = [str(games) if chance.random() < 0.95 else chance.choice([*HUGE, *NUMBERS])]
    for _ in range(games):
        rows = _position(chance)
        mover = chance.choice("BW")
        words += [*rows, mover]
        words += _acm92_commands(chance, [list(row) for row in rows], mover)
    return words + chance.choice([[], [], ["Q"], ["rest", "L"]])


def _position(chance: random.Random) -> Words:
    """Return the first position, or random pieces: with few of one colour a player often cannot
    move.
    """
    if chance.random() < 0.4:
        return ["".join(row) for row in acm92.new_board()]
    return _rows(
        chance, 8, 8, chance.choice(["-BW", "BBBBBW-", "WWWWB-", "---BW", "B-", "BW", "-"])
    )


def _acm92_commands(chance: random.Random, board: acm92.Board, mover: str) -> Words:
    words = []
    for _ in range(chance.choice([0, 2, 10, 70])):
        if chance.random() < 0.2:
            words.append("L")
        elif chance.random() < 0.01:
            words.append(f"M{chance.randrange(100):02d}")
        if all(len(row) == 8 for row in board):
            player = mover if acm92.legal_squares(board, mover) else acm92.opponent(mover)
            squares = acm92.legal_squares(board, player)
            if squares:
                row, column = chance.choice(squares)
                acm92.play(board, player, (row, column))
                mover = acm92.opponent(player)
                words.append(f"M{row + 1}{column + 1}")
    return words + ["Q"] * (chance.random() < 0.9)


def _aps105(chance: random.Random) -> Words:
    n = chance.choice([4, 4, 4, 6, 6, 8, 10])
    computer = chance.choice("BW")
    words = [str(n), computer]
    if chance.random() < 0.1:
        words[0] = chance.choice(["2", "3", "5", "27", "28", "-4", "26", "06", "0", *JUNK, *HUGE])
    if chance.random() < 0.05:
        words[1] = chance.choice(["b", "w", "BW", "X", *JUNK])
    board, mover = aps105.new_board(n), "B"
    while aps105.candidates(board, "B") or aps105.candidates(board, "W"):
        squares = aps105.candidates(board, mover)
        if squares and mover == computer:
            aps105.play(board, mover, aps105.choose(board, mover))
        elif squares:
            square = chance.choice(squares)
            words.append(aps105.name(square))
            aps105.play(board, mover, square)
        mover = aps105.other(mover)
    if chance.random() < 0.3:
        at = chance.randrange(2, len(words) + 1)
        words.insert(at, chance.choice(["".join(chance.choices("abcdefz", k=2)), *JUNK[:16], "Ab"]))
    return words


def _bio04(chance: random.Random) -> Words:
    n = chance.randrange(1, 11)
    words = [str(n)]
    columns: bio04.Columns = [[] for _ in range(7)]
    for i in range(n):
        allowed = [x for x in range(7) if len(columns[x]) < 6]
        x = chance.choice(allowed)
        columns[x].append(bio04.PIECES[i % 2])
        if chance.random() < 0.02:
            words.append(chance.choice(["0", "8", "-1", "1.0", *HUGE, *NUMBERS]))
        words.append(str(x + 1))
    if chance.random() < 0.05:
        words[0] = chance.choice(["0", "11", "-1", "12", *JUNK, *HUGE])
    if chance.random() < 0.05:
        words[1:] = [str(chance.choice([1, 1, 1, 4]))] * 10
    for _ in range(chance.choice([3, 10, 45])):
        words.append(chance.choice(["n", "n", "n", "n", chance.choice(["N", "R", *JUNK, *HUGE])]))
        if chance.random() < 0.03:
            words.append("r")
    return words


def _rows(chance: random.Random, rows: int, columns: int, symbols: str) -> Words:
    """Return random lines of a board; sometimes one of them is malformed."""
    words = ["".join(chance.choices(symbols, k=columns)) for _ in range(rows)]
    if chance.random() < 0.03:
        i = chance.randrange(rows)
        words[i] = chance.choice([words[i][1:], words[i] + ".", "?" + words[i][1:]])
    return words


def _with_junk(chance: random.Random, words: Words) -> Words:
    """Return the words with occasional ignored ones between them."""
    out = []
    for word in words:
        if chance.random() < 0.1:
            out.append(chance.choice(JUNK + NUMBERS[:4]))
        out.append(word)
    return out


MAKERS: dict[str, Callable[[random.Random], Words]] = {
    "bio97-othello": _bio97,
    "acm92-othello": _acm92,
    "aps105-reversi": _aps105,
    "bio04-four-in-a-line": _bio04,
}
