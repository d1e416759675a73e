"""The gallery in a real browser: groups, tags, search, the way back, phones."""

from collections.abc import Iterator

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
pytest.importorskip("starlette", reason="the extra `web` is not installed")

from playwright.sync_api import Page, expect

from rulesengine.support.resources import bundled_names
from tests.helpers.accessible import PHONE, exceeds, violations
from tests.helpers.browser import CHROMIUM, Visitor, browser, visitor

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]
SCREENS = 11  # of a phone, for all games


@pytest.fixture(scope="module")
def someone(address: str) -> Iterator[Visitor]:
    with browser() as chromium, visitor(chromium, address) as found:
        yield found


@pytest.fixture
def gallery(someone: Visitor) -> Iterator[Page]:
    """Yield the gallery with all games; no error may occur in it."""
    someone.wrong.clear()
    shown = someone.open("")
    expect(shown.locator(".games .card")).to_have_count(len(bundled_names()))
    yield shown
    assert someone.wrong == []


@pytest.mark.parametrize(
    ("word", "title"),
    [
        ("mancala", "Kalah"),
        ("dice", "Backgammon"),
        ("checkers", "English draughts"),
        ("reversi", "Reversi"),
        ("mühle", "Nine men's morris"),
        ("rook", ""),
    ],
)
def test_games_are_found_by_tags_summaries_and_other_names(
    gallery: Page, word: str, title: str
) -> None:
    gallery.get_by_label("Search the games").fill(word)
    titles = gallery.locator(".games .title")
    if title:
        expect(titles.get_by_text(title, exact=True)).to_be_visible()
    expect(titles.get_by_text("Hex", exact=True)).to_have_count(0)


def test_a_tag_narrows_the_games_and_is_released_by_a_second_click(gallery: Page) -> None:
    chip = gallery.locator(".chips").get_by_role("button", name="mancala", exact=True)
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(gallery.locator(".games .title")).to_have_text(["Kalah", "Oware"])
    expect(gallery.locator("section h2")).to_have_text(["Mancala"])
    chip.click()
    expect(gallery.locator(".count")).to_have_text(f"{len(bundled_names())} games")


def test_arrow_keys_lead_from_tag_to_tag(gallery: Page) -> None:
    gallery.get_by_label("Search the games").focus()
    for key in ("Tab", "Tab", "ArrowRight", "Enter"):
        gallery.keyboard.press(key)
    expect(gallery.locator('.chips [aria-pressed="true"]')).to_have_text(["draughts"])
    gallery.keyboard.press("Tab")
    expect(gallery.locator(".card:focus .title")).to_have_text("Brazilian draughts")


def test_search_tag_and_place_survive_the_way_back_and_a_reload(gallery: Page) -> None:
    gallery.locator(".chips").get_by_role("button", name="alignment", exact=True).click()
    gallery.get_by_label("Search the games").fill("tic")
    gallery.locator(".games .card").nth(2).click()
    expect(gallery.locator("[data-cell]").first).to_be_visible()
    gallery.go_back()
    expect(gallery.get_by_label("Search the games")).to_have_value("tic")
    pressed = gallery.locator('.chips [aria-pressed="true"]')
    expect(pressed).to_have_text(["alignment"])
    gallery.reload()
    expect(gallery.get_by_label("Search the games")).to_have_value("tic")
    expect(pressed).to_have_text(["alignment"])


def test_the_place_on_the_page_survives_the_way_back(gallery: Page) -> None:
    last = gallery.locator('.card[href="#play/samegame"]')
    last.scroll_into_view_if_needed()
    gallery.wait_for_timeout(500)  # the place is kept once scrolling has ended
    before = gallery.evaluate("history.state.gallery.top")
    assert before > 500
    last.click()
    expect(gallery.locator("[data-cell]").first).to_be_visible()
    assert gallery.evaluate("scrollY") == 0
    gallery.go_back()
    expect(last).to_be_in_viewport()
    assert abs(gallery.evaluate("scrollY") - before) < 2


def test_all_games_fit_eleven_screens_of_a_phone(gallery: Page) -> None:
    size = gallery.viewport_size
    assert size is not None
    gallery.set_viewport_size(PHONE)
    assert exceeds(gallery) == 0
    assert gallery.evaluate("document.documentElement.scrollHeight / innerHeight") < SCREENS
    assert violations(gallery) == []
    gallery.set_viewport_size(size)
