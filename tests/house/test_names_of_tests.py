"""Names of tests state a behaviour: none opens with a question word, and none shadows another."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tests.helpers.modules import ROOT, label, parse

OPENING = re.compile(r"test_(what|who|whose|which|how|where|why|nobody|those|of|tell)(_|$)")


def test_no_name_of_a_test_opens_with_a_question_word() -> None:
    modules = [*(ROOT / "tests").rglob("test_*.py")]
    assert len(modules) > 200
    names = [(label(path), name) for path in modules for name in defined_tests(parse(path))]
    assert [found for found in names if OPENING.match(found[1])] == []
    assert [found for found, count in Counter(names).items() if count > 1] == []


def defined_tests(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the tests of a module."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name


def test_the_search_for_question_words_itself() -> None:
    names = [
        "test_what_is_new",
        "test_of",
        "test_whatever_comes",
        "test_official_rules",
        "test_a_how",
    ]
    assert [name for name in names if OPENING.match(name)] == names[:2]
