"""Programs for the four games of the documents, right and wrong, with their expected verdicts.

The right ones are the handwritten programs for the documents, each in one file, and one in C. A
wrong one is a right one with one piece of its text replaced; its verdicts follow from the
replacement.
"""

import re
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parents[1]
ORACLES = {
    "acm92-othello": "acm92",
    "aps105-reversi": "aps105",
    "bio04-four-in-a-line": "bio04",
    "bio97-othello": "bio97",
}
FOUR = "bio04-four-in-a-line"
W, P, T, M, C = "wrong", "presentation", "time", "memory", "crash"


@dataclass(frozen=True, slots=True)
class Program:
    """A program for a game, and the verdicts other than `right` that it earns."""

    game: str
    name: str
    text: str
    verdicts: frozenset[str]


def programs() -> list[Program]:
    """Return all programs."""
    right = [Program(game, f"{oracle}.py", right_python(game), frozenset())
             for game, oracle in ORACLES.items()]  # fmt: skip
    return [*right, *_mutants(), *_wrapped(), *_in_c()]


def right_python(game: str, call: str = "run(sys.stdin.buffer.read())") -> str:
    """Return the handwritten program as one file without dependencies."""
    texts = [(TESTS / "oracles" / f"{name}.py").read_text() for name in ("words", ORACLES[game])]
    plain = re.sub(r"^from tests.*\n", "", "".join(texts), flags=re.M)
    if game == "bio97-othello":
        call = call.replace("read())", "read(), 1)")
    return (
        f"{plain}\nimport sys\nout, code = {call}\nsys.stdout.buffer.write(out)\nsys.exit(code)\n"
    )


# Inputs besides the documents' runs: an own win before a block, an odd board, a square out of
# reach.
INPUTS = {
    FOUR: (b"6 1 2 1 2 1 2 n\n",),
    "aps105-reversi": (b"5\nW\n",),
    "bio97-othello": (b".0*.\n0..0\n0000\n0*.0\n0 1 1 1\n",),
}

# For each game: a name, the old and the new text, and the resulting verdicts.
MUTANTS: dict[str, tuple[tuple[str, str, str, set[str]], ...]] = {
    "acm92-othello": (
        ("message", '"No legal move."', '"No legal moves."', {W}),
        ("narrow", "{black:2d}", "{black}", {P}),
        ("unparted", r'"\n".join(printed)', r'"".join(printed)', {P}),
        ("north-west", "[(-1, -1), ", "[", {W, C}),
        ("swapped", "count(board, BLACK), count(board, WHITE)",
         "count(board, WHITE), count(board, BLACK)", {W}),
        ("no-pass", "if not legal_squares(board, mover):", "if False:", {C}),
        ("columns-first", "({row + 1},{column + 1})", "({column + 1},{row + 1})", {W}),
        ("lenient", "legal_squares(board, mover):\n                raise BadInputError",
         "legal_squares(board, mover):\n                continue", {W}),
    ),
    FOUR: (
        ("other-pieces", '("*", "o")', '("o", "*")', {W}),
        ("no-falling-line", "(1, 1), (1, -1)", "(1, 1)", {W}),
        ("blocks-first", "(PIECES[player], PIECES[1 - player])",
         "(PIECES[1 - player], PIECES[player])", {W}),
        ("rightmost", "open_columns(columns)[0]", "open_columns(columns)[-1]", {W}),
        ("full-stop", 'wins")', 'wins.")', {W}),
        ("no-blank-line", '[*show(columns), ""]', "show(columns)", {P}),
        ("three", "for i in range(4)", "for i in range(3)", {W, C}),
        ("low", "HEIGHT, WIDTH = 6, 7", "HEIGHT, WIDTH = 5, 7", {W}),
        ("at-most-nine", "(reader, 1, 10)", "(reader, 1, 9)", {C}),
        ("strict-commands", "            continue\n", "            raise BadInputError\n", {C}),
    ),
    "aps105-reversi": (
        ("no-blank", '"Enter the board dimension: "', '"Enter the board dimension:"', {P, W}),
        ("last-of-best", ")) > len(", ")) >= len(", {W}),
        ("mercy", 'return f"{computer} player wins', 'return f"{other(computer)} player wins', {W}),
        ("no-word-of-passes", "if not squares:", "if not squares:\n            pass\n"
         "        elif not squares:", {W}),
        ("colours", '= "W"\n    board[low][high]', '= "B"\n    board[low][high]', {W}),
        ("odd-boards", " or n % 2 == 1", "", {W}),
        ("at-most-six", "n > 26", "n > 6", {C}),
    ),
    "bio97-othello": (
        ("highest", "range(SIZE - 1, -1, -1):\n        for", "range(SIZE):\n        for", {W}),
        ("no-full-stop", "(white - black)}.", "(white - black)}", {W}),
        ("from-the-top", "(x - 1, SIZE - y)", "(x - 1, y - 1)", {W}),
        ("no-blank-line", '[*show(board), ""]', "show(board)", {P}),
        ("black-first", "mover = WHITE\n", "mover = BLACK\n", {W}),
        ("passed-over", "if square not in legal_squares(board):\n                continue",
         "if square not in legal_squares(board):\n                return", {W}),
    ),
}  # fmt: skip

