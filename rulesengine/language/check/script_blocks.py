"""Named blocks of a script: `block` declares, `do` calls."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rulesengine.language.check.names import argument_count
from rulesengine.language.check.scope import Scope
from rulesengine.language.check.suggestions import new_name
from rulesengine.language.ir.ops import ON_BOARD, Op
from rulesengine.language.ir.rules import Statement
from rulesengine.language.syntax.script import Line
from rulesengine.support.diagnostic import Diagnostic, Suggestion, did_you_mean
from rulesengine.support.frozen import replace

Body = tuple[Statement, ...]


class BlockChecker:
    """The blocks by name; each is checked at its first call, with the values passed there.

    `top_level` are the blocks at the top level, `types` the types of their arguments since the
    first call, `bodies` the checked bodies.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.lines: dict[str, Line] = {}
        self.top_level: list[Line] = []
        self.types: dict[str, tuple[str, ...]] = {}
        self.bodies: dict[str, Body] = {}
        self.on_board: dict[str, dict[str, Op]] = {}
        self._open: list[str] = []

    def declare(self, lines: tuple[Line, ...]) -> None:
        """Declare the blocks of a whole script."""
        for line in lines:
            if line.statement != "block":
                continue
            name = line.words[0]
            self.top_level.append(line)
            if name in self.lines:
                message = f"there are two blocks `{name}`"
                self.scope.context.report("name-taken", line.places[0], message, new_name(name))
            self.lines.setdefault(name, line)

    def check_place(self, line: Line) -> None:
        """Report a block that is nested under another line."""
        if not any(line is known for known in self.top_level):
            message = "a block is a line of its own, not under another line"
            help = "start it in the column of the first line of the script"
            self.scope.context.report("indentation", line.span, message, help)

    def report_unused(self, line: Line) -> None:
        """Warn about a block that is never called and therefore not checked."""
        name = line.words[0]
        if name not in self.bodies and name not in self.scope.context.broken:
            message = f"the block `{name}` is never done"
            help = f"leave it out, or write `do {name}`"
            warning = Diagnostic("unused-name", line.places[0], message, help, severity="warning")
            self.scope.context.findings.append(warning)

    def filled(self, statement: Statement) -> Statement:
        """Return a block's statement with its checked body."""
        if statement.name != "block":
            return statement
        return replace(statement, body=self.bodies.get(statement.words[0], ()))

    def find(self, line: Line) -> Line | None:
        """Return the block that a `do` calls; report unknown names and wrong numbers of values."""
        context, name = self.scope.context, line.words[0]
        block = self.lines.get(name)
        if block is None and name in context.broken:
            return None
        if block is None:
            known = list(self.lines)
            help = did_you_mean(name, known) or "write `block` and its name in a line of its own"
            context.report("unknown-name", line.places[0], f"no block `{name}`", help)
            return None
        if name in self._open:
            circle = " -> ".join([*self._open[self._open.index(name) :], name])
            help = "say what is done again with `repeat`"
            context.report("circle", line.places[0], f"a block inside itself: {circle}", help)
            return None
        wanted = block.words[1:]
        if len(line.values) != len(wanted):
            message = f"`{name}` takes {argument_count(len(wanted))}, found {len(line.values)}"
            context.report("argument-count", line.span, message, _with_values(line, wanted))
            return None
        return block

    def values(self, line: Line) -> tuple[Op, ...]:
        """Check the values passed to a block; their types are those of its first call."""
        scope, name = self.scope, line.words[0]
        nodes = [node for node in line.values if node is not None]
        values = tuple(scope.expressions.infer(node, scope.view()) for node in nodes)
        first = self.types.setdefault(name, tuple(op.type for op in values))
        pairs = zip(values, first, nodes, strict=True)
        return tuple(
            op if type == "error" else scope.expressions.coerce(op, type, node)
            for op, type, node in pairs
        )

    def note_board(self, name: str) -> None:
        """Record the cells and directions that are valid after a block."""
        known = self.scope.variables.items()
        self.on_board[name] = {word: op for word, op in known if op.type in ON_BOARD}

    def leave_board(self, name: str) -> None:
        """Invalidate the variables that a repeated block loses with its board."""
        self.scope.leave_board()
        self.scope.variables |= self.on_board[name]

    @contextmanager
    def inside(self, block: Line) -> Iterator[None]:
        """Open the scope for checking the lines of a block."""
        name, *arguments = block.words
        self._open.append(name)
        with ExitStack() as stack:
            passed = zip(arguments, self.types[name], block.places[1:], strict=True)
            for word, type, place in passed:
                stack.enter_context(self.scope.local(word, type, place))
            yield
        self._open.pop()


def _with_values(line: Line, wanted: tuple[str, ...]) -> str:
    """Suggest a call with the right number of values; missing ones are `0`."""
    values = [value.span.text for value in line.values if value is not None][: len(wanted)]
    shown = ", ".join([*values, *["0"] * (len(wanted) - len(values))])
    write = f"do {line.words[0]}({shown})" if wanted else f"do {line.words[0]}"
    return Suggestion(f"write `{write}`", write, line.span)
