"""The section `board` as a `BoardForm`: sizes, holes, joins, and the lists of a graph."""

import re
from itertools import pairwise

from rulesengine.board.joins import NamedJoin
from rulesengine.language.check.context import Context, ExpressionContext
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.reader import Reader, get, has_lines, items, text
from rulesengine.language.document.nodes import Node, Scalar
from rulesengine.language.ir.drawn_sets import IN, OUT, is_drawn, rows_of
from rulesengine.language.ir.rules import BoardForm
from rulesengine.support.diagnostic import Suggestion

_SIZES = ("rows", "columns", "layers", "size")
_WORDS = 4  # of a join, without `to`
_JOIN = re.compile(r"(\S+) ([a-z_]+) to (\S+) ([a-z_]+)")
# Signs and words that occur in expressions but not in a list of cells.
_OF_EXPRESSIONS = re.compile(r"[(<>=,]|(?<![\w-])(?:and|or|minus|not|where|touching|if)(?![\w-])")


def board_form(node: Node | None, reader: Reader, expressions: ExpressionChecker) -> BoardForm:
    """Check the section `board`; sizes are operations over numbers and parameters."""
    numbers = []
    for key in _SIZES:
        size = reader.parse(get(node, key))
        if size is not None:
            numbers.append((key, expressions.check(size, ExpressionContext("board"), "number")))
    shape = text(get(node, "shape"), "rectangle")
    holes = get(node, "holes")
    drawn, is_text = is_drawing(holes), is_expression(holes, reader.context)
    listed = () if drawn or is_text else (w for item in items(holes) for w in text(item).split())
    cells = tuple(w for item in items(get(node, "cells")) for w in text(item).split())
    edges = tuple((a, b) for chain in _chains(get(node, "edges")) for a, b in pairwise(chain))
    return BoardForm(
        shape,
        tuple(numbers),
        text(get(node, "origin"), "top-left"),
        text(get(node, "wrap"), "none"),
        text(get(node, "stagger"), ""),
        tuple(listed),
        cells,
        _screen(get(node, "cells")),
        edges,
        _chains(get(node, "lines")),
        None,
        hole_map=rows_of(text(holes)) if drawn else (),
        regions=tuple(reader.context.drawn.items()),
        joins=_joins(get(node, "joins"), reader.context),
    )


def _joins(node: Node | None, context: Context) -> tuple[NamedJoin, ...]:
    """Parse the joins, where lines continue beyond an edge; report texts of another form."""
    joins: list[NamedJoin] = []
    for item in items(node):
        match = _JOIN.fullmatch(" ".join(text(item).split()))
        if match:
            joins.append((match[1], match[2], match[3], match[4]))
        else:
            message = f"expected a join, found `{text(item)[:40]}`"
            help = "it is a cell and a direction, twice: `b6 north to a5 east`"
            words = text(item).split()
            if len(words) == _WORDS:
                whole = " ".join([*words[:2], "to", *words[2:]])
                help = Suggestion(f"{help}, so write `{whole}`", whole)
            context.report("syntax", item.span, message, help)
    return tuple(joins)


def is_expression(holes: Node | None, context: Context) -> bool:
    """True if the missing cells are given by an expression and not by their names."""
    if not isinstance(holes, Scalar) or is_drawing(holes):
        return False
    expression = text(holes)
    words = expression.split()
    named = {*context.named, *context.definitions, *context.drawn}
    alone = len(words) == 1 and (
        expression in named or re.fullmatch("[a-z_]+", words[0]) is not None
    )
    return alone or _OF_EXPRESSIONS.search(expression) is not None


def is_drawing(node: Node | None) -> bool:
    """True if a value is a drawing of cells."""
    if not isinstance(node, Scalar):
        return False
    drawing = node.text.text.strip()
    return bool(drawing) and ((has_lines(node) and is_drawn(drawing)) or set(drawing) <= {IN, OUT})


def _screen(node: Node | None) -> tuple[tuple[int, int], ...]:
    """Return the line and column of each drawn cell; empty if the cells are only listed."""
    if not isinstance(node, Scalar) or not has_lines(node):
        return ()
    points = [
        (line, match.start())
        for line, row in enumerate(filter(str.strip, node.text.text.splitlines()))
        for match in re.finditer(r"\S+", row)
    ]
    columns = sorted({start for _, start in points})
    return tuple((line, columns.index(start)) for line, start in points)


def _chains(node: Node | None) -> tuple[tuple[str, ...], ...]:
    """Parse lists of cells: `a-b-c d-e` in a text, or lists of lists."""
    chains: list[tuple[str, ...]] = []
    for item in items(node):
        if isinstance(item, Scalar):
            chains += [tuple(chain.split("-")) for chain in text(item).split()]
        else:
            chains.append(tuple(text(i) for i in items(item)))
    return tuple(chains)
