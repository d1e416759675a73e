"""`rulesengine explain`: every word and code has its meaning and three valid examples."""

import re
from collections.abc import Iterator

import pytest

from rulesengine.language.check.builtins import EACH, FUNCTIONS, NAMES, OTHER_FORMS
from rulesengine.language.pipeline import analyse
from rulesengine.language.syntax import vocabulary
from rulesengine.language.syntax.syntax_errors import operator_for
from rulesengine.language.syntax.vocabulary import RESERVED
from rulesengine.support.diagnostic import Diagnostic, render_all
from rulesengine.support.source import Source
from rulesengine.tools import lint
from rulesengine.tools.explain import (
    Entry,
    Example,
    Mistake,
    entries,
    examples,
    mistakes,
    spec_with,
    tables,
)
from rulesengine.tools.explain.board_words import BoardWord, board_words
from rulesengine.tools.explain.keys import keys
from rulesengine.tools.explain.synonyms import synonyms
from tests.helpers.cli_calls import call
from tests.helpers.modules import ROOT
from tests.tools.test_language_reference import SAMPLE, completed

ENTRIES = entries()
EXAMPLES = examples()
MISTAKES = mistakes()
CODES = re.compile(
    r"(?:Diagnostic|Problem|report|_report|LoweringError|_find|_?warning)\(\s*"
    r'(?:self\.[a-z.]+, |[a-z]+, |-1, |int\(site\), )?"([a-z]+(?:-[a-z]+)*)"'
)
# Declarations for expressions on the page, besides the sample.
MORE = """\
parameters:
  size: {type: integer, from: 1, to: 9, default: 3}
  level: {choices: [1, 2], default: 1}
  computer: {choices: [white, black], default: black}
strategies:
  greedy: [most count(captured), leftmost]
  careful: [leftmost]
  1: [leftmost]
  2: [rightmost]
"""


STACKS = "board: {rows: 8, columns: 8, origin: bottom-left, stacks: {height: 9}}\n"


def needs_stacks(example: Example) -> bool:
    """True if an example has a word that only boards with stacks have."""
    return re.search(r"\b(height|below|taking|laying|under)\b", example.text) is not None


def errors(source: Source) -> list[Diagnostic]:
    return [f for f in analyse(source).findings if f.severity == "error"]


def together() -> Iterator[tuple[Example, ...]]:
    """Yield the examples, up to 24 expressions at a time: one spec can hold so many."""
    plain = [one for one in EXAMPLES if is_plain(one)]
    for stacked in (False, True):
        yield from batched([one for one in plain if needs_stacks(one) == stacked], 24)
    yield from ((one,) for one in EXAMPLES if not is_plain(one))


def batched(examples: list[Example], size: int) -> Iterator[tuple[Example, ...]]:
    for first in range(0, len(examples), size):
        yield tuple(examples[first : first + size])


def is_plain(example: Example) -> bool:
    """True if it is an expression that is valid anywhere."""
    text = example.text
    looks = "replies" in text or re.search(r"\b(won|lost|drawn|over)\b|\bbefore\(", text)
    return example.kind == "expression" and not looks


def spec_of(examples: tuple[Example, ...]) -> Source:
    """Return a spec that contains examples in valid places."""
    text = examples[0].text
    match examples[0].kind:
        case "piece":
            return spec_with(text)
        case "expression" if "before(" in text:
            effect = f"if ({text}) = ({text}) then remove corners"
            fragment = f"rules:\n  moves:\n    move: own\n    to: empty\n    do: {effect}\n"
        case "expression" if not is_plain(examples[0]):
            fragment = f"strategies:\n  s:\n    - '{as_key(text)}'\n"
        case "expression":
            probes = [f"  probe{i}: '{one.text}'\n" for i, one in enumerate(examples)]
            fragment = "define:\n" + "".join(probes)
        case "effect":
            fragment = f"rules:\n  moves:\n    move: own\n    to: empty\n    do: {text}\n"
        case "end":
            fragment = f"rules:\n  end:\n    - {text}\n"
        case "key":
            fragment = f"strategies:\n  s: {text if text[0] == '[' else repr(text)}\n"
        case _:
            lines = "".join(f"  {line}\n" for line in text.splitlines())
            board = "board: {rows: size, columns: 8}\n" if "blank line" in text else ""
            fragment = MORE + board + f"io: |\n{lines}"
    if any(map(needs_stacks, examples)):
        fragment += STACKS
    return Source("example.yaml", completed(fragment))


def as_key(text: str) -> str:
    """Return a strategy's key with the expression in it, for any type."""
    return f"prefer ({text}) = ({text})"


@pytest.mark.slow
@pytest.mark.parametrize("given", list(together()), ids=lambda e: f"{e[0].kind}: {e[0].text}"[:60])
def test_examples_of_words_are_right_and_hold_the_words(given: tuple[Example, ...]) -> None:
    found = errors(spec_of(given))
    assert found == [], render_all(tuple(found))
    for example in given:
        word = example.word.rpartition(".")[2].split()[0]
        assert word.strip("[]") in example.text


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: m.code)
def test_an_example_of_a_code_has_that_mistake(mistake: Mistake) -> None:
    assert len(mistake.pieces) == 3
    assert len(set(mistake.pieces)) == 3
    for piece in mistake.pieces:
        if not piece.startswith("SHOWN"):
            assert mistake.code in {f.code for f in lint.findings(spec_with(piece))}, piece


