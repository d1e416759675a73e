"""The style of the rules in English, over all bundled games."""

import re
from collections.abc import Iterator

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.prose import rules_page, sections
from rulesengine.support.resources import bundled_names

# The greatest number of words of a sentence, and of the rules of chess: two printed pages.
SENTENCE, PAGE = 60, 500
# Marks of the spec language: calls, comparisons, fields, names of several words.
CODE = re.compile(r"`|\w\(|[{}]|[<>!]=| = |[a-z]_[a-z]")
AUTHORS = ("About", "Notation", "Pieces")


def items(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the headings and paragraphs of the rules of a game."""
    for section in sections(game):
        for part in section.parts:
            for text in [part] if isinstance(part, str) else part:
                yield section.heading, text


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.:;!?])\s+(?=[A-Z(‘“])", text)


@pytest.mark.parametrize("name", bundled_names())
def test_the_rules_of_a_game_are_plain_english(name: str) -> None:
    game = rulesengine.load(name)
    found = [*items(game)]
    for heading, text in found:
        assert max(len(one.split()) for one in sentences(text)) <= SENTENCE, text
        assert heading in AUTHORS or not CODE.search(text), text
        assert text.endswith((".", ":", "!", "?", "”", ")")), text
        assert "  " not in text
        assert "`" not in text
        assert "taken away" not in text
    ends = [text for heading, text in found if heading == "End"]
    about_you = [text for text in ends[1:] if re.search(r"\b[Yy]our?\b", text)]
    assert ("“you”" in ends[0]) == bool(about_you and len(game.players) > 1)


@pytest.mark.parametrize("name", bundled_names())
def test_each_term_is_explained_once_and_used(name: str) -> None:
    found = [*items(rulesengine.load(name))]
    terms = [text for heading, text in found if heading in ("Terms", "Memory")]
    for text in terms:
        if text.startswith("‘"):
            name = text[: text.index("’") + 1]
            assert sum(one.startswith(name) for one in terms) == 1
            assert any(name in other for _, other in found if other != text), name
    for heading, text in found:
        if heading not in AUTHORS:
            for name in re.findall("‘[^‘’]+’", text):
                assert any(name in term for term in terms), name


def test_the_rules_of_chess_fit_two_pages() -> None:
    assert len(rules_page(rulesengine.load("chess")).split()) <= 2 * PAGE
