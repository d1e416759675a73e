"""Names of the web page and of its server: terms of web development and board games."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.helpers.modules import parse, walk
from tests.house import typescript
from tests.house.prose import QUESTIONS, ROOT, verbless

SOURCE = ROOT / "web" / "src"
# Words that name no concept of a web page: request, response, listener, occupant, status and cache
# are the terms.
PARAPHRASES = frozenset(
    "ask asks asked asking tell tells told hear heard anew who whoever whose whom nobody mend"
    " beside whether what which how look looks looked looking stand stands standing kept given"
    " made found".split()
)
# The same for parameters and variables of Python, where `found` and `made` may be local results.
PYTHON = ("rulesengine/server", "rulesengine/cli", "website")
PYTHON_PARAPHRASES = frozenset(
    "ask asked tell told hear heard anew who whoever whose what how look looked kept given".split()
)
# Names of files that are participles.
PARTICIPLE = re.compile(r"(?:ing|ed)$")


@cache
def words(path: Path) -> Counter[str]:
    return Counter(typescript.words_of_code(path.read_text("utf-8")))


def test_identifiers_are_terms_of_the_field() -> None:
    paths = [path for path in typescript.sources() if SOURCE in path.parents]
    assert len(paths) > 50
    found = {
        f"{path.relative_to(ROOT)}: {word}": words(path)[word]
        for path in paths
        for word in PARAPHRASES & words(path).keys()
    }
    assert found == {}


@pytest.mark.parametrize("folder", PYTHON)
def test_variables_of_python_are_terms_of_the_field(folder: str) -> None:
    paths = sorted((ROOT / folder).rglob("*.py"))
    assert paths
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in paths
        for name in sorted(variables(parse(path)))
        if not PYTHON_PARAPHRASES.isdisjoint(name.lower().split("_"))
    ]
    assert found == []


def variables(tree: ast.Module) -> set[str]:
    """Return the names of parameters, variables and attributes that a module assigns."""
    arguments = {node.arg for node in walk(tree) if isinstance(node, ast.arg)}
    names = {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in walk(tree)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    return arguments | names


def test_modules_are_nouns() -> None:
    stems = [path.name.split(".")[0] for path in SOURCE.rglob("*.ts")]
    assert [stem for stem in stems if PARTICIPLE.search(stem) and stem != "exported"] == []


def test_comments_of_functions_begin_with_a_verb() -> None:
    assert [line for path in typescript.sources() for line in verbless(path)] == []


def test_no_comment_begins_with_a_question_word() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{comment.line}: {comment.text[:60]}"
        for path in typescript.sources()
        for comment in typescript.comments(path.read_text("utf-8"))
        if comment.text.partition(" ")[0] in QUESTIONS
    ]
    assert found == []


def test_fields_are_commented_on_their_own_line() -> None:
    """Comments behind constants give units; those behind fields belong above them."""
    field = re.compile(r"^  (?:private |readonly )*\w+\??: .*; // ")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in SOURCE.rglob("*.ts")
        for line in path.read_text("utf-8").splitlines()
        if field.match(line)
    ]
    assert found == []


# the scanner


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("// One.\n// Two.\nlet a;", ["One.  Two."]),
        ("let a; // One.\nlet b; // Two.", ["One.", "Two."]),
        ('let a = "// no"; // Yes.', ["Yes."]),
        ("let a = 'it'; // It's.", ["It's."]),
        ("let a = `// no`; // Yes.", ["Yes."]),
        ("let a = f(/`([^`]+)`/g); // Yes.", ["Yes."]),
        ('let a = f(/[^\\s"/]/); // Yes.', ["Yes."]),
        ("let a = 1 / 2; // Half.", ["Half."]),
        ("/** Return it. */\nf() {}", ["Return it."]),
        ("/**\n * Return\n * it.\n */", ["Return\nit."]),
    ],
)
def test_comments_are_found(source: str, texts: list[str]) -> None:
    assert [comment.text for comment in typescript.comments(source)] == texts


@pytest.mark.parametrize(
    "declaration",
    [
        "export async function* f<T>(a: T) {",
        "  private async f(a: string): Promise<void> {",
        "  *f(): Iterable<string> {",
        "  f(a: string): void;",
        "function f() {",
    ],
)
def test_functions_are_recognised(declaration: str) -> None:
    (comment,) = typescript.comments(f"/** A text. */\n{declaration}")
    assert comment.is_of_function


@pytest.mark.parametrize(
    "declaration",
    [
        "  get f(): string {",
        "  private f = 1;",
        "export class F {",
        "  constructor(a) {",
        "type F =",
    ],
)
def test_other_declarations_are_recognised(declaration: str) -> None:
    (comment,) = typescript.comments(f"/** A text. */\n{declaration}")
    assert not comment.is_of_function


def test_words_of_identifiers_are_split() -> None:
    source = 'let isAtEnd = toldURL("asked") + `what`; // tell\n'
    assert [*typescript.words_of_code(source)] == ["let", "is", "at", "end", "told", "url", "what"]
