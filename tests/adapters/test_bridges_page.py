"""The page on bridges: its examples run, and it has a section for each bridge."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "bridges.md"


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
def test_the_examples_run() -> None:
    pytest.importorskip("pettingzoo", reason="the extra `rl` is not installed")
    pytest.importorskip("pyspiel", reason="the extra `openspiel` is not installed")
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.attempted > 25
    assert not done.failed


@pytest.mark.usefixtures("in_haste")
def test_the_example_of_python_chess_runs() -> None:
    pytest.importorskip("chess", reason="python-chess is not installed")
    (code,) = re.findall(
        r"<!-- run: python-chess -->\n```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S
    )
    exec(compile(code, "bridges.md", "exec"), {})  # noqa: S102


def test_every_bridge_has_a_section() -> None:
    sections = re.findall(r"^## (.+)$", PAGE.read_text("utf-8"), re.M)
    modules = {path.stem for path in (ROOT / "rulesengine" / "bridges").glob("[a-z]*.py")}
    assert modules == {"gymnasium", "openspiel", "pettingzoo"}
    assert modules <= {section.lower() for section in sections}
