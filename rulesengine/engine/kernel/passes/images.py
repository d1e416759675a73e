"""Images of sets: the union, over all cells of a set, of an expression of one cell.

"A step north of x" for each x of a set is the set shifted north. Images are the counterpart of
preimages: an operation has one if it distributes over unions.
"""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.passes.preimage import Preimages
from rulesengine.language.ir.ops import OPS, Op, literal
from rulesengine.language.ir.roles import is_single, is_variable
from rulesengine.language.lower.simplify import simplify


class Images(Preimages):
    """The images of sets of one program."""

    def image(self, op: Op, name: str, cells: Op) -> Op | None:
        """Return the union of an expression's values over some cells; None if unsupported."""
        if self.facts.may_fail(op):
            return None
        if not self.reads(op, name):
            return self.build("if", self.build("any", cells), op, self.none)
        forth = _FORTH.get(op.name)
        return forth(self, op, name, cells) if forth else None

    def _one(self, op: Op, name: str, cells: Op) -> Op | None:
        return cells if is_single(op) else None

    def _variable(self, op: Op, name: str, cells: Op) -> Op | None:
        return cells

    def _of_first(self, op: Op, name: str, cells: Op) -> Op | None:
        first = self.image(op.args[0], name, cells) if self._only_first(op, name) else None
        return self.build(op.name, first, *op.args[1:]) if first else None

    def _any_part(self, op: Op, name: str, cells: Op) -> Op | None:
        return self.joined("or", [self.image(arg, name, cells) for arg in op.args])

    def _one_part(self, op: Op, name: str, cells: Op) -> Op | None:
        dependent = [arg for arg in op.args if self.reads(arg, name)]
        part = self.image(dependent[0], name, cells) if len(dependent) == 1 else None
        others = [arg for arg in op.args if arg is not dependent[0]]
        return self.build("and", part, *others) if part else None

    def _branches(self, op: Op, name: str, cells: Op) -> Op | None:
        test, *values = op.args
        images = [self.image(value, name, cells) for value in values]
        known = [value for value in images if value is not None]
        if self.reads(test, name) or len(known) < len(values):
            return None
        return self.build(op.name, test, *known)

    def _loop(self, op: Op, name: str, cells: Op) -> Op | None:
        """Unroll a union over constant directions, which turns each step into a shift."""
        assert isinstance(op.value, tuple)
        function, variable, domain, _ = op.value
        directions, body = op.args
        if function != "union" or domain != "directions" or not isinstance(directions.value, int):
            return None
        each = [
            self.bound(body, str(variable), literal("direction", direction))
            for direction in cells_of(directions.value & self.shape.every)
        ]
        return self.joined("or", [self.image(one, name, cells) for one in each])

    def bound(self, op: Op, name: str, value: Op) -> Op:
        """Substitute a value for a variable in an operation."""
        if is_variable(op, name):
            return value
        args = tuple(self.bound(arg, name, value) for arg in op.args)
        return (
            op
            if args == op.args
            else simplify(Op(op.name, op.type, args, op.value), self.program.topology)
        )


Forth = Callable[[Images, Op, str, Op], Op | None]

# The image of each operation.
_FORTH: MappingProxyType[str, Forth] = MappingProxyType(
    {
        **{name: Images._of_first for name, row in OPS.items() if row.has("additive", 0)},
        "single": Images._one,
        "variable": Images._variable,
        "and": Images._one_part,
        "or": Images._any_part,
        "if": Images._branches,
        "by_side": Images._branches,
        "each": Images._loop,
    }
)
