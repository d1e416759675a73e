"""An edit of one value of a test in the text of its spec, which preserves the style.

Comments and layout stay; a style that cannot hold the value is replaced by double quotes.
"""

import json
import re
import textwrap
from collections.abc import Iterator

from rulesengine.language.document.edits import Edit, end_of, is_flow, with_entry
from rulesengine.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence, to_plain
from rulesengine.support.source import Source, Span

_PLAIN = re.compile(r"[A-Za-z0-9.][A-Za-z0-9 ._/=+-]*")
_WIDTH = 100  # of the lines that are wrapped again


def with_test_value(source: Source, number: int, key: str, value: object) -> Source | None:
    """Return the spec with another value under a key of its test `number`, counted from 0.

    None if the tests are not in this text, or no style can hold the value there.
    """
    test = _test(source, number)
    if test is None:
        return None
    entry = test.entry(key)
    if entry is None:
        edits = iter([[with_entry(test, f"{key}: {json.dumps(value)}")]])
    else:
        edits = _edits(entry, value)
    for tried in edits:
        changed = Source(source.name, _applied(source.text, tried))
        after = _test(changed, number)
        node = after.get(key) if after else None
        if node is not None and to_plain(node) == value and _rest(after, key) == _rest(test, key):
            return changed
    return None


def _test(source: Source, number: int) -> Mapping | None:
    from rulesengine.language.document.yaml_events import (
        parse,  # a local import: only updates need YAML
    )

    root = parse(source)[0]
    tests = root.get("tests") if root else None
    if not isinstance(tests, Sequence) or number >= len(tests.items):
        return None
    test = tests.items[number]
    return test if isinstance(test, Mapping) else None


def _rest(test: Mapping | None, key: str) -> object:
    """Return the test without one key, as plain values."""
    return {e.key: to_plain(e.value) for e in test or () if e.key != key}


def _applied(text: str, edits: list[Edit]) -> str:
    for span, new in sorted(edits, key=lambda edit: -edit[0].start):
        text = text[: span.start] + new + text[span.end :]
    return text


def _edits(entry: Entry, value: object) -> Iterator[list[Edit]]:
    """Yield ways to write a value of an entry, the one nearest to its present style first."""
    node = entry.value
    within = _within(node, value)
    if within is not None:
        yield within
    span = Span(node.span.source, node.span.start, end_of(node, entry))
    for text in _forms(entry, value):
        yield [(span, text)]
    if isinstance(node, Scalar) and _is_block(node):
        own_span = Span(span.source, span.start, _past_blank_lines(node))
        yield [(own_span, _literal(entry, node, str(value)))]
    yield [(span, json.dumps(value, ensure_ascii=False))]
    yield [(span, json.dumps(value))]


def _within(node: Node, value: object) -> list[Edit] | None:
    """Return edits of the members that differ; None if their number differs."""
    match node, value:
        case Mapping(), dict() if [entry.key for entry in node] == list(value):
            pairs = [(entry.value, value[entry.key]) for entry in node]
        case Sequence(), list() if len(node.items) == len(value):
            pairs = list(zip(node.items, value, strict=True))
        case _:
            return None
    wrong = [(one.span, new) for one, new in pairs if to_plain(one) != new]
    return [(span, _word(new)) for span, new in wrong]


def _forms(entry: Entry, value: object) -> Iterator[str]:
    """Yield the whole value in the style of the present one."""
    node = entry.value
    indent = " " * (_column(entry.key_span) + 1)
    match node, value:
        case Sequence(), list() if is_flow(node):
            text = "[" + ", ".join(map(_word, value)) + "]"
            yield textwrap.fill(text, _WIDTH - len(indent), subsequent_indent=indent + " ")
        case Sequence(), list() if value:
            dash = " " * (_column(node.span) - 1)
            yield f"\n{dash}".join(f"- {_word(item)}" for item in value)
        case Scalar(style="plain"), str() if _PLAIN.fullmatch(value):
            yield textwrap.fill(value, _WIDTH - len(indent), subsequent_indent=indent)
        case Scalar(style="plain"), int():
            yield str(value)
        case Scalar(style="single"), str() if "\n" not in value:
            yield "'" + value.replace("'", "''") + "'"
        case Scalar(), str() if _is_block(node) and not _keeps_end(node):
            yield _literal(entry, node, value)


def _word(value: object) -> str:
    """Return a member of a list, plain if that is unambiguous."""
    if isinstance(value, str) and not re.fullmatch(r"[A-Za-z][A-Za-z0-9./=-]*", value):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _is_block(node: Scalar) -> bool:
    return node.style in ("literal", "folded")


def _keeps_end(node: Scalar) -> bool:
    """True if the blank lines after a block scalar are part of it."""
    return "+" in node.span.text.split("\n")[0].partition("#")[0]


def _literal(entry: Entry, node: Scalar, text: str) -> str:
    """Return a block scalar: the header with the text after it, then the lines."""
    header, *body = node.span.text.split("\n")
    outer = _column(entry.key_span) - 1
    filled = [line for line in body if line.strip()]
    inner = min((len(line) - len(line.lstrip(" ")) for line in filled), default=outer + 2)
    lines = text.split("\n")
    first = next((line for line in lines if line), "")
    depth = str(inner - outer) if first[:1] == " " else ""
    chomp = "-" if lines[-1] else "+" if text.endswith("\n\n") or text == "\n" else ""
    rest = re.sub(r"^[|>][-+0-9]*", "", header)
    lines = lines if lines[-1] else lines[:-1]
    return "\n".join(["|" + depth + chomp + rest, *(" " * inner * bool(x) + x for x in lines)])


def _past_blank_lines(node: Scalar) -> int:
    """Return the end of the blank lines after a block scalar, without the last line break."""
    text = node.span.source.text
    blank = re.compile(r"(?:[ \t]*\n)*").match(text, node.span.end)
    end = blank.end() if blank else node.span.end
    return end - 1 if end > node.span.end else end


def _column(span: Span) -> int:
    return span.source.position(span.start)[1]
