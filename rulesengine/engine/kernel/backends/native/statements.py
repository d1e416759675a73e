"""Emit statements as LLVM instructions: a function for each."""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.engine.drivers.history import OWN
from rulesengine.engine.drivers.memory import WORD
from rulesengine.engine.kernel.backends.native import caller_memory, history, memory, numbers
from rulesengine.engine.kernel.backends.native.function import Emitter, symbol
from rulesengine.engine.kernel.code.form import HistoryFormat, Instr, Slots, Value, Var


def do_note(e: Emitter, instr: Instr) -> None:
    pass


def do_let(e: Emitter, instr: Instr) -> None:
    var = instr.out[0]
    if isinstance(var, Var):
        e.slots[var] = e.body.slot(e.type(var.type))
        _store(e, var, e.operand(instr.args[0]))


def do_set(e: Emitter, instr: Instr) -> None:
    var = instr.args[0]
    if isinstance(var, Var):
        _store(e, var, e.operand(instr.args[1]))


def _store(e: Emitter, var: Var, value: str) -> None:
    e.body.do(f"store {e.type(var.type)} {value}, ptr {e.slots[var]}")


def do_get(e: Emitter, instr: Instr) -> None:
    var = instr.args[0]
    if isinstance(var, Var):
        type = e.type(var.type)
        e.bind(instr, e.body.let(f"load {type}, ptr {e.slots[var]}"))


def do_slots(e: Emitter, instr: Instr) -> None:
    slots = instr.out[0]
    if not isinstance(slots, Slots):
        return
    type = e.type(slots.type)
    e.places[slots] = e.body.slot(f"[{slots.count} x {type}]", 64)
    init = e.operand(instr.args[0])
    for i in range(slots.count):
        place = _place(e, slots, str(i))
        e.body.do(f"store {type} {init}, ptr {place}")


def do_fetch(e: Emitter, instr: Instr) -> None:
    slots = instr.args[0]
    if isinstance(slots, Slots):
        place = _place(e, slots, e.operand(instr.args[1]))
        e.bind(instr, e.body.let(f"load {e.type(slots.type)}, ptr {place}"))


def do_store(e: Emitter, instr: Instr) -> None:
    slots = instr.args[0]
    if isinstance(slots, Slots):
        place = _place(e, slots, e.operand(instr.args[1]))
        value = e.operand(instr.args[2])
        e.body.do(f"store {e.type(slots.type)} {value}, ptr {place}")


def _place(e: Emitter, slots: Slots, index: str) -> str:
    """Return the address of a slot."""
    type = f"[{slots.count} x {e.type(slots.type)}]"
    return e.body.let(f"getelementptr {type}, ptr {e.places[slots]}, i64 0, i64 {index}")


def do_if(e: Emitter, instr: Instr) -> None:
    end = e.body.fresh("endif")

    def go(block: list[Instr]) -> None:
        e.block(block)
        if e.body.open:
            e.body.jump(end)

    _part(e, instr, go)
    e.body.block(end)


def _part(e: Emitter, instr: Instr, go: Callable[[list[Instr]], None]) -> None:
    """Emit a branch and both of its blocks."""
    b = e.body
    then, other = b.fresh("then"), b.fresh("else")
    odds = instr.detail if isinstance(instr.detail, str) else None
    b.branch(e.operand(instr.args[0]), then, other, odds)
    for label, block in zip((then, other), instr.blocks, strict=True):
        b.block(label)
        go(block)


def do_loop(e: Emitter, instr: Instr) -> None:
    """Emit a loop with one back edge: LLVM turns several into nested loops and duplicates code."""
    b = e.body
    head, latch, end = b.fresh("loop"), b.fresh("next"), b.fresh("left")
    b.block(head)
    _inside(e, instr, latch, end)
    b.block(latch)
    b.jump(head)
    b.block(end)


def do_bits(e: Emitter, instr: Instr) -> None:
    def inside(cell: str, following: str, end: str) -> None:
        e.bind(instr, cell)
        _inside(e, instr, following, end)

    e.layout.bits(e.body, e.operand(instr.args[0]), inside)


