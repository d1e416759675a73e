"""Sets of cells in `draw`: they follow from the board and the parameters alone."""

from rulesengine.language.check.context import Context, is_error
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.moves import view
from rulesengine.language.check.reader import Reader, entries
from rulesengine.language.document.nodes import Node
from rulesengine.language.ir.constants import NotConstant
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.static_values import StaticEvaluator
from rulesengine.support.diagnostic import did_you_mean


class PictureCells:
    """A checker of sets of cells that all pictures of a game share."""

    def __init__(self, context: Context, reader: Reader, expressions: ExpressionChecker) -> None:
        self._context = context
        self._reader = reader
        self._expressions = expressions

    def of(self, node: Node | None) -> Op | None:
        """Check a set that must follow from the board; it is evaluated if the board is known."""
        parsed = self._reader.parse(node)
        op = self._expressions.check(parsed, view("board"), "cells") if parsed else None
        board, parameters = self._context.topology, self._context.parameters
        if op is None or is_error(op) or board is None or node is None:
            return op
        try:
            StaticEvaluator(board, {p.name: p.default for p in parameters.values()}).value(op)
        except NotConstant as reason:
            message = f"pictures of all positions have these cells: {reason}"
            help = "it may use cells, regions, rows, columns and parameters"
            self._context.report("not-constant", node.span, message, help)
        return op

    def by_direction(self, node: Node | None) -> tuple[tuple[str, Op], ...]:
        """Check sets of cells by direction, or by a named set of directions."""
        board, cells_by_direction = self._context.topology, list[tuple[str, Op]]()
        for name, span, value in entries(node):
            if board is not None:
                sets = tuple(name for name, _ in board.direction_sets)
                names = (*(direction.name for direction in board.directions), *sets)
                if not board.directions:
                    message = f"no direction `{name}`: a graph has no directions"
                    self._context.report("unknown-name", span, message)
                elif name not in names:
                    help = did_you_mean(name, names) or "there is " + ", ".join(names)
                    message = f"no direction `{name}`"
                    self._context.report("unknown-name", span, message, help)
            if cells := self.of(value):
                cells_by_direction.append((name, cells))
        return tuple(cells_by_direction)
