"""Seeded random games of OpenSpiel in our notation: an independent authority on five games."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyspiel


@dataclass(frozen=True, slots=True)
class Ply:
    """A position: its legal moves, the move played, the mover, and the board.

    `board` has the lines of the screen from the top, with our symbols.
    """

    mover: str
    legal: frozenset[str]
    played: str
    board: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game: our name of the winner, None for a draw; the last board."""

    winner: str | None
    board: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Correspondence:
    """The mapping from a game of OpenSpiel to ours: names of players, moves and symbols."""

    theirs: str
    players: tuple[str, str]
    to_text: Callable[[Any, int], str]
    symbols: dict[str, str]
    rows: Callable[[str], list[str]]


def random_game(name: str, seed: int) -> Iterator[Ply | Result]:
    """Play a game by uniformly random moves: yield a Ply for each position, then a Result."""
    game = (GAMES | VARIANTS)[name]
    state = pyspiel.load_game(game.theirs).new_initial_state()
    chance = random.Random(f"{name} {seed}")
    while not state.is_terminal():
        actions = state.legal_actions()
        texts = [game.to_text(state, action) for action in actions]
        if len(set(texts)) != len(actions):
            raise ValueError(f"two moves with one notation in {texts}")
        i = chance.randrange(len(actions))
        mover = game.players[state.current_player()]
        yield Ply(mover, frozenset(texts), texts[i], board(game, state))
        state.apply_action(actions[i])
    first = state.returns()[0]
    winner = None if first == 0 else game.players[0 if first > 0 else 1]
    yield Result(winner, board(game, state))


def board(game: Correspondence, state: Any) -> tuple[str, ...]:
    """Return the lines of a position's board in our symbols."""
    rows = game.rows(str(state))
    return tuple("".join(game.symbols[symbol] for symbol in row) for row in rows)


def _othello(state: Any, action: int) -> str:
    text: str = state.action_to_string(action)
    return text  # `d3` from the top left, and `pass`


def _connect_four(state: Any, column: int) -> str:
    """Return the cell where the disc lands; rows count from the bottom."""
    height = sum(row[column] != "." for row in str(state).split())
    return f"{'abcdefgh'[column]}{height + 1}"


def _tic_tac_toe(state: Any, action: int) -> str:
    """Convert an action, which counts the cells of the screen row by row; our rows count from the
    bottom.
    """
    row, column = divmod(action, 3)
    return f"{'abc'[column]}{3 - row}"


def _hex(state: Any, action: int) -> str:
    """Convert an action, which counts the cells row by row from the top.

    OpenSpiel's first player joins top and bottom as red does (`test_openspiel.py` shows it), so no
    transposition is needed.
    """
    row, column = divmod(action, 11)
    return f"{'abcdefghijk'[column]}{row + 1}"


def _breakthrough(state: Any, action: int) -> str:
    """Convert a move: OpenSpiel's first player, black, starts at the top, so the board is rotated.

    OpenSpiel's black is our white. A capture ends in `*`.
    """
    found = re.fullmatch(r"([a-h])([1-8])([a-h])([1-8])(\*?)", state.action_to_string(action))
    if found is None:
        raise ValueError(state.action_to_string(action))
    from_column, from_row, to_column, to_row, capture = found.groups()
    sign = "x" if capture else "-"
    return f"{from_column}{9 - int(from_row)}{sign}{to_column}{9 - int(to_row)}"


def _othello_rows(text: str) -> list[str]:
    return [line.replace(" ", "")[1:-1] for line in text.split("\n")[2:10]]


def _plain_rows(text: str) -> list[str]:
    return text.split()


def _hex_rows(text: str) -> list[str]:
    """Return the rows without indentation; each line is indented by its number."""
    return [line.replace(" ", "") for line in text.split("\n") if line.strip()]


def _breakthrough_rows(text: str) -> list[str]:
    return [line[1:] for line in text.split("\n")[:8]][::-1]


def _turned(n: int, state: Any, action: int) -> str:
    """Rotate OpenSpiel's triangle, which has a corner at the bottom; rows count from 1."""
    text = state.action_to_string(action)
    column, row = "abcdefghijklmnopqrs".index(text[0]), int(text[1:])
    return f"{'abcdefghijklmnopqrs'[n - row - column]}{n - row + 1}"


def _named(state: Any, action: int) -> str:
    text: str = state.action_to_string(action)
    return text


def _stone_rows(text: str) -> list[str]:
    """Return the rows without labels and indentation; the last stone is in brackets."""
    rows = (re.sub(r"[^.O@]", "", line) for line in text.split("\n"))
    return [row for row in rows if row]


def _turned_rows(text: str) -> list[str]:
    return [row[::-1] for row in reversed(_stone_rows(text))]


STONES = {".": ".", "O": "x", "@": "o"}
MARKS = {".": ".", "x": "x", "o": "o"}
GAMES = {
    "othello": Correspondence(
        "othello", ("black", "white"), _othello, {"-": ".", "x": "*", "o": "o"}, _othello_rows
    ),
    "connect-four": Correspondence(
        "connect_four", ("first", "second"), _connect_four, MARKS, _plain_rows
    ),
    "tic-tac-toe": Correspondence(
        "tic_tac_toe", ("cross", "nought"), _tic_tac_toe, MARKS, _plain_rows
    ),
    "hex": Correspondence("hex(board_size=11)", ("red", "blue"), _hex, MARKS, _hex_rows),
    "breakthrough": Correspondence(
        "breakthrough",
        ("white", "black"),
        _breakthrough,
        {".": ".", "b": "W", "w": "B"},
        _breakthrough_rows,
    ),
}
VARIANTS = {
    "anti-othello": replace(GAMES["othello"], theirs="misere(game=othello())"),
    "misere-connect-four": replace(GAMES["connect-four"], theirs="misere(game=connect_four())"),
    "misere-tic-tac-toe": replace(GAMES["tic-tac-toe"], theirs="misere(game=tic_tac_toe())"),
    **{
        f"y-{n}": Correspondence(
            f"y(board_size={n})", ("black", "white"), partial(_turned, n), STONES, _turned_rows
        )
        for n in (4, 11)
    },
    **{
        f"havannah-{n}": Correspondence(
            f"havannah(board_size={n})", ("black", "white"), _named, STONES, _stone_rows
        )
        for n in (3, 8)
    },
    "connect-five": replace(
        GAMES["connect-four"], theirs="connect_four(rows=7,columns=8,x_in_row=5)"
    ),
}
