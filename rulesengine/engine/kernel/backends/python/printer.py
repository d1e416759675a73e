"""Print kernel code as Python: a value with one use becomes part of an expression.

The source contains only words of the printer and numbers; remarks are for readers.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rulesengine.engine.kernel.backends.python.geometry import (
    fill_text,
    gather_text,
    moved,
    ray_texts,
    row_text,
    toward_text,
)
from rulesengine.engine.kernel.backends.python.names import constant, name_of
from rulesengine.engine.kernel.code.form import (
    CHECKED,
    MEMORY,
    PURE,
    Detail,
    Function,
    Instr,
    Module,
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

_INDENT = "    "
_LONGEST = 400
_PLAIN_HIGH = 1 << 20
_WIDE = "0xFFFFFFFFFFFFFFFF"
_HIGH = "0x8000000000000000"

# Templates of instructions; arguments are in parentheses unless they are names or numbers.
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
        "mgather": "{table}({0})",
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
        "usign": "({0} ^ " + _HIGH + ") - " + _HIGH,
        "umul": "{0} * {1} & " + _WIDE,
        "uand": "{0} & {1}",
        "uor": "{0} | {1}",
        "ushl": "{0} << {1} & " + _WIDE,
        "ushr": "{0} >> {1}",
        "ueq": "{0} == {1}",
        "ult": "{0} < {1}",
        "ucount": "{0}.bit_count()",
        "ufirst": "({0} & -{0}).bit_length() - 1",
        "umix": "_mix({0})",
        "uhigh": "{0} * {1} >> 64",
        "ufold": "_mix({0} ^ {1} & " + _WIDE + ")",
        "ufoldm": "_fold({0}, {1})",
    }
)
# Instructions that return an existing cell, never -1.
_CELLS = frozenset({"mfirst", "mlast", "mnth", "bits"})


@dataclass(slots=True)
class _PendingExpression:
    """An expression that is pending until its only use."""

    text: str
    changing: bool
    checked: bool


class SharedCode:
    """Tables and helper functions that several functions use."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._names: dict[object, str] = {}

    def name(self, op: str, detail: Detail, full: int) -> str:
        """Return the name of a table or helper; emit it on first use."""
        key: object = (op, detail)
        if isinstance(detail, Table) and op != "store_text":
            key = detail.type, detail.items
        if key not in self._names:
            self._names[key] = f"_{'table' if isinstance(detail, Table) else op}_{len(self._names)}"
            self.texts.append(self._text(self._names[key], op, detail, full))
        return self._names[key]

    def _text(self, name: str, op: str, detail: Detail, full: int) -> str:
        if isinstance(detail, Table) and op == "store_text":
            number = sum((word & (1 << 64) - 1) << 64 * i for i, word in enumerate(detail.items))
            return f"{name} = {hex(number)}.to_bytes({8 * len(detail.items)}, 'little')"
        if isinstance(detail, Table):
            items = ", ".join(hex(x) if detail.type == "m" else str(x) for x in detail.items)
            return f"{name} = ({items},)"
        if isinstance(detail, Rays):
            return ray_texts(name, op, detail)
        if isinstance(detail, Runs):
            return toward_text(name, detail)
        if isinstance(detail, Relation):
            return fill_text(name, detail)
        if isinstance(detail, RowPattern):
            return row_text(name, detail)
        if isinstance(detail, Window):
            return gather_text(name, detail)
        raise InternalError(f"{op} without its table")


