"""Dead code elimination: remove instructions, variables and parameters that are never read.

Values without uses are removed, then the operands that only they used, and so on. Unused parameters
of mutually recursive functions are found by iteration to a fixed point; afterwards their arguments
may be dead too.
"""

from collections import Counter
from collections.abc import Iterator

from rulesengine.engine.kernel.code.form import CHECKED, PURE, Function, Instr, Module, Var

# Further instructions with a result and no effect: reads of lists, variables and memory, an empty
# list. A history that is never read need not be loaded, either.
_READING = frozenset(
    "get fetch size item retell recall met load8 load16 load32 load64 load_set atomic_load"
    " list".split()
)


def remove_dead_code(module: Module) -> Module:
    """Remove instructions with unused results from all functions, and return the module."""
    functions = module.functions.values()
    for function in functions:
        _prune(function)
    _drop_parameters(module)
    for function in functions:
        _prune(function)
    return module


def _drop_parameters(module: Module) -> None:
    """Remove parameters that inner functions never use, recursive functions included."""
    used: dict[str, set[int]] = {name: set() for name in module.functions}
    changed = True
    while changed:
        changed = False
        for name, function in module.functions.items():
            numbers = _used_in(function.body, module, used)
            found = {i for i, p in enumerate(function.params) if p.number in numbers}
            if function.entry:
                found = set(range(len(function.params)))
            if found != used[name]:
                used[name], changed = found, True
    for name, function in module.functions.items():
        function.params = tuple(p for i, p in enumerate(function.params) if i in used[name])
        for instr in _calls(function.body):
            kept = used[str(instr.detail)]
            instr.args = tuple(arg for i, arg in enumerate(instr.args) if i in kept)


def _used_in(block: list[Instr], module: Module, used: dict[str, set[int]]) -> set[int]:
    """Return the numbers of the values that a block uses, given the used parameters of callees."""
    numbers: set[int] = set()
    for instr in block:
        args = enumerate(instr.args)
        if instr.op == "call":
            kept = used[str(instr.detail)]
            numbers |= {arg.number for i, arg in args if i in kept}
        else:
            numbers |= {arg.number for _, arg in args}
        for inner in instr.blocks:
            numbers |= _used_in(inner, module, used)
    return numbers


def _calls(block: list[Instr]) -> Iterator[Instr]:
    for instr in block:
        if instr.op == "call":
            yield instr
        for inner in instr.blocks:
            yield from _calls(inner)


def _prune(function: Function) -> None:
    uses: Counter[int] = Counter()
    makers: dict[int, Instr] = {}
    setters: dict[int, list[Instr]] = {}
    _note(function.body, uses, makers, setters)
    dead: set[int] = set()
    waiting = [n for n, instr in makers.items() if not uses[n]] + [
        n for n in setters if not uses[n]
    ]
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
    function.body[:] = _alive(function.body, dead)


def _note(
    block: list[Instr],
    uses: Counter[int],
    makers: dict[int, Instr],
    setters: dict[int, list[Instr]],
) -> None:
    """Count uses and record defining instructions; a variable is used where it is read."""
    for instr in block:
        for arg in instr.args if instr.op != "set" else instr.args[1:]:
            uses[arg.number] += 1
        if instr.op == "let" or (instr.op == "set" and isinstance(instr.args[0], Var)):
            var = instr.out[0] if instr.op == "let" else instr.args[0]
            setters.setdefault(var.number, []).append(instr)
        elif (instr.op in PURE and instr.op not in CHECKED) or instr.op in _READING:
            makers[instr.out[0].number] = instr
        for inner in instr.blocks:
            _note(inner, uses, makers, setters)


def _alive(block: list[Instr], dead: set[int]) -> list[Instr]:
    kept = []
    for instr in block:
        if id(instr) in dead:
            continue
        instr.blocks = tuple(_alive(inner, dead) for inner in instr.blocks)
        # An `if` whose blocks have become empty is removed.
        if instr.op == "if" and not any(i.op != "note" for b in instr.blocks for i in b):
            continue
        kept.append(instr)
    return kept
