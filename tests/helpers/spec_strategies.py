"""Random whole specs: a function of a source of numbers, and a Hypothesis strategy from it.

`write_spec(draw)` returns the YAML text of a spec; nearly all of them pass the checks. `specs()` is
the same for Hypothesis, which shrinks; `random_spec(seed)` is one of a fixed list.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import yaml
from hypothesis import strategies as st

from tests.helpers.spec_additions import add
from tests.helpers.spec_boards import Board, Draw, board, likely, pick, some
from tests.helpers.spec_expressions import Names, Scope, Writer

PLAYERS = ("white", "black", "green")
KINDS = ("man", "king", "rook")
ATTRIBUTES = ("tall", "round")
SYMBOLS = ("oxg", "OXG", "qyv")
NUMBERS = ((0, 3), (0, 40), (-20, 20), (-(2**63), 2**63 - 1), (3, 9))


@st.composite
def specs(draw: st.DrawFn) -> str:
    """Draw the YAML text of a spec."""
    return write_spec(lambda n: draw(st.integers(0, n - 1)) if n > 1 else 0)


def random_spec(seed: int, boards: Callable[[Draw], Board] = board) -> str:
    return write_spec(random.Random(seed).randrange, boards)


def write_spec(draw: Draw, boards: Callable[[Draw], Board] = board) -> str:
    """Return the YAML text of a spec; `draw(n)` returns a number below n."""
    return _Spec(draw, boards(draw)).text()


@dataclass(frozen=True, slots=True)
class Register:
    """The declaration of one register in a spec, and its type."""

    type: str
    section: dict[str, Any]


def _attributes(piece: Any) -> list[str]:
    """Return the attributes of a kind; an empty cell has none."""
    return piece.get("is", []) if isinstance(piece, dict) else []


class _Spec:
    """One spec under construction."""

    def __init__(self, draw: Draw, board: Board) -> None:
        self.draw = draw
        self.board = board
        self.players = PLAYERS[: pick(draw, [2, 2, 2, 2, 1, 3])]
        self.kinds = KINDS[: pick(draw, [1, 1, 2, 2, 3])]
        self.pieces = self._pieces()
        self.registers = self._registers()
        self.tracks = self._tracks()
        self.at_cells = {"load": self._at_cells()} if likely(draw, 20) else {}
        self.scored = likely(draw, 50)
        self.names = Names(
            self.players,
            (*self.kinds, "rock"),
            {name: register.type for name, register in self.registers.items()},
            frozenset(n for n, r in self.registers.items() if "each" in r.section),
            ("ahead",) if self.board.directions else (),
            self.scored,
            tracks=tuple(self.tracks),
            attributes=tuple(
                dict.fromkeys(word for of in self.pieces.values() for word in _attributes(of))
            ),
            at_cells="".join(self.at_cells),
        )
        self.write = Writer(draw, self.board, self.names)
        self.effects: dict[str, Any] = {}
        self._name_effects()

    def text(self) -> str:
        rules: dict[str, Any] = {"moves": self._groups()}
        steps = [g for g in rules["moves"] if isinstance(g, dict) and "then" in g]
        if any(group["then"]["step"] == "shot" for group in steps):
            rules["steps"] = [self._group("shot", Scope("moves"), False) | {"name": "shot"}]
        rules |= self._rest()
        spec: dict[str, Any] = {"spec": 1, "name": "Generated", "board": self.board.section}
        spec |= {"players": self._players(), "pieces": self.pieces}
        registers = {name: register.section for name, register in self.registers.items()}
        if steps:
            registers["hops"] = {"type": "number", "from": 0, "to": 99, "lives": "move"}
        registers |= self.at_cells
        if registers:
            spec["registers"] = registers
        spec |= {"effects": self.effects} if self.effects else {}
        spec |= {"tracks": self.tracks} if self.tracks else {}
        spec |= {"start": self._start(), "rules": rules}
        if likely(self.draw, 60):
            spec["strategies"] = {"one": self._keys("strategy"), "two": self._keys("strategy")}
        add(self.draw, spec, self.board)
        return yaml.safe_dump(spec, sort_keys=False, width=1000)

    # declarations

    def _players(self) -> dict[str, Any]:
        ways = self.board.directions
        if not ways:
            return {name: {"home": self.board.cells[0]} for name in self.players}
        return {
            name: {"ahead": some(self.draw, ways, 1, 2), "home": pick(self.draw, self.board.cells)}
            for name in self.players
        }

    def _pieces(self) -> dict[str, Any]:
        """Return each kind with its symbols; not every player has every kind."""
        pieces: dict[str, Any] = {}
        for number, (kind, symbols) in enumerate(zip(self.kinds, SYMBOLS, strict=False)):
            owners = dict(zip(self.players, symbols, strict=False))
            if number and len(owners) > 1 and likely(self.draw, 15):
                owners.pop(pick(self.draw, list(owners)))
            words = [word for word in ATTRIBUTES if likely(self.draw, 50)]
            pieces[kind] = owners | ({"is": words} if words else {})
        return {**pieces, "rock": {"neutral": "#"}, "empty": "."}

    def _registers(self) -> dict[str, Register]:
        draw, registers = self.draw, {}
        ways = ["number", "number", "number", "flag", "cell", "cells", "side", "kind"]
        ways += ["direction"] if self.board.directions else []
        for number in range(pick(draw, [1, 2, 3, 0])):
            kind = pick(draw, ways)
            section: dict[str, Any] = {"type": kind}
            if kind == "number":
                low, high = pick(draw, NUMBERS)
                start = min(max(draw(4), low), high)
                section |= {"from": low, "to": high, "start": start}
            starts = {"cells": ["empty", *self.board.cells], "side": self.players}
            starts |= {
                "kind": self.kinds,
                "cell": self.board.cells,
                "direction": self.board.directions,
            }
            if kind in starts and (kind == "direction" or likely(draw, 50)):
                start_ = pick(draw, starts[kind])
                section["start"] = "nowhere" if start_ == "empty" else start_
            if likely(draw, 50):
                section["each"] = "player"
            if likely(draw, 50):
                section["lives"] = pick(draw, ["game", "turn", "move"])
            registers[f"r{number}"] = Register(kind, section)
        return registers

    def _tracks(self) -> dict[str, str]:
        """Return tracks of cells in any order, closed or open."""
        tracks = {}
        for number in range(pick(self.draw, [0, 0, 1, 2])):
            cells = [*dict.fromkeys(some(self.draw, self.board.cells, 2, 6))]
            if len(cells) > 1:
                closed = cells[:1] if likely(self.draw, 50) else []
                tracks[f"t{number}"] = "-".join([*cells, *closed])
        return tracks

    def _at_cells(self) -> dict[str, Any]:
        """Declare a number at each cell, of one bit or of several."""
        low, high = pick(self.draw, [(0, 1), (0, 5), (-3, 4), (2, 30)])
        start = pick(self.draw, [low, min(3, high), high])
        section = {"type": "number", "each": "cell", "from": low, "to": high, "start": start}
        return section | ({"lives": "turn"} if likely(self.draw, 20) else {})

    def _start(self) -> list[str]:
        """Put pieces of every side on some cells; sometimes on many."""
        effects = []
        for place, side in enumerate(self.players):
            cells = " or ".join(some(self.draw, self.board.cells, 1, 2))
            if likely(self.draw, 50):
                row = "screen_row(it) + screen_column(it)"
                cells = f"all where ({row}) % {len(self.players) + 1} = {place}"
            owned = [kind for kind in self.kinds if side in self.pieces[kind]]
            effects.append(f"put {pick(self.draw, owned)} of {side} on {cells}")
        if likely(self.draw, 25):
            effects.append(f"put rock on {pick(self.draw, self.board.cells)}")
        if likely(self.draw, 10):
            # Registers have no value yet.
            bare = Writer(self.draw, self.board, replace(self.names, registers={}))
            effects.append(f"flip {bare.cells(Scope('start'), 2)} to {self.players[-1]}")
        return effects

    # groups of moves

    def _groups(self) -> list[Any]:
        groups: list[Any] = []
        for _ in range(1 + self.draw(3)):
            if groups and likely(self.draw, 35):
                groups.append("otherwise")
            groups.append(self._group(f"g{len(groups)}", Scope("moves"), True))
        if likely(self.draw, 65):
            groups += ["otherwise", {"place": self.kinds[0], "to": "empty"}]
        if likely(self.draw, 80):
            groups += ["otherwise"] if likely(self.draw, 60) else []
            groups.append(self._pass())
            # Passes come last in their tier, wherever they are declared.
            if groups[-2] != "otherwise" and likely(self.draw, 60):
                groups[-2:] = groups[:-3:-1]
        if len(self.players) == 2 and likely(self.draw, 8):
            groups.insert(0, {"swap": True, "when": "plies = 1"})
        return groups

    def _pass(self) -> Any:
        if not self.registers or likely(self.draw, 60):
            return "pass"
        return {"pass": True, "do": [self._effect(Scope("do"), 1)]}

    def _group(self, name: str, scope: Scope, chains: bool) -> dict[str, Any]:
        form = pick(self.draw, ["place", "place", "move", "move", "move", "select"])
        make = {"place": self._placement, "move": self._movement, "select": self._selection}[form]
        group, scope = make(scope)
        if likely(self.draw, 12):
            scope = self._choose(group, scope)
        if likely(self.draw, 30):
            group["when"] = self.write.flag(scope, 2)
        effects = [*group.pop("effects", ())]
        effects += [self._effect(replace(scope, place="do"), 2) for _ in range(self.draw(3))]
        if likely(self.draw, 12):
            group["forbid"] = self.write.flag(replace(scope, place="forbid"), 2)
        if chains and likely(self.draw, 45 if self.board.size <= 36 else 3):
            group |= {"name": name, "then": self._then(name, replace(scope, place="do"))}
            effects.append("set hops to hops + 1")
        return group | ({"do": effects} if effects else {})

    def _placement(self, scope: Scope) -> tuple[dict[str, Any], Scope]:
        kind = pick(self.draw, self.kinds)
        piece = pick(self.draw, [kind, kind, kind, f"{kind} of next(player)", "rock"])
        targets = ["empty", "empty", "empty touching own", "empty minus shift(empty, south)"]
        ways = self.board.directions
        bracket = "enemy between {} and own"
        if likely(self.draw, 50):
            bracket = f"run({{}}, enemy, own, {self.write.range(scope)})"
        if ways and likely(self.draw, 20):
            group = {"place": piece, "to": f"empty where any({bracket.format('it')})"}
            return group | {"effects": [f"flip {bracket.format('to')}"]}, scope.plus("cell", "to")
        known = [t for t in targets if "south" not in t or "south" in ways]
        free = f"empty and {self.write.cells(scope, 2)}"
        target = free if likely(self.draw, 25) else pick(self.draw, known)
        return {"place": piece, "to": target}, scope.plus("cell", "to")

    def _movement(self, scope: Scope) -> tuple[dict[str, Any], Scope]:
        own = "own" if likely(self.draw, 70) else self.write.cells(scope, 1)
        group: dict[str, Any] = {"move": own}
        scope = scope.plus("cell", "from")
        if not self.board.directions or likely(self.draw, 15):
            group["to"] = pick(self.draw, ["neighbours(from) minus own", "empty"])
            return group, scope.plus("cell", "to")
        inner = scope.plus("direction", "direction")
        along = self.write.directions(Scope("moves"))
        forms: list[dict[str, Any]] = [
            {"along": along, "to": "shift(from, direction) minus own"},
            {"along": along, "to": "shift(from, direction) and empty"},
            {"to": f"slide(from, {along}, empty)"},
            {
                "along": along,
                "to": "shift(shift(from, direction) and enemy, direction) and empty",
                "effects": ["remove shift(from, direction)"],
            },
            {"along": along, "to": self.write.cells(inner, 2)},
        ]
        form = pick(self.draw, forms)
        return group | form, (inner if "along" in form else scope).plus("cell", "to")

    def _selection(self, scope: Scope) -> tuple[dict[str, Any], Scope]:
        cells = pick(self.draw, ["enemy", "own", "empty", self.write.cells(scope, 2)])
        inner = scope.plus("cell", "to")
        changes = ["remove to", "flip to", f"promote to to {pick(self.draw, self.kinds)}"]
        return {"select": cells, "effects": [pick(self.draw, changes)]}, inner

    def _choose(self, group: dict[str, Any], scope: Scope) -> Scope:
        """Give a group a choice, and its effects a use of it."""
        kind = pick(self.draw, ["kind", "number", "side", "cell"])
        values = {
            "kind": self.kinds,
            "number": ("1", "2", "(-3)", "count(own)"),
            "side": self.players,
            "cell": self.board.cells,
        }[kind]
        group["choice"] = list(dict.fromkeys(some(self.draw, values, 1, 3)))
        if kind == "kind" and "place" not in group:
            group["effects"] = [*group.get("effects", ()), "promote to to choice"]
        return scope.plus(kind, "choice")

    def _then(self, name: str, scope: Scope) -> dict[str, Any]:
        """Return a follow-up step: the same group a few times, or the group `shot`."""
        if likely(self.draw, 50):
            then: dict[str, Any] = {"step": "shot", "when": self.write.flag(scope, 1)}
        else:
            more = pick(self.draw, ["any(captured)", "true", self.write.flag(scope, 1)])
            then = {"step": name, "when": f"hops < {1 + self.draw(3)} and {more}", "from": "to"}
            if "direction" in scope.variables and likely(self.draw, 30):
                then["along"] = self.write.directions(scope)
        return then | ({"optional": True} if likely(self.draw, 40) else {})

    # effects

    def _name_effects(self) -> None:
        """Define effects with arguments, each of which may use the ones before it."""
        for number in range(pick(self.draw, [0, 1, 2])):
            scope = Scope("do", {"cell": ("spot",), "number": ("size",)})
            body = [self._effect(scope, 1) for _ in range(1 + self.draw(2))]
            self.effects[f"e{number}(spot, size)"] = body

    def _effect(self, scope: Scope, depth: int) -> str:
        draw, write = self.draw, self.write
        forms = ["put", "remove", "flip", "promote"]
        forms += ["carry"] if scope.variables.get("cell") else []
        forms += ["drop"] * 2 if self.board.directions else []
        forms += ["set"] * 5 if self.registers else []
        forms += ["if"] * 2 + ["for", "for", "block", "repeat"] if depth > 0 else []
        forms += ["carry each"] if scope.loops < write.loops else []
        forms += ["push"] if self.board.directions else []
        forms += ["named"] * 2 if self.effects else []
        forms += ["set at"] * 4 if self.at_cells else []
        match pick(draw, forms):
            case "put":
                kind = pick(draw, [*self.kinds, "rock", write.kind(scope, 1)])
                piece = kind
                if kind in self.kinds and likely(draw, 40):
                    piece = f"{kind} of {write.side(scope, 1)}"
                return f"put {piece} on {self._few(scope, depth)}"
            case "remove":
                return f"remove {self._few(scope, depth)}"
            case "flip":
                to = f" to {write.side(scope, 1)}" if likely(draw, 40) else ""
                return f"flip {self._few(scope, depth)}{to}"
            case "promote":
                return f"promote {self._few(scope, depth)} to {write.kind(scope, 1)}"
            case "carry":
                return f"carry {write.cell(scope, 1)} to {write.cell(scope, 1)}"
            case "carry each":
                inner = scope.plus("cell", "c", loops=1)
                return f"carry c in {self._few(scope, depth)} to {self._way_of(inner)}"
            case "push":
                return f"carry {write.cells(scope, depth)} to {self._way(scope)}"
            case "for":
                return self._loop(scope, depth)
            case "block":
                return f"({self._effect(scope, 0)}, {self._effect(scope, depth - 1)})"
            case "repeat":
                ends = ["nothing changes", "nothing changes", write.flag(scope, 1)]
                return f"repeat {self._effect(scope, 0)} until {pick(draw, ends)}"
            case "named":
                name = pick(draw, list(self.effects)).partition("(")[0]
                return f"{name}({write.cell(scope, 1)}, {write.number(scope, 1)})"
            case "drop":
                return f"drop {write.cells(scope, depth)} to {self._way(scope)}"
            case "set":
                return self._assignment(scope, depth)
            case "set at":
                return self._assignment_at(scope, depth)
        otherwise = f" else {self._effect(scope, 0)}" if likely(draw, 40) else ""
        return f"if {write.flag(scope, depth)} then {self._effect(scope, 0)}{otherwise}"

    def _loop(self, scope: Scope, depth: int) -> str:
        """Return an effect for each value of a domain."""
        draw = self.draw
        domains = [("cell", "c", self._few(scope, 1)), ("side", "p", "players")]
        domains += [("number", "i", f"numbers(1 to {1 + draw(3)})")]
        domains += [("cells", "g", f"groups({self.write.cells(scope, 0)})")]
        if self.tracks:
            domains.append(("cell", "c", self.write.along(scope, 1)))
        if self.board.directions:
            domains.append(("direction", "way", self.write.directions(scope, 0)))
        kind, name, domain = pick(draw, domains)
        return f"for {name} in {domain} do {self._effect(scope.plus(kind, name), depth - 1)}"

    def _way_of(self, scope: Scope) -> str:
        """Return the destination of the piece on cell `c`; pieces seldom share one."""
        forms = ["c", "no_cell", self.write.cell(scope, 1)]
        forms += [f"first(shift(c, {self._way(scope)}) or c)"] * 4 if self.board.directions else []
        return f"(if {self.write.flag(scope, 1)} then {pick(self.draw, forms)} else c)"

    def _way(self, scope: Scope) -> str:
        """Return a named direction, or one from a register or the step."""
        held = [name for name, register in self.registers.items() if register.type == "direction"]
        held += ["direction"] if "direction" in scope.variables else []
        return pick(self.draw, [pick(self.draw, self.board.directions), *held])

    def _few(self, scope: Scope, depth: int) -> str:
        """Return cells for an effect, few enough not to fill or empty a board at once."""
        inner = self.write.cells(scope, depth)
        return f"({inner} and neighbours({pick(self.draw, self.board.cells)}))"

    def _assignment(self, scope: Scope, depth: int) -> str:
        name, register = pick(self.draw, list(self.registers.items()))
        side = ""
        if name in self.names.each and likely(self.draw, 40):
            side = f" of {self.write.side(scope, 0)}"
        value = self.write.value(register.type, scope, depth)
        if register.type == "number" and likely(self.draw, 60):
            value = f"({name}{side} {pick(self.draw, ['+', '-', '*'])} {value})"
        if register.type == "number" and likely(self.draw, 50):
            low, high = register.section["from"], register.section["to"]
            value = f"smaller({high}, greater({_signed(low)}, {value}))"
        return f"set {name}{side} to {value}"

    def _assignment_at(self, scope: Scope, depth: int) -> str:
        low, high = (self.at_cells["load"][end] for end in ("from", "to"))
        known = scope.variables.get("cell")
        if known and likely(self.draw, 60):
            cell = pick(self.draw, known)
            less = pick(self.draw, [f"load of {cell} + 1", f"load of {cell} / 2", str(high)])
            return f"set load of {cell} to smaller({high}, {less})"
        value = f"smaller({high}, greater({_signed(low)}, {self.write.number(scope, depth)}))"
        return f"set load of {self._few(scope, depth)} to {value}"

    # the rest of the rules

    def _rest(self) -> Mapping[str, Any]:
        draw, write = self.draw, self.write
        rest: dict[str, Any] = {}
        if likely(draw, 25):
            rest["do"] = [self._effect(Scope("do", {"cell": ("to",)}), 1)]
        if likely(draw, 10):
            rest["forbid"] = f"board_repeats > {draw(2)} or ({write.flag(Scope('forbid'), 1)})"
        if likely(draw, 35):
            turns = ["if plies % 2 = 0 then next(player) else player"]
            turns += [f"if {write.flag(Scope('turn'), 1)} then player else next(player)"]
            rest["turn"] = pick(draw, [*turns, write.side(Scope("turn"), 2)])
        if likely(draw, 15):
            rest["keep"] = self._keys("keep")
        if self.scored:
            rest["score"] = write.number(Scope("score"), 3)
            if likely(draw, 35):
                rest["score"] = f"({rest['score']} - {draw(20)}) {pick(draw, '/%')} {2 + draw(4)}"
        if likely(draw, 10):
            rest["misere"] = True
        return rest | {"end": [self._end() for _ in range(1 + draw(3))]}

    def _end(self) -> dict[str, Any]:
        draw, write, regions = self.draw, self.write, self.board.regions
        again = "position_repeats >= 1" if len(regions) > 1 else "position_age > 0"  # the same
        whens = ["none(empty)", "not can_move(mover)"]
        whens += [f"plies > 1 and any(line(own, at least {3 + draw(2)}))"]
        whens += [f"plies >= {3 + draw(12)}", again, "none(own) and plies > 2"]
        whens += [f"count(own) >= {self.board.size // 2 + draw(6)}"]
        if len(regions) > 1:
            whens += [f"plies > 1 and any(fill(own and {regions[0]}, own) and {regions[1]})"]
        results = ["draw", "player wins", "player loses", "mover loses"]
        results += ["highest score wins", "lowest score wins"] if self.scored else []
        results += [f"{write.side(Scope('end'), 1)} wins"]
        when = pick(draw, whens)
        if likely(draw, 20):
            late = f"plies >= {1 + draw(4)} and "
            when = ("" if likely(draw, 10) else late) + write.flag(Scope("end"), 2)
        return {"when": when, "result": pick(draw, results)}

    def _keys(self, place: str) -> list[str]:
        scope = Scope(place, {"cell": ("to", "from")})
        keys = []
        for _ in range(1 + self.draw(3)):
            number = self.write.number(scope, 2)
            forms = [f"most {number}", f"least {number}", f"prefer {self.write.flag(scope, 2)}"]
            forms += [f"prefer {self.write.flag(scope, 1)} else {self.write.flag(scope, 1)}"]
            forms += ["leftmost", "lowest"]
            if place == "keep":
                forms += ["one of each result"] * 3
            if place == "strategy":
                other = f"as(next(player), after({self.write.number(replace(scope, ahead=1), 1)}))"
                forms.append(f"most {other} - count(own)")
            keys.append(pick(self.draw, forms))
        return keys


def _signed(number: int) -> str:
    """Return a number as an expression: the least one cannot be written with a sign."""
    if number >= 0:
        return str(number)
    return f"(-{number + 1} - 1)".replace("--", "-") if number == -(2**63) else f"(-{-number})"
