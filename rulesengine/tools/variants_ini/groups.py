"""The moves of the pieces of a variant: groups with their definitions, promotion and en passant."""

from collections.abc import Mapping

from rulesengine.tools.variants_ini.betza import Vector
from rulesengine.tools.variants_ini.cells import CellSet, cells_text
from rulesengine.tools.variants_ini.draft import PLAYERS, Draft, Value
from rulesengine.tools.variants_ini.movement_text import (
    Reach,
    direction_of,
    directions_used,
    helpers_used,
    reach,
)
from rulesengine.tools.variants_ini.variant import SIDES, Kind, Variant

PAWN, SOLDIER = "pawn", "soldier"
_RESET = "set quiet to -1"


class Groups:
    """The groups of all kinds of a variant, added to a draft."""

    def __init__(self, variant: Variant, draft: Draft) -> None:
        self._variant = variant
        self._draft = draft
        self._reaches = {kind: self._reach(kind) for kind in variant.kinds}
        self._doubles = variant.is_true("doubleStep")
        self._last = self._cells_attribute("last", "promotionRegion")
        self._pawns = [set(variant.pawns("promotionPawnTypes", side)) for side in SIDES]
        self._results = [variant.kinds_of("promotionPieceTypes", s, "nbrq") for s in SIDES]
        self._is_mandatory = variant.is_true("mandatoryPawnPromotion")
        self._resetting = [set(variant.pawns("nMoveRuleTypes", side)) for side in SIDES]
        self._passing = self._passing_kinds()
        self._bars_immobile = variant.is_true("immobilityIllegal")

    def add(self) -> None:
        """Add definitions, groups and effects."""
        for kind in self._variant.kinds:
            self._define(kind)
        used = " ".join(self._draft.define.values())
        self._draft.define = helpers_used(used) | self._draft.define
        for name in directions_used(used + " ahead back" if self._passing else used):
            values = [direction_of(name, is_first=is_first) for is_first in (True, False)]
            self._draft.attributes[name] = (values[0], values[1])
        for kind in self._variant.kinds:
            self._add_kind(kind)
        if self._passing:
            self._add_passing()

    def attacks(self) -> str:
        """Return the cells that the pieces of a player attack."""
        parts = [
            f"{self._hits(kind)}(own {kind.name})"
            for kind in self._variant.kinds
            if self._reaches[kind].hits
        ]
        return " or ".join(parts) or "nowhere"

    # definitions

    def _reach(self, kind: Kind) -> Reach:
        found = reach(kind.movements)
        rank = self._variant.number("soldierPromotionRank")
        if kind.key != SOLDIER or rank <= 1:
            return found
        rows = self._variant.rows
        beyond = (f"rows({rank} to {rows})", f"rows(1 to {rows - rank + 1})")
        name = self._draft.attribute("beyond", beyond)
        text = f"shift(c, ahead) or shift(c and {name}, [leftward, rightward])"
        return Reach(text, text, "")

    def _define(self, kind: Kind) -> None:
        found = self._reaches[kind]
        zone = self._zone(kind)
        if found.quiet == found.hits:
            self._add_definition(f"moves_{kind.name}(c)", found.quiet, zone)
            return
        self._add_definition(f"quiet_{kind.name}(c)", found.quiet, zone)
        self._add_definition(f"hits_{kind.name}(c)", found.hits, zone)

    def _add_definition(self, head: str, text: str, zone: str) -> None:
        if text:
            self._draft.define[head] = f"({text}) and {zone}" if zone else text

    def _zone(self, kind: Kind) -> str:
        """Return the cells that a kind may occupy; empty for all."""
        key = "mobilityRegion{}" + kind.key[0].upper() + kind.key[1:]
        cells = [self._variant.cells(key.format(side), "") for side in SIDES]
        if not any(cells):
            return ""
        return self._draft.attribute(f"zone_{kind.name}", self._texts(cells))

    def _texts(self, cells: list[CellSet]) -> tuple[str, str]:
        columns, rows = self._variant.columns, self._variant.rows
        whole = frozenset((c, r) for c in range(columns) for r in range(rows))
        first, second = (cells_text(each or whole, columns, rows) for each in cells)
        return first, second

    def _hits(self, kind: Kind) -> str:
        return self._definition(kind, "hits")

    def _definition(self, kind: Kind, mode: str) -> str:
        found = self._reaches[kind]
        is_same = found.quiet == found.hits
        return f"moves_{kind.name}" if is_same else f"{mode}_{kind.name}"

    def _cells_attribute(self, name: str, key: str) -> str:
        variant = self._variant
        cells = [variant.cells(key, side) for side in SIDES]
        columns, rows = variant.columns, variant.rows
        first, second = (cells_text(each, columns, rows) for each in cells)
        return self._draft.attribute(name, (first, second))

    # groups

    def _add_kind(self, kind: Kind) -> None:
        quiet, captures = self._quiet(kind), self._captured(kind)
        if self._variant.is_true("mustCapture"):
            self._add_group(kind, captures, "captures", self._draft.captures)
            self._add_group(kind, quiet, "quiet", self._draft.moves)
            return
        found = self._reaches[kind]
        is_plain = found.quiet == found.hits and not found.initial and not self._immune(kind)
        if is_plain and found.quiet:
            both = f"moves_{kind.name}(from) minus own"
        else:
            both = " or ".join(filter(None, (quiet, captures)))
        self._add_group(kind, both, "", self._draft.moves)

    def _quiet(self, kind: Kind) -> str:
        found = self._reaches[kind]
        parts = []
        if found.quiet:
            parts.append(f"{self._definition(kind, 'quiet')}(from) and empty")
        if self._doubles and (kind.key == PAWN or found.initial):
            second = self._cells_attribute("second", "doubleStepRegion")
            zone = self._zone(kind)
            if kind.key == PAWN:
                text = f"shift(shift(from and {second}, ahead) and empty, ahead) and empty"
            else:
                text = f"({_at(found.initial, f'from and {second}')}) and empty"
            parts.append(f"{text} and {zone}" if zone else text)
        return " or ".join(parts)

    def _captured(self, kind: Kind) -> str:
        if not self._reaches[kind].hits:
            return ""
        return f"{self._hits(kind)}(from) and {self._immune(kind) or 'enemy'}"

    def _immune(self, kind: Kind) -> str:
        """Return the pieces that a kind captures if those of its own kind are immune."""
        is_immune = kind in self._variant.kinds_of("mutuallyImmuneTypes", "")
        return f"(enemy minus {kind.name})" if is_immune else ""

    def _add_group(self, kind: Kind, to: str, mode: str, groups: list[Mapping[str, Value]]) -> None:
        """Add the moves of a kind, and its promotions as a group of their own."""
        if not to:
            return
        name = f"{kind.name}_{mode}" if mode else kind.name
        pawns, results = self._pawns, self._results
        promotes = [
            bool(kind in pawns[side] and (results[side] or self._is_mandatory)) for side in (0, 1)
        ]
        group: dict[str, Value] = {"name": name, "move": f"own {kind.name}"}
        effects = self._reset(kind)
        if not any(promotes) or self._last == "nowhere":
            group["to"] = to
        else:
            last = self._last if all(promotes) else self._last_of(promotes)
            group["to"] = f"({to}) minus {last}" if self._is_mandatory else to
            promotion = self._promotion(kind, to, last, name)
            if promotion:
                groups.append(promotion)
        if immobile := self._immobile(kind):
            group["to"] = f"({group['to']}) minus {immobile}"
        if effects:
            group["do"] = effects
        groups.append(group)

    def _immobile(self, kind: Kind) -> str:
        """Return the cells that a kind never leaves, if moves there are illegal; empty for none."""
        if not self._bars_immobile:
            return ""
        vectors = _quiet_vectors(kind)
        columns, rows = self._variant.columns, self._variant.rows
        cells = []
        for way in (1, -1):
            cells.append(
                frozenset(
                    (c, r)
                    for c in range(columns)
                    for r in range(rows)
                    if not any(
                        0 <= c + way * v[1] < columns and 0 <= r + way * v[0] < rows
                        for v in vectors
                    )
                )
            )
        if not any(cells):
            return ""
        first, second = (cells_text(each, columns, rows) for each in cells)
        return self._draft.attribute(f"end_{kind.name}", (first, second))

    def _last_of(self, promotes: list[bool]) -> str:
        texts = [f"{self._last}" if each else "nowhere" for each in promotes]
        return f"(if player = white then {texts[0]} else {texts[1]})"

    def _promotion(self, kind: Kind, to: str, last: str, name: str) -> dict[str, Value]:
        """Return the group of promotions; empty if there is nothing to promote to."""
        results = [self._results[side] if kind in self._pawns[side] else () for side in (0, 1)]
        every = tuple(dict.fromkeys(results[0] + results[1]))
        if not every:
            return {}
        return {
            "name": f"{name}_promotion",
            "move": f"own {kind.name}",
            "to": f"({to}) and {last}",
            "choice": [each.name for each in every],
            **self._allowed(every, results),
            "do": ["promote to to choice", *([_RESET] if self._reset(kind) else [])],
            "written": "{from}{to}{sign(choice)}",
        }

    def _allowed(
        self, every: tuple[Kind, ...], results: list[tuple[Kind, ...]]
    ) -> dict[str, Value]:
        """Return the condition of choices that are not free for both players."""
        limits = self._variant.pairs("promotionLimit")
        parts = []
        for kind in every:
            if kind.letter in limits:
                few = f"count(own {kind.name}) < {limits[kind.letter]}"
                parts.append(f"(choice != {kind.name} or {few})")
            for side in (0, 1):
                if kind not in results[side]:
                    parts.append(f"(choice != {kind.name} or player != {PLAYERS[side]})")
        self._draft.define["sign(piece)"] = self._sign()
        return {"when": " and ".join(parts)} if parts else {}

    def _sign(self) -> str:
        """Return the letter of a kind as an expression."""
        every = tuple(dict.fromkeys(self._results[0] + self._results[1]))
        text = f'"{every[-1].letter}"'
        for kind in reversed(every[:-1]):
            text = f'if piece = {kind.name} then "{kind.letter}" else {text}'
        return text

    def _reset(self, kind: Kind) -> str:
        """Return the effect that restarts the count of quiet moves after a move of a kind."""
        if not any(kind in side for side in self._resetting):
            return ""
        vectors = _quiet_vectors(kind)
        if any((-a, -b) in vectors for a, b in vectors):
            return f"if none({self._definition(kind, 'quiet')}(to) and from) then {_RESET}"
        return _RESET

    # en passant

    def _passing_kinds(self) -> list[Kind]:
        """Return the kinds that capture in passing; empty if no kind makes double steps."""
        variant = self._variant
        found = [set(variant.pawns("enPassantTypes", side)) for side in SIDES]
        flagged = {k for k in variant.kinds if self._is_flagged(k)}
        if found[0] != found[1]:
            self._draft.omissions.append("enPassantTypes of one side")
        return (
            [k for k in variant.kinds if k in found[0] | flagged]
            if self._doubles and self._steppers()
            else []
        )

    def _steppers(self) -> list[Kind]:
        """Return the kinds that make double steps."""
        return [k for k in self._variant.kinds if k.key == PAWN or self._reaches[k].initial]

    def _is_flagged(self, kind: Kind) -> bool:
        """True if the notation of the moves of a custom piece has the letter `e`."""
        return kind.name.startswith("piece_") and "e" in self._variant.side_text(kind.key, "")

    def _add_passing(self) -> None:
        draft = self._draft
        draft.registers["passed"] = {"type": "cell", "compared": True}
        draft.passed = {"cell": "passed"}
        steppers = self._steppers()
        is_custom = any(kind.key != PAWN for kind in steppers + self._passing)
        if is_custom:
            draft.registers["passer"] = {"type": "cell", "compared": True}
        region = self._cells_attribute("passing", "enPassantRegion") if self._has_region() else ""
        for kind in self._passing:
            self._add_capture(kind, is_custom=is_custom)
        draft.effects.append(self._passed_effect(steppers, region, is_custom=is_custom))

    def _has_region(self) -> bool:
        return any(self._variant.side_text("enPassantRegion", side) for side in SIDES)

    def _add_capture(self, kind: Kind, *, is_custom: bool) -> None:
        """Add the group of captures in passing of a kind."""
        hits = f"{self._hits(kind)}(from) and passed and empty"
        if kind.key != PAWN and self._reaches[kind].quiet:
            hits = f"{hits} minus {self._definition(kind, 'quiet')}(from)"
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
                if all(each.key == PAWN for each in self._passing):
                    attackers = " or ".join(
                        f"{self._hits(each)}(own {each.name})" for each in self._passing
                    )
                    text += f" and any(crossed(from, to) and as(opponent, {attackers}))"
            else:
                initial = _at(self._reaches[kind].initial, "from")
                if self._reaches[kind].quiet:
                    initial = f"({initial}) minus {self._definition(kind, 'quiet')}(from)"
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


def _quiet_vectors(kind: Kind) -> set[Vector]:
    """Return the vectors of the moves without captures, except double steps."""
    return {v for m in kind.movements if m.quiet and not m.initial for v in m.vectors}


def _at(text: str, cells: str) -> str:
    """Return an expression over `c` for other cells."""
    out, word = "", ""
    for char in text + " ":
        if char.isalnum() or char == "_":
            word += char
            continue
        out += (f"({cells})" if " " in cells else cells) if word == "c" else word
        out, word = out + char, ""
    return out.rstrip()
