"""Illegal moves and the ends of a variant: check, extinction, goals, lines, repetition."""

from types import MappingProxyType

from rulesengine.errors import UsageError
from rulesengine.tools.variants_ini.cells import cells_text
from rulesengine.tools.variants_ini.draft import Draft
from rulesengine.tools.variants_ini.kinds import Kind
from rulesengine.tools.variants_ini.variant import SIDES, Variant

_RESULTS = MappingProxyType({"win": "{} wins", "loss": "{} loses", "draw": "draw"})
_OPPOSITE = MappingProxyType({"win": "loss", "loss": "win", "draw": "draw"})
_EXTINCTION_COUNTS = ("extinctionPieceCount", "extinctionOpponentPieceCount")
_LONG_GAME = "9999"


class Ends:
    """The ends of a variant, added to a draft."""

    def __init__(self, variant: Variant, draft: Draft) -> None:
        self._variant = variant
        self._draft = draft
        self._blasts = variant.is_true("blastOnCapture")
        self._extinct = variant.kinds_of("extinctionPieceTypes", "")
        self._king = variant.kind("king")

    def add(self, attacks: str) -> None:
        """Add conditions of illegal moves, effects and ends."""
        self._add_blast()
        checks = self._add_checks(attacks)
        self._add_extinction()
        self._add_goal(attacks)
        self._add_lines()
        self._add_stalemate(checks)
        self._add_counts()

    # check

    def _add_checks(self, attacks: str) -> str:
        """Add illegal moves; return the condition that the player is in check, empty for none."""
        draft, variant = self._draft, self._variant
        checks = []
        if self._king:
            checks.append(f"any(own {self._king.name} and as(opponent, attacks))")
        if royals := self._royals():
            checks.append(royals)
        if not checks:
            return ""
        draft.define["attacks"] = attacks
        draft.define["in_check"] = " or ".join(checks)
        draft.forbid.append("in_check")
        if not variant.is_true("checking"):
            draft.forbid.append("as(opponent, in_check)")
        if variant.is_true("flyingGeneral") and self._king:
            draft.define["beam(c, way)"] = "shift(c or slide(c, way, empty), way)"
            king = self._king.name
            sight = f"union(way in orthogonal, beam(own {king}, way))"
            draft.forbid.append(f"any({sight} and enemy {king})")
        return "in_check"

    def _royals(self) -> str:
        """Return the condition that a last piece of a kind is attacked; empty for none.

        With explosions a player may not lose all such pieces, and may leave them attacked if the
        opponent has lost all of them.
        """
        variant = self._variant
        if not variant.is_true("extinctionPseudoRoyal") or not self._extinct:
            return ""
        least = variant.number("extinctionPieceCount") + 1
        parts = []
        for kind in self._extinct:
            own = f"own {kind.name}"
            if self._blasts:
                near = f"{own} minus neighbours(enemy {kind.name})"
                attacked = f"any({near} and as(opponent, attacks))"
                last = f"count({own}) = {least}"
                parts.append(
                    f"count({own}) < {least} or any(enemy {kind.name}) and {last} and {attacked}"
                )
            else:
                attacked = f"any({own} and as(opponent, attacks))"
                parts.append(f"count({own}) <= {least} and {attacked}")
        return " or ".join(parts)

    def _add_blast(self) -> None:
        if not self._blasts:
            return
        pawns = "".join(f" minus {k.name}" for k in self._variant.kinds if k.key == "pawn")
        immune = "".join(
            f" minus {kind.name}" for kind in self._variant.kinds_of("blastImmuneTypes", "")
        )
        blast = f"remove ((occupied and neighbours(to){pawns}) or to){immune}"
        self._draft.effects.insert(0, f"if any(captured) then {blast}")

    # ends

    def _end(self, when: str, result: str, reason: str, *, claim: bool = False) -> None:
        end: dict[str, str | bool] = {"when": when, "result": result, "reason": reason}
        if claim:
            end["claim"] = True
        self._draft.ends.append(end)

    def _result(self, key: str, player: str) -> str:
        """Return the result that a key states for a player. Raises UsageError."""
        return _RESULTS[self._value(key)].format(player)

    def _value(self, key: str) -> str:
        """Return the value of a key: a win, a loss or a draw. Raises UsageError."""
        value = self._variant.text(key)
        if value not in _RESULTS:
            known = ", ".join(_RESULTS)
            raise UsageError(f"--from-ini: {key}: expected {known}; found `{value[:20]}`")
        return value

    def _add_extinction(self) -> None:
        variant = self._variant
        value = variant.text("extinctionValue")
        is_royal = variant.is_true("extinctionPseudoRoyal") and not self._blasts
        if value == "none" and not is_royal:
            variant.ignore("extinction")
        if value not in _RESULTS or is_royal or not self._extinct:
            return
        count, others = map(variant.number, _EXTINCTION_COUNTS)
        is_all = "*" in variant.text("extinctionPieceTypes")
        for name in [""] if is_all else [f" {kind.name}" for kind in self._extinct]:
            when = f"count(own{name}) <= {count}" if count else f"none(own{name})"
            if variant.is_true("extinctionClaim"):
                least = f"(if player = mover then {others + 1} else {others})"
                when += f" and count(enemy{name}) >= {least}"
            elif others:
                when += f" and count(enemy{name}) >= {others}"
            lost = name.strip().replace("_", " ") or "piece"
            self._end(
                when,
                _RESULTS[value].format("player"),
                f"no {lost} is left" if not count else f"too few {lost}s are left",
            )

    def _add_goal(self, attacks: str) -> None:
        variant, columns, rows = self._variant, self._variant.columns, self._variant.rows
        cells = [variant.cells("flagRegion", side) for side in SIDES]
        if not any(cells):
            return
        texts = [cells_text(each, columns, rows) for each in cells]
        goal = self._draft.attribute("goal", (texts[0], texts[1]))
        kinds = [variant.kinds_of("flagPiece", side, "*") for side in SIDES]
        pieces = [self._own(each) for each in kinds]
        safe = ""
        if variant.is_true("flagPieceSafe"):
            self._draft.define["attacks"] = attacks
            safe = " minus as(opponent, attacks)"
        own = (
            pieces[0]
            if pieces[0] == pieces[1]
            else (f"(if player = white then {pieces[0]} else {pieces[1]})")
        )
        count = max(variant.number("flagPieceCount"), 1)
        flags = f"{own} and {goal}{safe}"
        reached = f"count({flags}) >= {count}" if count > 1 else f"any({flags})"
        turn = "!="
        if variant.text("flagMove") == "true":
            if any(kind.key == "king" for each in kinds for kind in each):
                self._draft.omissions.append("flagMove = true")
            turn = "="
        when = reached if safe else f"player {turn} mover and {reached}"
        self._end(when, "player wins", "the goal is reached")

    def _own(self, kinds: tuple[Kind, ...]) -> str:
        if kinds == self._variant.kinds:
            return "own"
        text = " or ".join(f"own {kind.name}" for kind in kinds) or "nowhere"
        return f"({text})" if len(kinds) > 1 else text

    def _add_lines(self) -> None:
        variant = self._variant
        least = variant.number("connectN")
        if not least:
            return
        ways = {
            "connectHorizontal": ["east"],
            "connectVertical": ["north"],
            "connectDiagonal": ["northeast", "northwest"],
        }
        along = [way for key, names in ways.items() if variant.is_true(key) for way in names]
        own = self._own(variant.kinds_of("connectPieceTypes", "", "*"))
        result = self._result("connectValue", "player")
        line = f"line({own}, at least {least}, along: [{', '.join(along)}])"
        self._end(f"player != mover and any({line})", result, f"a line of {least}")

    def _add_stalemate(self, checks: str) -> None:
        variant, stuck = self._variant, "not can_move(mover)"
        mate, value = self._value("checkmateValue"), self._value("stalemateValue")
        stalemate = _RESULTS[value].format("mover")
        is_counted = variant.is_true("stalematePieceCount")
        if checks and mate == value and not is_counted:
            self._end(stuck, stalemate, "no legal move")
            return
        if checks:
            result = _RESULTS[mate].format("mover")
            self._end(f"{stuck} and as(mover, {checks})", result, "checkmate")
        if not is_counted:
            self._end(stuck, stalemate, "stalemate")
            return
        own, other = "count(as(mover, own))", "count(as(mover, enemy))"
        for sign, each in (("<", value), (">", _OPPOSITE[value])):
            result = _RESULTS[each].format("mover")
            self._end(f"{stuck} and {own} {sign} {other}", result, "stalemate")
        self._end(stuck, "draw", "stalemate with equal numbers of pieces")

    def _add_perpetual_check(self, repeats: int) -> None:
        """Add the loss of a player who gives check in all moves between equal positions."""
        draft, variant = self._draft, self._variant
        if not variant.is_true("perpetualCheckIllegal") or "in_check" not in draft.define:
            return
        draft.registers["checks"] = {
            "type": "number",
            "from": "0",
            "to": _LONG_GAME,
            "each": "player",
        }
        draft.effects.append("set checks to if as(opponent, in_check) then checks + 1 else 0")
        when = f"position_repeats >= {repeats - 1} and 2 * checks >= position_age"
        self._end(when, "player loses", "perpetual check", claim=True)

    def _add_counts(self) -> None:
        variant = self._variant
        if repeats := variant.number("nFoldRule"):
            player = "white" if variant.is_true("nFoldValueAbsolute") else "mover"
            result = _RESULTS.get(variant.text("nFoldValue"), "draw").format(player)
            self._add_perpetual_check(repeats)
            reason = f"the position occurs {repeats} times"
            self._end(f"position_repeats >= {repeats - 1}", result, reason, claim=True)
        if moves := variant.number("nMoveRule"):
            reason = f"{moves} moves of each side without a capture or a pawn's move"
            self._end(f"quiet >= {2 * moves}", "draw", reason, claim=True)
        self._draft.registers["quiet"] = {"type": "number", "from": "-1", "to": _LONG_GAME}
        self._draft.effects.append("set quiet to if any(captured) then 0 else quiet + 1")
