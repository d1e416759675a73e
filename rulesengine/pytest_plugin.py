"""A pytest plugin that collects the `tests` of specs as tests of a project.

It collects specs named on the command line, and specs that match the ini option `rulesengine_specs`
in the folders that pytest visits: `rulesengine_specs = games/*.yaml`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rulesengine.game import Game

# Keys that distinguish a spec with tests from other YAML without parsing it.
_TESTS = re.compile(r"^tests *:", re.MULTILINE)
_SPEC = re.compile(r"^(spec|extends) *:", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    parser.addini(
        "rulesengine_specs",
        "specs whose tests are collected: paths from the root folder, with * and **",
        type="args",
        default=[],
    )
    group = parser.getgroup("rulesengine")
    group.addoption(
        "--rules-engine",
        default="auto",
        metavar="NAME",
        help="engine for the tests of specs: auto (the default), interpreter, python or native",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "SpecFile | None":
    """Return the collector of a spec with tests, if it is named or listed."""
    if file_path.suffix != ".yaml" or not _is_selected(file_path, parent):
        return None
    text = file_path.read_text(encoding="utf-8", errors="replace")
    if not (_SPEC.search(text) and _TESTS.search(text)):
        return None
    return SpecFile.from_parent(parent, path=file_path)


def _is_selected(path: Path, parent: pytest.Collector) -> bool:
    if parent.session.isinitpath(path):
        return True
    root, patterns = parent.config.rootpath, parent.config.getini("rulesengine_specs")
    try:
        return any(path in root.glob(pattern) for pattern in patterns)
    except (NotImplementedError, ValueError):
        message = "rulesengine_specs: expected paths from the root folder, such as games/*.yaml"
        raise pytest.UsageError(message) from None


class SpecFile(pytest.File):
    """A spec; its tests are the items."""

    def collect(self) -> Iterator["SpecTest"]:
        """Yield the tests by their names or numbers. Raises CollectError for an invalid spec."""
        import rulesengine

        engine: Any = self.config.getoption("--rules-engine")
        try:
            game = rulesengine.load(self.path, engine=engine)
        except rulesengine.RulesError as error:
            raise self.CollectError(str(error)) from None
        for number, test in enumerate(game.tests, start=1):
            name = str(test.get("name", f"test {number}"))
            yield SpecTest.from_parent(self, name=name, game=game, test=test)


class SpecTest(pytest.Item):
    """A test of the `tests` section of a spec."""

    def __init__(self, *, game: "Game", test: Any, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.game = game
        self.test = test

    def runtest(self) -> None:
        """Run the test; fail with the text that `rulesengine test` prints."""
        from rulesengine.tools.spectests import run_test

        differences = run_test(self.game, self.test)
        if differences:
            pytest.fail("\n".join(one.text for one in differences), pytrace=False)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the path of the spec and the name of the test, for the report."""
        return self.path, None, self.name