def do_range(e: Emitter, instr: Instr) -> None:
    b, (low, high) = e.body, e.operands(instr)
    head, body, latch, end = (b.fresh(s) for s in ("range", "each", "next", "done"))
    before, number, after = b.label, f"%{b.fresh('number')}", f"%{b.fresh('after')}"
    b.block(head)
    b.do(f"{number} = phi i64 [ {low}, %{before} ], [ {after}, %{latch} ]")
    b.branch(b.let(f"icmp slt i64 {number}, {high}"), body, end)
    b.block(body)
    e.bind(instr, number)
    _inside(e, instr, latch, end)
    b.block(latch)
    b.do(f"{after} = add i64 {number}, 1")
    b.jump(head)
    b.block(end)


def _inside(e: Emitter, instr: Instr, following: str, end: str) -> None:
    """Emit the body of a loop, which is left early after a failure.

    If it ends with a choice, only the blocks that can fail test the failure flag.
    """

    def go(block: list[Instr]) -> None:
        if block and block[-1].op == "if" and not e.traits.may_fail(block[:-1]):
            e.block(block, lambda choice: _part(e, choice, go))
            return
        e.block(block)
        if e.body.open and e.traits.may_fail(block):
            e.body.branch(e.failed(), end, following, "never")
        elif e.body.open:
            e.body.jump(following)

    e.ends.append(end)
    go(instr.blocks[0])
    e.ends.pop()


def do_break(e: Emitter, instr: Instr) -> None:
    e.body.jump(e.ends[-1])


def do_fail(e: Emitter, instr: Instr) -> None:
    numbers.fail(e.body)


def do_return(e: Emitter, instr: Instr) -> None:
    e.body.end(e.leave(e.operands(instr)))


def do_call(e: Emitter, instr: Instr) -> None:
    b = e.body
    callee = e.traits.functions[str(instr.detail)]
    args = [f"{e.type(a.type)} {e.operand(a)}" for a in instr.args]
    type = e.result_type(callee)
    call = f"call fastcc {type} {symbol(callee.name)}({', '.join(['ptr %ctx', *args])})"
    if not callee.results:
        b.do(call)
        return
    result = b.let(call)
    for i, out in enumerate(instr.out):
        alone = len(instr.out) == 1
        name = result if alone else b.let(f"extractvalue {type} {result}, {i}")
        if isinstance(out, Value):
            e.names[out] = name


def do_list(e: Emitter, instr: Instr) -> None:
    number = instr.detail if isinstance(instr.detail, int) else 0
    place = memory.list_at(e.body, e.record, number)
    e.body.do(f"store i64 0, ptr {place}, align 8, !tbaa !1")
    e.bind(instr, place)


def do_push(e: Emitter, instr: Instr) -> None:
    memory.push(e.body, e.record, *e.operands(instr))


def do_size(e: Emitter, instr: Instr) -> None:
    e.bind(instr, memory.size(e.body, *e.operands(instr)))


def do_item(e: Emitter, instr: Instr) -> None:
    e.bind(instr, memory.item(e.body, e.record, *e.operands(instr)))


def do_cut(e: Emitter, instr: Instr) -> None:
    memory.cut(e.body, *e.operands(instr))


def do_mark(e: Emitter, instr: Instr) -> None:
    """Emit a store to the mark.

    After a failure the function returns here instead, so the mark from before it remains.
    """
    if not e.traits.runs_after_failure:
        return  # no failure can be observed
    b = e.body
    failed, mark, on = b.fresh("failed"), b.fresh("mark"), b.fresh("on")
    b.branch(e.failed(), failed, mark, "never")
    b.block(failed)
    e.return_zeros()
    b.block(mark)
    b.do(f"store i64 {e.operand(instr.args[0])}, ptr {memory.at(b, memory.MARK)}, align 8")
    b.block(on)


def do_remember(e: Emitter, instr: Instr) -> None:
    length, side, *sets = e.operands(instr)
    low, high = _key(e, sets)
    name = _remember(e)
    sizes = _sizes(e, sets)
    args = ", ".join(f"i64 {a}" for a in (length, side, low, high, sizes))
    e.bind(instr, e.body.let(f"call fastcc i64 {name}(ptr %ctx, {args})"))


