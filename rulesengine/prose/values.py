"""Descriptions of cells, directions, sides, kinds and numbers."""

from rulesengine.language.ir.ops import OPS, Op, make
from rulesengine.language.ir.roles import (
    alternatives,
    has_role,
    is_by_side,
    is_conditional,
    is_constant,
    is_single,
)
from rulesengine.language.ir.rules import recalled
from rulesengine.language.ir.stacks import HEIGHT
from rulesengine.prose.describer_base import Scope
from rulesengine.prose.nouns import Claim, Noun, listed, lone, plural
from rulesengine.prose.paths import Paths

# Words for one cell.
_ONE = frozenset({"cell"})
_COMPASS = frozenset("north northeast east southeast south southwest west northwest".split())


class Values(Paths):
    """Operations that return one value, and those that return values of any type."""

    def op_literal(self, op: Op, scope: Scope) -> object:
        value = op.value
        if op.type == "cells":
            return self.op_literal_cells(op)
        if not isinstance(value, int):
            return f"“{value}”" if op.type == "text" else str(value)
        match op.type:
            case "flag":
                return "yes" if value else "no"
            case "cell":
                return self.names.cell(value)
            case "side":
                return self.names.side(value)
            case "kind":
                return self.names.kind(value)
            case "direction":
                return self.names.direction(value)
            case "directions":
                return self._direction_set(value)
        return f"{value:,}"

    def _direction_set(self, mask: int) -> str:
        """Describe directions by the name of their set, if it has one."""
        board = self.names.program.topology
        for name, members in board.direction_sets:
            if sum(1 << i for i in members) == mask:
                return self.op_named_direction(Op("named_direction", "directions", (), name), {})
        named = [self.names.direction(i) for i in range(len(board.directions)) if mask >> i & 1]
        return "in any compass direction" if set(named) == _COMPASS else listed(named, "or")

    def op_variable(self, op: Op, scope: Scope) -> object:
        name = str(op.value)
        if op.type == "side":
            return self.names.person(op).subject
        text = scope.get(name, name.replace("_", " "))
        if op.type != "cells":
            return text
        return self.set_called(text)

    def set_called(self, text: str) -> Noun:
        """Return a noun for a set with a name: a register, a variable, an argument."""
        if not text.startswith("the ") or text.startswith("the cells of "):
            return super().set_called(text)
        word = text.removeprefix("the ")
        if word.partition(" ")[0] in _ONE:
            return lone(text)
        if word.endswith(("s", "men")):
            return Noun(f"one of {text}", text, f"none of {text}", Claim("is", f"among {text}"))
        return super().set_called(text)

    def op_parameter(self, op: Op, scope: Scope) -> str:
        return f"‘{op.value}’"

    def op_players(self, op: Op, scope: Scope) -> str:
        return str(len(self.rules.players))

    def op_named_cell(self, op: Op, scope: Scope) -> str:
        return str(op.value[0]) if isinstance(op.value, tuple) else str(op.value)

    def op_named_direction(self, op: Op, scope: Scope) -> str:
        name = str(op.value[0]) if isinstance(op.value, tuple) else str(op.value)
        words = {"orthogonal": "orthogonally", "diagonal": "diagonally", "all": "in any direction"}
        return words.get(name, name.replace("_", "-"))

    def op_register(self, op: Op, scope: Scope) -> object:
        if word := recalled(str(op.value)):
            return self._text_of(make("record", value=word), scope)
        name = str(op.value).replace("_", " ")
        text = f"{self.names.person(op.args[0]).possessive} ‘{name}’" if op.args else f"‘{name}’"
        return self.set_called(text) if op.type == "cells" else text

    def op_number_at(self, op: Op, scope: Scope) -> str:
        assert isinstance(op.value, tuple)
        if op.value[0] == HEIGHT:
            return self.op_height(op, scope)
        name = f"‘{op.value[0].replace('_', ' ')}’"
        cell = self.text(op.args[0], scope)
        return f"its {name}" if cell == "it" else f"the {name} of {cell}"

    def op_height(self, op: Op, scope: Scope) -> str:
        return f"the height of the stack on {self.text(op.args[0], scope)}"

    def op_kind_register(self, op: Op, scope: Scope) -> object:
        assert isinstance(op.value, tuple)
        kind, *side = op.args
        name = f"‘{op.value[0].replace('_', ' ')}’"
        owner = self.names.person(side[0]).possessive if side else "the"
        text = f"{owner} {name} of {self._of_a_kind(kind, scope)}"
        return self.set_called(text) if op.type == "cells" else text

    def op_by_kind(self, op: Op, scope: Scope) -> object:
        assert isinstance(op.value, tuple)
        lead = "in " if op.type in ("direction", "directions") else ""
        name = op.value[0].replace("_", " ")
        text = f"{lead}the ‘{name}’ of {self._of_a_kind(op.args[0], scope)}"
        return self.set_called(text) if op.type == "cells" else text

    def _of_a_kind(self, kind: Op, scope: Scope) -> str:
        """Return the words behind `of` for a kind: a constant one in the plural."""
        if has_role(kind, "attribute"):
            cell = self.text(kind.args[0], scope)
            return cell if "piece" in cell else f"the piece on {cell}"
        phrase = self.text(kind, scope)
        if is_constant(kind):
            return plural(phrase)
        return phrase if phrase.startswith("the ") else f"the {phrase}"

    # sides, cells, kinds

    def op_mover(self, op: Op, scope: Scope) -> str:
        return self.names.person(op).subject

    def op_next(self, op: Op, scope: Scope) -> str:
        return self.names.person(op).subject

    def op_owner(self, op: Op, scope: Scope) -> str:
        return f"the owner of the piece on {self.text(op.args[0], scope)}"

    def op_kind_at(self, op: Op, scope: Scope) -> str:
        return f"the kind of the piece on {self.text(op.args[0], scope)}"

    def op_winner(self, op: Op, scope: Scope) -> str:
        return "the winner"

    def op_first(self, op: Op, scope: Scope) -> str:
        return self._extreme(op.args[0], "first", scope)

    def op_last(self, op: Op, scope: Scope) -> str:
        return self._extreme(op.args[0], "last", scope)

    def _extreme(self, cells: Op, superlative: str, scope: Scope) -> str:
        """Describe the first or last cell of a set; that of a set of one cell is the cell."""
        noun = self.noun(cells, scope)
        if (noun.lone and not noun.claims) or self._is_lone(cells):
            return noun.every
        return f"the {superlative} of {noun.every} in reading order"

    def op_at(self, op: Op, scope: Scope) -> str:
        row, column = (self.text(a, scope) for a in op.args)
        return f"the cell at row {row}, column {column}"

    # directions

    def op_just(self, op: Op, scope: Scope) -> str:
        return self.text(op.args[0], scope)

    def op_all_directions(self, op: Op, scope: Scope) -> str:
        named = [self.text(a, scope) for a in op.args]
        if set(named) == _COMPASS:
            return "in any compass direction"
        return listed(named, "or")

    def op_opposite(self, op: Op, scope: Scope) -> str:
        inner = op.args[0]
        if self.terms.use(inner) or (inner.args and self.terms.use(inner.args[0])):
            return f"opposite to {self.text(inner, scope)}"
        if is_single(inner):
            return "the opposite way"
        if _has_names(inner):
            return self.text(self._turned(inner), scope)
        return f"opposite to {self.text(inner, scope)}"

    def op_turned(self, op: Op, scope: Scope) -> str:
        ways, steps = (self.text(arg, scope) for arg in op.args)
        rotation = "clockwise"
        if steps.startswith("-") and steps[1:].isdigit():
            rotation, steps = "counterclockwise", steps[1:]
        unit = "step" if steps in ("1", "one") else "steps"
        return f"{ways} turned {rotation} by {steps} {unit}"

    op_turned_one = op_turned

    def _turned(self, op: Op) -> Op:
        """Replace named directions by their opposites."""
        if has_role(op, "name"):
            name, *site = op.value if isinstance(op.value, tuple) else (str(op.value),)
            turned = self.names.opposite(name)
            return Op(op.name, op.type, (), (turned, *site) if site else turned)
        if has_role(op, "singleton", "join"):
            return Op(op.name, op.type, tuple(self._turned(a) for a in op.args), op.value)
        if is_by_side(op):
            return Op(op.name, op.type, (op.args[0], *map(self._turned, op.args[1:])), op.value)
        return op

    # numbers

    def op_plies(self, op: Op, scope: Scope) -> str:
        return scope.get("plies", "the number of moves made so far")

    def op_repeats(self, op: Op, scope: Scope) -> str:
        if op.value == "board":
            return "the number of earlier positions with the same pieces on the same cells"
        same = listed(["the same pieces", *self.names.same_besides()])
        return f"the number of earlier positions with {same}"

    def op_age(self, op: Op, scope: Scope) -> str:
        return "the number of moves since this position first occurred"

    def op_count(self, op: Op, scope: Scope) -> str:
        return f"the number of {self.noun(op.args[0], scope).many}"

    def op_row(self, op: Op, scope: Scope) -> str:
        return _of("row", self.text(op.args[0], scope))

    def op_column(self, op: Op, scope: Scope) -> str:
        return _of("column", self.text(op.args[0], scope))

    def op_row_label(self, op: Op, scope: Scope) -> str:
        return f"the name of the row of {self.text(op.args[0], scope)}"

    def op_column_label(self, op: Op, scope: Scope) -> str:
        return f"the name of the column of {self.text(op.args[0], scope)}"

    def op_screen_row(self, op: Op, scope: Scope) -> str:
        return f"the line of {self.text(op.args[0], scope)}, counted from the top"

    def op_screen_column(self, op: Op, scope: Scope) -> str:
        return f"the place of {self.text(op.args[0], scope)} in its line, counted from the left"

    def _pair(self, op: Op, scope: Scope) -> tuple[str, str]:
        """Describe both operands, each in parentheses where its end would be unclear."""
        left, right = (self.text(a, scope) for a in op.args)
        return self._wrapped(op, 0, left), self._wrapped(op, 1, right)

    def _wrapped(self, op: Op, number: int, text: str) -> str:
        """Add parentheses to an operand that binds less closely than the operation."""
        inner = op.args[number]
        if self.terms.use(inner) is not None:
            return text
        closer = has_role(op, "product", "quotient", "remainder")
        taken = number == 1 and has_role(op, "sum") and "commutative" not in OPS[op.name].laws
        loose = has_role(inner, "sum") and (closer or taken)
        return f"({text})" if loose or _is_joint(inner) or _has_open_end(inner) else text

    def op_add(self, op: Op, scope: Scope) -> str:
        left, right = self._pair(op, scope)
        return f"{left} plus {right}"

    def op_subtract(self, op: Op, scope: Scope) -> str:
        left, right = self._pair(op, scope)
        return f"{left} minus {right}"

    def op_multiply(self, op: Op, scope: Scope) -> str:
        left, right = self._pair(op, scope)
        return f"{left} times {right}"

    def op_divide(self, op: Op, scope: Scope) -> str:
        left, right = self._pair(op, scope)
        if right == "2":
            return f"half of {left}"
        return f"{left} divided by {right}, rounded down"

    def op_modulo(self, op: Op, scope: Scope) -> str:
        left, right = self._pair(op, scope)
        return f"the remainder of {left} divided by {right}"

    def op_negative(self, op: Op, scope: Scope) -> str:
        inner = self.text(op.args[0], scope)
        is_sum = has_role(op.args[0], "sum") and self.terms.use(op.args[0]) is None
        return f"minus ({inner})" if is_sum else f"minus {inner}"

    def op_abs(self, op: Op, scope: Scope) -> str:
        return f"{self.text(op.args[0], scope)} without its sign"

    def op_smaller(self, op: Op, scope: Scope) -> str:
        return f"the smallest of {listed([self.text(a, scope) for a in op.args])}"

    def op_greater(self, op: Op, scope: Scope) -> str:
        return f"the greatest of {listed([self.text(a, scope) for a in op.args])}"

    def op_track(self, op: Op, scope: Scope) -> str:
        return f"the track {str(op.value).replace('_', ' ')}"

    def op_further(self, op: Op, scope: Scope) -> str:
        track, cell, number = (self.text(a, scope) for a in op.args)
        if is_constant(op.args[2]):
            return f"the cell {number} steps after {cell} on {track}"
        return f"the cell after {cell} on {track} by as many steps as {number}"

    def op_place_on(self, op: Op, scope: Scope) -> str:
        track, cell = (self.text(a, scope) for a in op.args)
        return f"{_of('position', cell)} on {track}"

    def op_along(self, op: Op, scope: Scope) -> str:
        track, cell, number, *skipped = (self.text(a, scope) for a in op.args)
        without = f", leaving out {skipped[0]}" if skipped else ""
        if is_constant(op.args[2]):
            return f"the next {number} cells after {cell} on {track}{without}"
        return f"the next cells after {cell} on {track}, as many as {number}{without}"

    def op_range(self, op: Op, scope: Scope) -> str:
        low, high = (self.text(a, scope) for a in op.args)
        return f"the numbers from {low} to {high}"


def _has_names(op: Op) -> bool:
    """True if directions are given by names, by side or not."""
    inner = op.args if has_role(op, "singleton", "join") else ()
    inner = alternatives(op) if is_by_side(op) else inner
    return all(map(_has_names, inner)) if inner else has_role(op, "name")


def _is_joint(op: Op) -> bool:
    """True if a number has a condition, or counts a set that is described with `and`."""
    return is_conditional(op) or (has_role(op, "size") and has_role(op.args[0], "join"))


def _of(quantity: str, cell: str) -> str:
    return f"its {quantity}" if cell == "it" else f"the {quantity} of {cell}"


def _has_open_end(op: Op) -> bool:
    """True if the phrase of a number ends with a divisor or with `rounded down`."""
    return has_role(op, "quotient", "remainder")
