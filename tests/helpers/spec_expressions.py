"""Expressions of generated specs, by type; every part is in brackets.

Expressions are well typed and use only names that are in scope. Evaluation may fail by overflow, by
division by zero, or by the first element of an empty set.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from tests.helpers.spec_boards import Board, Draw, likely, pick, some

HUGE = ("9223372036854775807", "(-9223372036854775807 - 1)", "4611686018427387904", "3037000500")
RECORD = ("captured", "placed", "moved", "flipped", "removed")
# The words that are not available everywhere, by place; see the table of the language.
EXTRA: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "start": frozenset(),
        "moves": frozenset({"score"}),
        "do": frozenset({"score", "record"}),
        "forbid": frozenset({"score", "record"}),
        "turn": frozenset({"score", "record", "can_move"}),
        "end": frozenset({"score", "can_move"}),
        "score": frozenset(),
        "keep": frozenset({"score", "record", "after"}),
        "strategy": frozenset({"score", "record", "can_move", "after", "outcome"}),
    }
)


@dataclass(frozen=True, slots=True)
class Names:
    """The names that a spec declares, besides its board, by type."""

    players: tuple[str, ...]
    kinds: tuple[str, ...]
    registers: Mapping[str, str]
    each: frozenset[str] = frozenset()
    directions: tuple[str, ...] = ()
    scored: bool = False
    ends: bool = False
    tracks: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    # A register with a number at each cell; none if empty.
    at_cells: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """The context of an expression: the values it may read, and the variables in scope by type."""

    place: str
    variables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    loops: int = 0
    ahead: int = 0

    def reads(self, word: str) -> bool:
        return word in EXTRA[self.place]

    def plus(self, kind: str, name: str, loops: int = 0) -> "Scope":
        known = {**self.variables, kind: (*self.variables.get(kind, ()), name)}
        return replace(self, variables=known, loops=self.loops + loops)


Maker = Callable[[Scope, int], str]


class Writer:
    """Writes expressions of a type, of limited depth."""

    def __init__(self, draw: Draw, board: Board, names: Names) -> None:
        self.draw = draw
        self.board = board
        self.names = names
        # Nested loops over cells cost the square of the cells.
        self.loops = 2 if board.size <= 30 else 1

    def cells(self, scope: Scope, depth: int) -> str:
        if depth <= 0:
            return self._plain_cells(scope)
        makers: list[Maker] = [self._plain_deep, self._both, self._both, self._unary]
        makers += [self._geometry] * 4 + [self._conditional_cells, self._read_by]
        makers += [self._filtered] if scope.loops < self.loops else []
        return pick(self.draw, makers)(scope, depth - 1)

    def number(self, scope: Scope, depth: int) -> str:
        if depth <= 0:
            return self._plain_number(scope)
        makers: list[Maker] = [self._counted, self._arithmetic, self._arithmetic, self._placed]
        makers += [self._of_numbers, self._conditional_number, self._guarded_number]
        makers += [self._summed] * 2 if scope.loops < self.loops else []
        makers += [self._ahead_number] * 3 if self._may_look(scope) else []
        return pick(self.draw, makers)(scope, depth - 1)

    def flag(self, scope: Scope, depth: int) -> str:
        if depth <= 0:
            return self._plain_flag(scope)
        makers: list[Maker] = [
            self._condition,
            self._condition,
            self._compared,
            self._joined,
            self._within,
        ]
        makers += [self._same, self._guarded]
        makers += [self._quantified] if scope.loops < self.loops else []
        makers += [self._ahead_flag] * 3 if self._may_look(scope) else []
        return pick(self.draw, makers)(scope, depth - 1)

    def cell(self, scope: Scope, depth: int) -> str:
        known = (*scope.variables.get("cell", ()), *self._registers("cell"))
        if known and (depth <= 0 or likely(self.draw, 75)):
            return pick(self.draw, known)
        if depth <= 0 or likely(self.draw, 30):
            return pick(self.draw, self.board.cells)
        if self.names.tracks and likely(self.draw, 25):
            track, number = pick(self.draw, self.names.tracks), self.number(scope, depth - 1)
            return f"further({track}, {self.cell(scope, depth - 1)}, {number})"
        if likely(self.draw, 12):
            row, column = self.number(scope, 0), self.number(scope, depth - 1)
            return f"cell_at({row}, {column})"
        end = pick(self.draw, ["first", "last"])
        return f"{end}({self.cells(scope, depth - 1)})"

    def side(self, scope: Scope, depth: int) -> str:
        known = ["player", "mover", *self.names.players, *self._registers("side")]
        known += ["opponent"] * 2 if len(self.names.players) == 2 else []
        known += scope.variables.get("side", ())
        if depth <= 0 or likely(self.draw, 60):
            return pick(self.draw, known)
        if likely(self.draw, 50):
            return f"next({self.side(scope, 0)})"
        return f"owner({self.cell(scope, depth - 1)})"

    def directions(self, scope: Scope, depth: int = 1) -> str:
        board = self.board
        known = [*board.directions, *board.sets, "all", *scope.variables.get("direction", ())]
        known += [*self.names.directions, *self._registers("direction")]
        if depth > 0 and likely(self.draw, 20):
            return f"opposite({self.directions(scope, depth - 1)})"
        if likely(self.draw, 15):
            single = [*board.directions, *scope.variables.get("direction", ()) * 4]
            return f"[{', '.join(dict.fromkeys(some(self.draw, single, 2)))}]"
        return pick(self.draw, known)

    def kind(self, scope: Scope, depth: int) -> str:
        if depth > 0 and likely(self.draw, 25):
            return f"kind({self.cell(scope, depth - 1)})"
        known = [*self.names.kinds, *scope.variables.get("kind", ()), *self._registers("kind")]
        return "no_kind" if likely(self.draw, 5) else pick(self.draw, known)

    def range(self, scope: Scope) -> str:
        low = 1 + self.draw(4)
        words = [f"at least {low}", f"{low}", f"exactly {low}", f"at most {low}"]
        words += [f"{low} to {low + self.draw(3)}", f"at least {self.number(scope, 0)}"]
        return pick(self.draw, words)

    def value(self, kind: str, scope: Scope, depth: int) -> str:
        """Return an expression of the type of a register."""
        match kind:
            case "number":
                return self.number(scope, depth)
            case "flag":
                return self.flag(scope, depth)
            case "cell":
                return "no_cell" if likely(self.draw, 15) else self.cell(scope, depth)
            case "cells":
                return self.cells(scope, depth)
            case "side":
                return self.side(scope, depth)
            case "kind":
                return self.kind(scope, depth)
        return pick(self.draw, self.board.directions)

    def _registers(self, kind: str) -> list[str]:
        names = [name for name, known in self.names.registers.items() if known == kind]
        return [
            f"{name} of {pick(self.draw, self.names.players)}"
            if name in self.names.each and likely(self.draw, 30)
            else name
            for name in names
        ]

    # sets of cells

    def _plain_cells(self, scope: Scope) -> str:
        known = ["empty", "own", "enemy", "occupied", "all", "neutral", *self.names.kinds]
        known += [*self.board.regions, *self.board.cells[:2], self.names.players[-1], "nowhere"]
        known += scope.variables.get("cells", ())
        known += [*scope.variables.get("cell", ())] * 3
        known += [*self._registers("cells"), *self._registers("cell")]
        known += self.names.attributes
        known += RECORD if scope.reads("record") else ()
        return pick(self.draw, known)

    def _plain_deep(self, scope: Scope, depth: int) -> str:
        kind, side = pick(self.draw, self.names.kinds), pick(self.draw, self.names.players)
        phrases = [self._plain_cells(scope), f"(own {kind})", f"({kind} of {side})"]
        phrases += [f"(own {word})" for word in self.names.attributes]
        phrases += [f"({word} of {side})" for word in self.names.attributes]
        phrases += [f"rows({self.range(scope)})", f"columns({self.range(scope)})"]
        return pick(self.draw, phrases)

    def _both(self, scope: Scope, depth: int) -> str:
        if self._may_count(scope) and likely(self.draw, 25):
            return f"({self.cells(scope, 0)} where {self._comparison_at(scope, 'it')})"
        sign = pick(self.draw, ["and", "or", "minus", "touching"])
        return f"({self.cells(scope, depth)} {sign} {self.cells(scope, depth)})"

    def _unary(self, scope: Scope, depth: int) -> str:
        inner = self.cells(scope, depth)
        return f"(not {inner})" if likely(self.draw, 30) else f"neighbours({inner})"

    def _geometry(self, scope: Scope, depth: int) -> str:
        a, b = self.cells(scope, depth), self.cells(scope, 0)
        if not self.board.directions:
            return pick(self.draw, [f"fill({b}, {a})", f"line({a}, {self.range(scope)})"])
        along = self.directions(scope)
        optional = f", along: {along}" if likely(self.draw, 40) else ""
        length = f", {self.range(scope)}" if likely(self.draw, 30) else ""
        forms = [
            f"shift({a}, {along})",
            f"shift({a}, {along}, {self.directions(scope, 0)})",
            f"neighbours({a}, {along})",
            f"slide({a}, {along}, {b})",
            f"run({b}, {a}, {self.cells(scope, 0)}{length}{optional})",
            f"line({a}, {self.range(scope)}{optional})",
            f"line(({a} or {b}), {1 + self.draw(3)})",
            f"fill({b}, {a}{optional})",
            f"fill({b}, ({a} or {self.cells(scope, 0)}), along: {along})",
            f"({a} between {b} and {self.cells(scope, 0)})",
        ]
        return pick(self.draw, forms)

    def _conditional_cells(self, scope: Scope, depth: int) -> str:
        test = self.flag(scope, depth)
        return f"(if {test} then {self.cells(scope, depth)} else {self.cells(scope, 0)})"

    def _read_by(self, scope: Scope, depth: int) -> str:
        return f"as({self.side(scope, depth)}, {self.cells(scope, depth)})"

    def _filtered(self, scope: Scope, depth: int) -> str:
        if likely(self.draw, 50):
            inner = scope.plus("cell", "it", 1)
            return f"({self.cells(scope, depth)} where {self.flag(inner, depth)})"
        name, kind, domain = self._domain(scope, depth)
        inner = scope.plus(kind, name, 1)
        form = "reach" if kind == "cell" and likely(self.draw, 40) else "union"
        return f"{form}({name} in {domain}, {self.cells(inner, depth)})"

    def along(self, scope: Scope, depth: int) -> str:
        """Return cells of a track, as a domain."""
        track, after = pick(self.draw, self.names.tracks), self.cell(scope, depth)
        skipped = f", skipping: {self.cells(scope, 0)}" if likely(self.draw, 40) else ""
        return f"along({track}, {after}, {1 + self.draw(9)}{skipped})"

    def _domain(self, scope: Scope, depth: int) -> tuple[str, str, str]:
        """Return a new variable, its type, and its domain."""
        name = "uvw"[scope.loops]
        forms = [("cell", self.cells(scope, depth)), ("side", "players")]
        forms += [("cells", f"groups({self.cells(scope, depth)})")]
        forms += [("number", f"numbers({1 + self.draw(2)} to {1 + self.draw(6)})")]
        forms += [("direction", self.directions(scope))] if self.board.directions else []
        forms += [("cell", self.along(scope, depth))] if self.names.tracks else []
        kind, domain = pick(self.draw, forms)
        return name, kind, domain if domain.isidentifier() or "(" in domain else f"({domain})"

    # numbers

    def _plain_number(self, scope: Scope) -> str:
        registers = self._registers("number")
        if registers and likely(self.draw, 30):
            return pick(self.draw, registers)
        known = [*"0123", "7", "(-1)", "(-3)", *registers]
        known += [*scope.variables.get("number", ())] * 3 + ["plies"]
        if likely(self.draw, 4):
            return pick(self.draw, HUGE)
        return "plies" if likely(self.draw, 3) else pick(self.draw, known)

    def _counted(self, scope: Scope, depth: int) -> str:
        repeats = [f"{what}_repeats" for what in ("board", "position")]
        rare = [*repeats, *(["score"] if self.names.scored and scope.reads("score") else [])]
        return (
            pick(self.draw, rare) if likely(self.draw, 8) else f"count({self.cells(scope, depth)})"
        )

    def _arithmetic(self, scope: Scope, depth: int) -> str:
        sign = pick(self.draw, ["+", "-", "*", "/", "%"])
        right = pick(self.draw, HUGE) if likely(self.draw, 12) else self.number(scope, depth)
        left = self.number(scope, depth)
        if sign in "/%" and likely(self.draw, 50):
            left, right = f"({left} - {1 + self.draw(9)})", str(2 + self.draw(3))
        return f"({left} {sign} {right})"

    def _may_count(self, scope: Scope) -> bool:
        return bool(self.names.at_cells) and scope.place != "start"

    def _comparison_at(self, scope: Scope, cell: str) -> str:
        """Return a comparison of the number at a cell."""
        sign = pick(self.draw, ["=", "!=", "<", "<=", ">", ">="])
        parts = [f"{self.names.at_cells} of {cell}", self.number(scope, 0)]
        parts = parts if likely(self.draw, 60) else parts[::-1]
        return f"{parts[0]} {sign} {parts[1]}"

    def _placed(self, scope: Scope, depth: int) -> str:
        if self._may_count(scope) and likely(self.draw, 60):
            numbers = self.names.at_cells
            if likely(self.draw, 50):
                return f"sum(n in {self.cells(scope, 0)}, {numbers} of n)"
            return f"({numbers} of {self.cell(scope, 0)})"
        axis = pick(self.draw, ["row", "column", "screen_row", "screen_column"])
        return f"{axis}({self.cell(scope, depth)})"

    def _of_numbers(self, scope: Scope, depth: int) -> str:
        a, b = self.number(scope, depth), self.number(scope, depth)
        return pick(self.draw, [f"abs({a})", f"(-{a})", f"smaller({a}, {b})", f"greater({a}, {b})"])

    def _conditional_number(self, scope: Scope, depth: int) -> str:
        test = self.flag(scope, depth)
        return f"(if {test} then {self.number(scope, depth)} else {self.number(scope, depth)})"

    def _summed(self, scope: Scope, depth: int) -> str:
        name, kind, domain = self._domain(scope, depth)
        inner = scope.plus(kind, name, 1)
        if likely(self.draw, 25):
            return f"count({name} in {domain}, {self.flag(inner, depth)})"
        form = pick(self.draw, ["sum", "least", "most"])
        return f"{form}({name} in {domain}, {self.number(inner, depth)})"

    # conditions

    def _plain_flag(self, scope: Scope) -> str:
        known = ["true", "any(own)", "none(enemy)", *self._registers("flag")]
        known += ["over", "drawn", "won", "lost"] if scope.reads("outcome") else []
        known += [f"can_move({self.side(scope, 0)})"] * 2 if self._may_query_moves(scope) else []
        return "false" if likely(self.draw, 5) else pick(self.draw, known)

    def _condition(self, scope: Scope, depth: int) -> str:
        return f"{pick(self.draw, ['any', 'none'])}({self.cells(scope, depth)})"

    def _compared(self, scope: Scope, depth: int) -> str:
        sign = pick(self.draw, ["=", "!=", "<", "<=", ">", ">="])
        return f"({self.number(scope, depth)} {sign} {self.number(scope, depth)})"

    def _joined(self, scope: Scope, depth: int) -> str:
        a = self.flag(scope, depth)
        if likely(self.draw, 25):
            return f"(not {a})"
        return f"({a} {pick(self.draw, ['and', 'or'])} {self.flag(scope, depth)})"

    def _within(self, scope: Scope, depth: int) -> str:
        ways = scope.variables.get("direction", ())
        if ways and likely(self.draw, 40):
            return f"({ways[-1]} in {pick(self.draw, self.board.directions)})"
        if self.names.attributes and likely(self.draw, 20):
            return f"({self.kind(scope, depth)} in {pick(self.draw, self.names.attributes)})"
        one = self.cell(scope, 0) if likely(self.draw, 60) else self.cells(scope, depth)
        return f"({one} in {self.cells(scope, depth)})"

    def _same(self, scope: Scope, depth: int) -> str:
        sign = pick(self.draw, ["=", "!="])
        form = pick(self.draw, ["side", "kind", "cell", "nobody"])
        if form == "nobody":
            return f"(owner({self.cell(scope, depth)}) {sign} nobody)"
        make = {"side": self.side, "kind": self.kind, "cell": self.cell}[form]
        return f"({make(scope, depth)} {sign} {make(scope, depth)})"

    def _guarded(self, scope: Scope, depth: int) -> str:
        """Return a condition that fails without short-circuit evaluation."""
        cells, number = self.cells(scope, depth), self.number(scope, 0)
        few = 1 + self.draw(3)
        early = number if likely(self.draw, 25) else self.draw(few)
        forms = [
            f"(any({cells}) and row(first({cells})) > {number})",
            f"(none({cells}) or column(last({cells})) <= {number})",
            f"any(n in numbers(0 to 4), n = {early} or 6 / (n - {few}) > 2)",
            f"every(n in numbers(0 to 4), n != {early} and 6 / (n - {few}) < 5)",
        ]
        return pick(self.draw, forms[: 4 if scope.loops < self.loops else 2])

    def _guarded_number(self, scope: Scope, depth: int) -> str:
        """Return a number that fails unless only one of two branches is evaluated."""
        cells = self.cells(scope, depth)
        end, axis = pick(self.draw, ["first", "last"]), pick(self.draw, ["row", "screen_column"])
        return f"(if any({cells}) then {axis}({end}({cells})) else {self.number(scope, 0)})"

    def _quantified(self, scope: Scope, depth: int) -> str:
        name, kind, domain = self._domain(scope, depth)
        form = pick(self.draw, ["any", "every", "none"])
        return f"{form}({name} in {domain}, {self.flag(scope.plus(kind, name, 1), depth)})"

    def _may_query_moves(self, scope: Scope) -> bool:
        """True if `can_move` may be used: it costs a whole move list, so it never occurs inside a
        loop.
        """
        return scope.reads("can_move") and scope.loops == scope.ahead == 0

    # the state after a move

    def _may_look(self, scope: Scope) -> bool:
        return scope.reads("after") and scope.ahead < 1 and scope.loops == 0

    def _ahead_number(self, scope: Scope, depth: int) -> str:
        inner = replace(scope, ahead=scope.ahead + 1)
        body = self.number(inner, min(depth, 1))
        if scope.place == "strategy" and likely(self.draw, 40):
            form = pick(self.draw, ["least", "most"])
            return f"after({form}(replies, {body}))"
        if likely(self.draw, 40):
            return f"as({self.side(scope, 0)}, after({body}))"
        return f"after({body})"

    def _ahead_flag(self, scope: Scope, depth: int) -> str:
        inner = replace(scope, ahead=scope.ahead + 1)
        body = self.flag(inner, min(depth, 1))
        if scope.place == "strategy" and likely(self.draw, 40):
            form = pick(self.draw, ["any", "every"])
            return f"after({form}(replies, {body}))"
        if likely(self.draw, 30):
            return f"as({self.side(scope, 0)}, after({body}))"
        return f"after({body})"
