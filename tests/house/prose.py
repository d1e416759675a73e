"""Rates of paraphrase words and of docstring openings, and the budgets that bound them.

`python -m tests.house.prose` prints the rates; with `--write` it also lowers the budgets in
`prose_budget.json` to them. It never raises one: delete the file first to set them from scratch.

A rate is a count per 10,000 words of docstrings, comments of Python and TypeScript, and Markdown
outside code blocks. Block comments of TypeScript count as docstrings. A rate is
compared with the median of twelve Python packages, measured in November 2026: lark, httpx,
starlette, attrs, jinja2, gymnasium, pettingzoo, hypothesis, jsonschema, pygls, mypyc, distributed.
"""

import ast
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TypedDict

from tests.house import typescript

ROOT = Path(__file__).parents[2]
BUDGET = Path(__file__).with_name("prose_budget.json")
VERBS = frozenset(Path(__file__).with_name("docstring_verbs.txt").read_text("utf-8").split())

# A pattern of paraphrases, and the median of the twelve packages.
WORDS: MappingProxyType[str, tuple[str, float]] = MappingProxyType(
    {
        "what": (r"\bwhat\b(?!\?)", 1.7),
        "who, whose": (r"\bwho(?:se|m|ever)?\b", 1.3),
        "nobody, nothing": (r"\bnobody\b|\bnothing\b", 2.2),
        "tell, told": (r"\btell(?:s|ing)?\b|\btold\b", 0.1),
        "stand": (r"\bstands?\b|\bstanding\b", 0.1),
        "ask": (r"\bask(?:s|ed|ing)?\b", 0.5),
        "look at, look for": (r"\blook(?:s|ed|ing)? (?:at|for|back|ahead)\b", 0.5),
        "beside": (r"\bbeside\b", 0.1),
        "of which, by which": (r"\b(?:of|by|in|from|with) which\b", 3.3),
        "anew": (r"\banew\b", 0.0),
        "hang on": (r"\bhangs? on\b", 0.0),
        "he, his": (r"\b(?:he|his|him)\b", 0.1),
        "so that": (r"\bso that\b", 3.0),
        "is kept, known again": (r"\bknown again\b|\bis kept\b|\bare kept\b", 0.3),
        "mend": (r"\bmend(?:s|ed|ing)?\b", 0.0),
    }
)
PATTERNS = MappingProxyType(
    {name: re.compile(pattern) for name, (pattern, _) in WORDS.items()}  # of small letters
)
# A string of Python hides comment signs.
TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)"
    r"|\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)
# The goal for each rate.
LIMITS = MappingProxyType({name: round(4 * median + 4, 1) for name, (_, median) in WORDS.items()})
# In per cent of all docstrings: those that open with a question word or the like.
OPENINGS, MOST_OPENINGS = "openings", 1.0
QUESTIONS = frozenset(
    "What Whether How Where Who Why Which Those Of One Let Tell Whose When".split()
)
# A count of function docstrings in the package and on the web pages.
VERBLESS = "function docstrings without a verb first"
PACKAGE, WEB = "package", "web"
AREAS = MappingProxyType(
    {
        PACKAGE: ("rulesengine/**/*",),
        "docs": ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*", "tests/README.md"),
        "tests": ("tests/**/*",),
        WEB: ("web/**/*", "editors/**/*", "website/**/*"),
    }
)

MODULES = frozenset({".py", *typescript.SUFFIXES})

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DOCUMENTED = (ast.Module, ast.ClassDef, *FUNCTIONS)
PARTS = (ast.stmt, ast.excepthandler, ast.match_case)  # of a module; the others hold no docstring
Budget = dict[str, dict[str, float]]


class Stored(TypedDict):
    """The contents of `prose_budget.json`."""

    unfinished: list[str]
    budgets: Budget


@dataclass(slots=True)
class Prose:
    """Counts in a number of texts."""

    words: int = 0
    docstrings: int = 0
    questions: int = 0
    hits: Counter[str] = field(default_factory=Counter)

    def add(self, text: str) -> None:
        self.words += len(re.findall(r"[A-Za-z']+", text))
        small = text.lower()
        self.hits.update({name: len(found.findall(small)) for name, found in PATTERNS.items()})

    def add_docstring(self, text: str) -> None:
        self.docstrings += 1
        first = re.match(r"\W*([A-Za-z']+)", text)
        self.questions += first is not None and first[1] in QUESTIONS
        self.add(text)

    def rates(self) -> dict[str, float]:
        """Return the rates by name: per 10,000 words, or per cent of docstrings."""
        found = {name: self.hits[name] * 10_000 / max(1, self.words) for name in WORDS}
        found[OPENINGS] = self.questions * 100 / max(1, self.docstrings)
        return {name: round(rate, 1) for name, rate in found.items()}


def prose_of(paths: Iterable[Path]) -> Prose:
    """Measure the Python, TypeScript and Markdown files among some paths."""
    found = Prose()
    for path in paths:
        if path.suffix == ".py":
            for docstring in docstrings_of(path):
                found.add_docstring(docstring.text)
            found.add("\n".join(comments(path.read_text("utf-8"))))
        elif path.suffix in typescript.SUFFIXES:
            for comment in typescript.comments(path.read_text("utf-8")):
                (found.add_docstring if comment.is_block else found.add)(comment.text)
        elif path.suffix == ".md":
            for text in paragraphs(path.read_text("utf-8")):
                found.add(text)
    return found


@dataclass(frozen=True, slots=True)
class Docstring:
    """A docstring, and the name and line of its class or function."""

    text: str
    name: str
    line: int
    is_of_function: bool


