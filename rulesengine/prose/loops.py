"""Descriptions of loops, values by side, conditionals, and look-ahead operations."""

from types import MappingProxyType

from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.roles import has_role, is_variable, is_whole_board, loop_function
from rulesengine.language.ir.rules import GROUP
from rulesengine.prose import idioms
from rulesengine.prose.conditions import Conditions
from rulesengine.prose.describer_base import Scope
from rulesengine.prose.nouns import ANYWHERE, Claim, Noun, listed, plain
from rulesengine.prose.sets import place_noun

_OVER = MappingProxyType({"least": "the least", "most": "the most", "sum": "the sum"})
# The noun for a member of each domain.
_MEMBERS = MappingProxyType(
    {
        "cells": "cell",
        "track": "cell",
        "groups": "group",
        "directions": "way",
        "sides": "player",
        "list": "member",
    }
)
_WAYS = MappingProxyType(
    {
        "orthogonally": "the orthogonal directions",
        "diagonally": "the diagonal directions",
        "in any direction": "all directions",
        "in any compass direction": "all compass directions",
    }
)


class Loops(Conditions):
    """Operations of the type of their body."""

    def op_each(self, op: Op, scope: Scope) -> object:
        assert isinstance(op.value, tuple)
        function = op.value[0]
        if op.type == "flag":
            return self.each_flag(op, scope, holds=True)
        if function == "where":
            return self._filtered(op, scope)
        if function == "reach":
            return self._reached(op, scope)
        if (test := idioms.groups_for_which(op)) is not None:
            inner = self._bound(op, scope)[1]
            claim = Claim("is", f"in a group for which {self.condition(test, inner)}")
            return self.noun(op.args[0], scope).narrowed(claim)
        among, inner = self._bound(op, scope)
        body = op.args[1]
        if function == "union":
            phrase = self.noun(body, inner)
            some, each = f"for one of {among}", f"for each of {among}"
            if among == "all directions":
                some, each = "in any direction", "in each direction"
            text = f"{phrase.some}, {some},"
            claim = Claim("is", f"among {phrase.many}, {some},")
            return Noun(text, f"{phrase.every}, {each},", f"no such cell: {text}", claim)
        if function == "count":
            return f"the number of {_bare(among)} for which {self.condition(body, inner)}"
        if function == "sum" and has_role(body, "cell register") and is_variable(body.args[0]):
            name = str(body.value[0] if isinstance(body.value, tuple) else body.value)
            return f"the total ‘{name.replace('_', ' ')}’ in {self.text(op.args[0], scope)}"
        return f"{_OVER[function]}, over {among}, of {self.text(body, inner)}"

    def _filtered(self, op: Op, scope: Scope) -> Noun:
        """Describe a set filtered by a test of each cell; `it` is the cell unless the name is
        taken.
        """
        _, inner = self._bound(op, scope)
        domain = op.args[0]
        noun = self.noun(domain, scope)
        if is_whole_board(domain):
            noun = plain("cell", "cells", ANYWHERE)
        test = self.condition(op.args[1], inner)
        if test.startswith("its ") and " its " not in test and " it " not in test:
            return noun.narrowed(Claim("is", f"whose {test.removeprefix('its ')}"))
        return noun.narrowed(Claim("is", f"such that {test}"))

    def _reached(self, op: Op, scope: Scope) -> Noun:
        """Describe a closure: the cells reached from the domain by repeating a step."""
        assert isinstance(op.value, tuple)
        among, inner = self._bound(op, scope)
        to = self.noun(op.args[1], inner).some
        reached = f"reached from {among} by going on to {to}, once or again and again"
        return plain("cell", "cells", ANYWHERE).narrowed(Claim("is", reached))

    def _bound(self, op: Op, scope: Scope) -> tuple[str, Scope]:
        """Return a description of the domain of a loop, and the scope of its body."""
        assert isinstance(op.value, tuple)
        function, variable, domain = op.value[:3]
        if domain == "numbers":  # only these read well with the variable name of the author
            letter = variable.rpartition("_")[0].replace("_", " ")
            numbers = self.text(op.args[0], scope).replace("the numbers", f"the numbers {letter}")
            return numbers, {**scope, variable: letter}
        word = _MEMBERS[domain]
        names = [f"that {word}", f"the second {word}", f"the third {word}", f"the inner {word}"]
        if function == "where" and not any(map(loop_function, walk(op.args[1]))):
            names.insert(0, "it")
        used_names = [name for name in names[:-1] if name in scope.values()]
        name = next(name for name in names if name not in used_names)
        called = f" ({name})" if name.startswith("the ") else ""
        return self._among(op, domain, scope) + called, {**scope, variable: name}

    def _among(self, op: Op, domain: str, scope: Scope) -> str:
        """Describe the domain of a loop in the plural."""
        match domain:
            case "groups":
                return f"the groups of {self.noun(op.args[0], scope).every}"
            case "sides":
                return "the players"
            case "directions":
                ways = self.text(op.args[0], scope)
                return _WAYS.get(ways, f"the directions {ways}")
        phrase = self.text(op.args[0], scope)
        return phrase.replace(", each such that", " such that")

    def each_flag(self, op: Op, scope: Scope, holds: bool) -> str:
        assert isinstance(op.value, tuple)
        among, inner = self._bound(op, scope)
        function, body = op.value[0], op.args[1]
        if has_role(body, "mobility") and function in ("any", "none"):
            some = (function == "any") == holds
            return f"{'a' if some else 'no'} player has a {self.legal_move()}"
        if function == "none":
            function, holds = "any", not holds
        # `any` and a negated `every` need one member, the two others all.
        quantifier = "at least one" if (function == "any") == holds else "every one"
        if among == "all directions":
            quantifier = (
                quantifier.removesuffix(" one") if quantifier == "every one" else "at least one"
            )
            return f"in {quantifier} direction, {self.condition(body, inner, holds)}"
        return f"for {quantifier} of {among}, {self.condition(body, inner, holds)}"

    # alternatives

    def op_if(self, op: Op, scope: Scope) -> object:
        test, then, other = op.args
        if op.type == "flag":
            return self.condition(op, scope)
        if has_role(test, "equality") and test.args[0].value == GROUP:
            return self.text(then, scope)
        if op.type != "cells":
            yes, no = (self.text(a, scope) for a in (then, other))
            return f"{yes} if {self.condition(test, scope)}, else {no}"
        return self._one_set_or_another(
            test, self.noun(then, scope), self.noun(other, scope), scope
        )

    def _one_set_or_another(self, test: Op, yes: Noun, no: Noun, scope: Scope) -> Noun:
        when = self.condition(test, scope)
        if has_role(test, "nonempty") and self.noun(test.args[0], scope) == yes:
            forms = [
                f"{x}, or, if there is none, {y}"
                for x, y in ((yes.some, no.some), (yes.every, no.every), (yes.none, no.none))
            ]
            claim = Claim("is", f"among {forms[1]}")
            both = yes.pieces and no.pieces
            return Noun(forms[0], forms[1], forms[2], claim, pieces=both)
        if no.all == "nowhere":
            forms = [f"{x} (only if {when})" for x in (yes.some, yes.every, yes.none)]
            return Noun(forms[0], forms[1], forms[2], Claim("is", f"among {forms[1]}"))
        forms = [
            f"{x} (if {when}) or {y} (otherwise)"
            for x, y in ((yes.some, no.some), (yes.every, no.every), (yes.none, no.none))
        ]
        claim = Claim("is", f"{yes.short} (if {when}, otherwise {no.short})")
        return Noun(forms[0], forms[1], forms[2], claim)

    def op_by_side(self, op: Op, scope: Scope) -> object:
        values = self.names.values_by_reader(op)
        names = [p.name.replace("_", " ") for p in self.rules.players]
        if op.type != "cells":
            return _by_name(names, [self.text(a, scope) for a in values])
        nouns = [self.noun(a, scope) for a in values]
        forms = [
            _by_name(names, row)
            for row in ([n.some for n in nouns], [n.every for n in nouns], [n.none for n in nouns])
        ]
        claim = Claim("is", _by_name(names, [n.short for n in nouns]))
        return Noun(forms[0], forms[1], forms[2], claim)

    def op_chosen(self, op: Op, scope: Scope) -> object:
        if op.type == "cells":  # a tile after lowering
            return place_noun("the tile", prefix="of ")
        if op.value in (None, "choice"):
            return "the choice"
        return f"the chosen {str(op.value).replace('_', ' ')}"

    # other states

    def op_before(self, op: Op, scope: Scope) -> object:
        if op.type == "flag":
            return self.condition(op, scope)
        if op.type == "cells":
            cells = self.noun(op.args[0], scope).every
            return place_noun(f"among {cells} before the move", prefix="")
        return f"{self.text(op.args[0], scope)} before the move"

    def op_below(self, op: Op, scope: Scope) -> object:
        if op.type == "flag":
            return self.condition(op, scope)
        removal = f"{self.pieces_taken_off(op.args[0], scope)} taken off each stack"
        if op.type == "cells":
            cells = self.noun(op.args[1], scope).every
            return place_noun(f"among {cells} with {removal}", prefix="")
        return f"{self.text(op.args[1], scope)} with {removal}"

    def op_after(self, op: Op, scope: Scope) -> object:
        if op.type == "flag":
            return self.condition(op, scope)
        person = self.names.person(op.args[0])
        when = (
            "after the move"
            if person.subject == "you"
            else f"after the same move by {person.subject}"
        )
        if op.type == "cells":
            return place_noun(f"among {self.noun(op.args[1], scope).every} {when}", prefix="")
        return f"{self.text(op.args[1], scope)} {when}"

    def op_replies(self, op: Op, scope: Scope) -> str:
        body = op.args[0]
        match op.value:
            case "least" | "most":
                return f"the {op.value} that any reply leaves of {self.text(body, scope)}"
            case "count":
                return f"the number of replies after which {self.condition(body, scope)}"
            case "any":
                return f"there is a reply after which {self.condition(body, scope)}"
        return f"after every reply {self.condition(body, scope)}"


def _bare(among: str) -> str:
    return among.removeprefix("the ")


def _by_name(names: list[str], phrases: list[str]) -> str:
    """Return `north (white) or south (black)`; a value common to all is given once."""
    if len(set(phrases)) == 1:
        return phrases[0]
    parts = [f"{text} ({name})" for name, text in zip(names, phrases, strict=True)]
    return ", or ".join(parts) if any(" or " in text for text in phrases) else listed(parts, "or")
