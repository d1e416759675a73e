from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from rulesengine.language.document.nodes import Mapping, Scalar
from rulesengine.language.document.scalars import decode, integer_meant, plain_value
from rulesengine.language.document.yaml_events import parse
from rulesengine.support.source import Slice, Source, Span

LOADERS = [pytest.param(yaml.SafeLoader, id="python")]
if hasattr(yaml, "CSafeLoader"):
    LOADERS.append(pytest.param(yaml.CSafeLoader, id="c"))


def scalar(text: str, loader: Any = None) -> Scalar:
    root, findings = parse(Source("test.yaml", text), loader)
    assert not findings
    assert isinstance(root, Mapping)
    value = root.entries[0].value
    assert isinstance(value, Scalar)
    return value


def places(piece: Slice) -> list[str]:
    """Return the source character under each character of a slice."""
    return [piece.source.text[at : at + 1] for at in piece.offsets]


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    ("text", "style", "value", "offsets"),
    [
        ("a: two words # no", "plain", "two words", [*range(3, 13)]),
        ("a: one\n  two", "plain", "one two", [3, 4, 5, 6, 9, 10, 11, 12]),
        ("a: 'it''s'", "single", "it's", [4, 5, 6, 8, 9]),
        ("a: 'x\n\n  y'", "single", "x\ny", [4, 6, 9, 10]),
        (r'a: "\"\n\x41é"', "double", '"\nAé', [4, 6, 8, 12, 13]),
        ('a: "x\\\n   y"', "double", "xy", [4, 10, 11]),
        ('a: "\\U0001F600b"', "double", "😀b", [4, 14, 15]),
        ("a: |\n  x\n   y\n", "literal", "x\n y\n", [7, 8, 11, 12, 13, 14]),
        ("a: |-\n  x\n\n  y\n\n", "literal", "x\n\ny", [8, 9, 10, 13, 14]),
        ("a: |+\n  x\n\n", "literal", "x\n\n", [8, 9, 10, 11]),
        ("a: |2\n    x\n", "literal", "  x\n", [8, 9, 10, 11, 12]),
        ("a: | # why\n x", "literal", "x", [12, 13]),
        ("a: >\n  x\n  y\n", "folded", "x y\n", [7, 8, 11, 12, 13]),
        ("a: >-\n  x\n\n  y\n   z\n", "folded", "x\ny\n z", [8, 10, 13, 14, 17, 18, 19]),
        ("a: |\n", "literal", "", [3 + 2]),
    ],
)
def test_each_character_of_a_scalar_knows_its_place_in_the_source(
    text: str, style: str, value: str, offsets: list[int], loader: Any
) -> None:
    found = scalar(text, loader)
    assert (found.style, found.value, found.text.text) == (style, value, value)
    assert list(found.text.offsets) == offsets


def test_a_place_after_characters_beyond_the_basic_plane_is_counted_in_characters() -> None:
    found = scalar('𝄞é: "𝄞x"')
    assert places(found.text) == ["𝄞", "x", '"']


def written(value: str, style: str) -> str:
    """Return a document with one value, in a style by PyYAML's own emitter."""
    text = yaml.dump({"key": [value]}, default_style=style or None, allow_unicode=True, width=20)
    assert isinstance(text, str)
    return text


@pytest.mark.slow
@given(
    st.text(st.sampled_from("ab é𝄞#:-'\"\\\t\n "), max_size=60),
    st.sampled_from(["", "'", '"', "|", ">"]),
)
def test_the_place_of_a_character_holds_that_character_in_every_style(
    value: str, style: str
) -> None:
    text = written(value, style)
    root, findings = parse(Source("test.yaml", text))
    assume(not findings)  # PyYAML may write a tag or another rejected form; never a wrong value
    assert root is not None
    sequence = root.get("key")
    found = next(iter(sequence)) if sequence and not isinstance(sequence, Scalar) else None
    assert isinstance(found, Scalar)
    assert found.text.text == value
    offsets = found.text.offsets
    assert sorted(offsets) == list(offsets)
    assert found.span.start <= offsets[0]
    assert offsets[-1] <= len(text)
    for char, at in zip(found.text.text, offsets, strict=False):
        # a blank may be a folded line break, a quote is doubled, the rest may be escaped
        assert text[at] in {char, "\\"} or (char in " \n" and text[at] == "\n")
    assert len(set(offsets)) >= len(value)


def test_a_value_that_does_not_match_its_source_is_placed_at_its_start() -> None:
    span = Span(Source("test.yaml", "a: !x y"), 3, 7)
    assert decode(span, "plain", "y").offsets == (3, 7)


@pytest.mark.parametrize(
    "text",
    ["NO", "on", "y", "yes", "~", "True", "12:30", "012", "1_000", "1e3", "0x10", "+5", ".nan",
     ".inf", "1e999", "5.", ".5", "9" * 5000, "0x" + "f" * 10_000, str(2**63), "2024-13-45"],
)  # fmt: skip
def test_ambiguous_yaml_scalar_is_text(text: str) -> None:
    assert plain_value(text) == text
    assert scalar(f"a: {text}").value == text


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("-7", -7), (str(-(2**63)), -(2**63)), (str(2**63 - 1), 2**63 - 1), ("1.50", 1.5),
     ("true", True), ("false", False), ("null", None), ("", None)],
)  # fmt: skip
def test_numbers_flags_and_null_have_one_spelling(text: str, value: object) -> None:
    found = scalar(f"a: {text}")
    assert found.value == value
    assert type(found.value) is type(value)
    assert found.text.text == text


@pytest.mark.parametrize("text", ['"1"', "'true'", "|-\n  null"])
def test_quoted_scalar_is_text(text: str) -> None:
    assert isinstance(scalar(f"a: {text}").value, str)


@pytest.mark.parametrize(
    ("text", "help"),
    [("012", "write 10, not 012"), ("1_000", "write 1000, not 1_000"), ("1e3", "write 1000, not"),
     ("0x1F", "write 31, not 0x1F"), ("0b11", "write 3, not"), ("+5", "write 5, not +5"),
     ("089", "write 89, not 089"), ("4.0", "write 4, not 4.0")],
)  # fmt: skip
def test_a_number_in_another_spelling_gets_the_right_one_as_help(text: str, help: str) -> None:
    assert integer_meant(text).startswith(help)


@pytest.mark.parametrize("text", ["12:30", "ten", "1e999", "0xzz", "", "9" * 5000])
def test_no_number_suggestion_for_other_text(text: str) -> None:
    assert integer_meant(text) == ""
