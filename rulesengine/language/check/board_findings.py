"""Diagnostics for a board and its notation, at the word that causes them, with corrections."""

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Protocol

from rulesengine.board.shapes import SHAPES
from rulesengine.language.check.context import Context
from rulesengine.language.check.diagrams import drawing_finding
from rulesengine.language.check.reader import entries, get, items, text
from rulesengine.language.document.edits import with_entry, without_entry
from rulesengine.language.document.nodes import Mapping, Node, Scalar
from rulesengine.language.ir.drawn_sets import IN, OUT
from rulesengine.support.diagnostic import Diagnostic, Suggestion, did_you_mean, nearest
from rulesengine.support.limits import MAX_CELLS
from rulesengine.support.source import Span

# The fields of each template.
_NOTATION = MappingProxyType(
    {
        "cell": ("column", "row", "screen_column", "screen_row"),
        "place": ("to",),
        "move": ("from", "to"),
        "capture": ("from", "to"),
        "pass": (),
        "swap": (),
    }
)
_DRAWING = MappingProxyType(
    {
        "top": ("columns",),
        "row": ("label", "cells"),
        "bottom": ("columns",),
        "cell": ("symbol",),
    }
)
_FIELD = re.compile(r"\{([^{}:]*)(?::[^{}]*)?\}")
_OTHER_WORDS = MappingProxyType(
    {"col": "column", "file": "column", "rank": "row", "x": "column", "y": "row", "board": "cells"}
)


class Problem(Protocol):
    """An impossible board: the key and the word that cause it, and a similar valid word, if known.

    In a drawing the cause is a row and a sign, counted from 1; `expected` is the expected number.
    """

    @property
    def key(self) -> str: ...

    @property
    def word(self) -> str: ...

    @property
    def nearest(self) -> str: ...

    @property
    def row(self) -> int: ...

    @property
    def sign(self) -> int: ...

    @property
    def expected(self) -> int: ...


def check_cells(context: Context, board: Node | None) -> None:
    """Report names of a graph's cells that are not names, such as the `.` of a drawing."""
    node = get(board, "cells")
    if text(get(board, "shape")) != "graph" or not isinstance(node, Scalar):
        return
    for match in re.finditer(r"\S+", node.text.text):
        if not re.search(r"\w", match[0]):
            sign = re.escape(match[0])
            cleared = re.sub(rf"(?<!\S){sign}(?!\S)", " " * len(match[0]), node.span.text)
            help = Suggestion("leave blanks where there is no cell", cleared, node.span)
            message = f"`{match[0][:40]}` is no name of a cell"
            context.report("bad-board", node.text.span(*match.span()), message, help)
            return


def check_links(context: Context, board: Node | None) -> None:
    """Report every word of a graph's edges and lines that is not one of its cells."""
    cells = [word for item in items(get(board, "cells")) for word in text(item).split()]
    if text(get(board, "shape")) != "graph" or not cells:
        return
    for span in (*_linked(get(board, "edges")), *_linked(get(board, "lines"))):
        if span.text not in cells:
            help = did_you_mean(span.text, cells) or "the cells are " + ", ".join(cells[:12])
            context.report("bad-board", span, f"no cell is named `{span.text[:40]}`", help)


def _linked(node: Node | None) -> Iterator[Span]:
    """Yield the spans of the cell names in `a-b-c d-e` and in lists of cells."""
    for item in items(node):
        if isinstance(item, Scalar):
            yield from (item.text.span(*m.span()) for m in re.finditer(r"[^\s-]+", item.text.text))
        else:
            yield from (
                one.text.span(0, len(one.text.text))
                for one in items(item)
                if isinstance(one, Scalar)
            )


_NOTHING_LEFT = "all of them are holes"