def test_few_codes_have_examples_that_are_only_shown() -> None:
    shown = {m.code for m in MISTAKES if any(p.startswith("SHOWN") for p in m.pieces)}
    assert shown == {
        "extends-circle",
        "ties-left",
        "too-many-parents",
        "too-many-values",
        "unfinished",
    }


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.kind} {e.word}")
def test_every_word_and_code_has_a_meaning_and_three_examples(entry: Entry) -> None:
    assert entry.meaning
    assert entry.syntax
    assert len(entry.examples) + len(entry.specs) == 3


@pytest.mark.slow
def test_every_code_of_the_package_is_explained() -> None:
    from tests.helpers.modules import MODULES

    used = set[str]()
    for module in MODULES:
        used |= set(CODES.findall(module.read_text(encoding="utf-8")))
    explained = {mistake.code for mistake in MISTAKES}
    assert len(used) > 50
    assert used - explained == set()


def test_every_word_of_the_language_is_explained() -> None:
    words = {entry.word for entry in ENTRIES}
    assert {*NAMES, *FUNCTIONS, *EACH, *OTHER_FORMS} <= words
    assert {path[-1] for path, _ in keys() if path[-1] != "*"} <= words
    assert RESERVED - {"at"} <= words
    assert operator_for("is")


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("corner", "corners"),
        ("corners", "corners"),
        ("edge", "edge"),
        ("edges", "edge"),
        ("adjacent", "touching"),
        ("jump", "reach"),
        ("capture", "captured"),
        ("Captures", "captured"),
        ("diagonals", "diagonal"),
        ("Neighbor", "neighbours"),
        ("hexagon", "shape"),
        ("checkmate", "can_move"),
        ("dice", "chance"),
        ("until", "repeat"),
    ],
)
def test_plurals_values_and_synonyms_are_explained(word: str, found: str) -> None:
    entries = call("explain", "--json", word).json()["entries"]
    assert found in {entry["word"] for entry in entries}
    assert all(len(entry["examples"]) == 3 for entry in entries)


def test_a_synonym_names_the_words_that_explain_it() -> None:
    out = call("explain", "adjacent").out
    assert out.startswith("`adjacent`: see `touching`, `neighbours`, `adjacency`\n\ntouching: ")
    assert "see `" not in call("explain", "touching").out


def test_every_synonym_leads_to_words_of_the_language() -> None:
    known = {entry.word for entry in ENTRIES} | {entry.word.split()[0] for entry in ENTRIES}
    table = synonyms()
    assert len(table) > 80
    for word, meant in table.items():
        assert set(meant) <= known, word


@pytest.mark.slow
@pytest.mark.parametrize("word", board_words(), ids=lambda word: word.word)
def test_examples_of_words_of_boards_are_right(word: BoardWord) -> None:
    shapes = re.findall(r"\w+", word.meaning.rpartition("shape")[2])
    boards = {
        "rhombus": "{shape: rhombus, rows: 3, columns: 3}",
        "hexagon": "{shape: hexagon, size: 3}",
        "triangle": "{shape: triangle, size: 3}",
        "mesh": "{shape: mesh, rows: 2, columns: 2}",
        "box": "{shape: box, rows: 3, columns: 3, layers: 3}",
        "rectangle": "{rows: 3, columns: 3}",
        "staggered": "{shape: staggered, rows: 3, columns: 3}",
    }
    found = [shape for shape in shapes if shape in boards]
    assert found
    for shape in found:
        probes = "".join(f"  probe{i}: '{text}'\n" for i, text in enumerate(word.examples))
        spec = spec_with(f"board: {boards[shape]}\ndefine:\n{probes}")
        assert errors(spec) == [], shape


def test_the_effects_of_the_grammar_are_those_of_the_tables() -> None:
    grammar = (ROOT / "grammars" / "expression.lark").read_text(encoding="utf-8")
    rules = grammar.partition("?action:")[2].partition("?expr:")[0]
    first = set(re.findall(r"(?:^\?change:|^ +\|) ([A-Z]+)\b", rules, re.M)) - {"NAME", "LPAR"}
    words = {word.lower() for word in first}
    assert len(words) >= 10
    assert words == {*vocabulary.EFFECTS}
    assert words == tables.EFFECTS.keys() - {"( )"}


def test_explain_prints_meaning_syntax_and_examples() -> None:
    done = call("explain", "slide")
    assert done.code == 0
    assert done.out.startswith(
        "slide: function\n  slide(cells, along: directions, through: cells, [joins: range])"
    )
    assert done.out.count("example ") == 3
    assert "example 3:\n    slide(own, all, empty)\n" in done.out


def test_explain_shows_the_report_of_a_mistake() -> None:
    done = call("explain", "symbol-taken")
    assert done.out.count("error[symbol-taken]") == 3
    assert "help: give each piece a symbol of its own" in done.out


def test_the_first_word_of_statements_explains_all_of_them() -> None:
    shown = call("explain", "--json", "read").json()["entries"]
    assert {entry["word"] for entry in shown} >= {"read number", "read word", "read cell"}
    (one,) = call("explain", "--json", "read", "cell").json()["entries"]
    assert one["word"] == "read cell"
    assert len(one["examples"]) == 3


@pytest.mark.parametrize(("word", "meant"), [("slyde", "slide"), ("unknown-kay", "unknown-key")])
def test_an_unknown_word_is_wrong_use_with_the_right_word(word: str, meant: str) -> None:
    done = call("explain", word)
    assert (done.code, done.out) == (2, "")
    assert done.err.rstrip().endswith(f"did you mean `{meant}`?")


def test_the_sample_of_the_page_is_what_examples_complete() -> None:
    assert errors(Source("sample.yaml", SAMPLE)) == []