# Changes of the output of a right program, or replacements for it.
WRAPPED: tuple[tuple[str, str, set[str]], ...] = (
    ("blanks", r'out = out.replace(b"\n", b" \n")', {P}),
    ("crlf", r'out = out.replace(b"\n", b"\r\n")', {P}),
    ("unended", "out = out[:-1]", {P}),
    ("upper", "out = out.upper()", {W}),
    ("empty", "out = b''", {W}),
    ("doubled", "out += out", {W}),
    ("garbage", "out = bytes(range(256))", {W}),
    ("flood", "while True: sys.stdout.write('y' * 99)", {W}),
    ("noise", "sys.stderr.write('x' * 100000)", set()),
    ("byte-by-byte", "import os\nfor b in out: os.write(1, bytes([b]))\nout = b''", set()),
    ("orphan", "import os, time\nif os.fork() == 0:\n    os.setsid(); time.sleep(600)", set()),
    ("loop", "while True: pass", {T}),
    ("sleep", "import time; time.sleep(600)", {T}),
    ("waits-for-more", "while True: sys.stdin.readline()", {T}),
    ("hoard", "x = []\nwhile True: x.append(bytearray(2**20))", {M}),
    ("hoard-of-children", "import os\nfor i in range(8):\n    if os.fork() == 0:\n"
     "        x = b'x' * 2**26\n        import time; time.sleep(600)\nos.wait()", {M}),
    ("exit-code", "code = 3", {C}),
    ("exception", "raise ValueError", {C}),
    ("recursion", "def f(): f()\nf()", {C}),
    ("segmentation", "import ctypes; ctypes.string_at(0)", {C}),
    ("suicide", "import os; os.kill(os.getpid(), 9)", {C}),
    ("children", "import os, time\nfor i in range(50):\n    if os.fork() == 0: time.sleep(600)\n"
     "time.sleep(600)", {C}),
    ("no-output", "import os; os.close(1)", {C}),
)  # fmt: skip

IN_C: tuple[tuple[str, str, str, set[str]], ...] = (
    ("right", "", "", set()),
    ("null", "show();\n    while", "*(volatile int *)0 = 1;\n    while", {C}),
    ("abort", "show();\n    while", "abort();\n    while", {C}),
    ("zero", "show();\n    while", "volatile int zero = 0; exit(7 / zero);\n    while", {C}),
    ("silent-draw", 'printf("Draw\\n");\n    return 0;', "return 0;\n    return 0;", {W}),
    ("loop", "show();\n    while", "for (volatile int i = 0;; i++);\n    while", {T}),
    ("hoard", "show();\n    while",
     "for (;;) memset(malloc(1 << 20), 1, 1 << 20);\n    while", {M}),
    ("stack", "int main(void) {", "int f(int n) { volatile char x[10000]; x[0] = n;"
     " return f(n + 1) + x[0]; }\nint main(void) { if (f(0)) return 0;", {C}),
    ("diagonal", "d < 4", "d < 3", {W}),
    ("closed", "show();\n    while", "close(1);\n    while", {W}),
    ("children", "show();\n    while",
     "for (int i = 0; i < 50; i++) if (!fork()) sleep(600); sleep(600);\n    while", {C}),
    ("no-program", "int main", "int mein(", {C}),
)  # fmt: skip


def _mutants() -> list[Program]:
    made = []
    for game, rows in MUTANTS.items():
        for mutant, old, new, verdicts in rows:
            name = f"{ORACLES[game]}-{mutant}.py"
            text = right_python(game)
            assert old in text, name
            made.append(Program(game, name, text.replace(old, new), frozenset(verdicts)))
    return made


def _wrapped() -> list[Program]:
    head, end = right_python(FOUR).split("sys.stdout.buffer.write", 1)
    return [
        Program(
            FOUR, f"{name}.py", f"{head}{code}\nsys.stdout.buffer.write{end}", frozenset(verdicts)
        )
        for name, code, verdicts in WRAPPED
    ]


def _in_c() -> list[Program]:
    text = (TESTS / "data" / "judge" / "four.c").read_text()
    assert all(old in text for _, old, _, _ in IN_C)
    return [
        Program(FOUR, f"c-{name}.c", text.replace(old, new) if old else text, frozenset(verdicts))
        for name, old, new, verdicts in IN_C
    ]
