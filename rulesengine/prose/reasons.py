"""The reason why a text is no legal move: one fact, the nearest, in at most 30 words."""

from collections.abc import Iterator
from contextlib import suppress

from rulesengine.engine.interpreter.reasons import Objection, Reason
from rulesengine.errors import RulesError
from rulesengine.language.ir.ops import Op, bound, make, reads_parts, walk
from rulesengine.language.ir.roles import (
    constant,
    has_role,
    is_filter,
    is_of_kind,
    is_of_side,
    is_variable,
)
from rulesengine.language.ir.rules import Group
from rulesengine.language.lower.kind_registers import of_constant_kind
from rulesengine.language.lower.lower import Lowering
from rulesengine.language.lower.tiles import Tiles, with_choice
from rulesengine.notation.illegal_text import shorten_text
from rulesengine.prose.definitions import named_definitions
from rulesengine.prose.described_game import DescribedGame
from rulesengine.prose.describer_base import Scope
from rulesengine.prose.effects import Describer
from rulesengine.prose.nouns import a
from rulesengine.prose.preparation import prepared
from rulesengine.prose.viewpoint import seen_by
from rulesengine.state import State
from rulesengine.support.frozen import replace

# The greatest number of words of a reason.
MAX_WORDS = 30
_SHOWN = 8
_CELLS = ("move", "to", "select")
# Quotation marks of names that the rules explain.
_NAME = "‘"


class Reasons:
    """The reasons for illegal moves of a game."""

    def __init__(self, game: DescribedGame) -> None:
        self.game = game
        rules = prepared(game.rules, game.program)
        self.describer = Describer(rules, game.program, named_definitions(rules, game.program))
        self.lowering = Lowering(rules, game.program.topology, dict(game.program.parameters))
        self.tiles = Tiles(game.program.rules, game.program.topology)

    def lowered(self, op: Op) -> Op:
        """Return an operation of the rules that the interpreter evaluates."""
        low = of_constant_kind(self.lowering.lower(op), self.game.program.rules)
        return self.tiles.expanded(low)

    def text(self, text: str, state: State, reason: Reason) -> str:
        """Return the reason of an engine in English, without clauses of the spec."""
        objection = reason.objection
        if objection is None or objection.op is None or objection.at is None:
            return reason.text
        if not objection.clause.startswith("`"):  # a limit of pieces, which no clause states
            return reason.text
        lead = f"`{shorten_text(text)}` is not legal for {state.mover}: "
        if objection.steps:
            names = self.game.program.topology.names
            lead += f"after {names[objection.steps[-1].target]}, "
        if objection.alternatives:
            return lead + _of_several(self.game, objection.alternatives)
        left = MAX_WORDS - len(lead.split())
        facts = _Facts(self, objection).nearest()
        return lead + next(fact for fact in facts if len(fact.split()) <= left)


def _of_several(game: DescribedGame, cells: tuple[int, ...]) -> str:
    """Return that none of the cells that a text may name fits."""
    names = [game.program.topology.names[cell] for cell in cells[:_SHOWN]]
    return f"none of {', '.join(names)}{', …' * (len(cells) > _SHOWN)} fits"


