"""The expression language: texts as trees, spans of trees, and syntax errors."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput

from rulesengine.language.document import parse as parse_spec
from rulesengine.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.parse import Start, WholeWords, parse
from rulesengine.language.syntax.parser_tables import build_parser, parser, written
from rulesengine.language.syntax.script import Line, parse_script
from rulesengine.language.syntax.unparse import unparse
from rulesengine.language.syntax.vocabulary import EFFECTS
from rulesengine.support.diagnostic import render
from rulesengine.support.files import read_source
from rulesengine.support.limits import MAX_MESSAGE
from rulesengine.support.source import Slice, Source, Span
from tests.helpers.grammar_tables import PARSERS
from tests.helpers.work import patience

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "games").glob("*.yaml"))
NOWHERE = Span(Source("test", ""), 0, 0)


def tree(text: str, start: Start = "expression") -> n.Node:
    node, findings = parse(Slice.of(text), start)
    assert node is not None, findings
    return node


def error(text: str, start: Start = "expression") -> tuple[str, str, str]:
    """Return the code, the text under the carets and the message of the one finding."""
    node, findings = parse(Slice.of(text), start)
    assert node is None
    assert len(findings) == 1
    assert len(findings[0].message) <= MAX_MESSAGE
    assert render(findings[0])
    return findings[0].code, findings[0].span.text, findings[0].message


# any tree that a text can denote

NAMES = st.sampled_from(["own", "enemy", "to", "x1", "a_b", "goal", "north", "king", "number"])
name = st.builds(lambda w: n.Name(NOWHERE, w), NAMES)
number = st.builds(lambda v: n.Number(NOWHERE, v), st.integers(0, 2**63 - 1))
plain = st.text(st.sampled_from('ab {}"\\\n\t:é'), min_size=1, max_size=6)
COMPARED = ["=", "!=", "<", "<=", ">", ">=", "in"]
ARITHMETIC = ["+", "-", "minus", "*", "/", "%"]


def without_texts(inner: st.SearchStrategy[n.Node]) -> st.SearchStrategy[n.Node]:
    pairs = st.tuples(inner, inner)
    operation = st.one_of(
        st.builds(
            lambda o, x: n.Operation(NOWHERE, o, tuple(x)),
            st.sampled_from(["and", "or"]),
            st.lists(inner, min_size=2, max_size=4),
        ),
        st.builds(
            lambda o, x: n.Operation(NOWHERE, o, (x,)), st.sampled_from(["not", "negative"]), inner
        ),
        st.builds(
            lambda o, x: n.Operation(NOWHERE, o, x), st.sampled_from(COMPARED + ARITHMETIC), pairs
        ),
    )
    bounds = st.one_of(
        st.builds(lambda x: n.Range(NOWHERE, *x), pairs),
        st.builds(lambda x: n.Range(NOWHERE, x, None), inner),
        st.builds(lambda x: n.Range(NOWHERE, None, x), inner),
        st.builds(lambda x: n.Range(NOWHERE, x, x), inner),
    )
    phrase = st.one_of(
        st.builds(
            lambda w: n.Words(NOWHERE, tuple(w)),
            st.lists(name.filter(lambda x: x.word != "to"), min_size=2, max_size=3),
        ),
        st.builds(lambda a, b: n.Where(NOWHERE, a, b), inner, inner),
        st.builds(lambda a, b: n.Touching(NOWHERE, a, b), inner, inner),
        st.builds(lambda a, b, c: n.Between(NOWHERE, a, b, c), inner, inner, inner),
        st.builds(
            lambda a, b: n.OfSide(NOWHERE, a, b), name.filter(lambda x: x.word != "to"), inner
        ),
    )
    argument = st.one_of(inner, bounds)
    call = st.builds(
        lambda f, a, k: n.Call(NOWHERE, f, tuple(a), tuple(k), NOWHERE),
        st.sampled_from(["count", "line", "least", "most", "score"]),
        st.lists(argument, max_size=3),
        st.lists(st.tuples(NAMES, argument), max_size=2),
    ).filter(lambda c: not is_each(c))
    each = st.builds(
        lambda f, v, d, b: n.Each(NOWHERE, f, v, d, b, NOWHERE),
        st.sampled_from(["any", "where", "sum"]),
        NAMES.filter(lambda w: w != "to"),
        inner,
        argument,
    )
    listing = st.builds(
        lambda i: n.Listing(NOWHERE, tuple(i)), st.lists(inner, min_size=1, max_size=3)
    )
    conditional = st.builds(lambda a, b, c: n.Conditional(NOWHERE, a, b, c), inner, inner, inner)
    return st.one_of(operation, phrase, call, each, listing, conditional)


def is_each(call: n.Call) -> bool:
    """True if a call has the words of `f(x in cells, …)`, which is another node."""
    match call.arguments:
        case (n.Operation(operator="in", operands=(n.Name(), _)), _):
            return not call.named
    return False


def text(parts: list[str | n.Field]) -> n.Text:
    """Return a text of parts; adjacent fixed parts are merged."""
    joined: list[str | n.Field] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return n.Text(NOWHERE, tuple(joined))


def is_open(effect: n.Effect | None) -> bool:
    """True if an `else` after an effect would belong to it, unless it is in brackets."""
    if isinstance(effect, n.ForEach):
        return is_open(effect.effect)
    if not isinstance(effect, n.EffectIf):
        return False
    return effect.otherwise is None or is_open(effect.otherwise)


def acts(words: str) -> st.SearchStrategy[n.PieceEffect]:
    """Return effects of these words, each followed by an operand."""
    parts = tuple(words.split())
    operands = st.tuples(*(expressions for _ in parts))
    return st.builds(lambda given: n.PieceEffect(NOWHERE, parts, given), operands)


# A quotation mark ends a text, so there is none in its fields.
fields = st.builds(
    lambda v, f: n.Field(NOWHERE, v, f),
    st.recursive(st.one_of(name, number), without_texts, max_leaves=4),
    st.sampled_from(["", "2", "<8", "digit"]),
)
templates = st.builds(text, st.lists(st.one_of(plain, fields), max_size=4))
expressions = st.recursive(st.one_of(name, number, templates), without_texts, max_leaves=8)
effects = st.recursive(
    st.one_of(
        *(
            acts(words)
            for words in (
                "remove",
                "flip",
                "put on",
                "flip to",
                "carry to",
                "promote to",
                "drop to",
            )
        ),
        st.builds(
            lambda x, cells, to: n.CarryEach(NOWHERE, x.word, cells, to),
            name.filter(lambda x: x.word != "to"),
            expressions,
            expressions,
        ),
        st.builds(
            lambda x, given: n.Perform(NOWHERE, x, tuple(given)),
            name.filter(lambda x: x.word not in EFFECTS),
            st.lists(expressions, max_size=2),
        ),
        st.builds(
            lambda a, b: n.SetRegister(NOWHERE, a, b),
            name.filter(lambda x: x.word != "to"),
            expressions,
        ),
    ),
    lambda inner: st.one_of(
        st.builds(
            lambda t, a, b: n.EffectIf(NOWHERE, t, a, b),
            expressions,
            inner,
            st.one_of(st.none(), inner),
        ).filter(lambda e: e.otherwise is None or not is_open(e.then)),
        st.builds(
            lambda x, domain, e: n.ForEach(NOWHERE, x.word, domain, e), name, expressions, inner
        ),
        st.builds(
            lambda e, until: n.Repeat(NOWHERE, e, until), inner, st.one_of(st.none(), expressions)
        ),
        st.lists(inner, min_size=1, max_size=3).map(lambda found: n.Block(NOWHERE, tuple(found))),
    ),
    max_leaves=3,
)
results = st.one_of(
    st.builds(lambda a: n.Wins(NOWHERE, a), expressions),
    st.builds(lambda a: n.Loses(NOWHERE, a), expressions),
    st.just(n.Draw(NOWHERE)),
    st.builds(lambda a: n.ByScore(NOWHERE, a), st.booleans()),
)
keys = st.one_of(
    st.builds(lambda o, v: n.Key(NOWHERE, o, v), st.sampled_from(["most", "least"]), expressions),
    st.lists(expressions, min_size=1, max_size=3).map(lambda c: n.Prefer(NOWHERE, tuple(c))),
    st.sampled_from(["lowest", "highest", "rightmost"]).map(lambda w: n.KeyWord(NOWHERE, w)),
)


@pytest.mark.slow
@given(expressions)
def test_an_expression_reads_back_from_its_text(node: n.Node) -> None:
    assert tree(unparse(node)) == node


@pytest.mark.slow
@given(effects)
def test_an_effect_reads_back_from_its_text(node: n.Node) -> None:
    assert tree(unparse(node), "effect") == node


@pytest.mark.slow
@given(results)
def test_a_result_reads_back_from_its_text(node: n.Node) -> None:
    assert tree(unparse(node), "result") == node


@pytest.mark.slow
@given(keys)
def test_a_key_reads_back_from_its_text(node: n.Node) -> None:
    assert tree(unparse(node), "key") == node


# the existing specs


def texts(node: Node, start: Start, found: list[tuple[Slice, Start]]) -> None:
    if isinstance(node, Scalar) and node.value is not None and node.style != "literal":
        found.append((node.text, start))
    for item in node.items if isinstance(node, Sequence) else ():
        texts(item, start, found)


STARTS: dict[str, Start] = {"result": "result", "do": "effect", "start": "effect"}
EXPRESSIONS = "place move select along to when forbid score turn from".split()


def walk(node: Node, found: list[tuple[Slice, Start]]) -> None:
    for item in node.items if isinstance(node, Sequence) else ():
        walk(item, found)
    for entry in node.entries if isinstance(node, Mapping) else ():
        if entry.key in ("define", "strategies"):
            start: Start = "key" if entry.key == "strategies" else "expression"
            for inner in entry.value.entries if isinstance(entry.value, Mapping) else ():
                texts(inner.value, start, found)
        elif entry.key in STARTS or entry.key in EXPRESSIONS:
            texts(entry.value, STARTS.get(entry.key, "expression"), found)
        if entry.key in ("rules", "moves", "steps", "end", "then"):
            walk(entry.value, found)


def expressions_of(path: Path) -> list[tuple[Slice, Start]]:
    document, findings = parse_spec(read_source(path))
    assert document is not None
    assert findings == []
    found: list[tuple[Slice, Start]] = []
    walk(document.root, found)
    for entry in document.root.entries:
        if entry.key == "start":
            texts(entry.value, "effect", found)
    return found


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_every_expression_of_a_spec_reads_back(path: Path) -> None:
    found = expressions_of(path)
    assert len(found) >= 3 or "\nextends: " in path.read_text(encoding="utf-8")
    for text, start in found:
        node, findings = parse(text, start)
        assert findings == []
        assert node is not None
        assert tree(unparse(node), start) == node


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_span_of_a_node_is_its_text(path: Path) -> None:
    for text, start in expressions_of(path):
        for node in n.walk(parsed(text, start)):
            assert_span(node)


def parsed(text: Slice, start: Start) -> n.Node:
    node, findings = parse(text, start)
    assert node is not None, findings
    return node


def assert_span(node: n.Node) -> None:
    """Check that a node's span covers its own text, and contains its children in order."""
    shown = node.span.text
    match node:
        case n.Name(word=word):
            assert shown == word
        case n.Number(value=value):
            assert shown == str(value)
        case n.Call() | n.Each():
            assert node.name_span.text == node.function
            assert shown.startswith(node.function)
            assert shown.endswith(")")
    at = node.span.start
    for child in n.children(node):
        assert node.span.start <= child.span.start
        assert child.span.end <= node.span.end
        if not isinstance(node, n.Between):  # `over` is printed first, as in the node
            assert at <= child.span.start or isinstance(node, n.Range)
        at = child.span.start


