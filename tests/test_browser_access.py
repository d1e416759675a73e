"""The page for everybody: by keys alone, on a phone, with a screen reader, in the dark."""

from collections.abc import Iterator

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
pytest.importorskip("starlette", reason="the extra `web` is not installed")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser import CHROMIUM, browser, cell, page, served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]

PHONE = 360
# What is there when a view is.
VIEWS = {
    "play/chess": "[data-cell]",
    "edit/tic-tac-toe": ".findings .head",
    "analyse/tic-tac-toe": ".worths tr",
    "": ".games li",
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


def open_view(shown: Page, fragment: str) -> None:
    """Go to a view and open all that it can unfold."""
    shown.goto(f"/#{fragment}")
    expect(shown.locator(VIEWS[fragment]).first).to_be_visible()
    for summary in shown.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()


@pytest.mark.parametrize("fragment", VIEWS)
def test_axe_finds_nothing_serious_in_any_view(
    chromium: Browser, address: str, fragment: str
) -> None:
    with page(chromium, address) as shown:
        open_view(shown, fragment)
        assert serious(shown) == []
        shown.emulate_media(color_scheme="dark")
        assert serious(shown, "color-contrast") == []


def serious(shown: Page, *rules: str) -> list[tuple[str, str]]:
    """What axe-core, Deque's checker, calls serious or critical: by all of its rules, or these."""
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    return [
        (rule["id"], rule["nodes"][0]["html"])
        for rule in Axe().run(shown, options=options).response["violations"]
        if rule["impact"] in ("serious", "critical")
    ]


def test_every_view_fits_a_phone(chromium: Browser, address: str) -> None:
    wide: dict[str, object] = {}
    with page(chromium, address, width=PHONE) as shown:
        for fragment in VIEWS:
            open_view(shown, fragment)
            wide[fragment] = shown.evaluate("document.documentElement.scrollWidth")
    assert wide == dict.fromkeys(VIEWS, PHONE)


def test_keys_alone_lead_from_the_gallery_into_a_game(chromium: Browser, address: str) -> None:
    with page(chromium, address) as shown:
        shown.goto("/")
        search = shown.get_by_label("Search the games")
        search.wait_for()
        press_until(shown, "Search the games")
        shown.keyboard.type("three men's morris")
        press_until(shown, "Three Men's Morris")
        shown.keyboard.press("Enter")
        press_until(shown, "can be chosen")
        shown.keyboard.press("Enter")
        expect(shown.locator(".moves .move")).to_have_count(1)
        focused = shown.locator("[data-cell]:focus")
        expect(focused).to_have_count(1)
        shown.locator("body").press("Escape")


def press_until(shown: Page, name: str, most: int = 25) -> None:
    """Press Tab until something of a name has the focus."""
    told = "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"
    for _ in range(most):
        shown.keyboard.press("Tab")
        if name.lower() in str(shown.evaluate(told)).lower():
            return
    raise AssertionError(f"no Tab leads to {name!r}")


def test_the_board_is_a_table_for_screen_readers(chromium: Browser, address: str) -> None:
    with page(chromium, address) as shown:
        shown.goto("/#play/tic-tac-toe")
        shown.click(cell("b1"))
        table = shown.get_by_role("table", name="Tic-tac-toe, cell by cell")
        row = table.get_by_role("row").nth(3)
        expect(row.get_by_role("cell")).to_have_text(["a1", "x cross mark", "c1"])
        expect(shown.get_by_role("status").first).to_contain_text("cross: b1. nought to move")
