"""Dead code elimination: unread instructions, variables and parameters, uncalled functions.

Values without uses are removed, then the operands that only they used, and so on. Unused parameters
of mutually recursive functions are found by iteration to a fixed point; afterwards their arguments
may be dead too.
"""

from collections import defaultdict
from collections.abc import Container, Iterator
from dataclasses import replace

from rulesengine.engine.kernel.code.form import (
    CHECKED,
    PURE,
    Function,
    Instr,
    Module,
    Var,
    instructions,
)

# Further instructions with a result and no effect: reads of lists, variables and memory, an empty
# list. A history that is never read need not be loaded, either.
_READING = frozenset(
    "get fetch size item load_history recall met load8 load16 load32 load64 load_set atomic_load"
    " list".split()
)
_REMOVABLE = (PURE.keys() - CHECKED) | _READING


def remove_dead_code(module: Module) -> Module:
    """Remove instructions with unused results from all functions, and return the module."""
    for function in module.functions.values():
        _prune(function)
    for name in _drop_parameters(module):
        _prune(module.functions[name])
    return module


def with_entries(module: Module, names: Container[str]) -> Module:
    """Return a module with some of the entry points, and with the functions that they call."""
    called, waiting = set[str](), [name for name in module.functions if name in names]
    while waiting:
        name = waiting.pop()
        if name not in called:
            called.add(name)
            waiting.extend(str(call.detail) for call in _calls(module.functions[name].body))
    functions = {
        name: replace(function, entry=name in names)
        for name, function in module.functions.items()
        if name in called
    }
    return replace(module, functions=functions)


def _drop_parameters(module: Module) -> set[str]:
    """Remove parameters that inner functions never use, recursive functions included.

    Returns the names of the functions with calls that have lost arguments.
    """
    uses = {name: _uses_of(function) for name, function in module.functions.items()}
    used: dict[str, set[int]] = {name: set() for name in module.functions}
    changed = True
    while changed:
        changed = False
        for name, (always, passed) in uses.items():
            used_places = always | {i for i, callee, place in passed if place in used[callee]}
            if used_places != used[name]:
                used[name], changed = used_places, True
    for name, function in module.functions.items():
        function.params = tuple(p for i, p in enumerate(function.params) if i in used[name])
    shortened = set()
    for name, function in module.functions.items():
        for instr in _calls(function.body):
            live = used[str(instr.detail)]
            if len(live) < len(instr.args):
                instr.args = tuple(arg for i, arg in enumerate(instr.args) if i in live)
                shortened.add(name)
    return shortened


def _uses_of(function: Function) -> tuple[set[int], list[tuple[int, str, int]]]:
    """Return the indices of parameters that a function uses itself, and those that it passes on.

    The latter come with the callee and the index of its parameter.
    """
    indices = {value.number: index for index, value in enumerate(function.params)}
    always, passed = set(range(len(indices)) if function.entry else ()), []
    for instr in instructions(function.body):
        for place, arg in enumerate(instr.args):
            index = indices.get(arg.number)
            if index is None:
                continue
            if instr.op == "call":
                passed.append((index, str(instr.detail), place))
            else:
                always.add(index)
    return always, passed


def _calls(block: list[Instr]) -> Iterator[Instr]:
    for instr in block:
        if instr.op == "call":
            yield instr
        for inner in instr.blocks:
            yield from _calls(inner)


def _prune(function: Function) -> None:
    uses, makers, setters = defaultdict[int, int](int), dict[int, Instr](), dict[int, list[Instr]]()
    _note(function.body, uses, makers, setters)
    dead: set[int] = set()
    waiting = [number for numbers in (makers, setters) for number in numbers if not uses[number]]
    while waiting:
        number = waiting.pop()
        for instr in (*setters.get(number, ()), *filter(None, [makers.get(number)])):
            if id(instr) in dead:
                continue
            dead.add(id(instr))
            for arg in instr.args if instr.op != "set" else instr.args[1:]:
                if arg.number >= 0:
                    uses[arg.number] -= 1
                    if not uses[arg.number] and (arg.number in makers or arg.number in setters):
                        waiting.append(arg.number)
    if dead:
        function.body[:] = _alive(function.body, dead)


def _note(
    block: list[Instr],
    uses: dict[int, int],
    makers: dict[int, Instr],
    setters: dict[int, list[Instr]],
) -> None:
    """Count uses and record defining instructions; a variable is used where it is read."""
    for instr in block:
        op, args = instr.op, instr.args
        for arg in args if op != "set" else args[1:]:
            uses[arg.number] += 1
        if op == "let" or (op == "set" and isinstance(args[0], Var)):
            var = instr.out[0] if op == "let" else args[0]
            setters.setdefault(var.number, []).append(instr)
        elif op in _REMOVABLE:
            makers[instr.out[0].number] = instr
        for inner in instr.blocks:
            _note(inner, uses, makers, setters)


def _alive(block: list[Instr], dead: set[int]) -> list[Instr]:
    alive = []
    for instr in block:
        if id(instr) in dead:
            continue
        instr.blocks = tuple(_alive(inner, dead) for inner in instr.blocks)
        # An `if` is removed when its blocks have become empty.
        if instr.op == "if" and not any(i.op != "note" for b in instr.blocks for i in b):
            continue
        alive.append(instr)
    return alive
