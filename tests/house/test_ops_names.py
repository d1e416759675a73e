"""Modules that branch on names of operations; the others recognise operations by their rows.

A comparison by name fails open: an operation that is added later has the property and not the name.
Tables with a row for each operation are no comparisons; `test_ops_tables` has these.
"""

import ast
from collections.abc import Iterator

import pytest

from rulesengine.language.ir.ops import OPS
from tests.helpers.modules import parse, walk
from tests.house.test_ops_tables import PACKAGE

# Variables for statements of scripts, which have names of their own.
_STATEMENTS = frozenset({"statement", "s"})
# The shapes of common notions, for English. This set only ever shrinks.
ALLOWED = frozenset({"prose.idioms"})


def texts(node: ast.AST) -> set[str]:
    """Return the texts below a node."""
    found = {part.value for part in walk(node) if isinstance(part, ast.Constant)}
    return {text for text in found if isinstance(text, str)}


def is_name(node: ast.AST | None) -> bool:
    """True if a node is an attribute `name`, or a display with one."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(is_name, node.elts))
    if not isinstance(node, ast.Attribute) or node.attr != "name":
        return False
    return not (isinstance(node.value, ast.Name) and node.value.id in _STATEMENTS)


def names_of_names(tree: ast.Module) -> set[str]:
    """Return the variables that are assigned an attribute `name`."""
    found = set()
    for node in walk(tree):
        if isinstance(node, ast.Assign | ast.NamedExpr):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and is_name(node.value):
                found.add(target.id)
    return found


def branches(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of a module that branch on the name of an operation."""
    known = names_of_names(tree)

    def has_name(node: ast.AST) -> bool:
        return is_name(node) or (isinstance(node, ast.Name) and node.id in known)

    for node in walk(tree):
        found: set[str] = set()
        match node:
            case ast.Compare():
                sides = (node.left, *node.comparators)
                if any(map(has_name, sides)):
                    found = set().union(*map(texts, sides))
            case ast.Match() if has_name(node.subject):
                found = set().union(*(texts(case.pattern) for case in node.cases))
            case ast.MatchClass(cls=ast.Name(id="Op")):
                keys = zip(node.kwd_attrs, node.kwd_patterns, strict=True)
                names = [*node.patterns[:1], *(value for key, value in keys if key == "name")]
                found = set().union(*map(texts, names))
            case ast.FunctionDef() if any(map(is_lookup, walk(node))):
                found = keys_inside(node)
        if found & OPS.keys():
            yield node.lineno  # type: ignore[attr-defined]


def is_lookup(node: ast.AST) -> bool:
    """True if a node looks an attribute `name` up in a collection."""
    match node:
        case ast.Subscript():
            return is_name(node.slice)
        case ast.Call(func=ast.Attribute(attr="get"), args=[key, *_]):
            return is_name(key)
    return False


def keys_inside(function: ast.FunctionDef) -> set[str]:
    """Return the texts that are keys of dictionaries inside a function."""
    found = (node for node in walk(function) if isinstance(node, ast.Dict))
    return set().union(*(texts(key) for node in found for key in node.keys if key))


def package() -> Iterator[tuple[str, ast.Module]]:
    """Yield the name and the tree of each module of the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        yield module, parse(path)


def test_no_further_module_branches_on_names_of_operations() -> None:
    found = {module for module, tree in package() if any(branches(tree))}
    assert found == ALLOWED


@pytest.mark.parametrize(
    "text",
    [
        "x = op.name == 'and'",
        "x = op.name in ('and', 'or')",
        "x = 'and' in {op.name, other.name}",
        "name = op.name\nx = name != 'and'",
        "match op.name:\n    case 'and': x = 1",
        "match op:\n    case Op(name='and'): x = 1",
        "match op:\n    case Op('and' | 'or'): x = 1",
        "def f(op):\n    return {'and': 1, 'or': 2}.get(op.name)",
    ],
)
def test_a_branch_on_a_name_is_found(text: str) -> None:
    assert any(branches(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "x = has_role(op, 'meet')",
        "x = op.name == other.name",
        "x = player.name == 'black'",
        "x = statement.name == 'if'",
        "make('and', a, b)",
        "match op.value:\n    case 'count': x = 1",
    ],
)
def test_other_code_is_no_branch_on_a_name(text: str) -> None:
    assert not any(branches(ast.parse(text)))
