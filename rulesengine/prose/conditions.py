"""Descriptions of conditions and of their negations."""

from types import MappingProxyType

from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import (
    has_role,
    is_by_kind,
    is_by_side,
    is_conditional,
    is_constant,
    is_of_side,
    is_owner,
    is_reflexive,
    is_variable,
)
from rulesengine.prose import idioms
from rulesengine.prose.describer_base import Scope
from rulesengine.prose.names import Person
from rulesengine.prose.nouns import Noun, listed
from rulesengine.prose.values import Values

_PAIR = 2
# The occurrence of a position after so many earlier ones.
_ORDINALS = MappingProxyType({2: "third", 3: "fourth", 4: "fifth"})
_FEWER = MappingProxyType({"less than": "fewer than"})


class Conditions(Values):
    """Operations that return a flag, each as a sentence or its negation."""

    def condition(self, op: Op, scope: Scope, holds: bool = True) -> str:
        if use := self.terms.use(op):
            return self.condition_called(use, scope, holds)
        claim = self._claims.get(op.name)
        if claim is not None:
            return claim(op, scope, holds)
        phrase = self.text(op, scope)
        return phrase if holds else f"it is not so that {phrase}"

    # the conditions with a negation in words of its own

    def claim_deny(self, op: Op, scope: Scope, holds: bool) -> str:
        return self.condition(op.args[0], scope, not holds)

    def claim_none(self, op: Op, scope: Scope, holds: bool) -> str:
        return self._exists(op.args[0], scope, not holds)

    def claim_any(self, op: Op, scope: Scope, holds: bool) -> str:
        return self._exists(op.args[0], scope, holds)

    def claim_member(self, op: Op, scope: Scope, holds: bool) -> str:
        claim, cell = self.noun(op.args[1], scope).whole, self.text(op.args[0], scope)
        return f"{cell} {(claim if holds else claim.deny()).of(cell)}"

    def claim_inside(self, op: Op, scope: Scope, holds: bool) -> str:
        each = self.noun(op.args[0], scope)
        claim = self.noun(op.args[1], scope).whole
        if each.none.startswith("no ") and "(" not in each.none:
            every = f"every {each.none.removeprefix('no ')} {claim.full}"
        elif each.none.startswith("none of "):
            every = f"each of {each.none.removeprefix('none of ')} {claim.of(each.one)}"
        else:
            every = f"all of {each.every} are {claim.short}"
        return every if holds else f"not {every}"

    def claim_has_direction(self, op: Op, scope: Scope, holds: bool) -> str:
        way, ways = (self.text(a, scope) for a in op.args)
        way = "the direction" if is_variable(op.args[0]) else way
        ways = ways.removesuffix("ly") if ways in ("orthogonally", "diagonally") else ways
        return f"{way} is {'' if holds else 'not '}{ways}"

    def claim_can_move(self, op: Op, scope: Scope, holds: bool) -> str:
        return self._can_move(op, holds)

    def claim_can_act(self, op: Op, scope: Scope, holds: bool) -> str:
        person = self.names.person(op.args[0])
        return f"{person.subject} {person.has} {'a' if holds else 'no'} legal move or pass"

    def claim_over(self, op: Op, scope: Scope, holds: bool) -> str:
        return f"the game is {'' if holds else 'not '}over"

    def claim_drawn(self, op: Op, scope: Scope, holds: bool) -> str:
        return f"the game is {'' if holds else 'not '}drawn"

    def claim_literal(self, op: Op, scope: Scope, holds: bool) -> str:
        return "always" if bool(op.value) == holds else "never"

    def claim_variable(self, op: Op, scope: Scope, holds: bool) -> str:
        return f"{self.text(op, scope)} is {'yes' if holds else 'no'}"

    claim_register = claim_parameter = claim_kind_register = claim_by_kind = claim_variable

    def claim_if(self, op: Op, scope: Scope, holds: bool) -> str:
        test, then, other = op.args
        yes, no = (self.condition(a, scope, holds) for a in (then, other))
        return f"{self.condition(test, scope)} and {yes}, or else {no}"

    def claim_after(self, op: Op, scope: Scope, holds: bool) -> str:
        person = self.names.person(op.args[0])
        is_you = person.subject == "you"
        after = "after the move" if is_you else f"after the same move by {person.subject}"
        return f"{after} {self.condition(op.args[1], scope, holds)}"

    def claim_below(self, op: Op, scope: Scope, holds: bool) -> str:
        phrase = self.condition(op.args[1], scope, holds)
        return f"with {self.pieces_taken_off(op.args[0], scope)} taken off each stack {phrase}"

    def pieces_taken_off(self, number: Op, scope: Scope) -> str:
        """Return a number of upper pieces of a stack as words."""
        if is_constant(number, 1):
            return "the upper piece"
        return f"{self.text(number, scope)} upper pieces"

    def claim_before(self, op: Op, scope: Scope, holds: bool) -> str:
        return f"before the move {self.condition(op.args[0], scope, holds)}"

    def claim_each(self, op: Op, scope: Scope, holds: bool) -> str:
        return self.each_flag(op, scope, holds)

    def each_flag(self, op: Op, scope: Scope, holds: bool) -> str:
        raise NotImplementedError

    # sets that contain a cell or none

    def _exists(self, op: Op, scope: Scope, holds: bool) -> str:
        if (phrase := self._idiom(op, scope, holds)) is not None:
            return phrase
        if is_of_side(op) and not self._is_neutral(op):
            return self._has_pieces(self.names.person(op.args[0]), holds)
        enemy = idioms.enemy_of(op, self.names.sides)
        if enemy and self.names.sides == 2:
            return self._has_pieces(self.names.person(Op("next", "side", (enemy,))), holds)
        return _there_is(self.noun(op, scope), holds)

    def _has_pieces(self, person: Person, holds: bool) -> str:
        has = f"{person.subject} {person.has}"
        return (
            f"{has} {self.names.pieces()} on the board"
            if holds
            else (f"{has} no {self.names.pieces()} on the board")
        )

    def _idiom(self, op: Op, scope: Scope, holds: bool) -> str | None:
        """Return a sentence for a set that matches a common idiom, else None."""
        if match := idioms.connection(op):
            cells, start, end = match
            ends = self._borders(start, end, scope)
            return f"{'a' if holds else 'no'} chain of {self.noun(cells, scope).every} joins {ends}"
        if (pieces := idioms.unjoined(op)) is not None:
            all_ = self.noun(pieces, scope).every
            return f"{all_} are {'not ' if holds else ''}all joined in one group"
        if has_role(op, "line"):
            line = self.line(op, scope).removeprefix("in an ")
            return (
                f"there is {'an' if holds else 'no'} {line} of {self.noun(op.args[0], scope).every}"
            )
        if has_role(op, "row"):
            return self._row(op, scope, holds)
        return None

    def _borders(self, start: Op, end: Op, scope: Scope) -> str:
        """Describe the two goals that a chain joins, one side after the other if they differ by
        side.
        """
        if is_by_side(start) and is_by_side(end) and start.args[0] == end.args[0]:
            pairs = zip(*map(self.names.values_by_reader, (start, end)), strict=True)
            names = [p.name.replace("_", " ") for p in self.rules.players]
            phrases = [self._borders(a, b, scope) for a, b in pairs]
            return listed([f"{t} ({n})" for t, n in zip(phrases, names, strict=False)], "or")
        return f"{self._border(start, scope)} with {self._border(end, scope)}"

    def _border(self, op: Op, scope: Scope) -> str:
        return self.noun(op, scope).every.removeprefix("the cells of ")

    def _row(self, op: Op, scope: Scope, holds: bool) -> str:
        start, over, until, low, high = op.args[:5]
        along = f" ({self.text(op.args[5], scope)})" if len(op.args) > 5 else ""
        row = f"unbroken straight row{self._length(low, high)} of {self.noun(over, scope).every}"
        ends = f"between {self._at(start, scope)} and {self.noun(until, scope).some}"
        return f"there is {'an' if holds else 'no'} {row} {ends}{along}"

    # compound conditions

    def claim_both(self, op: Op, scope: Scope, holds: bool) -> str:
        if phrase := self._is_one_of(op, scope, holds):
            return phrase
        word = "and" if has_role(op, "meet") == holds else "or"
        if word == "and" and self._is_neither(op, holds):
            return self._can_move(op.args[0].args[0], holds=False).replace(
                "you have no", "neither player has a"
            )
        parts = [self._part(a, scope, holds, word) for a in op.args]
        mixed = any(" and " in part or " or " in part for part in parts)
        return f", {word} ".join(parts) if mixed or len(parts) > _PAIR else listed(parts, word)

    def _part(self, op: Op, scope: Scope, holds: bool, word: str) -> str:
        """Describe a part of a compound condition; alternatives inside one begin with `either`."""
        phrase = self.condition(op, scope, holds)
        inner = op.args[0] if has_role(op, "complement") else op
        if word == "and" and has_role(inner, "meet", "join") and self.terms.use(inner) is None:
            truth = holds != (inner is not op)
            is_or = has_role(inner, "join") == truth
            return f"either {phrase}" if is_or and " or " in phrase else phrase
        return phrase

    claim_either = claim_both

    def _is_one_of(self, op: Op, scope: Scope, holds: bool) -> str:
        """Describe kinds with an attribute: `the kind of the moved man is tall`."""
        kinds = [
            a.args[-1] for a in op.args if has_role(a, "equality") and a.args[-1].type == "kind"
        ]
        operands = {a.args[0] for a in op.args if a.args}
        if not has_role(op, "join") or len(kinds) < len(op.args) or len(operands) > 1:
            return ""
        word = self.in_common(kinds)
        return (
            f"{self.text(operands.pop(), scope)} is {'' if holds else 'not '}{word}" if word else ""
        )

    def _is_neither(self, op: Op, holds: bool) -> bool:
        """True if a condition says that neither of two players can move."""
        operands = [
            a.args[0]
            for a in op.args
            if has_role(a, "complement") and has_role(a.args[0], "mobility")
        ]
        sides = [self.names.person(a.args[0]).subject for a in operands]
        return holds and len(op.args) == 2 and sorted(sides) == ["the opponent", "you"]

    def _can_move(self, op: Op, holds: bool) -> str:
        person = self.names.person(op.args[0])
        return f"{person.subject} {person.has} {'a' if holds else 'no'} {self.legal_move()}"

    def legal_move(self) -> str:
        """Return the phrase for a move that counts as one: passes do not."""
        passes = any(group.kind == "pass" for group in self.rules.groups)
        return "legal move other than a pass" if passes else "legal move"

    # comparisons

    def claim_equal(self, op: Op, scope: Scope, holds: bool) -> str:
        left, right = op.args
        if is_constant(left):
            left, right = right, left
        if left.type == "side" and (phrase := self._same_side(left, right, scope, holds)):
            return phrase
        known = right.value if is_constant(right) else None
        if (
            has_role(left, "size")
            and known != 0
            and holds
            and (phrase := self._many(left, "exactly", right, scope))
        ):
            return phrase
        if has_role(left, "clock") and known is not None and holds and "plies" not in scope:
            return self._moves_made("exactly", right, scope)
        if has_role(left, "remainder") and left.args[1].value == 2 and known in (0, 1):
            parity = "even" if (known == 0) == holds else "odd"
            return f"{self.text(left.args[0], scope)} is {parity}"
        if left.type == "number" and known == 0 and has_role(left, "size"):
            return self._exists(left.args[0], scope, not holds)
        if is_by_kind(left) and left.type == "kind" and known == -1:
            verb = "does not exist" if holds else "exists"
            return f"{self.text(left, scope)} {verb}"
        is_ = "is" if holds else "is not"
        return f"{self.text(left, scope)} {is_} {self.text(right, scope)}"

    def _same_side(self, left: Op, right: Op, scope: Scope, holds: bool) -> str:
        for a, b in ((left, right), (right, left)):
            if is_owner(a) and not is_owner(b):
                person = self.names.person(b)
                belongs = "belongs" if holds else "does not belong"
                return f"the piece on {self.text(a.args[0], scope)} {belongs} to {person.subject}"
            if has_role(a, "winner"):
                person = self.names.person(b)
                return f"{person.subject} {person.has} {'' if holds else 'not '}won"
        persons = [self.names.person(a) for a in (left, right)]
        verb = "is" if persons[0].third else "are"
        return f"{persons[0].subject} {verb} {'' if holds else 'not '}{persons[1].subject}"

    def claim_less(self, op: Op, scope: Scope, holds: bool) -> str:
        """Describe a comparison with the unknown first: `your ‘stock’ is more than 0`."""
        left, right = op.args
        strict = not is_reflexive(op)
        if is_constant(left) or (is_conditional(left) and not is_conditional(right)):
            # n < x is "more than n", n <= x "at least n"
            words = {(True, True): "more than", (False, True): "at least",
                     (True, False): "at most", (False, False): "less than"}  # fmt: skip
            left, right = right, left
        else:
            words = {(True, True): "less than", (False, True): "at most",
                     (True, False): "at least", (False, False): "more than"}  # fmt: skip
        than = words[strict, holds]
        return self._amount(left, than, right, scope)

    claim_at_most = claim_less

    def _amount(self, counted: Op, than: str, bound: Op, scope: Scope) -> str:
        number = self.text(bound, scope)
        number = f"({number})" if is_conditional(bound) else number
        if has_role(counted, "repetition") and is_constant(bound):
            return self._repeated(str(counted.value), than, int(bound.value or 0))  # type: ignore[arg-type]
        if has_role(counted, "size") and (phrase := self._many(counted, than, bound, scope)):
            return phrase
        if has_role(counted, "clock") and "plies" not in scope:
            return self._moves_made(than, bound, scope)
        return f"{self.text(counted, scope)} is {than} {number}"

    def _many(self, count: Op, than: str, bound: Op, scope: Scope) -> str:
        """Describe a count: `you have more than 3 men on the board`; empty for other sets."""
        cells = count.args[0]
        if (than, bound.value) in (("more than", 0), ("at least", 1)):
            return self._exists(cells, scope, holds=True)
        than = _FEWER.get(than, than)
        if not is_of_side(cells) or self._is_neutral(cells) or self.terms.use(cells):
            noun = self.noun(cells, scope)
            if noun.lone or not is_constant(bound) or has_role(cells, "join"):
                return ""
            are = "is" if bound.value == 1 else "are"
            many = noun.one_bare if bound.value == 1 else noun.many
            many = f"of {noun.every}" if noun.no.startswith("none of ") else many
            return f"there {are} {than} {self.text(bound, scope)} {many}"
        person = self.names.person(cells.args[0])
        pieces = self.names.piece() if bound.value == 1 else self.names.pieces()
        return (
            f"{person.subject} {person.has} {than} {self.text(bound, scope)} {pieces} on the board"
        )

    def _moves_made(self, than: str, bound: Op, scope: Scope) -> str:
        """Describe a bound on the number of moves: `fewer than 8 moves have been made`."""
        if (than, bound.value) in (("more than", 0), ("at least", 1)):
            return "a move has been made"
        if (than, bound.value) in (("exactly", 0), ("at most", 0)):
            return "no move has been made"
        if bound.value == 1:
            return f"{_FEWER.get(than, than)} one move has been made"
        return f"{_FEWER.get(than, than)} {self.text(bound, scope)} moves have been made"

    def _repeated(self, event: str, than: str, number: int) -> str:
        """Describe a bound on the number of equal earlier positions."""
        others = [] if event == "board" else self.names.same_besides()
        board = "the same arrangement of the pieces" if event == "board" else "the same position"
        same = f"{board}, with {listed(others)}," if others else board
        count = {"more than": number + 1, "at least": number}.get(than)
        if count == 1:
            return f"{same} has occurred before"
        if count is not None and count in _ORDINALS:
            return f"{same} occurs for the {_ORDINALS[count]} time"
        return f"{same} has occurred {than} {number} {'time' if number == 1 else 'times'} before"

    def _flag(self, op: Op, scope: Scope) -> str:
        return self.condition(op, scope)

    op_any = op_none = op_member = op_inside = op_has_direction = op_over = op_drawn = _flag
    op_can_move = op_can_act = _flag
    op_both = op_either = op_deny = op_equal = op_less = op_at_most = _flag


def _there_is(noun: Noun, holds: bool) -> str:
    """Describe existence: `there is an empty cell`, or its negation."""
    if not noun.claims and noun.lone:
        return f"{noun.one} is {'' if holds else 'not '}on the board"
    if not noun.claims:
        return f"there is {noun.one if holds else noun.no}"
    if any(claim.rest.startswith(("such that ", "whose ")) for claim in noun.claims):
        return f"there is {noun.some if holds else noun.none}"
    claims = listed([claim.of(noun.one) if noun.lone else claim.full for claim in noun.claims])
    every = noun.no.removeprefix("no ")
    if not holds and every != noun.no and all(claim.denied for claim in noun.claims):
        return f"every {every} {listed([claim.deny().full for claim in noun.claims], 'or')}"
    if noun.lone and not holds and len(noun.claims) == 1:
        return f"{noun.one} {noun.claims[0].deny().of(noun.one)}"
    if noun.lone:
        return f"{noun.one} {claims}" if holds else f"it is not so that {noun.one} {claims}"
    return f"{noun.one if holds else noun.no} {claims}"
