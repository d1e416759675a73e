"""Long conditions and sets as numbered sentences: one idea each."""

from collections.abc import Callable, Iterator

from rulesengine.language.ir.ops import OPS, Op, bound
from rulesengine.language.ir.roles import has_role, is_conditional, is_filter, parts_of
from rulesengine.prose.describer_base import Scope
from rulesengine.prose.loops import Loops

# The number of words up to which alternatives stay in one sentence.
_SHORT = 28
# The marks of the parts of a list, and of a list inside another one.
_MARKS = ("123456789", "abcdefghi", "ivxlcdm")


class Enumerations(Loops):
    """Descriptions that may take several sentences; they end without a full stop."""

    def clause(
        self, op: Op, scope: Scope, holds: bool = True, lead: str = "if", depth: int = 0
    ) -> str:
        """Describe a condition after its lead, `if` or `only if`."""
        phrase = self.condition(op, scope, holds)
        parts = [*self._tests(op, holds)]
        if (
            len(phrase.split()) <= _SHORT
            or len(parts) == 1
            or len(parts) > len(_MARKS[depth % len(_MARKS)])
        ):
            return f"{lead} {phrase}"
        quantifier = "all of these are true" if self._is_meet(op, holds) else "one of these is true"
        listed = numbered(
            [self.clause(part, scope, truth, "", depth + 1).strip() for part, truth in parts], depth
        )
        return f"{lead} {quantifier}: {listed}".strip()

    def places(self, op: Op, scope: Scope, depth: int = 0) -> str:
        """Describe a set of cells in full, a long union part by part."""
        return self._united(op, scope, lambda part: self.noun(part, scope).every, depth)

    def place(self, op: Op, scope: Scope, depth: int = 0) -> str:
        """Describe a cell of a set, a long union part by part."""
        return self._united(op, scope, lambda part: self.noun(part, scope).some, depth)

    def _united(self, op: Op, scope: Scope, describe: Callable[[Op], str], depth: int) -> str:
        phrase = describe(op)
        if len(phrase.split()) <= _SHORT or self.terms.use(op) is not None:
            return phrase
        if is_conditional(op):
            cases = [*self._cases(op, scope, describe)]
            return "one of these, the first that applies: " + numbered(cases, depth)
        if is_filter(op):
            scope = {**scope, bound(op): "it"}
            test = self.clause(op.args[1], scope, lead="where", depth=depth)
            return f"{describe(op.args[0])}, {test}" if "(1)" in test else phrase
        parts = [*parts_of(op, "join")]
        if len(parts) == 1:
            return phrase
        return "any of these: " + numbered([describe(part) for part in parts], depth)

    def _cases(self, op: Op, scope: Scope, describe: Callable[[Op], str]) -> Iterator[str]:
        """Yield the values of a conditional set, each with its condition."""
        while is_conditional(op) and self.terms.use(op) is None:
            test, then, op = op.args
            yield f"if {self.condition(test, scope)}, {describe(then)}"
        yield f"otherwise {describe(op)}"

    def value(self, op: Op, scope: Scope) -> str:
        """Describe a number, a long sum term by term."""
        phrase = self.phrase(op, scope)
        terms = [*_terms(op)] if self.terms.use(op) is None else [op]
        if len(phrase.split()) <= _SHORT or len(terms) == 1:
            return phrase
        return "the sum of these: " + numbered([self.phrase(term, scope) for term in terms], 0)

    def is_vacant(self, op: Op) -> bool:
        """True if a set is a use of a definition that is described as empty cells."""
        use = self.terms.use(op)
        return use is not None and self.noun(use.definition.op, {}).claim.rest == "empty"

    def _tests(self, op: Op, holds: bool) -> Iterator[tuple[Op, bool]]:
        """Yield the parts of a compound condition, each with the value that it must have."""
        if self.terms.use(op) is not None:
            yield op, holds
        elif has_role(op, "complement") and op.type == "flag":
            yield from self._tests(op.args[0], not holds)
        elif has_role(op, "meet", "join") and op.type == "flag":
            for arg in op.args:
                inner = [*self._tests(arg, holds)]
                same = len(inner) > 1 and self._is_meet(arg, holds) == self._is_meet(op, holds)
                yield from inner if same else [(arg, holds)]
        elif has_role(op, "nonempty", "void") and has_role(op.args[0], "join"):
            for part in parts_of(op.args[0], "join"):
                yield Op(op.name, op.type, (part,)), holds
        else:
            yield op, holds

    def _is_meet(self, op: Op, holds: bool) -> bool:
        """True if all parts of a condition must have the value."""
        if has_role(op, "complement"):
            return self._is_meet(op.args[0], not holds)
        if has_role(op, "nonempty", "void"):
            return has_role(op, "void") == holds
        return has_role(op, "meet") == holds


def numbered(parts: list[str], depth: int) -> str:
    """Return parts as sentences with marks: `(1) …. (2) …`."""
    marks = _MARKS[min(depth, len(_MARKS) - 1)]
    phrases = [
        f"({mark}) {part[0].upper()}{part[1:]}" for mark, part in zip(marks, parts, strict=False)
    ]
    return ". ".join(phrases)


def _terms(op: Op) -> Iterator[Op]:
    """Yield the terms of a sum."""
    if has_role(op, "sum") and "commutative" in OPS[op.name].laws:
        for arg in op.args:
            yield from _terms(arg)
    else:
        yield op
