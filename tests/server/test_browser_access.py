"""Accessibility of the page: keyboard only, phone, screen reader, dark theme."""

import re
from collections.abc import Iterator

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
pytest.importorskip("starlette", reason="the extra `web` is not installed")

from playwright.sync_api import Page, expect

from tests.helpers.accessible import PHONE, exceeds, violations
from tests.helpers.browser import CHROMIUM, Visitor, browser, cell, visitor

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]

# A selector that is present once a view is loaded.
VIEWS = {
    "play/chess": "[data-cell]",
    "edit/tic-tac-toe": ".findings .head",
    "analyse/tic-tac-toe": ".move-values tr",
    "": ".games li",
}
GAMES = "backgammon chess connect-four go hex kalah nim pig quarto xiangqi".split()
# The gate tests two of the views.
EACH = [
    pytest.param(name, marks=[] if name[:4] in ("play", "edit") else pytest.mark.deep, id=name)
    for name in VIEWS
]


@pytest.fixture(scope="module")
def someone(address: str) -> Iterator[Visitor]:
    with browser() as chromium, visitor(chromium, address) as found:
        yield found


def view(someone: Visitor, fragment: str) -> Page:
    """Open a view and unfold all its details."""
    shown = someone.open(fragment)
    expect(shown.locator(VIEWS[fragment]).first).to_be_visible()
    for summary in shown.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()
    return shown


@pytest.mark.parametrize("fragment", EACH)
def test_axe_finds_nothing_in_any_view(someone: Visitor, fragment: str) -> None:
    assert violations(view(someone, fragment)) == []


@pytest.mark.deep
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("mode", ["play", "analyse", "edit"])
def test_axe_finds_nothing_in_views_of_many_games(someone: Visitor, mode: str, name: str) -> None:
    shown = someone.open(f"{mode}/{name}")
    expect(shown.locator("[data-cell]").first).to_be_visible()
    assert violations(shown) == []


@pytest.mark.parametrize("fragment", EACH)
def test_a_view_fits_a_phone(someone: Visitor, fragment: str) -> None:
    size = someone.page.viewport_size
    assert size is not None
    someone.page.set_viewport_size(PHONE)
    more = exceeds(view(someone, fragment))
    someone.page.set_viewport_size(size)
    assert more == 0


@pytest.mark.parametrize("fragment", EACH)
def test_a_view_at_three_times_the_size_needs_no_scrolling_sideways(
    someone: Visitor, fragment: str
) -> None:
    """At 300 % a window of 1280 pixels shows 426."""
    size = someone.page.viewport_size
    assert size is not None
    someone.page.set_viewport_size({"width": 1280 // 3, "height": 720 // 3})
    more = exceeds(view(someone, fragment))
    someone.page.set_viewport_size(size)
    assert more == 0


def test_a_page_without_javascript_says_that_it_needs_it(someone: Visitor, address: str) -> None:
    browser = someone.page.context.browser
    assert browser
    context = browser.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.goto(address)
    assert "This page needs JavaScript" in shown.locator("body").inner_text()
    context.close()


def test_keys_alone_lead_from_the_gallery_into_a_game(someone: Visitor) -> None:
    shown = someone.open("")
    shown.get_by_label("Search the games").wait_for()
    press_until(shown, "Search the games")
    shown.keyboard.type("three men's morris")
    press_until(shown, "Three Men's Morris")
    shown.keyboard.press("Enter")
    expect(shown.locator("h1")).to_have_text(re.compile("morris", re.IGNORECASE))
    press_until(shown, "can be selected")
    shown.keyboard.press("Enter")
    expect(shown.locator(".moves .move")).to_have_count(1)
    expect(shown.locator("[data-cell]:focus")).to_have_count(1)


def press_until(shown: Page, name: str, most: int = 25) -> None:
    """Press Tab until an element of a name has the focus."""
    label = "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"
    for _ in range(most):
        shown.keyboard.press("Tab")
        if name.lower() in str(shown.evaluate(label)).lower():
            return
    raise AssertionError(f"no Tab leads to {name!r}")


def test_the_board_is_a_table_for_screen_readers(someone: Visitor) -> None:
    shown = someone.open("play/tic-tac-toe")
    shown.click(cell("b1"))
    table = shown.get_by_role("table", name="Tic-tac-toe, cell by cell")
    row = table.get_by_role("row").nth(3)
    expect(row.get_by_role("cell")).to_have_text(["a1", "x cross mark", "c1"])
    expect(shown.locator("#announcements")).to_contain_text("cross: b1. nought to move")
