"""An exported file in a real browser: opened from the disk, and played."""

import re
from collections.abc import Iterator

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
pytest.importorskip("llvmlite", reason="llvmlite is not installed")

from playwright.sync_api import Browser, Page, expect

from tests.helpers.accessible import PHONE, exceeds, serious
from tests.helpers.browser import CHROMIUM, browser, cell, moves, visitor
from tests.helpers.cli_calls import call

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of an exported file of a small game."""
    path = tmp_path_factory.mktemp("exported") / "game.html"
    assert call("export", "tic-tac-toe", "-o", str(path)).code == 0
    return path.as_uri()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture
def shown(chromium: Browser, file: str) -> Iterator[Page]:
    """Yield the file in a browser; no error may occur, and no request may leave it."""
    with visitor(chromium, file) as someone:
        someone.page.goto(file)
        expect(someone.page.locator(".status")).to_have_text("cross to move")
        yield someone.page
        assert someone.wrong == []


def test_the_computer_answers_a_move_and_both_are_taken_back(shown: Page) -> None:
    shown.get_by_label("nought", exact=True).select_option("search:level=8")
    shown.click(cell("a1"))
    expect(shown.locator(".moves .move")).to_have_count(2)
    # Any answer to a corner but the centre loses.
    assert moves(shown) == ["a1", "b2"]
    shown.get_by_label("nought", exact=True).select_option("person")
    shown.get_by_label("To the start").click()
    expect(shown.locator(cell("a1"))).to_have_attribute("aria-label", re.compile("empty"))
    shown.click(cell("b1"))
    expect(shown.locator(".moves .move")).to_have_text(["b1"])


def test_keys_and_typed_moves_play_a_game_to_its_end(shown: Page) -> None:
    shown.locator(cell("a1")).focus()
    for key in ("Enter", "ArrowUp", "ArrowRight", "Enter"):
        shown.keyboard.press(key)
    expect(shown.locator(".moves .move")).to_have_text(["a1", "b2"])
    field = shown.get_by_label("Move", exact=True)
    for move in ("A2", "c1"):
        field.fill(move)
        field.press("Enter")
    field.fill("a1")
    field.press("Enter")
    expect(shown.locator(".refusal")).to_have_text("a1 is no legal move here")
    shown.click(cell("a3"))
    expect(shown.locator(".status")).to_have_text("cross wins: a line")
    expect(shown.locator("#said")).to_have_text("cross: a3. cross wins: a line")
    expect(shown.locator("table.cells tr").nth(1)).to_contain_text("x cross mark")


def test_axe_finds_nothing_serious_by_day_or_by_night(shown: Page) -> None:
    shown.get_by_text("Rules", exact=True).click()
    expect(shown.locator("#rules .credit")).to_be_visible()
    assert serious(shown) == []


def test_it_fits_a_phone(shown: Page) -> None:
    shown.set_viewport_size(PHONE)
    assert exceeds(shown) == 0


def test_a_page_without_a_worker_plays_by_itself(chromium: Browser, file: str) -> None:
    with visitor(chromium, file) as someone:
        someone.page.add_init_script("delete window.Worker")
        someone.page.goto(file)
        someone.page.get_by_label("nought", exact=True).select_option("search:level=5")
        someone.page.click(cell("a1"))
        expect(someone.page.locator(".moves .move")).to_have_text(["a1", "b2"])
        assert someone.wrong == []
