"""The values of a running script in kernel code: fields as variables, the position, expressions."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from rulesengine.engine.interpreter import DECIDED
from rulesengine.engine.kernel.code.form import Type, Value, Var
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.scripts.flow import Flow
from rulesengine.engine.kernel.scripts.layout import HELD, LEFT, NO_STEP, ScriptLayout
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import OPS, Op, walk
from rulesengine.language.ir.roles import is_variable, reads_role
from rulesengine.language.ir.rules import operations
from rulesengine.state import GOES_ON

_UNDONE = ("at", "word", "word_n", "out", "separator", "printed")


@dataclass(slots=True)
class ScriptCode:
    """The code of a script while it is emitted.

    - `memory`: the buffer of the caller.
    - `vars`: a variable for each field of the layout.
    - `status`: the exit code.
    - `current`: the number of the node being emitted.
    - `bound`: the number of bytes that the node may print.
    - `here`: the position, until it changes.
    - `cached_facts`: facts about the script and bounds of functions, by name.
    - `saved`: the fields that `leave` restores.
    - `starts`: the values of the initial position.
    - `without_texts`: replaces the queries of texts in an expression by variables with values.
    """

    ctx: Context
    flow: Flow
    layout: ScriptLayout
    memory: Value
    vars: dict[str, Var]
    status: Var
    starts: tuple[int, ...]
    has_separators: bool
    has_forfeits: bool
    without_texts: "Callable[[ScriptCode, Op], tuple[Op, dict[str, Value]]]"
    current: int = 0
    bound: int = 0
    here: Position | None = None
    cached_facts: dict[str, object] = field(default_factory=dict)
    saved: dict[str, Value] = field(default_factory=dict)

    # fields

    def get(self, name: str) -> Value:
        return self.ctx.b.get(self.vars[name])

    def set(self, name: str, value: Value | int) -> None:
        b = self.ctx.b
        self.ctx.b.set(self.vars[name], b.i(value) if isinstance(value, int) else value)

    def save(self) -> None:
        """Record the input and output before a node, which `leave` restores."""
        self.saved = {name: self.get(name) for name in _UNDONE}

    def leave_if(self, flag: Value, status: int = LEFT) -> None:
        """Leave the current node to the caller if a flag is true."""
        self.ctx.b.when(flag, lambda: self.leave(status=status), odds="never")

    def leave(self, node: int | None = None, status: int = LEFT) -> None:
        """Leave a node, by default the current one, to the caller."""
        b = self.ctx.b
        for name, value in self.saved.items():
            self.set(name, value)
        self.set("pc", self.current if node is None else node)
        b.set(self.status, b.i(status))
        b.leave()

    def leave_at(self, pc: Value) -> None:
        """Leave a node where no round begins to the caller."""
        self.set("pc", pc)
        self.ctx.b.set(self.status, self.ctx.b.i(LEFT))
        self.ctx.b.leave()

    # the position

    def position(self) -> Position:
        """Return the position; the same object until it changes."""
        if self.here is None:
            types = self.ctx.layout.types
            values = tuple(self.get(f"state.{i}") for i in range(len(types)))
            self.here = Position.of(self.ctx.layout, values)
        return self.here

    def move_to(self, values: tuple[Value, ...]) -> None:
        """Assign the values of a position."""
        for i, value in enumerate(values):
            self.set(f"state.{i}", value)
        self.here = None

    def begin(self, values: tuple[Value, ...]) -> None:
        """Begin a new game at a position."""
        self.move_to(values)
        for name, value in (("plies", 0), ("step", NO_STEP), ("from", -1), ("to", -1)):
            self.set(name, value)
        self.set("decided", GOES_ON)

    def starting_values(self) -> list[Value]:
        """Return the values of the initial position."""
        pairs = zip(self.ctx.layout.types, self.starts, strict=True)
        return [self.ctx.b.const(type, value) for type, value in pairs]

    # variables and expressions

    def variable(self, name: str) -> Value:
        """Return the value of a variable of the script; fail if it has none.

        A variable for a cell must hold one, as facts about operations assume.
        """
        b = self.ctx.b
        if name in ("from", "to"):
            value = self.get(name)
        else:
            self.ctx.fail_unless(b.op("ieq", self.get(f"has.{name}"), b.i(1)))
            value = self.get(f"v.{name}")
        return value

    def assign(self, name: str, value: Value) -> None:
        kind = dict(self.layout.variables).get(name)
        if kind is None or kind == "text":
            raise Unsupported(f"the variable `{name}`")
        if value.type == "f":
            value = self.ctx.b.op("fint", value)
        self.set(f"v.{name}", value)
        self.set(f"has.{name}", 1)

    def assign_text(self, name: str, start: Value, size: Value) -> None:
        if dict(self.layout.variables).get(name) != "text":
            raise Unsupported(f"the variable `{name}`")
        self.set(f"v.{name}", start)
        self.set(f"n.{name}", size)
        self.set(f"has.{name}", 1)

    def text(self, name: str) -> tuple[Value, Value]:
        """Return the offset and the size of the text of a variable; fail if the caller holds it."""
        b = self.ctx.b
        if name == "word":
            start, size = self.get("word"), self.get("word_n")
        else:
            if dict(self.layout.variables).get(name) != "text":
                raise Unsupported(f"the variable `{name}`")
            self.ctx.fail_unless(b.op("ieq", self.get(f"has.{name}"), b.i(1)))
            start, size = self.get(f"v.{name}"), self.get(f"n.{name}")
        self.leave_if(b.op("ieq", start, b.i(HELD)))
        return start, size

    def variables_of(self, op: object, own: Collection[str] = ()) -> dict[str, Value]:
        """Return the variables that an expression or template reads, and those that are implied.

        The caller adds those of `own`, such as the cells of a move.
        """
        values = {"player": self.position().side}
        known = {name for name, kind in self.layout.variables if kind != "text"} | {"from", "to"}
        known = known.difference(own)
        read = {name for root in operations((op,)) for name in self._names(root)}
        values |= {name: self.variable(name) for name in sorted(read & known)}
        if self.has_forfeits:
            values[DECIDED] = self.get("decided")
        return values

    def _names(self, op: Op) -> frozenset[str]:
        """Return the names of the variables that an operation reads."""
        if op.name in ("join", "shown"):
            return frozenset[str]().union(*map(self._names, op.args))
        if any(part.name not in OPS for part in walk(op)):
            raise Unsupported("an operation that only scripts have")
        return self.ctx.facts.variables(op)

    def typed(self, op: object, variables: dict[str, Value]) -> dict[str, Value]:
        """Check variables for cells; return the variables."""
        roots = operations((op,))
        cells = {name for name in variables if any(reads_cell(root, name) for root in roots)}
        for name in cells:
            value = variables[name]
            self.ctx.fail_unless(self.ctx.b.op("ile", self.ctx.b.i(0), value))
            self.ctx.cells_on_board.add(value)
        return variables

    def value(self, op: object) -> Value:
        """Return the value of an expression in the current position."""
        if not isinstance(op, Op):
            raise Unsupported("an operand that is no expression")
        if reads_role(op, "record"):
            raise Unsupported("the record of an earlier move")
        ctx = self.ctx
        outer, ctx.listed = ctx.listed, ctx.b.let(ctx.b.i(0))
        op, values = self.without_texts(self, op)
        variables = self.typed(op, self.variables_of(op))
        try:
            return ctx.value(op, Environment(self.position(), {**variables, **values}))
        finally:
            ctx.listed = outer

    def number(self, op: object) -> Value:
        """Return the value of an expression as a number."""
        value = self.value(op)
        return self.ctx.b.op("fint", value) if value.type == "f" else value

    def call(
        self,
        name: str,
        params: tuple[Type, ...],
        results: tuple[Type, ...],
        args: tuple[Value, ...],
        body: Callable[[tuple[Value, ...]], None],
    ) -> tuple[Value, ...]:
        """Call a function of the module, which is emitted on first use."""
        b = self.ctx.b
        if name not in b.module.functions:
            with b.function(name, params, results) as values:
                body(values)
        return b.call(name, *args)


def reads_cell(op: Op, name: str) -> bool:
    """True if an operation reads a variable that holds a cell."""
    if is_variable(op):
        return op.value == name and op.type == "cell"
    return any(reads_cell(arg, name) for arg in op.args)
