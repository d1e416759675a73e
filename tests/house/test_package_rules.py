"""Rules of the design that hold for the text of the package as a whole."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulesengine
from rulesengine import errors
from tests.helpers.modules import ROOT, assert_no_module, label, parse, read, walk

TEXTS = (
    "*.md",
    "*.toml",
    ".ci/*",
    "docs/**/*.md",
    "games/*.yaml",
    "rulesengine/**/*.py",
    "tests/**/*.py",
)
MOST_LINES = 450
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
DRAWERS = {"utils", "util", "helpers", "common", "misc", "types", "ast", "io"}
VARIABLES = {"HOME", "NO_COLOR", "TERM", "XDG_CACHE_HOME", "RULESENGINE_CACHE"}
# External programs get the whole environment, as they would from a shell.
# Workers inherit the folder of a temporary cache.
HANDING_ON = {
    "rulesengine/sandbox/supervisor.py",
    "rulesengine/server/web/worker_environment.py",
    "rulesengine/support/temporary_cache.py",
}
MUTABLE = {"bytearray", "defaultdict", "deque", "dict", "list", "set", "Counter", "OrderedDict"}


def test_no_file_is_long() -> None:
    assert_no_module(too_long)


def too_long(module: Path) -> list[str]:
    """Return a finding for a module with too many lines of code; documentation does not count."""
    count = len(lines_of_code(module))
    return [f"{count} lines of code, at most {MOST_LINES}"] if count > MOST_LINES else []


def lines_of_code(module: Path) -> set[int]:
    """Return the numbers of lines with a token other than a comment or a docstring."""
    texts = [n.body[0] for n in walk(parse(module)) if isinstance(n, DOCUMENTED) and n.body]
    documented = {
        line
        for text in texts
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        for line in range(text.lineno, (text.end_lineno or text.lineno) + 1)
    }
    lines = enumerate(read(module).splitlines(), 1)
    written = {number for number, line in lines if line.strip() and line.strip()[0] != "#"}
    return written - documented


def test_no_module_is_a_drawer_for_everything() -> None:
    assert_no_module(lambda module: {module.stem} & DRAWERS)


@pytest.mark.slow
def test_every_module_with_code_has_a_docstring() -> None:
    assert_no_module(without_docstring)


def without_docstring(module: Path) -> list[str]:
    tree = parse(module)
    return ["no docstring"] if tree.body and not ast.get_docstring(tree) else []


@pytest.mark.slow
def test_no_module_holds_state_that_can_change() -> None:
    assert_no_module(lambda module: mutable_state(parse(module)))


def mutable_state(tree: ast.Module) -> Iterator[str]:
    """Yield names that a module binds to mutable values, and `global` statements.

    A table is a tuple, a frozenset or a MappingProxyType; `__all__` is a list by convention.
    """
    for node in statements(tree.body):
        match node:
            case ast.Assign(targets=[*targets], value=value) if is_mutable(value):
                yield from (ast.unparse(t) for t in targets if ast.unparse(t) != "__all__")
            case ast.AnnAssign(target=target, value=ast.expr() as value) if is_mutable(value):
                yield ast.unparse(target)
    yield from (ast.unparse(node) for node in walk(tree) if isinstance(node, ast.Global))


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run when a module is loaded, those of class bodies included."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in ("body", "orelse", "finalbody"):
                yield from statements(getattr(node, part, []))


def is_mutable(value: ast.expr) -> bool:
    match value:
        case ast.Dict() | ast.List() | ast.Set() | ast.DictComp() | ast.ListComp() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in MUTABLE
    return False


@pytest.mark.slow
def test_no_behaviour_depends_on_the_environment() -> None:
    assert_no_module(
        lambda module: () if label(module) in HANDING_ON else unknown_variables(parse(module))
    )


def unknown_variables(tree: ast.Module) -> Iterator[str]:
    """Yield uses of the environment, other than reading a known variable by name."""
    known = {id(found) for node in walk(tree) if (found := environment_read(node))}
    for node in walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and id(node) not in known:
            name = node.attr if isinstance(node, ast.Attribute) else node.id
            if name in {"environ", "environb", "getenv", "expandvars"}:
                yield ast.unparse(node)


def environment_read(node: ast.AST) -> ast.expr | None:
    """Return the `environ` or `getenv` in an expression that reads a known variable."""
    match node:
        case ast.Subscript(value=environ, slice=ast.Constant(name), ctx=ast.Load()):
            pass
        case ast.Call(func=ast.Attribute(value=environ, attr="get"), args=[ast.Constant(name), *_]):
            pass
        case ast.Compare(left=ast.Constant(name), ops=[ast.In()], comparators=[environ]):
            pass
        case ast.Call(func=environ, args=[ast.Constant(name), *_]):
            pass
        case _:
            return None
    return environ if name in VARIABLES else None


def test_the_list_of_public_names_is_sorted_and_complete() -> None:
    public = list(rulesengine.__all__)
    assert public == sorted(public)
    assert len(set(public)) == len(public)
    assert [name for name in public if not hasattr(rulesengine, name)] == []
    assert {name for name in vars(rulesengine) if is_public(name)} <= set(public)


def is_public(name: str) -> bool:
    value = getattr(rulesengine, name)
    return not name.startswith("_") and not isinstance(value, type(rulesengine))


def test_every_error_is_public() -> None:
    raised = {
        n
        for n, v in vars(errors).items()
        if isinstance(v, type) and v.__module__ == errors.__name__
    }
    assert raised <= set(rulesengine.__all__)


def test_every_error_is_in_the_tree_of_its_module() -> None:
    drawn = set(re.findall(r"\w+Error", errors.__doc__ or ""))
    assert drawn == {name for name in vars(errors) if name.endswith("Error")}


def test_texts_never_name_the_unrelated_registry_package() -> None:
    # The registry holds an unrelated package under the name of our import package.
    wrong = re.compile(r"pip install (-\S+ )*['\"]?rulesengine\b")
    texts = [path for place in TEXTS for path in ROOT.glob(place)]
    assert {ROOT / "README.md", ROOT / ".ci" / "run", Path(__file__)} <= set(texts)
    assert [label(p) for p in texts if wrong.search(p.read_text(encoding="utf-8"))] == []


def test_no_test_judges_a_speed() -> None:
    assert with_pattern(r"\b(perf_counter|process_time|thread_time|time\.time)\b") == set()


def test_only_one_helper_starts_processes() -> None:
    assert with_pattern(r"\bPopen\(") == {"tests/helpers/processes.py"}


def with_pattern(pattern: str) -> set[str]:
    tests = [p for p in (ROOT / "tests").rglob("*.py") if p.parent.name != "benchmarks"]
    others = [p for p in tests if p != Path(__file__)]
    return {label(p) for p in others if re.search(pattern, p.read_text(encoding="utf-8"))}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("TABLE = {}", ["TABLE"]),
        ("if True:\n    seen: list[int] = []", ["seen"]),
        ("class A:\n    cache = dict()", ["cache"]),
        ("def f():\n    global x\n    x = 1", ["global x"]),
        ("TABLE = MappingProxyType({})\nNAMES = ('a',)\n__all__ = ['f']", []),
        ("def f():\n    x = []", []),
    ],
)
def test_the_search_for_state_itself(text: str, found: list[str]) -> None:
    assert list(mutable_state(ast.parse(text))) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("os.environ.get('TERM')", []),
        ("'NO_COLOR' in os.environ", []),
        ("os.environ['LANG']", ["os.environ"]),
        ("os.getenv('DEBUG', '')", ["os.getenv"]),
        ("dict(os.environ)", ["os.environ"]),
        ("os.environ['TERM'] = ''", ["os.environ"]),
    ],
)
def test_the_search_for_the_environment_itself(text: str, found: list[str]) -> None:
    assert list(unknown_variables(ast.parse(text))) == found