class Printer:
    """A printer of one function; `statements` has a printing function for each statement."""

    def __init__(
        self,
        function: Function,
        module: Module,
        shared: SharedCode,
        statements: "Statements",
        remarks: bool,
    ) -> None:
        self.function = function
        self.statements = statements
        self.full = (1 << module.cells) - 1
        self.shared = shared
        self.remarks = remarks
        self._pending: dict[int, _PendingExpression] = {}
        self._out: list[str] = []
        self.uses: Counter[int] = Counter()
        self.home: dict[int, int] = {}
        self.cells_on_board: set[int] = set()
        self._count(function.body)

    def lines(self) -> list[str]:
        params = ", ".join(name_of(p) for p in self.function.params)
        self.block(self.function.body, 1)
        head = f"def {self.function.name}({params}):"
        return [head, *(self._out or [_INDENT + "pass"])]

    def _count(self, block: list[Instr]) -> None:
        """Count the uses of each value and note the block of the last use."""
        for instr in block:
            for arg in instr.args:
                if isinstance(arg, Value) and arg.number >= 0:
                    self.uses[arg.number] += 1
                    self.home[arg.number] = id(block)
            for inner in instr.blocks:
                self._count(inner)

    def block(self, block: list[Instr], depth: int) -> None:
        before = len(self._out)
        for instr in block:
            if instr.op in PURE:
                self._pure(instr, block, depth)
            elif instr.op == "note":
                self._remark(str(instr.detail), depth)
            else:
                self._statement(instr, block, depth)
        self._flush(depth, lambda pending: True)
        if not any(not line.lstrip().startswith("#") for line in self._out[before:]):
            self.line(depth, "pass")

    def line(self, depth: int, text: str) -> None:
        self._out.append(_INDENT * depth + text)

    def _remark(self, text: str, depth: int) -> None:
        """Emit a comment; it does not affect the lines that run."""
        if self.remarks:
            shown = "".join(c if c.isprintable() else " " for c in text)
            self.line(depth, f"# {shown}")

    # values

    def _pure(self, instr: Instr, block: list[Instr], depth: int) -> None:
        out = instr.out[0]
        checked = instr.op in CHECKED
        if not self.uses[out.number] and not checked:
            for arg in instr.args:
                waits = self._pending.pop(arg.number, None) if isinstance(arg, Value) else None
                if waits is not None and waits.checked:
                    self.line(depth, f"{name_of(arg)} = {waits.text}")
            return
        if instr.op in ("fand", "for", "pick"):
            self._flush(depth, lambda pending: pending.checked)
        if instr.op in ("mmove", "mstep", "mfirst"):
            self.fix(instr.args[0], depth)
        pending = [self._pending.get(a.number) for a in instr.args if isinstance(a, Value)]
        if instr.op in _CELLS:
            self.cells_on_board.add(out.number)
        text = self._form(instr)
        changing = any(h is not None and h.changing for h in pending)
        checked = checked or any(h is not None and h.checked for h in pending)
        once = self.uses[out.number] == 1 and self.home[out.number] == id(block)
        self.assign(out, text, once, _PendingExpression(text, changing, checked), depth)

    def assign(
        self,
        out: Value | Var | Slots,
        text: str,
        once: bool,
        pending: _PendingExpression,
        depth: int,
    ) -> None:
        if once and len(text) < _LONGEST:
            self._pending[out.number] = pending
        else:
            self.line(depth, f"{name_of(out)} = {text}")

    def _form(self, instr: Instr) -> str:
        args = [self.arg(a) for a in instr.args]
        detail = instr.detail
        if instr.op in ("mmove", "mstep") and isinstance(detail, Relation):
            if instr.op == "mstep" and len(detail.deltas) == 1:
                detail = Relation(detail.deltas, (self.full,))
            return moved(args[0], detail, self.full)
        if instr.op == "mnot":
            return f"{args[0]} ^ {hex(self.full)}"
        if instr.op == "mfirst":
            return f"({args[0]} & -{args[0]}).bit_length() - 1"
        if instr.op == "mcell":
            cell = instr.args[0]
            there = cell.number in self.cells_on_board or (
                isinstance(cell, Value) and cell.constant
            )
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

    def arg(self, arg: Value | Var | Slots) -> str:
        """Return an argument as part of an expression; a pending expression is consumed."""
        if isinstance(arg, Value):
            if arg.number < 0:
                return constant(arg)
            pending = self._pending.pop(arg.number, None)
            if pending is not None:
                return f"({pending.text})"
        return name_of(arg)

    def plain(self, arg: Value | Var | Slots) -> str:
        """Return an argument that is an expression of its own."""
        text = self.arg(arg)
        return text[1:-1] if text.startswith("(") and _closes(text) else text

    def fix(self, arg: Value | Var | Slots, depth: int) -> None:
        """Assign a pending argument to a name, if the expression needs it several times."""
        pending = self._pending.pop(arg.number, None)
        if pending is not None:
            self.line(depth, f"{name_of(arg)} = {pending.text}")

    def _flush(self, depth: int, predicate: Callable[[_PendingExpression], bool]) -> None:
        for number in [n for n, pending in self._pending.items() if predicate(pending)]:
            self.line(depth, f"v{number} = {self._pending.pop(number).text}")

    # statements

    def _statement(self, instr: Instr, block: list[Instr], depth: int) -> None:
        args = instr.args
        if instr.op == "get":
            out, var = instr.out[0], args[0]
            once = self.uses[out.number] == 1 and self.home[out.number] == id(block)
            self.assign(
                out, name_of(var), once, _PendingExpression(name_of(var), True, False), depth
            )
            return
        used = {a.number for a in args}
        waiting = {n: h for n, h in self._pending.items() if n not in used}
        for number, pending in waiting.items():
            if pending.changing or pending.checked or instr.blocks:
                del self._pending[number]
                self.line(depth, f"v{number} = {pending.text}")
        if instr.op in MEMORY:
            self._memory(instr, depth)
        else:
            self.statements[instr.op](self, instr, depth)

    @property
    def set_bytes(self) -> int:
        """Return the number of bytes of a set of cells in memory."""
        return (self.full.bit_length() + 63) // 64 * 8

    def _memory(self, instr: Instr, depth: int) -> None:
        if instr.op == "load8":
            memory, place = (self.plain(arg) for arg in instr.args)
            self.line(depth, f"{name_of(instr.out[0])} = {memory}[{place}]")
            return
        if isinstance(instr.detail, Table):
            self.fix(instr.args[1], depth)
            memory, place = (self.plain(arg) for arg in instr.args)
            text = self.shared.name(instr.op, instr.detail, self.full)
            end = f"{place} + {8 * len(instr.detail.items)}"
            self.line(depth, f"{memory}[{place}:{end}] = {text}")
            return
        size = [str(self.set_bytes)] * instr.op.endswith("_set")
        call = f"_{instr.op}({', '.join([*size, *(self.plain(arg) for arg in instr.args)])})"
        out = f"{name_of(instr.out[0])} = " if instr.out else ""
        self.line(depth, out + call)


def _is_plain(instr: Instr) -> bool:
    """True if the bounds allow any number of cells."""
    low, high = (a.constant if isinstance(a, Value) else None for a in instr.args[3:])
    return low is not None and high is not None and low <= 1 and high >= _PLAIN_HIGH


def _closes(text: str) -> bool:
    """True if the parenthesis that opens a text closes at its end."""
    depth = 0
    for i, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return i == len(text) - 1
    return False


Statements = Mapping[str, Callable[[Printer, Instr, int], None]]