@pytest.mark.parametrize(
    "text",
    ["(a or b) touching (c or d)", "not (a and b)", "(a) + (b)", "a of (b)", "-(1)",
     "((a)) = ((b))", "(a where b) where (c)", "if (a) then b else (c)", "(a) between b and (c)"],
)  # fmt: skip
def test_a_span_includes_the_brackets_of_what_is_inside(text: str) -> None:
    assert tree(text).span.text == text


def test_brackets_around_a_node_are_no_part_of_it() -> None:
    assert tree("(a + b)").span.text == "a + b"
    assert [child.span.text for child in n.children(tree("(a) + (b)"))] == ["a", "b"]


# precedence

PAIRS = [
    ("a and b or c and d", "(a and b) or (c and d)"),
    ("not a and b", "(not a) and b"),
    ("not a = b", "not (a = b)"),
    ("not not a", "not (not a)"),
    ("a + b * c", "a + (b * c)"),
    ("a - b - c", "(a - b) - c"),
    ("a / b * c", "(a / b) * c"),
    ("a * b % c", "(a * b) % c"),
    ("-a * b", "(-a) * b"),
    ("a - -b", "a - (-b)"),
    ("a minus b minus c", "(a minus b) minus c"),
    ("a minus b and c", "(a minus b) and c"),
    ("a + b < c + d", "(a + b) < (c + d)"),
    ("a touching b and c", "(a touching b) and c"),
    ("a minus b touching c minus d", "(a minus b) touching (c minus d)"),
    ("a between b and c and d", "(a between b and c) and d"),
    ("a where b and c or d", "a where (b and c or d)"),
    ("a or b where c", "(a or b) where c"),
    ("a where b where c", "(a where b) where c"),
    ("x in a and y in b", "(x in a) and (y in b)"),
    ("a of b of c", "a of (b of c)"),
    ("own king and b", "(own king) and b"),
    ("a of b + c of d", "(a of b) + (c of d)"),
    ("if a then b else if c then d else e", "if a then b else (if c then d else e)"),
    ("if a then b else c and d", "if a then b else (c and d)"),
    ("a = 1 or b = 2 and c = 3", "(a = 1) or ((b = 2) and (c = 3))"),
]


