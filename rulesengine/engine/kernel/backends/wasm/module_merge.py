"""Merge several kernels of a program into one module, which share their lists and history.

One part runs at a time. The names of its functions have the part as a prefix.
"""

from collections.abc import Mapping
from dataclasses import replace

from rulesengine.engine.kernel.code.form import Function, Instr, Module

SHARED = "lengthen"  # an entry point that is the same in all parts with a history


def merge_modules(parts: Mapping[str, Module]) -> Module:
    """Return a module with the functions of all parts, which must be of the same program."""
    functions = dict[str, Function]()
    for part, module in parts.items():
        names = {name: name if name == SHARED else f"{part}.{name}" for name in module.functions}
        for function in module.functions.values():
            name = names[function.name]
            body = _renamed(function.body, names)
            functions.setdefault(name, replace(function, name=name, body=body))
    return replace(next(iter(parts.values())), functions=functions)


def _renamed(block: list[Instr], names: Mapping[str, str]) -> list[Instr]:
    return [_one(instr, names) for instr in block]


def _one(instr: Instr, names: Mapping[str, str]) -> Instr:
    """Replace the name of the function that an instruction calls."""
    blocks = tuple(_renamed(block, names) for block in instr.blocks)
    if instr.op == "call":
        return replace(instr, detail=names[str(instr.detail)])
    return replace(instr, blocks=blocks) if blocks else instr