class _Facts:
    """The facts of a position that make a step fail a clause."""

    def __init__(self, reasons: Reasons, objection: Objection) -> None:
        game = self.game = reasons.game
        self.reasons, self.describer = reasons, reasons.describer
        self.objection = objection
        self.at = objection.at or game.initial_state()
        self.variables = dict(objection.variables)
        self.side = self.variables.get("player", self.at.side)
        self.scope = _scope(game, self.variables)
        self.name = game.program.topology.names[objection.cell] if objection.cell >= 0 else ""

    def nearest(self) -> Iterator[str]:
        """Yield facts, the nearest first; the last one is short."""
        op = self._clause()
        if op is not None:
            with suppress(RulesError):  # a part that fails by itself decides nothing
                yield from self._of_cells(op) if self.name else self._of_condition(op)
        if op is not None and self.objection.key == "to":
            with suppress(RulesError):
                yield from self._first_blocker(op)
        yield self._in_general()

    def _first_blocker(self, op: Op) -> Iterator[str]:
        """Yield the first piece on a line to the cell, if it is free without those on the line."""
        topology = self.game.program.topology
        for number, line in self._lines(self.variables.get("from", -1), self.objection.cell):
            between = [cell for cell in line if self._plane(cell) >= 0]
            if not between:
                continue
            emptied = ~sum(1 << cell for cell in between)
            freed = replace(self.at, planes=tuple(plane & emptied for plane in self.at.planes))
            if self._value(op, freed, {"direction": number}) >> self.objection.cell & 1:
                piece = self._piece(between[0]) or "piece"
                yield f"the {piece} on {topology.names[between[0]]} is in the way"

    def _in_a_row(self, part: Op) -> Iterator[str]:
        """Yield the first piece on the line of the step, if it ends a row wrongly, or if the
        condition holds without it.
        """
        start, way = self.variables.get("from", -1), self.variables.get("direction", -1)
        if start < 0 or way < 0 or self._value(part):
            return
        yield from self._at_its_end(part, start, way)
        targets, passed = self.game.program.topology.directions[way].targets, 0
        first, cell = -1, targets[start]
        while cell not in (-1, start) and not passed >> cell & 1:
            passed |= 1 << cell
            first = cell if first < 0 and self._plane(cell) >= 0 else first
            planes = tuple(plane & ~passed for plane in self.at.planes)
            if first >= 0 and self._value(part, replace(self.at, planes=planes)):
                name = self.game.program.topology.names[first]
                yield f"the {self._piece(first) or 'piece'} on {name} is in the way"
                return
            cell = targets[cell]

    def _at_its_end(self, part: Op, start: int, way: int) -> Iterator[str]:
        """Yield the reason why the first piece on a line cannot end a row. Its cell is in a part of
        the set of cells that end a row, but not in the whole set.
        """
        targets, cell = self.game.program.topology.directions[way].targets, start
        while (cell := targets[cell]) not in (-1, start) and self._plane(cell) < 0:
            pass
        rows = (op for op in walk(part) if has_role(op, "row"))
        for end in (row.args[2] for row in rows):
            if cell not in (-1, start) and has_role(end, "meet"):
                lacking = [arg for arg in end.args if not self._value(arg) >> cell & 1]
                if 0 < len(lacking) < len(end.args):
                    phrase = self.describer.noun(lacking[0], self.scope).whole.deny().full
                    name = self.game.program.topology.names[cell]
                    yield f"the {self._piece(cell)} on {name} {phrase}"

    def _lines(self, start: int, end: int) -> Iterator[tuple[int, list[int]]]:
        """Yield the directions that lead from one cell to another, with the cells in between."""
        for number, direction in enumerate(self.game.program.topology.directions):
            line, cell = list[int](), direction.targets[start] if start >= 0 else -1
            while cell not in (-1, end, start) and cell not in line:
                line.append(cell)
                cell = direction.targets[cell]
            if cell == end:
                yield number, line

    def _of_tile(self, op: Op) -> Iterator[str]:
        """Yield why a tile does not fit: the facts that exclude the first of its cells."""
        cells, kind, form = op.args
        tile = make("tile", Op("variable", "cell", (), "to"), kind, form)
        covered, size = self._value(tile), len(self.describer.rules.kinds[constant(kind) or 0].tile)
        if covered.bit_count() < size:
            yield f"{self.describer.text(kind, {})} does not fit on the board at {self.name}"
        blocked = covered & ~self._value(cells)
        if blocked:
            first = (blocked & -blocked).bit_length() - 1
            yield from _Facts(self.reasons, replace(self.objection, cell=first))._of_cells(cells)

    def _of_cells(self, op: Op) -> Iterator[str]:
        """Yield the facts that exclude the cell, without names that the rules explain."""
        if has_role(op, "fit"):
            yield from self._of_tile(op)
            return
        way = self.scope.get("direction")
        for fact in self._lacking(op, self.scope):
            # Of several directions the objection has only one.
            if _NAME not in fact and (way is None or way not in fact.split()):
                yield fact

    def _of_condition(self, op: Op) -> Iterator[str]:
        """Yield the parts that decide a condition, except those that depend on a choice."""
        forbids = self.objection.key == "forbid"
        if forbids and reads_parts(op, "record"):
            return
        for part, wanted in self._deciding(op, forbids):
            if _is_open(part):
                continue
            if not (wanted or forbids):
                yield from self._in_a_row(part)
            phrase = self.describer.condition(part, self.scope, wanted)
            if not phrase.startswith(_NAME):
                yield f"after it, {phrase}" if forbids else phrase

    def _in_general(self) -> str:
        """Return a short statement on the step."""
        group = self._program_group()
        cells = self.objection.key in _CELLS
        if not cells:
            after = "the position after it" if self.objection.key == "forbid" else "this move now"
            return f"the rules do not allow {after}"
        if self.objection.key == "select":
            return f"{self.name} cannot be chosen"
        if group.step_kind == "move" and self.objection.key == "to":
            start = self.game.program.topology.names[self.variables.get("from", -1)]
            piece = self._piece(self.variables.get("from", -1))
            return f"the {piece or 'piece'} on {start} cannot move to {self.name}"
        if group.tiles:
            return f"the tile does not fit at {self.name}"
        if group.step_kind == "place":
            return f"nothing can be placed on {self.name}"
        return f"the piece on {self.name} cannot move now"

    def _program_group(self) -> Group:
        return self.game.program.rules.groups[self.objection.group]

    def _clause(self) -> Op | None:
        """Return the clause with its names, as the side to move reads it."""
        name = self._program_group().name
        group = next((g for g in self.describer.rules.groups if g.name == name), None)
        if group is None:
            return None
        clauses = {"move": group.origin, "when": group.when, "forbid": group.forbid}
        op = {**clauses, "to": group.target, "select": group.target}.get(self.objection.key)
        if op is not None and group.tiles and "choice" in self.variables:
            op = with_choice(op, self.variables["choice"], self.game.program.topology)
        return seen_by(op, self.side, len(self.describer.rules.players)) if op is not None else None

    def _value(
        self, op: Op, state: State | None = None, others: dict[str, int] | None = None
    ) -> int:
        variables = {**self.variables, **(others or {})}
        return int(
            self.game.machine.evaluate(self.reasons.lowered(op), state or self.at, variables)
        )

    def _has(self, op: Op) -> bool:
        return bool(self._value(op) >> self.objection.cell & 1)

    def _lacking(self, op: Op, scope: Scope) -> Iterator[str]:
        """Yield why the cell is not in a set, part by part."""
        if self._has(op):
            return
        if self.describer.terms.use(op) is not None:
            yield f"{self.name} {self.describer.noun(op, scope).whole.deny().full}"
        elif has_role(op, "meet"):
            for arg in op.args:
                yield from self._lacking(arg, scope)
        elif has_role(op, "difference"):
            yield from self._difference(op, scope)
        elif is_filter(op):
            yield from self._filtered(op, scope)
        elif _is_content(op):
            yield self._content()
        else:
            yield f"{self.name} {self.describer.noun(op, scope).whole.deny().full}"

    def _difference(self, op: Op, scope: Scope) -> Iterator[str]:
        minuend, excluded = op.args
        if not self._has(minuend):
            yield from self._lacking(minuend, scope)
        elif _is_content(excluded):
            yield self._content()
        else:
            yield f"{self.name} {self.describer.noun(excluded, scope).whole.full}"

    def _filtered(self, op: Op, scope: Scope) -> Iterator[str]:
        domain, test = op.args
        if not self._has(domain):
            yield from self._lacking(domain, scope)
        else:
            yield self.describer.condition(test, {**scope, bound(op): self.name}, holds=False)

    def _deciding(self, op: Op, value: bool) -> list[tuple[Op, bool]]:
        """Return the inner conditions and values that determine the value of a condition."""
        if self.describer.terms.use(op) is not None:
            return [(op, value)]
        if has_role(op, "complement"):
            return self._deciding(op.args[0], not value)
        if not has_role(op, "meet", "join"):
            return [(op, value)]
        alone = has_role(op, "join") == value
        conditions: list[tuple[Op, bool]] = []
        for arg in op.args:
            if bool(self._value(arg)) == value:
                conditions += self._deciding(arg, value)
                if alone:  # later parts may fail
                    break
        return conditions

    def _content(self) -> str:
        """Describe the contents of the cell: `c2 is empty`, `c2 holds a man of black`."""
        piece = self._piece(self.objection.cell)
        if not piece:
            return f"{self.name} is empty"
        owner = self._owner(self.objection.cell)
        return f"{self.name} holds {a(piece)}" + (f" of {owner}" if owner else "")

    def _plane(self, cell: int) -> int:
        planes = enumerate(self.at.planes)
        return next((n for n, mask in planes if cell >= 0 and mask >> cell & 1), -1)

    def _piece(self, cell: int) -> str:
        plane, sides = self._plane(cell), len(self.describer.rules.players)
        return self.describer.names.kind(plane // (sides + 1)) if plane >= 0 else ""

    def _owner(self, cell: int) -> str:
        side, sides = self._plane(cell), len(self.describer.rules.players)
        side %= sides + 1
        return self.describer.names.side(side) if side < sides else ""


def _is_open(part: Op) -> bool:
    """True if a condition depends on the choice, or on nothing but the side to move."""
    if has_role(part, "kind register") and has_role(part.args[0], "constant"):
        return False
    chosen = any(is_variable(op, "choice") or has_role(op, "selection") for op in walk(part))
    return chosen or all(has_role(arg, "constant") for arg in part.args)


def _is_content(op: Op) -> bool:
    """True if membership of a cell in a set depends on its pieces."""
    if has_role(op, "join", "meet", "complement"):
        return all(map(_is_content, op.args))
    return has_role(op, "vacancy") or is_of_side(op) or is_of_kind(op)


def _scope(game: DescribedGame, variables: dict[str, int]) -> Scope:
    """Map variables to the names of their cells and directions."""
    board = game.program.topology
    scope = {k: board.names[v] for k, v in variables.items() if k in ("from", "to") and v >= 0}
    direction = variables.get("direction", -1)
    if direction >= 0:
        scope["direction"] = board.directions[direction].name.replace("_", "-")
    return scope
