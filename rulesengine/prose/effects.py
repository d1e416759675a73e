"""Descriptions of effects: their changes to the pieces and registers."""

from types import MappingProxyType

from rulesengine.language.ir.ops import Op, bound, make
from rulesengine.language.ir.roles import has_role, is_conditional, is_constant, is_variable
from rulesengine.prose.loops import Loops
from rulesengine.prose.nouns import a, plural
from rulesengine.prose.speaker import PLAYER, Scope

# The direction in which a number goes that is combined with another.
_CHANGES = MappingProxyType({"add": "up", "subtract": "down"})


class Speaker(Loops):
    """Describes all operations; effects are imperatives without a full stop."""

    def op_put(self, op: Op, scope: Scope) -> str:
        kind, side, cells = op.args
        noun = self.noun(cells, scope)
        if noun.lone or self._is_lone(cells):
            return f"put {self.piece(kind, side, scope)} on {noun.every}"
        return f"put {self.piece(kind, side, scope, many=True)} on {noun.every}"

    def piece(self, kind: Op, side: Op, scope: Scope, *, many: bool = False) -> str:
        """Return `a disc` for the player's own piece, else with its owner; a chosen kind names its
        owner.
        """
        text = self._of_kind(kind, scope, many=many)
        if side == PLAYER or side.value == self.names.sides:
            return text
        if is_conditional(side) and side.args[2] == PLAYER and not is_constant(kind):
            return text
        return f"{text} of {self.names.person(side).subject}"

    def _of_kind(self, kind: Op, scope: Scope, *, many: bool = False) -> str:
        word = self.kind_word(kind, scope)
        return plural(word) if many else a(word)

    def op_remove(self, op: Op, scope: Scope) -> str:
        return f"remove {self._pieces(op.args[0], scope)}"

    def op_flip(self, op: Op, scope: Scope) -> str:
        cells, side = op.args
        turned = f"turn over {self._pieces(cells, scope)}"
        if self.names.sides == 2 and side.value == "player":
            return turned
        return f"{turned}, which now belong to {self.names.person(side).subject}"

    def _pieces(self, cells: Op, scope: Scope) -> str:
        """Describe the pieces on cells."""
        noun = self.noun(cells, scope)
        if noun.pieces:
            return noun.every
        return f"{'any piece' if noun.lone else 'all pieces'} on {noun.every}"

    def op_carry(self, op: Op, scope: Scope) -> str:
        origin, target = (self.text(a, scope) for a in op.args)
        return f"carry the piece on {origin} to {target}"

    def op_carry_each(self, op: Op, scope: Scope) -> str:
        assert isinstance(op.value, tuple)
        target = self.text(op.args[1], {**scope, op.value[1]: "its cell"})
        pieces = self._pieces(op.args[0], scope)
        return f"carry {pieces} all at once, each from its cell to {target}"

    def op_push(self, op: Op, scope: Scope) -> str:
        cells, direction = op.args
        way = self.text(direction, scope)
        return f"move {self._pieces(cells, scope)} all at once one step {way}"

    def op_promote(self, op: Op, scope: Scope) -> str:
        cells, kind = op.args
        if self._is_lone(cells):
            noun = self.noun(cells, scope)
            if noun.claims:
                claims = " and ".join(c.of(noun.one) for c in noun.claims)
                return f"if {noun.one} {claims}, it becomes {self._of_kind(kind, scope)}"
            return f"{noun.one} becomes {self._of_kind(kind, scope)}"
        return f"{self.noun(cells, scope).every} become {self._of_kind(kind, scope, many=True)}"

    def op_drop(self, op: Op, scope: Scope) -> str:
        cells, direction = op.args
        way = self.text(direction, scope)
        return f"let {self._pieces(cells, scope)} fall {way} as far as possible"

    def op_set(self, op: Op, scope: Scope) -> str:
        assert isinstance(op.value, tuple)
        side = op.args[1:]
        value = op.args[0]
        register = Op("register", value.type, side, op.value[0])
        # A named set of cells is referred to by its name alone.
        name = str(self.text(register, scope))
        way = _CHANGES.get(value.name)
        if way and value.args[0] == register:
            return f"{name} goes {way} by {self.text(value.args[1], scope)}"
        if value.type == "flag" and not is_constant(value):
            return f"{name} becomes whether {self.condition(value, scope)}"
        if value.type == "cell" and is_variable(value):
            return f"{name} becomes the cell of {self.text(value, scope)}"
        verb = "become" if value.type == "cells" else "becomes"
        return f"{name} {verb} {self.text(value, scope)}"

    def op_block(self, op: Op, scope: Scope) -> str:
        said = (inner for inner in op.args if not has_role(inner, "assertion"))
        return ", then ".join(self.text(inner, scope) for inner in said)

    def op_ensure(self, op: Op, scope: Scope) -> str:
        return f"it is an error unless {self.condition(op.args[0], scope)}"

    def op_bind(self, op: Op, scope: Scope) -> str:
        value, effect = op.args
        name = bound(op).rpartition("_")[0].replace("_", " ")
        return f"let {name} be {self.text(value, scope)}, then " + self.text(
            effect, {**scope, bound(op): name}
        )

    def op_repeat(self, op: Op, scope: Scope) -> str:
        effect, *until = op.args
        end = self.condition(until[0], scope) if until else "nothing changes any more"
        return f"again and again, until {end}: {self.text(effect, scope)}"

    def op_for(self, op: Op, scope: Scope) -> str:
        among, inner = self._bound(op, scope)
        return f"for each of {among} in turn, {self.text(op.args[1], inner)}"

    def op_set_at(self, op: Op, scope: Scope) -> str:
        assert isinstance(op.value, tuple)
        value, cells = op.args
        where = self.noun(cells, scope)
        number = "number" if where.lone or self._is_lone(cells) else "numbers"
        name = f"the {number} ‘{op.value[0].replace('_', ' ')}’ of {where.every}"
        way = _CHANGES.get(value.name)
        if way and _is_at(value.args[0], op.value[0], cells):
            verb = "goes" if number == "number" else "go"
            return f"{name} {verb} {way} by {self.text(value.args[1], scope)}"
        verb = "becomes" if number == "number" else "become"
        return f"{name} {verb} {self.text(value, scope)}"

    def op_when(self, op: Op, scope: Scope) -> str:
        test, then, *other = op.args
        text = f"if {self.condition(test, scope)}, {self.text(then, scope)}"
        return f"{text}, otherwise {self.text(other[0], scope)}" if other else text


def _is_at(value: Op, name: str, cells: Op) -> bool:
    """True if a value is the number of this name at the only cell of a set."""
    same = isinstance(value.value, tuple) and value.value[0] == name
    return has_role(value, "cell register") and same and cells == make("single", *value.args)
