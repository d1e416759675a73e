"""Merging of equal functions, as LLVM's pass MergeFunctions does, but with those they call.

Two functions are equal if their instructions are equal up to the numbers of values, and the
functions that they call are equal. Classes of functions start as large as possible and are divided
until they are stable, which merges recursive functions too. See decision 186.
"""

from collections.abc import Iterable, Iterator, Mapping

from rulesengine.engine.kernel.code.form import (
    Function,
    Instr,
    Module,
    Slots,
    Value,
    Var,
    instructions,
)

_CALL = "call"


def merge_equal(module: Module) -> Module:
    """Replace functions that are equal by the first of them, and return the module.

    Entry points stay.
    """
    classes = _classes(module.functions)
    first: dict[int, str] = {}
    for name, function in module.functions.items():
        if not function.entry:
            first.setdefault(classes[name], name)
    for function in module.functions.values():
        for instr in instructions(function.body):
            if instr.op == _CALL:
                instr.detail = first.get(classes[str(instr.detail)], instr.detail)
    unique = {*first.values()}
    module.functions = {n: f for n, f in module.functions.items() if f.entry or n in unique}
    return module


def _classes(functions: Mapping[str, Function]) -> dict[str, int]:
    """Return the number of the class of each function."""
    texts = {name: tuple(_form(function)) for name, function in functions.items()}
    called = {name: tuple(_called(function)) for name, function in functions.items()}
    classes, count = dict.fromkeys(functions, 0), 0
    while True:
        known: dict[object, int] = {}
        classes = {
            name: known.setdefault((texts[name], *(classes[c] for c in called[name])), len(known))
            for name in functions
        }
        if len(known) == count:
            return classes
        count = len(known)


def _called(function: Function) -> Iterator[str]:
    return (str(i.detail) for i in instructions(function.body) if i.op == _CALL)


def _form(function: Function) -> Iterator[object]:
    """Yield the parts of a function, with values by order of appearance and without names."""
    places: dict[tuple[type, int], int] = {}

    def operand(value: Value | Var | Slots) -> object:
        if isinstance(value, Value) and value.constant is not None:
            return value
        place = places.setdefault((type(value), value.number), len(places))
        return type(value), value.type, value.count if isinstance(value, Slots) else 0, place

    def block(body: Iterable[Instr]) -> Iterator[object]:
        for instr in body:
            yield instr.op
            yield None if instr.op == _CALL else instr.detail
            yield tuple(map(operand, instr.args))
            yield tuple(map(operand, instr.out))
            for inner in instr.blocks:
                yield "{"
                yield from block(inner)
            yield "}"

    yield function.entry, function.pure, function.apart, function.results
    yield tuple(map(operand, function.params))
    yield from block(function.body)