def board_finding(problem: Problem, message: str, root: Mapping) -> Diagnostic:
    """Make the diagnostic for an impossible board, as near to its cause as possible."""
    board, key = root.get("board"), problem.key
    if key == "labels":
        return _labels_finding(problem, message, root)
    drawn = get(root.get("regions"), problem.word) if key == "regions" else get(board, key)
    if isinstance(drawn, Scalar) and (problem.row or problem.expected):
        return drawing_finding(problem, message, drawn)
    section = board if get(board, key) is not None else root.get("notation")
    node = get(section, key)
    cells = [word for item in items(get(board, "cells")) for word in text(item).split()]
    if (diagnostic := _too_many(board, message)) is not None:
        return diagnostic
    board_entry = root.entry("board")
    if node is None and board_entry and isinstance(board, Mapping):
        return Diagnostic("bad-board", board_entry.key_span, message, _needed(message, board))
    if not isinstance(node, Scalar) or not isinstance(section, Mapping):
        return _with_word(problem, message, node or board or root, cells)
    entry = section.entry(key)
    if entry and (" takes no " in message or _NOTHING_LEFT in message):
        where, write = without_entry(section, entry)
        help = Suggestion(f"leave `{key}` out", write, where)
        span = node.span if _NOTHING_LEFT in message else entry.key_span
        return Diagnostic("bad-board", span, message, help)
    if problem.word:
        return _with_word(problem, message, node, cells)
    return Diagnostic("bad-board", node.span, message, _bounds_help(key, node))


def _too_many(board: Node | None, message: str) -> Diagnostic | None:
    """Report a board with too many cells at its rows, and suggest the greatest number of rows."""
    rows, columns = (get(board, key) for key in ("rows", "columns"))
    if not message.startswith("a board has at most") or not isinstance(rows, Scalar):
        return None
    width = columns.value if isinstance(columns, Scalar) else None
    if type(width) is not int or not 0 < width <= MAX_CELLS or get(board, "layers") is not None:
        return Diagnostic("bad-board", rows.span, message)
    most = MAX_CELLS // width
    help = Suggestion(f"{most} rows of {width} are the most", str(most))
    return Diagnostic("bad-board", rows.span, message, help)


def _with_word(problem: Problem, message: str, node: Node, cells: list[str]) -> Diagnostic:
    """Report at the last occurrence of the word in a value, or at the value's first character."""
    span, word = node.span, problem.word
    edge = r"[\w-]" if "-" in word else r"\w"
    pattern = re.compile(rf"(?<!{edge}){re.escape(word)}(?!{edge})")
    inside = list(pattern.finditer(span.source.text, span.start, span.end)) if word else []
    if not inside:
        return Diagnostic("bad-board", Span(span.source, span.start, span.start + 1), message)
    last_word = Span(span.source, inside[-1].start(), inside[-1].end())
    return Diagnostic("bad-board", last_word, message, _word_help(problem, node, cells))


def _word_help(problem: Problem, node: Node, cells: list[str]) -> str:
    if problem.key in ("edges", "lines") and cells:
        return did_you_mean(problem.word, cells) or "the cells are " + ", ".join(cells[:12])
    if problem.key == "holes" and set(problem.word) <= {IN, OUT}:
        return "write a drawing as a block text: `holes: |`, and each row on a line of its own"
    if problem.key == "holes":
        out = re.compile(rf"\s*\b{re.escape(problem.word)}\b").search(
            node.span.source.text, node.span.start
        )
        at = out.start() if out else node.span.start
        span = Span(node.span.source, at, out.end() if out else at)
        return Suggestion(f"leave `{problem.word}` out", "", span)
    return (
        Suggestion(f"the nearest is `{problem.nearest}`", problem.nearest)
        if problem.nearest
        else ""
    )


def _bounds_help(key: str, node: Scalar) -> str:
    if key in ("rows", "columns", "layers", "size") and type(node.value) is int and node.value < 1:
        return Suggestion("the least size is 1", "1")
    if key in ("rows", "columns", "layers", "size"):
        return "a size is made of numbers and parameters with `+`, `-`, `*`, `/`, `%`"
    if key == "cell" and any(map(str.isspace, node.text.text)):
        write = "".join(node.span.text.split())
        return Suggestion(f"write {write}", write)
    return ""


