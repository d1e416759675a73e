"""The source of a driver: its syntax tree with line numbers, and the kinds of its parameters."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from textwrap import dedent
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from rulesengine.engine.drivers.memory import Memory, StaticFlag, Word
from rulesengine.engine.drivers.protocol import Functions
from rulesengine.engine.kernel.translate.nodes import Function, Kind, driver_error
from rulesengine.support.frozen import record

_KINDS: MappingProxyType[Any, Kind] = MappingProxyType(
    {int: "int", bool: "bool", StaticFlag: "bool", Word: "word", Memory: "memory"}
)


@record
class Fields:
    """The fields of a record class, with their kinds."""

    type: type
    kinds: tuple[tuple[str, Kind], ...]


Signature = tuple[tuple[str, Kind | Fields], ...]


@record
class Source:
    """A driver's syntax tree, parameters and results.

    - `signature` are the parameters as written.
    - `params` are the same with each record replaced by its fields, as `record.field`.
    - `globals` are the globals of its module.
    - `static_flags` are the flags that are literals at each call.
    """

    file: str
    tree: ast.FunctionDef
    signature: Signature
    params: tuple[tuple[str, Kind], ...]
    results: tuple[Kind, ...]
    globals: dict[str, Any]
    static_flags: frozenset[str]

    def place(self, node: ast.AST) -> str:
        return f"{self.file}:{getattr(node, 'lineno', self.tree.lineno)}"


@cache
def source_of(function: Function) -> Source:
    """Return the source of a module-level function; it is cached, as kernels of all games use it.

    Raises InternalError if the function is no driver.
    """
    file, tree = _parsed(function)
    place = f"{file}:{tree.lineno}"
    arguments = tree.args
    special = (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.posonlyargs)
    if any(special) or arguments.defaults or tree.decorator_list:
        raise driver_error(place, f"`{tree.name}` has more than plain parameters")
    hints = get_type_hints(function, include_extras=True)
    names = [argument.arg for argument in arguments.args]
    if not {*names, "return"} <= hints.keys():
        raise driver_error(place, f"`{tree.name}` is not annotated")
    state = next((get_args(h)[0] for h in hints.values() if _is_game(h)), None)
    signature: Signature = tuple(
        (name, fields_of(hints[name]) or _kind(place, hints[name], state)) for name in names
    )
    params = tuple(_flattened(signature))
    kinds = [kind for _, kind in params]
    if kinds.count("state") > 1 or "game" in kinds[1:] or kinds.count("game") > 1:
        raise driver_error(place, "a driver takes a game first and one state")
    return_hint = hints["return"]
    parts = get_args(return_hint) if get_origin(return_hint) is tuple else (return_hint,)
    results = tuple(_kind(place, part, state) for part in parts)
    if {"game", "memory"} & {*results} or not results:
        raise driver_error(place, "a game is no result, nor is memory")
    known = frozenset(name for name in names if hints[name] == StaticFlag)
    return Source(file, tree, signature, params, results, function.__globals__, known)


def fields_of(hint: Any) -> Fields | None:
    """Return the fields of a frozen record of numbers, flags, words and memories, else None."""
    if not (isinstance(hint, type) and is_dataclass(hint)):
        return None
    if hint.__setattr__ is object.__setattr__:  # not frozen
        return None
    hints = get_type_hints(hint, include_extras=True)
    kinds = ((field.name, _plain_kind(hints[field.name])) for field in fields(hint))
    typed_fields = tuple((name, kind) for name, kind in kinds if kind is not None)
    return Fields(hint, typed_fields) if len(typed_fields) == len(hints) else None


def _flattened(signature: Signature) -> Iterator[tuple[str, Kind]]:
    """Yield the parameters with the fields of records in place of the records."""
    for name, kind in signature:
        if isinstance(kind, Fields):
            yield from ((f"{name}.{field}", inner) for field, inner in kind.kinds)
        else:
            yield name, kind


def _parsed(function: Function) -> tuple[str, ast.FunctionDef]:
    file = inspect.getsourcefile(function) or "?"
    lines, first = inspect.getsourcelines(function)
    (tree,) = _tree(dedent("".join(lines))).body
    ast.increment_lineno(tree, first - 1)
    at_module = function.__globals__.get(function.__name__) is function
    if not isinstance(tree, ast.FunctionDef) or not at_module:
        raise driver_error(f"{file}:{first}", "a driver is a function of a module")
    return file, tree


def _tree(text: str, tries: int = 3) -> ast.Module:
    """Parse a text; retry if other threads that parse interfere.

    Python 3.11 counts the depth of a tree for all threads together (CPython issue 106905).
    """
    try:
        return ast.parse(text)
    except SystemError:
        if tries == 1:
            raise
        return _tree(text, tries - 1)


def _is_game(hint: Any) -> bool:
    origin = get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Functions)


def _kind(place: str, hint: Any, state: Any) -> Kind:
    """Return the kind of a type; the state type is the argument of the game's annotation."""
    if _is_game(hint):
        return "game"
    if state is not None and hint == state:
        return "state"
    kind = _plain_kind(hint)
    if kind is None:
        name = hint.__name__ if isinstance(hint, type | TypeVar) else str(hint)
        raise driver_error(place, f"a driver takes and gives no {name}")
    return kind


def _plain_kind(hint: Any) -> Kind | None:
    """Return the kind of a type that does not depend on the game, else None."""
    return next((kind for type_, kind in _KINDS.items() if hint == type_), None)
