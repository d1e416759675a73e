"""Rules of style for the pages in docs/."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
# Pages that comply; add a page once it does.
PAGES = ("language.md", "recipes.md", *(f"guide/{page.name}" for page in DOCS.glob("guide/*.md")))
MOST_WORDS = 120


@pytest.mark.parametrize("page", PAGES)
def test_no_paragraph_is_long(page: str) -> None:
    found = paragraphs((DOCS / page).read_text(encoding="utf-8"))
    assert len(found) > 5
    assert [text[:60] for text in found if len(text.split()) > MOST_WORDS] == []


def paragraphs(page: str) -> list[str]:
    """Return paragraphs, items of lists and rows of tables, without blocks of code."""
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.M | re.S)
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )", prose)
    return [part.strip() for part in parts if part.strip()]


def test_a_paragraph_ends_at_a_blank_line_an_item_and_a_row() -> None:
    page = (
        "One\ntwo.\n\n- three\n  four\n- five\n\n| six |\n| --- |\n\n```text\n\n7\n```\n1. eight\n"
    )
    assert paragraphs(page) == [
        "One\ntwo.",
        "- three\n  four",
        "- five",
        "| six |",
        "| --- |",
        "1. eight",
    ]
