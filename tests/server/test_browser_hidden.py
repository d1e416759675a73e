"""Games with hidden information in a real browser: views, the curtain, a computer, the end."""

import re
from collections.abc import Iterator

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
pytest.importorskip("starlette", reason="the extra `web` is not installed")

from playwright.sync_api import Browser, Page, expect

from tests.helpers.accessible import violations
from tests.helpers.browser import CHROMIUM, browser, cell, visitor

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    """Yield a page on which no error may occur."""
    with visitor(chromium, address) as found:
        yield found.page
        assert found.wrong == []


def button(shown: Page, name: str) -> None:
    shown.get_by_role("button", name=name, exact=True).click()


def card(shown: Page, name: str) -> str:
    """Return the contents of a cell as a screen reader reads them."""
    label = shown.locator(cell(name)).get_attribute("aria-label") or ""
    return label.split(", ")[1]


def begun(shown: Page, name: str, start: str) -> None:
    shown.goto(f"/#play/{name}")
    button(shown, start)
    shown.wait_for_url(re.compile("#room/"))


CARDS = {"neutral jack", "neutral queen", "neutral king", "jack", "queen", "king"}


def test_a_curtain_is_between_two_persons_at_one_screen(page: Page) -> None:
    begun(page, "kuhn-poker", "Two people here")
    expect(page.locator(".curtain")).to_contain_text("Pass the device to first.")
    expect(page.locator(".board")).to_be_hidden()
    button(page, "Show my view")
    expect(page.locator(".view-note")).to_contain_text("This is the view of first")
    assert card(page, "a1") in CARDS
    assert card(page, "b1") == "not seen"
    button(page, "bet")
    expect(page.locator(".curtain")).to_contain_text("second is to move.")
    assert card(page, "b1") == "not seen"
    expect(page.locator(".choices button")).to_have_count(0)
    button(page, "Hide my view")
    expect(page.locator(".curtain")).to_contain_text("Pass the device to second.")
    expect(page.locator(".board")).to_be_hidden()
    assert "jack" not in page.locator(".board").inner_html()
    assert violations(page) == []
    page.reload()
    expect(page.locator(".curtain")).to_contain_text("Pass the device to second.")
    button(page, "Show my view")
    expect(page.locator(".view-note")).to_contain_text("This is the view of second")
    assert card(page, "a1") == "not seen"
    assert card(page, "b1") in CARDS
    expect(page.locator(".moves .move")).to_have_text(["bet"])
    button(page, "pass")
    expect(page.locator(".status")).to_contain_text("first wins: the bets are settled")
    expect(page.locator(".curtain")).to_be_hidden()
    expect(page.locator(".moves .move")).to_have_count(4)
    assert {card(page, "a1"), card(page, "b1")} <= CARDS
    expect(page.get_by_role("button", name="Copy record")).to_be_visible()


def test_the_computer_plays_and_a_rematch_exchanges_the_seats(page: Page) -> None:
    page.goto("/#play/kuhn-poker")
    expect(page.locator(".view-note")).to_contain_text("This game hides pieces")
    page.get_by_label("at", exact=True).select_option("1")
    button(page, "Play against the computer")
    expect(page.locator(".room")).to_contain_text("first: you · second: computer, level 1")
    for name in ("Undo", "Hint", "Copy link"):
        expect(page.get_by_role("button", name=name)).to_be_hidden()
    assert card(page, "b1") == "not seen"
    button(page, "bet")
    expect(page.locator(".status")).to_contain_text("the bets are settled")
    assert {card(page, "a1"), card(page, "b1")} <= CARDS
    button(page, "Rematch")
    expect(page.locator(".room")).to_contain_text("first: computer, level 1 · second: you")
    expect(page.locator(".status")).to_contain_text("second (you) to move")
    assert card(page, "a1") == "not seen"


def test_a_choice_is_not_shown_before_the_round_is_over(chromium: Browser, address: str) -> None:
    with visitor(chromium, address) as one, visitor(chromium, address) as two:
        left, right = one.page, two.page
        begun(left, "rock-paper-scissors", "Play a friend")
        right.goto(left.url)
        for shown in (left, right):
            expect(shown.locator(".status")).to_contain_text("left")
        left.get_by_label("Move", exact=True).fill("rock")
        left.keyboard.press("Enter")
        expect(right.locator(".status")).to_contain_text("right (you) to move")
        expect(right.locator(".moves .move")).to_have_count(0)
        expect(left.locator(".moves .move")).to_have_count(1)
        assert one.wrong + two.wrong == []
