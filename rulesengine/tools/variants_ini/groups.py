"""The moves of the pieces of a variant: groups, promotion of pawns and of other pieces."""

from collections.abc import Mapping

from rulesengine.tools.variants_ini.draft import RESET, Draft, Value
from rulesengine.tools.variants_ini.kinds import Kind
from rulesengine.tools.variants_ini.movement_text import at_cells
from rulesengine.tools.variants_ini.reaches import Reaches
from rulesengine.tools.variants_ini.variant import PAWN, SIDES, Variant


class Groups:
    """The groups of all kinds of a variant, added to a draft."""

    def __init__(self, variant: Variant, draft: Draft, reaches: Reaches) -> None:
        self._variant = variant
        self._draft = draft
        self._reaches = reaches
        self._doubles = variant.is_true("doubleStep")
        self._last = reaches.attribute("last", "promotionRegion")
        self._pawns = [set(variant.pawns("promotionPawnTypes", side)) for side in SIDES]
        self._results = [variant.promotion_results(side) for side in SIDES]
        self._is_mandatory = variant.is_true("mandatoryPawnPromotion")
        self._must_rise = variant.is_true("mandatoryPiecePromotion")
        self._rises_on_capture = variant.is_true("piecePromotionOnCapture")
        self._demotes = variant.is_true("pieceDemotion")
        self._resetting = [set(variant.pawns("nMoveRuleTypes", side)) for side in SIDES]

    def add(self) -> None:
        """Add the groups of all kinds."""
        for kind in self._variant.movers:
            self._add_kind(kind)

    def _add_kind(self, kind: Kind) -> None:
        quiet, captures = self._quiet(kind), self._captured(kind)
        if self._variant.is_true("mustCapture"):
            self._add_group(kind, captures, "captures", self._draft.captures)
            self._add_group(kind, quiet, "quiet", self._draft.moves)
            return
        reach = self._reaches.of(kind)
        is_plain = reach.quiet == reach.hits and not reach.initial and not self._immune(kind)
        if is_plain and reach.quiet:
            both = f"moves_{kind.name}(from) minus own"
        else:
            both = " or ".join(filter(None, (quiet, captures)))
        self._add_group(kind, both, "", self._draft.moves)

    def _quiet(self, kind: Kind) -> str:
        reach = self._reaches.of(kind)
        parts = []
        if reach.quiet:
            parts.append(f"{self._reaches.named(kind, 'quiet')}(from) and empty")
        if self._doubles and (kind.key == PAWN or reach.initial):
            second = self._reaches.attribute("second", "doubleStepRegion")
            zone = self._reaches.zone(kind)
            if kind.key == PAWN:
                text = f"shift(shift(from and {second}, ahead) and empty, ahead) and empty"
            else:
                text = f"({at_cells(reach.initial, f'from and {second}')}) and empty"
            parts.append(f"{text} and {zone}" if zone else text)
        return " or ".join(parts)

    def _captured(self, kind: Kind) -> str:
        if not self._reaches.of(kind).hits:
            return ""
        return f"{self._reaches.hits(kind)}(from) and {self._immune(kind) or 'enemy'}"

    def _immune(self, kind: Kind) -> str:
        """Return the pieces that a kind captures if those of its own kind are immune."""
        is_immune = kind in self._variant.kinds_of("mutuallyImmuneTypes", "")
        return f"(enemy minus {kind.name})" if is_immune else ""

    def _add_group(self, kind: Kind, to: str, mode: str, groups: list[Mapping[str, Value]]) -> None:
        """Add the moves of a kind, and its promotions as groups of their own."""
        if not to:
            return
        name = f"{kind.name}_{mode}" if mode else kind.name
        pawns, results = self._pawns, self._results
        promotes = [
            bool(kind in pawns[side] and (results[side] or self._is_mandatory)) for side in (0, 1)
        ]
        group: dict[str, Value] = {"name": name, "move": self._variant.own(kind)}
        effects = self._reset(kind)
        if not any(promotes) or self._last == "nowhere":
            group["to"] = to
        else:
            last = self._last if all(promotes) else self._last_of(promotes)
            group["to"] = f"({to}) minus {last}" if self._is_mandatory else to
            promotion = self._promotion(kind, to, last, name)
            if promotion:
                groups.append(promotion)
        self._add_risen(kind, to, name, group, groups)
        if immobile := self._reaches.stuck(kind):
            group["to"] = f"({group['to']}) minus {immobile}"
        if effects:
            group["do"] = effects
        if group["to"] != "nowhere":
            groups.append(group)

    # promotion of pieces

    def _add_risen(
        self,
        kind: Kind,
        to: str,
        name: str,
        group: dict[str, Value],
        groups: list[Mapping[str, Value]],
    ) -> None:
        """Add the promotions and demotions of the pieces of a group; restrict its other moves."""
        members = [each for each in self._variant.kinds if kind.name in (each.name, each.like)]
        changes = []
        for member in members:
            if risen := self._variant.risen(member):
                changes.append((member, risen, "+"))
            elif self._demotes and (base := self._variant.named(member.base)):
                changes.append((member, base, "-"))
        for member, other, sign in changes if self._last != "nowhere" else ():
            target = f"({to}) and enemy" if self._rises_on_capture else to
            change: dict[str, Value] = {
                "name": f"{member.name}_{'promoted' if sign == '+' else 'demoted'}",
                "move": f"own {member.name}",
                "to": target,
            }
            if self._last != "all":
                change["when"] = f"from in {self._last} or to in {self._last}"
            promote = f"promote to to {other.name}"
            change["do"] = promote if self._demotes else [promote, RESET]
            change["written"] = f"{{from}}{{to}}{sign}"
            groups.append(change)
        if changes and self._must_rise:
            self._restrict(group, [member for member, _, _ in changes], members)

    def _restrict(self, group: dict[str, Value], changed: list[Kind], members: list[Kind]) -> None:
        """Remove the moves of a group that must promote their piece."""
        zone = self._last
        barred = "all" if zone == "all" else f"(if from in {zone} then all else {zone})"
        if self._rises_on_capture:
            barred = "enemy" if zone == "all" else f"({barred} and enemy)"
        others = [each for each in members if each not in changed]
        if barred == "all":
            group["move"] = " or ".join(f"own {each.name}" for each in others)
            if not others:
                group["to"] = "nowhere"
        elif others:
            text = " or ".join(each.name for each in changed)
            group["to"] = (
                f"if from in ({text}) then ({group['to']}) minus {barred} else {group['to']}"
            )
        else:
            group["to"] = f"({group['to']}) minus {barred}"

    # promotion of pawns

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
            "do": ["promote to to choice", *([RESET] if self._reset(kind) else [])],
            "written": "{from}{to}{sign(choice)}",
        }

    def _allowed(
        self, every: tuple[Kind, ...], results: list[tuple[Kind, ...]]
    ) -> dict[str, Value]:
        """Return the condition of choices that are not free for both players."""
        limits = self._variant.pairs("promotionLimit")
        parts = []
        for kind in every:
            if kind.sign in limits:
                few = f"count(own {kind.name}) < {limits[kind.sign]}"
                parts.append(f"(choice != {kind.name} or {few})")
            for side in (0, 1):
                if kind not in results[side]:
                    parts.append(f"(choice != {kind.name} or player != {('white', 'black')[side]})")
        self._draft.define["sign(piece)"] = self._sign()
        return {"when": " and ".join(parts)} if parts else {}

    def _sign(self) -> str:
        """Return the letter of a kind as an expression."""
        every = tuple(dict.fromkeys(self._results[0] + self._results[1]))
        text = f'"{every[-1].sign}"'
        for kind in reversed(every[:-1]):
            text = f'if piece = {kind.name} then "{kind.sign}" else {text}'
        return text

    def _reset(self, kind: Kind) -> str:
        """Return the effect that restarts the count of quiet moves after a move of a kind."""
        if not any(kind in side for side in self._resetting):
            return ""
        vectors = {v for m in kind.movements if m.quiet and not m.initial for v in m.vectors}
        if any((-a, -b) in vectors for a, b in vectors):
            return f"if none({self._reaches.named(kind, 'quiet')}(to) and from) then {RESET}"
        return RESET
