"""The page on the Python API: its examples run, and it lists every public name."""

import doctest
import re
from pathlib import Path

import pytest

import rulesengine

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
def test_the_examples_run() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.attempted > 30
    assert not done.failed


def test_the_example_of_the_package_runs() -> None:
    done = doctest.testmod(rulesengine)
    assert done.attempted > 5
    assert not done.failed


def test_every_public_name_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", text))
    assert set(rulesengine.__all__) <= words
    for kind in (rulesengine.Game, rulesengine.Session, rulesengine.State, rulesengine.Move):
        public = {name for name in dir(kind) if not name.startswith("_")}
        assert public <= words, kind


def test_every_public_name_is_there() -> None:
    assert all(hasattr(rulesengine, name) for name in rulesengine.__all__)
