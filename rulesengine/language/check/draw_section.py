"""The section `draw`: the appearance of pictures, by player, by kind and by set of cells."""

from rulesengine.language.check.context import Context, is_error
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.moves import view
from rulesengine.language.check.reader import Reader, entries, get, text
from rulesengine.language.document.nodes import Mapping, Node
from rulesengine.language.ir.constants import NotConstant
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Look
from rulesengine.language.ir.static_values import StaticEvaluator
from rulesengine.support.diagnostic import did_you_mean
from rulesengine.support.source import Span

NEUTRAL, BOARD = "neutral", "board"


class DrawSection:
    """A reader of the section, used once."""

    def __init__(self, context: Context, reader: Reader, expressions: ExpressionChecker) -> None:
        self._context = context
        self._reader = reader
        self._expressions = expressions

    def check(self, node: Node | None) -> Look | None:
        """Check the section; None if there is none."""
        if node is None:
            return None
        return Look(
            text(get(node, "board")),
            self._colours(get(node, "colours")),
            self._shapes(get(node, "shapes")),
            tuple(
                (colour, cells)
                for colour, _, value in entries(get(node, "cells"))
                if (cells := self._cells(value))
            ),
            self._edges(get(node, "edges")),
            self._cells(get(node, "stars")),
        )

    def _colours(self, node: Node | None) -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        for name, span, value in entries(node):
            names = (*self._players, *self._kinds, *self._attributes, NEUTRAL, BOARD)
            self._is_known(name, span, names, "player or kind")
            found += [(meant, text(value)) for meant in self._meant(name)]
        return tuple(found)

    def _shapes(self, node: Node | None) -> tuple[tuple[str, str, str], ...]:
        """Return the shapes of kinds, for all players or one by one."""
        found: list[tuple[str, str, str]] = []
        for name, span, value in entries(node):
            self._is_known(name, span, (*self._kinds, *self._attributes), "kind of piece")
            given = [("", text(value))]
            if isinstance(value, Mapping):
                given = [(player, text(shape)) for player, _, shape in entries(value)]
                for player, at, _ in entries(value):
                    self._is_known(player, at, (*self._players, NEUTRAL), "player")
            found += [(kind, *shape) for kind in self._meant(name) for shape in given]
        return tuple(found)

    def _meant(self, name: str) -> tuple[str, ...]:
        """Return the kinds that have an attribute, or any other name itself."""
        numbers = self._context.kinds_by_attribute.get(name)
        return (name,) if numbers is None else tuple(self._kinds[number] for number in numbers)

    def _edges(self, node: Node | None) -> tuple[tuple[str, Op], ...]:
        found = []
        for name, span, value in entries(node):
            self._is_known(name, span, self._players, "player")
            cells = self._cells(value)
            if cells:
                found.append((name, cells))
        return tuple(found)

    def _cells(self, node: Node | None) -> Op | None:
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

    @property
    def _players(self) -> tuple[str, ...]:
        return tuple(player.name for player in self._context.players)

    @property
    def _attributes(self) -> tuple[str, ...]:
        return tuple(self._context.kinds_by_attribute)

    @property
    def _kinds(self) -> tuple[str, ...]:
        return tuple(kind.name for kind in self._context.kinds)

    def _is_known(self, name: str, span: Span, names: tuple[str, ...], what: str) -> None:
        if name not in names:
            help = did_you_mean(name, names) or "there is " + ", ".join(names)
            self._context.report("unknown-name", span, f"no {what} `{name}`", help)
