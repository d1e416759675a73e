"""Structure of the kernel package: tables, short inheritance chains, no lookup by text."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulesengine.engine.kernel.emit.effects import EFFECTS
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.language.ir.ops import OPS
from rulesengine.language.lower import kind_registers, stacks, tiles
from tests.helpers.modules import parse, walk

# Lowering replaces them.
REPLACED = kind_registers.REPLACED | stacks.REPLACED | tiles.REPLACED
KERNEL = Path(__file__).parents[2] / "rulesengine" / "engine" / "kernel"
PATHS = sorted(KERNEL.rglob("*.py"))
LONGEST = 3


def test_every_operation_of_a_program_is_emitted_by_a_row_of_its_own() -> None:
    effects = {name for name, row in OPS.items() if row.result == "effect"} - REPLACED
    names = {name for name, row in OPS.items() if "names" in row.reads} | REPLACED
    assert EFFECTS.keys() == effects
    assert EMIT.keys() == OPS.keys() - effects - names - {
        "range",
        "along",
    }  # the domains of loops are evaluated by the loops


def bases(trees: Iterator[ast.Module] | list[ast.Module]) -> dict[str, list[str]]:
    """Return the classes by name, each with the names of its bases."""
    return {
        node.name: [ast.unparse(base).split("[")[0] for base in node.bases]
        for tree in trees
        for node in walk(tree)
        if isinstance(node, ast.ClassDef)
    }


def links(name: str, known: dict[str, list[str]]) -> int:
    return 1 + max((links(base, known) for base in known[name] if base in known), default=0)


@pytest.mark.slow
def test_no_chain_of_classes_is_longer_than_three() -> None:
    known = bases([parse(path) for path in PATHS])
    assert len(known) > 20
    assert {name: n for name in known if (n := links(name, known)) > LONGEST} == {}


def test_the_counting_of_links_itself() -> None:
    known = bases([ast.parse("class A: pass\nclass B(A): pass\nclass C(B, Exception): pass")])
    assert {name: links(name, known) for name in known} == {"A": 1, "B": 2, "C": 3}


def lookups(tree: ast.Module) -> list[str]:
    """Return attributes that are looked up by a computed name."""
    return [
        ast.unparse(node)
        for node in walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "getattr"
        and not isinstance(node.args[1], ast.Constant)
    ]


@pytest.mark.slow
def test_nothing_is_looked_up_by_a_name_that_is_put_together() -> None:
    found = {str(path.relative_to(KERNEL)): lookups(parse(path)) for path in PATHS}
    assert {path: calls for path, calls in found.items() if calls} == {}


@pytest.mark.parametrize(
    ("text", "count"),
    [("getattr(a, 'op_' + b)", 1), ("getattr(a, f'do_{b}')(c)", 1), ("getattr(a, 'b', None)", 0)],
)
def test_the_search_for_look_ups_itself(text: str, count: int) -> None:
    assert len(lookups(ast.parse(text))) == count


# Each folder may use those before it, and the files of `kernel/` itself all of them.
FOLDERS = ("code", "analysis", "passes", "emit", "entries", "scripts", "translate", "backends")
# A back end prints code and has no access to rules.
PRINTS = {"code", "analysis"}


def folder_of(path: Path) -> str:
    parts = path.relative_to(KERNEL).parts
    return parts[0] if len(parts) > 1 else ""


def used_folders(tree: ast.Module) -> set[str]:
    """Return the folders of `kernel/` that a file imports from."""
    names = [
        name
        for node in walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
    ]
    parts = [name.split(".")[3:] for name in names if name.startswith("rulesengine.engine.kernel.")]
    return {found[0] for found in parts if (KERNEL / found[0]).is_dir()}


@pytest.mark.slow
def test_folders_use_only_those_before_them() -> None:
    for path in PATHS:
        folder, used = folder_of(path), used_folders(parse(path))
        if folder:
            below = FOLDERS[: FOLDERS.index(folder)] if folder != "backends" else PRINTS
            assert (path.name, used - {folder} - set(below)) == (path.name, set())
    assert {folder_of(path) for path in PATHS} == {*FOLDERS, ""}
