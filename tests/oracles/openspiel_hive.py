"""Seeded random games of OpenSpiel's Hive in our notation: an independent authority.

OpenSpiel counts equal pieces apart: `wA1 bQ/` moves the first ant of white to the northeast of the
queen of black. Here such actions are one move, by the cells alone.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pyspiel

Cell = tuple[int, int]
KINDS = {"Q": "queen", "S": "spider", "B": "beetle", "G": "grasshopper", "A": "ant"}
FIRST = (13, 12)
SIZE = 24
# A sign behind or before the piece that an action refers to.
BEHIND = {"/": (1, 1), "-": (1, 0), "\\": (0, -1)}
BEFORE = {"/": (-1, -1), "-": (-1, 0), "\\": (0, 1)}


@dataclass
class Table:
    """The cells of the pieces, which actions change."""

    cells: dict[str, Cell] = field(default_factory=dict)

    def target(self, action: str) -> Cell:
        """Return the cell to which an action leads."""
        _, _, place = action.partition(" ")
        if not place:
            return FIRST
        ways = BEFORE if place[0] in BEFORE else BEHIND
        sign = place[0] if place[0] in BEFORE else place[-1]
        x, y = self.cells[place.strip("/-\\")]
        dx, dy = ways.get(sign, (0, 0))
        return x + dx, y + dy

    def text(self, action: str) -> str:
        """Return an action in our notation."""
        piece = action.split()[0]
        if piece == "pass":
            return piece
        to = _name(self.target(action))
        at = self.cells.get(piece)
        return f"{to}={KINDS[piece[1]]}" if at is None else f"{_name(at)}-{to}"

    def play(self, action: str) -> None:
        """Carry an action out."""
        if action != "pass":
            self.cells[action.split()[0]] = self.target(action)


def random_game(seed: int, plies: int) -> Iterator[tuple[frozenset[str], str] | list[float]]:
    """Yield the legal moves and the move of each ply, then the returns if the game is over."""
    pieces = {f"uses_{name}": False for name in ("mosquito", "ladybug", "pillbug")}
    state = pyspiel.load_game("hive", pieces).new_initial_state()
    table, draw = Table(), random.Random(seed)
    for _ in range(plies):
        if state.is_terminal():
            yield state.returns()
            return
        texts = {action: _text(state, action) for action in state.legal_actions()}
        moved = [a for a, text in texts.items() if text.split()[0] in table.cells]
        action = draw.choice(moved if moved and draw.random() < 0.5 else list(texts))
        yield frozenset(map(table.text, texts.values())), table.text(texts[action])
        table.play(texts[action])
        state.apply_action(action)


def _text(state: Any, action: int) -> str:
    text: str = state.action_to_string(state.current_player(), action)
    return text


def _name(cell: Cell) -> str:
    return f"{'abcdefghijklmnopqrstuvwx'[(cell[0] - 1) % SIZE]}{(cell[1] - 1) % SIZE + 1}"
