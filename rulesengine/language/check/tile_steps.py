"""Checking of `cover`: steps that place pieces on all cells of a tile."""

from collections.abc import Iterable
from dataclasses import dataclass

from rulesengine.board.tiles import Form, forms_of
from rulesengine.language.check.choices import CHOICE, ChoiceChecker, ChoiceTable
from rulesengine.language.check.context import Context, ExpressionContext, is_error
from rulesengine.language.check.reader import get
from rulesengine.language.check.suggestions import with_key
from rulesengine.language.check.tiles import board_shape
from rulesengine.language.document.edits import without_entry
from rulesengine.language.document.nodes import Mapping, Node
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import constant
from rulesengine.language.ir.rules import TileForm, choice_values
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.limits import MAX_CHOICES

_TO = Op("variable", "cell", (), "to")
# The names that a step with `cover` has: a kind, the number of a form, and a set of cells.
_NAMES = ("tile", "form", "covered")


@dataclass(frozen=True, slots=True)
class Cover:
    """The tiles that steps of a group cover: one for each choice, with the names of the step."""

    tiles: tuple[TileForm, ...]
    table: ChoiceTable

    @property
    def form(self) -> tuple[Op, Op]:
        """Return the kind and the form that a step covers, as operations."""
        return self.table.names["tile"], self.table.names["form"]


class TileChecker:
    """The checker of `cover`."""

    def __init__(self, context: Context, choices: ChoiceChecker) -> None:
        self.context = context
        self.choices = choices

    def cover(
        self, node: Node, kind: str, chosen: ChoiceTable, at: ExpressionContext
    ) -> Cover | None:
        """Check the tiles of a step, in addition to its other choices; None without `cover`."""
        cover = get(node, "cover")
        if cover is None or not isinstance(node, Mapping):
            return None
        if kind != "place":
            self._misplaced(node)
            return None
        for name in _NAMES:
            if name in chosen.names or self.choices.is_declared(name):
                message = f"`{name}` is a name of steps with `cover`, and declared in this spec"
                help = "give what is declared another name"
                self.context.report("name-taken", cover.span, message, help)
                return None
        kinds = [constant(op) for op in self.choices.kinds(cover, at)]
        known = [number for number in kinds if number is not None]
        pairs = [(number, form.number) for number in known for form in self._forms(number, cover)]
        rows = self._rows(chosen, node)
        if not pairs or len(known) < len(kinds) or rows is None:
            self.context.broken.update(_NAMES)
            return None
        tiles = tuple(TileForm(*pair, tuple(row.values())) for row in rows for pair in pairs)
        if len(tiles) > MAX_CHOICES:
            message = f"{len(tiles):,} forms of tiles and other choices, at most {MAX_CHOICES:,}"
            self.context.report("too-large", cover.span, message, "cover fewer tiles in one group")
        return Cover(tiles, _table(tiles, chosen, rows, len(pairs)))

    def effects(
        self, cover: Cover, piece: tuple[Op, Op], effects: tuple[Op, ...]
    ) -> tuple[Op, ...]:
        """Return the effects of a step, of which the first places pieces on all cells."""
        covered = cover.table.names["covered"]
        if self.context.stacks and effects and isinstance(effects[0].value, tuple):
            return (make("lay", *piece, covered, value=effects[0].value), *effects[1:])
        return (make("put", *piece, covered), *effects)

    def _forms(self, number: int, tile: Node) -> tuple[Form, ...]:
        kind = self.context.kinds[number]
        if kind.tile:
            return forms_of(kind.tile, board_shape(self.context))
        if kind.name not in self.context.broken:
            message = f"`{kind.name}` has no tile"
            pieces = self.context.root.get("pieces") if self.context.root else None
            help = 'draw its cells: `tile: "## .#"`'
            help = with_key(get(pieces, kind.name), 'tile: "##"', help)
            self.context.report("missing-key", tile.span, message, help)
        return ()

    def _rows(self, chosen: ChoiceTable, node: Mapping) -> list[dict[str, Op]] | None:
        """Return the names of the other choices with their values, for each combination."""
        if not chosen.values:
            return None if get(node, "choice") is not None else [{}]
        if chosen.choices:
            names = [choice.name for choice in chosen.choices]
            return [
                dict(zip(names, choice_values(chosen.choices, number), strict=True))
                for number in range(len(chosen.values))
            ]
        values = self.choices.fixed(chosen.values, get(node, "choice"), "a choice next to `cover`")
        return [{"choice": value} for value in values] or None

    def _misplaced(self, node: Mapping) -> None:
        entry = node.entry("cover")
        assert entry is not None
        message = "`cover` has the tiles of pieces that a step places: it goes with `place`"
        span, write = without_entry(node, entry)
        help = Suggestion("leave it out", write, span)
        self.context.report("misplaced-key", entry.key_span, message, help)


def _table(
    tiles: tuple[TileForm, ...], chosen: ChoiceTable, rows: list[dict[str, Op]], times: int
) -> ChoiceTable:
    """Return the choices of a step by their index among its tiles."""
    kind = _chosen("tile", [literal("kind", tile.kind) for tile in tiles])
    form = _chosen("form", [literal("number", tile.form) for tile in tiles])
    names = {
        name: _chosen(name, [row[name] for row in rows for _ in range(times)])
        for name in chosen.names
        if not is_error(chosen.names[name])
    }
    names |= {"tile": kind, "form": form, "covered": make("tile", _TO, kind, form)}
    values = tuple(literal("number", number) for number in range(len(tiles)))
    return ChoiceTable(values, (), {**chosen.names, **names})


def _chosen(name: str, values: Iterable[Op]) -> Op:
    column = tuple(values)
    return make("chosen", CHOICE, *column, value=name, type=column[0].type)
