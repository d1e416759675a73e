"""The calls of `rows` and `columns` in a document, with their operations."""

from collections.abc import Iterator

from rulesengine.language.check.recording_checker import RecordingChecker, place
from rulesengine.language.document.nodes import Document
from rulesengine.language.ir.ops import Op
from rulesengine.language.syntax import nodes as n

_BANDS = ("rows", "columns")


def bands(document: Document) -> Iterator[tuple[n.Call, tuple[Op, ...]]]:
    """Yield each call in the own text of a document without errors, with its operations.

    Calls in `board` are left out: holes are cells that the finished board does not have.
    A call in a definition with arguments has several operations.
    """
    own = document.root.span.source
    if not any(f"{word}(" in own.text for word in _BANDS):
        return
    board = document.root.get("board")
    recorder = RecordingChecker(document)
    recorder.check()
    for parsed in recorder.parsed.values():
        for node in n.walk(parsed):
            if not isinstance(node, n.Call) or node.function not in _BANDS:
                continue
            is_of_board = board and board.span.start <= node.span.start < board.span.end
            if node.span.source == own and not is_of_board:
                yield node, tuple(recorder.ops.get(place(node), ()))
