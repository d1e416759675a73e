"""Kernel code to Python text: values used once stand where they are used, the others get names.

The text holds our words and numbers only; remarks are put in for readers alone.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

from rulesengine.errors import InternalError
from rulesengine.kernel.code import (
    CHECKED,
    PURE,
    Detail,
    Function,
    InRow,
    Instr,
    Module,
    Moves,
    Rays,
    Runs,
    Slots,
    Table,
    Value,
    Var,
)
from rulesengine.kernel.python.geometry import fill_text, moved, ray_texts, row_text, toward_text

_INDENT = "    "
_LONGEST = 400
_PLAIN_HIGH = 1 << 20
_WIDE = "0xFFFFFFFFFFFFFFFF"

# How instructions are written; arguments stand in brackets unless they are names or numbers.
_FORMS = MappingProxyType(
    {
        "iadd": "{0} + {1}",
        "isub": "{0} - {1}",
        "imul": "{0} * {1}",
        "cadd": "_checked({0} + {1})",
        "csub": "_checked({0} - {1})",
        "cmul": "_checked({0} * {1})",
        "cdiv": "_checked({0} // {1})",
        "cmod": "{0} % {1}",
        "imin": "min({0}, {1})",
        "imax": "max({0}, {1})",
        "ieq": "{0} == {1}",
        "ilt": "{0} < {1}",
        "ile": "{0} <= {1}",
        "ishl": "{0} << {1}",
        "ishr": "{0} >> {1}",
        "iand": "{0} & {1}",
        "ior": "{0} | {1}",
        "fand": "{0} and {1}",
        "for": "{0} or {1}",
        "fnot": "not {0}",
        "fint": "int({0})",
        "pick": "{1} if {0} else {2}",
        "mand": "{0} & {1}",
        "mor": "{0} | {1}",
        "mxor": "{0} ^ {1}",
        "mless": "{0} & ~{1}",
        "many": "{0} != 0",
        "meq": "{0} == {1}",
        "mcount": "{0}.bit_count()",
        "mlast": "{0}.bit_length() - 1",
        "mnth": "_nth({0}, {1})",
        "mpick": "_pick({0}, {1})",
        "mtake": "_pick({0}, {1})",
        "mhas": "{0} >> {1} & 1",
        "ilook": "{table}[{0}]",
        "mlook": "{table}[{0}]",
        "mbetween": "{table}({0}, {1}, {2}, {3}, {4})",
        "mtoward": "{table}({0}, {1})",
        "mslide": "{table}({0}, {1})",
        "mrow": "{table}({0})",
        "mfill": "{table}({0}, {1})",
        "ubits": "{0} & " + _WIDE,
        "uadd": "{0} + {1} & " + _WIDE,
        "uxor": "{0} ^ {1}",
        "umix": "_mix({0})",
        "uhigh": "{0} * {1} >> 64",
        "ufold": "_mix({0} ^ {1} & " + _WIDE + ")",
        "ufoldm": "_fold({0}, {1})",
    }
)
# What gives a cell that is there.
_CELLS = frozenset({"mfirst", "mlast", "mnth", "bits"})


@dataclass(slots=True)
class _Held:
    """An expression that waits for its only use."""

    text: str
    changing: bool
    checked: bool


def source(module: Module, remarks: bool = False) -> str:
    """The text of a module; with remarks, for reading."""
    shared = _Shared()
    bodies = [
        "\n".join(_Printer(f, module, shared, remarks).lines()) for f in module.functions.values()
    ]
    return "\n\n\n".join([*shared.texts, *bodies]) + "\n"


class _Shared:
    """Tables and helper functions that several functions use."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._names: dict[object, str] = {}

    def name(self, op: str, detail: Detail, full: int) -> str:
        """The name of a table or helper."""
        key: object = (detail.type, detail.items) if isinstance(detail, Table) else (op, detail)
        if key not in self._names:
            self._names[key] = f"_{'table' if isinstance(detail, Table) else op}_{len(self._names)}"
            self.texts.append(self._text(self._names[key], op, detail, full))
        return self._names[key]

    def _text(self, name: str, op: str, detail: Detail, full: int) -> str:
        if isinstance(detail, Table):
            items = ", ".join(hex(x) if detail.type == "m" else str(x) for x in detail.items)
            return f"{name} = ({items},)"
        if isinstance(detail, Rays):
            return ray_texts(name, op, detail)
        if isinstance(detail, Runs):
            return toward_text(name, detail)
        if isinstance(detail, Moves):
            return fill_text(name, detail)
        if isinstance(detail, InRow):
            return row_text(name, detail)
        raise InternalError(f"{op} without its table")


