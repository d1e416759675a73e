"""Seeded random games of OpenSpiel in our notation, for games with moves of several actions.

OpenSpiel makes each jump and each removal a ply of its own; here consecutive actions of one player
are one move. If an additional rule of OpenSpiel ends a game early, no Result follows.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pyspiel

from tests.oracles.openspiel import Ply, Result

Actions = tuple[int, ...]
POINTS = (
    "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()
)  # of nine men's morris, in the order of OpenSpiel's drawing

# The cells of a board of three by three, counted in reading order.
LINES_OF_THREE = [
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
]


@dataclass(frozen=True, slots=True)
class Rules:
    """A game of OpenSpiel: our names of its players, and the meaning of its actions and drawings.

    `to_text` converts a move's actions, as texts, to our notation. `played` is true if our rules
    end a game where OpenSpiel does. `seen` is the part of a position that must not repeat, if any.
    `thrice` is the part of a drawing that makes a draw when it occurs for the third time.
    """

    theirs: str
    players: tuple[str, str]
    to_text: Callable[[list[str]], str]
    rows: Callable[[str], list[str]]
    played: Callable[[Any], bool] = lambda state: True
    seen: Callable[[Any], str | None] = lambda state: None
    thrice: Callable[[str], str | None] = lambda drawing: None


def random_game(name: str, seed: int) -> Iterator[Ply | Result]:
    """Play a game by random moves: yield a Ply for each position, then a Result.

    An optional pass is played rarely, for long games of Go.
    """
    rules = RULES[name]
    state = pyspiel.load_game(rules.theirs).new_initial_state()
    chance = random.Random(f"{name} {seed}")
    before = [rules.seen(state)]
    times = Counter[tuple[int, str | None]]()
    while not state.is_terminal():
        position = (state.current_player(), rules.thrice(str(state)))
        times[position] += 1
        if position[1] and times[position] > 2:
            yield Result(None, tuple(rules.rows(str(state))))
            return
        found = dict(_moves(rules, state, before))
        lively = [text for text in found if text != "pass" or chance.random() < 0.1]
        mover, played = rules.players[state.current_player()], chance.choice(lively or ["pass"])
        yield Ply(mover, frozenset(found), played, tuple(rules.rows(str(state))))
        for action in found[played]:
            state.apply_action(action)
        before.append(rules.seen(state))
    if rules.played(state):
        first = state.returns()[0]
        winner = None if first == 0 else rules.players[0 if first > 0 else 1]
        yield Result(winner, tuple(rules.rows(str(state))))


def _moves(rules: Rules, state: Any, before: list[str | None]) -> Iterator[tuple[str, Actions]]:
    """Yield our notation of each move, and its actions; without those that repeat a position."""
    for texts, actions, after in _chains(state, state.current_player()):
        seen = rules.seen(after)
        if seen is None or texts[-1].endswith("PASS") or seen not in before:
            yield rules.to_text(texts), actions


def _chains(state: Any, mover: int) -> Iterator[tuple[list[str], Actions, Any]]:
    """Yield the actions that a player makes until the turn is over, with their texts and the
    result.
    """
    for action in state.legal_actions():
        text, after = state.action_to_string(action), state.clone()
        after.apply_action(action)
        if after.is_terminal() or after.current_player() != mover:
            yield [text], (action,), after
            continue
        for texts, actions, last in _chains(after, mover):
            yield [text, *texts], (action, *actions), last


# Each game's notation and drawing.


def _gomoku(texts: list[str]) -> str:
    """Convert `row,column` from the upper left of the drawing, on seven lines."""
    row, column = texts[0].split(",")
    return f"{'abcdefg'[int(column)]}{7 - int(row)}"


def _gomoku_full(texts: list[str]) -> str:
    """Return the same on fifteen lines."""
    row, column = texts[0].split(",")
    return f"{'abcdefghijklmno'[int(column)]}{15 - int(row)}"


def _gomoku_rows(text: str) -> list[str]:
    """Return the rows without the first line, which names the player to move."""
    return [line.translate(str.maketrans("bw", "xo")) for line in text.split()[1:]]


def _clobber(texts: list[str]) -> str:
    return f"{texts[0][:2]}x{texts[0][2:]}"


def _labelled_rows(text: str) -> list[str]:
    """Return the lines that begin with a row number."""
    return [line[1:] for line in text.split("\n") if line[:1].isdigit()]


def _checkers(texts: list[str]) -> str:
    """Convert a move: OpenSpiel's first player begins at the bottom, ours at the top."""
    cells = [_turned(text[:2]) for text in texts] + [_turned(texts[-1][2:4])]
    jumps = abs(int(texts[0][1]) - int(texts[0][3])) == 2
    return ("x" if jumps else "-").join(cells)


def _turned(cell: str) -> str:
    return f"{'hgfedcba'['abcdefgh'.index(cell[0])]}{9 - int(cell[1])}"


def _checkers_rows(text: str) -> list[str]:
    """Return the rows; kings are `8` of the player with `o` and `*` of the player with `+`."""
    symbols = str.maketrans("o8+*", "bBwW")
    return [line[::-1].translate(symbols) for line in _labelled_rows(text)][::-1]


def _is_stuck(state: Any) -> bool:
    """True if a game of draughts is won: OpenSpiel draws after forty plies without a capture."""
    return bool(state.returns()[0] != 0)


def _go(texts: list[str]) -> str:
    """Convert a point to our notation; the column letters leave out `i`."""
    point = texts[0].split()[1]
    if point == "PASS":
        return "pass"
    return f"{'abcdefghi'['abcdefghj'.index(point[0])]}{point[1:]}"


def _go_rows(text: str) -> list[str]:
    found = re.findall(r"^ *[0-9]+ ([+XO]+)$", text, re.MULTILINE)
    return [line.translate(str.maketrans("+XO", ".xo")) for line in found]


