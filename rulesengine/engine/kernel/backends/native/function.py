"""Emit the functions of a module as LLVM functions: nested blocks become basic blocks."""

from collections.abc import Callable, Mapping

from rulesengine.engine.kernel.backends.native import caller_memory, memory, numbers
from rulesengine.engine.kernel.backends.native.call_graph import CallGraph
from rulesengine.engine.kernel.backends.native.layout import Layout, padded
from rulesengine.engine.kernel.backends.native.memory import ContextRecord
from rulesengine.engine.kernel.backends.native.text import Body, Pool
from rulesengine.engine.kernel.code.form import (
    MEMORY,
    PURE,
    Function,
    Instr,
    Rays,
    Relation,
    RowPattern,
    Runs,
    Slots,
    Table,
    Value,
    Var,
    Window,
)
from rulesengine.errors import InternalError

# Functions are aligned to cache lines of this many bytes, or the alignment of their loops would
# depend on the functions before them.
_LINE = 64
_LONG = 100  # instructions of a fill that costs more than the call of a function
_NUMBERS = frozenset({"i", "u", "h"})


class Emitter:
    """An emitter of one function; `statements` has an emitting function for each statement."""

    def __init__(
        self,
        function: Function,
        layout: Layout,
        record: ContextRecord,
        traits: CallGraph,
        pool: Pool,
        statements: "Statements",
    ) -> None:
        self.statements = statements
        self.function, self.layout, self.record, self.traits = function, layout, record, traits
        self.body = Body(pool)
        self.names = {value: f"%p{i}" for i, value in enumerate(function.params)}
        self.slots: dict[Var, str] = {}
        self.places: dict[Slots, str] = {}
        self.ends: list[str] = []

    def text(self) -> str:
        params = ", ".join(
            ["ptr %ctx", *(f"{self.type(v.type)} {self.names[v]}" for v in self.names)]
        )
        if self.function.name in self.traits.recursive:
            self._guard_stack()
        self.block(self.function.body)
        if self.body.open:
            self.return_zeros()
        head = (
            f"define internal fastcc {self.result_type(self.function)} {symbol(self.function.name)}"
        )
        attributes = "noinline nounwind" if self.function.apart else "nounwind"
        return f"{head}({params}) {attributes} align {_LINE} {{\n{self.body.text()}\n}}"

    def _guard_stack(self) -> None:
        """Fail if recursion would overflow the stack; do not recurse after a failure."""
        b = self.body
        # A GPU has no frame address, but its stack slots have addresses.
        frame = b.slot("i64") if self.layout.target.is_gpu else self._frame_address()
        foot = b.let(f"load i64, ptr {memory.at(b, memory.FOOT)}, align 8")
        deep = b.let(f"icmp ult i64 {b.let(f'ptrtoint ptr {frame} to i64')}, {foot}")
        full, on = b.fresh("full"), b.fresh("on")
        b.branch(b.let(f"or i1 {deep}, {self.failed()}"), full, on, "never")
        b.block(full)
        numbers.fail(b)
        self.return_zeros()
        b.block(on)

    def _frame_address(self) -> str:
        return self.body.call("ptr", "llvm.frameaddress.p0", ("i32", "0"))

    # types and operands

    def type(self, type: str) -> str:
        return type_of(type, self.layout)

    def zero(self, type: str) -> str:
        if type == "m":
            return self.layout.const(0)
        return {"f": "false", "b": "null", "a": "null"}.get(type, "0")

    def result_type(self, function: Function) -> str:
        types = [self.type(t) for t in function.results]
        if len(types) == 1:
            return types[0]
        return f"{{ {', '.join(types)} }}" if types else "void"

    def operand(self, value: Value | Var | Slots) -> str:
        if not isinstance(value, Value):
            raise InternalError("a variable is no operand")
        if value.constant is None:
            return self.names[value]
        if value.type == "m":
            return self.layout.const(value.constant)
        if value.type == "f":
            return "true" if value.constant else "false"
        return "null" if value.type == "b" else str(_signed(value.constant))

    def operands(self, instr: Instr) -> list[str]:
        return [self.operand(arg) for arg in instr.args]

    def bind(self, instr: Instr, name: str) -> None:
        out = instr.out[0]
        if isinstance(out, Value):
            self.names[out] = name

    # blocks

    def block(self, instrs: list[Instr], last: Callable[[Instr], None] | None = None) -> None:
        """Emit the instructions of a block; `last` may replace the emission of the last one."""
        outer = self.body.facts
        self.body.facts = outer.new_child()
        for instr in instrs:
            self.body.ready()
            if last and instr is instrs[-1]:
                last(instr)
            elif instr.op in PURE:
                self.bind(instr, self._pure(instr))
            elif instr.op in MEMORY:
                self._memory(instr)
            else:
                self.statements[instr.op](self, instr)
        self.body.facts = outer

    def _pure(self, instr: Instr) -> str:
        b, args = self.body, self.operands(instr)
        match instr.op, instr.detail:
            case "pick", _ if instr.args[1].type == "m":
                return self.layout.select(b, *args)
            case "pick", _:
                type = self.type(instr.args[1].type)
                return b.let(f"select i1 {args[0]}, {type} {args[1]}, {type} {args[2]}")
            case (("ilook" | "mlook"), Table() as table):
                return self._table_entry(table, args[0])
            case "mmove", Relation() as moves:
                return self.layout.move(b, args[0], moves)
            case "mtake", int() as most:
                return self.layout.take(b, args[0], args[1], most)
            case "mstep", Relation() as moves:
                return self.layout.step(b, args[0], moves)
            case "mfill", Relation() as moves:
                return self._fill(moves, *args)
            case "mgather", Window() as window:
                return self.layout.gather(b, args[0], window.cells)
            case "mrow", RowPattern() as row:
                return self.layout.row_in(b, args[0], row)
            case "mtoward", Runs() as runs:
                return self.layout.toward(b, runs, *args)
            case "mbetween", Rays() as rays:
                return self.layout.between(b, rays, *args)
            case "mslide", Rays() as rays:
                return self.layout.slide(b, rays, *args)
            case "ufoldm", _:
                return self._fold(args[0], args[1])
        if instr.op.startswith("m"):
            return self.layout.emit(b, instr.op, args)
        return numbers.emit(b, instr.op, args)

    def _fill(self, moves: Relation, start: str, within: str) -> str:
        """Emit a fill; if it is long, as a function that all fills by this relation call."""
        b, fills, type = self.body, self.body.pool.fills, self.layout.type
        if moves not in fills:
            inner = Body(b.pool)
            inner.end(f"ret {type} {self.layout.fill(inner, '%start', '%within', moves)}")
            name = fills[moves] = f"@h.fill{len(fills)}" if len(inner.lines) >= _LONG else ""
            if name:
                head = f"define internal fastcc {type} {name}({type} %start, {type} %within)"
                b.pool.helpers[name] = f"{head} nounwind align {_LINE} {{\n{inner.text()}\n}}"
        if not fills[moves]:
            return self.layout.fill(b, start, within, moves)
        return b.let(f"call fastcc {type} {fills[moves]}({type} {start}, {type} {within})")

    def _table_entry(self, table: Table, index: str) -> str:
        b = self.body
        if table.type == "m":
            return self.layout.table_entry(b, self.layout.table(b, list(table.items)), index)
        items = padded([str(item) for item in table.items], "0")
        name = b.pool.table("i64", items)
        inside = b.let(f"and i64 {index}, {len(items) - 1}")
        return b.let(f"load i64, ptr {b.let(f'getelementptr i64, ptr {name}, i64 {inside}')}")

    def _fold(self, total: str, cells: str) -> str:
        b, words = self.body, self.layout.words
        b.pool.helper("@h.mix", numbers.mix_text)
        name = b.pool.helper("@h.fold", numbers.fold_text)
        slot = b.slot(f"[{words} x i64]", 64)
        self.layout.store(b, cells, slot)
        return b.let(f"call fastcc i64 {name}(i64 {total}, ptr {slot}, i64 {words})")

    def _memory(self, instr: Instr) -> None:
        op, args, b = instr.op, self.operands(instr), self.body
        if isinstance(instr.detail, Table):
            words = instr.detail.items
            caller_memory.store_text(
                b, self.failed() if self.traits.runs_after_failure else "", args, words
            )
            return
        failed = self.failed() if self.traits.runs_after_failure else "false"
        if op == "poll":
            caller_memory.poll(b, failed, args, self.return_zeros)
            return
        if op.endswith("_set"):
            result = self._set_in_memory(op, args, failed)
        elif self.traits.runs_after_failure:
            result = caller_memory.emit_unless(b, failed, op, args)
        else:
            result = caller_memory.emit(b, op, args)
        if instr.out:
            self.bind(instr, result)

    def _set_in_memory(self, op: str, args: list[str], failed: str) -> str:
        """Emit a load or store of a set; after a failure it uses a local slot, not the memory."""
        b, layout = self.body, self.layout
        slot = b.slot(f"[{layout.words} x i64]", 64)
        place = caller_memory.address_of(b, args)
        there = b.let(f"select i1 {failed}, ptr {slot}, ptr {place}")
        if op == "load_set":
            return layout.load(b, there)
        layout.store(b, args[2], there)
        return ""

    # statements

    def failed(self) -> str:
        return memory.has_failed(self.body)

    def leave(self, values: list[str]) -> str:
        """Return the instruction that returns values."""
        types = [self.type(t) for t in self.function.results]
        if len(types) < 2:
            return f"ret {types[0]} {values[0]}" if types else "ret void"
        struct_type = f"{{ {', '.join(types)} }}"
        result = "poison"
        for i, (type, value) in enumerate(zip(types, values, strict=True)):
            result = self.body.let(f"insertvalue {struct_type} {result}, {type} {value}, {i}")
        return f"ret {struct_type} {result}"

    def return_zeros(self) -> None:
        """Return zeros from a function that has failed."""
        self.body.end(self.leave([self.zero(t) for t in self.function.results]))


def type_of(type: str, layout: Layout) -> str:
    """Return the LLVM type of a type of kernel code."""
    if type in _NUMBERS:
        return "i64"
    return {"f": "i1", "b": "ptr", "a": "ptr", "m": layout.type}[type]


def symbol(name: str) -> str:
    """Return the LLVM symbol of a function."""
    return f'@"f.{name}"'


def _signed(value: int) -> int:
    """Return a 64-bit number in LLVM's signed notation."""
    value &= 2**64 - 1
    return value - 2**64 if value >> 63 else value


Statements = Mapping[str, Callable[[Emitter, Instr], None]]