def _needed(message: str, board: Mapping) -> str:
    """Suggest the key that a shape requires."""
    shape = text(board.get("shape"), "rectangle")
    needs = SHAPES[shape].needs if shape in SHAPES else ()
    missing = next((key for key in needs if f"needs `{key}`" in message), "")
    if not missing or shape == "graph":
        return f"a {shape} is said by {', '.join(f'`{key}`' for key in needs)}" if missing else ""
    span, write = with_entry(board, f"{missing}: 8")
    return Suggestion(f"add `{missing}: 8`", write, span)


def _labels_finding(problem: Problem, message: str, root: Mapping) -> Diagnostic:
    """Make the diagnostic for labels that do not fit the board."""
    for key, usual in (("rows", "numbers"), ("columns", "letters")):
        node = get(root.get("notation"), key)
        if node is not None and text(node) == problem.word:
            help = Suggestion(f"`{usual}` is a label for every line: write `{usual}`", usual)
            return Diagnostic("bad-board", node.span, message, help)
    return Diagnostic("bad-board", root.span, message)


def check_notation(context: Context, node: Node | None) -> None:
    """Report unknown fields in the templates of `notation`."""
    is_mesh = text(get(get(context.root, "board"), "shape")) == "mesh"
    for key, fields in _NOTATION.items():
        fields = (*fields, "corners") if key == "cell" and is_mesh else fields
        _check_template(context, key, get(node, key), fields)


def check_direction_texts(context: Context, node: Node | None) -> None:
    """Report texts of directions that the board does not have, and texts that are not distinct."""
    texts = entries(get(node, "directions"))
    names = [d.name for d in context.topology.directions] if context.topology else []
    words = [text(value) for _, _, value in texts]
    words += [name for name in names if name not in (key for key, _, _ in texts)]
    for key, span, value in texts:
        word = text(value)
        help = Suggestion(f"write `{key}`", f'"{key}"')
        if names and key not in names:
            hint = did_you_mean(key, names) or "the directions are " + ", ".join(names)
            context.report("unknown-name", span, f"this board has no direction `{key}`", hint)
        elif not word or any(map(str.isspace, word)):
            message = "a direction is written as one word, without blanks"
            context.report("not-allowed-value", value.span, message, help)
        elif words.count(word) > 1:
            message = f"two directions are written `{word}`"
            context.report("not-allowed-value", value.span, message, help)


def check_drawing(context: Context, node: Node | None) -> None:
    """Report unknown fields in the templates of `drawing`; a cell also has its numbers."""
    numbers = [name for name, register in context.registers.items() if register.each == "cell"]
    for key, fields in _DRAWING.items():
        fields = (*fields, *numbers) if key == "cell" else fields
        _check_template(context, key, get(node, key), fields)


def _check_template(context: Context, key: str, node: Node | None, fields: tuple[str, ...]) -> None:
    if not isinstance(node, Scalar):
        return
    for match in _FIELD.finditer(node.text.text):
        word = match[1].strip()
        if word not in fields:
            span = node.text.span(*match.span(1)) if word else node.text.span(*match.span())
            message = f"`{key}` has no field `{word[:40]}`"
            context.report("unknown-field", span, message, _field_help(word, fields))


def _field_help(word: str, fields: tuple[str, ...]) -> str:
    if not fields:
        return "it takes no fields: leave the braces out"
    other = _OTHER_WORDS.get(word, "")
    if other in fields or nearest(word, fields):
        other = other if other in fields else nearest(word, fields)
        return Suggestion(f"did you mean `{other}`?", other)
    if len(fields) == 1:
        return Suggestion(f"the only field is `{{{fields[0]}}}`", fields[0])
    return did_you_mean(word, fields) or "its fields are " + ", ".join(f"`{{{f}}}`" for f in fields)