def do_load_history(e: Emitter, instr: Instr) -> None:
    """Cache missing keys of entries in memory in a loop, and let the history begin with these."""
    b, entry_format = e.body, instr.detail
    assert isinstance(entry_format, HistoryFormat)
    at, (first, end) = caller_memory.address_of(b, args := e.operands(instr)), args[2:]
    end = b.let(f"select i1 {e.failed()}, i64 {first}, i64 {end}")
    texts = _history_texts(e)
    name = b.pool.helper("@h.load_history", texts.load_history)
    known = f"call fastcc i64 {b.pool.helper('@h.known', texts.known)}"
    slot = b.slot("i64")
    b.do(f"store i64 {b.let(f'{known}(ptr {at}, i64 {first}, i64 {end})')}, ptr {slot}, align 8")
    test, insert, on = map(b.fresh, ("test", "insert", "on"))
    b.block(test)
    length = b.let(f"load i64, ptr {slot}, align 8")
    b.branch(b.let(f"icmp slt i64 {length}, {end}"), insert, on)
    b.block(insert)
    place = history.entry(b, at, length, entry_format.words)
    sets = []
    for number in range(entry_format.sets):
        words = OWN + 1 + number * e.layout.words
        sets.append(e.layout.load(b, b.let(f"getelementptr i64, ptr {place}, i64 {words}")))
    history.store_key(b, at, length, place, _key(e, sets), _sizes(e, sets))
    b.do(f"store i64 {b.let(f'add i64 {length}, 1')}, ptr {slot}, align 8")
    b.jump(test)
    b.block(on)
    e.bind(instr, b.let(f"call fastcc i64 {name}(ptr %ctx, ptr {at}, i64 {first}, i64 {end})"))


def do_met(e: Emitter, instr: Instr) -> None:
    _, *counts = e.operands(instr)
    sizes = history.sizes(e.body, counts)
    name = e.body.pool.helper("@h.met", _history_texts(e).met)
    e.bind(instr, e.body.let(f"call fastcc i1 {name}(ptr %ctx, i64 {sizes})"))


def do_recall(e: Emitter, instr: Instr) -> None:
    length, *rest = e.operands(instr)
    side = "-1" if instr.detail == "board" else rest.pop(0)
    low, high = _key(e, rest)
    texts = _history_texts(e)
    if instr.detail == "age":
        name = e.body.pool.helper("@h.age", texts.age)
    else:
        name = e.body.pool.helper("@h.recall", texts.recall)
    args = ", ".join(f"i64 {a}" for a in (length, side, low, high))
    e.bind(instr, e.body.let(f"call fastcc i64 {name}(ptr %ctx, {args})"))


def _remember(e: Emitter) -> str:
    """Return the name of the helper that appends an entry to the history."""
    return e.body.pool.helper("@h.remember", _history_texts(e).remember)


def _history_texts(e: Emitter) -> history.Texts:
    entry_format, target = e.traits.history_format, e.layout.target
    size = entry_format.words * WORD if isinstance(entry_format, HistoryFormat) else 0
    return history.Texts(e.body.pool, e.traits.counts_sizes, not target.is_gpu, size)


def _sizes(e: Emitter, sets: list[str]) -> str:
    """Return a hash of the sizes of sets, 0 in a module that does not read it."""
    if not e.traits.counts_sizes:
        return "0"
    return history.sizes(e.body, [e.layout.count(e.body, cells) for cells in sets])


def _key(e: Emitter, sets: list[str]) -> tuple[str, str]:
    words = [word for cells in sets for word in e.layout.key(e.body, cells)]
    return history.key(e.body, words)


STATEMENTS: MappingProxyType[str, Callable[[Emitter, Instr], None]] = MappingProxyType(
    {
        "note": do_note,
        "let": do_let,
        "set": do_set,
        "get": do_get,
        "slots": do_slots,
        "fetch": do_fetch,
        "store": do_store,
        "if": do_if,
        "loop": do_loop,
        "bits": do_bits,
        "range": do_range,
        "break": do_break,
        "fail": do_fail,
        "return": do_return,
        "call": do_call,
        "list": do_list,
        "push": do_push,
        "size": do_size,
        "item": do_item,
        "cut": do_cut,
        "mark": do_mark,
        "remember": do_remember,
        "load_history": do_load_history,
        "met": do_met,
        "recall": do_recall,
    }
)
