"""Descriptions of effects: their changes to the pieces and registers."""

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from rulesengine.language.ir.ops import Op, bound, is_loop, make
from rulesengine.language.ir.roles import (
    constant,
    has_role,
    is_by_kind,
    is_conditional,
    is_constant,
    is_of_side,
    is_variable,
    loop_function,
)
from rulesengine.prose import idioms
from rulesengine.prose.describer_base import PLAYER, Scope
from rulesengine.prose.enumerations import Enumerations, numbered
from rulesengine.prose.nouns import a, plural

# The direction in which a number goes that is combined with another.
_CHANGES = MappingProxyType({"add": "add {} to {}", "subtract": "take {} from {}"})
# The number of words up to which effects stay in one sentence.
_SHORT = 28
_SETTLED = "nothing changes any more"


class Describer(Enumerations):
    """Describes all operations; effects are imperatives without a full stop."""

    def effects(self, effects: Sequence[Op], scope: Scope) -> str:
        """Describe effects in their order, without the last full stop; long ones as sentences."""
        phrases = [self.effect(op, scope) for effect in effects for op in self._flat(effect)]
        if sum(len(text.split()) for text in phrases) <= _SHORT:
            return "; ".join(phrases)
        first, *rest = phrases
        return ". ".join([first, *(text[0].upper() + text[1:] for text in rest)])

    def effect(self, op: Op, scope: Scope) -> str:
        """Describe an effect, a long one with a numbered list of its parts."""
        phrase = self.text(op, scope)
        if len(phrase.split()) <= _SHORT or self.terms.use(op) is not None:
            return phrase
        if is_conditional(op):
            return self._conditional(op, scope)
        if has_role(op, "traversal"):
            among, inner = self._bound(op, scope)
            steps = self._steps_of(op.args[1], inner)
            this = "do this: " if steps.startswith("(1)") else ""
            return f"for each of {among} in turn, {this}{steps}"
        if has_role(op, "iteration"):
            end = self.condition(op.args[1], scope) if op.args[1:] else _SETTLED
            return f"repeat this until {end}: {self._steps_of(op.args[0], scope)}"
        if bound(op) and not is_loop(op):
            name = bound(op).rpartition("_")[0].replace("_", " ")
            inner = {**scope, bound(op): f"‘{name}’"}
            value = self.phrase(op.args[0], scope)
            return f"call {value} ‘{name}’. {_capital(self.effects(op.args[1:], inner))}"
        return phrase

    def _conditional(self, op: Op, scope: Scope) -> str:
        test, then, *other = op.args
        when = self.clause(test, scope)
        colon = "" if "(1)" in when else ","
        lead = f"{when}{colon} " if colon else f"{when}. Then "
        phrase = f"{lead}{self._steps_of(then, scope)}"
        return f"{phrase}. Otherwise, {self._steps_of(other[0], scope)}" if other else phrase

    def _steps_of(self, op: Op, scope: Scope) -> str:
        """Describe an effect in a sentence, or a sequence as a numbered list if it is long."""
        phrases = [self.effect(one, scope) for one in self._flat(op)]
        if len(phrases) == 1 or sum(len(text.split()) for text in phrases) <= _SHORT:
            return ", then ".join(phrases)
        return numbered(phrases, 0)

    def _flat(self, op: Op) -> Iterator[Op]:
        """Yield the effects of a sequence without a name."""
        if has_role(op, "sequence") and self.terms.use(op) is None:
            for inner in op.args:
                yield from self._flat(inner)
        elif not has_role(op, "assertion"):
            yield op

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
        if is_by_kind(kind):
            return word
        return plural(word) if many else a(word)

    def op_remove(self, op: Op, scope: Scope) -> str:
        verb = "capture" if self.is_enemy_set(op.args[0]) else "remove"
        return f"{verb} {self._pieces(op.args[0], scope)}"

    def is_enemy_set(self, cells: Op) -> bool:
        """True if the form of a set implies that the opponents' pieces are on its cells."""
        if self._is_enemy(cells) or (is_of_side(cells) and cells.args[0] == make("next", PLAYER)):
            return True
        if has_role(cells, "difference") or loop_function(cells):
            return self.is_enemy_set(cells.args[0])
        if has_role(cells, "row"):
            return self.is_enemy_set(cells.args[1])
        if has_role(cells, "closure"):
            return self.is_enemy_set(cells.args[1])
        if has_role(cells, "join"):
            return all(map(self.is_enemy_set, cells.args))
        return has_role(cells, "meet") and any(map(self.is_enemy_set, cells.args))

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

    def op_lay(self, op: Op, scope: Scope) -> str:
        kind, side, cells = op.args
        preposition = "under" if isinstance(op.value, tuple) and op.value[0] == "under" else "on"
        noun = self.noun(cells, scope)
        many = not (noun.lone or self._is_lone(cells))
        return f"put {self.piece(kind, side, scope, many=many)} {preposition} {noun.every}"

    def op_unstack(self, op: Op, scope: Scope) -> str:
        number, cells = op.args
        if idioms.is_whole_stack(number):
            return self.op_remove(make("remove", cells), scope)
        return f"remove {self.upper_pieces(number, scope)} {self.noun(cells, scope).every}"

    def op_carry_stack(self, op: Op, scope: Scope) -> str:
        number, origin, target = op.args
        preposition = "under" if isinstance(op.value, tuple) and op.value[0] == "under" else "onto"
        from_, to = self.text(origin, scope), self.text(target, scope)
        return f"carry {self.upper_pieces(number, scope)} {from_} {preposition} {to}"

    def op_sow(self, op: Op, scope: Scope) -> str:
        pattern, origin, direction = op.args
        digits, way = self.text(pattern, scope), self.text(direction, scope)
        from_ = self.text(origin, scope)
        return f"carry pieces from {from_} {way}, and lay as many on each cell as {digits} says"

    def upper_pieces(self, number: Op, scope: Scope) -> str:
        """Describe so many upper pieces of a stack, up to the name of its cell."""
        if idioms.is_whole_stack(number):
            return "all pieces on"
        if constant(number) == 1:
            return "the upper piece on"
        return f"the upper {self.text(number, scope)} pieces on"

    def op_promote(self, op: Op, scope: Scope) -> str:
        cells, kind = op.args
        if self._is_lone(cells):
            noun = self.noun(cells, scope)
            if noun.claims:
                claims = " and ".join(c.of(noun.one) for c in noun.claims)
                return f"if {noun.one} {claims}, it is promoted to {self._of_kind(kind, scope)}"
            return f"{noun.one} is promoted to {self._of_kind(kind, scope)}"
        many = self._of_kind(kind, scope, many=True)
        return f"{self.noun(cells, scope).every} are promoted to {many}"

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
            return way.format(self.text(value.args[1], scope), name)
        if value.type == "flag" and not is_constant(value):
            return f"{name} becomes yes if {self.condition(value, scope)}, else no"
        if value.type == "cell" and is_variable(value):
            text = self.text(value, scope)
            return f"{name} becomes {text if 'cell' in text else f'the cell of {text}'}"
        if value.type == "cells" and (phrase := self._changed_set(value, register, scope)):
            return phrase
        verb = "become" if value.type == "cells" else "becomes"
        return f"{name} {verb} {self.text(value, scope)}"

    def op_set_kind(self, op: Op, scope: Scope) -> str:
        return f"{self._register_of_kind(op, scope)} becomes {self.text(op.args[0], scope)}"

    def op_add_kind(self, op: Op, scope: Scope) -> str:
        number, name = constant(op.args[0]), self._register_of_kind(op, scope)
        if number is not None and number < 0:
            return f"take {-number:,} off {name}"
        return f"add {self.text(op.args[0], scope)} to {name}"

    def _register_of_kind(self, op: Op, scope: Scope) -> str:
        value, *rest = op.args
        return str(self.text(Op("kind_register", value.type, tuple(rest), op.value), scope))

    def _changed_set(self, value: Op, register: Op, scope: Scope) -> str:
        """Describe a set to which cells are added, or in which some remain; else return ""."""
        if not has_role(value, "join", "meet") or register not in value.args:
            return ""
        name = f"‘{str(register.value).replace('_', ' ')}’"
        rest = tuple(arg for arg in value.args if arg != register)
        other = rest[0] if len(rest) == 1 else make(value.name, *rest)
        if has_role(value, "join"):
            return f"add {self.text(other, scope)} to {name}"
        return f"only the cells {self.noun(other, scope).whole.short} remain in {name}"

    def op_block(self, op: Op, scope: Scope) -> str:
        phrases = (inner for inner in op.args if not has_role(inner, "assertion"))
        return ", then ".join(self.text(inner, scope) for inner in phrases)

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
        end = self.condition(until[0], scope) if until else _SETTLED
        return f"repeat this until {end}: {self.text(effect, scope)}"

    def op_for(self, op: Op, scope: Scope) -> str:
        among, inner = self._bound(op, scope)
        return f"for each of {among} in turn, {self.text(op.args[1], inner)}"

    def op_set_at(self, op: Op, scope: Scope) -> str:
        assert isinstance(op.value, tuple)
        value, cells = op.args
        target = self.noun(cells, scope)
        name = f"the ‘{op.value[0].replace('_', ' ')}’ of {target.every}"
        way = _CHANGES.get(value.name)
        if way and (
            _is_at(value.args[0], op.value[0], cells) or self.text(value.args[0], scope) == name
        ):
            return way.format(self.text(value.args[1], scope), name)
        return f"set {name} to {self.text(value, scope)}"

    def op_when(self, op: Op, scope: Scope) -> str:
        test, then, *other = op.args
        text = f"if {self.condition(test, scope)}, {self.text(then, scope)}"
        return f"{text}, otherwise {self.text(other[0], scope)}" if other else text


def _is_at(value: Op, name: str, cells: Op) -> bool:
    """True if a value is the number of this name at the only cell of a set."""
    same = isinstance(value.value, tuple) and value.value[0] == name
    return has_role(value, "cell register") and same and cells == make("single", *value.args)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
