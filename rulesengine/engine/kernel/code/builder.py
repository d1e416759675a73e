"""Build kernel code: check types, fold constants, reuse equal values.

Reuse is local value numbering (Cocke and Schwartz, 1970) extended to the enclosing blocks, whose
values dominate. A choice between two values that need no instruction is if-converted (Allen,
Kennedy and others, 1983) to a `pick`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from rulesengine.engine.kernel.code.folding import fold
from rulesengine.engine.kernel.code.form import (
    MEMORY,
    PURE,
    Detail,
    Function,
    Instr,
    Module,
    Odds,
    Slots,
    Type,
    Value,
    Var,
)
from rulesengine.errors import InternalError

_Key = tuple[Any, ...]


class Builder:
    """A builder of the functions of a module, one at a time or nested. See decision 089."""

    def __init__(self, cells: int, grid: tuple[int, int] | None = None) -> None:
        self.module = Module(cells, grid=grid)
        self.full = (1 << cells) - 1
        self._block: list[Instr] = []
        self._scopes: list[dict[_Key, Value]] = [{}]
        self._numbers = 0
        self._alone: dict[Value, Callable[[], Value]] = {}
        self._denied: dict[Value, Value] = {}
        self._makers: dict[Value, tuple[str, tuple[Value, ...]]] = {}

    # values

    def const(self, type: Type, value: int) -> Value:
        return Value(type, -1, value)

    def i(self, value: int) -> Value:
        return Value("i", -1, value)

    def f(self, value: bool) -> Value:
        return Value("f", -1, int(value))

    def m(self, value: int) -> Value:
        return Value("m", -1, value)

    def new(self, type: Type) -> Value:
        self._numbers += 1
        return Value(type, self._numbers)

    def op(self, name: str, *args: Value, detail: Detail = None) -> Value:
        """Return the value of a pure instruction; an equal one that dominates is reused."""
        expected, result = PURE[name]
        _check_types(name, expected, args)
        if name == "mcell" and args[0] in self._alone:
            return self._alone[args[0]]()
        folded = fold(name, args, self.full)
        if folded is not None:
            return folded
        if name in ("mnot", "fnot") and args[0] in self._denied:
            return self._denied[args[0]]
        if name == "mand":
            for part, superset in (args, args[::-1]):
                if self._is_part(part, superset):
                    return part
        if name == "pick" and args[1].type == "f":
            plain = self._flag(*args)
            if plain is not None:
                return plain
        key = (name, args, detail)
        for scope in reversed(self._scopes):
            if key in scope:
                return scope[key]
        out = self.new(args[-1].type if result == "?" else result)  # type: ignore[arg-type]
        self._scopes[-1][key] = out
        self.add(Instr(name, args, (out,), detail))
        self._makers[out] = name, args
        if name in ("mnot", "fnot"):
            self._denied[out] = args[0]
        if name == "mnth":
            # If only the set of this cell is needed, its number is not computed.
            self._alone[out] = lambda: self.op("mpick", *args)
        return out

    def know(self, name: str, *args: Value, detail: Detail = None, value: Value) -> None:
        """Record that a pure instruction has a known value in the rest of this block."""
        self._scopes[-1][name, args, detail] = value

    def operands_of(self, name: str, value: Value) -> tuple[Value, ...] | None:
        """Return the arguments of the instruction that produced a value, if it has this name."""
        maker, args = self._makers.get(value, ("", ()))
        return args if maker == name else None

    def _flag(self, flag: Value, yes: Value, no: Value) -> Value | None:
        """Reduce a choice between two flags to logic if one of them is constant."""
        if yes.constant is not None:
            return (
                self.op("for", flag, no)
                if yes.constant
                else self.op("fand", self.op("fnot", flag), no)
            )
        if no.constant is not None:
            return (
                self.op("for", self.op("fnot", flag), yes)
                if no.constant
                else self.op("fand", flag, yes)
            )
        return None

    def _is_part(self, cells: Value, superset: Value) -> bool:
        """True if a set is known to be a subset of another one."""
        name, args = self._makers.get(cells, ("", ()))
        bounds = [args[i] for i in _BOUNDS.get(name, ())]
        return cells == superset or any(self._is_part(bound, superset) for bound in bounds)

    def ignoring(self, cells: Value, cell: Value) -> Value:
        """Return a simpler set that differs from the given one in this cell at most."""
        alone = self.op("mcell", cell)
        while cells in self._makers:
            name, args = self._makers[cells]
            if name not in ("mor", "mless", "mxor") or alone not in args or args[0] == args[1]:
                break
            if name == "mless" and args[0] == alone:
                return self.m(0)
            cells = args[0] if args[1] == alone else args[1]
        return cells

    def cell_of(self, alone: Value) -> Value:
        """Return the number of the cell of a one-cell set; `mcell` of it is this set."""
        cell = self.op("mfirst", alone)
        self._alone[cell] = lambda: alone
        return cell

    def scope(self) -> object:
        """Return the innermost open block."""
        return self._scopes[-1]

    def reaches(self, scope: object) -> bool:
        """True if a value of a block can be used here."""
        return any(s is scope for s in self._scopes)

    # statements

    def add(self, instr: Instr) -> None:
        self._block.append(instr)

    def var(self, type: Type) -> Var:
        """Return a variable that is not initialised."""
        self._numbers += 1
        return Var(type, self._numbers)

    def let(self, init: Value) -> Var:
        var = self.var(init.type)
        self.add(Instr("let", (init,), (var,)))
        return var

    def set(self, var: Var, value: Value) -> None:
        if var.type != value.type:
            raise InternalError(f"a {var.type} is set to a {value.type}")
        self.add(Instr("set", (var, value)))

    def get(self, var: Var) -> Value:
        out = self.new(var.type)
        self.add(Instr("get", (var,), (out,)))
        return out

    def slots(self, init: Value, count: int) -> Slots:
        """Return an array of variables, each initialised to a value."""
        self._numbers += 1
        slots = Slots(init.type, self._numbers, count)
        self.add(Instr("slots", (init,), (slots,)))
        return slots

    def fetch(self, slots: Slots, index: Value) -> Value:
        out = self.new(slots.type)
        self.add(Instr("fetch", (slots, index), (out,)))
        return out

    def store(self, slots: Slots, index: Value, value: Value) -> None:
        if slots.type != value.type:
            raise InternalError(f"{slots.type} slots are given a {value.type}")
        self.add(Instr("store", (slots, index, value)))

    def effect(self, name: str, *args: Value, detail: Detail = None) -> None:
        self.add(Instr(name, args, (), detail))

    def result(self, name: str, type: Type, *args: Value, detail: Detail = None) -> Value:
        out = self.new(type)
        self.add(Instr(name, args, (out,), detail))
        return out

    def read(self, name: str, *args: Value) -> Value:
        """Return the result of an instruction that reads memory."""
        expected, result = MEMORY[name]
        _check_types(name, expected, args)
        return self.result(name, result, *args)  # type: ignore[arg-type]

    def write(self, name: str, *args: Value) -> None:
        """Append an instruction on memory without a result, `poll` included."""
        _check_types(name, MEMORY[name][0], args)
        self.effect(name, *args)

    def call(self, name: str, *args: Value) -> tuple[Value, ...]:
        """Return the results of a function of the module, which must be declared."""
        function = self.module.functions[name]
        if [p.type for p in function.params] != [a.type for a in args]:
            raise InternalError(f"wrong arguments for {name}")
        key = ("call", name, args)
        if function.pure:
            for scope in reversed(self._scopes):
                if key in scope:
                    return scope[key]  # type: ignore[return-value]
        outs = tuple(self.new(t) for t in function.results)
        self.add(Instr("call", args, outs, name))
        if function.pure:
            self._scopes[-1][key] = outs  # type: ignore[assignment]
        return outs

    def emit_return(self, *values: Value) -> None:
        self.add(Instr("return", values))

    def fail(self) -> None:
        self.add(Instr("fail"))

    def note(self, text: str) -> None:
        """Append a remark for readers."""
        self.add(Instr("note", (), (), text))

    # blocks

    def when(
        self,
        flag: Value,
        then: Callable[[], None],
        other: Callable[[], None] | None = None,
        odds: Odds | None = None,
    ) -> None:
        """Append an `if`; a constant flag selects its block at once.

        `odds` is the frequency of the first block, by default "never" for a block that fails.
        """
        if flag.constant is not None:
            chosen = then if flag.constant else other
            if chosen:
                chosen()
            return
        blocks = (self.inside(then), self.inside(other) if other else [])
        if any(instr.op != "note" for block in blocks for instr in block):
            self.add(Instr("if", (flag,), (), odds or _odds_of(*blocks), blocks))

    def choose(
        self,
        flag: Value,
        then: Callable[[], Value],
        other: Callable[[], Value],
        odds: Odds | None = None,
    ) -> Value:
        """Return one of two values, computed only if it is chosen; `odds` is that of the first."""
        if flag.constant is not None:
            return then() if flag.constant else other()
        values: list[Value] = []
        blocks = [
            self.inside(lambda: values.append(then())),
            self.inside(lambda: values.append(other())),
        ]
        if all(instr.op == "note" for block in blocks for instr in block):
            return self.op("pick", flag, *values)
        var = self.let(self.const(values[0].type, 0))
        for block, value in zip(blocks, values, strict=True):
            block.append(Instr("set", (var, value)))
        self.add(Instr("if", (flag,), (), odds, (blocks[0], blocks[1])))
        return self.get(var)

    def loop(self, body: Callable[[], None]) -> None:
        self.add(Instr("loop", (), (), None, (self.inside(body),)))

    def bits(self, mask: Value, body: Callable[[Value], None]) -> None:
        """Append a loop over the cells of a set, ascending."""
        if mask.constant == 0:
            return
        index = self.new("i")
        self.add(Instr("bits", (mask,), (index,), None, (self.inside(lambda: body(index)),)))

    def range(self, low: Value, high: Value, body: Callable[[Value], None]) -> None:
        index = self.new("i")
        block = self.inside(lambda: body(index))
        self.add(Instr("range", (low, high), (index,), None, (block,)))

    def leave(self) -> None:
        """Break out of the innermost loop."""
        self.add(Instr("break"))

    def inside(self, body: Callable[[], object]) -> list[Instr]:
        """Return the instructions of a nested block."""
        outer, self._block = self._block, []
        self._scopes.append({})
        try:
            body()
            return self._block
        finally:
            self._scopes.pop()
            self._block = outer

    # functions

    def declare(
        self,
        name: str,
        params: Sequence[Type],
        results: Sequence[Type],
        *,
        entry: bool = False,
        pure: bool = False,
        apart: bool = False,
    ) -> None:
        """Declare a function, so that others can call it before it has a body."""
        values = tuple(self.new(t) for t in params)
        self.module.functions[name] = Function(name, values, tuple(results), [], entry, pure, apart)

    @contextmanager
    def function(
        self,
        name: str,
        params: Sequence[Type],
        results: Sequence[Type],
        *,
        entry: bool = False,
        pure: bool = False,
        apart: bool = False,
    ) -> Iterator[tuple[Value, ...]]:
        """Open a function, declared or new; instructions built inside the context are its body."""
        if name not in self.module.functions:
            self.declare(name, params, results, entry=entry, pure=pure, apart=apart)
        function = self.module.functions[name]
        values = function.params
        outer, self._block = self._block, function.body
        scopes, self._scopes = self._scopes, [{}]
        try:
            yield values
        finally:
            self._block, self._scopes = outer, scopes


def _check_types(name: str, expected: str, args: Sequence[Value]) -> None:
    types = "".join([a.type for a in args])
    if types != expected and (
        len(types) != len(expected)
        or any(w not in ("?", t) for w, t in zip(expected, types, strict=True))
    ):
        raise InternalError(f"{name} takes {expected}, found {types}")


# The indices of arguments that are supersets of the result.
_BOUNDS: MappingProxyType[str, tuple[int, ...]] = MappingProxyType(
    {"mand": (0, 1), "mless": (0,), "mbetween": (1,), "mslide": (1,), "mfill": (1,)}
)


def _odds_of(then: list[Instr], other: list[Instr]) -> Odds | None:
    """Return the odds of an `if` with a block that ends with a failure."""
    if then and then[-1].op == "fail":
        return "never"
    return "always" if other and other[-1].op == "fail" else None
