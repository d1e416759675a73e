"""The entry point of a script: a loop over the nodes of its flow, in memory of the caller."""

from collections import Counter
from collections.abc import Callable, Sequence
from types import MappingProxyType

from rulesengine.engine.interpreter import DECIDED
from rulesengine.engine.interpreter.machine import Interpreter
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit import outcomes
from rulesengine.engine.kernel.emit.context import Context, Emission
from rulesengine.engine.kernel.emit.move_list import new_lists
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.scripts import statements
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.flow import Node, fixed_text, flow_of
from rulesengine.engine.kernel.scripts.layout import ENDED, FULL, OUTPUT, PAUSED, layout_of
from rulesengine.engine.kernel.scripts.layout import statements as all_statements
from rulesengine.engine.kernel.scripts.words import match, read_word
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import reads_role
from rulesengine.language.ir.rules import Statement, operations
from rulesengine.state import GOES_ON
from rulesengine.support.limits import INTEGER_MAX

_DEEPEST = 12  # nested blocks of code
ENTRY = "script"

Then = Callable[[], None]


def script_entry(ctx: Context, machine: Interpreter) -> None:
    """Emit script(memory): run as far as possible; the result is an exit code.

    Raises Unsupported for a game whose states do not fit into memory.
    """
    if ctx.layout.history or not ctx.rules.script:
        raise Unsupported("a script of a game with a history")
    flow = flow_of(ctx.rules.script)
    layout = layout_of(machine.program, flow)
    b = ctx.b
    with b.function(ENTRY, ("a",), ("i",), entry=True) as (memory,):
        new_lists(ctx)
        fields = {}
        for name, type in layout.fields:
            offset = b.i(layout.offsets[name])
            if type == "m":
                fields[name] = b.let(b.read("load_set", memory, offset))
            else:
                fields[name] = b.let(b.op("usign", b.read("load64", memory, offset)))
        code = ScriptCode(
            ctx, flow, layout, memory, fields, b.let(b.i(PAUSED)), _starts(ctx, machine),
            any(node.kind == "separate" for node in flow.nodes),
            any(node.statement.name == "forfeit" for node in flow.nodes),
        )  # fmt: skip
        code.held["records"] = _reads_records(ctx.rules.script)
        b.loop(_Dispatch(code).once)
        for name, type in layout.fields:
            offset, value = b.i(layout.offsets[name]), code.get(name)
            if type == "m":
                b.write("store_set", memory, offset, value)
            else:
                b.write("store64", memory, offset, b.op("ubits", value))
        b.emit_return(b.get(code.status))


def script_table() -> MappingProxyType[str, Emission]:
    """Return the table of operations, where a forfeit of the script overrides the outcome."""
    own = {"over": _over, "winner": _winner, "drawn": _emit_is_drawn}
    return MappingProxyType({**EMIT, **own})


def _over(ctx: Context, op: Op, scene: Environment) -> Value:
    rules = outcomes.op_over(ctx, op, scene)
    if DECIDED not in scene.variables:
        return rules
    forfeit = ctx.b.op("fnot", ctx.b.op("ieq", scene.variables[DECIDED], ctx.b.i(GOES_ON)))
    return ctx.b.op("for", forfeit, rules)


def _winner(ctx: Context, op: Op, scene: Environment) -> Value:
    if DECIDED not in scene.variables:
        return outcomes.op_winner(ctx, op, scene)
    decided = scene.variables[DECIDED]
    goes_on = ctx.b.op("ieq", decided, ctx.b.i(GOES_ON))
    return ctx.b.choose(goes_on, lambda: outcomes.op_winner(ctx, op, scene), lambda: decided)


def _emit_is_drawn(ctx: Context, op: Op, scene: Environment) -> Value:
    if DECIDED not in scene.variables:
        return outcomes.op_drawn(ctx, op, scene)
    decided = scene.variables[DECIDED]
    goes_on = ctx.b.op("ieq", decided, ctx.b.i(GOES_ON))
    none = lambda: ctx.b.op("ieq", decided, ctx.b.i(-1))  # noqa: E731
    return ctx.b.choose(goes_on, lambda: outcomes.op_drawn(ctx, op, scene), none)


def _starts(ctx: Context, machine: Interpreter) -> tuple[int, ...]:
    """Return the values of the initial position. Raises Unsupported."""
    state = machine.initial_state()
    planes = [state.planes[number] for number in ctx.layout.planes]
    if any(mask and i not in ctx.layout.planes for i, mask in enumerate(state.planes)):
        raise Unsupported("a piece without a symbol")
    seats = (int(bool(state.seats)),) if ctx.layout.seats else ()
    return (*planes, state.side, *state.registers, *seats)


def _reads_records(script: tuple[Statement, ...]) -> bool:
    """True if a script reads the record of the last move, outside conditions on moves."""
    own = ("play_where", "print_moves", "prompt_moves")
    ops = (
        op
        for statement in all_statements(script)
        if statement.name not in own
        for op in operations((statement.operands,))
    )
    return any(reads_role(op, "record") for op in ops)


def _begins(node: Node) -> bool:
    """True if a round may begin at a node: for loops, and where the script may wait for input."""
    reads = node.kind == "do" and node.statement.name.startswith("read_")
    return reads or node.kind in ("round", "back", "match")


