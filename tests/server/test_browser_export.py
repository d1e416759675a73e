"""An exported file in a real browser: opened from the disk, and played."""

import re
from collections.abc import Iterator

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
pytest.importorskip("llvmlite", reason="llvmlite is not installed")

from playwright.sync_api import Browser, Page, expect

from rulesengine import load
from rulesengine.play import read_record, replay
from tests.helpers.accessible import PHONE, exceeds, violations
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
    shown.get_by_label("First position").click()
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
    expect(shown.locator(".refusal")).to_have_text("a1 is not a legal move here")
    shown.click(cell("a3"))
    expect(shown.locator(".status")).to_have_text("cross wins: a line")
    expect(shown.locator("#announcements")).to_have_text("cross: a3. cross wins: a line")
    expect(shown.locator("table.cells tr").nth(1)).to_contain_text("x cross mark")


def button(shown: Page, name: str) -> None:
    shown.get_by_role("button", name=name, exact=True).click()


def record(shown: Page) -> str:
    with shown.expect_download() as download:
        button(shown, "Download record")
    return download.value.path().read_text()


def type_moves(shown: Page, *texts: str) -> None:
    field = shown.get_by_label("Move", exact=True)
    for at, text in enumerate(texts):
        field.fill(text)
        field.press("Enter")
        expect(shown.locator(".moves .move")).to_have_count(at + 1)


def test_hint_marks_the_only_winning_move(shown: Page) -> None:
    type_moves(shown, "a1", "b1", "a2", "b2")
    button(shown, "Hint")
    expect(shown.locator(".offer-row")).to_contain_text("a3")
    expect(shown.locator(f".hinted{cell('a3')}")).to_have_count(1)
    shown.click(cell("a3"))
    expect(shown.locator(".status")).to_have_text("cross wins: a line")
    expect(shown.get_by_role("button", name="Hint", exact=True)).to_be_disabled()


def test_undo_takes_back_to_the_turn_of_the_person(shown: Page) -> None:
    shown.get_by_label("nought", exact=True).select_option("search:level=8")
    shown.click(cell("a1"))
    expect(shown.locator(".moves .move")).to_have_count(2)
    button(shown, "Undo")
    expect(shown.locator(".status")).to_have_text("cross (you) to move")
    expect(shown.locator(cell("a1"))).to_have_attribute("aria-label", re.compile("empty"))


def test_resignation_is_confirmed_and_recorded(shown: Page) -> None:
    type_moves(shown, "a1", "b1")
    button(shown, "Resign")
    button(shown, "Resign as cross?")
    expect(shown.locator(".status")).to_have_text("nought wins: cross resigns")
    text = record(shown)
    assert text.endswith("result: unfinished\nforfeit: cross, resigned\n")
    assert replay(load("tic-tac-toe"), read_record(text)).differences == ()


def test_two_persons_agree_on_a_draw_that_no_computer_is_offered(shown: Page) -> None:
    type_moves(shown, "a1", "b1")
    button(shown, "Offer a draw")
    expect(shown.locator(".offer-row")).to_contain_text("cross offers a draw.")
    button(shown, "Accept")
    expect(shown.locator(".status")).to_have_text("a draw by agreement")
    text = record(shown)
    assert text.endswith("stated: draw, agreement\n")
    assert read_record(text).settlement == "a draw by agreement"
    button(shown, "New game")
    shown.get_by_label("nought", exact=True).select_option("search:level=1")
    shown.click(cell("a1"))
    expect(shown.locator(".moves .move")).to_have_count(2)
    expect(shown.get_by_role("button", name="Resign", exact=True)).to_be_visible()
    expect(shown.get_by_role("button", name="Offer a draw", exact=True)).to_be_hidden()


def test_board_turns_round_and_sounds_are_off_at_first(shown: Page) -> None:
    before = shown.locator(cell("a1")).bounding_box()
    button(shown, "Flip")
    after = shown.locator(cell("a1")).bounding_box()
    assert before
    assert after
    assert after["y"] < before["y"]
    shown.get_by_text("Settings", exact=True).click()
    expect(shown.get_by_label("Sounds")).not_to_be_checked()


def test_axe_finds_nothing_by_day_or_by_night(shown: Page) -> None:
    shown.get_by_text("Rules", exact=True).click()
    shown.get_by_text("Settings", exact=True).click()
    expect(shown.locator("#rules .credit")).to_be_visible()
    assert violations(shown) == []


def test_it_fits_a_phone(shown: Page) -> None:
    shown.set_viewport_size(PHONE)
    assert exceeds(shown) == 0


def test_a_page_without_a_worker_plays_by_itself(chromium: Browser, file: str) -> None:
    with visitor(chromium, file) as someone:
        someone.page.add_init_script("delete window.Worker")
        someone.page.goto(file)
        someone.page.get_by_label("nought", exact=True).select_option(label="full strength")
        someone.page.click(cell("a1"))
        expect(someone.page.locator(".moves .move")).to_have_text(["a1", "b2"])
        assert someone.wrong == []
