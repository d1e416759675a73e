"""Captures in passing of a variant: groups, the cell that a piece has passed, the piece."""

from rulesengine.tools.variants_ini.draft import Draft, Value
from rulesengine.tools.variants_ini.kinds import Kind
from rulesengine.tools.variants_ini.movement_text import at_cells
from rulesengine.tools.variants_ini.reaches import Reaches
from rulesengine.tools.variants_ini.variant import PAWN, SIDES, Variant


class Passing:
    """The captures in passing of a variant, added to a draft."""

    def __init__(self, variant: Variant, draft: Draft, reaches: Reaches) -> None:
        self._variant = variant
        self._draft = draft
        self._reaches = reaches
        self.kinds = self._passing_kinds() if variant.is_true("doubleStep") else []

    @property
    def directions(self) -> str:
        """Return the names of the directions that captures in passing need."""
        return "ahead back" if self.kinds else ""

    @property
    def is_by_pawns(self) -> bool:
        """True if pawns alone are captured in passing."""
        return bool(self.kinds) and all(kind.key == PAWN for kind in self._steppers)

    @property
    def _steppers(self) -> list[Kind]:
        """Return the kinds that make double steps."""
        movers = self._variant.movers
        return [k for k in movers if k.key == PAWN or self._reaches.of(k).initial]

    def add(self) -> None:
        """Add groups, registers and effects, if a kind captures in passing."""
        if self.kinds:
            self._add_passing()

    def _passing_kinds(self) -> list[Kind]:
        """Return the kinds that capture in passing; empty if no kind makes double steps."""
        variant = self._variant
        kinds = [set(variant.pawns("enPassantTypes", side)) for side in SIDES]
        flagged = {k for k in variant.movers if self._is_flagged(k)}
        if kinds[0] != kinds[1]:
            self._draft.omissions.append("enPassantTypes of one side")
        return [k for k in variant.movers if k in kinds[0] | flagged] if self._steppers else []

    def _is_flagged(self, kind: Kind) -> bool:
        """True if the notation of the moves of a custom piece has the letter `e`."""
        return kind.name.startswith("piece_") and "e" in self._variant.side_text(kind.key, "")

    def _add_passing(self) -> None:
        draft, variant = self._draft, self._variant
        draft.registers["passed"] = {"type": "cell", "compared": True}
        draft.passed = {"cell": "passed"}
        steppers = self._steppers
        is_custom = any(kind.key != PAWN for kind in steppers + self.kinds)
        if is_custom:
            draft.registers["passer"] = {"type": "cell", "compared": True}
        has_region = any(variant.side_text("enPassantRegion", side) for side in SIDES)
        region = self._reaches.attribute("passing", "enPassantRegion") if has_region else ""
        for kind in self.kinds:
            self._add_capture(kind, is_custom=is_custom)
        draft.effects.append(self._passed_effect(steppers, region, is_custom=is_custom))

    def _add_capture(self, kind: Kind, *, is_custom: bool) -> None:
        """Add the group of captures in passing of a kind."""
        hits = f"{self._reaches.hits(kind)}(from) and passed and empty"
        if kind.key != PAWN and self._reaches.of(kind).quiet:
            hits = f"{hits} minus {self._reaches.named(kind, 'quiet')}(from)"
        group: dict[str, Value] = {
            "name": f"{kind.name}_in_passing",
            "move": f"own {kind.name}",
            "to": hits,
            "do": "remove passer" if is_custom else "remove shift(to, back)",
        }
        must_capture = self._variant.is_true("mustCapture")
        (self._draft.captures if must_capture else self._draft.moves).append(group)

    def _passed_effect(self, steppers: list[Kind], region: str, *, is_custom: bool) -> str:
        """Return the effect that records the cell of a capture in passing."""
        conditions = []
        for kind in steppers:
            if kind.key == PAWN:
                text = f"kind(to) = {kind.name} and to in shift(from, ahead, ahead)"
                if all(each.key == PAWN for each in self.kinds):
                    attackers = " or ".join(
                        f"{self._reaches.hits(each)}(own {each.name})" for each in self.kinds
                    )
                    text += f" and any(crossed(from, to) and as(opponent, {attackers}))"
            else:
                initial = at_cells(self._reaches.of(kind).initial, "from")
                if self._reaches.of(kind).quiet:
                    initial = f"({initial}) minus {self._reaches.named(kind, 'quiet')}(from)"
                text = f"kind(to) = {kind.name} and to in ({initial})"
            conditions.append(f"({text})")
        self._draft.define["crossed(a, b)"] = (
            "union(way in [all], shift(a, way) and shift(b, opposite(way)))"
        )
        crossed = f"crossed(from, to) and as(opponent, {region})" if region else "crossed(from, to)"
        when = f"({' or '.join(conditions)}) and any({crossed})"
        effect = f"set passed to if {when} then first({crossed}) else no_cell"
        if is_custom:
            self._draft.effects.append("set passer to to")
        return effect