class _Dispatch:
    """The code of one round of the loop: the nodes from the current one to the next jump."""

    def __init__(self, code: ScriptCode) -> None:
        self.code, self.b, self.flow = code, code.ctx.b, code.flow
        self.bounds: dict[int, int] = {}
        self.leaders: frozenset[int] = frozenset()

    def once(self) -> None:
        for at, node in enumerate(self.flow.nodes):
            bound = self._emit_node(at, node)
            if bound is not None:
                self.bounds[at] = bound
        self.leaders = self._leaders()
        self._branch(sorted(self.leaders), self.code.get("pc"))

    def _emit_node(self, at: int, node: Node) -> int | None:
        """Return the output bound of a node; None if it has no code. The code is dropped."""
        code, functions = self.code, self.b.module.functions
        before, lists, listed = dict(functions), code.ctx.lists, code.ctx.listed
        code.current, code.bound, code.here, code.saved = at, 0, None, {}
        try:
            self.b.inside(lambda: self._node(node, lambda: None, lambda: None))
            return code.bound
        except Unsupported:
            functions.clear()
            functions.update(before)
            code.ctx.open_functions.clear()
            code.ctx.lists, code.ctx.listed = lists, listed
            return None
        finally:
            code.here = None

    def _leaders(self) -> frozenset[int]:
        """Return the nodes where a round may begin."""
        edges: Counter[int] = Counter()
        for at, node in enumerate(self.flow.nodes):
            weight = 1 if at in self.bounds else 2
            if node.kind == "call":
                edges[at + 1] += 2
                edges[node.target] += 2
            elif node.kind == "match":
                edges.update([*node.targets, node.target])
                for target in (*node.targets, node.target):
                    edges[target] += weight - 1
            else:
                if node.kind not in ("jump", "stop", "back"):
                    edges[at + 1] += weight
                if node.target >= 0:
                    edges[node.target] += 2 if node.kind in ("arm",) else weight
        loops = {at for at, node in enumerate(self.flow.nodes) if _begins(node)}
        heads = {at for at in edges if edges[at] > 1} | loops | {0}
        return frozenset(at for at in heads if at < len(self.flow.nodes))

    def _branch(self, leaders: Sequence[int], pc: Value) -> None:
        if len(leaders) == 1:
            right = self.b.op("ieq", pc, self.b.i(leaders[0]))
            other = lambda: self.code.leave_at(pc)  # noqa: E731
            self.b.when(right, lambda: self._chain_from(leaders[0]), other, odds="always")
            return
        middle = len(leaders) // 2
        self.b.when(
            self.b.op("ilt", pc, self.b.i(leaders[middle])),
            lambda: self._branch(leaders[:middle], pc),
            lambda: self._branch(leaders[middle:], pc),
        )

    def _chain_from(self, leader: int) -> None:
        """Emit the nodes from a leader on, after a test of the budget and of the output."""
        b, code = self.b, self.code
        code.here, code.saved = None, {}
        if leader not in self.bounds:
            code.leave(leader)
            return
        left = b.op("isub", code.get("budget"), b.i(1))
        code.set("budget", left)
        b.when(b.op("ilt", left, b.i(0)), lambda: code.leave(leader, PAUSED), odds="never")
        bound = self._bound(leader, frozenset())
        if bound:
            room = code.layout.output + OUTPUT - bound
            full = b.op("ilt", b.i(room), code.get("out"))
            b.when(full, lambda: code.leave(leader, FULL), odds="never")
        self._chain(leader, 0)

    def _bound(self, at: int, seen: frozenset[int]) -> int:
        """Return the greatest number of bytes that a chain may print."""
        if at in seen or (seen and at in self.leaders) or at not in self.bounds:
            return 0
        node, seen = self.flow.nodes[at], seen | {at}
        following = [node.target, *node.targets]
        if node.kind not in ("jump", "stop", "back", "call"):
            following.append(at + 1)
        return self.bounds[at] + max((self._bound(n, seen) for n in following if n >= 0), default=0)

    def _chain(self, at: int, depth: int) -> None:
        """Emit a node and those that follow it in the same round."""
        code, node = self.code, self.flow.nodes[at]
        if at not in self.bounds:
            code.saved = {}
            code.leave(at)
            return
        code.current, code.saved = at, {}
        if node.kind in ("do", "match"):
            code.save()

        def go(target: int) -> None:
            here, saved = code.here, code.saved
            if target in self.leaders or depth > _DEEPEST:
                code.set("pc", target)
            else:
                self._chain(target, depth + 1)
            code.current, code.here, code.saved = at, here, saved

        self._node(node, lambda: go(at + 1), lambda: go(node.target), go)

    def _node(
        self,
        node: Node,
        then: Then,
        other: Then,
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

        def look(left: list[tuple[Statement, int]]) -> None:
            if not left:
                go(node.target)
                return
            (case, target), *rest = left
            match(code, case.words, start, size, lambda: go(target), lambda: look(rest))

        look(cases)

    def _call(self, node: Node, other: Then) -> None:
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

    def _round(self, node: Node, then: Then, other: Then) -> None:
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
