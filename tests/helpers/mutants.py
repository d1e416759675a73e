"""Mutants of a Python program: one changed operator, constant, text or condition each."""

import ast
import signal
from collections.abc import Callable, Iterator
from random import Random
from types import FrameType
from typing import Any

Run = Callable[[bytes], tuple[bytes, int]]

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
_SECONDS = 5  # for one case; a mutant may never end


class _TooSlowError(Exception):
    pass


def mutants(text: str, count: int, ignored: frozenset[str]) -> list[tuple[str, str]]:
    """Return `count` mutants of a program, each with the changed line.

    Lines that are `ignored` stay: mutants there are equivalent, or differ on wrong input only.
    """
    whole = [*_mutants(text)]
    taken = [(line, mutant) for line, mutant in whole if line not in ignored]
    return Random(0).sample(taken, count)


def fails(
    text: str, run: Callable[[dict[str, Any]], Run], cases: list[tuple[bytes, bytes]]
) -> bool:
    """True if a mutant differs on a case, raises an error, or does not end."""
    before = signal.signal(signal.SIGALRM, _interrupt)
    try:
        names: dict[str, Any] = {"__name__": "mutant"}
        exec(compile(text, "mutant", "exec"), names)  # noqa: S102
        for given, expected in cases:
            signal.alarm(_SECONDS)
            if run(names)(given) != (expected, 0):
                return True
    except (Exception, RecursionError):
        return True
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return False


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise _TooSlowError


def _mutants(text: str) -> Iterator[tuple[str, str]]:
    tree = ast.parse(text)
    lines = [line.strip() for line in text.splitlines()]
    for node in ast.walk(tree):
        for name, value in _changes(node):
            before, line = getattr(node, name), lines[getattr(node, "lineno", 1) - 1]
            setattr(node, name, value)
            yield line, ast.unparse(ast.fix_missing_locations(tree))
            setattr(node, name, before)


def _changes(node: ast.AST) -> Iterator[tuple[str, object]]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARISONS:
            yield "ops", [_COMPARISONS[type(operator)]()]
        case ast.BinOp(op=ast.Add()) | ast.AugAssign(op=ast.Add()):
            yield "op", ast.Sub()
        case ast.BinOp(op=ast.Sub()) | ast.AugAssign(op=ast.Sub()):
            yield "op", ast.Add()
        case ast.BoolOp(op=ast.And()):
            yield "op", ast.Or()
        case ast.BoolOp(op=ast.Or()):
            yield "op", ast.And()
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            yield "value", value + 1
        case ast.If():
            yield "test", ast.Constant(value=False)
