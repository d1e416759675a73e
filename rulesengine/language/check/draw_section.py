"""The section `draw`: the appearance of pictures, by player, by kind and by set of cells."""

from types import MappingProxyType
from typing import Final

from rulesengine.language.check.context import Context
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.picture_cells import PictureCells
from rulesengine.language.check.reader import Reader, entries, get, integer, items, text
from rulesengine.language.document.nodes import Mapping, Node, Scalar
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Appearance, ByOwner
from rulesengine.support.diagnostic import Suggestion, did_you_mean
from rulesengine.support.source import Span

NEUTRAL, BOARD = "neutral", "board"
# The least number of rows of a style that is in rows.
_ROWS: Final = MappingProxyType({"triangles": 2, "pits": 1})
_MOST_ROWS = 2
# Shapes of pieces that can be joined.
_JOINED = ("square", "disc")
_GROUPED = (*_JOINED, "cross", "ring", "triangle")


class DrawSection:
    """A reader of the section, used once."""

    def __init__(self, context: Context, reader: Reader, expressions: ExpressionChecker) -> None:
        self._context = context
        self._cells = PictureCells(context, reader, expressions)

    def check(self, node: Node | None, picture: Node | None) -> Appearance | None:
        """Check the section and `picture`; None if there is neither."""
        if node is None and picture is None:
            return None
        cells, shapes = self._cells, self._by_owner(get(node, "shapes"))
        self._style(get(node, "board"))
        return Appearance(
            board=text(get(node, "board")),
            colours=self._colours(get(node, "colours")),
            shapes=shapes,
            cells=tuple(
                (colour, appearance)
                for colour, _, value in entries(get(node, "cells"))
                if (appearance := cells.of(value))
            ),
            edges=self._edges(get(node, "edges")),
            stars=cells.of(get(node, "stars")),
            lines=cells.by_direction(get(node, "lines")),
            gaps=cells.by_direction(get(node, "gaps")),
            thick=cells.by_direction(get(node, "thick")),
            numbers=self._numbers(get(node, "numbers")),
            dice=self._registers(get(node, "dice"), of_numbers=True),
            registers=self._registers(get(node, "registers"), of_numbers=False),
            joined=self._joined(get(node, "joined"), get(node, "shapes"), shapes),
            labels=self._by_owner(get(node, "labels")),
            marks=self._words(get(node, "marks")),
            heights=self._words(get(node, "heights")),
            score=text(get(node, "score")) or "always",
            point=integer(get(node, "point"), 1),
            crop=integer(get(node, "crop"), 0),
            picture=picture_of(picture),
        )

    def _style(self, node: Node | None) -> None:
        """Report a style of two rows on a board with another number of rows."""
        board = self._context.topology
        if node is None or board is None or text(node) not in _ROWS:
            return
        rows, least = len({line for line, _ in board.screen}), _ROWS[text(node)]
        if not least <= rows <= _MOST_ROWS:
            wanted = "two rows" if least == _MOST_ROWS else "one or two rows"
            message = f"`{text(node)}` are in {wanted}, and this board is printed in {rows}"
            fix = Suggestion("write `points`", "points")
            self._context.report("unsuitable-style", node.span, message, fix)

    def _colours(self, node: Node | None) -> tuple[tuple[str, str], ...]:
        colours: list[tuple[str, str]] = []
        for name, span, value in entries(node):
            names = (*self._players, *self._kinds, *self._attributes, NEUTRAL, BOARD)
            self._is_known(name, span, names, "player or kind")
            colours += [(meant, text(value)) for meant in self._meant(name)]
        return tuple(colours)

    def _by_owner(self, node: Node | None) -> tuple[ByOwner, ...]:
        """Return the words of kinds, for all players or one by one."""
        by_owner: list[ByOwner] = []
        for name, span, value in entries(node):
            self._is_known(name, span, (*self._kinds, *self._attributes), "kind of piece")
            words = [("", text(value))]
            if isinstance(value, Mapping):
                words = [(player, text(word)) for player, _, word in entries(value)]
                for player, at, _ in entries(value):
                    self._is_known(player, at, (*self._players, NEUTRAL), "player")
            by_owner += [(kind, *word) for kind in self._meant(name) for word in words]
        return tuple(by_owner)

    def _words(self, node: Node | None) -> tuple[tuple[str, str], ...]:
        """Return the words of kinds, those of attributes for each kind that has them."""
        words: list[tuple[str, str]] = []
        for name, span, value in entries(node):
            self._is_known(name, span, (*self._kinds, *self._attributes), "kind of piece")
            words += [(kind, text(value)) for kind in self._meant(name)]
        return tuple(words)

    def _joined(
        self, node: Node | None, joined: Node | None, shapes: tuple[ByOwner, ...]
    ) -> tuple[ByOwner, ...]:
        """Return how pieces are joined; report a kind with a shape that cannot be joined."""
        by_owner = self._by_owner(node)
        spans = {name: span for name, span, _ in entries(node)}
        for kind, player, form in by_owner:
            shape = next((s for k, p, s in shapes if k == kind and p in ("", player)), "square")
            fits = _GROUPED if form == "group" else _JOINED
            if shape not in fits and kind in spans:
                message = f"pieces with the shape `{shape}` are not joined"
                help = f"a `{form}` has the shape {' or '.join(f'`{fit}`' for fit in fits)}"
                if isinstance(of_kind := get(joined, kind), Scalar):
                    help = Suggestion(help, fits[0], of_kind.span)
                self._context.report("unsuitable-shape", spans[kind], message, help)
        return by_owner

    def _numbers(self, node: Node | None) -> tuple[tuple[str, str], ...]:
        """Return the form of each register with a number at each cell."""
        registers = self._context.registers
        names = tuple(name for name, one in registers.items() if one.each == "cell")
        for name, span, _ in entries(node):
            self._is_known(name, span, names, "register with a number at each cell")
        return tuple((name, text(value)) for name, _, value in entries(node))

    def _registers(self, node: Node | None, *, of_numbers: bool) -> tuple[str, ...]:
        """Return registers with one value, or one for each player, that fit next to the board."""
        registers = self._context.registers
        names = tuple(
            name
            for name, one in registers.items()
            if one.each != "cell"
            and one.type != "cells"
            and (one.type == "number" or not of_numbers)
        )
        description = "register with a number" if of_numbers else "register with a value"
        for item in items(node):
            self._is_known(text(item), item.span, names, description)
        return tuple(text(item) for item in items(node))

    def _meant(self, name: str) -> tuple[str, ...]:
        """Return the kinds that have an attribute, or any other name itself."""
        numbers = self._context.kinds_by_attribute.get(name)
        return (name,) if numbers is None else tuple(self._kinds[number] for number in numbers)

    def _edges(self, node: Node | None) -> tuple[tuple[str, Op], ...]:
        edges = []
        for name, span, value in entries(node):
            self._is_known(name, span, self._players, "player")
            cells = self._cells.of(value)
            if cells:
                edges.append((name, cells))
        return tuple(edges)

    @property
    def _players(self) -> tuple[str, ...]:
        return tuple(player.name for player in self._context.players)

    @property
    def _attributes(self) -> tuple[str, ...]:
        return tuple(self._context.kinds_by_attribute)

    @property
    def _kinds(self) -> tuple[str, ...]:
        return tuple(kind.name for kind in self._context.kinds)

    def _is_known(self, name: str, span: Span, names: tuple[str, ...], subject: str) -> None:
        if name not in names:
            known = "there is " + ", ".join(names) if names else "there is none"
            help = did_you_mean(name, names) or known
            self._context.report("unknown-name", span, f"no {subject} `{name}`", help)


def picture_of(node: Node | None) -> tuple[str, tuple[str, ...]] | None:
    """Return the position (empty for the initial one) and the moves of `picture`."""
    if node is None:
        return None
    is_map = isinstance(node, Mapping)
    moves = get(node, "moves") if is_map else node
    words = tuple(word for item in items(moves) for word in text(item).split())
    return text(get(node, "position")), words
