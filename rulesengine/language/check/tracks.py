"""The tracks of a spec: sequences of cells, open or closed."""

import re
from collections.abc import Callable

from rulesengine.board.coordinates import nearest_cell
from rulesengine.board.topology import Topology
from rulesengine.language.check.context import Context
from rulesengine.language.check.reader import entries, text
from rulesengine.language.document.nodes import Node, Scalar
from rulesengine.language.ir.rules import Track
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.source import Span

# Signs that authors write between cells in place of `-`; `>` is left of an arrow.
_SEPARATOR = re.compile(r"[\s,;>→]+")
_BETWEEN = re.compile(r"[-\s,;>→\"']+")


class Tracks:
    """A reader of the section `tracks` into a context."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._spans: dict[str, Node] = {}

    def read(self, node: Node | None, take: Callable[[str, Span], bool]) -> None:
        """Declare each track; its cells are validated when the board is known."""
        for name, span, value in entries(node):
            cells = tuple(cell.strip() for cell in text(value).split("-") if cell.strip())
            closed = len(cells) > 1 and cells[0] == cells[-1]
            if take(name, span):
                cells = cells[:-1] if closed else cells
                self.context.tracks[name] = Track(
                    name, cells, closed, self.context.site(value.span)
                )
                if isinstance(value, Scalar):  # the schema reports any other value
                    self._spans[name] = value

    def check(self) -> None:
        """Report invalid tracks, and cells that the board does not have."""
        for name, value in self._spans.items():
            track, span = self.context.tracks[name], value.span
            if any(_SEPARATOR.search(cell) for cell in track.cells):
                self._not_joined(track, span)
                continue
            again = [cell for i, cell in enumerate(track.cells) if cell in track.cells[:i]]
            if len(track.cells) < 2:
                self._too_short(track, span)
            elif again:
                once = [*dict.fromkeys(track.cells), *track.cells[: int(track.closed)]]
                help = "a closed track ends with its first cell; no other comes again"
                message = f"`{again[0]}` occurs twice on the track"
                self.context.report("bad-track", span, message, Suggestion(help, "-".join(once)))
            self._cells(track, span)

    def _too_short(self, track: Track, span: Span) -> None:
        board, help = self.context.topology, "write cells with `-` between: `a1-b1-c1`"
        if board is None or all(_is_cell(cell, board) for cell in track.cells):
            self.context.report("bad-track", span, "a track has two cells or more", help)

    def _not_joined(self, track: Track, span: Span) -> None:
        """Report cells with other signs between them; the fix is for cells of the board only."""
        board, help = self.context.topology, "write cells with `-` between: `a1-b1-c1`"
        cells = [part for cell in track.cells for part in _SEPARATOR.split(cell) if part]
        cells += cells[:1] * track.closed
        written = [part for part in _BETWEEN.split(span.text) if part]
        if board and written == cells and all(cell in board.names for cell in cells):
            joined = "-".join(cells)
            help = Suggestion(f"write `{joined}`", joined)
        message = "cells of a track are joined by `-`"
        self.context.report("bad-track", span, message, help)

    def _cells(self, track: Track, span: Span) -> None:
        board = self.context.topology
        for cell in track.cells if board else ():
            assert board is not None
            if not _is_cell(cell, board):
                at = span.start + span.text.index(cell)
                nearest = nearest_cell(cell, board.names)
                help = Suggestion(f"did you mean `{nearest}`?", nearest) if nearest else ""
                message = f"no cell `{cell[:40]}` on this board"
                where = Span(span.source, at, at + len(cell))
                self.context.report("bad-cell", where, message, help)
                return


def _is_cell(name: str, board: Topology) -> bool:
    return name in board.names or name.upper() in board.names
