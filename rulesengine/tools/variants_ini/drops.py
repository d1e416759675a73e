"""Drops of a variant: the pieces in hand, the groups that place them, captures that fill a hand."""

from collections import Counter
from collections.abc import Mapping

from rulesengine.tools.variants_ini.draft import RESET, Draft, Value
from rulesengine.tools.variants_ini.kinds import Kind
from rulesengine.tools.variants_ini.passing import Passing
from rulesengine.tools.variants_ini.position import InitialPosition
from rulesengine.tools.variants_ini.reaches import Reaches
from rulesengine.tools.variants_ini.variant import PAWN, Variant

_DROP_PAWN, _ROOK, _BISHOP = "shogiPawn", "rook", "bishop"
_DARK = "all where (row(it) + column(it)) % 2 = 0"


class Drops:
    """The drops of a variant, added to a draft; `hand` has the kinds that may be in hand."""

    def __init__(
        self, variant: Variant, draft: Draft, reaches: Reaches, position: InitialPosition
    ) -> None:
        self._variant = variant
        self._draft = draft
        self._reaches = reaches
        self._position = position
        self._is_free = variant.is_true("freeDrops")
        self._captures = variant.is_true("capturesToHand")
        self._used_names: set[str] = set()
        self.hand = self._kinds_in_hand() if variant.is_true("pieceDrops") else ()

    @property
    def directions(self) -> str:
        """Return the names of the directions that drops need."""
        return "back" if any(map(self._is_mating_pawn, self.hand)) else ""

    def add(self, passing: Passing) -> None:
        """Add the register of hands, effects and groups, if the variant has drops."""
        variant = self._variant
        if not self.hand:
            return
        for name in ("dropLoop", "pocketSize"):
            variant.ignore(name)
        if not self._is_free:
            self._add_hand(passing)
        groups: list[Mapping[str, Value]] = []
        for to, kinds in self._regions().items():
            self._add_group(to, kinds, groups)
        if variant.is_true("dropPromoted"):
            groups += [self._promoted(kind) for kind in self.hand if variant.risen(kind)]
        must_drop = variant.is_true("mustDrop")
        (self._draft.captures if must_drop else self._draft.moves).extend(groups)

    def values(self, kind: Kind) -> dict[str, Value]:
        """Return the values of a kind: its kind in hand and its letter in drops."""
        base = kind.base or kind.name
        values: dict[str, Value] = {}
        if self._captures and self.hand and self._has_bases and base in self._names:
            values["plain"] = base
        if len(self.hand) > 1 and kind in self.hand:
            values["letter"] = f'"{kind.letter.upper()}"'
        return values

    def limit(self, kind: Kind) -> int:
        """Return the most pieces of a kind; 0 where captured pieces do not keep their number."""
        if not self.hand or not self._variant.demotes_captured:
            return 0
        base = self._variant.named(kind.base) or kind
        same = {k.letter for k in self._variant.kinds if base.name in (k.name, k.base)}
        pieces = "".join(self._position.rows) + self._position.hand
        if kind.key == "king":
            return max(pieces.count(kind.letter), pieces.count(kind.letter.upper()))
        return sum(char.lower() in same for char in pieces)

    # the hand

    @property
    def _names(self) -> set[str]:
        return {kind.name for kind in self.hand}

    @property
    def _has_bases(self) -> bool:
        return any(kind.base for kind in self._variant.kinds)

    def _kinds_in_hand(self) -> tuple[Kind, ...]:
        """Return the kinds that are in hand at first, and those that captures bring there."""
        variant = self._variant
        letters = set(self._position.hand.lower())
        names = {kind.name for kind in variant.kinds if kind.letter in letters and not kind.base}
        if self._captures:
            on_board = set("".join(self._position.rows).lower())
            for kind in variant.kinds:
                is_met = kind.letter in on_board or kind.base or kind.name in names
                if kind.key != "king" and (is_met or self._is_result(kind)):
                    names.add(kind.base or kind.name)
        return tuple(kind for kind in variant.kinds if kind.name in names)

    def _is_result(self, kind: Kind) -> bool:
        sides = (self._variant.promotion_results(side) for side in ("White", "Black"))
        return any(kind in results for results in sides)

    def _add_hand(self, passing: Passing) -> None:
        draft = self._draft
        pieces = "".join(self._position.rows) + self._position.hand
        most = max(1, sum(char != "." for char in pieces) - 1)
        draft.registers["hand"] = {
            "type": "number",
            "each": ["player", "kind"],
            "from": "0",
            "to": str(most),
            "compared": True,
        }
        if self._captures:
            draft.effects.insert(0, self._capture(passing))
        for letter, count in Counter(self._position.hand).items():
            kind = next(k for k in self.hand if k.letter == letter.lower())
            side = "white" if letter.isupper() else "black"
            draft.start.append(f"set hand of {kind.name} of {side} to {count}")

    def _capture(self, passing: Passing) -> str:
        """Return the effect that brings captured pieces to the hand."""
        base = "plain of before(kind({}))" if self._has_bases else "before(kind({}))"
        if passing.kinds and not passing.is_by_pawns:
            return f"for c in captured do add 1 to hand of {base.format('c')}"
        kind = base.format("to")
        if passing.kinds:
            kind = f"(if to in captured then {kind} else pawn)"
        return f"if any(captured) then add 1 to hand of {kind}"

    # groups

    def _regions(self) -> dict[str, list[Kind]]:
        """Return the kinds by the cells on which they are placed."""
        regions: dict[str, list[Kind]] = {}
        for kind in self.hand:
            regions.setdefault(self._region(kind), []).append(kind)
        return regions

    def _region(self, kind: Kind) -> str:
        """Return the cells on which a kind is placed."""
        variant, reaches = self._variant, self._reaches
        text = "empty"
        drops = reaches.attribute("drops", "dropRegion")
        for cells in (drops if drops != "nowhere" else "", reaches.zone(kind)):
            text += f" and {cells}" if cells and cells != "all" else ""
        if kind.key == _ROOK and variant.is_true("sittuyinRookDrop"):
            text += f" and {self._row(1)}"
        if kind.key == PAWN and not variant.is_true("promotionZonePawnDrops"):
            text += _minus(reaches.attribute("last", "promotionRegion"))
        if kind.key == PAWN and not variant.is_true("firstRankPawnDrops"):
            text += _minus(self._row(1))
        text += _minus(reaches.stuck(kind))
        if kind in variant.kinds_of("dropNoDoubled", ""):
            text += self._without_doubled(kind)
        if kind.key == _BISHOP and variant.is_true("dropOppositeColoredBishop"):
            self._draft.define["dark"] = _DARK
            for cells, other in (("dark", "and dark"), ("(all minus dark)", "minus dark")):
                text += f" minus (if any(own bishop {other}) then {cells} else nowhere)"
        return text

    def _row(self, number: int) -> str:
        columns, rows = range(self._variant.columns), self._variant.rows
        near = frozenset((column, number - 1) for column in columns)
        far = frozenset((column, rows - number) for column in columns)
        return self._reaches.cells_of(f"row_{number}", (near, far))

    def _without_doubled(self, kind: Kind) -> str:
        """Return the exclusion of columns that have pieces of a kind."""
        most = max(1, self._variant.number("dropNoDoubledCount"))
        if most > 1:
            count = f"count(columns(column(it)) and own {kind.name})"
            return f" where {count} < {most}"
        column = f"(own {kind.name} or slide(own {kind.name}, [north, south], all))"
        return f" minus {column}"

    def _add_group(self, to: str, kinds: list[Kind], groups: list[Mapping[str, Value]]) -> None:
        pawn = next((kind for kind in kinds if self._is_mating_pawn(kind)), None)
        if pawn is not None:
            others = [kind for kind in kinds if kind is not pawn]
            self._draft.define["checking"] = "shift(enemy king, back)"
            groups.append(self._group([pawn], f"({to}) minus checking"))
            check = self._group([pawn], f"({to}) and checking")
            check["name"] = f"{pawn.name}_check"
            check["forbid"] = " or ".join([*self._draft.forbid, "not can_move(opponent)"])
            groups.append(check)
            kinds = others
        if kinds:
            groups.append(self._group(kinds, to))

    def _is_mating_pawn(self, kind: Kind) -> bool:
        variant = self._variant
        is_pawn = kind.key == _DROP_PAWN and variant.kind("king") is not None
        return is_pawn and variant.is_true("shogiPawnDropMateIllegal")

    def _group(self, kinds: list[Kind], to: str) -> dict[str, Value]:
        """Return the group of drops of some kinds."""
        several = len(kinds) > 1
        piece = "choice" if several else kinds[0].name
        name = "drop" if several else f"{kinds[0].name}_drop"
        group: dict[str, Value] = {"name": self._unused(name), "place": piece, "to": to}
        if not self._is_free:
            group["when"] = f"hand of {piece} > 0"
        if several:
            group["choice"] = [kind.name for kind in kinds]
        group["do"] = [*([] if self._is_free else [f"add -1 to hand of {piece}"]), RESET]
        letter = "{letter of choice}" if several else kinds[0].letter.upper()
        group["written"] = letter + "@{to}"
        if self._variant.text("dropChecks") == "false":
            group["forbid"] = " or ".join([*self._draft.forbid, "as(opponent, in_check)"])
        return group

    def _promoted(self, kind: Kind) -> dict[str, Value]:
        """Return the group of drops of a kind as its promoted form."""
        risen = self._variant.risen(kind)
        assert risen is not None
        group: dict[str, Value] = {
            "name": f"{risen.name}_drop",
            "place": risen.name,
            "to": self._region(kind),
            "when": f"hand of {kind.name} > 0",
            "do": [f"add -1 to hand of {kind.name}", RESET],
            "written": f"+{kind.letter.upper()}@{{to}}",
        }
        return group

    def _unused(self, name: str) -> str:
        """Return the name of a group, with a number if another group has it."""
        groups = [*self._draft.captures, *self._draft.moves]
        names = {group["name"] for group in groups} | self._used_names
        free_name, number = name, 1
        while free_name in names:
            number += 1
            free_name = f"{name}_{number}"
        self._used_names.add(free_name)
        return free_name


def _minus(cells: str) -> str:
    """Return the exclusion of a set of cells; empty for none."""
    if cells in ("", "nowhere"):
        return ""
    return (
        f" minus ({cells})" if " or " in cells and not cells.startswith("(") else f" minus {cells}"
    )