@pytest.mark.parametrize(("text", "with_brackets"), PAIRS)
def test_words_bind_as_the_brackets_say(text: str, with_brackets: str) -> None:
    assert tree(text) == tree(with_brackets)


@pytest.mark.parametrize(
    "text", ["a < b < c", "a touching b touching c", "a = b = c", "a in b in c"]
)
def test_comparisons_are_not_chained(text: str) -> None:
    assert error(text)[0] == "syntax"


def test_three_words_joined_are_one_operation() -> None:
    a, b, c = (n.Name(NOWHERE, w) for w in "abc")
    assert tree("a and b and c") == n.Operation(NOWHERE, "and", (a, b, c))
    assert tree("(a and b) and c") != tree("a and b and c")


def test_an_else_belongs_to_the_nearest_if() -> None:
    nested = tree("if a then if b then flip c else flip d", "effect")
    assert isinstance(nested, n.EffectIf)
    assert nested.otherwise is None


@pytest.mark.parametrize(
    "text",
    ["flipp enemy", "flipenemy x", "ifa then flip b", "carry a tob", "putx on y", "set x tob"],
)
def test_a_word_of_the_language_ends_where_letters_end(text: str) -> None:
    assert error(text, "effect")[0] == "syntax"


# texts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('"plain"', ("plain",)),
        ('""', ()),
        (r'"a\"b"', ('a"b',)),
        (r'"a\\b"', ("a\\b",)),
        (r'"a\nb\tc"', ("a\nb\tc",)),
        ('"{{x}}"', ("{x}",)),
        ('"{x}"', (n.Field(NOWHERE, n.Name(NOWHERE, "x"), ""),)),
        ('"{x:2}!"', (n.Field(NOWHERE, n.Name(NOWHERE, "x"), "2"), "!")),
        ('"{x:<8}"', (n.Field(NOWHERE, n.Name(NOWHERE, "x"), "<8"),)),
        ('"{{{x}}}"', ("{", n.Field(NOWHERE, n.Name(NOWHERE, "x"), ""), "}")),
    ],
)
def test_a_text_has_its_escapes_and_fields(text: str, parts: tuple[str | n.Field, ...]) -> None:
    assert tree(text) == n.Text(NOWHERE, parts)


