"""The tracks of a spec: sequences of cells, open or closed."""

from collections.abc import Callable

from rulesengine.board.coordinates import nearest_cell
from rulesengine.language.check.context import Context
from rulesengine.language.check.reader import entries, text
from rulesengine.language.document.nodes import Node
from rulesengine.language.ir.rules import Track
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.source import Span


class Tracks:
    """A reader of the section `tracks` into a context."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._spans: dict[str, Node] = {}

    def read(self, node: Node | None, take: Callable[[str, Span], bool]) -> None:
        """Declare each track; its cells are validated when the board is known."""
        for name, span, value in entries(node):
            cells = tuple(cell for cell in "".join(text(value).split()).split("-") if cell)
            closed = len(cells) > 1 and cells[0] == cells[-1]
            if take(name, span):
                cells = cells[:-1] if closed else cells
                self.context.tracks[name] = Track(
                    name, cells, closed, self.context.site(value.span)
                )
                self._spans[name] = value

    def check(self) -> None:
        """Report invalid tracks, and cells that the board does not have."""
        for name, track in self.context.tracks.items():
            span = self._spans[name].span
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
        if board and track.cells:
            other = next((name for name in board.names if name not in track.cells), "")
            help = Suggestion(help, f"{track.cells[0]}-{other}")
        self.context.report("bad-track", span, "a track has two cells or more", help)

    def _cells(self, track: Track, span: Span) -> None:
        board = self.context.topology
        for cell in track.cells if board else ():
            assert board is not None
            if cell not in board.names and cell.upper() not in board.names:
                at = span.start + span.text.index(cell)
                nearest = nearest_cell(cell, board.names)
                help = Suggestion(f"did you mean `{nearest}`?", nearest) if nearest else ""
                message = f"no cell `{cell[:40]}` on this board"
                where = Span(span.source, at, at + len(cell))
                self.context.report("bad-cell", where, message, help)
                return
