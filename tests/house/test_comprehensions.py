"""Names of comprehensions: none hides a captured variable from a nested function.

CPython from 3.12 on inlines comprehensions (PEP 709). Where a function has a comprehension over a
name that it captures itself, functions inside it find that name unbound: 3.12.1, 3.13.0 and 3.14.10
raise NameError for the second text below.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.modules import assert_no_module, parse, walk

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
INLINED = (ast.ListComp, ast.SetComp, ast.DictComp)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def test_no_comprehension_hides_a_captured_variable() -> None:
    assert_no_module(findings)


def findings(module: Path) -> list[str]:
    return list(hidden(parse(module)))


def hidden(tree: ast.AST, outer: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the names of comprehensions that hide a captured variable."""
    for function in own_nodes(tree):
        if not isinstance(function, SCOPES):
            continue
        names, nodes = bound(function), list(own_nodes(function))
        over = {
            name
            for node in nodes
            if isinstance(node, INLINED)
            for generator in node.generators
            for name in stored(generator.target)
        }
        over &= outer - names
        if over:
            inner = {name for node in nodes if isinstance(node, SCOPES) for name in loaded(node)}
            yield from sorted(over & inner)
        yield from hidden(function, outer | names)


def own_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope, and the functions in it without their contents."""
    due = [*ast.iter_child_nodes(tree)]
    for node in due:  # which grows
        yield node
        if not isinstance(node, SCOPES):
            due += ast.iter_child_nodes(node)


def bound(function: Function) -> frozenset[str]:
    """Return the parameters and variables of a function, without those of comprehensions."""
    args = function.args
    names = {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    names |= {arg.arg for arg in (args.vararg, args.kwarg) if arg}
    return frozenset(names | {name for node in plain_nodes(function) for name in stored(node, 0)})


def plain_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    due = [*ast.iter_child_nodes(tree)]
    for node in due:  # which grows
        yield node
        if not isinstance(node, (*SCOPES, *INLINED, ast.GeneratorExp)):
            due += ast.iter_child_nodes(node)


def stored(node: ast.AST, depth: int = 1) -> set[str]:
    """Return the names that a node assigns, and its inner nodes if there is a depth."""
    nodes = walk(node) if depth else [node]
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def loaded(function: Function) -> set[str]:
    """Return the names that a function reads and does not bind."""
    nodes = walk(function)
    read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return read - bound(function)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def f(a):\n a = [a for a in ()]\n return lambda: a", []),
        ("def f(a):\n def g():\n  x = [a for a in ()]\n  return lambda: a", ["a"]),
        ("def f(a):\n def g():\n  x = [b for b in ()]\n  return lambda: a", []),
        ("def f(a):\n def g():\n  a = [a for a in ()]\n  return lambda: a", []),
        ("def f(a):\n def g():\n  x = {a for a in ()}\n  return lambda a: a", []),
        ("def f():\n def g():\n  x = [a for a in ()]\n  return lambda: a", []),
    ],
)
def test_the_search_itself(text: str, found: list[str]) -> None:
    assert list(hidden(ast.parse(text))) == found