@pytest.mark.parametrize(
    ("text", "at"),
    [('"a {b"', "{"), ('"a }b"', "}"), ('"{}"', "{}"), ('"{ }"', " "), ('"{x:2 3}"', "2 3"),
     ('"{x +}"', "+"), ('"{x:1000}"', "1000")],
)  # fmt: skip
def test_a_text_with_a_broken_field_is_refused_at_its_place(text: str, at: str) -> None:
    code, shown, _ = error(text)
    assert (code, shown) == ("syntax", at)


def test_the_fields_of_a_text_know_their_places() -> None:
    text = 'print "a\\n{{ {row(to)} é {plies:3}"'
    lines, findings = parse_script(Slice.of(text))
    assert findings == []
    spans = [node.span.text for node in n.walk(lines[0]) if not isinstance(node, Line | n.Text)]
    assert sorted(spans) == ["plies", "plies:3", "row(to)", "row(to)", "to"]


# bad input


@pytest.mark.parametrize(
    "text", ["оwn", "ownＡ", "own and ﬁrst", "ｏwn", "own\u200b", "own\xa0and x"]
)
def test_letters_that_only_look_alike_are_refused(text: str) -> None:
    code, shown, message = error(text)
    assert code == "syntax"
    assert not shown.isascii()
    assert "`" in message


