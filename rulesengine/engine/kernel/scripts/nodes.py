"""Kernel code of single nodes of a script's flow: statements, tests, calls and loops."""

from collections.abc import Callable

from rulesengine.engine.kernel.scripts import statements
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.flow import Flow, Node, fixed_text
from rulesengine.engine.kernel.scripts.layout import ENDED
from rulesengine.engine.kernel.scripts.words import match, read_word
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Statement
from rulesengine.support.limits import INTEGER_MAX

Continuation = Callable[[], None]


class NodeEmitter:
    """The code of the nodes of one script."""

    def __init__(self, code: ScriptCode) -> None:
        self.code, self.b = code, code.ctx.b
        self.flow: Flow = code.flow

    def emit(
        self,
        node: Node,
        then: Continuation,
        other: Continuation,
        go: Callable[[int], None] = lambda target: None,
    ) -> None:
        """Emit a node that goes on with `then`, `other` or another node."""
        code, b = self.code, self.b
        match node.kind:
            case "do":
                failing = other if node.target >= 0 else code.leave
                statements.emit(code, node.statement, then, failing)
            case "test":
                b.when(code.value(node.statement.operands[0]), then, other)
            case "jump":
                other()
            case "stop":
                code.leave(status=ENDED)
            case "arm":
                code.set("armed", node.target)
                then()
            case "match":
                self._match(node, go)
            case "call":
                self._call(node, other)
            case "back":
                self._back(node)
            case "until":
                b.when(code.value(node.statement.operands[-2]), other, then)
            case "separate":
                self._separate(node)
                then()
            case "enter":
                self._enter(node)
                then()
            case "round":
                self._round(node, then, other)
            case "close":
                self._close(node)
                then()

    def _match(self, node: Node, go: Callable[[int], None]) -> None:
        if node.statement.name != "command":
            raise Unsupported("commands of whole lines")
        code = self.code
        start, size = read_word(code)
        cases = list(zip(node.statement.body, node.targets, strict=True))

        def match_cases(left: list[tuple[Statement, int]]) -> None:
            if not left:
                go(node.target)
                return
            (case, target), *rest = left
            match(code, case.words, start, size, lambda: go(target), lambda: match_cases(rest))

        match_cases(cases)

    def _call(self, node: Node, other: Continuation) -> None:
        code, (_, *names) = self.code, node.statement.words
        if any(
            isinstance(op, Op) and op.type in ("text", "numbers", "texts")
            for op in node.statement.operands
        ):
            raise Unsupported("a text as an argument")
        values = [code.value(op) for op in node.statement.operands]
        for name in names:
            code.leave_if(self.b.op("ieq", code.get(f"has.{name}"), self.b.i(1)))
        for name, value in zip(names, values, strict=True):
            code.assign(name, value)
        code.set(f"back.{node.loop}", code.current + 1)
        code.set("pc", node.target)

    def _back(self, node: Node) -> None:
        code = self.code
        code.leave_if(self.b.op("ieq", code.get(f"kept.{node.loop}"), self.b.i(1)))
        for name in self._arguments(node.loop):
            code.set(f"has.{name}", 0)
        code.set("pc", code.get(f"back.{node.loop}"))

    def _arguments(self, number: int) -> list[str]:
        """Return the names of the arguments of a block that are fields."""
        known = dict(self.code.layout.variables)
        calls = (n.statement for n in self.flow.nodes if n.kind == "call" and n.loop == number)
        names = {name for call in calls for name in call.words[1:]}
        if not names <= known.keys():
            raise Unsupported("arguments that are no fields")
        return sorted(names)

    def _separate(self, node: Node) -> None:
        code, b = self.code, self.b
        if fixed_text(node.statement.operands[-1]) is None:
            raise Unsupported("a separator that varies")
        shown = b.op("ilt", code.get(f"shown.{node.loop}"), code.get("printed"))
        number = b.i(self.flow.nodes.index(node))
        code.set("separator", b.op("pick", shown, number, code.get("separator")))

    def _enter(self, node: Node) -> None:
        code, b, statement = self.code, self.b, node.statement
        loop, name = node.loop, statement.words[0] if statement.words else ""
        if name:
            self._require_field(name)
            code.leave_if(b.op("ieq", code.get(f"has.{name}"), b.i(1)))
        match statement.name, statement.words[1:]:
            case "repeat_from", _:
                low, high = (code.number(op) for op in statement.operands[:2])
                code.set(f"left.{loop}", low)
                code.set(f"last.{loop}", high)
            case "repeat_in", ("cells",) if len(statement.operands) == 3:
                code.set(f"rest.{loop}", code.value(statement.operands[0]))
            case "repeat_in", ("sides",) if len(statement.operands) == 3:
                code.set(f"left.{loop}", 0)
                code.set(f"last.{loop}", b.op("isub", code.number(statement.operands[0]), b.i(1)))
            case "repeat", _:
                times = statement.operands[0]
                code.set(f"left.{loop}", 0)
                last = INTEGER_MAX - 1
                if times is not None:
                    rounds = b.op("imax", code.number(times), b.i(0))
                    code.set(f"last.{loop}", b.op("isub", rounds, b.i(1)))
                else:
                    code.set(f"last.{loop}", last)
            case _:
                raise Unsupported("a loop over other values")
        code.set(f"shown.{loop}", code.get("printed"))
        code.set(f"outer.{loop}", 0)

    def _require_field(self, name: str) -> None:
        if dict(self.code.layout.variables).get(name) not in ("number", "cells"):
            raise Unsupported(f"the variable `{name}`")

    def _round(self, node: Node, then: Continuation, other: Continuation) -> None:
        code, b, statement = self.code, self.b, node.statement
        loop, name = node.loop, statement.words[0] if statement.words else ""
        is_cells = statement.name == "repeat_in" and statement.words[1] == "cells"
        if statement.name == "repeat_in" and (
            statement.words[1] not in ("cells", "sides") or len(statement.operands) != 3
        ):
            raise Unsupported("a loop over other values")
        rest, left = code.get(f"rest.{loop}"), code.get(f"left.{loop}")
        more = b.op("many", rest) if is_cells else b.op("ile", left, code.get(f"last.{loop}"))

        def begin() -> None:
            counted = statement.name != "repeat" or statement.operands[0] is not None
            idle = b.op("iadd", code.get("idle"), b.i(1))
            most = b.op("imul", code.get("patience"), b.i(2 if counted else 1))
            code.leave_if(b.op("ilt", most, idle))
            code.set("idle", idle)
            if is_cells:
                cell = b.op("mfirst", rest)
                code.assign(name, cell)
                code.set(f"rest.{loop}", b.op("mless", rest, b.op("mcell", cell)))
            else:
                if name:
                    code.assign(name, left)
                code.set(f"left.{loop}", b.op("iadd", left, b.i(1)))
            then()

        b.when(more, begin, other)

    def _close(self, node: Node) -> None:
        code, b, loop = self.code, self.b, node.loop
        if node.statement.words:
            self._require_field(node.statement.words[0])
            code.leave_if(b.op("ieq", code.get(f"outer.{loop}"), b.i(1)))
            code.set(f"has.{node.statement.words[0]}", 0)
        shown = b.op("ilt", code.get(f"shown.{loop}"), code.get("printed"))
        code.set("separator", b.op("pick", shown, b.i(-1), code.get("separator")))