def _go_board(state: Any) -> str:
    return "/".join(_go_rows(str(state)))


def _two_passed(state: Any) -> bool:
    """True if a game has ended by two passes rather than by its length."""
    actions = state.history()
    return len(actions) > 1 and all(
        state.action_to_string(side, action).endswith("PASS")
        for side, action in zip((0, 1), actions[-2:], strict=True)
    )


def _morris(texts: list[str]) -> str:
    numbers = [[POINTS[int(n)] for n in re.findall(r"\d+", text)] for text in texts]
    return "x".join("-".join(cells) for cells in numbers)


def _morris_rows(text: str) -> list[str]:
    """Return the points in reading order as one line, as we draw a graph."""
    drawing = text.split("\n\n")[0]
    points = "".join(c for c in drawing if c in ".WB")
    return [points.translate(str.maketrans("WB", "ox"))]


def _morris_position(drawing: str) -> str:
    """Return a drawing without the number of the turn."""
    return re.sub("Turn number: .*", "", drawing)


def _morris_ended(state: Any) -> bool:
    """True if the game ended by its rules: only OpenSpiel has a draw after so many turns."""
    return bool(state.returns()[0] != 0)


def _lines_of_action(texts: list[str]) -> str:
    return texts[0]


def _one_is_joined(state: Any) -> bool:
    """True if exactly one player is joined and wins.

    OpenSpiel calls a game a draw if any board repeats, with either player to move, and lets the
    mover win if both sides are joined: our rules do neither.
    """
    rows = _labelled_rows(str(state))
    return bool(state.returns()[0] != 0 and not (_is_joined(rows, "x") and _is_joined(rows, "o")))


def _is_joined(rows: list[str], symbol: str) -> bool:
    left = {(r, c) for r in range(8) for c in range(8) if rows[r][c] == symbol}
    waiting = [left.pop()]
    while waiting:
        r, c = waiting.pop()
        near = {(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} & left
        waiting.extend(near)
        left -= near
    return not left


def _amazons(texts: list[str]) -> str:
    """Convert `X From (7, 1)`, `X To (2, 6)`, `X Shoot: (1, 5)`: row from the top and column."""
    numbers = [re.findall(r"\d+", text) for text in texts]
    cells = [f"{'abcdefghij'[int(column) - 1]}{11 - int(row)}" for row, column in numbers]
    return f"{cells[0]}-{cells[1]}/{cells[2]}"


def _amazons_rows(text: str) -> list[str]:
    return text.translate(str.maketrans("XO", "WB")).split()


def _pentago(texts: list[str]) -> str:
    """Convert `a1s`: the letters are drawn next to the blocks, with arrows that rotate them."""
    cell, turn = texts[0][:2], texts[0][2]
    ways = {"s": "b2-left", "t": "b2-right", "u": "e2-left", "v": "e2-right"}
    ways |= {"w": "e5-left", "x": "e5-right", "y": "b5-left", "z": "b5-right"}
    return f"{cell}-{ways[turn]}"


def _pentago_rows(text: str) -> list[str]:
    return [row.replace(" ", "") for row in re.findall(r"[1-6]((?: [.O@]){6})", text)]


def _nine_boards(texts: list[str]) -> str:
    """Convert `Local board 7: x(0,2)`: board, row and column from the top left; a board is chosen
    first.
    """
    board, row, column = map(int, re.findall(r"\d+", texts[-1]))
    return f"{'abcdefghi'[3 * (board % 3) + column]}{9 - 3 * (board // 3) - row}"


def _nine_boards_rows(text: str) -> list[str]:
    """Return the rows; a board with a line is drawn as its owner's."""
    cells = list("".join(text.split("Current")[0].split()))
    for board in range(9):
        corner = 27 * (board // 3) + 3 * (board % 3)
        places = [corner + 9 * row + column for row in range(3) for column in range(3)]
        rows = ["".join(cells[places[i]] for i in line) for line in LINES_OF_THREE]
        for owner in {"xxx", "ooo"} & set(rows):
            for place in places:
                cells[place] = owner[0].upper()
    return ["".join(cells[i : i + 9]) for i in range(0, 81, 9)]


GO = Rules(
    "go(board_size=3,max_game_length=150)",
    ("black", "white"),
    _go,
    _go_rows,
    _two_passed,
    _go_board,
)
RULES = {
    "gomoku": Rules("gomoku(size=15)", ("black", "white"), _gomoku_full, _gomoku_rows),
    "gomoku-7": Rules("gomoku(size=7)", ("black", "white"), _gomoku, _gomoku_rows),
    "clobber": Rules("clobber", ("white", "black"), _clobber, _labelled_rows),
    "english-draughts": Rules(
        "checkers",
        ("black", "white"),
        _checkers,
        _checkers_rows,
        _is_stuck,
        thrice=str,
    ),
    "go-3": GO,
    "go-5": replace(GO, theirs="go(board_size=5,max_game_length=150)"),
    "nine-mens-morris": Rules(
        "nine_mens_morris",
        ("white", "black"),
        _morris,
        _morris_rows,
        _morris_ended,
        thrice=_morris_position,
    ),
    "lines-of-action": Rules(
        "lines_of_action", ("black", "white"), _lines_of_action, _labelled_rows, _one_is_joined
    ),
    "pentago": Rules(
        "pentago(ansi_color_output=False)", ("white", "black"), _pentago, _pentago_rows
    ),
    "ultimate-tic-tac-toe": Rules(
        "ultimate_tic_tac_toe", ("cross", "nought"), _nine_boards, _nine_boards_rows
    ),
    "amazons": Rules("amazons", ("white", "black"), _amazons, _amazons_rows),
}
