"""Print statements as lines of Python: a function for each."""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.engine.kernel.backends.python.names import name_of
from rulesengine.engine.kernel.backends.python.printer import Printer, SharedCode
from rulesengine.engine.kernel.code.form import HistoryFormat, Instr, Module, Slots


def source(module: Module, remarks: bool = False) -> str:
    """Return the Python source of a module, with remarks for reading if wanted."""
    shared = SharedCode()
    bodies = [
        "\n".join(Printer(f, module, shared, STATEMENTS, remarks).lines())
        for f in module.functions.values()
    ]
    return "\n\n\n".join([*shared.texts, *bodies]) + "\n"


def do_let(p: Printer, instr: Instr, depth: int) -> None:
    p.line(depth, f"{name_of(instr.out[0])} = {p.plain(instr.args[0])}")


def do_set(p: Printer, instr: Instr, depth: int) -> None:
    p.line(depth, f"{name_of(instr.args[0])} = {p.plain(instr.args[1])}")


def do_slots(p: Printer, instr: Instr, depth: int) -> None:
    slots = instr.out[0]
    assert isinstance(slots, Slots)
    p.line(depth, f"{name_of(slots)} = [{p.plain(instr.args[0])}] * {slots.count}")


def do_fetch(p: Printer, instr: Instr, depth: int) -> None:
    slots, index = name_of(instr.args[0]), p.plain(instr.args[1])
    p.line(depth, f"{name_of(instr.out[0])} = {slots}[{index}]")


def do_store(p: Printer, instr: Instr, depth: int) -> None:
    slots, index = name_of(instr.args[0]), p.plain(instr.args[1])
    p.line(depth, f"{slots}[{index}] = {p.plain(instr.args[2])}")


def do_if(p: Printer, instr: Instr, depth: int) -> None:
    then, other = instr.blocks
    flag = p.plain(instr.args[0])
    if _is_bare(then):
        p.line(depth, f"if not ({flag}):")
        p.block(other, depth + 1)
        return
    p.line(depth, f"if {flag}:")
    p.block(then, depth + 1)
    if not _is_bare(other):
        p.line(depth, "else:")
        p.block(other, depth + 1)


def do_loop(p: Printer, instr: Instr, depth: int) -> None:
    p.line(depth, "while True:")
    p.block(instr.blocks[0], depth + 1)


def do_bits(p: Printer, instr: Instr, depth: int) -> None:
    index = name_of(instr.out[0])
    p.cells_on_board.add(instr.out[0].number)
    rest = f"rest_{index}"
    p.line(depth, f"{rest} = {p.plain(instr.args[0])}")
    p.line(depth, f"while {rest}:")
    p.line(depth + 1, f"{index} = ({rest} & -{rest}).bit_length() - 1")
    p.line(depth + 1, f"{rest} &= {rest} - 1")
    p.block(instr.blocks[0], depth + 1)


def do_range(p: Printer, instr: Instr, depth: int) -> None:
    low, high = (p.plain(a) for a in instr.args)
    p.line(depth, f"for {name_of(instr.out[0])} in range({low}, {high}):")
    p.block(instr.blocks[0], depth + 1)


def do_break(p: Printer, instr: Instr, depth: int) -> None:
    p.line(depth, "break")


def do_call(p: Printer, instr: Instr, depth: int) -> None:
    args = ", ".join(p.plain(a) for a in instr.args)
    outs = ", ".join(name_of(o) for o in instr.out) + ("," if len(instr.out) == 1 else "")
    p.line(depth, f"{outs + ' = ' if outs else ''}{instr.detail}({args})")


def do_return(p: Printer, instr: Instr, depth: int) -> None:
    values = ", ".join(p.plain(a) for a in instr.args)
    p.line(depth, f"return ({values}{',' if len(instr.args) == 1 else ''})")


def do_fail(p: Printer, instr: Instr, depth: int) -> None:
    p.line(depth, "raise _Failed")


def do_list(p: Printer, instr: Instr, depth: int) -> None:
    p.line(depth, f"{name_of(instr.out[0])} = []")


def do_push(p: Printer, instr: Instr, depth: int) -> None:
    list_, item = p.arg(instr.args[0]), p.plain(instr.args[1])
    p.line(depth, f"{list_}.append({item})")


def do_size(p: Printer, instr: Instr, depth: int) -> None:
    p.line(depth, f"{name_of(instr.out[0])} = len({p.arg(instr.args[0])})")


def do_item(p: Printer, instr: Instr, depth: int) -> None:
    list_, index = p.arg(instr.args[0]), p.plain(instr.args[1])
    p.line(depth, f"{name_of(instr.out[0])} = {list_}[{index}]")


def do_cut(p: Printer, instr: Instr, depth: int) -> None:
    list_, size = p.arg(instr.args[0]), p.plain(instr.args[1])
    p.line(depth, f"del {list_}[{size}:]")


def do_mark(p: Printer, instr: Instr, depth: int) -> None:
    p.line(depth, f"_marks[0] = {p.plain(instr.args[0])}")


def do_remember(p: Printer, instr: Instr, depth: int) -> None:
    before, *rest = (p.arg(a) for a in instr.args)
    p.line(depth, f"{name_of(instr.out[0])} = {before} + ({_tuple(rest)},)")


def _tuple(values: list[str]) -> str:
    return f"({', '.join(values)}{',' if len(values) == 1 else ''})"


def do_load_history(p: Printer, instr: Instr, depth: int) -> None:
    args = ", ".join(p.plain(arg) for arg in instr.args)
    entry_format = instr.detail
    assert isinstance(entry_format, HistoryFormat)
    words = f"{entry_format.words}, {entry_format.sets}, {p.set_bytes}"
    p.line(depth, f"{name_of(instr.out[0])} = _load_history({words}, {args})")


def do_recall(p: Printer, instr: Instr, depth: int) -> None:
    history, *rest = (p.arg(a) for a in instr.args)
    place = _tuple(rest)
    text = f"{history}.count({place})"
    if instr.detail == "age":
        text = f"len({history}) - {history}.index({place}) if {place} in {history} else 0"
    if instr.detail == "board":
        text = f"sum([before[1:] == {place} for before in {history}])"
    p.line(depth, f"{name_of(instr.out[0])} = {text}")


def do_met(p: Printer, instr: Instr, depth: int) -> None:
    args = ", ".join(p.plain(arg) for arg in instr.args)
    p.line(depth, f"{name_of(instr.out[0])} = _met({args})")


def _is_bare(block: list[Instr]) -> bool:
    """True if a block contains no instruction but notes."""
    return all(instr.op == "note" for instr in block)


STATEMENTS: MappingProxyType[str, Callable[[Printer, Instr, int], None]] = MappingProxyType(
    {
        "let": do_let,
        "set": do_set,
        "slots": do_slots,
        "fetch": do_fetch,
        "store": do_store,
        "if": do_if,
        "loop": do_loop,
        "bits": do_bits,
        "range": do_range,
        "break": do_break,
        "call": do_call,
        "return": do_return,
        "fail": do_fail,
        "list": do_list,
        "push": do_push,
        "size": do_size,
        "item": do_item,
        "cut": do_cut,
        "mark": do_mark,
        "remember": do_remember,
        "load_history": do_load_history,
        "recall": do_recall,
        "met": do_met,
    }
)
