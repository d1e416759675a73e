"""The common part of a game's positions: the board and the coordinates of its cells."""

from collections import Counter
from functools import cached_property

from rulesengine.board.topology import Topology
from rulesengine.drawing import BoardSvg, Scene, SharedParts, Theme, write
from rulesengine.drawing.svg_elements import UNIT
from rulesengine.game import Game
from rulesengine.server.web.encoding import EncodedJson, encoded
from rulesengine.server.web.lru import LruCache
from rulesengine.state import Form

Table = dict[str, object]


class BoardView:
    """The board of a game as pages show it; each part is computed on first use."""

    def __init__(self, game: Game) -> None:
        self._program = program = game.program
        self._game = game
        self._names = program.form.cells
        self._written = LruCache[tuple[Theme, bool], BoardSvg](8)
        self.ground = SharedParts(program)

    def written(self, theme: Theme, *, coordinates: bool) -> BoardSvg:
        """Return the board as it is printed, without pieces."""
        return self._written.get(
            (theme, coordinates), lambda: write(self._bare(coordinates), theme)
        )

    @cached_property
    def has_pairs(self) -> bool:
        """True if pictures join pieces that a move places on two cells."""
        return any(
            piece_style.joined not in ("", "group") for piece_style in self.ground.appearances
        )

    def _bare(self, coordinates: bool) -> Scene:
        return self.ground.board if coordinates else self.ground.plain_board

    @cached_property
    def drops(self) -> str:
        """Return the lines of cells that determine a placement; empty if none do."""
        return drop_axis(self._game)

    @cached_property
    def table(self) -> EncodedJson:
        """Return the cells in rows and columns."""
        return EncodedJson(encoded(board_table(self._program.topology)))

    @cached_property
    def kinds(self) -> list[str]:
        """Return the contents of a cell by plane, as parts of a JSON object; the last is empty."""
        form = self._program.form
        rows = [
            {"piece": piece_name(form, plane), "symbol": symbol or ""}
            for plane, symbol in enumerate(form.symbols)
        ]
        return [encoded(one)[1:-1] for one in (*rows, {"piece": "", "symbol": ""})]

    @cached_property
    def pieces(self) -> EncodedJson:
        """Return the pieces with a symbol, and last an empty cell."""
        form = self._game.program.form
        named = {symbol: piece_name(form, p) for p, symbol in enumerate(form.symbols) if symbol}
        rows = [{"piece": piece, "symbol": symbol} for symbol, piece in named.items()]
        return EncodedJson(encoded([*rows, {"piece": "", "symbol": form.empty}]))

    @cached_property
    def heads(self) -> list[tuple[int, str]]:
        """Return each cell with its name and place, as the beginning of a JSON object."""
        return [(cell, encoded(shown)[:-1]) for cell, shown in self.cells]

    @cached_property
    def cells(self) -> list[tuple[int, Table]]:
        """Return each cell with its name and its place in picture coordinates."""
        return [
            (
                place.cell,
                {
                    "name": self._names[place.cell],
                    "at": _scaled(place.at),
                    "outline": [_scaled(point) for point in place.outline],
                },
            )
            for place in self.ground.board.places
        ]


def drop_axis(game: Game) -> str:
    """Return `columns` or `rows` if one of them determines a placement, as where pieces fall.

    That holds if the initial position has one placement in each column (or row) of the board, and
    these lines have several cells.
    """
    screen, moves = game.program.topology.screen, game.legal_moves(game.initial_state())
    if any([step.kind for step in move.steps] != ["place"] for move in moves):
        return ""
    targets = [move.steps[0].target for move in moves]
    for axis, name in ((1, "columns"), (0, "rows")):
        lines = Counter(place[axis] for place in screen)
        if Counter(screen[target][axis] for target in targets) == dict.fromkeys(lines, 1):
            return name if min(lines.values()) > 1 else ""
    return ""


def piece_name(form: Form, plane: int) -> str:
    """Return the name of the pieces of a plane: owner and kind."""
    kind, side = divmod(plane, len(form.players) + 1)
    owner = f"{form.players[side]} " if side < len(form.players) else ""
    return f"{owner}{form.kinds[kind]}"


def board_table(board: Topology) -> Table:
    """Return the cells in rows and columns, as the printed board has them; None for a gap."""
    columns = 1 + max(column for _, column in board.screen)
    rows: list[list[int | None]] = [[None] * columns for _ in board.indents]
    for cell, (row, column) in enumerate(board.screen):
        rows[row][column] = cell
    labels = zip(board.row_labels, rows, strict=True)
    shown = [{"label": label, "cells": cells} for label, cells in labels]
    return {"columns": list(board.column_labels), "rows": shown}


def _scaled(point: tuple[float, float]) -> list[float]:
    """Scale a point to picture coordinates."""
    return [round(part * UNIT, 1) for part in point]
