"""Function merging by parameterisation: one function for all sides instead of one for each.

The functions of the sides have equal instructions, except for some constants and operands. They are
replaced by one function with the side as a further parameter, which selects the operands that
differ. Correctness does not depend on the alignment of instructions: each operand of the merged
code is the operand in the function of the side. After von Koch, Franke, Bhandarkar and Dasgupta,
"Exploiting function similarity for code size reduction" (LCTES 2014). See decision 123.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from rulesengine.engine.kernel.code.alignment import Row, align
from rulesengine.engine.kernel.code.dead_code import remove_dead_code
from rulesengine.engine.kernel.code.form import (
    PURE,
    Detail,
    Function,
    Instr,
    Module,
    Slots,
    Table,
    Value,
    Var,
    instructions,
)

_NUMBERED, _ENDED = (re.compile(rf"(.*)_([0-9]+)({ending})") for ending in ("", "(?:_[a-z]+)?"))
_SUFFIX = ".sides"  # of the names of merged functions
_SELECTED = frozenset("ifmu")  # types of operands that can be selected
_LONG = frozenset({"mbetween", "mtoward", "mslide", "mfill"})  # executed for one side only
_LOOKUPS = frozenset({"ilook", "mlook"})
_COMMUTATIVE = frozenset("iadd imul imin imax iand ior ieq mand mor mxor meq fand for".split())
_LARGEST = 0.8  # of the size of its variants; a larger merged function is not used
_WORD = 64  # cells
# The least size of a module to merge, in instructions on one word. LLVM takes three seconds for the
# first size with all passes. The second is that of modules that mostly run these functions; it
# takes five seconds.
_LARGE, _LARGE_LOOPS = 12_000, 28_000
_LOOPS = frozenset({"perft", "playouts"})  # entry points that repeat these functions only

Operand = Value | Var | Slots


class Variant(NamedTuple):
    """The function of one side: the stem of its name, and the number of its side."""

    stem: str
    side: int


class _MismatchError(Exception):
    """Functions that cannot be merged."""


def merge_large(module: Module) -> Module:
    """Merge the functions of all sides if the module would take long to compile."""
    words = -(-module.cells // _WORD)
    size = sum(1 for f in module.functions.values() for _ in instructions(f.body))
    least = _LARGE if _LOOPS.isdisjoint(module.functions) else _LARGE_LOOPS
    return merge_sides(module) if words * size >= least else module


def merge_sides(module: Module, *, with_endings: bool = False) -> Module:
    """Merge the functions of all sides where that is possible, and return the module.

    Functions of sides have names that differ only in a last number. With `with_endings` a word may
    follow the number.
    """
    families = dict(_families(module, _ENDED if with_endings else _NUMBERED))
    variants = {
        function.name: Variant(stem, side)
        for stem, functions in families.items()
        for side, function in enumerate(functions)
    }
    numbers = count(1 + _last_number(module))
    merged: dict[str, Function] = {}
    for stem, functions in families.items():
        try:
            merged[stem] = _Merger(functions, variants, numbers).merged(stem + _SUFFIX)
        except _MismatchError:
            continue
    result = _with_merged(module, merged, variants)
    called = {str(i.detail) for f in result.values() for i in _calls(f)}
    for stem in families:
        if stem not in merged and stem + _SUFFIX in called:
            dispatcher = _dispatcher(stem + _SUFFIX, families[stem], numbers)
            result[dispatcher.name] = dispatcher
    module.functions = result
    return remove_dead_code(module)


def _families(module: Module, form: "re.Pattern[str]") -> Iterator[tuple[str, list[Function]]]:
    """Yield the functions with names of a form that differ only in its number, after their stem.

    They are ordered by this number.
    """
    by_side: dict[str, dict[int, Function]] = {}
    for name, function in module.functions.items():
        match = form.fullmatch(name)
        if match and not function.entry:
            stem, number, ending = match.groups()
            by_side.setdefault(stem + ending, {})[int(number)] = function
    for stem, functions in by_side.items():
        if len(functions) > 1 and len({_signature(f) for f in functions.values()}) == 1:
            yield stem, [functions[number] for number in sorted(functions)]


def _signature(function: Function) -> tuple[object, ...]:
    types = tuple(param.type for param in function.params)
    return types, function.results, function.pure, function.apart


def _last_number(module: Module) -> int:
    """Return the largest number of a value or variable."""
    bodies = (f.body for f in module.functions.values())
    outputs = (out.number for body in bodies for i in instructions(body) for out in i.out)
    params = (param.number for f in module.functions.values() for param in f.params)
    return max((*outputs, *params), default=0)


def _calls(function: Function) -> Iterator[Instr]:
    return (instr for instr in instructions(function.body) if instr.op == "call")


def _with_merged(
    module: Module, merged: Mapping[str, Function], variants: Mapping[str, Variant]
) -> dict[str, Function]:
    """Return the functions with merged ones in place of their variants, and redirect calls."""
    functions: dict[str, Function] = {}
    for name, function in module.functions.items():
        variant = variants.get(name)
        if variant is None or variant.stem not in merged:
            functions[name] = function
            _redirect(function, merged, variants)
        elif variant.side == 0:
            functions[variant.stem + _SUFFIX] = merged[variant.stem]
    return functions


def _redirect(
    function: Function, merged: Mapping[str, Function], variants: Mapping[str, Variant]
) -> None:
    """Replace calls of variants by calls of the merged functions."""
    for instr in _calls(function):
        variant = variants.get(str(instr.detail))
        if variant and variant.stem in merged:
            instr.detail = variant.stem + _SUFFIX
            instr.args = (*instr.args, Value("i", -1, variant.side))


def _dispatcher(name: str, functions: Sequence[Function], numbers: "count[int]") -> Function:
    """Return a function that calls the variant of the side in its last parameter."""
    params = tuple(Value(p.type, next(numbers)) for p in functions[0].params)
    side = Value("i", next(numbers))
    body = _call_and_return(functions[-1], params, numbers)
    for number, function in reversed(list(enumerate(functions[:-1]))):
        flag = Value("f", next(numbers))
        test = Instr("ieq", (side, Value("i", -1, number)), (flag,))
        call = _call_and_return(function, params, numbers)
        body = [test, Instr("if", (flag,), (), None, (call, [])), *body]
    return Function(name, (*params, side), functions[0].results, body, pure=functions[0].pure)


def _call_and_return(
    function: Function, params: tuple[Value, ...], numbers: "count[int]"
) -> list[Instr]:
    outs = tuple(Value(type, next(numbers)) for type in function.results)
    return [Instr("call", params, outs, function.name), Instr("return", outs)]


class _Merger:
    """A merger of the functions of all sides into one, with the values of the first function."""

    def __init__(
        self, functions: Sequence[Function], variants: Mapping[str, Variant], numbers: "count[int]"
    ) -> None:
        self._functions = functions
        self._variants = variants
        self._numbers = numbers
        self._side = self._new("i")
        self._entry: list[Instr] = []
        self._params = {p.number for p in functions[0].params}
        # The merged operands of each other function, by their numbers there.
        self._maps: list[dict[int, Operand]] = [
            {own.number: p for own, p in zip(f.params, functions[0].params, strict=True)}
            for f in functions[1:]
        ]
        # Selected operands by the operands of each side, in the entry block and in each open block.
        self._scopes: list[dict[tuple[Value, ...], Value]] = [{}]
        self._flags: dict[int, Value] = {}

    def merged(self, name: str) -> Function:
        """Return the merged function. Raises _MismatchError."""
        first = self._functions[0]
        body = self._block([f.body for f in self._functions])
        body = [*self._entry, *body]
        sizes = [
            sum(1 for _ in instructions(b)) for b in (body, *(f.body for f in self._functions))
        ]
        if sizes[0] > _LARGEST * sum(sizes[1:]):
            raise _MismatchError
        params = (*first.params, self._side)
        return Function(name, params, first.results, body, pure=first.pure, apart=first.apart)

    def _new(self, type: str) -> Value:
        return Value(type, next(self._numbers))  # type: ignore[arg-type]

    def _block(self, blocks: Sequence[list[Instr]]) -> list[Instr]:
        """Return the merged instructions of corresponding blocks."""
        rows = align(blocks)
        if rows is None:
            raise _MismatchError
        self._scopes.append({})
        out: list[Instr] = []
        for row in rows:
            aligned = tuple(instr for instr in row if instr is not None)
            if len(aligned) == len(row):
                self._add(aligned, out)
            else:
                self._add_apart(row, out)
        self._scopes.pop()
        return out

    def _add_apart(self, row: Row, out: list[Instr]) -> None:
        """Append the instruction of each side in a row, executed for all sides."""
        for side, instr in enumerate(row):
            if instr is None:
                continue
            known = self._maps[side - 1] if side else {}
            args = tuple(known.get(arg.number, arg) for arg in instr.args)
            out.append(Instr(instr.op, args, instr.out, instr.detail))

    def _add(self, row: tuple[Instr, ...], out: list[Instr]) -> None:
        """Append the merged instruction of corresponding instructions."""
        first = row[0]
        if first.op in _COMMUTATIVE:
            row = (first, *map(self._exchanged, row[1:], [first] * len(row), self._maps))
        if len({(len(instr.args), len(instr.out)) for instr in row}) > 1:
            raise _MismatchError  # calls of functions with other parameters
        args = [self._operand(row, place, out) for place in range(len(first.args))]
        for known, other in zip(self._maps, row[1:], strict=True):
            for own, value in zip(other.out, first.out, strict=True):
                known[own.number] = value
        details = [instr.detail for instr in row]
        is_uniform = all(detail == details[0] for detail in details[1:])
        if first.op == "call":
            self._add_call(row, args, out)
        elif first.blocks:
            inner = zip(*(instr.blocks for instr in row), strict=True)
            blocks = tuple(map(self._block, inner))
            odds = first.detail if is_uniform else None
            out.append(Instr(first.op, tuple(args), first.out, odds, blocks))
        elif is_uniform:
            out.append(Instr(first.op, tuple(args), first.out, first.detail))
        else:
            self._add_by_detail(first, args, details, out)

    def _operand(self, row: Sequence[Instr], place: int, out: list[Instr]) -> Operand:
        """Return the merged operand at a place of corresponding instructions."""
        first = row[0].args[place]
        for known, other in zip(self._maps, row[1:], strict=True):
            own = other.args[place]
            if known.get(own.number, own) != first:
                return self._selected([instr.args[place] for instr in row], out)
        return first

    @staticmethod
    def _exchanged(instr: Instr, first: Instr, known: Mapping[int, Operand]) -> Instr:
        """Return an instruction, with exchanged operands if these are the merged ones."""
        args = tuple(known.get(arg.number, arg) for arg in instr.args)
        if args == first.args or args[::-1] != first.args:
            return instr
        return Instr(instr.op, instr.args[::-1], instr.out, instr.detail)

    def _add_call(self, row: Sequence[Instr], args: list[Operand], out: list[Instr]) -> None:
        """Append a call of the merged function of the called variants, or of the function."""
        names = [str(instr.detail) for instr in row]
        variants = [self._variants[name] for name in names if name in self._variants]
        if not variants and len(set(names)) == 1:
            out.append(Instr("call", tuple(args), row[0].out, names[0]))
            return
        stems = {variant.stem for variant in variants}
        if len(stems) != 1 or len(variants) != len(row):
            raise _MismatchError
        sides = [Value("i", -1, variant.side) for variant in variants]
        is_own = [side.const for side in sides] == list(range(len(sides)))
        callee = self._side if is_own else self._selected(sides, out)
        out.append(Instr("call", (*args, callee), row[0].out, stems.pop() + _SUFFIX))

    def _add_by_detail(
        self, first: Instr, args: list[Operand], details: Sequence[Detail], out: list[Instr]
    ) -> None:
        """Append an instruction with another detail for each side."""
        if first.op not in PURE:
            raise _MismatchError
        if first.op in _LOOKUPS:
            self._add_lookup(first, args, details, out)
            return
        if first.op in _LONG:
            raise _MismatchError
        values: list[Value] = []
        for place, detail in enumerate(details):
            same = next((v for v, d in zip(values, details, strict=False) if d == detail), None)
            values.append(same or self._new(first.out[0].type))
            if same is None:
                out.append(Instr(first.op, tuple(args), (values[place],), detail))
        self._pick(values, first.out[0], out)

    def _add_lookup(
        self, first: Instr, args: list[Operand], details: Sequence[Detail], out: list[Instr]
    ) -> None:
        """Append a lookup in the tables of all sides, one after the other."""
        items: list[int] = []
        starts = []
        for detail in details:
            assert isinstance(detail, Table)
            starts.append(Value("i", -1, len(items)))
            items += detail.items
        index = self._new("i")
        start = self._selected(starts, out)
        out.append(Instr("iadd", (args[0], start), (index,)))
        table = Table(first.out[0].type, tuple(items))
        out.append(Instr(first.op, (index,), first.out, table))

    def _selected(self, operands: Sequence[Operand], out: list[Instr]) -> Operand:
        """Return the operand of the side."""
        values = []
        for side, operand in enumerate(operands):
            operand_of_side = self._maps[side - 1].get(operand.number, operand) if side else operand
            if not isinstance(operand_of_side, Value) or operand_of_side.type not in _SELECTED:
                raise _MismatchError
            values.append(operand_of_side)
        if all(value == values[0] for value in values):
            return values[0]
        key = tuple(values)
        for scope in reversed(self._scopes):
            if key in scope:
                return scope[key]
        chosen = self._new(values[0].type)
        at_entry = any(v.number >= 0 for v in values) and all(
            v.number < 0 or v.number in self._params for v in values
        )
        self._scopes[0 if at_entry else -1][key] = chosen
        self._pick(values, chosen, self._entry if at_entry else out)
        return chosen

    def _pick(self, values: Sequence[Value], result: Operand, out: list[Instr]) -> None:
        """Append the selection of the value of the side."""
        if all(v.number < 0 for v in values) and values[0].type in "im" and len(values) > 2:
            op = f"{values[0].type}look"
            table = Table(values[0].type, tuple(v.const for v in values))
            out.append(Instr(op, (self._side,), (result,), table))
            return
        value = values[0]
        for side in range(1, len(values)):
            chosen = result if side == len(values) - 1 else self._new(value.type)
            out.append(Instr("pick", (self._flag(side), values[side], value), (chosen,)))
            assert isinstance(chosen, Value)
            value = chosen

    def _flag(self, side: int) -> Value:
        """Return the flag of a side, computed once."""
        if side not in self._flags:
            self._flags[side] = self._new("f")
            number = Value("i", -1, side)
            self._entry.insert(0, Instr("ieq", (self._side, number), (self._flags[side],)))
        return self._flags[side]
