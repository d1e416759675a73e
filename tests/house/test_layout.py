"""The root of the package stays small, and every import path in the documentation works."""

import importlib
import re
from collections.abc import Iterator
from functools import reduce
from pathlib import Path

import pytest

from tests.helpers.modules import PACKAGE, ROOT, label

MOST_ENTRIES = 32
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
# Identifiers that look like a path: a command of an editor, a logger.
OTHERS = {
    "rulesengine.runTests",
    "rulesengine.compile",
    "rulesengine.command",
    "rulesengine.recogniseSpecs",
}
PATH = re.compile(r"(?<![\w./-])rulesengine(?:\.[A-Za-z_]\w*)+")
FROM = re.compile(r"^\s*(?:>>> )?from (rulesengine[.\w]*) import ([\w, ]+)", re.MULTILINE)
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def test_the_root_of_the_package_is_small() -> None:
    found = entries(PACKAGE)
    assert {"__init__.py", "game.py", "search"} <= found
    assert len(found) <= MOST_ENTRIES, sorted(found)


def entries(folder: Path) -> set[str]:
    """Return the entries of a folder, without caches and folders that contain nothing else."""
    files = {path for path in folder.rglob("*") if path.is_file()}
    sources = {path for path in files if "__pycache__" not in path.parts}
    return {path.relative_to(folder).parts[0] for path in sources}


def named_paths(page: str) -> Iterator[str]:
    """Yield the dotted names of a page, and those of the import lines in its code blocks."""
    yield from (found for found in PATH.findall(page) if found not in OTHERS)
    for block in BLOCK.findall(page):
        for module, names in FROM.findall(block):
            yield from (f"{module}.{name.split()[0]}" for name in names.split(","))


def resolved(path: str) -> object:
    """Import the module of a dotted name and return the object. Raises ImportError."""
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError as error:
            if error.name is None or not path.startswith(error.name):
                raise
            continue
        try:
            return reduce(getattr, parts[count:], module)
        except AttributeError:
            break
    raise ImportError(f"no `{path}`")


PATHS = {
    path: label(page) for page in PAGES for path in named_paths(page.read_text(encoding="utf-8"))
}


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(PATHS))
def test_a_path_in_the_documentation_can_be_imported(path: str) -> None:
    resolved(path)


def test_the_public_modules_are_in_the_documentation() -> None:
    bridges = {f"rulesengine.bridges.{name}" for name in ("gymnasium", "openspiel", "pettingzoo")}
    contests = {f"rulesengine.contests.{name}" for name in ("selfplay", "differences", "study")}
    assert bridges | contests <= {module for path in PATHS for module in (path, parent(path))}


def parent(path: str) -> str:
    return path.rpartition(".")[0]


# the search itself


def test_names_in_text_and_imports_in_blocks_are_found() -> None:
    page = """
Use `rulesengine.load` or rulesengine.contests.study, not docs/rulesengine.md. Run rulesengine.

from rulesengine import outside

```pycon
>>> from rulesengine.contests import match, study as studies
```
"""
    assert list(named_paths(page)) == [
        "rulesengine.load",
        "rulesengine.contests.study",
        "rulesengine.contests",
        "rulesengine.contests.match",
        "rulesengine.contests.study",
    ]


@pytest.mark.parametrize("path", ["rulesengine.nowhere", "rulesengine.game.Nothing"])
def test_a_missing_path_is_an_error(path: str) -> None:
    with pytest.raises(ImportError, match=path):
        resolved(path)


def test_caches_are_no_entries(tmp_path: Path) -> None:
    for name in ("a.py", "__pycache__/a.pyc", "gone/__pycache__/b.pyc", "b/c.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert entries(tmp_path) == {"a.py", "b"}
