"""Rules of style for the pages in docs/."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# Pages that comply; add a page once it does.
PAGES = ("language.md", "recipes.md", *(f"guide/{page.name}" for page in DOCS.glob("guide/*.md")))
MOST_WORDS = 120
LINK = re.compile(r"\]\(([^)\s#:]*)#([^)\s]+)\)")


@pytest.mark.parametrize("page", PAGES)
def test_no_paragraph_is_long(page: str) -> None:
    found = paragraphs((DOCS / page).read_text(encoding="utf-8"))
    assert len(found) > 5
    assert [text[:60] for text in found if len(text.split()) > MOST_WORDS] == []


@pytest.mark.parametrize("page", ["engines.md", "batches.md", "serve.md"])
def test_a_page_of_three_kinds_has_them_in_order(page: str) -> None:
    headings = re.findall(r"^## (.+)$", without_code((DOCS / page).read_text("utf-8")), re.M)
    assert headings == ["How-to guides", "Reference", "Explanation"]


def test_a_link_to_a_heading_leads_to_one() -> None:
    pages = {page: page.read_text("utf-8") for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]}
    anchors = {page: anchors_of(text) for page, text in pages.items()}
    found = [
        (page.name, target, anchor)
        for page, text in pages.items()
        for target, anchor in LINK.findall(without_code(text))
        if (aim := (page.parent / target).resolve() if target else page) in pages
        and anchor not in anchors[aim]
    ]
    assert found == []


def anchors_of(page: str) -> set[str]:
    """Return the anchors that sites derive from the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", without_code(page), re.M)
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}


def without_code(page: str) -> str:
    return re.sub(r"^```.*?^```$", "", page, flags=re.M | re.S)


def paragraphs(page: str) -> list[str]:
    """Return paragraphs, items of lists and rows of tables, without blocks of code."""
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )", without_code(page))
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
