"""A checker that records the syntax node of each value and the operations of each node."""

from rulesengine.language.check.checker import Checker
from rulesengine.language.check.context import Context, ExpressionContext, is_error
from rulesengine.language.check.effects import EffectChecker
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.moves import Moves
from rulesengine.language.check.reader import Reader, text_slice
from rulesengine.language.document.nodes import Document, Node
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Statement
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.parse import Start
from rulesengine.language.syntax.script import Line, parse_script

Place = tuple[str, int, int]  # the name of a source, and the start and end offsets


class RecordingChecker(Checker):
    """A recording checker; after `check` its tables are filled.

    `parsed` maps the `id` of each value to its syntax node, `ops` maps spans to operations, `lines`
    are the lines of the I/O script.
    """

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.parsed: dict[int, n.Node] = {}
        self.ops: dict[Place, list[Op]] = {}
        self.lines: tuple[Line, ...] = ()
        self.reader = _Reader(self.context, self.parsed)
        self.expressions = _RecordingExpressions(self.context, self.ops)
        self.effects = EffectChecker(self.context, self.expressions)
        self.moves = Moves(self.context, self.reader, self.expressions, self.effects)

    def _script(self, node: Node | None) -> tuple[Statement, ...]:
        script = text_slice(node)
        if script is not None:
            self.lines = parse_script(script)[0]
        return super()._script(node)


def place(node: n.Node) -> Place:
    """Return the key of a node in the table of operations."""
    return node.span.source.name, node.span.start, node.span.end


class _Reader(Reader):
    def __init__(self, context: Context, parsed: dict[int, n.Node]) -> None:
        super().__init__(context)
        self._parsed = parsed

    def parse(self, node: Node | None, start: Start = "expression") -> n.Node | None:
        tree = super().parse(node, start)
        if tree is not None:
            self._parsed[id(node)] = tree
        return tree


class _RecordingExpressions(ExpressionChecker):
    def __init__(self, context: Context, ops: dict[Place, list[Op]]) -> None:
        super().__init__(context)
        self._ops = ops

    def infer(self, node: n.Node, view: ExpressionContext) -> Op:
        op = super().infer(node, view)
        if not is_error(op):
            self._ops.setdefault(place(node), []).append(op)
        return op
