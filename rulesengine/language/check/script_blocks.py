"""Named blocks of a script: what `block` declares, what `do` asks for."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rulesengine.language.check.names import things
from rulesengine.language.check.scope import Scope
from rulesengine.language.check.suggestions import new_name
from rulesengine.language.ir.ops import ON_BOARD, Op
from rulesengine.language.ir.rules import Statement
from rulesengine.language.syntax.script import Line
from rulesengine.support.diagnostic import Diagnostic, Mend, did_you_mean
from rulesengine.support.frozen import replace

Body = tuple[Statement, ...]


class Blocks:
    """The blocks by their names; each is checked where it is done first, with the values there.

    `told` are all that stand by themselves, `types` are those of their arguments from there on,
    `bodies` what has been checked.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.lines: dict[str, Line] = {}
        self.told: list[Line] = []
        self.types: dict[str, tuple[str, ...]] = {}
        self.bodies: dict[str, Body] = {}
        self.on_board: dict[str, dict[str, Op]] = {}
        self._open: list[str] = []

    def declare(self, lines: tuple[Line, ...]) -> None:
        """Note the blocks of a whole script."""
        for line in lines:
            if line.statement != "block":
                continue
            name = line.words[0]
            self.told.append(line)
            if name in self.lines:
                message = f"there are two blocks `{name}`"
                self.scope.context.report("name-taken", line.places[0], message, new_name(name))
            self.lines.setdefault(name, line)

    def check_place(self, line: Line) -> None:
        """Report a block that stands under another line."""
        if not any(line is known for known in self.told):
            message = "a block stands by itself, not under another line"
            help = "start it in the column of the first line of the script"
            self.scope.context.report("indentation", line.span, message, help)

    def report_unused(self, line: Line) -> None:
        """Warn of a block that is never done, whose lines nobody has checked."""
        name = line.words[0]
        if name not in self.bodies and name not in self.scope.context.broken:
            message = f"the block `{name}` is never done"
            help = f"leave it out, or write `do {name}`"
            found = Diagnostic("unused-name", line.places[0], message, help, severity="warning")
            self.scope.context.findings.append(found)

    def filled(self, statement: Statement) -> Statement:
        """A block's statement with the lines that have been checked."""
        if statement.name != "block":
            return statement
        return replace(statement, body=self.bodies.get(statement.words[0], ()))

    def find(self, line: Line) -> Line | None:
        """The block that a `do` asks for, which takes as many values as are given."""
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
            message = f"`{name}` takes {things(len(wanted))}, found {len(line.values)}"
            context.report("argument-count", line.span, message, _with_values(line, wanted))
            return None
        return block

    def values(self, line: Line) -> tuple[Op, ...]:
        """The values that a block is given, of the types that it was given first."""
        scope, name = self.scope, line.words[0]
        nodes = [node for node in line.values if node is not None]
        found = tuple(scope.expressions.infer(node, scope.view()) for node in nodes)
        first = self.types.setdefault(name, tuple(op.type for op in found))
        pairs = zip(found, first, nodes, strict=True)
        return tuple(
            op if type == "error" else scope.expressions.coerce(op, type, node)
            for op, type, node in pairs
        )

    def note_board(self, name: str) -> None:
        """Note which cells and directions have a value when a block has been done."""
        known = self.scope.variables.items()
        self.on_board[name] = {word: op for word, op in known if op.type in ON_BOARD}

    def leave_board(self, name: str) -> None:
        """Let go of what a block that is done once more takes away with its board."""
        self.scope.leave_board()
        self.scope.variables |= self.on_board[name]

    @contextmanager
    def inside(self, block: Line) -> Iterator[None]:
        """The scope in which the lines of a block are checked."""
        name, *arguments = block.words
        self._open.append(name)
        with ExitStack() as stack:
            told = zip(arguments, self.types[name], block.places[1:], strict=True)
            for word, type, place in told:
                stack.enter_context(self.scope.local(word, type, place))
            yield
        self._open.pop()


def _with_values(line: Line, wanted: tuple[str, ...]) -> str:
    """The line with as many values as the block takes; `0` for those missing."""
    given = [value.span.text for value in line.values if value is not None][: len(wanted)]
    shown = ", ".join([*given, *["0"] * (len(wanted) - len(given))])
    write = f"do {line.words[0]}({shown})" if wanted else f"do {line.words[0]}"
    return Mend(f"write `{write}`", write, line.span)