class _Printer:
    """Writes one function."""

    def __init__(self, function: Function, module: Module, shared: _Shared, remarks: bool) -> None:
        self.function = function
        self.full = (1 << module.cells) - 1
        self.shared = shared
        self.remarks = remarks
        self._held: dict[int, _Held] = {}
        self._out: list[str] = []
        self._uses: Counter[int] = Counter()
        self._home: dict[int, int] = {}
        self._there: set[int] = set()
        self._count(function.body)

    def lines(self) -> list[str]:
        params = ", ".join(_name(p) for p in self.function.params)
        self._block(self.function.body, 1)
        head = f"def {self.function.name}({params}):"
        return [head, *(self._out or [_INDENT + "pass"])]

    def _count(self, block: list[Instr]) -> None:
        """How often each value is used, and in which block if that is one alone."""
        for instr in block:
            for arg in instr.args:
                if isinstance(arg, Value) and arg.number >= 0:
                    self._uses[arg.number] += 1
                    self._home[arg.number] = id(block)
            for inner in instr.blocks:
                self._count(inner)

    def _block(self, block: list[Instr], depth: int) -> None:
        before = len(self._out)
        for instr in block:
            if instr.op in PURE:
                self._pure(instr, block, depth)
            elif instr.op == "note":
                self._remark(str(instr.detail), depth)
            else:
                self._statement(instr, block, depth)
        self._flush(depth, lambda held: True)
        if not any(not line.lstrip().startswith("#") for line in self._out[before:]):
            self._line(depth, "pass")

    def _line(self, depth: int, text: str) -> None:
        self._out.append(_INDENT * depth + text)

    def _remark(self, text: str, depth: int) -> None:
        """A remark, which changes nothing about the lines that run."""
        if self.remarks:
            shown = "".join(c if c.isprintable() else " " for c in text)
            self._line(depth, f"# {shown}")

    # values

    def _pure(self, instr: Instr, block: list[Instr], depth: int) -> None:
        out = instr.out[0]
        checked = instr.op in CHECKED
        if not self._uses[out.number] and not checked:
            for arg in instr.args:
                waits = self._held.pop(arg.number, None) if isinstance(arg, Value) else None
                if waits is not None and waits.checked:
                    self._line(depth, f"{_name(arg)} = {waits.text}")
            return
        if instr.op in ("fand", "for", "pick"):
            self._flush(depth, lambda held: held.checked)
        if instr.op in ("mmove", "mstep", "mfirst"):
            self._fix(instr.args[0], depth)
        held = [self._held.get(a.number) for a in instr.args if isinstance(a, Value)]
        if instr.op in _CELLS:
            self._there.add(out.number)
        text = self._form(instr)
        changing = any(h is not None and h.changing for h in held)
        checked = checked or any(h is not None and h.checked for h in held)
        once = self._uses[out.number] == 1 and self._home[out.number] == id(block)
        self._give(out, text, once, _Held(text, changing, checked), depth)

    def _give(
        self, out: Value | Var | Slots, text: str, once: bool, held: _Held, depth: int
    ) -> None:
        if once and len(text) < _LONGEST:
            self._held[out.number] = held
        else:
            self._line(depth, f"{_name(out)} = {text}")

    def _form(self, instr: Instr) -> str:
        args = [self._arg(a) for a in instr.args]
        detail = instr.detail
        if instr.op in ("mmove", "mstep") and isinstance(detail, Moves):
            if instr.op == "mstep" and len(detail.deltas) == 1:
                detail = Moves(detail.deltas, (self.full,))
            return moved(args[0], detail, self.full)
        if instr.op == "mnot":
            return f"{args[0]} ^ {hex(self.full)}"
        if instr.op == "mfirst":
            return f"({args[0]} & -{args[0]}).bit_length() - 1"
        if instr.op == "mcell":
            cell = instr.args[0]
            there = cell.number in self._there or (isinstance(cell, Value) and cell.known)
            return f"1 << {args[0]}" if there else f"1 << {args[0]} if {args[0]} >= 0 else 0"
        form = _FORMS[instr.op]
        if instr.op == "mbetween" and _is_plain(instr):
            args, form = args[:3], "{table}({0}, {1}, {2})"
            table = self.shared.name("mbetween_all", detail, self.full)
        elif detail is None or isinstance(detail, int):
            table = ""
        else:
            table = self.shared.name(instr.op, detail, self.full)
        return form.format(*args, table=table)

    def _arg(self, arg: Value | Var | Slots) -> str:
        """An argument as it stands in an expression; one that waited is used up."""
        if isinstance(arg, Value):
            if arg.number < 0:
                return _constant(arg)
            held = self._held.pop(arg.number, None)
            if held is not None:
                return f"({held.text})"
        return _name(arg)

    def _plain(self, arg: Value | Var | Slots) -> str:
        """An argument as it stands alone."""
        text = self._arg(arg)
        return text[1:-1] if text.startswith("(") and _closes(text) else text

    def _fix(self, arg: Value | Var | Slots, depth: int) -> None:
        """Give a name to an argument that the expression needs several times."""
        held = self._held.pop(arg.number, None)
        if held is not None:
            self._line(depth, f"{_name(arg)} = {held.text}")

    def _flush(self, depth: int, which: Callable[[_Held], bool]) -> None:
        for number in [n for n, held in self._held.items() if which(held)]:
            self._line(depth, f"v{number} = {self._held.pop(number).text}")

    # statements

    def _statement(self, instr: Instr, block: list[Instr], depth: int) -> None:
        args = instr.args
        if instr.op == "get":
            out, var = instr.out[0], args[0]
            once = self._uses[out.number] == 1 and self._home[out.number] == id(block)
            self._give(out, _name(var), once, _Held(_name(var), True, False), depth)
            return
        used = {a.number for a in args}
        waiting = {n: h for n, h in self._held.items() if n not in used}
        for number, held in waiting.items():
            if held.changing or held.checked or instr.blocks:
                del self._held[number]
                self._line(depth, f"v{number} = {held.text}")
        getattr(self, "_do_" + instr.op)(instr, depth)

    def _do_let(self, instr: Instr, depth: int) -> None:
        self._line(depth, f"{_name(instr.out[0])} = {self._plain(instr.args[0])}")

    def _do_set(self, instr: Instr, depth: int) -> None:
        self._line(depth, f"{_name(instr.args[0])} = {self._plain(instr.args[1])}")

    def _do_slots(self, instr: Instr, depth: int) -> None:
        slots = instr.out[0]
        assert isinstance(slots, Slots)
        self._line(depth, f"{_name(slots)} = [{self._plain(instr.args[0])}] * {slots.count}")

    def _do_fetch(self, instr: Instr, depth: int) -> None:
        slots, index = _name(instr.args[0]), self._plain(instr.args[1])
        self._line(depth, f"{_name(instr.out[0])} = {slots}[{index}]")

    def _do_store(self, instr: Instr, depth: int) -> None:
        slots, index = _name(instr.args[0]), self._plain(instr.args[1])
        self._line(depth, f"{slots}[{index}] = {self._plain(instr.args[2])}")

    def _do_if(self, instr: Instr, depth: int) -> None:
        then, other = instr.blocks
        flag = self._plain(instr.args[0])
        if _is_bare(then):
            self._line(depth, f"if not ({flag}):")
            self._block(other, depth + 1)
            return
        self._line(depth, f"if {flag}:")
        self._block(then, depth + 1)
        if not _is_bare(other):
            self._line(depth, "else:")
            self._block(other, depth + 1)

    def _do_loop(self, instr: Instr, depth: int) -> None:
        self._line(depth, "while True:")
        self._block(instr.blocks[0], depth + 1)

    def _do_bits(self, instr: Instr, depth: int) -> None:
        index = _name(instr.out[0])
        self._there.add(instr.out[0].number)
        rest = f"rest_{index}"
        self._line(depth, f"{rest} = {self._plain(instr.args[0])}")
        self._line(depth, f"while {rest}:")
        self._line(depth + 1, f"{index} = ({rest} & -{rest}).bit_length() - 1")
        self._line(depth + 1, f"{rest} &= {rest} - 1")
        self._block(instr.blocks[0], depth + 1)

    def _do_range(self, instr: Instr, depth: int) -> None:
        low, high = (self._plain(a) for a in instr.args)
        self._line(depth, f"for {_name(instr.out[0])} in range({low}, {high}):")
        self._block(instr.blocks[0], depth + 1)

    def _do_break(self, instr: Instr, depth: int) -> None:
        self._line(depth, "break")

    def _do_call(self, instr: Instr, depth: int) -> None:
        args = ", ".join(self._plain(a) for a in instr.args)
        outs = ", ".join(_name(o) for o in instr.out) + ("," if len(instr.out) == 1 else "")
        self._line(depth, f"{outs + ' = ' if outs else ''}{instr.detail}({args})")

    def _do_return(self, instr: Instr, depth: int) -> None:
        values = ", ".join(self._plain(a) for a in instr.args)
        self._line(depth, f"return ({values}{',' if len(instr.args) == 1 else ''})")

    def _do_fail(self, instr: Instr, depth: int) -> None:
        self._line(depth, "raise _Failed")

    def _do_list(self, instr: Instr, depth: int) -> None:
        self._line(depth, f"{_name(instr.out[0])} = []")

    def _do_push(self, instr: Instr, depth: int) -> None:
        list_, item = self._arg(instr.args[0]), self._plain(instr.args[1])
        self._line(depth, f"{list_}.append({item})")

    def _do_size(self, instr: Instr, depth: int) -> None:
        self._line(depth, f"{_name(instr.out[0])} = len({self._arg(instr.args[0])})")

    def _do_item(self, instr: Instr, depth: int) -> None:
        list_, index = self._arg(instr.args[0]), self._plain(instr.args[1])
        self._line(depth, f"{_name(instr.out[0])} = {list_}[{index}]")

    def _do_cut(self, instr: Instr, depth: int) -> None:
        list_, size = self._arg(instr.args[0]), self._plain(instr.args[1])
        self._line(depth, f"del {list_}[{size}:]")

    def _do_mark(self, instr: Instr, depth: int) -> None:
        self._line(depth, f"_marks[0] = {self._plain(instr.args[0])}")

    def _do_remember(self, instr: Instr, depth: int) -> None:
        before, *rest = (self._arg(a) for a in instr.args)
        self._line(depth, f"{_name(instr.out[0])} = {before} + (({', '.join(rest)}),)")

    def _do_recall(self, instr: Instr, depth: int) -> None:
        history, *rest = (self._arg(a) for a in instr.args)
        place = f"({', '.join(rest)}{',' if len(rest) == 1 else ''})"
        text = f"{history}.count({place})"
        if instr.detail == "board":
            text = f"sum([before[1:] == {place} for before in {history}])"
        self._line(depth, f"{_name(instr.out[0])} = {text}")

    def _do_met(self, instr: Instr, depth: int) -> None:
        args = ", ".join(self._plain(arg) for arg in instr.args)
        self._line(depth, f"{_name(instr.out[0])} = _met({args})")


def _is_bare(block: list[Instr]) -> bool:
    """Whether a block does nothing."""
    return all(instr.op == "note" for instr in block)


def _is_plain(instr: Instr) -> bool:
    """Whether any number of cells may lie between."""
    low, high = (a.known if isinstance(a, Value) else None for a in instr.args[3:])
    return low is not None and high is not None and low <= 1 and high >= _PLAIN_HIGH


def _name(value: Value | Var | Slots) -> str:
    if isinstance(value, Value) and value.number < 0:
        return _constant(value)
    return f"{'v' if isinstance(value, Value) else 'w'}{value.number}"


def _constant(value: Value) -> str:
    if value.type == "h":
        return "tuple()"
    if value.type == "f":
        return str(bool(value.const))
    text = hex(value.const) if value.type in ("m", "u") else str(value.const)
    return f"({text})" if value.const < 0 else text


def _closes(text: str) -> bool:
    """Whether the bracket that begins a text closes at its end."""
    depth = 0
    for i, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return i == len(text) - 1
    return False