@cache
def docstrings_of(path: Path) -> tuple[Docstring, ...]:
    """Return the docstrings of a file."""
    return tuple(docstrings(ast.parse(path.read_text("utf-8"))))


def docstrings(tree: ast.Module) -> Iterator[Docstring]:
    """Yield the docstrings of a module."""
    due: list[ast.AST] = [tree]
    while due:
        node = due.pop()
        due += [part for part in ast.iter_child_nodes(node) if isinstance(part, PARTS)]
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node, clean=False)):
            name, line = getattr(node, "name", ""), getattr(node, "lineno", 1)
            yield Docstring(text, name, line, isinstance(node, FUNCTIONS))


def comments(source: str) -> Iterator[str]:
    """Yield the comments of a module in Python, without their signs."""
    for found in TOKEN.finditer(source):
        if found["comment"] and not found["comment"].startswith("#!"):
            yield found["comment"].lstrip("# ")


def paragraphs(page: str) -> Iterator[str]:
    """Yield the lines of a Markdown page outside code blocks, without inline code."""
    is_code = False
    for line in page.splitlines():
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code:
            yield re.sub(r"`[^`]*`", "`x`", line)


def files(area: str) -> list[Path]:
    """Return the files of an area; cases and data of tests are no prose."""
    found = {path for pattern in AREAS[area] for path in ROOT.glob(pattern) if path.is_file()}
    if area == "tests":
        data = {ROOT / "tests" / "cases", ROOT / "tests" / "data"}
        found = {path for path in found if data.isdisjoint(path.parents)} - set(files("docs"))
    return sorted(path for path in found if not typescript.is_built(path))


def has_verb(docstring: str) -> bool:
    """True if a docstring begins with a verb of the list, or with "True if"."""
    first, second, *_ = *docstring.split(), "", ""
    is_noun = second == "of"  # "Number of cells"
    return (first.rstrip(".,:;") in VERBS and not is_noun) or (first, second) == ("True", "if")


def verbless(path: Path) -> Iterator[str]:
    """Yield the functions of a module with a docstring that begins without a verb."""
    if path.suffix in typescript.SUFFIXES:
        for comment in typescript.comments(path.read_text("utf-8")):
            if comment.is_of_function and not has_verb(comment.text):
                yield f"{path.relative_to(ROOT)}:{comment.line}: {comment.text}"
        return
    for docstring in docstrings_of(path):
        if docstring.is_of_function and not has_verb(docstring.text):
            line = docstring.text.strip().splitlines()[0]
            yield f"{path.relative_to(ROOT)}:{docstring.line}: {docstring.name}: {line}"


def measured(area: str) -> dict[str, float]:
    """Return all figures of an area."""
    paths = files(area)
    found = prose_of(paths).rates()
    if area in (PACKAGE, WEB):
        modules = [path for path in paths if path.suffix in MODULES]
        found[VERBLESS] = sum(1 for path in modules for _ in verbless(path))
    return found


def slack(name: str, figure: float) -> float:
    """Return the distance of a new budget from its figure, for small edits."""
    if name == VERBLESS:
        return 0
    return (0.1 if name == OPENINGS else 1.0) + figure / 10


def limit(name: str) -> float:
    """Return the goal for a figure."""
    return {OPENINGS: MOST_OPENINGS, VERBLESS: 0.0, **LIMITS}[name]


def lowered(old: Budget, figures: Budget) -> Budget:
    """Return a budget at the figures plus slack, nowhere above the old one."""
    return {
        area: {
            name: min(new_budget(name, figure), old.get(area, {}).get(name, math.inf))
            for name, figure in rates.items()
        }
        for area, rates in figures.items()
    }


def new_budget(name: str, figure: float) -> float:
    """Return a figure plus slack, at most the limit of an acceptable figure."""
    return min(round(figure + slack(name, figure), 1), max(limit(name), figure))


def unfinished(budget: Budget) -> list[str]:
    """Return the areas with a budget above its limit."""
    return [a for a, rates in budget.items() if any(b > limit(name) for name, b in rates.items())]


def is_stale(name: str, budget: float, figure: float) -> bool:
    """True if a budget is clearly above its figure: by three times the slack, or ten docstrings."""
    room = 10 + figure / 10 if name == VERBLESS else 3 * slack(name, figure)
    return budget - figure > room


def read() -> Stored:
    """Return the stored budgets, which are empty without a file."""
    found: Stored = {"unfinished": list(AREAS), "budgets": {}}
    if BUDGET.exists():
        found = json.loads(BUDGET.read_text("utf-8"))
    return found


def write(figures: Budget) -> None:
    """Lower the stored budgets to some figures; an area that is finished stays so."""
    old = read()
    budgets = lowered(old["budgets"], figures)
    still = [area for area in unfinished(budgets) if area in old["unfinished"]]
    text = json.dumps({"unfinished": still, "budgets": budgets}, indent=2)
    BUDGET.write_text(text + "\n", encoding="utf-8")


def main(words: list[str]) -> None:
    """Print all figures next to budgets and limits; with `--write`, lower the budgets."""
    figures = {area: measured(area) for area in AREAS}
    if "--write" in words:
        write(figures)
    budgets = read()["budgets"]
    for area, rates in figures.items():
        sys.stdout.write(f"{area:44} figure  budget   limit\n")
        for name, figure in rates.items():
            allowed = budgets.get(area, {}).get(name, 0)
            sys.stdout.write(f"  {name:40} {figure:8.1f}{allowed:8.1f}{limit(name):8.1f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