@pytest.mark.parametrize("text", ["class", "lambda", "import", "def", "none", "self", "print"])
def test_words_of_python_are_plain_names(text: str) -> None:
    assert tree(text) == n.Name(NOWHERE, text)


@pytest.mark.parametrize(
    ("text", "at"),
    [("None", "None"), ("__class__", "_"), ("a.b", "."), ("a; b", ";"), ("`x`", "`"), ("a$", "$")],
)
def test_invalid_name_is_a_syntax_error(text: str, at: str) -> None:
    code, shown, _ = error(text)
    assert (code, shown) == ("syntax", at)


def test_a_name_with_a_new_line_and_code_is_two_names() -> None:
    assert tree("own\nenemy") == n.Words(
        NOWHERE, (n.Name(NOWHERE, "own"), n.Name(NOWHERE, "enemy"))
    )
    assert error("own\nimport os; os")[1] == ";"


@pytest.mark.parametrize("terms", [1_001, 100_000])
def test_a_sum_of_too_many_terms_is_too_long(terms: int) -> None:
    code, _, message = error("+".join(["1"] * terms))
    assert code == "too-large"
    assert message.startswith("too long")


def test_a_sum_of_a_thousand_terms_is_too_deep_and_does_no_harm() -> None:
    code, _, message = error("+".join(["1"] * 1_000))
    assert code == "too-large"
    assert message.startswith("too deep")


@pytest.mark.parametrize(
    "text",
    ["not " * 1_999 + "own", "not " * 10_000 + "own", "(" * 300 + "own" + ")" * 300,
     "-" * 500 + "1", "[" * 300, "count(" * 200, "if a then " * 300, "a of " * 400 + "b"],
)  # fmt: skip
def test_deep_texts_are_refused_in_one_line(text: str) -> None:
    code, shown, message = error(text)
    assert code in ("too-large", "syntax")
    assert code == "too-large" or "if" in text
    assert len(shown) <= 40
    assert message


def test_a_text_without_end_is_shown_at_its_quotation_mark() -> None:
    assert error('own and "hello') == ("syntax", '"', "a text without end")
    assert error('"' + "a" * 10_000)[1] == '"'
    assert error('"abc\\"')[1] == '"'


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ['"', "(", "a ", "not ", "\\", '"\\', "{", "1", "é", "+", "at least ", "\n", '"a" ']
)
def test_refusing_a_text_does_not_try_each_place_again(part: str) -> None:
    # a third of a second; minutes if the work grew with the square of the length
    with patience():
        assert parse(Slice.of(part * (400_000 // len(part))))[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_the_tables_of_a_grammar_are_those_of_its_text(name: str) -> None:
    """Check the stored tables; `python -m tests.helpers.grammar_tables` rewrites them."""
    grammar, starts = PARSERS[name]
    kept = json.loads((ROOT / f"grammars/{name}.tables.json").read_text())
    anew = build_parser(grammar(), starts, WholeWords())
    assert kept["of"] == json.loads(written(anew, grammar(), starts))["of"]
    loaded = parser(name, grammar(), starts, WholeWords())
    texts = read_source(ROOT / "grammars/examples.txt").text.splitlines()
    results = [[_tree_or_none(lark, text) for text in texts] for lark in (loaded, anew)]
    assert loaded.source_path == "<deserialized>"
    assert results[0] == results[1]
    assert any(results[0])


def test_tables_of_another_grammar_do_not_serve() -> None:
    assert parser("script", 'begin: "x"', ("begin",), WholeWords()).parse("x").data == "begin"


def _tree_or_none(lark: Lark, text: str) -> object:
    with suppress(UnexpectedInput):
        return lark.parse(text, start=lark.options.start[0])
    return None
