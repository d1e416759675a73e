"""The cells that the kinds of a variant reach: definitions, zones, attributes of the players."""

from rulesengine.tools.variants_ini.cells import CellSet, cells_text
from rulesengine.tools.variants_ini.draft import Draft
from rulesengine.tools.variants_ini.kinds import Kind
from rulesengine.tools.variants_ini.movement_text import (
    Reach,
    direction_of,
    directions_used,
    helpers_used,
    reach,
)
from rulesengine.tools.variants_ini.variant import SIDES, SOLDIER, Variant


class Reaches:
    """The moves of all kinds of a variant as expressions, with definitions in a draft."""

    def __init__(self, variant: Variant, draft: Draft) -> None:
        self._variant = variant
        self._draft = draft
        self._found = {kind.name: self._reach(kind) for kind in variant.movers}

    def of(self, kind: Kind) -> Reach:
        """Return the cells that a kind reaches."""
        return self._found[kind.like or kind.name]

    def define(self, further: str) -> None:
        """Add the definitions of all kinds, and the directions in them and in a text."""
        for kind in self._variant.movers:
            self._define(kind)
        used = " ".join(self._draft.define.values())
        self._draft.define = helpers_used(used) | self._draft.define
        for name in directions_used(f"{used} {further}"):
            values = [direction_of(name, is_first=is_first) for is_first in (True, False)]
            self._draft.attributes[name] = (values[0], values[1])

    def attacks(self) -> str:
        """Return the cells that the pieces of a player attack."""
        parts = [
            f"{self.hits(kind)}({self._variant.own(kind)})"
            for kind in self._variant.movers
            if self.of(kind).hits
        ]
        return " or ".join(parts) or "nowhere"

    def hits(self, kind: Kind) -> str:
        """Return the name of the definition of the cells that a kind attacks."""
        return self.named(kind, "hits")

    def named(self, kind: Kind, relation: str) -> str:
        """Return the name of a definition, `quiet` or `hits`, or that of both."""
        cells = self.of(kind)
        is_same = cells.quiet == cells.hits
        name = kind.like or kind.name
        return f"moves_{name}" if is_same else f"{relation}_{name}"

    def attribute(self, name: str, key: str) -> str:
        """Return an attribute of the players with the cells of a key."""
        variant = self._variant
        cells = [variant.cells(key, side) for side in SIDES]
        return self.cells_of(name, (cells[0], cells[1]))

    def cells_of(self, name: str, cells: tuple[CellSet, CellSet]) -> str:
        """Return an attribute of the players with sets of cells."""
        columns, rows = self._variant.columns, self._variant.rows
        first, second = (cells_text(each, columns, rows) for each in cells)
        return self._draft.attribute(name, (first, second))

    def zone(self, kind: Kind) -> str:
        """Return the cells that a kind may occupy; empty for all."""
        variant = self._variant
        key = "mobilityRegion{}" + kind.key[0].upper() + kind.key[1:]
        cells = [variant.cells(key.format(side), "") for side in SIDES]
        if not any(cells):
            return ""
        everywhere = variant.all_cells
        return self.cells_of(f"zone_{kind.name}", (cells[0] or everywhere, cells[1] or everywhere))

    def stuck(self, kind: Kind) -> str:
        """Return the cells that a kind never leaves, if moves there are illegal; empty for none."""
        variant = self._variant
        if not variant.is_true("immobilityIllegal"):
            return ""
        vectors = {v for m in kind.movements if m.quiet and not m.initial for v in m.vectors}
        board = variant.all_cells
        cells = [
            frozenset(
                (c, r)
                for c, r in board
                if not any((c + w * b, r + w * a) in board for a, b in vectors)
            )
            for w in (1, -1)
        ]
        return self.cells_of(f"end_{kind.name}", (cells[0], cells[1])) if any(cells) else ""

    def _reach(self, kind: Kind) -> Reach:
        moves = reach(kind.movements)
        rank = self._variant.number("soldierPromotionRank")
        if kind.key != SOLDIER or rank <= 1:
            return moves
        rows = self._variant.rows
        beyond = (f"rows({rank} to {rows})", f"rows(1 to {rows - rank + 1})")
        name = self._draft.attribute("beyond", beyond)
        text = f"shift(c, ahead) or shift(c and {name}, [leftward, rightward])"
        return Reach(text, text, "")

    def _define(self, kind: Kind) -> None:
        cells = self.of(kind)
        zone = self.zone(kind)
        if cells.quiet == cells.hits:
            self._add_definition(f"moves_{kind.name}(c)", cells.quiet, zone)
            return
        self._add_definition(f"quiet_{kind.name}(c)", cells.quiet, zone)
        self._add_definition(f"hits_{kind.name}(c)", cells.hits, zone)

    def _add_definition(self, head: str, text: str, zone: str) -> None:
        if text:
            self._draft.define[head] = f"({text}) and {zone}" if zone else text
