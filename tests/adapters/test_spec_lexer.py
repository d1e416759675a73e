"""The Pygments lexer of specs."""

import pytest

pytest.importorskip("pygments", reason="needs the extra docs")
from pygments.token import Error, Keyword, Name, Number, String, Text, _TokenType

from rulesengine.adapters.spec_lexer import SpecLexer
from rulesengine.support.resources import bundled_names, bundled_path

SPEC = """\
name: any game of pieces
rules:
  end:
    - when: any(line(own, at least 4))  # a row
      result: player wins
define:
  far: >-
    count(empty) > 3
"""


FLOW = """\
pieces: {disc: {black: "*", white: "place"}}
moves: {place: disc, to: "empty where any(run(it, enemy, own))", do: [flip run(to, enemy, own)]}
end: [{when: none(empty), result: draw, reason: no own piece}, {reason: "none(own)"}]
define: {dark: 'all where row(it) = 1'}
"""


def tokens_of(word: str, spec: str = SPEC) -> list[_TokenType]:
    return [token for token, text in SpecLexer().get_tokens(spec) if text == word]


def within(token: _TokenType, *kinds: _TokenType) -> bool:
    return any(kind in token.split() for kind in kinds)


def test_words_of_expressions_have_the_token_of_their_kind() -> None:
    assert tokens_of("line") == [Name.Function]
    assert tokens_of("own") == [Name.Builtin]
    assert tokens_of("4") == [Number]
    assert tokens_of("when") == [Name.Tag]


def test_lines_of_a_block_scalar_are_an_expression() -> None:
    assert tokens_of("empty") == [Name.Builtin]


def test_words_of_flow_collections_have_the_token_of_their_kind() -> None:
    assert tokens_of("run", FLOW) == [Name.Function, Name.Function]
    assert tokens_of("none", FLOW) == [Name.Function]
    assert tokens_of("flip", FLOW) == [Keyword]
    assert tokens_of("disc", FLOW) == [Name.Tag, Name]


def test_a_quoted_expression_is_an_expression_and_a_quoted_text_is_not() -> None:
    assert tokens_of("where", FLOW) == [Keyword, Keyword]
    assert tokens_of("row", FLOW) == [Name.Function]
    assert tokens_of("place", FLOW) == [String, Name.Tag]


def test_a_text_for_people_in_a_flow_collection_is_not_an_expression() -> None:
    assert tokens_of("own", FLOW)[-1] is not Name.Builtin
    assert tokens_of("piece", FLOW) == [Text]


def test_a_text_for_people_is_not_an_expression() -> None:
    found = list(SpecLexer().get_tokens("name: any game of own pieces"))
    assert [token for token, _ in found if within(token, Name, Keyword)] == [Name.Tag]


def test_a_spec_with_a_mistake_has_no_error_token() -> None:
    text = 'board:\n\trows: 3\nname: "Exa\\mple"\n'
    tokens = list(SpecLexer().get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    assert not [value for token, value in tokens if within(token, Error)]


def test_the_texts_of_all_tokens_are_the_spec() -> None:
    changed = []
    for name in bundled_names():
        text = bundled_path(name).read_text(encoding="utf-8")
        tokens = list(SpecLexer(stripnl=False).get_tokens(text))
        if "".join(value for _, value in tokens) != text:
            changed.append(name)
    assert changed == []


def test_pygments_finds_the_lexer_by_name() -> None:
    from pygments.lexers import get_lexer_by_name

    assert isinstance(get_lexer_by_name("rulesengine"), SpecLexer)
