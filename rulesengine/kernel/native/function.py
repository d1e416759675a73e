"""The functions of a module as functions of LLVM: nested blocks become basic blocks."""

from types import MappingProxyType

from rulesengine.errors import InternalError
from rulesengine.kernel.code import (
    MEMORY,
    PURE,
    Function,
    InRow,
    Instr,
    Moves,
    Rays,
    Runs,
    Slots,
    Table,
    Value,
    Var,
)
from rulesengine.kernel.native import history, memory, numbers, shared
from rulesengine.kernel.native.layout import Layout, padded
from rulesengine.kernel.native.memory import Record
from rulesengine.kernel.native.text import Body, Pool
from rulesengine.kernel.native.traits import Traits

_RAYS = MappingProxyType({"mbetween": "between", "mslide": "slide"})
_NUMBERS = frozenset({"i", "u", "h"})


class Emitter:
    """Writes one function."""

    def __init__(
        self, function: Function, layout: Layout, record: Record, traits: Traits, pool: Pool
    ) -> None:
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
            self.body.end(self._leave([self.zero(t) for t in self.function.results]))
        head = (
            f"define internal fastcc {self.result_type(self.function)} {symbol(self.function.name)}"
        )
        attributes = "noinline nounwind" if self.function.apart else "nounwind"
        return f"{head}({params}) {attributes} {{\n{self.body.text()}\n}}"

    def _guard_stack(self) -> None:
        """Fail where recursion would use up the stack, and go no deeper after a failure."""
        b = self.body
        here = b.call("ptr", "llvm.frameaddress.p0", ("i32", "0"))
        foot = b.let(f"load i64, ptr {memory.at(b, memory.FOOT)}, align 8")
        deep = b.let(f"icmp ult i64 {b.let(f'ptrtoint ptr {here} to i64')}, {foot}")
        full, on = b.fresh("full"), b.fresh("on")
        b.branch(b.let(f"or i1 {deep}, {self._failed()}"), full, on)
        b.block(full)
        numbers.fail(b)
        b.end(self._leave([self.zero(t) for t in self.function.results]))
        b.block(on)

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
        if value.known is None:
            return self.names[value]
        if value.type == "m":
            return self.layout.const(value.known)
        if value.type == "f":
            return "true" if value.known else "false"
        return "null" if value.type == "b" else str(_signed(value.known))

    def operands(self, instr: Instr) -> list[str]:
        return [self.operand(arg) for arg in instr.args]

    def bind(self, instr: Instr, name: str) -> None:
        out = instr.out[0]
        if isinstance(out, Value):
            self.names[out] = name

    # blocks

    def block(self, instrs: list[Instr]) -> None:
        outer = self.body.known
        self.body.known = outer.new_child()
        for instr in instrs:
            self.body.ready()
            if instr.op in PURE:
                self.bind(instr, self._pure(instr))
            elif instr.op in MEMORY:
                self._memory(instr)
            else:
                getattr(self, f"do_{instr.op}")(instr)
        self.body.known = outer

    def _pure(self, instr: Instr) -> str:
        b, args = self.body, self.operands(instr)
        match instr.op, instr.detail:
            case "pick", _:
                type = self.type(instr.args[1].type)
                return b.let(f"select i1 {args[0]}, {type} {args[1]}, {type} {args[2]}")
            case (("ilook" | "mlook"), Table() as table):
                return self._look(table, args[0])
            case "mmove", Moves() as moves:
                return self.layout.move(b, args[0], moves)
            case "mtake", int() as most:
                return self.layout.take(b, args[0], args[1], most)
            case "mstep", Moves() as moves:
                return self.layout.step(b, args[0], moves)
            case "mfill", Moves() as moves:
                return self.layout.fill(b, args[0], args[1], moves)
            case "mrow", InRow() as row:
                return self.layout.row_in(b, args[0], row)
            case "mtoward", Runs() as runs:
                return self.layout.toward(b, runs, *args)
            case name, Rays() as rays:
                return str(getattr(self.layout, _RAYS[name])(b, rays, *args))
            case "ufoldm", _:
                return self._fold(args[0], args[1])
        if instr.op.startswith("m"):
            return self.layout.emit(b, instr.op, args)
        return numbers.emit(b, instr.op, args)

    def _look(self, table: Table, index: str) -> str:
        b = self.body
        if table.type == "m":
            return self.layout.look(b, self.layout.table(b, list(table.items)), index)
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
        op, args = instr.op, self.operands(instr)
        if self.traits.failing:
            found = shared.emit_unless(self.body, self._failed(), op, args)
        else:
            found = shared.emit(self.body, op, args)
        if instr.out:
            self.bind(instr, found)

    # statements

    def do_note(self, instr: Instr) -> None:
        pass

    def do_let(self, instr: Instr) -> None:
        var = instr.out[0]
        if isinstance(var, Var):
            self.slots[var] = self.body.slot(self.type(var.type))
            self._store(var, self.operand(instr.args[0]))

    def do_set(self, instr: Instr) -> None:
        var = instr.args[0]
        if isinstance(var, Var):
            self._store(var, self.operand(instr.args[1]))

    def _store(self, var: Var, value: str) -> None:
        self.body.do(f"store {self.type(var.type)} {value}, ptr {self.slots[var]}")

    def do_get(self, instr: Instr) -> None:
        var = instr.args[0]
        if isinstance(var, Var):
            type = self.type(var.type)
            self.bind(instr, self.body.let(f"load {type}, ptr {self.slots[var]}"))

    def do_slots(self, instr: Instr) -> None:
        slots = instr.out[0]
        if not isinstance(slots, Slots):
            return
        type = self.type(slots.type)
        self.places[slots] = self.body.slot(f"[{slots.count} x {type}]", 64)
        init = self.operand(instr.args[0])
        for i in range(slots.count):
            place = self._place(slots, str(i))
            self.body.do(f"store {type} {init}, ptr {place}")

    def do_fetch(self, instr: Instr) -> None:
        slots = instr.args[0]
        if isinstance(slots, Slots):
            place = self._place(slots, self.operand(instr.args[1]))
            self.bind(instr, self.body.let(f"load {self.type(slots.type)}, ptr {place}"))

    def do_store(self, instr: Instr) -> None:
        slots = instr.args[0]
        if isinstance(slots, Slots):
            place = self._place(slots, self.operand(instr.args[1]))
            value = self.operand(instr.args[2])
            self.body.do(f"store {self.type(slots.type)} {value}, ptr {place}")

    def _place(self, slots: Slots, index: str) -> str:
        """The address of one of the slots."""
        type = f"[{slots.count} x {self.type(slots.type)}]"
        return self.body.let(f"getelementptr {type}, ptr {self.places[slots]}, i64 0, i64 {index}")

    def do_if(self, instr: Instr) -> None:
        b = self.body
        then, other, end = b.fresh("then"), b.fresh("else"), b.fresh("endif")
        b.branch(self.operand(instr.args[0]), then, other)
        for label, block in zip((then, other), instr.blocks, strict=True):
            b.block(label)
            self.block(block)
            if b.open:
                b.jump(end)
        b.block(end)

    def do_loop(self, instr: Instr) -> None:
        b = self.body
        head, end = b.fresh("loop"), b.fresh("left")
        b.block(head)
        self._inside(instr, head, end)
        b.block(end)

    def do_bits(self, instr: Instr) -> None:
        def inside(cell: str, following: str, end: str) -> None:
            self.bind(instr, cell)
            self._inside(instr, following, end)

        self.layout.bits(self.body, self.operand(instr.args[0]), inside)

    def do_range(self, instr: Instr) -> None:
        b, (low, high) = self.body, self.operands(instr)
        head, body, latch, end = (b.fresh(s) for s in ("range", "each", "next", "done"))
        before, number, after = b.label, f"%{b.fresh('number')}", f"%{b.fresh('after')}"
        b.block(head)
        b.do(f"{number} = phi i64 [ {low}, %{before} ], [ {after}, %{latch} ]")
        b.branch(b.let(f"icmp slt i64 {number}, {high}"), body, end)
        b.block(body)
        self.bind(instr, number)
        self._inside(instr, latch, end)
        b.block(latch)
        b.do(f"{after} = add i64 {number}, 1")
        b.jump(head)
        b.block(end)

    def _inside(self, instr: Instr, following: str, end: str) -> None:
        """The body of a loop, which is left early once something has failed."""
        self.ends.append(end)
        self.block(instr.blocks[0])
        self.ends.pop()
        if self.body.open and self.traits.may_fail(instr.blocks[0]):
            self.body.branch(self._failed(), end, following)
        elif self.body.open:
            self.body.jump(following)

    def _failed(self) -> str:
        flag = self.body.let("load i64, ptr %ctx, align 8")
        return self.body.let(f"icmp ne i64 {flag}, 0")

    def do_break(self, instr: Instr) -> None:
        self.body.jump(self.ends[-1])

    def do_fail(self, instr: Instr) -> None:
        numbers.fail(self.body)

    def do_return(self, instr: Instr) -> None:
        self.body.end(self._leave(self.operands(instr)))

    def _leave(self, values: list[str]) -> str:
        """The instruction that returns values."""
        types = [self.type(t) for t in self.function.results]
        if len(types) < 2:
            return f"ret {types[0]} {values[0]}" if types else "ret void"
        whole = f"{{ {', '.join(types)} }}"
        result = "poison"
        for i, (type, value) in enumerate(zip(types, values, strict=True)):
            result = self.body.let(f"insertvalue {whole} {result}, {type} {value}, {i}")
        return f"ret {whole} {result}"

    def do_call(self, instr: Instr) -> None:
        b = self.body
        callee = self.traits.functions[str(instr.detail)]
        args = [f"{self.type(a.type)} {self.operand(a)}" for a in instr.args]
        type = self.result_type(callee)
        call = f"call fastcc {type} {symbol(callee.name)}({', '.join(['ptr %ctx', *args])})"
        if not callee.results:
            b.do(call)
            return
        result = b.let(call)
        for i, out in enumerate(instr.out):
            alone = len(instr.out) == 1
            name = result if alone else b.let(f"extractvalue {type} {result}, {i}")
            if isinstance(out, Value):
                self.names[out] = name

    # lists, history and the mark

    def do_list(self, instr: Instr) -> None:
        number = instr.detail if isinstance(instr.detail, int) else 0
        place = memory.at(self.body, self.record.first_list + number * self.record.list_size)
        self.body.do(f"store i64 0, ptr {place}, align 8, !tbaa !1")
        self.bind(instr, place)

    def do_push(self, instr: Instr) -> None:
        memory.push(self.body, self.record, *self.operands(instr))

    def do_size(self, instr: Instr) -> None:
        self.bind(instr, memory.size(self.body, *self.operands(instr)))

    def do_item(self, instr: Instr) -> None:
        self.bind(instr, memory.item(self.body, self.record, *self.operands(instr)))

    def do_cut(self, instr: Instr) -> None:
        memory.cut(self.body, *self.operands(instr))

    def do_mark(self, instr: Instr) -> None:
        """What was marked before a failure stays; an entry point ends here after one."""
        if not self.traits.failing:
            return  # nobody will ask
        b = self.body
        failed, mark, on = b.fresh("failed"), b.fresh("mark"), b.fresh("on")
        b.branch(self._failed(), failed, mark)
        b.block(failed)
        if self.function.entry:
            b.end(self._leave([self.zero(t) for t in self.function.results]))
        else:
            b.jump(on)
        b.block(mark)
        b.do(f"store i64 {self.operand(instr.args[0])}, ptr {memory.at(b, memory.MARK)}, align 8")
        b.block(on)

    def do_remember(self, instr: Instr) -> None:
        length, side, *sets = self.operands(instr)
        low, high = self._key(sets)
        name = self.body.pool.helper("@h.remember", history.remember_text)
        sizes = history.sizes(self.body, [self.layout.count(self.body, cells) for cells in sets])
        args = ", ".join(f"i64 {a}" for a in (length, side, low, high, sizes))
        self.bind(instr, self.body.let(f"call fastcc i64 {name}(ptr %ctx, {args})"))

    def do_met(self, instr: Instr) -> None:
        _, *counts = self.operands(instr)
        self.bind(instr, history.met(self.body, history.sizes(self.body, counts)))

    def do_recall(self, instr: Instr) -> None:
        length, *rest = self.operands(instr)
        side = rest.pop(0) if instr.detail == "position" else "-1"
        low, high = self._key(rest)
        name = self.body.pool.helper("@h.recall", history.recall_text)
        args = ", ".join(f"i64 {a}" for a in (length, side, low, high))
        self.bind(instr, self.body.let(f"call fastcc i64 {name}(ptr %ctx, {args})"))

    def _key(self, sets: list[str]) -> tuple[str, str]:
        words = [word for cells in sets for word in self.layout.key(self.body, cells)]
        return history.key(self.body, words)


def type_of(type: str, layout: Layout) -> str:
    """The type of LLVM for a type of kernel code."""
    if type in _NUMBERS:
        return "i64"
    return {"f": "i1", "b": "ptr", "a": "ptr", "m": layout.type}[type]


def symbol(name: str) -> str:
    """The name of a function in LLVM's text."""
    return f'@"f.{name}"'


def _signed(value: int) -> int:
    """A 64-bit number as LLVM writes it."""
    value &= 2**64 - 1
    return value - 2**64 if value >> 63 else value
